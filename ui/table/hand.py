"""The virtual table's part of the line: one seat's cards and its reader, from what everybody may know."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.rules import N_
from companion.rules.cards import DECK
from ui.games.face import face_of
from ui.games.parts.cards import offered
from ui.games.parts.status import by_buttons
from ui.table.moment import Moment

OnReaders = Mapping[str, Collection[str]]
"""The cards on each reader, also on those without any."""


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card that the seat may still hold, by what everybody knows; `spent` where it has been shown."""

    card: str
    spent: bool


@dataclass(frozen=True, slots=True)
class SeatPlate:
    """A reader by its name, and whether a card of the seat lies on it."""

    reader: str
    taken: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """The virtual table's cards and controls now; nothing is worth showing where all of it is empty."""

    seat: str
    """The seat whose cards are shown."""
    owner: str
    owner_shorter: tuple[str, ...]
    """The player there, and the same in fewer letters, the longest first."""
    cards: Sequence[HandCard]
    plate: SeatPlate | None
    """The reader where they are laid."""
    all_hold: bool
    """Everybody's button is held: the button for all lets go."""
    all_text: str
    """The text of that button; "" while no fists are called for."""
    up: Collection[str]
    """Cards that are not to lie on a reader any longer: everybody takes them up."""
    turn_text: str
    """The text of the button that turns up the top card of the pile; "" while none is to be turned."""
    top: str
    """That card."""
    top_reader: str
    """The reader on which it is turned up."""

    @property
    def act(self) -> str:
        """Return the text of the button beside the last ruling; "" for no button."""
        return self.all_text or self.turn_text


def asked(m: Moment) -> Sequence[str]:
    """Return the seats that are to lay a card now."""
    return [seat for seat in m.view["waiting"] if seat in m.seats] if face_of(m.game.name).laying(m) else []


def hand(m: Moment, seat: str, deck: Collection[str], lying: OnReaders, pile: Sequence[str] = ()) -> Hand:
    """Return the hand of `seat`, or of the first seat awaited if `seat` has nothing to do.

    `pile` is the order in which unowned cards come up.
    """
    waiting = [other for other in m.view["waiting"] if other in m.seats]
    laying = face_of(m.game.name).laying(m)
    if seat not in m.seats or (laying and waiting and seat not in waiting):
        seat = (waiting or list(m.seats))[0]
    everybody = set(m.closed) >= set(m.seats)
    here = {card for on in lying.values() for card in on}
    gone = face_of(m.game.name).terms.seen(m)
    turn = m.view["turn"] or ""
    dealt = m.game.owned and laying
    fists = by_buttons(m)
    return Hand(
        seat,
        m.name(seat),
        m.short_names[seat],
        cards(m, seat, deck) if dealt else (),
        plate(seat, lying) if dealt else None,
        everybody,
        m.say(N_("Let virtual buttons go") if everybody else N_("Hold virtual buttons")) if fists else "",
        tuple(sorted(taken_up(m, here, gone))),
        m.say(N_("Turn a virtual card")) if flipping(m) else "",
        next((card for card in pile if card not in gone), "") if flipping(m) else "",
        turn if turn in lying else next(iter(lying)),
    )


def taken_up(m: Moment, here: Collection[str], gone: Collection[str]) -> Collection[str]:
    """Return the cards that leave the readers: those of the pile, the cards turned over, and a card just refused."""
    refused = bool(m.log) and not m.log[-1].ok
    if not m.game.owned or refused:
        return {*here} & {*gone}
    return () if face_of(m.game.name).laying(m) or m.fists else here


def flipping(m: Moment) -> bool:
    """Return whether the top card of a pile is to be turned up."""
    return not m.game.owned and any(kind == "card" for way in m.outlines for kind, _ in way.keys.values())


def plate(seat: str, lying: OnReaders) -> SeatPlate | None:
    """Return the seat's own reader, else the shared one; None without either."""
    reader = next((reader for reader in (seat, "centre") if reader in lying), None)
    return SeatPlate(reader, any(DECK[card].colour == seat for card in lying[reader])) if reader else None


def cards(m: Moment, seat: str, deck: Collection[str]) -> Sequence[HandCard]:
    """Return the cards of the seat's colour in this game; cards played since the hand was last full are spent."""
    mine = [card for card in offered(m, seat) if card in deck and DECK[card].colour == seat]
    gone = face_of(m.game.name).terms.seen(m)
    return tuple(HandCard(card, card in gone) for card in mine)
