"""What people remember a game in: its auctions, rounds, tricks, duels and battles, whatever its guide says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games import guide_of
from companion.rules.message import Message
from companion.session.receipt import Receipt


@dataclass(frozen=True, slots=True)
class RoundPart:
    """Acts that belong together; the last of them ended it. What still goes on has no `name` yet."""

    name: Message | None
    acts: Sequence[Receipt]


def parts(game: str, acts: Sequence[Receipt]) -> Sequence[RoundPart]:
    """The acts that stand, in their parts, the first one first."""
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
