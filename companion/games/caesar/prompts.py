"""Prompts of Caesar: what the game expects at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.games.caesar.rules import NEUTRAL, RAYS, SQUARES
from companion.games.caesar.view import CaesarView
from companion.rules import N_, Seat, plural
from companion.rules.guide import Known, Saying
from companion.rules.outline import Outline
from companion.rules.phrases import part
from companion.rules.prompts import Can, Now, Prompt, Prompts, Way, both_down, cards_awaited, yours
from companion.rules.views import Derived

At = Known[CaesarView, Derived]
"""A moment of Caesar, as everybody may know it."""

# -- what is awaited ----------------------------------------------------------------------------------------------


def first_seen(at: At, square: str) -> Mapping[int, str]:
    """Return what the square sees: for each direction in `RAYS` the first occupied square (C-5)."""
    board = at.view["board"]
    found = {way: next((other for other in ray if other in board), "") for way, ray in enumerate(RAYS[square])}
    return {way: other for way, other in found.items() if other}


def owned(at: At, owner: str) -> Sequence[str]:
    return [square for square in SQUARES if square in at.view["board"] and at.view["board"][square]["owner"] == owner]


def met(at: At) -> frozenset[str]:
    """Return the owners of the groups that the seat to move sees; NEUTRAL stands for neutral counters."""
    board = at.view["board"]
    return frozenset(board[it]["owner"] for own in owned(at, mover(at)) for it in first_seen(at, own).values())


def attacks(at: At) -> bool:
    """Return whether the seat to move sees another player's group (C-8)."""
    return bool(met(at) - {mover(at), NEUTRAL})


def allies(at: At) -> bool:
    """Return whether the seat to move sees another of its own groups or a neutral counter (C-6)."""
    return bool(met(at) & {mover(at), NEUTRAL})


TURNS: Mapping[tuple[bool, bool], str] = {
    (True, True): N_("attack, or make an alliance"),
    (True, False): N_("attack; nothing else is possible"),
    (False, True): N_("make an alliance, or pass"),
    (False, False): N_("pass; nothing else is possible"),
}
"""The prompt of a turn, by whether an attack is possible and whether an alliance is."""


def shown(at: At) -> Prompt:
    """Ask for a counter, a turn, or a card for the duel."""
    match at.view["phase"]:
        case "placing":
            return Prompt("C-2", [mover(at)], N_("place a counter on an empty square"), short=N_("place a counter"))
        case "choosing":
            text = N_("choose a card for the duel, face down")
            return Prompt("C-9", at.view["waiting"], text, short=N_("choose a card"))
    return Prompt("C-4", [mover(at)], TURNS[attacks(at), allies(at)])


# -- what may be done ----------------------------------------------------------------------------------------------


def now(at: At) -> Now:
    """Return what may be done at this moment."""
    match at.view["phase"]:
        case "placing":
            return placing(at)
        case "turn":
            return turn(at)
        case "choosing":
            return choosing(at)
    return Now(())


def placing(at: At) -> Now:
    says = Saying("C-2", N_("{seat}: place a counter on any empty square."), {"seat": mover(at)})
    cannot = N_("Groups neither move nor attack before all counters are placed.")
    return Now([Can("place", [mover(at)], says)], [Saying("C-2", cannot)])


def turn(at: At) -> Now:
    """Offer an alliance, an attack or a pass, and explain which of them is not possible."""
    seat, attackers, alliances = mover(at), squares(at, "attack"), squares(at, "ally")
    text = N_("{seat}: attack another player's group that one of yours sees, from {squares}.")
    attack = Can("attack", [seat], Saying("C-8", text, {"seat": seat, "squares": attackers}))
    text = N_(
        "{seat}: make an alliance. A group moves onto another of yours or a neutral counter it sees, from {squares}."
    )
    ally = Can("ally", [seat], Saying("C-6", text, {"seat": seat, "squares": alliances}))
    may = Can("pass", [seat], Saying("C-4", N_("{seat}: pass, as no attack is possible."), {"seat": seat}), PASS)
    can = [*([attack] if attackers else []), *([ally] if alliances else []), *([] if attackers else [may])]
    return Now(can, list(closed(seat, bool(attackers), bool(alliances))))


PASS: Sequence[Way] = ("press", "finger")


