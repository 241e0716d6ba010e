"""Mercator (3-7 players): lots of one to three cards, bids in fists, ties by seat order, a sale by rank of cargo.

Set-up
M-1  (text) Each player has 50 in chips, secret all game long, and a pawn on space 0 of the track, which may be left
     out: it is printed at the top of the Praetorians board in the same box.
M-2  (text) The cards 1–10 of all five colours are shuffled; 24, 32, 40, 45 or 50 of them form the pile for 3, 4, 5, 6
     or 7 players. The rest leave the game unseen.

A turn
M-3  (text) The flipper flips one card and may flip a second and a third: the lot. The first player flips first.
M-4  (text) A lot has at most three cards, no more than the pile held when the turn began, and no more than the
     emptiest ship has room for, the flipper's own included. The flipper may make it so large that nobody else has room
     for it.
M-5  (text) The lot is sold whole.
M-6  (text) Only a player whose ship has room for the whole lot takes part, with or without chips: without chips the
     bid is 0. A lone player still bids.
M-7  (text+decided: a fist cannot hold more than its owner has, so such a bid was misheard) All who take part hide 0 or
     more chips in a fist; all open together and name the amount. Nobody can bid more than they have: such a bid is
     named again.
M-8  (text) The highest bid wins: its bidder pays the bank and loads the lot, and the pawn advances by the sum of the
     cards. The others keep their chips.
M-9  (text) Equal highest bids: the first of the tied players clockwise, from the flipper's left, wins; the flipper
     comes last.
M-10 (text) If all who take part bid 0, the lot leaves the game; its cards cannot come again. A lone bidder must bid at
     least 1 to have it.
M-11 (text) A ship holds six cards. A player with a full ship neither flips nor bids again. The flip passes clockwise
     from the last flipper to the next player whose ship is not full, no matter who won.

The end
M-12 (text+decided: nothing can be loaded from an empty pile, so that is an end too) As soon as exactly one ship is not
     full, its owner loads cards from the pile, one by one, free and as they come, until it has six or the pile is
     empty. Then the auctions are over.
M-13 (text) If the pile is empty after an auction, the auctions are over, whether ships are full or not; nothing more
     is loaded.
M-14 (text) The sale: the ship worth most earns most, the next one less, the last one nothing. With 3 players they earn
     30, 15; with 4 players 30, 20, 10; with 5 players 40, 30, 20, 10; with 6 players 50, 40, 30, 20, 10; with 7
     players 60, 50, 40, 30, 20, 10.
M-15 (text) Tied players add up the prizes of the places they cover and share them equally. Halves, which only three
     players can leave, are kept exact or, if agreed, rounded down, and the rest stays in the bank.
M-16 (text+decided: no rule leaves an empty ship out of the sale) The player with the most chips wins. A ship worth 0 is
     ranked like any other.
M-17 (decided: the printed track ends at 59 and leaves no room for the bonus) The largest cargo without the bonus is
     59, with it 69: the track goes on past 59 and does not wrap.

Variants
M-18 (text+decided: the first flip moves on, so that each player has it in turn) Series: every game starts afresh with
     50; the score is the sum of the final chips. The next game's first flipper is the next player clockwise.
M-19 (variant+decided: the pawn always shows what the ship is worth, and the bonus is for a full ship) Colour bonus, if
     agreed: a full ship that shows all five colours is worth 10 more from the moment it is full, and the pawn
     advances. A ship with fewer than six cards gets nothing.
M-20 (variant+decided: as with fists, a lot must fit the ship and cannot be had for 0) Open outcry, if agreed: no
     fists; the table says which of those who take part bought the lot and for how much, at least 1 and no more than
     they have, or that nobody did, and the lot leaves the game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from companion.games.mercator.view import MercatorDerived, MercatorPhase, MercatorView
from companion.rules import (
    N_,
    Chips,
    Game,
    Laid,
    Moves,
    Option,
    Refused,
    Reveal,
    Ruling,
    Seat,
    Setup,
    Touch,
    number,
    plural,
    require,
    result,
    ruled,
)
from companion.rules.cards import COLOURS, DECK, PAWNS, Card
from companion.rules.contest import Condition, Contest, Measure

RANKS = range(1, 11)
CARDS = tuple(DECK[f"{colour} {rank}"] for colour in COLOURS for rank in RANKS)
PILE = {3: 24, 4: 32, 5: 40, 6: 45, 7: 50}
CHIPS = 50
LOT = 3
SHIP = 6
BONUS = 10
LAST = sum(sorted(card.rank for card in CARDS)[-SHIP:])
"""The largest cargo without the bonus (M-17)."""
PRIZES = {
    3: (30, 15, 0),
    4: (30, 20, 10, 0),
    5: (40, 30, 20, 10, 0),
    6: (50, 40, 30, 20, 10, 0),
    7: (60, 50, 40, 30, 20, 10, 0),
}

# -- events -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Flip:
    """The flipper turns up a card (M-3)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Auction:
    """The flipper stops at the cards lying (M-3)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Bid:
    """The amount that a seat had in its fist, as it names it (M-7)."""

    seat: Seat
    chips: Chips


@dataclass(frozen=True, slots=True)
class Sold:
    """Open outcry: who bought the lot, and for how much (M-20)."""

    seat: Seat
    chips: Chips


@dataclass(frozen=True, slots=True)
class Unsold:
    """Open outcry: nobody bought the lot (M-20)."""


@dataclass(frozen=True, slots=True)
class Load:
    """A free card for the last ship (M-12)."""

    seat: Seat
    card: Card


Act = Flip | Auction | Reveal | Bid | Sold | Unsold | Load
Ruled = tuple["State", Sequence[Ruling]]

# -- state ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State:
    """Everything true about one game. The pile, the track and who takes part follow from the rest."""

    setup: Setup
    phase: MercatorPhase
    flipper: Seat
    ships: Mapping[Seat, tuple[Card, ...]]
    """By seat, in the order of the seats; cards as loaded."""
    chips: Mapping[Seat, int | Fraction]
    """Whole until the sale (M-15)."""
    lot: tuple[Card, ...] = ()
    bids: Mapping[Seat, int] = field(default_factory=dict)
    seen: frozenset[Card] = frozenset()
    """Every card turned up so far: in the lot, in a ship, or gone with a lot that nobody wanted."""


def setup(given: Setup) -> State:
    """Set up empty ships, fifty chips each, and a pile of unseen cards (M-1, M-2)."""
    ships: dict[Seat, tuple[Card, ...]] = dict.fromkeys(given.seats, ())
    return State(given, "flipping", given.seats[0], ships, dict.fromkeys(given.seats, CHIPS))


def sealed(s: State) -> bool:
    """Return whether bids are made in fists instead of open outcry (M-20)."""
    return bool(s.setup.options["auction"] == "fists")


def pile(s: State) -> int:
    return PILE[len(s.ships)] - len(s.seen)


def limit(s: State) -> int:
    """Return how many cards the lot of this turn can have (M-4)."""
    return min(LOT, pile(s) + len(s.lot), max(room(s, seat) for seat in s.ships))


def room(s: State, seat: Seat) -> int:
    """Return how many more cards the ship can load (M-11)."""
    return SHIP - len(s.ships[seat])


def taking_part(s: State) -> tuple[Seat, ...]:
    """Return the seats whose ships have room for the whole lot; none while there is no lot (M-6)."""
    most = SHIP - len(s.lot)
    return tuple([seat for seat, ship in s.ships.items() if len(ship) <= most]) if s.lot else ()


def clockwise(s: State) -> tuple[Seat, ...]:
    """Return every seat clockwise from the flipper's left; the flipper comes last (M-9, M-11)."""
    seats = s.setup.seats
    at = seats.index(s.flipper) + 1
    return seats[at:] + seats[:at]


