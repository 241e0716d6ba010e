"""Speech of Prokonsul."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.prokonsul.prompts import said, short_by
from companion.games.prokonsul.view import ProkonsulDerived, ProkonsulView
from companion.rules import N_, Amount, Ruling, Said, Seat, plural
from companion.rules.cards import DECK
from companion.rules.data import Data
from companion.rules.guide import Known, Saying
from companion.rules.message import Message
from companion.rules.phrases import joined, runs
from companion.rules.speech import SILENT, Heard, Hears, OptionSpeech, Speech

At = Known[ProkonsulView, ProkonsulDerived]
"""A moment of Prokonsul, as everybody may know it."""

# -- rulings ----------------------------------------------------------------------------------------------------


def revealed(ruling: Ruling) -> Heard:
    """Announce the cards, the highest first: players plead in that order."""
    text = N_("{laid}. Total {total}. {target} wins.")
    return Heard(N_("{target} wins."), text, facts={"laid": standing(ruling.facts["cards"])})


def standing(values: Mapping[Seat, int]) -> Message:
    """Name seats by value, the highest first and equal ones together: "Ben nine, Anna and Chiara five each"."""
    by_value: dict[int, list[Seat]] = {}
    for seat, value in values.items():
        by_value.setdefault(value, []).append(seat)
    said: list[Message] = []
    for value, seats in sorted(by_value.items(), reverse=True):
        text = N_("{seats} {value} each") if len(seats) > 1 else N_("{seats} {value}")
        said.append(Message(text, seats=tuple(seats), value=value))
    return joined(said)


def offer(ruling: Ruling) -> Heard:
    """Announce an offer of chips, of a promise, of both or of nothing (P-10)."""
    chips, promise = ruling.facts["chips"], ruling.facts["promise"]
    if promise:
        return Heard("", PROMISED if chips else PROMISE_ALONE, facts={"promise": unended(promise)})
    return Heard("", OFFERED if chips else N_("{seat} offers {to} nothing."))


OFFERED = plural("{seat} offers {to} one chip.", "{seat} offers {to} {chips}.", "chips")
PROMISED = plural(
    "{seat} offers {to} one chip and promises: {promise}.",
    "{seat} offers {to} {chips} and promises: {promise}.",
    "chips",
)
PROMISE_ALONE = N_("{seat} offers {to} nothing but a promise: {promise}.")


def replaced(ruling: Ruling) -> Heard:
    """Announce the new offer, and whether the promise is kept, new or withdrawn (P-23)."""
    chips, promise = ruling.facts["chips"], ruling.facts["promise"]
    if promise:
        return Heard("", NOW_PROMISED if chips else NOW_PROMISE_ALONE, facts={"promise": unended(promise)})
    if "promise" in ruling.text:
        return Heard("", NOW_WITHOUT if chips else N_("{seat} now offers {to} nothing, without the promise."))
    return Heard("", NOW_OFFERED if chips else N_("{seat} now offers {to} nothing."))


NOW_OFFERED = plural("{seat} now offers {to} one chip.", "{seat} now offers {to} {chips}.", "chips")
NOW_WITHOUT = plural(
    "{seat} now offers {to} one chip, without the promise.",
    "{seat} now offers {to} {chips}, without the promise.",
    "chips",
)
NOW_PROMISED = plural(
    "{seat} now offers {to} one chip and promises: {promise}.",
    "{seat} now offers {to} {chips} and promises: {promise}.",
    "chips",
)
NOW_PROMISE_ALONE = N_("{seat} now offers {to} nothing but a promise: {promise}.")


def unended(words: str) -> Said:
    """Return a player's words without the full stop, for use inside a sentence."""
    return Said(words.rstrip(" .。"))


def accepted(ruling: Ruling) -> Heard:
    """Announce a yes, and what is still missing; a reached target is announced next (P-11)."""
    yes = N_("{seat} says yes.")
    more = short_by(ruling.facts["held"], ruling.facts["target"])
    text = N_("{seat} says yes. {pleader} holds {held}, {more} short.")
    return Heard(yes, text if more else yes, facts={"more": more})


