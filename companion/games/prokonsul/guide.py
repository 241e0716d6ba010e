"""Guide to Prokonsul: explanations, statistics and the lessons of a first game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.prokonsul.prompts import At, not_asked, two_way
from companion.games.prokonsul.view import ProkonsulDerived, ProkonsulView
from companion.rules import N_, NC_, Options, Seat
from companion.rules.guide import BOARD, Counted, Guide, Lesson, Saying
from companion.rules.vocabulary import CARD

# -- why --------------------------------------------------------------------------------------------------------

WON = ("reached", "alone", "coalition", "first_pleader")
"""The ways a round is won."""

BECAUSE = dict.fromkeys(("candidate", "no_counter", "governor", "move_pawn"), WON)

QUIET = ("round", "tie", "no_rival", "plea", "silence", "link", "move_pawn", "last_province", "cards_back")

MOVES = {
    "tie": N_("Move {pleader:of} pawn to the right end of the row."),
    "cards_back": N_("Everybody takes all {count} cards back."),
    "last_province": N_("Only {province} is still open: the black pawn stands there."),
}

NAMES = {
    "able": N_("can win"),
    "addends": N_("sum"),
    "to": NC_("person", "to"),
    "asked": N_("asked"),
    "before": N_("before"),
    "can_ask": N_("can be asked"),
    "counters": N_("counters left"),
    "first_pleader": N_("pleaded first"),
    "governor": N_("governor"),
    "held": N_("holds"),
    "home": N_("counters back to"),
    "linked": N_("linked with"),
    "members": N_("members"),
    "more": N_("short by"),
    "next": N_("next"),
    "others": N_("no rivals any more"),
    "paid": N_("paid by the bank"),
    "pleader": N_("pleads"),
    "promise": N_("promise"),
    "province": N_("province"),
    "provinces": N_("open provinces"),
    "rank": N_("card"),
    "round": N_("round"),
    "row": N_("row"),
    "score": N_("chips"),
    "target": N_("target"),
    "total": N_("total"),
}

HIDDEN = ("cards", "counters", "taken")

NEAR = {"plea": N_("Had {seat} laid the {value}, {seat} would have had this plea.")}

NUMBERS = {
    "target": Counted(("revealed",), ("revealed",), "", title=N_("Where the target comes from")),
    "total": Counted(("revealed",), ("revealed",), "", title=N_("How the total came about")),
    "held": Counted(
        ("plea", "accepted", *WON), ("revealed",), ("pleader", "seat"), title=N_("How {of:of} total came about")
    ),
    "counters": Counted(
        ("candidate", "no_counter", "governor"), (), ("seat", "home"), title=N_("Why {of} has this many counters left")
    ),
    "value": Counted(
        ("province", "candidate", "no_counter", "governor", "link"),
        (),
        ("province", "linked"),
        title=N_("Why {of} is worth this much"),
    ),
    "provinces": Counted(("governor",), (), "", title=N_("Which provinces are still open")),
    "row": Counted(("row", "tie"), (), "", title=N_("How the pawns came to stand in this row")),
    "paid": Counted(("governor", "link"), title=N_("What the bank has paid {of}")),
    "score": Counted(
        ("accepted", "transfer", "governor", "link", "over"),
        (),
        ("seat", "pleader", "to", "scores"),
        title=N_("Where {of:of} chips come from"),
    ),
}
"""The value is a province's: asked for by its name."""

# -- a first game -----------------------------------------------------------------------------------------------

AIM = N_(
    "Seven provinces need a governor: win a round over a province to be a candidate there, and another one to govern "
    "it and be paid its value. Once all seven are governed, the player with the most chips wins the game."
)


def layout(seats: Sequence[Seat], options: Options) -> Sequence[Saying]:
    """Explain what to lay out, in the usual order."""
    short = options["game"] == "short"
    cards = N_("Each player takes the cards 1–9 and 12 of one colour; all other cards stay in the box.")
    few = N_("Each player takes the cards 1–7 of one colour; all other cards stay in the box.")
    lines = [
        Saying("P-2", N_("The board goes in the middle."), lies={BOARD: {}, "beside": {"black pawn": 1}}),
        Saying("P-4", N_("The black pawn goes beside the board.")),
        Saying(
            "P-22" if short else "P-1",
            few if short else cards,
            lies={f"hand {seat}": {CARD: 7 if short else 10} for seat in seats},
        ),
        Saying(
            "P-1",
            N_("Each player lays the five counters of that colour in front of them, for all to see."),
            lies={f"stock {seat}": {f"{seat} counter": 5} for seat in seats},
        ),
        Saying(
            "P-1",
            N_("Each player takes 20 in chips and keeps them hidden; the rest is the bank."),
            lies={f"before {seat}": {"chip": 20} for seat in seats},
        ),
    ]
    if options["negotiation"] != "free":
        pawns = {f"{seat} pawn": 1 for seat in seats}
        text = N_("One pawn for each of {seats}, ready to be drawn blind.")
        lines.append(Saying("P-3", text, {"seats": seats}, {"beside": pawns}))
    return lines


def phase(*phases: str, where: Callable[[At], object] = lambda _: True) -> Callable[[At], bool]:
    """Return a test for these phases that also requires `where`."""
    return lambda at: at.view["phase"] in phases and bool(where(at))


def tied(at: At) -> bool:
    """Return whether another player laid the same card as the pleader."""
    ranks = [card.partition(" ")[2] for seat, card in at.view["played"].items() if seat != at.view["pleader"]]
    return at.view["played"].get(at.view["pleader"] or "", "").partition(" ")[2] in ranks


def refused(at: At) -> bool:
    return any(saying.rule == "P-12" for saying in not_asked(at))


