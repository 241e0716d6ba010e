"""Speech of Mercator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.mercator.rules import LOT
from companion.games.mercator.view import MercatorDerived, MercatorView
from companion.rules import N_, Ruling, Seat, plural
from companion.rules.data import Data
from companion.rules.guide import Known, Saying
from companion.rules.phrases import final
from companion.rules.prompts import FISTS
from companion.rules.speech import SILENT, Heard, Hears, OptionSpeech, Speech

At = Known[MercatorView, MercatorDerived]
"""A moment of Mercator, as everybody may know it."""

# -- rulings ----------------------------------------------------------------------------------------------------


def flipped(ruling: Ruling) -> Heard:
    """Announce the card, and the sum of a lot with several cards."""
    lot = ruling.facts["lot"]
    text = N_("{card}; lot of {sum}.") if len(lot) > 1 else N_("{card}.")
    return Heard("", text, "card", facts={"sum": sum(card.rank for card in lot)})


def complete(ruling: Ruling) -> Heard:
    """Announce that the lot is complete, except after three cards: everybody knows that limit."""
    return SILENT if ruling.facts["count"] == LOT else Heard("", ruling.text)


def no_room(ruling: Ruling) -> Heard:
    """Announce one or two seats without room; if there are more, the prompt names those that bid (M-6)."""
    count = len(ruling.facts["out"])
    text = (
        N_("{out:of} ship is too full for this lot.")
        if count == 1
        else N_("Too full for this lot: the ships of {out}.")
    )
    return SILENT if count > 2 else Heard("", text)


def bid(ruling: Ruling) -> Heard:
    corrected = ruling.facts["before"] is not None
    return Heard("", N_("{seat} now bids {chips}.") if corrected else N_("{seat}: {chips}."))


def unsold(ruling: Ruling) -> Heard:
    """Announce that the lot leaves the game (M-10, M-20)."""
    text = N_("Nobody buys: the lot leaves the game.")
    if len(ruling.facts.get("bids", ())) > 1:
        text = N_("All bids are zero: the lot leaves the game.")
    return Heard(text, stays=True)


def sold(ruling: Ruling) -> Heard:
    """Announce the pawn's new space, unless the ruling on the bonus follows and announces it."""
    return SILENT if bonus_follows(ruling) else Heard("", N_("{seat:of} pawn: {after}."))


def loaded(ruling: Ruling) -> Heard:
    text = N_("{card}.") if bonus_follows(ruling) else N_("{card}. {seat:of} pawn: {after}.")
    return Heard("", text, "card")


def bonus_follows(ruling: Ruling) -> bool:
    """Return whether the bonus is paid next (M-19)."""
    return any(condition.what == "colour_bonus" and condition.holds for condition in ruling.facts["conditions"])


def sale(ruling: Ruling) -> Heard:
    if not ruling.facts["prize"]:
        return Heard(N_("{seat} earns nothing."), N_("{seat:of} cargo of {value} earns nothing."), stays=True)
    return Heard(N_("{seat} earns {prize}."), N_("{seat:of} cargo of {value} earns {prize}."), stays=True)


def shared(ruling: Ruling) -> Heard:
    """Announce a shared prize; "22½" that is paid as 22 is rounded down (M-15)."""
    text = N_("{seats} tie with {value} and share: {prize} each.")
    if "½" in ruling.facts["sharing"] and ruling.facts["prize"] == int(ruling.facts["prize"]):
        text = N_("{seats} tie with {value} and share: {prize} each, rounded down.")
    return Heard(N_("{seats} earn {prize} each."), text, stays=True)


def too_much(ruling: Ruling) -> Heard:
    """Refuse what a purse cannot pay, without a word of the purse (T-6)."""
    return Heard(
        N_("That is more than you have. Bid again.") if ruling.rule == "M-7" else N_("That is more than {seat} has.")
    )


def over(ruling: Ruling) -> Heard:
    """Announce the winners first, then the others by rank."""
    facts = final(ruling)
    text = N_("{winners} share the victory with {best} chips each.")
    if facts["others"]:
        text = N_("{winners} share the victory with {best} chips each. {others}.")
    if len(ruling.facts["winners"]) == 1:
        text = N_("{winners} wins with {best} chips. {others}.")
    return Heard(text, sound="won", stays=True, facts=facts)


RULINGS: Mapping[str, Hears] = {
    "open": Heard(FISTS.signal, sound="open", stays=True),
    "flipped": flipped,
    "limit": complete,
    "stopped": Heard("", N_("{seat} sells this lot.")),
    "no_room": no_room,
    "auction": SILENT,
    "revealed": SILENT,
    "bid": bid,
    "won": Heard(plural("{seat} has the lot for one chip.", "{seat} has the lot for {chips}.", "chips"),
                 sound="won", stays=True),
    "tie": Heard(N_("Tie at {chips}: {seat} has the lot."),
                 N_("{tied} tie with {chips}. {seat} is first from {flipper:of} left and has the lot."),
                 "won", stays=True),
    "bought": Heard(plural("{seat} buys the lot for one chip.", "{seat} buys the lot for {chips}.", "chips"),
                    sound="won", stays=True),
    "unsold": unsold,
    "sold": sold,
    "bonus": Heard(N_("All five colours: {bonus} more."),
                   N_("All five colours, {bonus} more. {seat:of} pawn: {after}."), stays=True),
    "full": Heard("", N_("The ship is full.")),
    "next": SILENT,
    "loading": Heard("", plural("Only {seat:of} ship has room: it loads one card, free.",
                                "Only {seat:of} ship has room: it loads {count} cards, free.")),
    "loaded": loaded,
    "auctions_over": lambda ruling: Heard(N_("The auctions are over."), ruling.text, stays=True),
    "sale": sale,
    "shared": shared,
    "over": over,
    # refusals
    "room": Heard(N_("No room in {seat:of} ship. Bidding: {taking_part}.")),
    "nothing": Heard(N_("The lot costs at least one chip.")),
    "balance": too_much,
}  # fmt: skip

