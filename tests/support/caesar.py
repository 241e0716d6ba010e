"""Caesar from positions: boards, hands and players that its tests begin from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.caesar.rules import (
    GAME,
    NEUTRAL,
    Board,
    Group,
    State,
)
from companion.rules import Setup
from companion.rules.cards import DECK
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.playing import Play

TWO = "red blue"

THREE = "red blue green"

FIVE = "red blue green yellow purple"

LETTERS = {"r": "red", "b": "blue", "g": "green", "y": "yellow", "p": "purple", "n": NEUTRAL}


def board(picture: str) -> Board:
    """Return a board from its picture, row 1 first, columns a to e.

    `r3` is a red group of three, `n1` a neutral, `.` is empty.
    """
    cells = picture.split()
    assert len(cells) == 25
    there = ((column + row, cells[5 * y + x]) for y, row in enumerate("12345") for x, column in enumerate("abcde"))
    return {square: Group(LETTERS[cell[0]], int(cell[1:])) for square, cell in there if cell != "."}


EMPTY = " . . . . ."


class Position(Play):
    """A game taken up in its main phase: the board as it looks, and the cards that seats still hold."""

    def __init__(self, picture: str, seats: str = TWO, turn: str = "red", **hands: str) -> None:
        super().__init__("caesar", seats)
        held = {seat: tuple(DECK[f"{seat} {rank}"] for rank in ranks.split()) for seat, ranks in hands.items()}
        start = GAME.setup(self.header.setup)
        start = replace(start, phase="turn", turn=turn, board=board(picture), hands={**start.hands, **held})
        self.session = Session(replace(GAME, setup=lambda _: start), self.header.setup)

    def duel(self, seat: str, from_: str, to: str, card: object, other: object) -> Receipt:
        self.ok("attack", seat, **{"from": from_, "to": to})
        duel = self.view["duel"]
        self.ok("choose", duel["attacker"], card=f"{duel['attacker']} {card}")
        self.ok("choose", duel["defender"], card=f"{duel['defender']} {other}")
        return self.ok("reveal")

    def ally(self, seat: str, from_: str, to: str) -> Receipt:
        return self.ok("ally", seat, **{"from": from_, "to": to})

    def cannot(self, verb: str, seat: str, from_: str, to: str) -> tuple[str, str]:
        return self.refused(verb, seat, **{"from": from_, "to": to})

    def at(self, square: str) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.view["board"].get(square)
        return found


DUEL = "r2 . b1 . . r1 . b1 g1 ." + EMPTY * 3


def start(seats: int) -> State:
    opening: State = GAME.setup(Setup(tuple(FIVE.split()[:seats]), {}))
    return opening
