"""A trace: what the hardware of a table did, moment by moment, as JSON Lines (docs/trace.md).

It holds the tags of cards that lie face down: it is written for its owner alone, and never shown unasked (law 2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

VERSION = 1
LAYERS = ("words", "reader", "hub", "pins")
"""The layers of a recording: Readings, Presses and Health; polls and exchanges; bytes; edges."""
SPI = "spi"
"""One more layer, below the reader's and only if it is asked for: every transfer on the bus."""
HOUR = "hour"
"""The steps of the first hour and what was found in them; they are always recorded."""
SUFFIX = ".jsonl"

Note = tuple[Any, ...]
"""What a tap has heard: ns on the clock that never goes back, the layer, the device, then names and values by turns.
Flat, as Python's collector passes over such tuples, however many there are."""
Line = dict[str, Any]
"""A line of a trace as plain data. Any: what JSON can hold."""


def line(note: Note) -> Line:
    """Return a note as plain data: `t` in µs, bytes as hex."""
    t, layer, device, *_ = note
    of = {"device": device} if device else {}
    return {"t": t // 1000, "layer": layer, **of, **{name: _plain(value) for name, value in what(note).items()}}


def what(note: Note) -> dict[str, Any]:
    """Return the values of a note by name."""
    return dict(zip(note[3::2], note[4::2], strict=True))


def _plain(value: object) -> Any:
    match value:
        case bytes():
            return value.hex().upper()
        case tuple():
            return list(value)
        case str():
            return str(value)  # a Message is written in English
    return value


def written(lines: Iterable[Line]) -> Iterator[bytes]:
    """Yield lines as they stand in the file."""
    for each in lines:
        yield json.dumps(each, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
