"""docs/hall/README.md, followed to the letter: a client that knows only the page rebuilds every game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import table
from companion.hall.public import header_of, transcript
from tests.support.paths import ROOT
from tests.support.sent import payloads, played
from tests.support.tables import FEW, times

VECTORS = sorted((ROOT / "docs" / "hall" / "vectors").glob("*.jsonl"))


@dataclass(frozen=True)
class Act:
    """An entry of the line (step 1)."""

    number: int
    event: dict[str, Any]
    at: str | None
    amended: int | None = None
    untold: bool = False

    @property
    def key(self) -> tuple[int, int | None]:
        return self.number, self.amended


Line = tuple[Act, ...]


@dataclass
class Client:
    """The page's steps. The line, where an undo of an amendment leads, what redo brings back, and the cards."""

    line: Line = ()
    amendments: list[tuple[Line, Line]] = field(default_factory=list)
    undone: list[tuple[Line, list[tuple[Line, Line]]]] = field(default_factory=list)
    cards: dict[tuple[int, int | None], str] = field(default_factory=dict)

    def take(self, payload: dict[str, Any]) -> None:
        event = payload["event"]
        match event["event"]:
            case "undo":
                self.undone.append((self.line, list(self.amendments)))
                self._undo(event.get("to"))
            case "redo":
                self.line, self.amendments = self.undone.pop()
            case "amend":
                self._amend(payload, event)
                self.undone = []
            case _:
                self._add(payload, event)
                self.undone = []

    def _add(self, payload: dict[str, Any], event: dict[str, Any]) -> None:
        for seat, card in payload.get("cards", {}).items():
            laid = [act for act in self.line if act.event["event"] == "choose" and act.event["seat"] == seat]
            self.cards[laid[-1].key] = card
        act = Act(payload["number"], event, payload.get("at"), untold=payload.get("untold", False))
        self.line = (*self.line, act)

    def _undo(self, to: int | None) -> None:
        if to is not None:
            self.line, self.amendments = tuple(act for act in self.line if act.number in self._upto(to)), []
        elif self.amendments and self.amendments[-1][0] is self.line:
            _, self.line = self.amendments.pop()
        else:
            self.line = self.line[:-1]
            for at, (after, before) in enumerate(self.amendments):  # the very line, where it is one again
                if after == self.line:
                    self.line, self.amendments[at] = after, (after, before)

    def _upto(self, to: int) -> set[int]:
        numbers = [act.number for act in self.line]
        return set(numbers[: numbers.index(to) + 1]) if to else set()

    def _amend(self, payload: dict[str, Any], event: dict[str, Any]) -> None:
        before, at = self.line, [act.number for act in self.line].index(event["act"])
        passed = self._passed_over()
        first = min([at, *passed])
        rest = [
            replace(act, event=event["now"], at=None, amended=payload["number"], untold=payload.get("untold", False))
            if index == at
            else act
            for index, act in enumerate(self.line)
            if index >= first and (index == at or index not in passed)
        ]
        self.line = (*self.line[:first], *rest[: len(rest) - event["fallen"]])
        for act in self.line:
            if str(act.number) in payload.get("turned", {}):
                self.cards[act.key] = payload["turned"][str(act.number)]
        self.amendments.append((self.line, before))

    def _passed_over(self) -> set[int]:
        """Sealed: chosen since the last reveal. Covered: replaced or taken up before one."""
        reveals = [index for index, act in enumerate(self.line) if act.event["event"] == "reveal"]
        last = max(reveals, default=-1)
        found = {index for index, act in enumerate(self.line) if index > last and act.event["event"] == "choose"}
        lying: dict[str, int] = {}
        for index, act in enumerate(self.line):
            gone: list[int] = []
            match act.event["event"]:
                case "choose":
                    gone = [lying[act.event["seat"]]] if act.event["seat"] in lying else []
                    lying[act.event["seat"]] = index
                case "decide" if act.event.get("change") is not None:
                    gone, lying = list(lying.values()), {}
                case "reveal":
                    lying = {}
            found |= set(gone)
        return found

    def transcript(self) -> Iterator[dict[str, Any]]:
        for act in self.line:
            if act.untold:
                return
            event = dict(act.event)
            if event["event"] == "choose" and "card" not in event:
                if act.key not in self.cards:
                    continue
                event["card"] = self.cards[act.key]
            yield event | ({"at": act.at} if act.at else {})


def followed(of: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    client = Client()
    for payload in of:
        client.take(payload)
    return list(client.transcript())


@pytest.mark.parametrize("path", VECTORS, ids=[path.stem for path in VECTORS])
def test_the_vectors_of_the_page(path: Path) -> None:
    header, *of, wanted = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    assert followed(of) == wanted["transcript"]
    _, *lines = transcript(header, of)
    assert [json.loads(line) for line in lines] == wanted["transcript"]


def test_there_are_three_vectors() -> None:
    assert len(VECTORS) == 3


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_public_messages_rebuild_every_game(name: str, seats: int, options: dict[str, Any]) -> None:
    header, rng = table(games.game(name), seats, options), Random(f"page {name} {seats} {options}")
    for _ in range(times(2, 20)):
        of = payloads(list(played(header, rng)))
        for upto in sorted({len(of), *(rng.randrange(len(of) + 1) for _ in range(5))}):
            _, *lines = transcript(header_of(header, names=True), of[:upto])
            assert followed(of[:upto]) == [json.loads(line) for line in lines], upto
