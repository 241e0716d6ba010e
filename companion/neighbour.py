"""What some games have beside their module: found by the game's name, and loaded when first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType


@cache
def neighbour(package: str, game: str) -> ModuleType | None:
    """The game's module in the package, None where it has none; a module that fails to load fails here too."""
    name = f"{package}.{game}"
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