def tie(ruling: Ruling) -> Heard:
    """Announce who of equal cards pleads: others in the row may stand further left, with other cards (P-9)."""
    text = N_(
        "{tied} tie with {rank}. Of these, {pleader} stands furthest left and pleads; that pawn goes to the right end."
    )
    if len(ruling.facts["tied"]) == 2:
        text = N_(
            "{tied} tie with {rank}. Of the two, {pleader} stands further left and pleads; "
            "that pawn goes to the right end."
        )
    return Heard("", text)


def coalition(ruling: Ruling) -> Heard:
    others = [member for member in ruling.facts["members"] if member != ruling.facts["seat"]]
    text = N_("With {others}, {seat} has {held} and wins the round.")
    return Heard("", text if others else REACHED, facts={"others": others})


def governor(ruling: Ruling) -> Heard:
    text = N_("{seat} governs {province} and is paid {value}.")
    home = plural("{seat} governs {province} and is paid {value}. A counter goes back to {home}.",
                  "{seat} governs {province} and is paid {value}. Counters go back to {home}.", "counters")  # fmt: skip
    return Heard(text, home if ruling.facts["home"] else text, "won", stays=True)


def over(ruling: Ruling) -> Heard:
    """Announce the winners, then the others (P-21)."""
    scores, winners = ruling.facts["scores"], ruling.facts["winners"]
    others = {seat: score for seat, score in scores.items() if seat not in winners}
    brief = N_("The game is over. {winners} wins with {best}.")
    full = N_("The game is over. {winners} wins with {best}. {others}.")
    if len(winners) > 1:
        brief = N_("The game is over. {winners} share the victory with {best} each.")
        full = N_("The game is over. {winners} share the victory with {best} each. {others}.")
    facts = {"best": Amount(scores[winners[0]]), "others": standing(others) if others else ""}
    return Heard(brief, full if others else brief, "won", stays=True, facts=facts)


TURNS = {
    "winner": N_("{winner} moves the black pawn."),
    "pleader": N_("Only {pleader} makes offers now."),
    "asked": N_("Only {asked} answers now."),
}
"""By the fact that names whose turn it is: what somebody else hears."""


def not_your_turn(ruling: Ruling) -> Heard:
    return Heard(next(text for key, text in TURNS.items() if key in ruling.facts))


REACHED = N_("{seat} wins the round with {held}.")

RULINGS: Mapping[str, Hears] = {
    # set-up and a round; the turn says what is to be done next
    "row": Heard("", N_("From the left: {row}.")),
    "province": Heard(N_("{province}."), N_("The black pawn goes to {province}, worth {value}.")),
    "cards_back": Heard(N_("Take all {count} cards back.")),
    "round": Heard("", N_("Round {round}.")),
    "chosen": Heard("", N_("{seat} has chosen."), "card"),
    "revealed": revealed,
    # pleading; the turn says who pleads
    "plea": SILENT,
    "tie": tie,
    "no_rival": Heard("", N_("{pleader} has no rival left, so no pawn moves.")),
    "silence": Heard("", N_("Silence, please.")),
    "offer": offer,
    "replaced": replaced,
    "accepted": accepted,
    "declined": Heard(N_("{seat} says no.")),
    "plea_failed": Heard(N_("{seat:of} plea fails."), N_("{seat} has asked everybody: the plea fails.")),
    # free negotiation
    "transfer": Heard("", plural("{seat} hands {to} one chip.", "{seat} hands {to} {chips}.", "chips")),
    "coalition": coalition,
    "no_decision": Heard(N_("No decision."), N_("No decision: the black pawn stays on {province}."), stays=True),
    # results
    "alone": Heard("", N_("{seat} wins the round with {rank} alone.")),
    "reached": Heard("", REACHED),
    "first_pleader": Heard("", N_("Nobody is left to plead. {seat} pleaded first and wins the round.")),
    "candidate": Heard(N_("{seat} is a candidate in {province}."), sound="won", stays=True),
    "no_counter": Heard(N_("{seat} wins, but has no counter left for {province}."), sound="won", stays=True),
    "governor": governor,
    "link": Heard(N_("And {value} more."), N_("And {value} more: {province} and {linked} are linked."), stays=True),
    "move_pawn": SILENT,
    "last_province": Heard(N_("Only {province} is left.")),
    "over": over,
    # refusals
    "same": Heard(N_("The black pawn must leave {province}.")),
    "nothing": Heard(N_("At least one chip must be handed over.")),
    "balance": lambda ruling: Heard(
        N_("That is more than you have. Offer less.") if ruling.rule == "P-10" else N_("That is more than {seat} has.")
    ),
    "turn": not_your_turn,
}

