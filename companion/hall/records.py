"""The records of the hall's store: games, tables and faults, and the outcome of taking in a message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from companion.record import approvals
from companion.rules import Seat
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.views import Result

Payload = Data
"""A message of a table or an order of the organiser, as JSON; docs/hall/schemas describe it."""


Which = tuple[int, str | None, int | None]
"""A game of a table's, and its result: number, when it was begun, the result's checksum."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The outcome of taking in a table's message: new, known already, or at odds with what was known."""

    new: bool = False
    fault: Message | None = None


@dataclass(frozen=True, slots=True)
class Have:
    """The store's copy of the game that a table spoke of last.

    It has the acts up to `number` without a gap, the result's checksum, and the seats that approve that result.
    """

    game: int
    begun: str | None
    number: int
    result: int | None
    approvals: Mapping[Seat, bool]

    @property
    def which(self) -> Which:
        return self.game, self.begun, self.result


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table that has been heard of: its latest messages about itself, and how far its clock is off, in seconds."""

    table: str
    status: Payload | None
    health: Payload | None
    off: int | None
    view: Payload | None

    @property
    def here(self) -> bool:
        return bool(self.status and self.status["here"])


@dataclass(frozen=True, slots=True)
class HallGame:
    """A game that a table has spoken of; `approvals` are those of its result as it stands, True or False by seat."""

    table: str
    game: int
    begun: str | None
    header: Payload | None
    round: int | None
    number: int
    result: Payload | None
    crc: int | None
    approvals: Mapping[Seat, bool]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault at a table ("" for no table), how often it occurred, and when last."""

    table: str
    what: Message
    times: int
    at: str


def canonical(data: object) -> str:
    """Return JSON in the one form that checksums and comparisons need: keys sorted, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def checksum(result: Payload) -> int:
    """Return the checksum by which an approval knows a result."""
    return approvals.checksum(cast("Result", result))
