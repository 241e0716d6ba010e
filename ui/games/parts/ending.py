"""The end of any game: the parts of a seat's score, and its course over the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.rules import N_, NC_, Ruling, plural
from companion.rules.views import Derived, View
from companion.rules.words import words
from ui.games.parts.past import latest
from ui.games.parts.status import by_seat
from ui.table.moment import Moment

V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a seat's score: `earned` in this game, or else left of the means to earn it."""

    label: str
    value: float
    earned: bool = True
    shorter: tuple[str, ...] = ()
    """The label where there is no room for it, the longest first."""
    always: bool = False
    """Whether it is shown even where it is nothing."""


Chart = tuple[str, Mapping[str, Sequence[int]]]
"""A title, and a line a seat: its fortune at every step."""

FACTS: Mapping[str, str] = {
    "hand_sizes": N_("cards: {count}"),
    "points": N_("points: {count}"),
    "chips": N_("chips: {count}"),
}
"""The facts of a seat, by their key in the view."""


def breakdown(m: Moment, seat: str, codes: Collection[str] | None = None, facts: Mapping[str, str] = FACTS) -> str:
    """Return a seat's rulings of the last act, all or those with these codes.

    Without any, return what the view counts of the seat.
    """
    said = [ruling for ruling in latest(m) if codes is None or ruling.code in codes]
    own = [m.tongue.say(ruling) for ruling in said if concerns(ruling, seat)]
    counts = {key: by_seat(m.view, key).get(seat) for key in facts}
    return " ".join(own) or " · ".join(m.say(facts[key], count=of) for key, of in counts.items() if of is not None)


def why_won(m: Moment, seat: str) -> str:
    """Return what a winner's score came from, in words; "" for nothing that can be said."""
    return breakdown(m, seat, codes=())


def listed(m: Moment, seat: str, parts: Sequence[str]) -> str:
    """Return a winner with the parts of its score in words, some of which may be ""."""
    found = [words(part, m.lang) for part in parts if part]
    return m.say(N_("{seat}: {parts}"), seat=seat, parts=found) if found else ""


def chips(m: Moment, count: float) -> str:
    """Return the chips that are left as a part of a score; "" for none."""
    return m.say(NC_("left over", "{chips}"), chips=m.tongue.piece("chip", int(count))) if count > 0 else ""


def length(m: Moment) -> str:
    """Return how long the game was, in its moves."""
    return m.say(plural("{count} move", "{count} moves"), count=len(m.acts))


def said(m: Moment, text: str, *codes: str) -> str:
    """Return how long the game was, by how often something with one of these codes was ruled."""
    count = sum(ruling.code in codes for act in m.acts for ruling in act.public)
    return m.say(text, count=count) if count else length(m)


def concerns(ruling: Ruling, seat: str) -> bool:
    """Return whether the ruling is about this seat."""
    facts = ruling.facts
    return seat in (facts.get("seat"), facts.get("winner")) or seat in facts.get("seats", ())


def chart(m: Moment) -> Chart | None:
    """Return the chart of the points; None in a game whose view counts none, or had them covered."""
    if not all(by_seat(view, "points") for view in m.views):
        return None
    return fortunes(m, N_("Points in tricks"), lambda view: by_seat(view, "points"))


def fortunes(m: Moment[V, Derived], title: str, of: Callable[[V], Mapping[str, int]]) -> Chart:
    """Return the seats' fortunes by what the views showed, each change once; `of` reads them from a view."""
    steps: list[Mapping[str, int]] = []
    for view in m.views:
        step = of(view)
        if not steps or step != steps[-1]:
            steps.append(step)
    return title, {seat: [step[seat] for step in steps] for seat in m.seats}