# -- whose turn it is -------------------------------------------------------------------------------------------


# -- what lies on the table -------------------------------------------------------------------------------------


def lies(at: At) -> Sequence[Saying]:
    """Describe the plea, the cards, the province at stake, all provinces, the row and the counters."""
    view = at.view
    sayings = [*plea(at), *laid(at), *stake(at)]
    sayings += [province(at, name) for name in view["provinces"]]
    if view["row"]:
        sayings.append(said("P-3", N_("The row from the left: {row}."), row=view["row"]))
    if at.options["game"] == "full":
        sayings.append(said("P-16", N_("Counters left: {counters}."), counters=standing(view["counters"])))
    return sayings


def plea(at: At) -> Iterator[Saying]:
    """Describe the offer, what the pleader has and needs, who can be asked, and who pleads next (P-8 to P-13)."""
    view, pleader = at.view, at.view["pleader"]
    if not pleader:
        return
    if view["offer"]:
        facts = {"seat": pleader, **view["offer"], "chips": Amount(view["offer"]["chips"])}
        promise = view["offer"]["promise"]
        heard = offer(Ruling("offer", "P-10", "", {**facts, "promise": Said(promise) if promise else None}))
        yield Saying("P-10", heard.full or "", {**facts, **heard.facts})
    held = at.derived["held"][pleader]
    text = N_("{pleader} pleads with {held} of {target}, {more} short.")
    yield said("P-14", text, pleader=pleader, held=held, target=view["target"],
               more=short_by(held, view["target"] or 0))  # fmt: skip
    if view["can_ask"]:
        others = standing({seat: at.derived["held"][seat] for seat in view["can_ask"]})
        yield said("P-10", N_("Can be asked: {others}."), others=others)
    if at.derived["pleas"]:
        text = N_("If nobody sells, these plead next: {seats}.")
        yield said("P-8", text, seats=[coming["seat"] for coming in at.derived["pleas"]])
    if view["first_pleader"] != pleader:
        yield said("P-15", N_("{seat} pleaded first."), seat=view["first_pleader"])


def laid(at: At) -> Iterator[Saying]:
    """Describe the cards of this round, and who holds them now (P-6, P-11)."""
    view = at.view
    if view["chosen"]:
        yield said("P-5", N_("Face down: the cards of {chosen}."), chosen=view["chosen"])
    if not view["played"]:
        return
    ranks = {seat: DECK[card].rank for seat, card in view["played"].items()}
    text = N_("Laid: {laid}. Total {total}. {target} wins.")
    yield said("P-6", text, laid=standing(ranks), total=view["total"], target=view["target"])
    for seat, cards in view["holds"].items():
        if len(cards) > 1:
            facts = dict(seat=seat, cards=[DECK[card].rank for card in cards], held=at.derived["held"][seat])
            yield said("P-11", N_("{seat} holds {cards}, total {held}."), **facts)
    if sold := [seat for seat, cards in view["holds"].items() if not cards]:
        yield said("P-11", N_("Sold: the cards of {sold}."), sold=sold)


def stake(at: At) -> Iterator[Saying]:
    """Describe where the black pawn stands, and the round (P-4)."""
    view = at.view
    if view["province"]:
        value = view["provinces"][view["province"]]["value"]
        text = N_("The black pawn stands on {province}, worth {value}.")
        yield said("P-4", text, province=view["province"], value=value)
    if view["round"]:
        text = N_("Round {round}.") if at.options["game"] == "full" else N_("Round {round} of seven.")
        yield said("P-22", text, round=view["round"])


