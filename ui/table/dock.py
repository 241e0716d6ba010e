"""The virtual table: each seat's cards, readers and button, from what everybody may know."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.rules import N_
from companion.rules.cards import DECK
from ui.games.face import face_of
from ui.games.parts import readers
from ui.games.parts.cards import offered
from ui.games.parts.status import by_buttons
from ui.table.moment import Moment

OnReaders = Mapping[str, Collection[str]]
"""The cards on each reader, also on those without any."""


@dataclass(frozen=True, slots=True)
class DockSeat:
    """A seat's button: `key` is the digit that holds it."""

    seat: str
    key: str
    awaited: bool
    closed: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class DockCard:
    card: str
    spent: bool
    lying: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A reader: its name, what it is called, and how many cards lie on it."""

    reader: str
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Dock:
    seat: str
    """Whose cards are shown."""
    seats: Sequence[DockSeat]
    cards: Sequence[DockCard]
    slots: Sequence[Slot]
    hint: str
    all_hold: bool
    """Everybody's button is held: the button for all lets go."""
    all_text: str
    up: Collection[str]
    """Cards that are not to lie on a reader any longer: everybody takes them up."""
    pile: str
    """What the pile is called, in a game whose cards are nobody's; else ""."""
    top: str
    """Its next card, while one is to be turned up."""
    top_reader: str
    """Where that is done."""


def dock(m: Moment, seat: str, deck: Collection[str], lying: OnReaders, pile: Sequence[str] = ()) -> Dock:
    """The dock as it shows `seat`, or the first seat awaited where `seat` has nothing to do.

    `pile` is the order in which cards of nobody come up.
    """
    waiting = [other for other in m.view["waiting"] if other in m.seats]
    laying = face_of(m.game.name).laying(m)
    if seat not in m.seats or (laying and waiting and seat not in waiting):
        seat = (waiting or list(m.seats))[0]
    everybody = set(m.closed) >= set(m.seats)
    here = {card for on in lying.values() for card in on}
    gone = face_of(m.game.name).terms.seen(m)
    turn = m.view["turn"] or ""
    hand = m.game.owned and laying
    return Dock(
        seat,
        tuple(_seat(m, at, other, seat) for at, other in enumerate(m.seats, 1)),
        cards(m, seat, deck, here) if hand else (),
        tuple(_slot(m, reader, len(lying[reader])) for reader in lying if hand and reader in ("centre", seat)),
        hint(m, lying),
        everybody,
        m.say(N_("Let all go") if everybody else N_("Hold all")),
        tuple(sorted(here & set(gone) if not m.game.owned else () if laying or m.fists else here)),
        "" if m.game.owned else m.say(N_("Pile")),
        next((card for card in pile if card not in gone), "") if flipping(m) else "",
        turn if turn in lying else next(iter(lying)),
    )


def flipping(m: Moment) -> bool:
    """The top card of a pile is to be turned up."""
    return not m.game.owned and any(kind == "card" for way in m.outlines for kind, _ in way.keys.values())


def _seat(m: Moment, at: int, seat: str, chosen: str) -> DockSeat:
    return DockSeat(seat, str(at), m.lamps[seat] == "blink", seat in m.closed, seat == chosen)


def _slot(m: Moment, reader: str, count: int) -> Slot:
    text = m.say(N_("Reader")) if reader == "centre" else m.say(N_("{seat:of} reader"), seat=reader)
    return Slot(reader, text, count)


def cards(m: Moment, seat: str, deck: Collection[str], lying: Collection[str]) -> Sequence[DockCard]:
    """The cards of the seat's colour in this game; those played since the hand was last full are spent."""
    mine = [card for card in offered(m, seat) if card in deck and DECK[card].colour == seat]
    gone = face_of(m.game.name).terms.seen(m)
    return tuple(DockCard(card, card in gone, card in lying) for card in mine)


def hint(m: Moment, lying: OnReaders) -> str:
    """What to do down here, for a newcomer."""
    face = face_of(m.game.name)
    if face.laying(m) and any(cards and readers.deaf(m, reader) for reader, cards in lying.items()):
        return m.say(N_("This reader does not answer: tap the card to take it off, and touch the plate instead."))
    if m.called:
        return m.say(N_("Let go of all buttons."))
    if m.counts:
        return m.say(N_("Hold on until “open”."))
    if by_buttons(m):
        return m.say(N_("Hold every button: number keys, mouse, or “Hold all”."))
    if face.laying(m):
        sealed, open_ = N_("Tap a card to lay it face down on the reader."), N_("Tap a card to lay it on the reader.")
        return m.say(sealed if m.choosing else open_)
    if flipping(m):
        return m.say(N_("Tap the pile to turn up its top card."))
    return face.hint(m) or m.say(N_("Use the controls above."))