def not_full(s: State) -> tuple[Seat, ...]:
    return tuple([seat for seat in clockwise(s) if room(s, seat)])


def worth(cards: Sequence[Card]) -> int:
    return sum([card.rank for card in cards])


def bonus(s: State, seat: Seat) -> int:
    """Return the bonus of a full ship that shows all five colours, else 0 (M-19)."""
    earned = s.setup.options["colour_bonus"] and not room(s, seat) and colours(s, seat) == len(COLOURS)
    return BONUS if earned else 0


def colours(s: State, seat: Seat) -> int:
    """Return how many colours a ship shows."""
    return len({card.colour for card in s.ships[seat]})


def cargo(s: State, seat: Seat) -> int:
    """Return what the ship is worth, which is also the space of its pawn (M-8, M-19)."""
    return worth(s.ships[seat]) + bonus(s, seat)


def adding(cards: Sequence[Card]) -> str:
    """Return how the sum is reached: "9 + 7 = 16", for a single card just "9"."""
    addends = " + ".join([str(card.rank) for card in cards])
    return f"{addends} = {worth(cards)}" if len(cards) > 1 else addends


# -- what is compared, and what must hold -----------------------------------------------------------------------


def for_lot(s: State) -> Contest:
    """Return the comparison of bids that decides who gets the lot (M-8, M-9)."""
    bids = {seat: s.bids[seat] for seat in s.ships if seat in s.bids}
    order = {seat: place for place, seat in enumerate(clockwise(s), 1)}
    enough = range(max(bids.values()) + 2)
    return Contest(
        "lot",
        (Measure("bid", "M-8", "highest", bids), Measure("order", "M-9", "lowest", order)),
        dict.fromkeys(bids, enough),
    )


