"""A seat's part of the moment in its panel, for any game, and what a touch on the panel opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.play import fists
from companion.play.fists import Fist
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.views import View
from ui.table.moment import Moment

Opened = tuple[str, Data] | None
"""A page and what it is given; None for none."""

STATUS: Mapping[str, str] = {
    "hand_sizes": N_("cards: {count}"),
    "points": N_("points: {count}"),
    "chips": N_("chips: {count}"),
}
"""The facts of a seat that stand in its panel all game long, by their key in the view."""


def status(m: Moment, seat: str, facts: Mapping[str, str] = STATUS, score: str = "") -> str:
    """A seat's part of the moment in a few words; `score` says the `{count}` it has come to at the end."""
    if m.view["over"]:
        return final(m, seat, score)
    if seat in m.fists and by_buttons(m):
        return fist(m, seat)
    if seat in seats_in(m.view, "out"):
        return m.say(N_("out of the game"))
    if seat in seats_in(m.view, "passed"):
        return m.say(N_("passed"))
    return " · ".join(standings(m, seat, facts)[:2])


FISTS: Mapping[Fist, str] = {
    "hold": N_("hold!"),
    "holding": N_("fist closed"),
    "open": N_("open!"),
    "opened": N_("has opened"),
}


def fist(m: Moment, seat: str) -> str:
    """How a fist that makes the reveal does."""
    return m.say(FISTS[fists.fist(seat, m.closed, m.called)])


def by_buttons(m: Moment) -> bool:
    """Fists on buttons make the reveal now; without a button for each of them, a finger does."""
    return m.reveal == "fists" and bool(m.fists) and all(m.means[seat].button for seat in m.fists if seat in m.means)


def final(m: Moment, seat: str, score: str) -> str:
    """What the seat has come to; a game that is won or lost has no score."""
    result = m.result
    if m.game.series == "twice":
        winners = result["winners"]
        return m.say(N_("won") if seat in winners else N_("lost") if winners else N_("drawn"))
    count = result["scores"][seat]
    return m.say(score, count=count) if score else m.tongue.phrase(count)


def standings(m: Moment, seat: str, facts: Mapping[str, str] = STATUS) -> Sequence[str]:
    """The facts of a seat, in words."""
    counts = {key: by_seat(m.view, key).get(seat) for key in facts}
    return [m.say(facts[key], count=count) for key, count in counts.items() if count is not None]


def by_seat(view: View, key: str) -> Mapping[str, int]:
    """What any game's view counts of each seat under this key; {} where it counts no such thing."""
    known: Mapping[str, object] = view
    found = known.get(key)
    return found if isinstance(found, Mapping) else {}


def seats_in(view: View, key: str) -> Sequence[str]:
    """The seats that any game's view lists under this key."""
    known: Mapping[str, object] = view
    found = known.get(key)
    return found if isinstance(found, list) else ()


def tapped(m: Moment, seat: str) -> Opened:
    """The page a touch on a seat's panel opens, and what it is given; None where the board decides."""
    return ("choose", {"seat": seat}) if m.choosing else None
