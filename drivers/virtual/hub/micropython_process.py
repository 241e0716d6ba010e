"""The reference firmware under a real MicroPython: its WebAssembly in Node, in its own process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from drivers.virtual.hub.board import VirtualBoard
from drivers.virtual.hub.firmware import FOLDER

HERE = Path(__file__).parent
PACKAGE = Path("node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs")
HEAP = 200_000
"""Bytes of heap at first, about what a Raspberry Pi Pico has; it grows if that is not enough."""


def missing() -> str:
    """Return what is not installed, as a text for people; "" if MicroPython can run."""
    if not shutil.which("node"):
        return "Node is not installed"
    if not _module().exists():
        return "MicroPython is not installed: rm -r .venv/micropython; make .venv/micropython"
    return ""


def _module() -> Path:
    return Path(sys.prefix) / "micropython" / PACKAGE


def process(program: str, heap: int = HEAP, folders: tuple[Path, ...] = ()) -> subprocess.Popen[str]:
    """Start MicroPython, running `program`, with the firmware's files at hand. Raises OSError with what is missing."""
    if what := missing():
        raise OSError(what)
    given = [str(folder) for folder in (FOLDER, HERE / "micropython", *folders)]
    command = ["node", str(HERE / "node.mjs"), str(_module()), str(heap), *given, program]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="latin-1")


class MicroPythonProcess:
    """The firmware on one board, for one thread: `run` returns when it gives up, and raises PowerOff."""

    def __init__(self) -> None:
        if what := missing():
            raise OSError(what)

    def run(self, board: VirtualBoard) -> None:
        with process("from bridge import turn") as child:
            assert child.stdin and child.stdout
            try:
                for question in child.stdout:
                    child.stdin.write(answer(board, *question.split()) + "\n")
                    child.stdin.flush()
            finally:
                child.kill()
        if child.returncode == 1:
            raise RuntimeError("MicroPython could not run the firmware: see above")


def answer(board: VirtualBoard, word: str, *values: str) -> str:
    """Return the board's answer to one line of the firmware's. Raises PowerOff."""
    match word:
        case "who":
            return f"{board.identity} {board.boot} {board.held} {','.join(board.places)}"
        case "now":
            return str(board.now())
        case "edges":
            return " ".join(f"{held} {t}" for held, t in board.edges())
        case "receive":
            return board.receive().hex()
        case "send":
            return str(board.send(bytes.fromhex(values[0])))
        case "show":
            board.show(int(values[0]), values[1] == "1")
        case "rest":
            board.rest(int(values[0]))
        case "reset":
            board.reset()
        case "transfer":
            board.wait(int(values[1]))
            return board.transfer(int(values[0]), bytes.fromhex(values[2])).hex()
    return ""
