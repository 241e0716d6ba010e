"""The firmware's core for tests: under this Python, or under a real MicroPython that is asked for every value."""

import re
from ast import literal_eval
from functools import cache
from typing import Any
from zlib import crc32

from drivers.virtual.hub import micropython_process
from drivers.virtual.hub.firmware import load

SECOND = 1_000_000
HUB, BOOT = "E6614C775B8B2C36", "9F3A01C2"
PLACES = ["rbl", "rbl", "bl", "-"]
LAB = """
from host import ask
from core import *
from lines import *
import gc
def drain(hub):
    taken = []
    while not taken or taken[-1]:
        taken.append(hub.take())
    return taken[:-1]
answer = ''
def turn():
    global answer
    question = ask(answer)
    try:
        answer = repr(eval(question))
    except Exception as error:
        answer = '!' + type(error).__name__
    return True
"""
TAG = "(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})"
NUMBER = "(?:0|[1-9][0-9]*)"
GRAMMAR = re.compile(
    rf"""hello \s 1 \s [0-9A-F]{{4,32}} \s [0-9A-F]{{4,32}} \s [0-9.]+ \s [rbl,-]+
    | place \s [0-7] \s (?:up|down|-) \s (?: well (?:\s{TAG}){{0,8}} | new | dead | - )
    | whole \s {NUMBER} \s {NUMBER}
    | event \s [1-9][0-9]* \s {NUMBER} \s [0-7] \s
      (?: down | up | laid \s {TAG} | lifted \s {TAG} | dead \s [A-Za-z0-9_]+ | well (?:\s{TAG}){{0,8}} )
    | gone \s [1-9][0-9]*
    | beat \s {NUMBER} \s {NUMBER} \s [.012]{{1,8}} \s {NUMBER}
    | pong \s {NUMBER} \s {NUMBER}""",
    re.VERBOSE,
)
"""What a hub may say."""


@cache
def modules() -> dict[str, Any]:
    return dict(load())


class Lab:
    """A MicroPython that computes what it is asked for."""

    def __init__(self) -> None:
        self._process = micropython_process.process(LAB)
        self._answer()

    def close(self) -> None:
        with self._process:
            self._process.kill()

    def _answer(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "MicroPython has ended"
        return line[:-1]

    def ask(self, question: str) -> Any:
        """Return the value of an expression. Raises its ValueError or KeyError, any other as RuntimeError."""
        assert self._process.stdin
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        if answer.startswith("!"):
            raise {"ValueError": ValueError, "KeyError": KeyError}.get(answer[1:], RuntimeError)(answer)
        return literal_eval(answer)


class Remote:
    """An object of the lab's, by the expression that names it."""

    def __init__(self, lab: Lab, name: str) -> None:
        self._lab, self._name = lab, name
        self._does: dict[str, bool] = {}

    def __getattr__(self, name: str) -> Any:
        path = f"{self._name}.{name}"
        if name not in self._does:
            self._does[name] = self._lab.ask(f"callable({path})")
        if self._does[name]:
            return lambda *values: self._lab.ask(f"{path}({', '.join(map(repr, values))})")
        return self._lab.ask(path)

    def drain(self) -> list[bytes]:
        """Return all that the hub has to say, in one question."""
        return list(self._lab.ask(f"drain({self._name})"))


class Maker:
    """A maker of hubs that also parses as they do. `lab` is the MicroPython to do it under, if not this Python."""

    def __init__(self, lab: Lab | None) -> None:
        self.lab = lab

    def __call__(self, places: list[str] = PLACES, held: int = 0, linked: bool = True) -> Any:
        if self.lab:
            self.lab.ask(f"globals().update(hub=Hub({HUB!r}, {BOOT!r}, {places!r}, 0, {held}))")
        hub = Remote(self.lab, "hub") if self.lab else modules()["core"].Hub(HUB, BOOT, places, 0, held)
        if linked:
            tell(hub, "hello 1", 0)
            said(hub)
        return hub

    def call(self, function: str, value: object) -> Any:
        """Call a function of lines.py with one argument."""
        if self.lab:
            return self.lab.ask(f"{function}({value!r})")
        return getattr(modules()["lines"], function)(value)


def line(body: str) -> bytes:
    return f"{body}*{crc32(body.encode()):08X}\n".encode()


def tell(hub: Any, body: str, now: int) -> None:
    """Send the hub a line, as the host does."""
    hub.feed(line(body), now)


def lines(hub: Any) -> list[bytes]:
    """Return all that the hub has to say, until it is silent."""
    return hub.drain() if isinstance(hub, Remote) else list(iter(hub.take, b""))


def right(taken: bytes) -> str:
    """Return the body of a line. Raises AssertionError if a hub may not say it."""
    body = taken.decode().rpartition("*")[0]
    assert taken == line(body)
    assert len(taken) <= 512
    assert GRAMMAR.fullmatch(body), body
    return body


def said(hub: Any) -> list[str]:
    """Return the bodies of all that the hub has to say now."""
    return [right(taken) for taken in lines(hub)]


def words(hub: Any, first: str) -> list[str]:
    """Return the bodies the hub has to say that begin with a word."""
    return [body for body in said(hub) if body.startswith(first)]
