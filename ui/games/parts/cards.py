"""The cards a pad or the virtual table offers: those of the game and the colour, never those of a hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.cards import COLOURS, DECK, FLAG, RANKS, Card
from ui.table.moment import Moment

NUMBERS = tuple(range(1, 11))
HANDS: Mapping[str, Sequence[int]] = {
    "mercator": NUMBERS,
    "spartacus": (*NUMBERS, FLAG),
    "caesar": (*range(1, 10), FLAG),
    "hannibal": range(1, 6),
}
"""The ranks of a colour that are in the game; all of them in a game that is not named here."""

SHARED = ("mercator",)
"""Games whose cards belong to nobody: any colour may be turned up."""


def cards(m: Moment, seat: str) -> Sequence[str]:
    """The cards that may lie before this seat, held or not: its own colour, or all where they are shared."""
    ranks = HANDS.get(m.game.name, RANKS)
    if m.options.get("flags") == "none":
        ranks = NUMBERS
    own = m.game.name in HANDS and m.game.name not in SHARED and seat in COLOURS
    return [card for card in DECK if DECK[card].rank in ranks and (not own or DECK[card].colour == seat)]


def seen(m: Moment) -> Collection[str]:
    """Cards shown since hands were last full: they may still be tried, and the referee says why not."""
    found: set[str] = set()
    for ruling in (ruling for act in m.acts for ruling in act.public):
        if ruling.code == "cards_back":
            found.clear()
            continue
        many = ruling.facts.get("cards")
        shown = [
            ruling.facts.get("card"),
            ruling.facts.get("other"),
            *(many.values() if isinstance(many, dict) else ()),
        ]
        found |= {str(card) for card in shown if isinstance(card, Card)}
    return found


LAID = ("choosing", "trick")
"""Phases in which a seat lays a card of its hand."""


def laid(m: Moment, seat: str) -> Sequence[str]:
    """The cards the virtual table offers a seat now: those of its colour, where it may lay one."""
    return cards(m, seat) if m.view["phase"] in LAID and not m.fists else ()