def province(at: At, name: str) -> Saying:
    """Describe a province: its value, and its governor or candidates."""
    of = at.view["provinces"][name]
    facts: dict[str, object] = dict(province=name, value=of["value"])
    if of["governor"]:
        return said("P-17", N_("{province}, {value}, governor {governor}."), **facts, governor=of["governor"])
    if of["candidates"]:
        text = plural("{province}, {value}, candidate {candidates}.", "{province}, {value}, candidates {candidates}.")
        return said("P-16", text, **facts, candidates=of["candidates"], count=len(of["candidates"]))
    return said("P-2", N_("{province}, {value}, empty."), **facts)


def links(at: At, saying: Saying) -> Sequence[Saying]:
    """Describe the links of a province (P-18)."""
    if saying not in [province(at, name) for name in at.view["provinces"]]:
        return ()
    linked = at.derived["links"][saying.facts["province"]]
    return [said("P-18", N_("Linked with {links}.") if linked else N_("Not linked."), links=tuple(linked))]


PURSE = plural("You have one chip.", "You have {chips} chips.", "chips")


def holds(_at: At, _seat: Seat, private: Data) -> Sequence[Saying]:
    """Describe what is hidden from the others: the card face down, the hand, the purse."""
    sayings = []
    if private["choice"]:
        text = N_("Your {rank} lies face down.")
        sayings.append(said("P-5", text, rank=DECK[private["choice"]].rank))
    if ranks := [DECK[card].rank for card in private["hand"] if card != private["choice"]]:
        sayings.append(said("P-1", N_("You hold {ranks}."), ranks=runs(ranks)))
    return [*sayings, said("P-1", PURSE, chips=private["chips"])]


# -- what may be done -------------------------------------------------------------------------------------------


ASKS = {
    "pawns.order": N_("In which order, from the left?"),
    "province.province": N_("To which province?"),
    "choose.card": N_("Which card?"),
    "offer.to": N_("Whom do you ask?"),
    "offer.chips": N_("How many chips for {to}?"),
    "offer.promise": N_("What do you promise?"),
    "answer.accept": N_("Yes or no?"),
    "coalition.seat": N_("Who wins?"),
    "coalition.members": N_("Who is in the coalition?"),
    "transfer.seat": N_("Who hands chips over?"),
    "transfer.to": N_("To whom?"),
    "transfer.chips": N_("How many chips for {to}?"),
}


def province_to_choose(at: At, name: str, _: Data) -> Saying:
    return province(at, name)


def player_to_ask(at: At, seat: Seat, _: Data) -> Saying:
    """Name a player who can be asked, with the worth of all cards held."""
    return said("P-11", N_("{seat} with {held}."), seat=seat, held=at.derived["held"][seat])


VALUES = {"province.province": province_to_choose, "offer.to": player_to_ask}

OPTIONS = {
    "game": OptionSpeech(
        N_("Length of the game"),
        {
            "full": N_("A second win in a province makes a governor."),
            "short": N_("Cards one to seven, seven rounds; each won round makes a governor."),
        },
    ),
    "negotiation": OptionSpeech(
        N_("Negotiation"),
        {
            "strict": N_("One offer, yes or no."),
            "two_way": N_("The offer may be replaced before the answer."),
            "free": N_("Coalitions, and nobody pleads."),
        },
    ),
    "no_decision": OptionSpeech(
        N_("Rounds without a winner"), {True: N_("The table may end a round without a winner.")}
    ),
    "top_two": OptionSpeech(
        N_("Only the top two win"),
        {
            True: N_("Only one of the two highest different cards can win."),
            "ranks": N_("Only a card with fewer than two cards above it can win."),
        },
    ),
}

SPEECH: Speech[ProkonsulView, ProkonsulDerived] = Speech(
    RULINGS, lies, holds, ASKS, VALUES, announced={"offer.chips": lambda _: 0}, details=links, options=OPTIONS
)
