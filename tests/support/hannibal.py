"""Hannibal gegen Rom from positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from companion.games.hannibal.rules import PIECES
from companion.session.receipt import Receipt
from tests.support.playing import Play

SEATS = "blue red"

OPTIONS = [
    {"hannibal_choice": choice, "rome_hispania": hispania, "core_control": core}
    for choice, hispania, core in product(("exchange", "battle"), ("south", "north"), (False, True))
]


def pieces(words: str) -> Mapping[str, Mapping[str, int]]:
    """Return a side given in words: "rome 2 zama h:gallia rome-corsica 3"; a place with its count, h: is Hannibal."""
    side: dict[str, dict[str, int]] = {piece: {} for piece in PIECES}
    place, at = "", side["legion"]
    for word in words.split():
        if word.isdigit():
            at[place] = int(word)
            continue
        place = word.removeprefix("h:")
        at = side["hannibal" if word != place else "fleet" if "-" in word else "legion"]
        at[place] = 1
    return side


def table(blue: str, red: str, turn: str = "blue", chips: Sequence[int] = (0, 0), **more: Any) -> Play:
    """Return a game in progress, with these pieces, chips and turn."""
    play = Play("hannibal", SEATS, board=more.pop("board", None), options=more)
    state = play.session.state
    state = replace(state, pieces={"blue": pieces(blue), "red": pieces(red)}, turn=turn)
    play.put(replace(state, chips=dict(zip(("blue", "red"), chips, strict=True))))
    return play


def go(play: Play, where: str, piece: str | None = None) -> Receipt:
    """Move a piece of the side to move: "rome gallia", "rome-corsica cannae-sicilia"."""
    start, to = where.split()
    return play.ok("move", play.view["turn"], piece=piece or kind(start), **{"from": start, "to": to})


def kind(place: str) -> str:
    return "fleet" if "-" in place else "legion"


def exchange(play: Play, blue: int, red: int, piece: str | None = None) -> Receipt:
    """Choose for both sides and reveal; `piece` is what red declares first, where asked."""
    if piece:
        play.ok("defend", "red", piece=piece)
    play.ok("choose", "red", card=f"red {red}")
    play.ok("choose", "blue", card=f"blue {blue}")
    return play.ok("reveal")
