"""Pictures of Caesar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.rules import AnyGame
from tools.scenes.games.any import played

if TYPE_CHECKING:
    from ui.page import App


def scenes(app: App, game: AnyGame) -> Iterator[str]:
    """Play a game that shows every phase and is soon over."""
    return played(app, game, seed=34, middle=70)
