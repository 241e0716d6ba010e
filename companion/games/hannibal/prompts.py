"""Prompts of Hannibal gegen Rom: what the game expects at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.hannibal.view import HannibalDerived, HannibalView, Region, Route
from companion.rules import N_, Seat
from companion.rules.guide import Known, Saying
from companion.rules.prompts import Can, Now, Prompt, Prompts, Way, both_down, cards_awaited, yours

At = Known[HannibalView, HannibalDerived]
"""A moment of Hannibal gegen Rom, as everybody may know it."""

ROME, CARTHAGE = SIDES = ("blue", "red")

# -- what is awaited ----------------------------------------------------------------------------------------------


def shown(at: At) -> Prompt:
    """Ask for a move, for who fights, or for a card for the battle."""
    match at.view["phase"]:
        case "declaring":
            return Prompt("H-11", at.view["waiting"], N_("say who fights, Hannibal or a legion"))
        case "choosing":
            text = N_("choose a card for the battle, face down")
            return Prompt("H-9", at.view["waiting"], text, short=N_("choose a card"))
    if at.view["turn"] == ROME:
        return Prompt("H-4", [ROME], N_("move one legion or fleet"), who=N_("{seats} (Rome):"))
    return Prompt("H-4", [CARTHAGE], N_("move one piece"), who=N_("{seats} (Carthage):"))


# -- what may be done ----------------------------------------------------------------------------------------------

MOVES: Mapping[str, tuple[str, str]] = {
    "legion": (
        "H-5",
        N_("{seats}: move a legion to a neighbouring region by land, or along a route with a fleet of your own."),
    ),
    "hannibal": ("H-6", N_("{seats}: move Hannibal to a neighbouring region by land.")),
    "fleet": ("H-7", N_("{seats}: move a fleet to any other route.")),
}


def now(at: At) -> Now:
    match at.view["phase"]:
        case "moving":
            return Now(list(moves(at)), list(not_moving(at)))
        case "declaring":
            text = N_("{seats}: say who fights, Hannibal or a legion.")
            defend = Can("defend", (CARTHAGE,), said("H-11", text, seats=(CARTHAGE,)))
            no_card = said("H-11", N_("No card is chosen before {carthage} has said who fights."), carthage=CARTHAGE)
            return Now([defend], [no_card, NO_RETREAT])
        case "choosing":
            return Now(list(in_battle(at)), list(not_in_battle(at)))
    return Now(())


def said(rule: str, text: str, **facts: object) -> Saying:
    return Saying(rule, text, facts)


def moves(at: At) -> Iterator[Can]:
    """Yield one possible move for each kind of piece that can move."""
    seats = tuple(at.view["waiting"])
    able = {piece for outline in at.outlines if outline.verb == "move" for piece in outline.keys["piece"][1] or ()}
    for piece, (rule, text) in MOVES.items():
        if piece in able:
            yield Can("move", seats, said(rule, text, seats=seats))


def not_moving(at: At) -> Iterator[Saying]:
    turn = at.view["turn"]
    yield said("H-4", N_("Nobody can pass: {turn} must move one piece."), turn=turn)
    if turn == CARTHAGE and hannibal(at.view):
        yield said("H-6", N_("Hannibal cannot cross the sea, even with a fleet."))
    starts = {place for outline in at.outlines if outline.verb == "move" for place in outline.keys["from"][1] or ()}
    stay = [place for place, there in at.view["regions"].items() if turn and count(there, turn) and place not in starts]
    if stay:
        text = N_("No legion can leave {places} now: no fleet of its own side is on a route from there.")
        yield said("H-5", text, places=stay)
    yield said("H-9", N_("No card is chosen now: only a battle needs cards."))


NO_RETREAT = said("H-9", N_("Nobody can retreat: the battle goes on until at most one side is left there."))


def in_battle(at: At) -> Iterator[Can]:
    waiting, chosen = tuple(at.view["waiting"]), tuple(at.view["chosen"])
    ways: Sequence[Way] = ("card", "finger")
    if waiting:
        text = N_("{seats}: choose a card for the battle, face down.")
        yield Can("choose", waiting, said("H-9", text, seats=waiting), ways)
    else:
        text = N_("{seats}: reveal both cards together.")
        yield Can(
            "reveal", SIDES, said("H-9", text, seats=SIDES), ("finger",) if at.reveal == "auto" else ("fists", "finger")
        )
    if chosen:
        text = N_("{seats}: choose another card instead, until the reveal.")
        yield Can("choose", chosen, said("T-3", text, seats=chosen), ways)


def not_in_battle(at: At) -> Iterator[Saying]:
    view = at.view
    if view["waiting"]:
        yield said("H-9", N_("No reveal yet: {waiting} must still choose."), waiting=view["waiting"])
    if min(view["hand_sizes"].values()) < 5:
        yield said("H-10", N_("Cards that have been played come back only after the fifth exchange."))
    if hannibal(view) and view["battle"] and view["battle"]["place"] in view["regions"]:
        yield said("H-11", N_("Who fights for {carthage} is settled for this exchange."), carthage=CARTHAGE)
    yield NO_RETREAT


def hannibal(view: HannibalView) -> bool:
    """Return whether Hannibal is still in the game."""
    return any(region["hannibal"] for region in view["regions"].values())


def count(there: Region | Route, side: Seat) -> int:
    """Return how many pieces of the side stand there; Hannibal is one."""
    return there["blue"] if side == ROME else there["red"] + bool(there.get("hannibal"))


def legions(view: HannibalView, side: Seat) -> int:
    return sum(count(there, side) for there in view["regions"].values())


def fleets(view: HannibalView, side: Seat) -> int:
    return sum(count(there, side) for there in view["routes"].values())


# -- by ear -------------------------------------------------------------------------------------------------------


def turn(at: At) -> Saying:
    match at.view["phase"]:
        case "choosing":
            return cards_awaited(at)
        case "declaring":
            return Saying("H-11", N_("{seat}: Hannibal or a legion?"), {"seat": CARTHAGE})
    return Saying("H-4", N_("{seat} to play."), {"seat": at.view["turn"]})


def mine(at: At, seat: Seat) -> Saying | None:
    """Return the prompt for one seat's ear; in a battle it names the pieces on both sides."""
    if seat not in at.view["waiting"]:
        return both_down(at, seat)
    return own_battle(at, seat) if at.view["phase"] == "choosing" else yours(shown(at), seat)


def own_battle(at: At, seat: Seat) -> Saying:
    """Describe the battle from one side's point of view."""
    battle = at.view["battle"]
    assert battle
    there = at.view["regions"].get(battle["place"]) or at.view["routes"][battle["place"]]
    ours, theirs = [count(there, side) for side in (SIDES if seat == ROME else SIDES[::-1])]
    return Saying("H-9", N_("Your card, please: {ours} against {theirs}."), {"ours": ours, "theirs": theirs})


PROMPTS: Prompts[HannibalView, HannibalDerived] = Prompts(now, shown, turn, mine)
