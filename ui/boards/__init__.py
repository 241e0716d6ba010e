"""The boards by game: a view-model of the moment, and the widget that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.models.moment import Moment

Board = tuple[Callable[[Moment], Any], Callable[..., Any]]


def board_of(game: str) -> Board:
    """What makes the centre of a game: a game without a board of its own gets the plain one."""
    if game == "prokonsul":
        from ui.boards.prokonsul import ProkonsulBoard
        from ui.models.stage import stage

        return stage, ProkonsulBoard
    from ui.boards.plain import PlainBoard
    from ui.models.plain import told

    return told, PlainBoard
