"""Positions of Mercator: reading, writing and checking them, and the layout of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.games.mercator.rules import (
    CARDS,
    PILE,
    SHIP,
    State,
    cargo,
    limit,
    not_full,
    pile,
    room,
    sealed,
    taking_part,
)
from companion.games.mercator.rules import setup as opening
from companion.games.mercator.view import MercatorView
from companion.rules import N_, Options, Ruling, Setup, plural
from companion.rules.cards import DECK as KNOWN
from companion.rules.data import Data
from companion.rules.layout import Layout, Payment, Spot, by_seat, counted, in_order
from companion.rules.message import Message
from companion.rules.mistakes import Where
from companion.rules.position import Position
from companion.rules.position_parts import CARDS as AMONG_CARDS
from companion.rules.position_parts import Cards, Count, Field, One, Part, Path, Written, alone, purse_of
from companion.rules.position_reader import PositionReader, written
from companion.rules.vocabulary import BANK, CARD

KEYS = ("phase", "flipper", "lot", "bids", "ships", "gone", "chips")
PHASES = ("flipping", "fists", "bidding", "loading", "over")


def write(s: State) -> Data:
    aboard = {card for ship in s.ships.values() for card in ship}
    return {
        "phase": s.phase,
        "flipper": s.flipper,
        "lot": s.lot,
        "bids": s.bids,
        "ships": s.ships,
        "gone": [card for card in CARDS if card in s.seen and card not in aboard and card not in s.lot],
        "chips": s.chips,
    }


def read(setup: Setup, written: Data) -> State:
    """Return the state that a position describes. Raises Mistakes."""
    r = PositionReader(written, KEYS, setup.seats)
    phase = r.word(("phase",), r.get("phase"), PHASES)
    flipper = r.seat(("flipper",), r.get("flipper"))
    lot = r.cards(("lot",), r.get("lot"), CARDS)
    ships = r.by_seat("ships", lambda at, value: r.cards(at, value, CARDS))
    gone = r.cards(("gone",), r.get("gone"), CARDS)
    bids = r.some("bids", r.whole)
    halves = phase == "over" and setup.options["halves"] == "exact"
    chips = r.by_seat("chips", lambda at, value: _purse(r, at, value, halves))
    seen = [*lot, *gone, *(card for ship in ships.values() for card in ship)]
    for card in dict.fromkeys(card for card in seen if seen.count(card) > 1):
        r.wrong(Message("{card} is there twice: in the lot, a ship or among those that are gone", card=card), "ships")
    for seat, ship in ships.items():
        what = Message("a ship holds {most} cards, not {count}", most=SHIP, count=len(ship))
        r.check(len(ship) <= SHIP, what, "ships", seat)
    most = PILE[len(setup.seats)]
    what = Message("the pile had {most} cards, and {count} have been turned up", most=most, count=len(seen))
    r.check(len(seen) <= most, what, "ships")
    r.end()
    s = State(setup, phase, flipper, ships, chips, lot, bids, frozenset(seen))  # type: ignore[arg-type] # a phase
    {"flipping": _flipping, "fists": _selling, "bidding": _selling}.get(phase, _done)(r, s)
    r.end(s)
    return s


def _purse(r: PositionReader, at: Where, value: object, halves: bool) -> int | Fraction:
    """Read a purse: whole chips, or halves after a sale that is kept exact (M-15)."""
    if isinstance(value, float) and value >= 0 and value % 1 == 0.5:
        r.check(halves, Message("a purse holds whole chips until the sale"), *at)
        return Fraction(value)
    if value is None:
        r.wrong(Message("is missing: how many chips are in this purse?"), *at)
    elif isinstance(value, float):
        r.wrong(Message("a number of chips is expected, not {written}", written=written(value)), *at)
    else:
        return r.whole(at, value)
    return 0


def _auctions(r: PositionReader, s: State) -> None:
    """Check that at least two ships are not full, the flipper's among them (M-11 to M-13)."""
    r.check(room(s, s.flipper), Message("{seat:of} ship is full, and does not flip", seat=s.flipper), "flipper")
    what = Message("only one ship is not full, or none: the auctions are over")
    r.check(len(not_full(s)) > 1, what, "phase")


def _flipping(r: PositionReader, s: State) -> None:
    _auctions(r, s)
    r.check(not s.bids, Message("nobody bids while cards are flipped"), "bids")
    r.check(s.lot or pile(s), Message("the pile is empty: the auctions are over"), "phase")
    what = Message("the lot is complete: the auction would have begun")
    r.check(not s.lot or len(s.lot) < limit(s), what, "lot")


