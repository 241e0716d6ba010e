"""The cards a pad or the virtual table offers: those of the game and the colour, never those of a hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from companion.rules.cards import Card
from ui.table.moment import Moment


def offered(m: Moment, seat: str) -> Sequence[str]:
    """Return the cards that may lie before the seat, held or not; all of the game's while the seat is unknown."""
    return [str(card) for card in m.game.cards(m.options, seat or None)]


def seen(m: Moment) -> Collection[str]:
    """Return the cards shown since hands were last full.

    They may still be tried, and the referee says why not.
    """
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


def laying(m: Moment) -> bool:
    """Return whether seats lay cards of their hands now, on a reader or on the virtual one."""
    return m.choosing and not m.fists


# -- Seats to choose from on a pad ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoardMark:
    """A seat on a pad."""

    seat: str
    text: str
    chosen: bool
    can: bool
    shorter: tuple[str, ...] = ()
    """The text with the player's name in fewer letters, the longest first."""


def marks(
    m: Moment, chosen: Collection[str], without: str = "", able: Collection[str] | None = None
) -> Sequence[BoardMark]:
    """Return a mark for every seat but `without`, by name; `able` are the seats to choose from, None for all."""
    can = m.seats if able is None else able
    return [
        BoardMark(seat, m.name(seat), seat in chosen, seat in can, m.short_names[seat])
        for seat in m.seats
        if seat != without
    ]
