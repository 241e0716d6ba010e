"""Positions of Hannibal gegen Rom: reading, writing and checking them, and the layout of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.hannibal.rules import (
    CARTHAGE,
    CHIPS,
    REGIONS,
    ROME,
    SIDES,
    Battle,
    State,
    can_move,
    legions,
    mediterranean,
    stands,
)
from companion.games.hannibal.rules import setup as opening
from companion.games.hannibal.view import HannibalView
from companion.rules import N_, Options, Setup
from companion.rules.data import Data
from companion.rules.layout import Layout, Spot, by_seat, cards_of, counted
from companion.rules.message import Message
from companion.rules.position import Position
from companion.rules.position_parts import (
    BOARD,
    TURN,
    Count,
    Field,
    One,
    Part,
    Path,
    Some,
    Written,
    alone,
    dealt,
    hand_of,
)
from companion.rules.position_reader import PositionReader

KEYS = ("phase", "turn", "regions", "routes", "battle", "chips", "winners", "hand", "choice")
PHASES = ("moving", "declaring", "choosing", "over")
WHOLE = {(ROME, "legion"): 7, (CARTHAGE, "legion"): 5, (ROME, "fleet"): 3, (CARTHAGE, "fleet"): 3,
         (CARTHAGE, "hannibal"): 1}  # fmt: skip
"""H-2: with how many of each piece a side begins."""
MOST = {
    "legion": N_("{side} has {most} legions, not {count}"),
    "fleet": N_("{side} has {most} fleets, not {count}"),
    "hannibal": N_("there is {most} Hannibal, not {count}"),
}
"""The message where a side has more of a piece than it began with."""


def write(s: State) -> Data:
    regions = {place: {**{side: s.pieces[side]["legion"].get(place, 0) for side in SIDES},
                       "hannibal": place in s.pieces[CARTHAGE]["hannibal"]} for place in REGIONS}  # fmt: skip
    routes = {route: {side: s.pieces[side]["fleet"].get(route, 0) for side in SIDES} for route in s.board.routes}
    return {
        "phase": s.phase,
        "turn": s.turn,
        "regions": {place: _there(of) for place, of in regions.items() if any(of.values())},
        "routes": {route: _there(of) for route, of in routes.items() if any(of.values())},
        "battle": {"place": s.battle.place, "fighter": s.battle.fighter} if s.battle else None,
        "chips": s.chips if s.setup.options["core_control"] else None,
        "winners": s.winners,
        "hand": s.hands,
        "choice": s.choices,
    }


def _there(of: Mapping[str, int | bool]) -> Mapping[str, int | bool]:
    return {key: count for key, count in of.items() if count}


def read(setup: Setup, written: Data) -> State:
    """Return the state that a position describes. Raises Mistakes."""
    r, full = PositionReader(written, KEYS, setup.seats), opening(setup)
    phase = r.word(("phase",), r.get("phase"), PHASES)
    turn = r.seat(("turn",), r.get("turn"))
    pieces = _pieces(r, full)
    chips = _chips(r, setup)
    battle = _battle(r, full) if r.get("battle") is not None else None
    winners = [r.seat(("winners", at), seat) for at, seat in enumerate(r.items(("winners",), r.get("winners")))]
    hands = r.hands(full.hands)
    sealed = r.sealed(hands)
    r.end()
    s = State(setup, phase, turn, pieces, hands, chips, sealed, battle, tuple(winners))  # type: ignore[arg-type]
    _hands(r, s)
    {"over": _over, "moving": _moving}.get(phase, _battling)(r, s)
    r.end(s)
    return s


def _pieces(r: PositionReader, full: State) -> dict[str, dict[str, dict[str, int]]]:
    """Read the pieces by side and kind, and check that no side has more than it began with."""
    found: dict[str, dict[str, dict[str, int]]] = {side: {"legion": {}, "hannibal": {}, "fleet": {}} for side in SIDES}
    regions = r.object(("regions",), r.get("regions"), REGIONS)
    for place in (place for place in REGIONS if place in regions):
        of = r.object(("regions", place), regions[place], (*SIDES, "hannibal"))
        for side in SIDES:
            if count := r.whole(("regions", place, side), of.get(side)):
                found[side]["legion"][place] = count
        if r.flag(("regions", place, "hannibal"), of.get("hannibal")):
            found[CARTHAGE]["hannibal"][place] = 1
    routes = r.object(("routes",), r.get("routes"), full.board.routes)
    for route in (route for route in full.board.routes if route in routes):
        of = r.object(("routes", route), routes[route], SIDES)
        for side in SIDES:
            if count := r.whole(("routes", route, side), of.get(side)):
                found[side]["fleet"][route] = count
    for (side, kind), most in WHOLE.items():
        count = sum(found[side][kind].values())
        where = "routes" if kind == "fleet" else "regions"
        r.check(count <= most, Message(MOST[kind], side=side, most=most, count=count), where)
    return found


def _chips(r: PositionReader, setup: Setup) -> dict[str, int]:
    """Read the chips: at most one side has any of the eight (H-18)."""
    if not setup.options["core_control"]:
        r.check(r.get("chips") is None, Message("there are chips only with core control"), "chips")
        return dict.fromkeys(SIDES, 0)
    found = r.by_seat("chips", lambda at, value: r.whole(at, value, 0, CHIPS))
    what = Message("when one side takes a chip the other gives all of its own back")
    r.check(not all(found.values()), what, "chips")
    return found


def _battle(r: PositionReader, full: State) -> Battle:
    battle = r.object(("battle",), r.get("battle"), ("place", "fighter"))
    place = r.word(("battle", "place"), battle.get("place"), (*REGIONS, *full.board.routes))
    fighter = battle.get("fighter")
    if fighter is not None:
        fighter = r.word(("battle", "fighter"), fighter, ("legion", "hannibal", "fleet"))
    return Battle(place, fighter)


def _hands(r: PositionReader, s: State) -> None:
    """Check that both hands are equally large and not empty: all cards come back with the fifth (H-9, H-10)."""
    sizes = [len(hand) for hand in s.hands.values()]
    r.check(sizes[0] == sizes[1], Message("both sides have spent equally many cards"), "hand")
    r.check(all(sizes), Message("with the fifth exchange both take all cards back"), "hand")


def _shared(s: State) -> list[str]:
    """Return the places where both sides stand."""
    return [place for place in (*REGIONS, *s.board.routes) if all(stands(s, side, place) for side in SIDES)]


def _moving(r: PositionReader, s: State) -> None:
    r.check(s.battle is None, Message("there is no battle while a piece is to be moved"), "battle")
    r.check(not s.choices, Message("no card lies face down outside a battle"), "choice")
    r.check(not s.winners, Message("nobody has won yet"), "winners")
    for place in _shared(s):
        r.wrong(Message("both sides stand there: that would be a battle"), _key(place), place)
    _goes_on(r, s)
    r.check(can_move(s, s.turn), Message("{side} cannot move any piece, and would have lost", side=s.turn), "turn")
    other = CARTHAGE if s.turn == ROME else ROME
    done = all(condition.holds for condition in mediterranean(s, other))
    r.check(not done, Message("{side} controls the Mediterranean, and would have won", side=other), "turn")


def _goes_on(r: PositionReader, s: State) -> None:
    """Check that no side has lost or won (H-13, H-15, H-18)."""
    for side, enemy in zip(SIDES, ("carthago", "rome"), strict=True):
        r.check(legions(s, side), Message("{side} has no legion left, and would have lost", side=side), "regions")
        there = Message("{side} is in the enemy capital, and would have won", side=side)
        r.check(enemy not in legions(s, side), there, "regions", enemy)
        r.check(s.chips[side] < CHIPS, Message("{side} has eight chips, and would have won", side=side), "chips", side)


def _battling(r: PositionReader, s: State) -> None:
    """Check a battle: both sides are there, the mover with one piece, and Carthage's fighter fits (H-9, H-11)."""
    r.check(not s.winners, Message("nobody has won yet"), "winners")
    if not r.check(s.battle, Message("is missing: where is the battle?"), "battle"):
        return
    assert s.battle
    place = s.battle.place
    for other in _shared(s):
        r.check(other == place, Message("both sides stand there too: there is one battle"), _key(other), other)
    both = r.check(place in _shared(s), Message("both sides stand where the battle is"), "battle", "place")
    _goes_on(r, s)
    alone = stands(s, s.turn, place) == 1
    what = Message("{side} moved there, and has exactly one piece there", side=s.turn)
    r.check(alone or not both, what, _key(place), place)
    own = [kind for kind in ("legion", "hannibal", "fleet") if place in s.pieces[CARTHAGE][kind]]
    _fighter(r, s, own)
    if s.phase == "declaring":
        r.check(not s.choices, Message("who fights is said before cards are chosen"), "choice")