def _selling(r: PositionReader, s: State) -> None:
    """Check that there is a lot, a ship with room for it, and a bid still to be named (M-6, M-7)."""
    _auctions(r, s)
    r.check(s.lot, Message("is missing: what is for sale?"), "lot")
    text = plural("a lot has at most {most} card now", "a lot has at most {most} cards now", "most")
    r.check(not s.lot or len(s.lot) <= limit(s), Message(text, most=limit(s)), "lot")
    able = taking_part(s)
    if s.phase == "fists":
        r.check(sealed(s), Message("there are no fists in open outcry"), "phase")
    opened = s.phase == "bidding" and sealed(s)
    r.check(not s.bids or opened, Message("bids are named when the fists are open"), "bids")
    for seat, chips in s.bids.items():
        r.check(seat in able, Message("{seat} has no room for the lot, and cannot bid", seat=seat), "bids", seat)
        what = Message("a bid of {chips} is named, and the purse holds less", chips=chips)
        r.check(chips <= s.chips[seat], what, "chips", seat)
    what = Message("every bid is named: the auction would be settled")
    r.check(not able or set(s.bids) != set(able), what, "bids")


def _done(r: PositionReader, s: State) -> None:
    """Check that the last ship is loading what is left, or that the game is over (M-12, M-13)."""
    r.check(not s.lot, Message("there is no lot after the auctions"), "lot")
    r.check(not s.bids, Message("there are no bids after the auctions"), "bids")
    left = len(not_full(s))
    if s.phase == "loading":
        r.check(left == 1, Message("one ship loads the last cards: {left} are not full", left=left), "phase")
        r.check(pile(s), Message("the pile is empty: there is nothing to load"), "phase")
    else:
        what = Message("the game is not over: there are cards in the pile, and a ship has room")
        r.check(not pile(s) or not left, what, "phase")


# -- what lies where --------------------------------------------------------------------------------------------


def layout(view: MercatorView, _: Options) -> Layout:
    """Lay out the pile, the lot, the ships and the pawns on the track; the other cards are in the box."""
    places: dict[str, dict[str, int]] = {"pile": {CARD: view["pile"]}, "lot": dict.fromkeys(view["lot"], 1)}
    for seat, ship in view["ships"].items():
        places[f"ship {seat}"] = dict.fromkeys(ship, 1)
    there = sum(sum(of.values()) for of in places.values())
    for seat, space in view["track"].items():
        places.setdefault(f"space {space}", {})[f"{seat} pawn"] = 1
    places["box"] = {CARD: len(CARDS) - there}
    return counted(places)


def paid(ruling: Ruling) -> Sequence[Payment]:
    """Return the payment for a lot (M-8), or the prizes of the sale (M-14, M-15)."""
    facts = ruling.facts
    match ruling.code:
        case "sold":
            return [Payment(int(facts["chips"]), facts["seat"], BANK)] if facts["chips"] else ()
        case "sale":
            return [Payment(facts["prize"], BANK, facts["seat"])] if facts["prize"] else ()
        case "shared":
            return [Payment(facts["prize"], BANK, seat) for seat in facts["seats"] if facts["prize"]]
    return ()


# -- what people change, part by part --------------------------------------------------------------------------------

NAMES = [str(card) for card in CARDS]


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    bidding, loaded = [*(written.get("bids") or ())], written.get("ships") or {}
    ships = {seat: tuple(KNOWN[card] for card in loaded.get(seat) or ()) for seat in setup.seats}
    track = {seat: cargo(replace(opening(setup), ships=ships), seat) for seat in setup.seats}
    return [
        alone("flipper", N_("Who flips"), One(setup.seats)),
        alone("phase", N_("What is going on"), One(PHASES)),
        *(Part(("bids", seat), N_("{of:of} bid"), seat, (Field("", Count("chip")),), AMONG_CARDS,
               places=(f"bid {seat}", f"seat {seat}")) for seat in bidding),
        alone("lot", N_("The lot"), Cards(NAMES), AMONG_CARDS, ("lot",)),
        *(Part(("ships", seat), N_("{of:of} ship"), seat, (Field("", Cards(NAMES)),), AMONG_CARDS,
               places=(f"ship {seat}", f"space {track[seat]}", f"seat {seat}")) for seat in setup.seats),
        alone("gone", N_("Out of the game"), Cards(NAMES), AMONG_CARDS, ("pile", "box")),
        *map(purse_of, setup.seats),
    ]  # fmt: skip


# -- what people compare, place by place -----------------------------------------------------------------------------


def places(setup: Setup) -> Sequence[Spot]:
    return [
        *by_seat(setup.seats, ("ship",), NAMES),
        *(Spot(f"track {seat}", ("space",), 199) for seat in setup.seats),
        Spot("lot", NAMES),
        Spot("pile", (CARD,), 65),
    ]


def look(view: MercatorView, laid: Layout) -> Layout:
    """Return the layout with each pawn's space as a number."""
    rest = {place: pieces for place, pieces in laid.items() if not place.startswith("space ")}
    return rest | {f"track {seat}": {"space": space} for seat, space in view["track"].items() if space}


def entered(written: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    word, _, seat = place.partition(" ")
    if word == "lot":
        return ("lot",), in_order(written.get("lot") or (), pieces)
    if word == "ship":
        return ("ships", seat), in_order((written.get("ships") or {}).get(seat) or (), pieces)
    return None


POSITION: Position[State, MercatorView] = Position(
    write, read, ("chips",), layout, paid, parts=parts, places=places, look=look, entered=entered
)
