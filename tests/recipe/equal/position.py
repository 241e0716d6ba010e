"""Augur written down: whose turn it is, and the birds on the roof; what lies where."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.augur.rules import BIRDS, AugurView, State

from companion.rules import N_, Options, Setup
from companion.rules.layout import Layout, Spot
from companion.rules.position import Position
from companion.rules.position_parts import BOARD, Count, One, Part, Path, Written, alone
from companion.rules.position_reader import PositionReader


def write(s: State) -> Mapping[str, Any]:
    return {"turn": s.turn, "birds": s.birds}


def read(setup: Setup, written: Mapping[str, Any]) -> State:
    r = PositionReader(written, ("turn", "birds"), setup.seats)
    state = State(setup, r.seat(("turn",), r.get("turn")), r.whole(("birds",), r.get("birds"), 0, BIRDS))
    r.end(state)
    return state


def layout(view: AugurView, _: Options) -> Layout:
    there = {"roof": view["birds"], "sky": BIRDS - view["birds"]}
    return {place: {"bird": count} for place, count in there.items() if count}


def parts(setup: Setup, _: Written) -> Sequence[Part]:
    return [
        alone("turn", N_("Whose turn"), One(setup.seats)),
        alone("birds", N_("Birds on the roof"), Count("bird", 0, BIRDS), BOARD, ("roof",)),
    ]


def places(_: Setup) -> Sequence[Spot]:
    return [Spot("roof", ("bird",), BIRDS), Spot("sky", ("bird",), BIRDS)]


def entered(_: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    return (("birds",), pieces.get("bird", 0)) if place == "roof" else None


POSITION: Position[State, AugurView] = Position(
    write, read, (), layout, parts=parts, follows=("sky",), places=places, entered=entered
)
