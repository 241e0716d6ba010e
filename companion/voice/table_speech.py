"""What the table itself says aloud in every game: undo, redo, corrections, decisions, fists, and cards on readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from companion.rules import N_, Amount, Choose, Redo, Ruling, Said, Seat, Undo, plural
from companion.rules.cards import DECK, Card
from companion.rules.guide import Saying
from companion.rules.layout import Move, Payment
from companion.rules.message import Message
from companion.rules.phrases import joined
from companion.rules.prompts import CARDS
from companion.rules.speech import SILENT, AnySpeech, Heard, Hears
from companion.rules.vocabulary import BANK, COLOURS, KNOWN
from companion.session.piece_moves import hands_move
from companion.session.receipt import Receipt, acts, fork

# -- what was taken back, brought back, corrected, decided --------------------------------------------------------

LAST = N_("the last move")


def called(verb: str, seat: object) -> Message:
    """Return what people call a move, as "Anna's offer"."""
    text = KNOWN.done.get(verb, LAST)
    if "{seat" in text and not seat:
        return Message(LAST)
    return Message(text, seat=seat) if "{seat" in text else Message(text)


def act(receipt: Receipt) -> Message:
    """Return what people call a move: "Anna's six", "Ben's bid, seven chips", "Ben's move, Rome"; no hidden card."""
    event, said = receipt.event, called(receipt.verb, getattr(receipt.event, "seat", None))
    card, chips = getattr(event, "card", None), getattr(event, "chips", None)
    places = [getattr(event, key, None) for key in ("to", "square", "province")]
    for more in (None if chips is None else Amount(chips), *(place for place in places if place not in COLOURS)):
        if more is not None:
            return Message(N_("{act}, {more}"), act=said, more=more)
    if not isinstance(card, Card) or "seat" not in said.facts or isinstance(event, Choose):
        return said
    if receipt.game and receipt.game.owned and card.rank:  # whose it is tells the colour
        return Message(N_("{seat:of} {rank}"), seat=said.facts["seat"], rank=card.rank)
    return Message(N_("{seat:of} {card}"), seat=said.facts["seat"], card=card)


def turned(ruling: Ruling, receipt: Receipt, before: Receipt | None) -> Ruling:
    """Return the ruling of an undo or a redo with the moves it is about; `before` was the last move until then."""
    if before is None or not isinstance(receipt.event, Undo | Redo):
        return ruling
    undo, since = isinstance(receipt.event, Undo), fork(receipt.last, before)
    moves = acts(before if undo else receipt.last, since)
    facts: dict[str, object] = {"count": len(moves)}
    if len(moves) == 1:
        facts["act"] = act(moves[0])
    return replace(ruling, facts={**ruling.facts, **facts})


def undone(ruling: Ruling) -> Heard:
    """Return how an undo sounds: what was taken back, or how many moves where it was more than one (T-5)."""
    facts = ruling.facts
    if facts.get("to") == 0:
        return back(ruling, Message(N_("Taken back to the start.")))
    if facts.get("verb") == "amend":
        return back(ruling, Message(N_("Taken back: {act}."), act=Message(N_("the correction"))))
    if "act" not in facts and "count" in facts:
        text = plural("One move is taken back.", "{count} moves are taken back.")
        return back(ruling, Message(text, count=facts["count"]))
    what = facts["what"].facts if facts.get("what") else {}
    taken = facts.get("act") or called(facts["verb"], what.get("seat"))
    return back(ruling, Message(N_("Taken back: {act}."), act=taken))


def redone(ruling: Ruling) -> Heard:
    """Return how a redo sounds: what was brought back, where the teller has found that (T-7)."""
    facts = ruling.facts
    if facts.get("count", 0) > 1:
        text = plural("One move is brought back.", "{count} moves are brought back.")
        return back(ruling, Message(text, count=facts["count"]))
    if "act" in facts:
        return back(ruling, Message(N_("Brought back: {act}."), act=facts["act"]))
    return back(ruling, Message(N_("Brought back.")))


def amended(ruling: Ruling) -> Heard:
    """Return how a correction sounds: which move it was, what it is now, and how many moves fall with it (T-8)."""
    was, now = ruling.facts["was"], ruling.facts["now"]
    said = Message(N_("Corrected: {act}."), act=called(was["event"], was.get("seat")))
    other = [key for key in now if now[key] != was.get(key) and key not in ("words", "change")]
    if len(other) == 1 and other[0] in was and was["event"] == now["event"]:
        before, after = two_values(other[0], was[other[0]], now[other[0]])
        said = Message(N_("Corrected, {act}: {now}, not {was}."), **said.facts, now=after, was=before)
    elif other and was["event"] == now["event"]:
        values_now = [value(key, now[key]) for key in other]
        said = Message(N_("Corrected: {act}, now {other}."), **said.facts, other=values_now)
    if fallen := ruling.facts["fallen"]:
        text = plural("{what} One later move falls away.", "{what} {fallen} later moves fall away.", "fallen")
        said = Message(text, what=said, fallen=fallen)
    return back(ruling, said)


NOW = N_("Now it is: {said}")
"""What a move after a corrected one says, where it said something else before."""


def value(key: str, of: object) -> Any:
    """Return a value; spoken words stay as they were said."""
    return Said(of) if key == "promise" else of


def two_values(key: str, was: object, now: object) -> tuple[Any, Any]:
    """Return two values of a move; of two numbered cards of one colour their numbers alone."""
    one, other = DECK.get(str(was)), DECK.get(str(now))
    if one and other and one.colour == other.colour and one.rank and other.rank:
        return one.rank, other.rank
    return value(key, was), value(key, now)


def decided(ruling: Ruling) -> Heard:
    """Return how a decision sounds: the words of the table (T-9)."""
    words = Said(ruling.facts["words"].rstrip(" .。"))
    return back(ruling, Message(N_("The table decides: {words}."), words=words), obvious=0)


def back(ruling: Ruling, said: Message, obvious: int = 1) -> Heard:
    """Return the sentence, and in full also the payments and moves, as many as can be followed.

    `obvious` is how many moves on the real table follow from the sentence alone.
    """
    full, paid = said, [payment(of) for of in ruling.facts.get("chips", ())]
    if paid:
        more = N_("{said} {paid}.") if len(paid) <= 2 else N_("{said} {paid}, and more.")
        full = Message(more, said=full, paid=joined(paid[:2]))
    moves = hands_move(ruling)
    if len(moves) > obvious and (ruling.code == "decided" or not swapped(moves)):  # an undone correction swaps nothing
        more = N_("{said} {moves}.") if len(moves) <= FOLLOWED else N_("{said} {moves}, and more goes elsewhere.")
        goes = joined([Message("{move}", move=move) for move in moves[:FOLLOWED]])
        full = Message(more, said=full, moves=goes)
    return Heard(said.template, full.template, "back", facts={**said.facts, **full.facts})


def swapped(moves: Sequence[Move]) -> bool:
    """Return whether these moves put one card in the place of another."""
    if len(moves) != 2 or not all(move.piece in DECK for move in moves):
        return False
    one, other = moves
    return (one.from_, one.to) == (other.to, other.from_)


FOLLOWED = 2
"""How many moves on the real table can be followed in one breath; an ear has all of them one by one."""


def payment(of: Payment) -> Message:
    """Return, in words, chips that go from one to the other."""
    text = plural("one chip from {giver} to {taker}", "{count} chips from {giver} to {taker}")
    if of.to == BANK:
        text = plural("one chip from {giver} to the bank", "{count} chips from {giver} to the bank")
    if of.from_ == BANK:
        text = plural("one chip from the bank to {taker}", "{count} chips from the bank to {taker}")
    return Message(text, count=of.count, giver=of.from_, taker=of.to)


def impossible(ruling: Ruling) -> Heard:
    """Return how an impossible change sounds: what is wrong with it, but nothing that is hidden (T-9)."""
    return Heard(N_("That cannot be."), ruling.text)


# -- fists ------------------------------------------------------------------------------------------------------


def late(ruling: Ruling) -> Heard:
    """Return whose fist was late, in words people use: half a second, two seconds."""
    times = {seat: lateness(ms) for seat, ms in ruling.facts["late"].items()}
    if len(times) == 1:
        ((seat, time),) = times.items()
        return Heard(N_("{seat} was {time} late."), facts={"seat": seat, "time": time})
    several = [Message(N_("{seat} by {time}"), seat=seat, time=time) for seat, time in times.items()]
    return Heard(N_("Late: {several}."), facts={"several": joined(several)})


def lateness(ms: int) -> Message:
    """Return a time as people say it."""
    if ms < 750:
        return Message(N_("half a second"))
    if ms >= 60_000:
        return Message(N_("more than a minute"))
    return Message(plural("one second", "{count} seconds"), count=round(ms / 1000))


# -- all of it --------------------------------------------------------------------------------------------------


def as_read(ruling: Ruling) -> Heard:
    return Heard(ruling.text)


TABLE: Mapping[str, Hears] = {
    "count": Heard(N_("Three, two, one,")),
    "too_soon": Heard(N_("{seat} let go too soon. {seat}, hold again.")),
    "open": Heard(CARDS.signal, sound="open", stays=True),
    "late": late,
    # taken back, brought back, corrected, decided
    "undone": undone,
    "redone": redone,
    "amended": amended,
    "decided": decided,
    "nothing": Heard(N_("There is nothing to take back.")),
    "nothing_left": Heard(N_("There is nothing to bring back.")),
    "no_act": Heard(N_("That move no longer stands.")),
    "sealed": Heard(N_("A card face down is not corrected: choose again.")),
    "covered": Heard(N_("Nobody has seen that card: there is nothing to correct.")),
    "same": Heard(N_("That is just how it was.")),
    "impossible": impossible,
    "purse": Heard(plural("You now have one chip.", "You now have {chips} chips.", "chips")),
    "hand": as_read,
    # cards on readers
    "unknown_tag": Heard(N_("Unknown card. Enrol it, or choose it without the reader.")),
    "early": Heard(N_("{seat:of} card came too early. Lift it and lay it again.")),
    "reader": Heard(N_("{card} lies on the wrong reader.")),
    "seat": Heard(N_("Nobody plays {seat} in this game.")),
    # at the end, in a hall
    "approve": Heard(N_("Is the result right? Hold your button if it is.")),
    "right": Heard(N_("{seat} says: right.")),
    "wrong": Heard(N_("{seat} says: not right."), N_("{seat} says: not right. Settle it, or call the organiser.")),
    "approved": Heard(N_("All agree: the result is approved.")),
    # what the program says
    "notice": as_read,
    "fault": Heard(N_("The program made a mistake. Nothing has changed: undo or carry on.")),
    "tries": SILENT,
}
"""By code: what the table itself says in every game; anything else of its own is said as it is read."""
CLAUSES = ("T-5", "T-7", "T-8", "T-9")
"""Rulings that rest on these are the table's, even where a game has words for the same code."""
OWN: Mapping[str, str] = {"choose": N_("{card}, face down.")}
"""By verb: what the player hears in the ear of an own act in every game, where the game says nothing else."""
FLAG = N_("the flag")


def own_line(speech: AnySpeech, receipt: Receipt, seat: Seat) -> Saying | None:
    """Return what a seat hears of its own move; the colour of an own card need not be said."""
    event, text = receipt.event, speech.own.get(receipt.verb, OWN.get(receipt.verb, ""))
    if not text or event is None or getattr(event, "seat", None) != seat:
        return None
    facts = {field.name: getattr(event, field.name) for field in fields(event)}
    card = facts.get("card")
    if isinstance(card, Card) and card.colour == seat:
        facts["card"] = card.rank or Ruling("", "", FLAG)
    return Saying("", text, facts)
