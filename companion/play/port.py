"""The one port out: what has just been shown of a game, for whoever shows or says it – screen, lamps, voice, hall."""

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

    Nothing newly shown: a game was begun, or has been `resumed`, or only fists or
    cards on readers have changed.
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
    """The game goes on from where it was: show it as it stands, and recite nothing."""
    pressed: frozenset[Seat] = frozenset()
    """Buttons of ears that are down and no fists."""

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """What the referee has newly said to everybody."""
        return tuple(ruling for receipt in self.receipts for ruling in receipt.public)


Listener = Callable[[Shown], object]


class Port:
    """One for a whole evening: games come and go, and those who listen stay."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._last: Shown | None = None

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Has the listener called on the main thread from now on; what is returned ends that.

        A listener that joins during a game hears at once how it stands, as after a resume.
        """
        self._listeners.append(listener)
        if self._last:
            self._say_to(listener, stands(self._last))
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def say(self, shown: Shown) -> None:
        """Says it to everybody; a listener that fails stops neither the others nor the game."""
        self._last = shown
        for listener in tuple(self._listeners):
            self._say_to(listener, shown)

    def _say_to(self, listener: Listener, shown: Shown) -> None:
        try:
            listener(shown)
        except Exception as error:  # a neighbour that fails must not stop the game
            log.error("a listener failed; the others and the game go on\n%s", trace(error))


def stands(shown: Shown) -> Shown:
    """The same game as it stands, with nothing newly shown."""
    return replace(shown, receipts=(), resumed=True)
