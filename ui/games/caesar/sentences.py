"""What the screen says of Caesar: what is expected, each seat's facts, the acts, what goes back, the score."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.rules import N_
from companion.views import CaesarView
from ui.games.caesar.at import At
from ui.games.parts import ending, status
from ui.games.parts.deeds import Terms
from ui.games.parts.ending import Chart
from ui.games.parts.past import latest
from ui.games.parts.sentences import choosing, common


def expected(m: At) -> str:
    """One sentence: what is expected now, and from whom."""
    return common(m) or choosing(m, N_("{seats}: choose a card for the duel, face down.")) or on_board(m)


def on_board(m: At) -> str:
    if m.view["phase"] == "placing":
        return m.say(N_("{seat}: place a counter on an empty square."), seat=m.view["turn"])
    return m.say(N_("{seat}: attack or ally; pass only if you cannot attack."), seat=m.view["turn"])


FACTS = {"hand_sizes": N_("cards: {count}"), "to_place": N_("to place: {count}")}

STATUS = partial(status.status, facts=FACTS, score=N_("counters: {count}"))


TERMS = Terms(verbs={"place": N_("Place a counter"), "ally": N_("Alliance"), "attack": N_("Attack")})

BACK: Mapping[str, str] = {
    "place": N_("That counter goes back into the hand; any neutral counters are removed."),
    "ally": N_("Both groups go back to their squares."),
    "attack": N_("The duel is off; chosen cards go back into the hands."),
}


def breakdown(m: At, seat: str) -> str:
    """The counters of the seat's groups."""
    mine = [ruling.facts for ruling in latest(m) if ruling.code == "scored" and ruling.facts.get("seat", seat) == seat]
    if not mine:
        return ending.breakdown(m, seat, ("scored",), FACTS)
    return m.say(N_("counters in groups: {working}"), working=mine[0]["counters"])


def chart(m: At) -> Chart:
    """The counters of each colour's groups."""

    def owned(view: CaesarView) -> Mapping[str, int]:
        groups = view["board"].values()
        return {seat: sum(group["size"] for group in groups if group["owner"] == seat) for seat in m.seats}

    return ending.fortunes(m, N_("Counters in each colour's groups"), owned)
