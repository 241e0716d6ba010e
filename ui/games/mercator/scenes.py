"""Pictures of Mercator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.rules import AnyGame
from ui.games.parts.scenes import played


def scenes(app: Any, game: AnyGame) -> Iterator[str]:
    """A game that shows every phase and is soon over."""
    return played(app, game, seed=20, middle=155)
