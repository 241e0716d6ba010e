"""A seat's part of the moment in its panel, for any game, and what a touch on the panel opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules import N_
from companion.rules.data import Data
from companion.rules.views import View
from ui.games.parts.sum import Sum
from ui.table.moment import Moment

Opened = tuple[str, Data] | None
"""A page and what it is given; None for none."""

FIGURES = "points", "chips"
"""The counts of a seat shown all game long, by key in the view: the first of them that there is."""


def status(m: Moment, seat: str) -> str:
    """Return a seat's part of the moment in a word or two."""
    if m.view["over"]:
        return final(m, seat)
    if seat in seats_in(m.view, "out"):
        return m.say(N_("out of the game"))
    return m.say(N_("passed")) if seat in seats_in(m.view, "passed") else ""


def out(m: Moment, seat: str) -> bool:
    """Return whether a seat has no part in the current round: it has passed, or is out of the game."""
    return not m.view["over"] and any(seat in seats_in(m.view, key) for key in ("out", "passed"))


def figure(m: Moment, seat: str, facts: Sequence[str] = FIGURES) -> float | None:
    """Return the number of a seat: its score at the end, before that its running count; None for none."""
    if m.view["over"]:
        return None if m.game.series == "twice" else m.result["scores"][seat]
    counts = (by_seat(m.view, key).get(seat) for key in facts)
    return next((count for count in counts if count is not None), None)


def hand(m: Moment, seat: str) -> int | None:
    """Return how many cards a seat holds; None in a game without hands, and at the end."""
    return None if m.view["over"] else by_seat(m.view, "hand_sizes").get(seat)


def by_buttons(m: Moment) -> bool:
    """Return whether fists on buttons make the reveal now; without a button for each of them, a finger does."""
    return m.reveal == "fists" and bool(m.fists) and all(m.means[seat].button for seat in m.fists if seat in m.means)


def final(m: Moment, seat: str) -> str:
    """Return the outcome for a seat in a game that is won or lost; "" where scores say it."""
    if m.game.series != "twice":
        return ""
    winners = m.result["winners"]
    return m.say(N_("won") if seat in winners else N_("lost") if winners else N_("drawn"))


def by_seat(view: View, key: str) -> Mapping[str, int]:
    """Return what any game's view counts of each seat under this key; {} where it counts no such thing."""
    known: Mapping[str, object] = view
    found = known.get(key)
    return found if isinstance(found, Mapping) else {}


def seats_in(view: View, key: str) -> Sequence[str]:
    """Return the seats that any game's view lists under this key."""
    known: Mapping[str, object] = view
    found = known.get(key)
    return found if isinstance(found, list) else ()


def tapped(m: Moment, seat: str) -> Opened:
    """Return the page a touch on a seat's panel opens, and its arguments; None where the board decides."""
    return ("choose", {"seat": seat, "own": True}) if m.choosing else None


# -- The one number of a game while its table rests ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Resting:
    """The number, two captions in the order they are read, and the cards that it is about; "" for none."""

    number: str = ""
    of: str = ""
    what: str = ""
    sum: Sum | None = None


def resting(m: Moment) -> Resting:  # noqa: ARG001 - what its numbers are, only a game knows
    """Return no number: in any game, the table shows what happened last."""
    return Resting()
