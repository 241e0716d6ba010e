"""What the screen says of Caesar: each seat's facts, the acts, what goes back, the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.caesar.view import CaesarView
from companion.rules import N_, plural
from ui.games.caesar.at import At
from ui.games.parts import ending
from ui.games.parts import status as panel
from ui.games.parts.ending import Chart, Part
from ui.games.parts.status import Resting

FACTS = {"hand_sizes": N_("cards: {count}")}


def status(m: At, seat: str) -> str:
    """That counters are still to be placed."""
    return m.say(N_("to place")) if m.view["to_place"].get(seat) else panel.status(m, seat)


def figure(m: At, seat: str) -> str:
    """What is left of a seat's counters to be placed; then those that stand on the board, in whosever group."""
    if m.view["to_place"]:
        return str(m.view["to_place"][seat])
    return panel.figure(m, seat) if m.view["over"] else str(owned(m.view, m.seats)[seat])


def hand(m: At, seat: str) -> int | None:
    """How many cards a seat has left, once they matter."""
    return None if m.view["to_place"] else panel.hand(m, seat)


def number(m: At, _: str) -> str:
    """What that counts."""
    return "counters" if m.view["over"] else "to_place" if m.view["to_place"] else ""


def owned(view: CaesarView, seats: Sequence[str]) -> Mapping[str, int]:
    """The counters in each colour's groups."""
    groups = view["board"].values()
    return {seat: sum(group["size"] for group in groups if group["owner"] == seat) for seat in seats}


def parts(m: At, seat: str) -> Sequence[Part]:
    """The counters of the seat's groups, square by square."""
    board = m.view["board"]
    return [Part(at, group["size"]) for at, group in board.items() if group["owner"] == seat]


def breakdown(m: At, seat: str) -> str:
    """Of whoever has none."""
    return m.say(N_("out of the game")) if seat in m.view["out"] else ""


def chart(m: At) -> Chart:
    """The counters of each colour's groups."""
    return ending.fortunes(m, N_("Counters in each colour's groups"), lambda view: owned(view, m.seats))


def resting(m: At) -> Resting:
    """What is still to be placed, or what stands on the board."""
    seat = m.view["turn"] or ""
    if not seat or m.view["duel"]:
        return Resting()
    if m.view["to_place"]:
        return Resting(str(m.view["to_place"][seat]), "", m.say(N_("left to place")))
    return Resting(figure(m, seat), "", m.say(plural("counter", "counters", "count"), count=int(figure(m, seat))))