def for_sale(s: State, unpaid: Sequence[Seat]) -> Contest:
    """Return the comparison that finds the best of the cargoes still to be paid (M-14)."""
    return Contest("sale", (Measure("cargo", "M-14", "highest", {seat: cargo(s, seat) for seat in unpaid}),))


def for_game(s: State) -> Contest:
    """Return the comparison that decides who wins the game (M-16)."""
    return Contest("game", (Measure("chips", "M-16", "highest", s.chips),))


def full(s: State, seat: Seat) -> Condition:
    """Return the condition that the ship is full, and neither flips nor bids (M-11)."""
    left = room(s, seat)
    text: str = plural("Not full yet: {seat} has room for {room} more card.",
                       "Not full yet: {seat} has room for {room} more cards.", "room")  # fmt: skip
    if not left:
        text = N_("A full ship: {seat} has loaded {by} cards.")
    return Condition("full", "M-11", not left, len(s.ships[seat]), text, {"seat": seat, "room": left})


def all_colours(s: State, seat: Seat) -> Condition:
    """Return the condition that the ship has earned the bonus (M-19)."""
    shown, left = colours(s, seat), room(s, seat)
    text = N_("No bonus: {by} of the five colours.")
    if left:
        text = N_("No bonus yet: only a full ship has one; {by} of the five colours so far.")
    elif shown == len(COLOURS):
        text = N_("A full ship with all five colours: the bonus.")
    return Condition("colour_bonus", "M-19", bool(bonus(s, seat)), shown, text)


def weighed(s: State, seat: Seat) -> tuple[Condition, ...]:
    """Return the conditions that are checked after a ship has loaded."""
    return (full(s, seat), all_colours(s, seat)) if s.setup.options["colour_bonus"] else (full(s, seat),)


def last_ship(s: State) -> Condition:
    """Return the condition that only one ship is not full (M-12)."""
    able = not_full(s)
    text = N_("Only one ship has room: {by}.") if len(able) == 1 else N_("More than one ship has room: {by}.")
    return Condition("last_ship", "M-12", len(able) == 1, able, text)


# -- apply ------------------------------------------------------------------------------------------------------

EXPECTED = {
    "flipping": N_("Not now: {waiting} must flip."),
    "fists": N_("Not now: first all fists open together: {waiting}."),
    "bidding": N_("Not now: bids are being named; waiting for {waiting}."),
    "outcry": N_("Not now: the table says who bought the lot ({waiting}), or that nobody did."),
    "loading": N_("Not now: {waiting} loads the last cards, free and as they come."),
    "over": N_("The game is over."),
}


