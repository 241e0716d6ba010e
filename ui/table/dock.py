"""The virtual table: each seat's cards, readers and button, from what everybody may know."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion import lamps
from companion.rules import N_
from ui.games.parts.cards import LAID, laid, seen
from ui.table.moment import Moment

HANDS = {"full": (1, 2, 3, 4, 5, 6, 7, 8, 9, 12), "short": (1, 2, 3, 4, 5, 6, 7)}


Lying = Mapping[str, Collection[str]]
"""The cards on each reader."""


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


def dock(m: Moment, seat: str, readers: Sequence[str], deck: Collection[str], lying: Lying) -> Dock:
    """The dock as it shows `seat`, or the first seat awaited where `seat` has nothing to do."""
    waiting = [other for other in m.view["waiting"] if other in m.seats]
    choosing = m.view["phase"] in LAID and not m.fists
    if seat not in m.seats or (choosing and waiting and seat not in waiting):
        seat = (waiting or list(m.seats))[0]
    everybody = set(m.closed) >= set(m.seats)
    return Dock(
        seat,
        tuple(_seat(m, at, other, seat) for at, other in enumerate(m.seats, 1)),
        cards(m, seat, deck, {card for on in lying.values() for card in on}) if choosing else (),
        tuple(_slot(m, reader, len(lying[reader])) for reader in readers if reader in ("centre", seat))
        if choosing
        else (),
        hint(m),
        everybody,
        m.say(N_("All let go") if everybody else N_("All hold")),
    )


def _seat(m: Moment, at: int, seat: str, chosen: str) -> DockSeat:
    awaited = lamps.modes(m.view, m.seats, m.closed, m.fists)[seat] == "blink"
    return DockSeat(seat, str(at), awaited, seat in m.closed, seat == chosen)


def _slot(m: Moment, reader: str, count: int) -> Slot:
    text = m.say(N_("Reader")) if reader == "centre" else m.say(N_("{seat}'s reader"), seat=reader)
    return Slot(reader, text, count)


def cards(m: Moment, seat: str, deck: Collection[str], lying: Collection[str]) -> Sequence[DockCard]:
    """The seat's cards of this game, in the deck's order; those played since the hand was last full are spent."""
    gone, mine = seen(m), laid(m, seat)
    if m.game.name == "prokonsul":
        gone, mine = spent(m), [f"{seat} {rank}" for rank in HANDS[m.options.get("game", "full")]]
    return tuple(DockCard(card, card in gone, card in lying) for card in mine if card in deck)


def spent(m: Moment) -> set[str]:
    """The cards shown since everybody last took the hand back: public, so the dock may know."""
    shown: set[str] = set()
    for ruling in (ruling for act in m.acts for ruling in act.public):
        if ruling.code == "cards_back":
            shown.clear()
        elif ruling.code == "revealed":
            shown |= {f"{seat} {rank}" for seat, rank in ruling.facts["cards"].items()}
    return shown


def hint(m: Moment) -> str:
    """What to do down here, for a newcomer."""
    view = m.view
    if m.called:
        return m.say(N_("Let go of all buttons."))
    if m.fists:
        return m.say(N_("Hold every button: digits, mouse, or “All hold”."))
    match view["phase"]:
        case "choosing" | "trick":
            return m.say(N_("Tap a card: it lies face down on the reader."))
        case "answering":
            return m.say(N_("{seat}'s button: short is yes, long is no."), seat=view["offer"]["to"])
    return m.say(N_("Nothing to do down here: tap above."))
