"""Things by name: pages and boards bring Kivy and are loaded when they are first needed, so that the start is quick."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def late(path: str) -> Any:
    """What stands at "package.module.Name", loaded now."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