# -- on request -------------------------------------------------------------------------------------------------


def lies(at: At) -> Sequence[Saying]:
    """Describe the result and the ships, or the lot, its auction, the pile and the ships."""
    result = at.view["result"]
    if result:
        scores = {seat: result["scores"][seat] for seat in at.seats}
        return [Saying("M-16", N_("In chips: {scores}."), {"scores": scores}), *ships(at)]
    return [*lot(at), *auction(at), pile(at), *ships(at)]


def lot(at: At) -> Iterator[Saying]:
    cards, flipper = at.view["lot"], at.view["flipper"]
    if cards:
        text: str = plural("The lot: {lot}.", "The lot: {lot}; worth {worth}.")
        yield Saying("M-3", text, {"lot": tuple(cards), "worth": at.derived["worth"], "count": len(cards)})
    elif flipper:
        yield Saying("M-3", N_("No lot yet."))
    if flipper:
        yield Saying("M-3", N_("{seat} has the flip."), {"seat": flipper})
    limit = at.derived["limit"]
    if at.view["phase"] == "flipping" and limit is not None:
        text = plural("The lot has one card at most.", "The lot has {count} cards at most.")
        yield Saying("M-4", text, {"count": limit})


def auction(at: At) -> Iterator[Saying]:
    """Describe who bids, which bids are named, and who wins a tie."""
    if at.view["phase"] not in ("fists", "bidding"):
        return
    yield Saying("M-6", N_("Bidding: {seats}."), {"seats": tuple(at.view["taking_part"])})
    if at.view["bids"]:
        yield Saying("M-7", N_("Bids so far: {bids}."), {"bids": at.view["bids"]})
        yield Saying("M-7", N_("Still to come: {seats}."), {"seats": tuple(at.view["waiting"])})
    if at.options["auction"] == "fists" and len(at.view["taking_part"]) > 1:
        order = tuple(seat for seat in at.derived["order"] if seat in at.view["taking_part"])
        yield Saying("M-9", N_("In a tie the first of these wins: {seats}."), {"seats": order})


def pile(at: At) -> Saying:
    count = at.view["pile"]
    text: str = plural("One card in the pile.", "{count} cards in the pile.")
    return Saying("M-2", text if count else N_("The pile is empty."), {"count": count})


def ships(at: At) -> Iterator[Saying]:
    """Describe each ship: its worth, its room, then its cards."""
    for seat in at.seats:
        cards, room = at.view["ships"][seat], at.derived["room"][seat]
        text: str = plural("{seat:of} ship: worth {worth}, room for one card. {cards}.",
                           "{seat:of} ship: worth {worth}, room for {count} cards. {cards}.")  # fmt: skip
        if not cards:
            text = N_("{seat:of} ship is empty.")
        elif not room:
            text = N_("{seat:of} ship is full: worth {worth}. {cards}.")
        facts = {"seat": seat, "worth": at.view["track"][seat], "count": room, "cards": tuple(cards)}
        yield Saying("M-11", text, facts)


def holds(_: At, __: Seat, private: Data) -> Sequence[Saying]:
    """Describe the seat's purse."""
    text: str = plural("You have one chip.", "You have {chips} chips.", "chips")
    return [Saying("M-1", text if private["chips"] else N_("You have no chips."), {"chips": private["chips"]})]


ASKS = {
    "flip.card": N_("Which card is it?"),
    "load.card": N_("Which card is it?"),
    "bid.seat": N_("Whose bid?"),
    "bid.chips": N_("How many chips?"),
    "sold.seat": N_("Who buys the lot?"),
    "sold.chips": N_("How many chips does {seat} pay?"),
}


def highest(at: At) -> int:
    """Return the highest bid so far, as the next bid is most likely near it."""
    return max(at.view["bids"].values(), default=0)


OPTIONS = {
    "halves": OptionSpeech(
        N_("Half chips"),
        {"exact": N_("A shared prize is paid to the half."), "down": N_("A shared prize loses its half.")},
    ),
    "colour_bonus": OptionSpeech(
        N_("Colour bonus"), {True: N_("A full ship that shows all five colours is worth ten more.")}
    ),
    "auction": OptionSpeech(
        N_("Bids"),
        {"fists": N_("Everybody hides chips, and all open together."), "open": N_("Everybody calls out bids.")},
    ),
}

SPEECH: Speech[MercatorView, MercatorDerived] = Speech(
    rulings=RULINGS, lies=lies, holds=holds, asks=ASKS, announced={"bid.chips": highest}, options=OPTIONS
)
