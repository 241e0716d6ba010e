"""The boards by game: a view-model of the moment, and the widget that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.models.moment import Moment
from ui.models.plain import told
from ui.models.stage import stage

Board = tuple[Callable[[Moment], Any], Callable[..., Any]]


def board_of(game: str) -> Board:
    """What makes the centre of a game: a game without a board of its own is told in words."""
    from ui.boards.plain import PlainBoard
    from ui.boards.prokonsul import ProkonsulBoard

    boards: dict[str, Board] = {"prokonsul": (stage, ProkonsulBoard)}
    return boards.get(game, (told, PlainBoard))
