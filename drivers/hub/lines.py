"""Bytes to words and back: the format of a line, the words it may hold, and a count of invalid lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

LONGEST = 512
"""Bytes of a whole line with its LF."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The hub's greeting: `hub` its own id, `boot` new at each start, `places` what each place has ("rbl", "-")."""

    version: int
    hub: str
    boot: str
    firmware: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HubEvent:
    """An event at a place: `what` is down, up, laid, lifted, dead or well; `t` in µs of the hub."""

    seq: int
    t: int
    place: int
    what: str
    tag: str = ""
    why: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """The state of one place: `button` up, down or -, `reader` new, well, dead or -."""

    place: int
    button: str
    reader: str
    tags: tuple[str, ...]

    def after(self, event: HubEvent) -> Place:
        """Return the state of the place after an event there, but for its tags."""
        if event.what in ("down", "up"):
            return replace(self, button=event.what)
        return replace(self, reader=event.what) if event.what in ("dead", "well") else self


@dataclass(frozen=True, slots=True)
class Whole:
    """The end of a snapshot, which was true at `t` (µs of the hub) after the event `seq`."""

    seq: int
    t: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A notice that events are no longer kept: the oldest kept one is `seq`."""

    seq: int


@dataclass(frozen=True, slots=True)
class Beat:
    """The report once a second: the last event, a character a lamp, and how many lines the hub has dropped."""

    t: int
    seq: int
    lamps: str
    bad: int


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping, `t` in µs of the hub."""

    nonce: int
    t: int


@dataclass(frozen=True, slots=True)
class Echo:
    """The host's own greeting, sent back by the port."""

    version: int


Word = Hello | Place | Whole | HubEvent | Gone | Beat | Pong | Echo

COUNT, PLACE, NAME = "[1-9][0-9]{0,19}", "[0-7]", "[^ ]+"
NUMBER = f"0|{COUNT}"
HEX = "[0-9A-Fa-f]{4,32}"
TAG = "(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})"
TAGS = rf"(?: {TAG}){{0,8}}"
PLACES = "(?:-|rb?l?|bl?|l)(?:,(?:-|rb?l?|bl?|l)){0,7}"


def _rule(kind: object, word: str, **parts: str) -> tuple[Any, re.Pattern[str]]:
    rest = (f"{'' if name == 'tags' else ' '}(?P<{name}>{part})" for name, part in parts.items())
    return kind, re.compile(word + "".join(rest))


EVENT = dict(seq=COUNT, t=NUMBER, place=PLACE)
RULES = (
    _rule(Pong, "pong", nonce=NUMBER, t=NUMBER),
    _rule(HubEvent, "event", **EVENT, what="down|up"),
    _rule(HubEvent, "event", **EVENT, what="laid|lifted", tag=TAG),
    _rule(HubEvent, "event", **EVENT, what="dead", why=NAME),
    _rule(HubEvent, "event", **EVENT, what="well", tags=TAGS),
    _rule(Beat, "beat", t=NUMBER, seq=NUMBER, lamps="[.012]{1,8}", bad=NUMBER),
    _rule(Hello, "hello", version=NUMBER, hub=HEX, boot=HEX, firmware=NAME, places=PLACES),
    _rule(Place, "place", place=PLACE, button="up|down|-", reader="new|well|dead|-", tags=TAGS),
    _rule(Whole, "whole", seq=NUMBER, t=NUMBER),
    _rule(Gone, "gone", seq=COUNT),
    _rule(Echo, "hello", version=NUMBER),
)
KNOWN = {"pong", "event", "beat", "hello", "place", "whole", "gone"}
NUMBERS = {"version", "place", "seq", "t", "nonce", "bad"}
LINE = re.compile(rb"([\x20-\x29\x2B-\x7E]+)\*([0-9A-F]{8})\r?")


def line(*words: object) -> bytes:
    """Return the line of these words."""
    body = " ".join(map(str, words))
    return f"{body}*{crc32(body.encode()):08X}\n".encode()


def body(written: bytes) -> str | None:
    """Return the body of a line without its LF; None if it is torn, too long or its check sum is wrong."""
    found = LINE.fullmatch(written) if len(written) < LONGEST else None
    if found is None or crc32(found[1]) != int(found[2], 16):
        return None
    return found[1].decode()


def word(said: str) -> Word | None:
    """Return the hub's word in the body of a line; None for any other body."""
    for kind, pattern in RULES:
        if found := pattern.fullmatch(said):
            made: Word = kind(**{name: _value(name, text) for name, text in found.groupdict().items()})
            return made
    return None


def _value(name: str, text: str) -> Any:
    if name in NUMBERS:
        return int(text)
    if name == "tags":
        return tuple(text.split())
    return tuple(text.split(",")) if name == "places" else text


class LineBuffer:
    """The hub's lines as they come in, cut anywhere.

    `dropped` counts invalid lines, `unknown` later protocols' words.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self.unknown = 0
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Word]:
        """Yield the words that are complete now; drop and count every invalid line. Never raises."""
        *whole, rest = (self._rest + data).split(b"\n")
        self._rest = rest[:LONGEST]  # this much without an end is too long in any case
        for written in whole:
            said = body(written)
            found = word(said) if said else None
            if found:
                yield found
            elif said and said.split(" ")[0] not in KNOWN:
                self.unknown += 1
            else:
                self.dropped += 1

    @property
    def whole(self) -> bool:
        """Return whether no line is incomplete."""
        return not self._rest

    def reset(self) -> None:
        """Forget the beginning of a line: the port was opened anew."""
        self._rest = b""
