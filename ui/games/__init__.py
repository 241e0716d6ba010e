"""The boards by game: a view-model of the moment, and the widget that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.table.moment import Moment

Board = tuple[Callable[[Moment], Any], Callable[..., Any]]


def board_of(game: str) -> Board:
    """What makes the centre of a game: a game without a board of its own gets the plain one."""
    if game == "prokonsul":
        from ui.games.prokonsul.board import ProkonsulBoard
        from ui.games.prokonsul.stage import stage

        return stage, ProkonsulBoard
    if game == "mercator":
        from ui.games.mercator import model as mercator
        from ui.games.mercator.board import MercatorBoard

        return mercator.board, MercatorBoard
    if game == "spartacus":
        from ui.games.spartacus import model as spartacus
        from ui.games.spartacus.board import SpartacusBoard

        return spartacus.board, SpartacusBoard
    if game == "caesar":
        from ui.games.caesar.board import CaesarBoard
        from ui.games.caesar.model import field

        return field, CaesarBoard
    if game == "hannibal":
        from ui.games.hannibal.board import HannibalBoard
        from ui.games.hannibal.model import chart

        return chart, HannibalBoard
    from ui.games.any.board import PlainBoard
    from ui.games.any.sentences import told

    return told, PlainBoard
