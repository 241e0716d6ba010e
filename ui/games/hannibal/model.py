"""The screen's model of Hannibal gegen Rom: the map, where a touch leads, the battle, what is left to a victory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.games.hannibal.view import Region, Route
from companion.rules import N_
from companion.rules.outline import Outline
from ui.games.hannibal.goals import Goal, goals, left, left_briefly, tally, wants
from ui.games.hannibal.moment import HannibalMoment
from ui.games.hannibal.sentences import CAPITAL, CARTHAGE, ENEMY, ROME, count
from ui.games.parts.actions import Action, Terms, off_board, taps
from ui.games.parts.asking import Event
from ui.games.parts.headline import Headline, call
from ui.games.parts.past import Moved, last, moved

Point = tuple[float, float]

WIDE, HIGH = 540, 364
"""The sheet the map is drawn on, in dp of an 800x480 screen."""
REGIONS: Mapping[str, Point] = {
    "gallia": (176, 327),
    "rome": (394, 327),
    "cannae": (480, 234),
    "hispania_n": (66, 258),
    "hispania_s": (62, 139),
    "mauretania": (120, 38),
    "carthago": (310, 38),
    "zama": (476, 38),
    "corsica": (248, 234),
    "sardinia": (210, 134),
    "sicilia": (366, 142),
}
"""The places of the regions, as around the western Mediterranean: neighbours by sea leave room for their route."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A region or a route: its middle on the sheet, and how many pieces each side has there; Hannibal separately."""

    name: str
    at: Point
    pieces: Mapping[str, int]
    hannibal: bool
    fights: bool


class OnMap(Protocol):
    """The data a map is drawn from."""

    @property
    def regions(self) -> Mapping[str, Spot]: ...
    @property
    def routes(self) -> Mapping[str, Spot]: ...
    @property
    def land(self) -> Sequence[tuple[str, str]]: ...
    @property
    def sea(self) -> Sequence[tuple[str, str]]: ...


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map without a game, whose data are compared with the print."""

    regions: Mapping[str, Spot]
    routes: Mapping[str, Spot]
    land: Sequence[tuple[str, str]]
    sea: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange of a battle: each side's card, Hannibal's with its one more, and the sides that lost a piece."""

    cards: Mapping[str, str]
    lost: Collection[str]


@dataclass(frozen=True, slots=True)
class Battle:
    """The current battle, or the one just fought: each side's pieces there, and the cards still to come."""

    there: Mapping[str, int]
    before: Mapping[str, str]
    """The count before the last act, where that has changed it."""
    what: str
    """The name of these pieces: "Legions there"."""
    chosen: Collection[str]
    """Sides whose next card lies face down."""
    choosing: bool
    """Cards are still to come."""


@dataclass(frozen=True, slots=True)
class Hannibal:
    """All that the centre shows."""

    seats: Sequence[str]
    battle: Battle | None
    wants: Mapping[str, str]
    """What each side's goals are for; of one that is a move from winning, just that."""
    near: Collection[str]
    """The side that is a move from winning."""
    left: Mapping[str, str]
    """The pieces that each side has left."""
    left_briefly: Mapping[str, str]
    tally: Mapping[str, str]
    """Chips and core regions of each side where core control is agreed, else ""."""
    big: Headline
    regions: Mapping[str, Spot]
    routes: Mapping[str, Spot]
    land: Sequence[tuple[str, str]]
    sea: Sequence[tuple[str, str]]
    begins: Collection[str]
    foes: Collection[str]
    """The places where a move means a battle: none is fought for a capital."""
    taps: Mapping[tuple[str, str], Action | None]
    kinds: Mapping[tuple[str, str], Sequence[Action]]
    """The moves from one place to another where more than one kind of piece can make it."""
    actions: Sequence[Action]
    goals: Sequence[Goal]
    exchanges: Sequence[Exchange]
    """Those of the battle that is on, or has just been fought."""
    fought: int
    """The number of the act that ended a battle, as long as nothing has been done since; 0 for none."""
    note: str
    moved: Moved | None
    hit: str
    """The place where the last act has taken pieces away, or begun a battle; "" for nowhere."""
    awaited: Collection[str]
    """The sides whose tile has the side's colour now."""
    phase: str
    turn: str
    over: bool

    def tried(self, start: str, place: str) -> Event | None:
        """Return the move a wrong touch asks for, so that the referee can say why not."""
        if self.phase != "moving":
            return None
        start = start or place
        spot = self.regions.get(start)
        only = bool(spot and spot.hannibal and not spot.pieces[CARTHAGE]) and self.turn == CARTHAGE
        piece = "hannibal" if only else "legion" if spot else "fleet"
        return {"event": "move", "seat": self.turn, "piece": piece, "from": start, "to": place}


