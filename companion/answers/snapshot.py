"""The game as it stood before an act of long ago: what could be seen and done then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion.games import guide_of
from companion.rules import AnyGame, Seat
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.outline import Outline, outlines
from companion.rules.views import Derived, View
from companion.session.receipt import Receipt


@dataclass(frozen=True)
class Past:
    """A moment that is over; what everybody could know of it, and each seat for itself."""

    game: AnyGame
    _state: Any = field(repr=False)  # its game alone knows what it is

    @cached_property
    def view(self) -> View:
        """Return what everybody could see."""
        view: View = self.game.view(self._state)
        return view

    @cached_property
    def derived(self) -> Derived:
        """Return what the game said beside its view."""
        return self.game.derived(self._state)

    @cached_property
    def outlines(self) -> Sequence[Outline]:
        """Return what could be done by finger."""
        return outlines(self.game, self._state)

    @property
    def fists(self) -> Sequence[Seat]:
        """Return the seats whose opening fists would have made the reveal."""
        return self.game.fists(self._state)

    def private(self, seat: Seat) -> Data:
        """Return what this seat alone could see: for its own pad, behind the cover."""
        view: View = self.game.view(self._state, seat)
        return view["private"]


# -- What people remember a game in: its auctions, rounds, tricks, duels and battles -------------------------------


@dataclass(frozen=True, slots=True)
class RoundPart:
    """Acts that belong together; the last of them ended it. What still goes on has no `name` yet."""

    name: Message | None
    acts: Sequence[Receipt]


def parts(game: str, acts: Sequence[Receipt]) -> Sequence[RoundPart]:
    """Return the acts that stand, grouped in their parts, the first one first."""
    ends = guide_of(game).ends
    found: list[RoundPart] = []
    going_on: list[Receipt] = []
    done: Counter[str] = Counter()
    for act in acts:
        going_on.append(act)
        if name := next((ends[ruling.code] for ruling in act.public if ruling.code in ends), ""):
            done[name] += 1
            found.append(RoundPart(Message(name, number=done[name]), going_on))
            going_on = []
    return [*found, *([RoundPart(None, going_on)] if going_on else [])]
