"""The one output port of a game: what has just been shown, for screen, lamps, voice and hall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.record.transcript import Header
from companion.rules import Ruling, Seat
from companion.rules.views import Derived, View
from companion.session.receipt import Receipt
from companion.system.logs import trace, writing

log = writing("port")


@dataclass(frozen=True, slots=True)
class Shown:
    """What has newly been shown, and everything public as it is now. All of it is safe on disk (law 3).

    Without receipts, a game was begun or has been `resumed`, or only fists or cards on readers have changed.
    """

    header: Header
    receipts: Sequence[Receipt]
    """The acts newly shown, each exactly once, in their order. A listener takes `rulings`: what a seat alone may see,
    and the state, are in here too."""
    view: View
    derived: Derived
    closed: frozenset[Seat]
    called: bool
    fists: Sequence[Seat]
    resumed: bool = False
    """The game continues from where it was: show it as it stands, and recite nothing."""
    pressed: frozenset[Seat] = frozenset()
    """Pressed buttons of ears, not counting fists."""

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings newly announced to everybody."""
        return tuple(ruling for receipt in self.receipts for ruling in receipt.public)


Listener = Callable[[Shown], object]


class Port:
    """The port of a whole evening: games come and go, and listeners stay."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._last: Shown | None = None

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call the listener on the main thread from now on; return a function that ends that.

        A listener that joins during a game is told at once how it stands, as after a resume.
        """
        self._listeners.append(listener)
        if self._last:
            self._tell_listener(listener, stands(self._last))
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def say(self, shown: Shown) -> None:
        """Report to all listeners; one that fails stops neither the others nor the game."""
        self._last = shown
        for listener in tuple(self._listeners):
            self._tell_listener(listener, shown)

    def _tell_listener(self, listener: Listener, shown: Shown) -> None:
        try:
            listener(shown)
        except Exception as error:  # a listener that fails must not stop the game
            log.error("a listener failed; the others and the game go on\n%s", trace(error))


def stands(shown: Shown) -> Shown:
    """Return the same game as it stands, with nothing newly shown."""
    return replace(shown, receipts=(), resumed=True)