def closed(seat: Seat, attacks: bool, alliances: bool) -> Iterator[Saying]:
    """Explain why the seat to move cannot attack, ally or pass."""
    at = {"seat": seat}
    if attacks:
        yield Saying("C-4", N_("{seat} cannot pass: an attack is possible."), at)
    else:
        text = N_("{seat} cannot attack: none of the groups sees another player's group in its row or column.")
        yield Saying("C-5", text, at)
    if not alliances:
        text = N_(
            "{seat} cannot make an alliance: no group sees another group of the same colour or a neutral counter."
        )
        yield Saying("C-6", text, at)


def choosing(at: At) -> Now:
    """Offer a card to each duellist, which can be changed until both are revealed."""
    waiting, down = at.view["waiting"], at.view["chosen"]
    text = N_("{seats}: choose a card for the duel and lay it face down.")
    can = [Can("choose", waiting, Saying("C-9", text, {"seats": waiting}), CARD)] if waiting else []
    if not waiting:
        ways = REVEAL[at.reveal == "fists"]
        can = [Can("reveal", down, Saying("C-9", N_("{seats}: reveal both cards together."), {"seats": down}), ways)]
    if down:
        text = N_("{seats}: choose another card instead, until both are revealed.")
        can.append(Can("choose", down, Saying("T-3", text, {"seats": down}), CARD))
    return Now(can, list(aside(at)))


CARD: Sequence[Way] = ("card", "finger")
REVEAL: Sequence[Sequence[Way]] = (("finger",), ("fists", "finger"))
"""The ways to reveal, without buttons and with them."""


def aside(at: At) -> Iterator[Saying]:
    """Explain that the reveal waits for both cards, and that other players choose none."""
    duel = at.view["duel"]
    assert duel
    both = [seat for seat in at.seats if seat in (duel["attacker"], duel["defender"])]
    if at.view["waiting"]:
        yield Saying("C-9", N_("No card is revealed before both lie face down."))
    if len(at.seats) - len(at.view["out"]) > len(both):
        yield Saying("C-9", N_("Only {seats} choose a card: it is their duel."), {"seats": both})


def mover(at: At) -> Seat:
    """Return the seat to move, or ""."""
    return at.view["turn"] or ""


def outlines(at: At, verb: str) -> Sequence[Outline]:
    return [outline for outline in at.outlines if outline.verb == verb]


def squares(at: At, verb: str) -> Sequence[str]:
    """Return the squares of the groups that can make this move."""
    return [square for outline in outlines(at, verb) for square in outline.keys["from"][1] or ()]


# -- by ear -------------------------------------------------------------------------------------------------------


def spoken_turn(at: At) -> Saying:
    """Return the prompt that everybody hears: the seat to move, and whether it can attack."""
    if at.view["phase"] == "choosing":
        return cards_awaited(at)
    able = at.view["phase"] == "placing" or attacks(at)
    return Saying("C-3", N_("{seat} to play.") if able else N_("{seat} cannot attack."), {"seat": mover(at)})


SIZED = plural("{square}", "{size} on {square}", by="size")
"""A group whose owner has just been named."""


def mine(at: At, seat: Seat) -> Saying | None:
    """Return the prompt for one seat's ear: the counters left to place, or the duel."""
    if seat not in at.view["waiting"]:
        return both_down(at, seat)
    match at.view["phase"]:
        case "placing":
            text = plural("Your turn. Place your last counter.", "Your turn. You have {count} counters to place.")
            return Saying("C-2", text, {"count": at.view["to_place"][seat]})
        case "choosing":
            return own_duel(at, seat)
    return yours(shown(at), seat)


def own_duel(at: At, seat: Seat) -> Saying:
    """Describe the duel from one duellist's point of view."""
    duel = at.view["duel"]
    assert duel
    squares = (duel["from"], duel["to"]) if seat == duel["attacker"] else (duel["to"], duel["from"])
    one, other = [part(SIZED, square=square, size=at.view["board"][square]["size"]) for square in squares]
    owner = at.view["board"][squares[1]]["owner"]
    text = N_("Your card, please: {one} against {owner:of} {other}.")
    return Saying("C-9", text, {"one": one, "owner": owner, "other": other})


PROMPTS: Prompts[CaesarView, Derived] = Prompts(now, shown, spoken_turn, mine)
