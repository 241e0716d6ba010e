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
    if game == "mercator":
        from ui.boards.mercator import MercatorBoard
        from ui.models import mercator

        return mercator.board, MercatorBoard
    if game == "spartacus":
        from ui.boards.spartacus import SpartacusBoard
        from ui.models import spartacus

        return spartacus.board, SpartacusBoard
    if game == "caesar":
        from ui.boards.caesar import CaesarBoard
        from ui.models.caesar import field

        return field, CaesarBoard
    if game == "hannibal":
        from ui.boards.hannibal import HannibalBoard
        from ui.models.hannibal import chart

        return chart, HannibalBoard
    from ui.boards.plain import PlainBoard
    from ui.models.plain import told

    return told, PlainBoard
