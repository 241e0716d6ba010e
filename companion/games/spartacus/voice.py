"""Speech of Spartacus. A card is called by its owner and its number, because the owner implies the colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.games.spartacus.view import SpartacusDerived, SpartacusView
from companion.rules import N_, Ruling, Seat, plural
from companion.rules.cards import DECK, Card
from companion.rules.data import Data
from companion.rules.guide import Known, Saying
from companion.rules.message import Message
from companion.rules.phrases import final, runs
from companion.rules.speech import SILENT, Heard, Hears, OptionSpeech, Speech

At = Known[SpartacusView, SpartacusDerived]
"""A moment of Spartacus, as everybody may know it."""

# -- rulings ----------------------------------------------------------------------------------------------------


def play(ruling: Ruling) -> Heard:
    card: Card = ruling.facts["card"]
    text = N_("{seat}: {rank}.")
    if not card.rank:
        joker = ruling.rule == "S-14"
        text = N_("{seat}: a joker.") if joker else N_("{seat}: the flag. The trick doubles.")
    return Heard("", text, "card", facts={"rank": card.rank})


def taken(ruling: Ruling) -> Heard:
    """Announce who takes the trick: the lowest number (S-6), or with jokers the last card (S-14)."""
    card: Card = ruling.facts["card"]
    text = N_("{seat:of} {rank} is lowest and takes the trick.")
    if ruling.rule == "S-14":
        text = N_("{seat:of} {rank} came last and takes the trick.")
        if not card.rank:
            text = N_("{seat:of} joker came last and takes the trick.")
    return Heard(N_("{seat} takes the trick."), text, "won", stays=True, facts={"rank": card.rank})


def last_trick(ruling: Ruling) -> Heard:
    card: Card = ruling.facts["card"]
    text = N_("{seat:of} {rank} takes the last trick.") if card.rank else N_("{seat:of} joker takes the last trick.")
    return Heard(N_("{seat} takes the last trick."), text, "won", stays=True, facts={"rank": card.rank})


def worth(ruling: Ruling) -> Heard:
    """Announce the points of a trick, and why they differ from the sum (S-10, S-14)."""
    cards, points = ruling.facts["cards"], ruling.facts["points"]
    total, flags = sum(card.rank for card in cards), sum(not card.rank for card in cards)
    brief = N_("It is worth {points}.")
    text = brief
    if ruling.facts["working"] == "0":
        brief = text = N_("It is worth nothing.")
        if total:
            text = N_("With a joker in it, it is worth nothing.")
    elif points > total:
        text = N_("{total}, doubled: {points}.")
        if flags > 1:
            text = (
                N_("{total}, doubled twice: {points}.")
                if flags == 2
                else N_("{total}, doubled {count} times: {points}.")
            )
    elif points < total:
        text = N_("{total}, less ten for the joker: {points}.")
        if flags > 1:
            text = N_("{total}, less ten for each of {count} jokers: {points}.")
    return Heard(brief, text, stays=True, facts={"total": total, "count": flags})


def tricks(ruling: Ruling) -> Heard:
    """Announce the points covered until now: each trick, then their sum (S-16)."""
    each = tuple(int(working.split()[-1].replace("−", "-")) for working in ruling.facts["tricks"])
    text: str = plural("{seat:of} one trick was worth {points}.", "{seat:of} tricks: {each}, total {points}.")
    return Heard(N_("{seat:of} tricks: {points}."), text, stays=True, facts={"each": each})


def hand(ruling: Ruling) -> Heard:
    """Announce the cost of a hand (S-11, S-14)."""
    cost, total = ruling.facts["cost"], sum(card.rank for card in ruling.facts["cards"])
    text = N_("{seat:of} hand costs {cost}.")
    if not cost:
        text = N_("{seat:of} hand costs nothing.")
    elif cost > total:
        text = N_("{seat:of} hand costs {cost}, doubled by the flag.")
        if ruling.rule == "S-14":
            text = N_("{seat:of} hand costs {cost}, ten of it for the joker.")
    return Heard("", text, stays=True)


def over(ruling: Ruling) -> Heard:
    """Announce the winners first, then the others by rank."""
    facts = final(ruling)
    text = N_("{winners} share the victory with {best} each.")
    if facts["others"]:
        text = N_("{winners} share the victory with {best} each. {others}.")
    if len(ruling.facts["winners"]) == 1:
        text = N_("{winners} wins with {best}. {others}.")
    return Heard(text, sound="won", stays=True, facts=facts)


def lower(ruling: Ruling) -> Heard:
    card, low = ruling.facts["card"].rank, ruling.facts["lowest"].rank
    text = N_("{rank} is too high. Play below {low}, or pass.")
    if low == 1:
        text = N_("No number is lower than one, but you may pass.")
    return Heard(text, facts={"rank": card, "low": low})


RULINGS: Mapping[str, Hears] = {
    "play": play,
    "passed": Heard(N_("{seat} passes.")),
    "taken": taken,
    "worth": worth,
    "leads": SILENT,
    "empty": Heard(N_("{seat:of} hand is empty: the game is over."), stays=True),
    "last_trick": last_trick,
    "nobody": Heard(N_("Only flags: nobody has the last trick."), stays=True),
    "tricks": tricks,
    "hand": hand,
    "over": over,
    # refusals
    "lower": lower,
}

# -- on request -------------------------------------------------------------------------------------------------


def lies(at: At) -> Sequence[Saying]:
    """Describe the result, or the trick and what every player holds and has taken."""
    result = at.view["result"]
    if result:
        return [Saying("S-12", N_("Total: {scores}."), {"scores": in_order(at, result["scores"])})]
    return [*trick(at), *hands(at)]


def trick(at: At) -> Iterator[Saying]:
    cards = [DECK[lying["card"]] for lying in at.view["trick"]]
    if not cards:
        yield Saying("S-2", N_("Nothing has been played to this trick."))
        return
    joker = at.options["flags"] == "joker"
    yield Saying("S-4", N_("The trick: {cards}."), {"cards": [called(card, joker) for card in cards]})
    if takes := at.derived["takes"]:
        text, rule = N_("{seat} has it so far."), "S-7"
        if at.derived["worth"] is not None:
            text = N_("{seat} has it so far. It is worth {worth}.")
        yield Saying(rule, text, {"seat": takes["seat"], "worth": at.derived["worth"]})
    if at.derived["below"] is not None:
        yield Saying("S-4", N_("A number must be below {rank}."), {"rank": at.derived["below"]})
    if at.view["passed"]:
        yield Saying("S-5", N_("Out of this trick: {seats}."), {"seats": tuple(at.view["passed"])})


def hands(at: At) -> Iterator[Saying]:
    yield Saying("S-1", N_("Cards in hand: {sizes}."), {"sizes": in_order(at, at.view["hand_sizes"])})
    if at.derived["flags"]:
        text = N_("Flags still to come: {seats}.")
        if at.options["flags"] == "joker":
            text = N_("Jokers still to come: {seats}.")
        yield Saying("S-1", text, {"seats": tuple(at.derived["flags"])})
    yield Saying("S-7", N_("Tricks taken: {tricks}."), {"tricks": in_order(at, at.view["tricks"])})
    if at.view["points"]:
        yield Saying("S-10", N_("Points in tricks: {points}."), {"points": in_order(at, at.view["points"])})


def in_order(at: At, values: Mapping[Seat, Any]) -> Mapping[Seat, Any]:
    """Return the values in the order of the seats."""
    return {seat: values[seat] for seat in at.seats}


def called(card: Card, joker: bool) -> Message:
    """Name a card of the trick by its owner."""
    if card.rank:
        return Message(N_("{seat} {rank}"), seat=card.colour, rank=card.rank)
    return Message(N_("{seat} joker") if joker else N_("{seat} flag"), seat=card.colour)


NOTHING_LOWER = N_("Nothing you hold is below {rank}: you can only pass.")


def holds(at: At, seat: Seat, private: Data) -> Sequence[Saying]:
    """Describe the cards that may be played now, if not all may, then the whole hand, highest first."""
    cards = sorted((DECK[name] for name in private["hand"]), key=lambda card: -card.rank)
    joker, below = at.options["flags"] == "joker", at.derived["below"]
    said = [Saying("S-1", N_("You hold {cards}."), {"cards": own(cards, joker)})] if cards else []
    if below is None or seat != at.view["turn"]:
        return said
    lower = [card for card in cards if card.rank < below]
    text = N_("Playable: {cards}.") if lower else NOTHING_LOWER
    return [Saying("S-4", text, {"cards": own(lower, joker), "rank": below}), *said]


def own(cards: Sequence[Card], joker: bool) -> Sequence[int | Message | Ruling]:
    """Name the cards of one hand, with consecutive numbers as one range."""
    flag = Message(N_("the joker")) if joker else Message(N_("the flag"))
    return runs([card.rank or flag for card in cards])


ASKS = {"play.card": N_("Which card?")}

OPTIONS = {
    "flags": OptionSpeech(
        N_("Flags"),
        {
            "double": N_("Each flag doubles its trick."),
            "joker": N_("A flag beats anything."),
            "none": N_("The flags stay in the box."),
        },
    ),
    "joker_penalty": OptionSpeech(
        N_("Joker penalty"),
        {
            "minus10": N_("Each joker costs ten, in a trick or in hand."),
            "void": N_("A trick with a joker is worth nothing."),
        },
    ),
    "points": OptionSpeech(
        N_("Counting the tricks"),
        {
            "shown": N_("Every trick is counted at once."),
            "covered": N_("Tricks are counted when the game is over."),
        },
    ),
}

SPEECH: Speech[SpartacusView, SpartacusDerived] = Speech(
    rulings=RULINGS, lies=lies, holds=holds, asks=ASKS, options=OPTIONS
)
