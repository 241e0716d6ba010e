"""One game at the table: `receive` is the only way in, `view` the only way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from companion.rules import (
    N_,
    AnyGame,
    Event,
    Moves,
    Refused,
    Reveal,
    Ruling,
    Seat,
    Setup,
    Touch,
    Undo,
    judge,
    require,
    ruled,
)
from companion.views import Beside, View

FAIR_MS = 500
"""Fists that open later than this after the first are named (config.yaml: reveal.fair_ms)."""


@dataclass(frozen=True)
class Receipt:
    """What came of one act: accepted or not, the event and the rulings.

    `number` counts accepted events from 1 and stays 0 for a refusal or a note, which are not journaled.
    """

    ok: bool
    event: Event | None = None
    rulings: Sequence[Ruling] = ()
    number: int = 0
    by: str | None = None
    at: str | None = None
    game: AnyGame | None = field(default=None, repr=False, compare=False)
    state: Any = field(default=None, repr=False, compare=False)  # its game alone knows what it is
    """What is true after the act; None for what never reached the game. For the referee, never for the screen."""

    @cached_property
    def view(self) -> View:
        """The public view after the act. Only for what reached the game."""
        assert self.game
        view: View = self.game.view(self.state)
        return view

    @cached_property
    def beside(self) -> Beside:
        """What the game says beside its view."""
        return self.game.beside(self.state) if self.game else {}

    @property
    def verb(self) -> str:
        """The event's verb as transcripts write it, "" without an event."""
        return verb(type(self.event)) if self.event else ""

    @property
    def public(self) -> tuple[Ruling, ...]:
        """The rulings for everybody's eyes: all that screen, lamps, voice and log may know."""
        return tuple(ruling for ruling in self.rulings if ruling.seat is None)

    @classmethod
    def refusal(cls, ruling: Ruling) -> Receipt:
        """Refused before it became an event."""
        return cls(False, rulings=(ruling,))

    @classmethod
    def note(cls, ruling: Ruling) -> Receipt:
        """The table says something, and nothing has changed."""
        return cls(True, rulings=(ruling,))


def verb(event: type[Event]) -> str:
    """`NoDecision` is "no_decision"."""
    return _lowered(event.__name__)


@cache  # a screen asks for it once for every act of the game
def _lowered(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


Mark = tuple[Any, tuple[tuple[Any, Receipt], ...], int]
"""The state, the acts that can be undone, and how many were accepted."""


class Session:
    """Plays one game. Keeps every state, so that undo gives back the very same one (T-5)."""

    def __init__(self, game: AnyGame, setup: Setup, fair_ms: int = FAIR_MS) -> None:
        self.game = game
        self.setup = setup
        self.fair_ms = fair_ms
        self.accepted = 0
        self._state = game.setup(setup)
        self._past: list[tuple[Any, Receipt]] = []  # the state before each act that can be undone, and the act

    # -- in ------------------------------------------------------------------------------------------------------

    def receive(self, event: Event, by: str | None = None, at: str | None = None) -> Receipt:
        """Takes an event: undo, or one of the game's. Refused events change nothing and are not journaled."""
        before = self._state
        if isinstance(event, Undo):
            ok, rulings = self._undo()
        else:
            ok, self._state, rulings = judge(self.game, before, event)
            if ok and isinstance(event, Reveal):
                rulings = (*rulings, *late(event.opened, self.fair_ms, self.game.together))
        self.accepted += ok
        receipt = Receipt(ok, event, tuple(rulings), self.accepted if ok else 0, by, at, self.game, self._state)
        if ok and not isinstance(event, Undo):
            self._past.append((before, receipt))
        return receipt

    def _undo(self) -> tuple[bool, Sequence[Ruling]]:
        try:
            require(self._past, "nothing", N_("There is nothing to take back."), "T-5")
        except Refused as refusal:
            return False, (refusal.ruling,)
        self._state, act = self._past.pop()
        return True, (_taken_back(act),)

    def mark(self) -> Mark:
        """Where the game stands now, for `back_to`."""
        return self._state, tuple(self._past), self.accepted

    def back_to(self, mark: Mark) -> None:
        """As if nothing had been received since."""
        self._state, past, self.accepted = mark
        self._past = list(past)

    # -- out -----------------------------------------------------------------------------------------------------

    def view(self, seat: Seat | None = None) -> View:
        """What everybody may see; with a seat also `private`, what that seat may see besides."""
        view: View = self.game.view(self._state, seat)
        return view

    def beside(self) -> Beside:
        """What follows from what everybody sees, as the rules say it."""
        return self.game.beside(self._state)

    def fists(self) -> Sequence[Seat]:
        """The seats whose opening fists make the reveal; [] while there is none to make."""
        return self.game.fists(self._state)

    def legal(self) -> Sequence[Moves[Event]]:
        """What would be accepted now. Knows hidden things: for simulation, never for the screen."""
        return self.game.legal(self._state)

    def read(self, touch: Touch) -> Event | None:
        """The event a touch means now, or None. Raises Refused where a card cannot be meant."""
        return self.game.read(self._state, touch)

    @property
    def state(self) -> Any:
        """Everything, hidden things too: for the referee's own output and for laws, never for the screen."""
        return self._state

    @property
    def undoable(self) -> Receipt | None:
        """The act that an undo would take back."""
        return self._past[-1][1] if self._past else None


def _taken_back(act: Receipt) -> Ruling:
    what = act.public[0] if act.public else None
    return ruled("undone", "T-5", N_("Taken back: {what}"), what=what, verb=act.verb)


def late(opened: Mapping[str, int] | None, fair_ms: int, rule: str) -> Sequence[Ruling]:
    """Names the fists that opened more than `fair_ms` after the first."""
    behind = {seat: ms for seat, ms in (opened or {}).items() if ms > fair_ms}
    if not behind:
        return ()
    text = N_(
        "Opened late, in ms after the first fist: {late} (up to {fair} is fair). The reveal stands, unless the table"
        " takes it back."
    )
    return (ruled("late", rule, text, late=behind, fair=fair_ms),)
