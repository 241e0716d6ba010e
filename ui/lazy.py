"""Lazy imports by name: pages and boards bring Kivy and are loaded when first needed, so that the start is quick."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def late(path: str) -> Any:
    """Return the object at "package.module.Name", importing its module now."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
