"""What the screen says of Spartacus: what is expected, each seat's facts, the acts, what goes back, the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.cards import DECK, FLAG
from companion.rules import N_
from ui.games.parts import cards, ending, status
from ui.games.parts.deeds import Terms
from ui.games.parts.past import last
from ui.games.parts.sentences import common
from ui.table.moment import Moment


def expected(m: Moment) -> str:
    """One sentence: what is expected now, and from whom."""
    return common(m) or playing(m)


def playing(m: Moment) -> str:
    view, flags = m.view, m.options.get("flags", "double")
    if not view["trick"]:
        return m.say(N_("{seat} leads: play any card."), seat=view["turn"])
    if not view["lowest"]:
        return m.say(N_("{seat}: play any card – nobody may pass yet."), seat=view["turn"])
    texts = {
        "double": N_("{seat}: play below {rank}, play your flag, or pass."),
        "joker": N_("{seat}: play below {rank}, play your joker, or pass."),
        "none": N_("{seat}: play below {rank} or pass."),
    }
    return m.say(texts[flags], seat=view["turn"], rank=DECK[view["lowest"]["card"]].rank)


STATUS = partial(status.status, score=N_("points: {count}"))

QUIET = ("leads", "hand")


def own_cards(m: Moment, seat: str) -> Sequence[str]:
    """The cards of the seat's colour; without the flags where they are not played with."""
    flags = m.options.get("flags") != "none"
    return [card for card in cards.own(m, seat) if flags or DECK[card].rank != FLAG]


def laying(m: Moment) -> bool:
    """Cards are laid as long as tricks are played."""
    return not m.view["over"]


TERMS = Terms(cards=own_cards)

BACK: Mapping[str, str] = {
    "play": N_("That card goes back into the hand; a trick just taken goes back on the table."),
    "pass": N_("The pass does not count; a trick just taken goes back on the table."),
}

NAMES: Mapping[str, str] = {
    "cost": N_("costs"),
    "costs": N_("costs"),
    "leader": N_("leads"),
    "lowest": N_("lowest"),
    "points": N_("points"),
    "strongest": N_("strongest"),
    "totals": N_("totals"),
    "working": N_("sum"),
}

VALUES = {
    "double": N_("double"),
    "joker": N_("joker"),
    "minus10": N_("minus 10"),
    "void": N_("void"),
}


def breakdown(m: Moment, seat: str) -> str:
    """The points of the tricks, less what was left in the hand."""
    totals = last(m, "over", fresh=True).get("totals")
    if totals is None:
        return ending.breakdown(m, seat)
    return m.say(N_("tricks, less the hand: {working}"), working=totals[seat])