def _fighter(r: PositionReader, s: State, own: list[str]) -> None:
    """Check which piece fights for Carthage: red's choice where there is one, else the only kind there."""
    assert s.battle
    fighter, chooses = s.battle.fighter, "hannibal" in own and "legion" in own and s.turn == ROME
    if s.phase == "declaring":
        r.check(chooses, Message("{side} has no choice who fights there", side=CARTHAGE), "phase")
        r.check(fighter is None, Message("{side} has still to say who fights", side=CARTHAGE), "battle", "fighter")
    elif own:
        known = fighter in own and (chooses or len(own) == 1)
        what = Message("the piece that fights for {side} is one of: {own}", side=CARTHAGE, own=tuple(own))
        r.check(known, what, "battle", "fighter")


def _key(place: str) -> str:
    return "regions" if place in REGIONS else "routes"


def _over(r: PositionReader, s: State) -> None:
    r.check(s.battle is None, Message("there is no battle after the end"), "battle")
    r.check(not s.choices, Message("no card lies face down after the end"), "choice")
    r.check(len(s.winners) <= 1, Message("one side wins, or none"), "winners")


# -- what lies where --------------------------------------------------------------------------------------------


def layout(view: HannibalView, _: Options) -> Layout:
    """Lay out the pieces on the map, the cards in hand, face down and put aside, and the lost pieces in the box."""
    places: dict[str, dict[str, int]] = {}
    for side in SIDES:
        places |= cards_of(side, view["hand_sizes"][side], side in (view.get("chosen") or ()), 5)
    for place, of in view["regions"].items():
        places[place] = {"blue legion": of["blue"], "red legion": of["red"], "hannibal": int(of["hannibal"])}
    for route, at in view["routes"].items():
        places[route] = {"blue fleet": at["blue"], "red fleet": at["red"]}
    there = list(places.values())
    for (side, kind), whole in WHOLE.items():
        piece = kind if kind == "hannibal" else f"{side} {kind}"
        places.setdefault("box", {})[piece] = whole - sum(of.get(piece, 0) for of in there)
    return counted(places)