def apply(s: State, event: Act) -> Ruled:
    """Return the state after the event, and the rulings. Raises Refused."""
    match event:
        case Flip():
            return flip(s, event)
        case Auction():
            return stop_flipping(s, event)
        case Reveal():
            return reveal(s)
        case Bid():
            return name_bid(s, event)
        case Sold():
            return buy(s, event)
        case Unsold():
            return leave_lot(s)
        case Load():
            return load(s, event)


def expect(s: State, phase: MercatorPhase) -> None:
    """Refuse an event that does not fit the phase, and say what is expected (T-1). Raises Refused."""
    if s.phase != phase:
        moment = s.phase if s.phase != "bidding" or sealed(s) else "outcry"
        raise Refused(ruled("not_now", "T-1", EXPECTED[moment], waiting=waiting(s)))


def with_fists(s: State) -> None:
    text = N_("There are no fists in open outcry: the table says who bought the lot, or that nobody did.")
    require(sealed(s), "outcry", text, "M-20")


def without_fists(s: State) -> None:
    text = N_("Bids for the lot are in fists: all open together and each player names the amount.")
    require(not sealed(s), "fists", text, "M-20")


def require_new(s: State, card: Card) -> None:
    """Require a card from 1 to 10 that has not been turned up before (T-2). Raises Refused."""
    text = N_("The {card} is not in this game; only the cards 1–10 are.")
    require(card.rank in RANKS, "card", text, "T-2", card=card)
    if card in s.seen:
        owner = next((seat for seat, ship in s.ships.items() if card in ship), None)
        text = N_("The {card} left the game with its lot; flip a card from the pile.")
        if card in s.lot:
            text = N_("The {card} is already in the lot; flip a card from the pile.")
        elif owner:
            text = N_("The {card} is in {owner:of} ship; flip a card from the pile.")
        raise Refused(ruled("seen", "T-2", text, card=card, owner=owner))


def flip(s: State, event: Flip) -> Ruled:
    expect(s, "flipping")
    require(event.seat == s.flipper, "turn", N_("{flipper} flips; nobody else does."), flipper=s.flipper)
    require_new(s, event.card)
    s = replace(s, lot=(*s.lot, event.card), seen=s.seen | {event.card})
    text = N_("{seat} flips {card}. The lot: {lot}, worth {sum}; room for it: {taking_part}.")
    at = dict(seat=event.seat, card=event.card, lot=s.lot, sum=adding(s.lot), taking_part=taking_part(s))
    flipped = ruled("flipped", "M-3", text, pile=pile(s), **at)
    if len(s.lot) < limit(s):
        return s, (flipped,)
    text = N_("No ship has room for more than {count}: the lot is complete.")
    if len(s.lot) == LOT:
        text = N_("A lot has at most {count} cards: it is complete.")
    elif not pile(s):
        text = N_("The pile is empty: the lot is complete.")
    return begin_auction(s, flipped, ruled("limit", "M-4", text, count=len(s.lot)))


def stop_flipping(s: State, event: Auction) -> Ruled:
    expect(s, "flipping")
    require(event.seat == s.flipper, "turn", N_("{flipper} flips and says when to stop."), flipper=s.flipper)
    text = N_("{flipper} flips at least one card before the auction.")
    require(s.lot, "no_lot", text, "M-3", flipper=s.flipper)
    text = N_("{seat} stops at {lot}.")
    return begin_auction(s, ruled("stopped", "M-3", text, seat=event.seat, lot=s.lot))


