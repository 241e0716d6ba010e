"""Prompts of Prokonsul: what the game expects at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.prokonsul.view import ProkonsulDerived, ProkonsulView
from companion.rules import N_, Amount, Seat
from companion.rules.guide import Known, Saying
from companion.rules.prompts import HOLD, Can, Now, Prompt, Prompts, Way, yours

At = Known[ProkonsulView, ProkonsulDerived]
"""A moment of Prokonsul, as everybody may know it."""

# -- what is awaited ----------------------------------------------------------------------------------------------


def shown(at: At) -> Prompt:
    """Ask for the pawns, the province, a card, an offer, its answer, or a coalition."""
    view = at.view
    turn, waiting = [view["turn"]] if view["turn"] else [], view["waiting"]
    match view["phase"]:
        case "pawns":
            text = N_("draw the pawns blind and enter them in the order drawn")
            return Prompt("P-3", [], text, short=N_("draw the pawns"))
        case "province" if turn:
            text, won = N_("choose the province the black pawn moves to"), N_("{seats} won the round:")
            return Prompt("P-19", turn, text, who=won, short=N_("move the black pawn"))
        case "province":
            text = N_("agree on the province where the black pawn starts")
            return Prompt("P-4", [], text, short=N_("choose where the black pawn starts"))
        case "choosing":
            return Prompt("P-5", waiting, N_("choose a card and lay it face down"), short=N_("choose a card"))
        case "pleading":
            text = N_("ask somebody for their cards and make an offer")
            return Prompt("P-10", turn, text, who=N_("{seats} pleads:"), short=N_("ask somebody for their cards"))
        case "answering":
            text, yes_or_no = N_("answer {pleader} – yes or no?"), N_("yes or no?")
            if two_way(at):
                text = N_("yes or no? {pleader} may still change the offer")
            return Prompt("P-11", turn, text, {"pleader": view["pleader"]}, short=yes_or_no)
    text = N_("agree on a coalition that reaches {target}, and which member wins")
    return Prompt("P-23", [], text, {"target": view["target"]}, short=N_("agree on a coalition"))


# -- what may be done ----------------------------------------------------------------------------------------------


def now(at: At) -> Now:
    """Return what may be done at this moment, and why other moves are not possible."""
    match at.view["phase"]:
        case "pawns":
            text = N_("Everybody: draw the pawns blind, and enter them from left to right in the order drawn.")
            return Now([Can("pawns", (), said("P-3", text))], [said("P-4", N_("First set the pawn row."))])
        case "province":
            return Now([black_pawn(at)], list(closed(at)))
        case "choosing":
            return Now(list(choosing(at)), list(not_choosing(at)))
        case "pleading":
            return Now([offer(at)], [*not_asked(at), NO_STOPPING, silence(at)])
        case "answering":
            return Now(list(answering(at)), [*not_asked(at), BOUND[two_way(at)], silence(at)])
    return Now(list(negotiating(at)), list(not_negotiating(at)))


def said(rule: str, text: str, **facts: object) -> Saying:
    return Saying(rule, text, facts)


def two_way(at: At) -> bool:
    return at.options["negotiation"] == "two_way"


def black_pawn(at: At) -> Can:
    """Offer to choose the province at stake (P-4, P-19)."""
    seats = (at.view["turn"],) if at.view["turn"] else ()
    text = N_("{seats}: move the black pawn to another province without a governor.")
    first = N_("Everybody: agree where the black pawn starts.")
    return Can("province", seats, said("P-19", text, seats=seats) if seats else said("P-4", first))


def closed(at: At) -> Iterator[Saying]:
    if at.view["turn"] and not at.view["provinces"][at.view["province"] or ""]["governor"]:
        yield said("P-19", N_("The black pawn cannot stay in {province}."), province=at.view["province"])
    if places := [name for name, province in at.view["provinces"].items() if province["governor"]]:
        yield said("P-17", N_("Closed, with a governor already: {places}."), places=places)


def choosing(at: At) -> Iterator[Can]:
    """Offer the cards to lay face down, then the reveal (P-5)."""
    waiting, chosen = at.view["waiting"], at.view["chosen"]
    ways: Sequence[Way] = ("card", "finger")
    if waiting:
        text = N_("{seats}: choose a card and lay it face down.")
        yield Can("choose", waiting, said("P-5", text, seats=waiting), ways)
    else:
        fists: Sequence[Way] = ("finger",) if at.reveal == "auto" else ("fists", "finger")
        yield Can("reveal", (), said("P-5", N_("Everybody: reveal the cards together.")), fists)
    if chosen:
        text = N_("{seats}: choose another card instead, until the reveal.")
        yield Can("choose", chosen, said("T-3", text, seats=chosen), ways)


def not_choosing(at: At) -> Iterator[Saying]:
    if at.view["waiting"]:
        yield said("P-5", N_("No reveal yet: {waiting} must still choose."), waiting=at.view["waiting"])
    if (at.view["round"] or 1) % 10 != 1 and at.options["game"] == "full":
        yield said("P-20", N_("A card that has been played cannot be chosen until everybody takes all ten back."))


def offer(at: At) -> Can:
    seats, can_ask = (at.view["pleader"] or "",), at.view["can_ask"]
    text = N_(
        "{seats}: ask one of these for all their cards, in return for any number of chips and any promise: {can_ask}."
    )
    return Can("offer", seats, said("P-10", text, seats=seats, can_ask=can_ask))


def answering(at: At) -> Iterator[Can]:
    """Offer yes or no (P-11, P-12), and first another offer in two-way negotiation (P-23)."""
    asked, pleader = at.view["waiting"][:1], at.view["pleader"] or ""
    asked = [at.view["offer"]["to"]] if at.view["offer"] else asked
    text = N_("{seats}: say yes, and all your cards go to {pleader} for the chips; or say no.")
    ways: Sequence[Way] = ("press", "hold", "finger")
    yield Can("answer", asked, said("P-11", text, seats=asked, pleader=pleader), ways, N_("yes"), N_("no"))
    if two_way(at):
        text = N_("{seats}: make {asked} another offer in place of this one, before the answer.")
        yield Can("offer", (pleader,), said("P-23", text, seats=(pleader,), asked=asked))


def not_asked(at: At) -> Iterator[Saying]:
    """Explain who cannot be asked, and why (P-12, P-13)."""
    view = at.view
    pleader, others = view["pleader"] or "", [seat for seat in at.seats if seat != view["pleader"]]
    asked = view["offer"]["to"] if view["offer"] else ""
    no = [seat for seat in others if view["holds"][seat] and seat not in (*view["can_ask"], asked)]
    none = [seat for seat in others if not view["holds"][seat]]
    if asked and view["can_ask"]:
        yield said("P-10", N_("{asked} must answer before anybody else is asked."), asked=asked)
    if no:
        text = N_("Cannot be asked again in this plea: {seats}, who said no to {pleader}.")
        yield said("P-12", text, seats=no, pleader=pleader)
    if none:
        yield said("P-13", N_("No cards left, so cannot be asked: {seats}."), seats=none)


NO_STOPPING = said(
    "P-13", N_("Nobody can stop pleading early: a plea ends at the target, or when all have been asked.")
)

BOUND = {
    False: said("P-10", N_("The offer stands as it is: it cannot be changed or taken back before the answer.")),
    True: said("P-23", N_("The offer cannot be taken back, and another one can be made only to the same player.")),
}
"""The parts of an offer that bind the pleader, by whether negotiation is two-way."""


def silence(at: At) -> Saying:
    """Explain who may speak (P-26)."""
    pleader, asked = at.view["pleader"], at.view["offer"]["to"] if at.view["offer"] else None
    if two_way(at) and asked:
        return said("P-26", N_("Nobody but {pleader} and {asked} may speak."), pleader=pleader, asked=asked)
    return said("P-26", N_("Nobody but {pleader} may speak, except for a yes or a no."), pleader=pleader)


def negotiating(at: At) -> Iterator[Can]:
    """Offer the moves of free negotiation (P-23, P-24)."""
    able, verbs = at.derived["able"], {outline.verb for outline in at.outlines}
    text = N_("Everybody: name a coalition whose cards reach {target}, and which member wins. Can win: {able}.")
    yield Can("coalition", (), said("P-23", text, target=at.view["target"], able=able))
    yield Can("transfer", tuple(at.seats), said("P-23", N_("Anybody: hand chips to another player.")))
    if "no_decision" in verbs:
        yield Can("no_decision", (), said("P-24", N_("Everybody: end the round without a winner.")))


def not_negotiating(at: At) -> Iterator[Saying]:
    unable = [seat for seat in at.seats if seat not in at.derived["able"]]
    if unable:
        text = N_("Too low a card to win, but not to be in a coalition: {seats}.")
        yield said("P-25", text, seats=unable)
    if not at.options["no_decision"]:
        yield said("P-24", N_("The round cannot end without a winner: that was not agreed before the game."))
    yield said("P-23", N_("Cards do not change hands, and nobody pleads."))


# -- by ear -------------------------------------------------------------------------------------------------------


def turn(at: At) -> Saying | None:
    """Return the prompt that everybody hears: the seat awaited, and for what.

    It says only what the rulings of the same move have not said.
    """
    view = at.view
    match view["phase"]:
        case "pawns":
            return said("P-3", N_("Draw the pawns."))
        case "province" if view["turn"]:
            return said("P-19", N_("{seat} moves the black pawn."), seat=view["turn"])
        case "province":
            return said("P-4", N_("Where does the black pawn start?"))
        case "choosing":
            return cards(at)
        case "pleading":
            return pleading(at)
        case "answering" if view["offer"]:
            return said("P-10", N_("{seat}, yes or no?"), seat=view["offer"]["to"], offer=view["offer"]["chips"])
        case "negotiating":
            return coalition(at)
    return None


def cards(at: At) -> Saying | None:
    waiting = at.view["waiting"]
    if len(waiting) == 1:
        return said("P-5", N_("Waiting for {seat}."), seat=waiting[0])
    if waiting:
        return said("P-5", N_("Your cards, please."), round=at.view["round"])
    return None if at.reveal == "auto" else said("P-5", N_("Hold your buttons."))


def pleading(at: At) -> Saying:
    """Announce a plea that begins, or who can still be asked."""
    view, pleader = at.view, at.view["pleader"] or ""
    if begins(at):
        held = at.derived["held"][pleader]
        facts = dict(pleader=pleader, held=held, more=short_by(held, view["target"] or 0))
        return said("P-8", N_("{pleader} pleads with {held}, {more} short."), **facts)
    return said("P-13", N_("{pleader} can still ask {can_ask}."), pleader=pleader, can_ask=view["can_ask"])


def begins(at: At) -> bool:
    """Return whether nobody has been asked in this plea.

    The pleader then holds one card, and every other seat with cards can be asked.
    """
    holding = [seat for seat in at.seats if at.view["holds"][seat] and seat != at.view["pleader"]]
    return len(at.view["holds"][at.view["pleader"] or ""]) == 1 and len(holding) == len(at.view["can_ask"])


def coalition(at: At) -> Saying:
    able = at.derived["able"]
    if len(able) < len(at.seats):
        return said("P-25", N_("Negotiate. Who can win: {able}."), able=able)
    return said("P-23", N_("Negotiate."))


def mine(at: At, seat: Seat) -> Saying | None:
    """Return the prompt for one seat's ear, with the facts that others look up on the screen."""
    view = at.view
    match view["phase"]:
        case "province" if view["turn"] == seat:
            return said("P-19", N_("Your turn: where does the black pawn go?"))
        case "choosing" if seat in view["waiting"]:
            return said("P-5", N_("Your card, please."), round=view["round"])
        case "choosing" if not view["waiting"] and at.reveal == "fists":
            return said("P-5", HOLD, round=view["round"])
        case "pleading" if view["pleader"] == seat:
            more = short_by(at.derived["held"][seat], view["target"] or 0)
            text = N_("You need {more} more. Whom do you ask?")
            return said("P-10", text, more=more, can_ask=view["can_ask"])
        case "answering" if view["offer"] and view["offer"]["to"] == seat:
            text = N_("{chips} for your {held}: yes or no?")
            if not view["offer"]["chips"]:
                text = N_("No chips for your {held}: yes or no?")
            return said("P-11", text, chips=Amount(view["offer"]["chips"]), held=at.derived["held"][seat])
        case "answering" if view["pleader"] == seat and two_way(at):
            return said("P-23", N_("You may make another offer."), offer=view["offer"])
        case "negotiating":
            alone = N_("You cannot win, but others can with you.")
            return said("P-25", alone) if seat not in at.derived["able"] else said("P-23", N_("Find a coalition."))
    return yours(shown(at), seat) if view["turn"] == seat else None


def short_by(held: int, target: int) -> int:
    """Return how much is missing for the target."""
    return max(0, target - held)


PROMPTS: Prompts[ProkonsulView, ProkonsulDerived] = Prompts(now, shown, turn, mine)
