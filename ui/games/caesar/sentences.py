"""What the screen says of Caesar: each seat's facts, the acts, what goes back, the score."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.caesar.view import CaesarView
from companion.rules import N_
from ui.games.caesar.at import At
from ui.games.parts import ending, status
from ui.games.parts.deeds import Terms
from ui.games.parts.ending import Chart
from ui.games.parts.past import latest

PLACING = {"to_place": N_("to place: {count}")}
FACTS = {"hand_sizes": N_("cards: {count}")}


def in_panel(m: At, seat: str) -> str:
    """What is left of a seat's counters, then of its cards."""
    return status.status(m, seat, PLACING if m.view["to_place"] else FACTS, N_("counters: {count}"))


def number(m: At, _: str) -> str:
    """What that counts."""
    return "counters" if m.view["over"] else "to_place" if m.view["to_place"] else "cards"


TERMS = Terms(verbs={"place": N_("Place a counter"), "ally": N_("Alliance"), "attack": N_("Attack")})


def breakdown(m: At, seat: str) -> str:
    """The counters of the seat's groups."""
    mine = [ruling.facts for ruling in latest(m) if ruling.code == "scored" and ruling.facts.get("seat", seat) == seat]
    if not mine:
        return m.say(N_("out of the game")) if seat in m.view["out"] else ending.breakdown(m, seat, ("scored",), FACTS)
    return m.say(N_("counters in groups: {working}"), working=mine[0]["counters"])


def chart(m: At) -> Chart:
    """The counters of each colour's groups."""

    def owned(view: CaesarView) -> Mapping[str, int]:
        groups = view["board"].values()
        return {seat: sum(group["size"] for group in groups if group["owner"] == seat) for seat in m.seats}

    return ending.fortunes(m, N_("Counters in each colour's groups"), owned)