def begin_auction(s: State, *rulings: Ruling) -> Ruled:
    """Open the auction: announce who takes part and how to bid (M-5 to M-7, M-20)."""
    s = replace(s, phase="fists" if sealed(s) else "bidding")
    able = taking_part(s)
    out = tuple([seat for seat in s.ships if seat not in able])
    if out:
        text = N_("No room for the whole lot, and so not in the auction: {out}.")
        rulings = (*rulings, ruled("no_room", "M-6", text, out=out, count=len(s.lot)))
    rule, text = "M-7", N_("The whole lot, {sum}, is for sale. Fists, with 0 or more chips: {taking_part}.")
    if not sealed(s):
        rule, text = (
            "M-20",
            N_("The whole lot, {sum}, is for sale by open outcry. Nobody has to buy. Bidding: {taking_part}."),
        )
    elif len(able) == 1:
        rule, text = "M-10", N_("Only {taking_part} can bid for the lot, {sum}: a fist with 1 or more takes it.")
    elif not out:
        text = N_("The whole lot, {sum}, is for sale. Everybody: a fist with 0 or more chips.")
    return s, (*rulings, ruled("auction", rule, text, taking_part=able, sum=adding(s.lot)))


# -- bidding ----------------------------------------------------------------------------------------------------


def reveal(s: State) -> Ruled:
    with_fists(s)
    expect(s, "fists")
    text = N_("The fists are open. Now name the amounts: {taking_part}.")
    return replace(s, phase="bidding"), (ruled("revealed", "M-7", text, taking_part=taking_part(s)),)


def name_bid(s: State, event: Bid) -> Ruled:
    with_fists(s)
    expect(s, "bidding")
    seat, chips = event.seat, event.chips
    require_part(s, seat)
    text = N_("{seat} cannot bid {chips}: nobody may bid more than they have. Name the bid again.")
    require(chips <= s.chips[seat], "balance", text, "M-7", seat=seat, chips=chips)
    before = s.bids.get(seat)
    s = replace(s, bids={**s.bids, seat: chips})
    text = N_("{seat} bids {chips}.") if before is None else N_("{seat} now bids {chips}, not {before}.")
    named = ruled("bid", "M-7", text, seat=seat, chips=chips, before=before)
    return (s, (named,)) if unnamed(s) else settle(s, named)


def require_part(s: State, seat: Seat) -> None:
    """Require that the seat takes part in the auction (M-6). Raises Refused."""
    if seat not in (able := taking_part(s)):
        text = N_(
            "{seat} cannot bid: the ship is too full for the lot (room {room}, lot {count}). Bidding: {taking_part}."
        )
        raise Refused(ruled("room", "M-6", text, seat=seat, room=room(s, seat), count=len(s.lot), taking_part=able))


def unnamed(s: State) -> tuple[Seat, ...]:
    """Return the seats that have still to name a bid."""
    return tuple([seat for seat in taking_part(s) if seat not in s.bids])


def settle(s: State, named: Ruling) -> Ruled:
    """Settle the auction after the last bid (M-8 to M-10)."""
    order = [seat for seat in clockwise(s) if seat in s.bids]
    bids = {seat: s.bids[seat] for seat in order}
    if not any(bids.values()):
        text = N_("All bids are 0. The lot leaves the game and cannot come again: {lot}.")
        return next_turn(put_aside(s), named, ruled("unsold", "M-10", text, lot=s.lot, bids=bids))
    contest = for_lot(s)
    seat, highest = contest.winner, contest.steps[0].left
    at = dict(seat=seat, chips=bids[seat], bids=bids, contest=contest)
    if len(highest) == 1:
        return sell(s, seat, bids[seat], named, ruled("won", "M-8", N_("{bids}: {seat} bids the most, {chips}."), **at))
    tied = [other for other in order if other in highest]
    text = N_("{tied} are tied at {chips}. From {flipper:of} left, {seat} is the first of them and wins.")
    tie = ruled("tie", "M-9", text, tied=tied, flipper=s.flipper, order=order, **at)
    return sell(s, seat, bids[seat], named, tie)


def buy(s: State, event: Sold) -> Ruled:
    without_fists(s)
    expect(s, "bidding")
    seat, chips = event.seat, event.chips
    require_part(s, seat)
    require(chips, "nothing", N_("The lot costs at least 1, or else nobody buys it."), "M-20")
    text = N_("{seat} cannot pay {chips}: nobody may pay more than they have.")
    require(chips <= s.chips[seat], "balance", text, "M-20", seat=seat, chips=chips)
    text = N_("{seat} buys the lot for {chips}.")
    return sell(s, seat, chips, ruled("bought", "M-20", text, seat=seat, chips=chips))


