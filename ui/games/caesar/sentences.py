"""The words of Caesar on the screen: each seat's facts, the score, the number at rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.caesar.view import CaesarView
from companion.rules import N_, plural
from companion.rules.words import words
from ui.games.caesar.moment import CaesarMoment
from ui.games.parts import ending
from ui.games.parts import status as panel
from ui.games.parts.ending import Chart, ScorePart
from ui.games.parts.status import Resting

FACTS = {"hand_sizes": N_("cards: {count}")}


def status(m: CaesarMoment, seat: str) -> str:
    """Return that counters are still to be placed, else any game's status."""
    return m.say(N_("to place")) if m.view["to_place"].get(seat) else panel.status(m, seat)


def figure(m: CaesarMoment, seat: str) -> float | None:
    """Return a seat's counters still to be placed; then the counters in its groups."""
    if m.view["to_place"]:
        return m.view["to_place"][seat]
    return panel.figure(m, seat) if m.view["over"] else owned(m.view, m.seats)[seat]


def hand(m: CaesarMoment, seat: str) -> int | None:
    """Return how many cards a seat has left, once they matter."""
    return None if m.view["to_place"] else panel.hand(m, seat)


def number(m: CaesarMoment, _: str) -> str:
    """Return what the seat's number counts, as its guide names it."""
    return "counters" if m.view["over"] else "to_place" if m.view["to_place"] else ""


def owned(view: CaesarView, seats: Sequence[str]) -> Mapping[str, int]:
    """Return the counters in each colour's groups."""
    groups = view["board"].values()
    return {seat: sum(group["size"] for group in groups if group["owner"] == seat) for seat in seats}


def parts(m: CaesarMoment, seat: str) -> Sequence[ScorePart]:
    """Return the counters of the seat's groups, square by square."""
    board = m.view["board"]
    return [ScorePart(at, group["size"]) for at, group in board.items() if group["owner"] == seat]


def why_won(m: CaesarMoment, seat: str) -> str:
    """Return the winner's counters and groups."""
    groups = parts(m, seat)
    text = plural("{counters} in one group", "{counters} in {count} groups", "count")
    counters = m.tongue.piece("counter", sum(int(part.value) for part in groups))
    return ending.listed(m, seat, [m.say(text, counters=words(counters, m.lang), count=len(groups))] if groups else [])


def length(m: CaesarMoment) -> str:
    return ending.said(m, plural("{count} duel", "{count} duels"), "revealed")


def breakdown(m: CaesarMoment, seat: str) -> str:
    """Return that a seat without groups is out of the game, else ""."""
    return m.say(N_("out of the game")) if seat in m.view["out"] else ""


def chart(m: CaesarMoment) -> Chart:
    """Return the counters of each colour's groups over the game."""
    return ending.fortunes(m, N_("Counters in each colour's groups"), lambda view: owned(view, m.seats))


def resting(m: CaesarMoment) -> Resting:
    """Return what is still to be placed, or what stands on the board."""
    seat = m.view["turn"] or ""
    if not seat or m.view["duel"]:
        return Resting()
    if m.view["to_place"]:
        return Resting(str(m.view["to_place"][seat]), "", m.say(N_("left to place")))
    count = owned(m.view, m.seats)[seat]
    return Resting(str(count), "", m.say(plural("counter", "counters", "count"), count=count))
