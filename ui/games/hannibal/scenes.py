"""Pictures of Hannibal gegen Rom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.rules import AnyGame
from ui.games.parts.scenes import played

if TYPE_CHECKING:
    from ui.page import App


def scenes(app: App, game: AnyGame) -> Iterator[str]:
    """A game that shows every phase and is soon over; then a region whose ways are being changed."""
    yield from played(app, game, seed=1, middle=28)
    app.go(f"{game.name}.data")
    app.page.tap("rome")
    yield f"{game.name}-data-region"