def governed(at: At) -> int:
    return sum(bool(province["governor"]) for province in at.view["provinces"].values())


def turn(at: At) -> Sequence[Seat]:
    """Return the seat to move."""
    return (at.view["turn"],) if at.view["turn"] else ()


def full(at: At) -> bool:
    return at.options["game"] == "full"


def won(at: At) -> bool:
    """Return whether a round has been won and its winner moves the black pawn."""
    return full(at) and bool(at.view["turn"])


def may_return(at: At) -> bool:
    """Return whether the black pawn may go to a province with a counter of the winner."""
    ways = [outline.keys["province"][1] or () for outline in at.outlines if outline.verb == "province"]
    winner, provinces = at.view["turn"], at.view["provinces"]
    return won(at) and any(winner in provinces[place]["candidates"] for way in ways for place in way)


LESSONS: Sequence[Lesson[ProkonsulView, ProkonsulDerived]] = (
    Lesson("row", "P-3", N_("The pawns stand as drawn: when cards tie, the one further left comes first."),
           phase("pawns")),
    Lesson("stake", "P-4", N_("Every round is about the province where the black pawn stands; its number is what its"
                              " governor is paid."), phase("province", where=lambda at: not at.view["turn"])),
    Lesson("card", "P-6", N_("Your card is the number of votes you bring. The target is more than half of all the "
                             "votes: a player who reaches it wins the round."), phase("choosing")),
    Lesson("spent", "P-20", N_("A card you play comes back only when all ten have been played: save the high ones."),
           phase("choosing"), only={"game": ("full",)}),
    Lesson("short", "P-22", N_("The winner of a round governs the province at once; the most chips after seven "
                               "rounds win the game."), phase("choosing"), only={"game": ("short",)}),
    Lesson("plea", "P-8", N_("No card was enough on its own, so the player with the highest card pleads: they ask"
                             " the others, one by one, for the cards they laid."), phase("pleading")),
    Lesson("tie", "P-9", N_("If cards are equal, the player whose pawn is further left pleads first, and that pawn "
                            "moves to the end of the row."),
           phase("pleading", where=tied)),
    Lesson("offer", "P-10", N_("Offer somebody any number of chips, even none, and any promise: chips are paid at "
                               "once, promises bind nobody."), phase("pleading"), turn, acts=("offer",)),
    Lesson("first", "P-15", N_("If every plea fails, the player who pleaded first wins the round."), phase("pleading")),
    Lesson("silence", "P-26", N_("While somebody pleads, everybody else is silent."),
           phase("pleading", where=lambda at: not two_way(at))),
    Lesson("answer", "P-11", N_("Yes: you get the chips, the cards you laid go to the pleader, and you cannot plead in "
                                "this round. No: you keep them."), phase("answering"), turn, acts=("answer",)),
    Lesson("no", "P-12", N_("A player who said no is not asked again in this plea; a later pleader may ask again."),
           phase("pleading", where=refused)),
    Lesson("all", "P-13", N_("A pleader asks everybody who holds cards, until the target is reached: nobody may stop "
                             "early."), phase("pleading", where=refused), turn),
    Lesson("failed", "P-14", N_("The plea has failed: the pleader keeps the cards collected, and the next highest "
                                "card pleads."), phase("pleading", where=lambda at: at.view["pleaded"])),
    Lesson("free", "P-23", N_("Make a coalition whose cards are worth the target: talk and chips decide which member "
                              "wins."), phase("negotiating"), acts=("coalition",), only={"negotiation": ("free",)}),
    Lesson("aside", "P-19", N_("Put the cards of the round aside face down, sold ones too, each beside the player of "
                               "its colour."), phase("province", where=won)),
    Lesson("candidate", "P-16", N_("The winner of a round places a counter on the province; a winner who has one there "
                                   "already becomes its governor."), phase("province", where=won)),
    Lesson("next", "P-19", N_("You choose another province for the next round: one with a counter of yours is best."),
           phase("province", where=may_return), turn, acts=("province",)),
    Lesson("link", "P-18", N_("Two provinces joined by the sign with a 5 are a pair: a governor of both is paid 5 "
                              "more."),
           phase("province", where=won)),
    Lesson("governor", "P-17", N_("The governor's counter moves onto the value, and the bank pays that in chips. The "
                                  "province is closed, and all other counters there go back to their owners."),
           lambda at: governed(at) > 0, only={"game": ("full",)}),
    Lesson("end", "P-21", N_("The seventh governor ends the game, and the player with the most chips wins."),
           lambda at: governed(at) == 6, only={"game": ("full",)}),
)  # fmt: skip


DID = {
    "row": N_("The pawn row was {row}."),
    "province": N_("The black pawn went to {province}."),
    "revealed": N_("The cards were revealed."),
    "offer": N_("{seat} offered {to} {chips}."),
    "replaced": N_("{seat} offered {to} {chips}."),
    "accepted": N_("{seat} said yes to {pleader}."),
    "declined": N_("{seat} said no to {pleader}."),
    "coalition": N_("{seat} won the round with a coalition: {members}."),
    "no_decision": N_("There was no decision."),
    "transfer": N_("{seat} handed {to} {chips}."),
}

GUIDE: Guide[ProkonsulView, ProkonsulDerived] = Guide(
    because=BECAUSE,
    quiet=QUIET,
    moves=MOVES,
    did=DID,
    ends=dict.fromkeys(("governor", "no_decision"), N_("Round {number}")),
    names=NAMES,
    hidden=HIDDEN,
    rows={"row_before": N_("Row before"), "row_after": N_("Row after")},
    near=NEAR,
    numbers=NUMBERS,
    begins=("choose", "province"),
    aim=AIM,
    minutes=45,
    layout=layout,
    lessons=LESSONS,
)