def leave_lot(s: State) -> Ruled:
    without_fists(s)
    expect(s, "bidding")
    text = N_("Nobody buys the lot. It leaves the game and cannot come again: {lot}.")
    return next_turn(put_aside(s), ruled("unsold", "M-20", text, lot=s.lot))


def sell(s: State, seat: Seat, chips: int, *rulings: Ruling) -> Ruled:
    """Sell the lot: the seat pays, loads it and advances (M-8)."""
    lot, before = s.lot, cargo(s, seat)
    ships = {**s.ships, seat: s.ships[seat] + lot}
    s = replace(s, ships=ships, chips={**s.chips, seat: s.chips[seat] - chips}, lot=(), bids={})
    text = N_("{seat} pays the bank {chips} and loads {lot}, worth {sum}. The pawn moves from {before} to {after}.")
    at = dict(seat=seat, chips=chips, lot=lot, sum=adding(lot), before=before, after=before + worth(lot))
    conditions = weighed(s, seat)
    rulings = (*rulings, ruled("sold", "M-8", text, conditions=conditions, **at), *bonus_paid(s, seat))
    if conditions[0].holds:
        text = N_("{seat:of} ship is full: no more flipping or bidding.")
        rulings = (*rulings, ruled("full", "M-11", text, seat=seat))
    return next_turn(s, *rulings)


def put_aside(s: State) -> State:
    """Remove the lot from the game; its cards stay seen (M-10)."""
    return replace(s, lot=(), bids={})


def bonus_paid(s: State, seat: Seat) -> Sequence[Ruling]:
    """Return the ruling on the bonus if the ship has earned it; called when the ship has loaded (M-19)."""
    if not (extra := bonus(s, seat)):
        return ()
    text = N_(
        "{seat:of} full ship shows all five colours and is worth {bonus} more. The pawn moves from {before} to {after}."
    )
    after = cargo(s, seat)
    return (ruled("bonus", "M-19", text, seat=seat, bonus=extra, before=after - extra, after=after),)


def next_turn(s: State, *rulings: Ruling) -> Ruled:
    """Pass the flip to the next seat, or end the auctions (M-11 to M-13)."""
    if not pile(s):
        return sale(s, *rulings, ruled("auctions_over", "M-13", N_("The pile is empty: the auctions are over.")))
    seat, last = not_full(s)[0], last_ship(s)
    if last.holds:
        free = min(room(s, seat), pile(s))
        text: str = plural(
            "Only {seat:of} ship is not full: it loads {count} card from the pile, free and as it comes.",
            "Only {seat:of} ship is not full: it loads {count} cards from the pile, free and as they come.",
        )
        loads = ruled("loading", "M-12", text, seat=seat, count=free, conditions=(last,))
        return replace(s, phase="loading"), (*rulings, loads)
    order = clockwise(s)
    skipped = order[: order.index(seat)]
    s = replace(s, phase="flipping", flipper=seat)
    text = plural(
        "{seat} flips next, at most {limit} card; {pile} left in the pile.",
        "{seat} flips next, at most {limit} cards; {pile} left in the pile.",
        "limit",
    )
    if skipped:
        text = plural(
            "{seat} flips next, at most {limit} card; {pile} left in the pile. Skipped with a full ship: {skipped}.",
            "{seat} flips next, at most {limit} cards; {pile} left in the pile. Skipped with a full ship: {skipped}.",
            "limit",
        )
    at = dict(seat=seat, limit=limit(s), pile=pile(s), skipped=skipped)
    if len(not_full(s)) < len(s.ships):
        at["conditions"] = (last,)
    return s, (*rulings, ruled("next", "M-11", text, **at))


# -- the end ----------------------------------------------------------------------------------------------------


