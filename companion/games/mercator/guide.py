"""Guide to Mercator: explanations, statistics and the lessons of a first game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from companion.games.mercator.prompts import At
from companion.games.mercator.rules import CARDS, LOT, PILE
from companion.games.mercator.view import MercatorDerived, MercatorView
from companion.rules import N_, Options, Seat, plural
from companion.rules.cards import COLOURS
from companion.rules.guide import BOARD, ROOM, Counted, Guide, Lesson, Saying
from companion.rules.vocabulary import CARD

# -- a first game -----------------------------------------------------------------------------------------------

AIM = N_(
    "You buy cards at auction and load them into your ship; when the auctions are over, the most valuable ships earn"
    " the most. The player who then has the most chips, kept and earned, wins."
)


def layout(seats: Sequence[Seat], _: Options) -> Sequence[Saying]:
    """Explain what to lay out, in the usual order."""
    count = PILE[len(seats)]
    some = N_("Lay {count} of them face down as the pile; the rest go back into the box unseen.")
    every = N_("Lay them face down as the pile.")
    text, facts = (every, {}) if count == len(CARDS) else (some, {"count": count})
    pawns = {f"{seat} pawn": 1 for seat in seats}
    return [
        Saying(
            "M-1",
            N_(
                "The track from 0 to 59, at the top of the Praetorians board, goes in the middle, with everybody's pawn"
                " on space 0. You can play without it."
            ),
            lies={BOARD: {}, "space 0": pawns},
        ),
        Saying(
            "M-1",
            N_("Each player takes 50 in chips and keeps them hidden."),
            lies={f"before {seat}": {"chip": 50} for seat in seats},
        ),
        Saying(
            "M-2",
            N_("Shuffle the cards 1–10 of all five colours, without flags and 12s: 50 cards."),
            lies={f"colour {colour}": {str(card): 1 for card in CARDS if card.colour == colour} for colour in COLOURS},
        ),
        Saying("M-2", text, facts, {"pile": {CARD: count}}),
        Saying(
            "M-11",
            N_("Leave room in front of each player for a ship: six cards in a row, face up."),
            lies={f"ship {seat}": {ROOM: 6} for seat in seats},
        ),
        Saying("M-3", N_("{seat} flips the first lot."), {"seat": seats[0]}),
    ]


def phase(*phases: str, where: Callable[[At], object] = lambda _: True) -> Callable[[At], bool]:
    """Return a test for these phases that also requires `where`."""
    return lambda at: at.view["phase"] in phases and bool(where(at))


def who(key: Literal["flipper", "taking_part", "waiting"]) -> Callable[[At], Sequence[Seat]]:
    """Return a function that lists the seats which the view has under this key."""
    return lambda at: [seat] if isinstance(seat := at.view[key], str) else seat or []


def tied(at: At) -> Sequence[Seat]:
    """Return the seats that share the highest bid so far, if there are several."""
    bids = at.view["bids"]
    best = [seat for seat, chips in bids.items() if chips and chips == max(bids.values())]
    return best if len(best) > 1 else []


def begun(at: At) -> bool:
    """Return whether a lot has been sold."""
    return any(at.view["track"].values())


def nearly_full(at: At) -> bool:
    """Return whether some ship has room for two cards or fewer."""
    return min(at.derived["room"].values()) <= 2


LESSONS: Sequence[Lesson[MercatorView, MercatorDerived]] = (
    Lesson(
        "lot",
        "M-3",
        N_("Flip one to three cards: together they are the lot, which is sold whole."),
        phase("flipping", where=lambda at: not at.view["lot"]),
        who("flipper"),
        acts=("flip",),
    ),
    Lesson(
        "room",
        "M-6",
        N_("A ship holds six cards, and only a ship with room for the whole lot may bid for it."),
        phase("flipping", where=lambda at: at.view["lot"]),
    ),
    Lesson(
        "fists",
        "M-8",
        N_(
            "The highest bidder pays the bank and gets the lot; all others keep their chips. Ties: the first from the"
            " flipper's left. 0 buys nothing."
        ),
        phase("fists", where=lambda at: len(at.view["taking_part"]) > 1),
        who("taking_part"),
    ),
    Lesson(
        "secret",
        "M-1",
        N_("Your chips are secret: you bid with them, and what you keep counts at the end."),
        phase("fists", "bidding"),
        who("taking_part"),
    ),
    Lesson(
        "outcry",
        "M-20",
        N_("Bid out loud, each time more than the last bid; the table then says who bought the lot and for how much."),
        phase("bidding"),
        who("taking_part"),
        acts=("sold",),
        only={"auction": ("open",)},
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
        phase("flipping", where=lambda at: (at.derived["limit"] or LOT) < LOT),
        who("flipper"),
    ),
    Lesson(
        "bonus",
        "M-19",
        N_("Six cards with all five colours are worth 10 more, as soon as the ship is full."),
        phase("flipping", where=nearly_full),
        only={"colour_bonus": (True,)},
    ),
    Lesson(
        "full",
        "M-11",
        N_("A full ship neither flips nor bids any more; it waits for the sale."),
        phase("flipping", where=lambda at: not all(at.derived["room"].values())),
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
        acts=("load",),
    ),
)

# -- why --------------------------------------------------------------------------------------------------------

QUIET = ("next", "loading", "full", "limit")

MOVES = {"tie": N_("Tie at {chips}: {seat} is first from {flipper:of} left.")}

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
    "kept": N_("kept"),
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
    "sale": N_("sold for"),
    "sharing": N_("shared"),
    "skipped": N_("skipped"),
    "taking_part": N_("taking part"),
}

HIDDEN = (
    "after", "before", "bids", "bonus", "card", "chips", "count", "flipper", "limit", "lot", "order", "out", "pile",
    "place", "places", "prize", "seat", "seats", "sharing", "skipped", "sum", "taking_part", "tied", "value",
)  # fmt: skip
"""Facts that the sentences of the rulings already say."""

NEAR = {"lot": plural("With {value} chip {seat} would have had the lot.",
                      "With {value} chips {seat} would have had the lot.", "value")}  # fmt: skip

NUMBERS = {
    "lot": Counted(("flipped",), ("sold", "unsold"), by="", title=N_("What the lot is made of")),
    "paid": Counted(("bid", "tie", "won", "bought", "sold"), ("auction",), by="", title=N_("How the price came about")),
    "bid": Counted(("bid",), ("auction",), title=N_("{of:of} bids in this auction")),
    "pile": Counted(("flipped", "loaded"), by="", title=N_("Why the pile is this high")),
    "cargo": Counted(("sold", "bonus", "loaded"), title=N_("What {of:of} cargo is made of")),
    "room": Counted(("sold", "loaded"), title=N_("Why {of} has this much room")),
    "chips": Counted(("sale", "shared", "over"), by="", title=N_("How the chips were earned")),
}

DID = {
    "flipped": N_("{seat} flipped {card}."),
    "stopped": N_("{seat} stopped flipping."),
    "revealed": N_("The fists were opened."),
    "bid": N_("{seat} bid {chips}."),
    "bought": N_("{seat} bought the lot for {chips}."),
    "unsold": N_("Nobody bought the lot."),
    "loaded": N_("{seat} loaded {card}."),
}

GUIDE: Guide[MercatorView, MercatorDerived] = Guide(
    because=BECAUSE,
    quiet=QUIET,
    moves=MOVES,
    did=DID,
    ends=dict.fromkeys(("sold", "unsold"), N_("Auction {number}")),
    names=NAMES,
    hidden=HIDDEN,
    near=NEAR,
    numbers=NUMBERS,
    begins=("flip", "load"),
    aim=AIM,
    minutes=20,
    layout=layout,
    lessons=LESSONS,
)
