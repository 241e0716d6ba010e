"""The reference firmware under this Python: the very files of a microcontroller, loaded by path."""

from __future__ import annotations

import importlib.util
import sys
from functools import partial
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

from drivers.virtual.hub.board import VirtualBoard

INSTALLED = Path(__file__).with_name("notes")
FOLDER = INSTALLED if INSTALLED.is_dir() else Path(__file__).parents[3] / "firmware_notes" / "hub"
"""The very files that go onto a microcontroller: beside this file in a wheel, in firmware_notes in a checkout."""
FILES = ("lines", "core", "rc522", "loop")
"""The files, in the order of their imports."""
_LOADING = Lock()
"""The files' short names can be known to one loading thread at a time."""


def load(folder: Path = FOLDER) -> dict[str, ModuleType]:
    """Load the firmware's modules anew and return them by name; from any thread. Raises FileNotFoundError.

    They import each other by short names, as on a microcontroller; these are known only during the loading.
    """
    with _LOADING:
        return _loaded(folder)


def _loaded(folder: Path) -> dict[str, ModuleType]:
    before = {name: sys.modules.pop(name) for name in FILES if name in sys.modules}
    loaded: dict[str, ModuleType] = {}
    try:
        for name in FILES:
            spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
            assert spec and spec.loader
            loaded[name] = sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(loaded[name])
    finally:
        for name in FILES:
            sys.modules.pop(name, None)
        sys.modules.update(before)
    return loaded


class Board:
    """A virtual board, with the firmware's own drivers on its readers."""

    def __init__(self, board: VirtualBoard, rc522: Any) -> None:
        self._board = board
        self.readers = [
            rc522(partial(board.transfer, place), board.wait, board.reset) if place in board.chips else None
            for place in range(len(board.places))
        ]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._board, name)


class Firmware:
    """The firmware on one board, for one thread: `run` returns when it gives up, and raises PowerOff."""

    def __init__(self) -> None:
        self._modules = load()

    def run(self, board: VirtualBoard) -> None:
        self._modules["loop"].run(Board(board, self._modules["rc522"].Rc522))