def load(s: State, event: Load) -> Ruled:
    expect(s, "loading")
    (seat,) = not_full(s)
    require(event.seat == seat, "turn", N_("Only {last} loads: every other ship is full."), "M-12", last=seat)
    require_new(s, event.card)
    before = cargo(s, seat)
    s = replace(s, ships={**s.ships, seat: (*s.ships[seat], event.card)}, seen=s.seen | {event.card})
    text = N_("{seat} loads {card} for free. The pawn moves from {before} to {after}.")
    at = dict(seat=seat, card=event.card, before=before, after=before + event.card.rank, pile=pile(s))
    rulings = (ruled("loaded", "M-12", text, conditions=weighed(s, seat), **at), *bonus_paid(s, seat))
    if room(s, seat) and pile(s):
        return s, rulings
    text = N_("Every ship is full: the auctions are over.")
    if room(s, seat):
        text = N_("The pile is empty: the auctions are over.")
    return sale(s, *rulings, ruled("auctions_over", "M-12", text))


def sale(s: State, *rulings: Ruling) -> Ruled:
    """Pay the prize of every place, and end the game (M-14 to M-16)."""
    kept, chips, unpaid = dict(s.chips), dict(s.chips), tuple(s.ships)
    while unpaid:
        contest = for_sale(s, unpaid)
        prize, ruling = pay(s, contest, len(s.ships) - len(unpaid))
        chips |= {seat: chips[seat] + prize for seat in contest.winners}
        rulings = (*rulings, ruling)
        unpaid = tuple([seat for seat in unpaid if seat not in contest.winners])
    earned = {seat: chips[seat] - kept[seat] for seat in chips}
    s = replace(s, phase="over", chips=chips)
    contest = for_game(s)
    text = N_("The game is over: {scores}. {winners} wins.")
    if len(contest.winners) > 1:
        text = N_("The game is over: {scores}. {winners} share the victory.")
    told = result(s.chips, contest.winners)
    return s, (*rulings, ruled("over", "M-16", text, **told, kept=kept, sale=earned, contest=contest))


def pay(s: State, contest: Contest, paid: int) -> tuple[Fraction, Ruling]:
    """Return the prize of each seat with the best cargo, and the ruling (M-14, M-15).

    `paid` is how many seats have been paid before.
    """
    seats, value, place = contest.winners, cargo(s, contest.winners[0]), paid + 1
    prizes = PRIZES[len(s.ships)][paid : paid + len(seats)]
    exact = Fraction(sum(prizes), len(seats))
    prize = Fraction(int(exact)) if s.setup.options["halves"] == "down" else exact
    at = dict(value=value, prize=prize, contest=contest)
    if len(seats) == 1:
        text = N_("Place {place}: {seat} sells a cargo worth {value} for {prize}.")
        if not prize:
            text = N_("Place {place}: {seat} gets nothing for a cargo worth {value}.")
        return prize, ruled("sale", "M-14", text, place=place, seat=seats[0], **at)
    sharing = f"({' + '.join(map(str, prizes))}) ÷ {len(seats)} = {int(exact)}{'½' if exact % 1 else ''}"
    text = N_("Places {places}: {seats}, with cargoes worth {value}, share the prizes: {sharing} each.")
    if prize != exact:
        text = N_(
            "Places {places}: {seats}, with cargoes worth {value}, share the prizes: {sharing}, rounded down "
            "to {prize} each."
        )
    places = tuple(range(place, place + len(seats)))
    return prize, ruled("shared", "M-15", text, places=places, seats=seats, sharing=sharing, **at)


# -- legal, read, view ------------------------------------------------------------------------------------------


def legal(s: State) -> Sequence[Moves[Act]]:
    match s.phase:
        case "flipping":
            flips = Moves(Flip, {"seat": (s.flipper,), "card": unseen(s)})
            return [flips, Moves(Auction, {"seat": (s.flipper,)})] if s.lot else [flips]
        case "fists":
            return [Moves(Reveal, {})]
        case "bidding" if sealed(s):
            return [Moves(Bid, {"seat": (seat,), "chips": amounts(s, seat)}) for seat in taking_part(s)]
        case "bidding":
            rich = [seat for seat in taking_part(s) if s.chips[seat]]
            sold = [Moves(Sold, {"seat": (seat,), "chips": amounts(s, seat)[1:]}) for seat in rich]
            return [*sold, Moves(Unsold, {})]
        case "loading":
            return [Moves(Load, {"seat": not_full(s), "card": unseen(s)})]
    return []