def centre(m: HannibalMoment) -> Hannibal:
    """Return the centre of the table at this moment."""
    view = m.view
    turn, board = view["turn"] or "", m.board or {}
    spots = {**view["regions"], **view["routes"]}
    enemy = ENEMY.get(turn, "")
    routes = route_points(view["routes"])
    return Hannibal(
        seats=tuple(m.seats),
        battle=battle(m),
        wants={side: wants(m, side) for side in (ROME, CARTHAGE)},
        near=m.derived["a_move_away"],
        left={side: left(m, side) for side in (ROME, CARTHAGE)},
        left_briefly={side: left_briefly(m, side) for side in (ROME, CARTHAGE)},
        tally={side: tally(m, side) for side in (ROME, CARTHAGE)},
        big=call(m) or Headline("", "", ""),
        regions={name: spot(m, name, REGIONS[name], data) for name, data in view["regions"].items()},
        routes={name: spot(m, name, routes[name], data) for name, data in view["routes"].items()},
        land=pairs(board.get("land", ())),
        sea=pairs(board.get("sea", ())),
        begins=[name for name, data in spots.items() if count(data, turn)] if view["phase"] == "moving" else (),
        foes=[name for name, data in spots.items() if count(data, enemy) and name != CAPITAL.get(enemy)],
        taps=taps(m.outlines),
        kinds=kinds(m),
        actions=off_board(m, Terms()),
        goals=goals(m),
        exchanges=exchanges(m),
        fought=m.acts[-1].number if fought(m) else 0,
        note=m.say(N_("Tap one of your pieces, then where it goes."))
        if view["phase"] == "moving" and m.outlines
        else "",
        moved=moved(m, "moved"),
        hit=str(last(m, "exchange", fresh=True).get("place", "")) if m.previous else "",
        awaited=[seat for seat, lamp in m.lamps.items() if lamp == "blink"],
        phase=view["phase"],
        turn=turn,
        over=view["over"],
    )


# -- the map ----------------------------------------------------------------------------------------------------


def pairs(links: Sequence[Sequence[str]]) -> Sequence[tuple[str, str]]:
    return [(one, other) for one, other in links]


def spot(m: HannibalMoment, name: str, at: Point, data: Region | Route) -> Spot:
    battle = m.view["battle"]
    pieces = {ROME: data["blue"], CARTHAGE: data["red"]}
    return Spot(m.name(name), at, pieces, bool(data.get("hannibal")), bool(battle and battle["place"] == name))


NEAR = 77, 42
"""The middles of a region and a route lie at least so far apart, one way or the other, if it can be."""


def route_points(routes: Collection[str]) -> Mapping[str, Point]:
    """Return the middle of each route, moved aside where something else lies there."""
    taken, found = list(REGIONS.values()), {}
    for route in routes:
        one, other = (REGIONS[end] for end in route.split("-"))
        x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        aside = (other[1] - one[1]) / 10, (one[0] - other[0]) / 10
        tries = [(x + aside[0] * step, y + aside[1] * step) for step in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5)]
        clear = [at for at in tries if all(clear_of(at, spot) for spot in taken)]
        found[route] = (clear or tries)[0]
        taken.append(found[route])
    return found


def apart(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def clear_of(one: Point, other: Point) -> bool:
    """Return whether neither of two middles lies on the other."""
    return abs(one[0] - other[0]) >= NEAR[0] or abs(one[1] - other[1]) >= NEAR[1]


def kinds(m: HannibalMoment) -> Mapping[tuple[str, str], Sequence[Action]]:
    ways: dict[tuple[str, str], list[Action]] = {}
    for outline in m.outlines:
        if outline.verb == "move":
            for action in moves(m, outline):
                ways.setdefault((action.picked["from"], action.picked["to"]), []).append(action)
    return {pair: able for pair, able in ways.items() if len(able) > 1}


def moves(m: HannibalMoment, outline: Outline) -> Sequence[Action]:
    (seat,), (piece,), (start,), ends = (outline.keys[key][1] or () for key in ("seat", "piece", "from", "to"))
    picked = [{"seat": seat, "piece": piece, "from": start, "to": to} for to in ends]
    return [Action("move", m.say(N_("{value}"), value=piece), "", keys, {"event": "move", **keys}) for keys in picked]


# -- the battle ------------------------------------------------------------------------


def battle(m: HannibalMoment) -> Battle | None:
    """Return the current battle or the one just fought, None if there is none."""
    fight = m.view["battle"]
    place = fight["place"] if fight else fought(m)
    if not place:
        return None
    here = {**m.view["regions"], **m.view["routes"]}[place]
    what = N_("Legions there") if place in m.view["regions"] else N_("Fleets there")
    there = {side: count(here, side) for side in (ROME, CARTHAGE)}
    choosing = bool(fight) and m.view["phase"] == "choosing"
    return Battle(there, before(m, place, there), m.say(what), m.view["chosen"] if choosing else (), choosing)


def before(m: HannibalMoment, place: str, there: Mapping[str, int]) -> Mapping[str, str]:
    """Return how many pieces stood there before the last exchange, for each side where that has changed."""
    if not m.previous or not last(m, "exchange", fresh=True):
        return {}
    view = m.previous.view
    stood = {**view["regions"], **view["routes"]}[place]
    return {side: str(count(stood, side)) for side in there if count(stood, side) != there[side]}


def fought(m: HannibalMoment) -> str:
    """Return where a battle has just ended, until the next act; "" for nowhere."""
    return "" if m.view["battle"] else str(last(m, "exchange", fresh=True).get("place", ""))


def exchanges(m: HannibalMoment) -> Sequence[Exchange]:
    """Return the exchanges since the battle began; after the battle, until the next act."""
    if not m.view["battle"] and not last(m, "exchange", fresh=True):
        return ()
    found: list[Exchange] = []
    for act in reversed(m.acts):
        for ruling in act.public:
            if ruling.code == "exchange":
                facts = ruling.facts
                cards = {side: str(facts[side]).split(" =")[0].replace(" ", "") for side in (ROME, CARTHAGE)}
                found.insert(0, Exchange(cards, tuple(facts["removed"])))
        if act.verb == "move":
            break
    return found
