"""The wire format: topics, and payloads that both sides check against the schemas of docs/hall."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.record.transcript import is_text, parse
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.mistakes import Mistake, Mistakes

VERSION = 2
"""The version of the wire format; it is in every topic."""
MOST = 65_536
"""Bytes of a payload."""
LARGEST = 1_000_000
"""Bytes of a payload that holds everybody in the hall."""
LARGE = ("seating", "standings", "rounds", "requests", "state", "spare", "order", "answer")
WORD = re.compile("[a-z0-9][a-z0-9-]{0,31}", re.ASCII)
"""What a hall or a table is called in a topic."""
SCHEMAS = next(
    folder
    for folder in (Path(__file__).with_name("schemas"), Path(__file__).parents[2] / "docs" / "hall" / "schemas")
    if folder.is_dir()
)
OF_TABLE = ("status", "header", "event", "view", "result", "approval", "health")
OF_HALL = ("have", "spare", "evening", "seating", "standings", "rounds", "clock", "requests")
OF_DESK = ("order", "answer", "state")
"""The messages between the hall and the organiser's page."""
OF_PLAYERS = ("request",)
"""The messages of players' phones to the hall."""
SAID = OF_HALL[2:]
"""The messages that the hall publishes to everybody."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one hall."""

    hall: str

    @property
    def top(self) -> str:
        return f"tabularium/{VERSION}/{self.hall}"

    def table(self, table: str, kind: str, which: object = None) -> str:
        """Return the topic of what a table publishes; `which` is an event's number or an approval's seat."""
        return f"{self.top}/table/{table}/{kind}" + ("" if which is None else f"/{which}")

    def have(self, table: str) -> str:
        return f"{self.top}/hall/have/{table}"

    def spare(self, table: str) -> str:
        """Return the topic that tells a device which game it takes over."""
        return f"{self.top}/hall/spare/{table}"

    def said(self, kind: str) -> str:
        """Return the topic of what the hall publishes for everybody."""
        return f"{self.top}/hall/{kind}"

    @property
    def order(self) -> str:
        """Return the topic for orders of the organiser's page, outside of what the public may read."""
        return f"{self._desk}/order"

    @property
    def state(self) -> str:
        """Return the topic of the evening's state for the organiser's page."""
        return f"{self._desk}/state"

    @property
    def sealed_order(self) -> str:
        """Return the only topic to which everybody may write, for the letters of phones (`companion.hall.phones`)."""
        return f"tabularium-sealed/{VERSION}/{self.hall}/order"

    def sealed_answer(self, session: str) -> str:
        """Return the topic for letters to the phone of a session, which everybody may read."""
        return f"tabularium-sealed/{VERSION}/{self.hall}/answer/{session}"

    @property
    def asked(self) -> str:
        """Return the topic for requests of players, to which everybody may write (`companion.hall.player_requests`)."""
        return f"tabularium-asked/{VERSION}/{self.hall}/request"

    @property
    def check(self) -> str:
        """Return the topic by which `hall setup --check` tests who reads and writes what only the organiser should."""
        return f"{self._desk}/check"

    @property
    def _desk(self) -> str:
        return f"tabularium-desk/{VERSION}/{self.hall}"

    def answers(self, topic: str | None) -> bool:
        """Return whether an order may be answered there: under the organiser's answers and nowhere else."""
        top = f"{self._desk}/answer/"
        return bool(topic and topic.startswith(top) and WORD.fullmatch(topic.removeprefix(top)))

    @property
    def tables(self) -> str:
        """Return the pattern of all that tables publish, in any version of the wire."""
        return f"tabularium/+/{self.hall}/table/#"


@dataclass(frozen=True, slots=True)
class WireWord:
    """A table's topic in parts: the `kind` of payload, and the number or seat behind it."""

    version: str
    table: str
    kind: str
    which: str | None = None


def heard(topic: str) -> WireWord | None:
    """Parse a table's topic; return None for one that no table should have."""
    parts = topic.split("/")
    if len(parts) not in (6, 7) or parts[0] != "tabularium" or parts[3] != "table" or not WORD.fullmatch(parts[4]):
        return None
    which = parts[6] if len(parts) == 7 else None
    if parts[5] not in OF_TABLE or (which is not None) != (parts[5] in ("event", "approval")):
        return None
    return WireWord(parts[1], parts[4], parts[5], which)


def read(kind: str, payload: bytes, which: str | None = None) -> dict[str, Any]:
    """Return the payload of that kind.

    Raises Mistakes for a payload that fits no schema, or has another number or seat than its topic.
    """
    _fit(kind, payload)
    data = parse(payload)
    if b"\\u" in payload and not is_text(json.dumps(data, ensure_ascii=False)):
        raise _wrong(Message("an incomplete character, which cannot be encoded"))
    hold(kind, data)
    key = {"event": "number", "approval": "seat"}.get(kind)
    if key and which != str(data[key]):
        raise _wrong(Message("the topic says {topic}, the message {message}", topic=which, message=data[key]))
    return data


def write(kind: str, data: Data) -> bytes:
    """Return the payload as it goes out. Raises Mistakes for one that fits no schema: it is not sent."""
    payload = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    read_back: dict[str, Any] = json.loads(payload)
    hold(kind, read_back)
    _fit(kind, payload)
    return payload


def _fit(kind: str, payload: bytes) -> None:
    most = LARGEST if kind in LARGE else MOST
    if len(payload) > most:
        raise _wrong(Message("a message has at most {most} bytes, not {count}", most=most, count=len(payload)))


def hold(kind: str, data: object) -> None:
    """Raise Mistakes where the data does not fit its schema."""
    from fastjsonschema import JsonSchemaValueException

    try:
        _checked(kind)(data)
    except JsonSchemaValueException as wrong:
        raise _wrong(wrong.message[:200]) from None


@cache
def _checked(kind: str) -> Callable[[Any], object]:
    import fastjsonschema

    schema = json.loads((SCHEMAS / f"{kind}.json").read_text(encoding="utf-8"))
    check: Callable[[Any], object] = fastjsonschema.compile(schema, use_default=False)
    return check


def _wrong(what: str) -> Mistakes:
    return Mistakes([Mistake((), what)])