def unseen(s: State) -> tuple[Card, ...]:
    """Return the cards that can come next; those that left the game unseen are not known (M-2)."""
    return tuple([card for card in CARDS if card not in s.seen])


def amounts(s: State, seat: Seat) -> range:
    """Return the amounts that a seat can bid, from 0; its chips are whole until the sale."""
    return range(int(s.chips[seat]) + 1)


def read(s: State, touch: Touch) -> Flip | Load | Auction | None:
    """Read a card as turned up or loaded, on any reader; the flipper's button ends the flipping."""
    if isinstance(touch, Laid):
        if s.phase == "flipping":
            return Flip(s.flipper, touch.card)
        return Load(not_full(s)[0], touch.card) if s.phase == "loading" else None
    return Auction(s.flipper) if s.phase == "flipping" and touch.seat == s.flipper else None


def fists(s: State) -> tuple[Seat, ...]:
    """Return the seats that take part, while the fists are closed."""
    return taking_part(s) if s.phase == "fists" else ()


def waiting(s: State) -> tuple[Seat, ...]:
    match s.phase:
        case "flipping":
            return (s.flipper,)
        case "bidding" if sealed(s):
            return unnamed(s)
        case "fists" | "bidding":
            return taking_part(s)
        case "loading":
            return not_full(s)
    return ()


def view(s: State, seat: Seat | None = None) -> MercatorView:
    """Return everything public; for a seat also its chips."""
    over, awaited = s.phase == "over", list(waiting(s))
    public: MercatorView = {
        "game": GAME.name,
        "phase": s.phase,
        "turn": awaited[0] if s.phase in ("flipping", "loading") else None,
        "waiting": awaited,
        "over": over,
        "result": result(s.chips, for_game(s).winners) if over else None,
        "pile": pile(s),
        "lot": [str(card) for card in s.lot],
        "flipper": s.flipper if s.phase in ("flipping", "fists", "bidding") else None,
        "taking_part": list(taking_part(s)),
        "bids": {other: s.bids[other] for other in s.ships if other in s.bids},
        "ships": {other: [str(card) for card in ship] for other, ship in s.ships.items()},
        "track": {other: cargo(s, other) for other in s.ships},
    }
    if seat is not None:
        public["private"] = {"chips": number(s.chips[seat])}
    return public


def derived(s: State) -> MercatorDerived:
    """Return the worth of the lot, the room in each ship, the limit of the lot, and the order in a tie."""
    auctions = s.phase in ("flipping", "fists", "bidding")
    return {
        "worth": worth(s.lot),
        "last": LAST + BONUS * bool(s.setup.options["colour_bonus"]),
        "room": {seat: room(s, seat) for seat in s.ships},
        "limit": limit(s) if auctions else None,
        "order": list(clockwise(s)) if auctions else [],
    }


GAME: Game[State, MercatorView] = Game(
    name="mercator",
    title=N_("Mercator"),
    seats=range(3, 8),
    colours=PAWNS,
    ranks=lambda _: RANKS,
    owned=False,
    events=(Flip, Auction, Reveal, Bid, Sold, Unsold, Load),
    options=(
        Option("halves", ("exact", "down"), "M-15", N_("When a prize is shared: keep halves, or round down.")),
        Option("colour_bonus", (False, True), "M-19", N_("A full ship that shows all five colours is worth 10 more.")),
        Option("auction", ("fists", "open"), "M-20", N_("Bids are hidden in fists, or called out loud.")),
    ),
    series="scores",
    together="M-7",
    setup=setup,
    apply=apply,
    legal=legal,
    read=read,
    fists=fists,
    view=view,
    derived=derived,
    blind={"sold": "unsold"},
    clauses=__doc__ or "",
)
