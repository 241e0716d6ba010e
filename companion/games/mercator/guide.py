"""Mercator, asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from companion.games.mercator.rules import LOT, PILE
from companion.games.mercator.view import MercatorBeside, MercatorView
from companion.rules import N_, Options, Seat, plural
from companion.rules.guide import Can, Counted, Guide, Known, Lesson, Now, Saying, Way

At = Known[MercatorView, MercatorBeside]
"""A moment of Mercator, as everybody may know it."""

# -- what may be done now ---------------------------------------------------------------------------------------


def now(at: At) -> Now:
    """What may be done at this moment, and why something else is not possible."""
    match at.view["phase"]:
        case "flipping":
            return Now(flipping(at), [*few_cards(at), *full(at)])
        case "fists":
            return Now([fists(at)], no_room(at))
        case "bidding" if at.options["auction"] == "open":
            return Now(outcry(at), no_room(at))
        case "bidding":
            return Now(list(bidding(at)), no_room(at))
    return Now(loading(at), [Saying("M-12", N_("Nobody bids any more: only one ship has room left."))])


def flipping(at: At) -> Sequence[Can]:
    """M-3: another card, or the auction."""
    seats = (at.view["flipper"] or "",)
    text: str = N_("{seats}: flip the top card of the pile.")
    if not at.view["lot"]:
        return [Can("flip", seats, Saying("M-3", text, {"seats": seats}), ("card", "finger"))]
    more = (at.beside["limit"] or 0) - len(at.view["lot"])
    text = plural("{seats}: flip up to {count} more card.", "{seats}: flip up to {count} more cards.")
    stop = Saying("M-3", N_("{seats}: stop here and sell the lot as it is."), {"seats": seats})
    another = Saying("M-3", text, {"seats": seats, "count": more})
    return [Can("flip", seats, another, ("card", "finger")), Can("auction", seats, stop, ("press", "finger"))]


def fists(at: At) -> Can:
    """M-7, M-10: chips hidden in fists, and all opened together."""
    seats = tuple(at.view["taking_part"])
    saying = Saying("M-7", N_("{seats}: hide 0 or more chips in a fist each, and open together."), {"seats": seats})
    if len(seats) == 1:
        text = N_("{seats}: hide 1 chip or more in the fist to buy the lot, or none to let it go, and open the fist.")
        saying = Saying("M-10", text, {"seats": seats})
    ways: Sequence[Way] = ("fists", "finger") if at.reveal == "fists" else ("finger",)
    return Can("reveal", (), saying, ways)


def bidding(at: At) -> Iterator[Can]:
    """M-7: amounts still to be named, and those that may be named again."""
    waiting, named = tuple(at.view["waiting"]), tuple(at.view["bids"])
    yield Can("bid", waiting, Saying("M-7", N_("{seats}: say what was in the fist."), {"seats": waiting}))
    if named:
        again = N_("{seats}: name the amount again if it was misheard, until the last one is named.")
        yield Can("bid", named, Saying("M-7", again, {"seats": named}))


def outcry(at: At) -> Sequence[Can]:
    """M-20: who buys, or nobody."""
    seats = tuple(at.view["waiting"])
    sold = N_("{seats}: call out bids; the last one buys the lot, for 1 chip or more.")
    unsold = N_("If nobody buys the lot, it leaves the game.")
    return [Can("sold", seats, Saying("M-20", sold, {"seats": seats})), Can("unsold", (), Saying("M-20", unsold))]


def loading(at: At) -> Sequence[Can]:
    """M-12: free cards."""
    seats = tuple(at.view["waiting"])
    text = N_("{seats}: load the top card of the pile, for free and whatever it is.")
    return [Can("load", seats, Saying("M-12", text, {"seats": seats}), ("card", "finger"))]


def few_cards(at: At) -> Iterator[Saying]:
    """M-3, M-4: why there is no auction yet, or no third card."""
    if not at.view["lot"]:
        yield Saying("M-3", N_("The auction begins once at least one card has been flipped."))
    limit = at.beside["limit"]
    if limit is not None and limit < LOT:
        text = plural("A lot of at most {count} card now: the emptiest ship has no room for more, or the pile holds "
                      "no more.",
                      "A lot of at most {count} cards now: the emptiest ship has no room for more, or the pile holds"
                      " no more.")  # fmt: skip
        yield Saying("M-4", text, {"count": limit})


def full(at: At) -> Iterator[Saying]:
    """M-11: who is out of it."""
    if seats := tuple(seat for seat, room in at.beside["room"].items() if not room):
        yield Saying("M-11", N_("No flip and no bid from {seats}: the ship is full."), {"seats": seats})


def no_room(at: At) -> Sequence[Saying]:
    """M-6: who cannot bid for this lot."""
    out = tuple(seat for seat in at.seats if seat not in at.view["taking_part"])
    text = N_("No bid from {seats}: the whole lot does not fit into the ship.")
    return [Saying("M-6", text, {"seats": out})] if out else []


# -- a first game -----------------------------------------------------------------------------------------------

AIM = N_(
    "You buy cards at auction and load them into your ship; when the auctions are over, the most valuable ships earn"
    " the most. Whoever then has the most chips, kept and earned, wins."
)


def layout(seats: Sequence[Seat], _: Options) -> Sequence[Saying]:
    """What to lay out, in the order people do it."""
    pile = {"count": PILE[len(seats)]}
    return [
        Saying("M-1", N_("The track goes in the middle, and everybody's pawn on space 0.")),
        Saying("M-1", N_("Each player takes 50 in chips and keeps them hidden.")),
        Saying("M-2", N_("Shuffle the cards 1–10 of all five colours, without flags and 12s: 50 cards.")),
        Saying("M-2", N_("Lay {count} of them face down as the pile; the rest go back into the box unseen."), pile),
        Saying("M-11", N_("Leave room in front of each player for a ship: six cards in a row, face up.")),
        Saying("M-3", N_("{seat} flips the first lot."), {"seat": seats[0]}),
    ]


def phase(*phases: str, where: Callable[[At], object] = lambda _: True) -> Callable[[At], bool]:
    """In one of these phases, and where that holds."""
    return lambda at: at.view["phase"] in phases and bool(where(at))


def who(key: Literal["flipper", "taking_part", "waiting"]) -> Callable[[At], Sequence[Seat]]:
    """The seats that the view lists under this key."""
    return lambda at: [seat] if isinstance(seat := at.view[key], str) else seat or []


def tied(at: At) -> Sequence[Seat]:
    """Those whose bid is the highest so far, where there are several."""
    bids = at.view["bids"]
    best = [seat for seat, chips in bids.items() if chips and chips == max(bids.values())]
    return best if len(best) > 1 else []


def begun(at: At) -> bool:
    """A lot has been sold."""
    return any(at.view["track"].values())


def nearly_full(at: At) -> bool:
    """Some ship has room for two cards or fewer."""
    return min(at.beside["room"].values()) <= 2


LESSONS: Sequence[Lesson[MercatorView, MercatorBeside]] = (
    Lesson(
        "lot",
        "M-3",
        N_("Flip one card, and a second and a third if you like: together they are the lot, which is sold whole."),
        phase("flipping", where=lambda at: not at.view["lot"]),
        who("flipper"),
    ),
    Lesson(
        "room",
        "M-6",
        N_("A ship holds six cards, and only a ship with room for the whole lot may bid for it."),
        phase("flipping", where=lambda at: at.view["lot"]),
    ),
    Lesson(
        "secret",
        "M-1",
        N_("Your chips are secret: you bid with them, and what you keep counts at the end."),
        phase("fists", "bidding"),
        who("taking_part"),
    ),
    Lesson(
        "fists",
        "M-8",
        N_("The highest bidder gets the lot and pays the bank; everybody else keeps their chips."),
        phase("fists"),
        who("taking_part"),
    ),
    Lesson(
        "outcry",
        "M-20",
        N_("Bid out loud, each time more than the last bid; the table then says who bought the lot and for how much."),
        phase("bidding", where=lambda at: at.options["auction"] == "open"),
        who("taking_part"),
    ),
    Lesson(
        "alone",
        "M-10",
        N_("Nobody else can bid for this lot: 1 chip is enough for it, and with 0 it leaves the game."),
        phase("fists", where=lambda at: len(at.view["taking_part"]) == 1),
        who("taking_part"),
    ),
    Lesson(
        "tie",
        "M-9",
        N_(
            "If the highest bids are equal, the first of them clockwise, from the flipper's left, gets the lot; the "
            "flipper comes last."
        ),
        phase("bidding", where=tied),
        tied,
    ),
    Lesson(
        "track",
        "M-8",
        N_("The pawn on the track shows what a ship is worth: the sum of its cards."),
        phase("flipping", where=begun),
    ),
    Lesson(
        "sale",
        "M-14",
        N_(
            "Only the order of the ships counts at the sale: the first earns most, the next less, and the last nothing."
        ),
        phase("flipping", where=begun),
    ),
    Lesson(
        "limit",
        "M-4",
        N_("From now on a lot has fewer cards: it must fit into the emptiest ship, which may be your own."),
        phase("flipping", where=lambda at: (at.beside["limit"] or LOT) < LOT),
        who("flipper"),
    ),
    Lesson(
        "bonus",
        "M-19",
        N_("Six cards with all five colours are worth 10 more, as soon as the ship is full."),
        phase("flipping", where=lambda at: at.options["colour_bonus"] and nearly_full(at)),
    ),
    Lesson(
        "full",
        "M-11",
        N_("A full ship neither flips nor bids any more; it waits for the sale."),
        phase("flipping", where=lambda at: not all(at.beside["room"].values())),
    ),
    Lesson(
        "pile",
        "M-13",
        N_("When the pile is empty after an auction, the auctions are over, whether ships are full or not."),
        phase("flipping", where=lambda at: at.view["pile"] <= 2 * LOT),
    ),
    Lesson(
        "last",
        "M-12",
        N_("Yours is the last ship with room: it loads from the pile for free, card by card, until it is full."),
        phase("loading"),
        who("waiting"),
    ),
)

# -- why --------------------------------------------------------------------------------------------------------

QUIET = ("next", "loading", "full", "limit")

BECAUSE = {
    "sold": ("tie", "won", "bought"),
}

NAMES = {
    "after": N_("after"),
    "before": N_("before"),
    "bid": N_("bid"),
    "bids": N_("bids"),
    "bonus": N_("bonus"),
    "cargo": N_("cargo"),
    "flipper": N_("flips"),
    "last": N_("loads"),
    "paid": N_("price"),
    "limit": N_("at most"),
    "lot": N_("the lot"),
    "order": N_("order"),
    "out": N_("no room"),
    "pile": N_("pile"),
    "place": N_("places"),  # at the sale it is a rank
    "prize": N_("prize"),
    "room": N_("room"),
    "sharing": N_("shared"),
    "skipped": N_("skipped"),
    "taking_part": N_("taking part"),
}

HIDDEN = (
    "after", "before", "bids", "bonus", "card", "chips", "count", "flipper", "limit", "lot", "order", "out", "pile",
    "place", "places", "prize", "seat", "seats", "sharing", "skipped", "sum", "taking_part", "tied", "value",
)  # fmt: skip
"""The sentences of the rulings say all of these."""

NEAR = {"lot": plural("With {value} chip {seat} would have had the lot.",
                      "With {value} chips {seat} would have had the lot.", "value")}  # fmt: skip

NUMBERS = {
    "lot": Counted(("flipped",), ("sold", "unsold"), by=""),
    "paid": Counted(("bid", "tie", "won", "bought", "sold"), ("auction",), by=""),
    "bid": Counted(("bid",), ("auction",)),
    "pile": Counted(("flipped", "loaded"), by=""),
    "cargo": Counted(("sold", "bonus", "loaded")),
    "room": Counted(("sold", "loaded")),
    "chips": Counted(("sale", "shared", "over"), by=""),
}

GUIDE: Guide[MercatorView, MercatorBeside] = Guide(
    now=now,
    because=BECAUSE,
    quiet=QUIET,
    names=NAMES,
    hidden=HIDDEN,
    near=NEAR,
    numbers=NUMBERS,
    begins=("flip", "load"),
    aim=AIM,
    layout=layout,
    lessons=LESSONS,
)
