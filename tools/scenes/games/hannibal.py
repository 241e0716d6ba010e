"""Pictures of Hannibal gegen Rom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.rules import AnyGame
from tools.scenes.games.any import played

if TYPE_CHECKING:
    from ui.page import App


MARCH = "rome", "gallia", "hispania_n", "hispania_s", "mauretania"


def scenes(app: App, game: AnyGame) -> Iterator[str]:
    """Show a legion before Carthago, a short game with every phase, and a region whose ways are being changed."""
    app.evening.begin({"tabularium": 1, "game": game.name, "seats": list(game.fixed or ())})
    for at, to in pairwise(MARCH):
        app.act({"event": "move", "seat": "blue", "piece": "legion", "from": at, "to": to})
        app.act({"event": "move", "seat": "red", "piece": "legion", "from": "carthago", "to": "zama"})
        app.evening.drain()
    app.go("table")
    yield f"{game.name}-near"
    yield from played(app, game, seed=1, middle=28)
    app.go(f"{game.name}.data")
    app.page.tap("rome")
    yield f"{game.name}-data-region"
