"""Prompts of Mercator: what the game expects at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.mercator.rules import LOT
from companion.games.mercator.view import MercatorDerived, MercatorView
from companion.rules import N_, Seat, plural
from companion.rules.guide import Known, Saying
from companion.rules.prompts import Can, Now, Prompt, Prompts, Way, yours
from companion.rules.speech import explained

At = Known[MercatorView, MercatorDerived]
"""A moment of Mercator, as everybody may know it."""

# -- what is awaited ----------------------------------------------------------------------------------------------


def shown(at: At) -> Prompt:
    """Ask for a card, the fists, the bids, or the last cards that are free."""
    seats, waiting = tuple(at.view["taking_part"]), tuple(at.view["waiting"])
    match at.view["phase"]:
        case "flipping" if at.view["lot"]:
            lot = {"lot": len(at.view["lot"])}
            return Prompt("M-3", waiting, N_("flip another card, or start the auction"), lot)
        case "flipping":
            limit = at.derived["limit"] or LOT
            fewer: str = plural("flip one card: there is room for no more", "flip up to {count} cards")
            text = fewer if limit < LOT else N_("flip the first card of the lot")
            return Prompt("M-4", waiting, text, {"count": limit}, short=N_("flip a card"))
        case "fists" if len(seats) == 1:
            return Prompt("M-10", seats, N_("hide chips in your fist, then open it"))
        case "fists":
            text = N_("hide chips in your fists, then open them together")
            return Prompt("M-7", seats, text, short=N_("hide chips, open together"))
        case "bidding" if at.options["auction"] == "open":
            return Prompt("M-20", seats, N_("who buys the lot, and for how much?"), who=N_("Open outcry:"))
        case "bidding" if len(waiting) == 1:
            return Prompt("M-7", waiting, N_("say what was in your fist"))
        case "bidding":
            text = N_("say what was in your fists, one after another")
            return Prompt("M-7", waiting, text, short=N_("say what was in your fists"))
    pile = {"pile": at.view["pile"]}
    text = N_("all other ships are full: load the next card from the pile for free")
    return Prompt("M-12", waiting, text, pile, short=N_("load a card"))


# -- what may be done ----------------------------------------------------------------------------------------------


def now(at: At) -> Now:
    """Return what may be done at this moment, and why other moves are not possible."""
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
    """Offer another card, or the auction (M-3)."""
    seats = (at.view["flipper"] or "",)
    text: str = N_("{seats}: flip the top card of the pile.")
    if not at.view["lot"]:
        return [Can("flip", seats, Saying("M-3", text, {"seats": seats}), ("card", "finger"))]
    more = (at.derived["limit"] or 0) - len(at.view["lot"])
    text = plural("{seats}: flip up to {count} more card.", "{seats}: flip up to {count} more cards.")
    stop = Saying("M-3", N_("{seats}: stop here and sell the lot as it is."), {"seats": seats})
    another = Saying("M-3", text, {"seats": seats, "count": more})
    return [Can("flip", seats, another, ("card", "finger")), Can("auction", seats, stop, ("press", "finger"))]


def fists(at: At) -> Can:
    """Offer the reveal: chips are hidden in fists and opened together (M-7, M-10)."""
    seats = tuple(at.view["taking_part"])
    saying = Saying("M-7", N_("{seats}: hide 0 or more chips in a fist each, and open together."), {"seats": seats})
    if len(seats) == 1:
        text = N_("{seats}: hide 1 chip or more in the fist to buy the lot, or none to let it go, and open the fist.")
        saying = Saying("M-10", text, {"seats": seats})
    ways: Sequence[Way] = ("fists", "finger") if at.reveal == "fists" else ("finger",)
    return Can("reveal", (), saying, ways)


def bidding(at: At) -> Iterator[Can]:
    """Offer the bids still to be named, and those that may be named again (M-7)."""
    waiting, named = tuple(at.view["waiting"]), tuple(at.view["bids"])
    yield Can("bid", waiting, Saying("M-7", N_("{seats}: say what was in the fist."), {"seats": waiting}))
    if named:
        again = N_("{seats}: name the amount again if it was misheard, until the last one is named.")
        yield Can("bid", named, Saying("M-7", again, {"seats": named}))


def outcry(at: At) -> Sequence[Can]:
    """Offer to name the buyer, or nobody (M-20)."""
    seats = tuple(at.view["waiting"])
    sold = N_("{seats}: call out bids; the last one buys the lot, for 1 chip or more.")
    unsold = N_("If nobody buys the lot, it leaves the game.")
    return [Can("sold", seats, Saying("M-20", sold, {"seats": seats})), Can("unsold", (), Saying("M-20", unsold))]


def loading(at: At) -> Sequence[Can]:
    """Offer the free cards (M-12)."""
    seats = tuple(at.view["waiting"])
    text = N_("{seats}: load the top card of the pile, for free and as it comes.")
    return [Can("load", seats, Saying("M-12", text, {"seats": seats}), ("card", "finger"))]


def few_cards(at: At) -> Iterator[Saying]:
    """Explain why there is no auction yet, or why the lot is limited (M-3, M-4)."""
    if not at.view["lot"]:
        yield Saying("M-3", N_("The auction begins once at least one card has been flipped."))
    limit = at.derived["limit"]
    if limit is not None and limit < LOT:
        text = plural("A lot of at most {count} card now: the emptiest ship has no room for more, or the pile holds "
                      "no more.",
                      "A lot of at most {count} cards now: the emptiest ship has no room for more, or the pile holds"
                      " no more.")  # fmt: skip
        yield Saying("M-4", text, {"count": limit})


def full(at: At) -> Iterator[Saying]:
    """Explain which seats neither flip nor bid (M-11)."""
    if seats := tuple(seat for seat, room in at.derived["room"].items() if not room):
        yield Saying("M-11", N_("No flip and no bid from {seats}: the ship is full."), {"seats": seats})


def no_room(at: At) -> Sequence[Saying]:
    """Explain which seats cannot bid for this lot (M-6)."""
    out = tuple(seat for seat in at.seats if seat not in at.view["taking_part"])
    text = N_("No bid from {seats}: the whole lot does not fit into the ship.")
    return [Saying("M-6", text, {"seats": out})] if out else []


# -- by ear -------------------------------------------------------------------------------------------------------


def turn(at: At) -> Saying | None:
    """Return the prompt that everybody hears.

    It stays the same while the flipper keeps flipping, and while bids are named.
    """
    seats = tuple(at.view["taking_part"])
    match at.view["phase"]:
        case "flipping":
            return flip(at, N_("{seat} flips."), plural("{seat} flips, one card at most.",
                                                        "{seat} flips, {count} cards at most."))  # fmt: skip
        case "fists" if len(seats) == 1:
            return Saying("M-10", N_("{seats} alone: one chip or more buys the lot."), {"seats": seats})
        case "fists":
            return Saying("M-7", N_("Fists: {seats}.") if out(at) else N_("Fists, everybody."), {"seats": seats})
        case "bidding" if at.options["auction"] == "open":
            return Saying("M-20", N_("Bids, please: {seats}.") if out(at) else N_("Bids, please."), {"seats": seats})
        case "bidding":
            text = N_("{seats}, name your bid.") if len(seats) == 1 else N_("Name your bids.")
            return Saying("M-7", text, {"seats": seats})
    return Saying("M-12", N_("{seats} loads from the pile."), {"seats": tuple(at.view["waiting"])})


CHIPS = explained(N_("Chips in your fist, or none."), N_("Chips in your fist, or none. Hold your button until “open”."))
ALONE = explained(
    N_("You alone may bid: one chip or more in the fist, or none."),
    N_("You alone may bid: one chip or more in the fist, or none. Hold your button until “open”."),
)


def mine(at: At, seat: Seat) -> Saying | None:
    """Return the prompt for one seat's ear; with fists it explains the button."""
    if seat not in at.view["waiting"]:
        return None
    match at.view["phase"]:
        case "fists" if len(at.view["taking_part"]) == 1:
            return Saying("M-10", ALONE)
        case "fists":
            return Saying("M-7", CHIPS)
        case "bidding" if at.options["auction"] == "open":
            return Saying("M-20", N_("Call your bids, then say who buys."))
        case "bidding":
            return Saying("M-7", N_("Name your bid."))
    return yours(shown(at), seat)


def flip(at: At, text: str, fewer: str) -> Saying:
    """Name the flipper, and the limit of the lot where it is lower than usual (M-3, M-4)."""
    limit = at.derived["limit"] or LOT
    return Saying("M-4", fewer if limit < LOT else text, {"seat": at.view["flipper"], "count": limit})


def out(at: At) -> Sequence[Seat]:
    """Return the seats that cannot bid for this lot (M-6)."""
    return tuple(seat for seat in at.seats if seat not in at.view["taking_part"])


PROMPTS: Prompts[MercatorView, MercatorDerived] = Prompts(now, shown, turn, mine)
