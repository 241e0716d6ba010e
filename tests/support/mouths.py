"""Everybody who is spoken to at a table, and what they have heard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.rules import Seat
from companion.rules.line import Line


class Mouths:
    """A recorder of what it is given, in order."""

    ears: Sequence[Seat] = ("red",)

    def __init__(self) -> None:
        self.said: list[Line] = []
        self.did: list[tuple[Any, ...]] = []
        self.texts: Sequence[str] = ()

    def serving(self) -> Mapping[str, str]:
        return {"en": "talker"}

    def tune(self, lang: str, rate: int, volume: int, ears: Mapping[str, tuple[int, int, int]]) -> None:
        self.did.append((lang, rate, volume, *([ears] if ears else [])))

    def say(self, lines: Sequence[Line]) -> None:
        assert lines
        self.said += lines

    def again(self, to: Seat | None) -> None:
        self.did.append(("again", to))

    def hush(self, to: Seat | None) -> None:
        self.did.append(("hush", to))

    def later(self, key: str, seconds: float, line: Line) -> None:
        self.did.append(("later", key, seconds, line))

    def never(self, key: str) -> None:
        self.did.append(("never", key))

    def ahead(self, texts: Iterator[str]) -> None:
        self.texts = list(texts)

    def close(self) -> None:
        self.did.append(("close",))

    def take(self) -> list[Line]:
        said, self.said = self.said, []
        return said
