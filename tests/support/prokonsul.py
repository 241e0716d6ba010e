"""Prokonsul from positions."""

from __future__ import annotations

from typing import Any

from companion.session.receipt import Receipt
from tests.support.playing import BOARD, Play

THREE = "red blue green"

FOUR = "red blue green yellow"


def table(seats: str = THREE, row: str | None = None, province: str = "a", board: Any = None, **options: Any) -> Play:
    """Return a game at its first choosing."""
    play = Play("prokonsul", seats, board=board or BOARD, options=options)
    if options.get("negotiation") != "free":
        play.ok("pawns", order=(row or seats).split())
    play.ok("province", province=province)
    return play


def cards(play: Play, ranks: str) -> Receipt:
    """Choose for all in the order of the seats, and reveal the cards."""
    for seat, rank in zip(play.header.seats, ranks.split(), strict=True):
        play.ok("choose", seat, card=f"{seat} {rank}")
    return play.ok("reveal")


def ask(play: Play, to: str, accept: bool = False, chips: int = 0) -> Receipt:
    play.ok("offer", play.view["pleader"], to=to, chips=chips)
    return play.ok("answer", to, accept=accept)


def in_vain(play: Play) -> Receipt:
    """Let the pleader ask everybody, and everybody say no."""
    pleader = play.view["pleader"]
    while True:
        receipt = ask(play, play.view["can_ask"][0])
        if play.view["pleader"] != pleader:
            return receipt