# -- what people change, part by part --------------------------------------------------------------------------------

FOLLOWS = ("box",)
"""The lost pieces are those that are nowhere on the map."""


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    cards, routes = dealt(setup, opening), tuple(setup.board.routes)
    legions = [Field(side, Count(f"{side} legion", 0, WHOLE[side, "legion"])) for side in SIDES]
    fleets = [Field(side, Count(f"{side} fleet", 0, WHOLE[side, "fleet"])) for side in SIDES]
    leader = Field("hannibal", Count("hannibal", 0, 1, flag=True))
    battle = (
        Field("place", One((None, *REGIONS, *routes)), N_("Where")),
        Field("fighter", One((None, "legion", "hannibal", "fleet")), N_("Who fights for Carthage")),
    )
    fought = [place] if (place := (written.get("battle") or {}).get("place")) else []
    chips = SIDES if setup.options["core_control"] else ()
    return [
        alone("turn", N_("Whose turn"), One(setup.seats)),
        alone("phase", N_("What is going on"), One(PHASES)),
        Part(("battle",), N_("Battle"), "", battle, TURN, places=fought),
        alone("winners", N_("Who has won"), Some(setup.seats)),
        *(Part(("chips", side), N_("Chips of {of}"), side, (Field("", Count("chip", 0, CHIPS)),), TURN,
               places=(f"seat {side}",)) for side in chips),
        *(Part(("regions", place), N_("{of}"), place, (*legions, leader), BOARD, places=(place,)) for place in REGIONS),
        *(Part(("routes", route), N_("{of}"), route, fleets, BOARD, places=(route,)) for route in routes),
        *(hand_of(seat, cards[seat]) for seat in setup.seats),
    ]  # fmt: skip


# -- what people compare, place by place -----------------------------------------------------------------------------


def places(setup: Setup) -> Sequence[Spot]:
    legions = [*(f"{side} legion" for side in SIDES), "hannibal"]
    fleets = [f"{side} fleet" for side in SIDES]
    return [
        *by_seat(setup.seats, ("hand", "sealed", "aside")),
        *(Spot(place, legions) for place in REGIONS),
        *(Spot(route, fleets) for route in setup.board.routes),
    ]


def entered(_: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    if " " in place:
        return None
    kind = "legion" if place in REGIONS else "fleet"
    found: dict[str, int | bool] = {side: count for side in SIDES if (count := pieces.get(f"{side} {kind}", 0))}
    if pieces.get("hannibal"):
        found["hannibal"] = True
    return ("regions" if place in REGIONS else "routes", place), found or None


POSITION: Position[State, HannibalView] = Position(
    write, read, ("hand", "choice"), layout, parts=parts, follows=FOLLOWS, places=places, entered=entered
)
