"""Reads and checks a trace. Any other file is refused, with the lines that are wrong."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, overload

from companion.games import NAMES
from companion.hardware.trace import VERSION, Line
from companion.rules.cards import PAWNS
from companion.system import limits

Check = Callable[[Any], bool]


class TraceError(ValueError):
    """The mistakes in a trace, each as "FILE:LINE: …"."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


class TraceLines(Sequence[Line]):
    """Lines of a trace, each parsed on access: an evening's recording has a million of them."""

    def __init__(self, line: Callable[[int], Line], at: array[int]) -> None:
        """Set where the lines are: `line` parses the one at an offset, `at` has the offset of each."""
        self._line, self._at = line, at

    def __len__(self) -> int:
        return len(self._at)

    @overload
    def __getitem__(self, at: int) -> Line: ...
    @overload
    def __getitem__(self, at: slice) -> TraceLines: ...
    def __getitem__(self, at: int | slice) -> Line | TraceLines:
        return TraceLines(self._line, self._at[at]) if isinstance(at, slice) else self._line(self._at[at])


def where(lines: Sequence[Line], wanted: Callable[[Line], bool]) -> TraceLines:
    """Return the wanted lines."""
    return TraceLines(lines.__getitem__, array("Q", (at for at, line in enumerate(lines) if wanted(line))))


def _raw_line(content: bytes, begin: int) -> bytes:
    end = content.find(b"\n", begin)
    return content[begin : end if end >= 0 else len(content)]


def _is_whole_up_to(most: int) -> Check:
    return lambda value: type(value) is int and 0 <= value <= most


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= limits.TEXT


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and HEX.fullmatch(value) is not None


def _is_nonempty_hex(value: Any) -> bool:
    return bool(value) and _is_hex(value)


def _is_pairs(value: Any) -> bool:
    return _is_nonempty_hex(value) and len(value) % 4 == 0


def _is_tag(value: Any) -> bool:
    return _is_text(value) and len(value) <= limits.NAME


def _is_span(value: Any) -> bool:
    return isinstance(value, list) and len(value) == SPAN and all(map(_time, value))


HEX = re.compile("(?:[0-9A-F]{2})*")
SPAN = 2
_time, _byte = _is_whole_up_to(10**limits.DIGITS), _is_whole_up_to(255)
_version: Check = lambda value: value is None or _is_whole_up_to(0xFFFF)(value)  # noqa: E731 - a PN532 has two bytes of it
FRAME: Mapping[str, Check] = {"exchange": _is_nonempty_hex, "framing": _is_whole_up_to(127)}
SHAPES: Mapping[str, Sequence[Mapping[str, Check]]] = {
    "words": (
        {"reader": _is_text, "tag": _is_tag, "present": _is_flag, "ms": _time},
        {"button": _is_text, "down": _is_flag, "edge": _is_flag, "ms": _time},
        {"health": _is_text, "well": _is_flag, "detail": _is_text},
    ),
    "reader": (
        {"opened": _version},
        {"polled": _is_text, "faint": _is_text, "several": _is_flag, "ms": _time},
        {"fault": _is_text},
        {"registers": _is_pairs},
        {"asked": _is_nonempty_hex, "said": _is_hex},
        {"asked": _is_nonempty_hex},
        {"status": _time},
        {"card": _is_text},
        {**FRAME, "irq": _byte},
        {**FRAME, "answer": _is_hex, "error": _byte, "control": _byte, "collision": _byte},
    ),
    "spi": ({"sent": _is_nonempty_hex, "got": _is_nonempty_hex, "clock": _is_span},),
    "hub": (
        {"opened": _is_flag, "now": _time},
        {"heard": _is_hex, "now": _time},
        {"said": _is_hex},
        {"stands": _is_nonempty_hex, "now": _time},
        {"closed": _is_text, "code": _is_text},
    ),
    "pins": ({"edge": _is_flag, "ms": _time}, {"level": _is_flag, "ms": _time}, {"opened": _is_flag, "ms": _time}),
    "hour": ({"step": _is_text, "part": _is_text}, {"part": _is_text, "verdict": _is_text, "what": _is_text}),
}
"""The keys that a line of each layer may have besides its time, layer and device, and the check of each value."""
MOST = 64
"""Readers, buttons or hubs of a table: twice what any can have."""
WIRED: Mapping[str, Check] = {"bus": _is_whole_up_to(1), "device": _is_whole_up_to(2), "reset": _is_whole_up_to(27)}


def is_trace(path: Path) -> bool:
    """Return whether the file begins as a trace does.

    A file that can be read only once, such as standard input, is never one.
    """
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return '"trace"' in file.readline(limits.LINE).decode("utf-8", "replace").partition(":")[0]
    except OSError:
        return False


def read(path: Path) -> tuple[Line, TraceLines]:
    """Return the header and the lines of a trace. Raises TraceError."""
    try:
        content = limits.content(path, limits.TRACE)
    except OSError as error:
        raise TraceError([f"{path}: {error.strerror}"]) from None
    header = _object(_raw_line(content, 0))
    mistakes = [(1, what) for what in _header(header)]
    begins = array("Q")
    number, begin = 1, content.find(b"\n") + 1
    while begin and len(mistakes) <= limits.MANY:
        number += 1
        if raw := _raw_line(content, begin):
            begins.append(begin)
            mistakes += ((number, what) for what in _line(_object(raw)))
        begin = content.find(b"\n", begin) + 1
    if mistakes or header is None:
        raise TraceError([f"{path}:{number}: {what}" for number, what in islice(mistakes, limits.MANY)])
    return header, TraceLines(lambda begin: {"device": "", **(_object(_raw_line(content, begin)) or {})}, begins)


def _object(raw: bytes) -> Line | None:
    try:
        data = json.loads(raw) if len(raw) <= limits.LINE else None
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _header(header: Line | None) -> Iterator[str]:
    if header is None or "trace" not in header:
        yield 'a trace begins with its header: {"trace": 1, …}'
    elif header["trace"] != VERSION:
        yield f"this is a trace of version {str(header['trace'])[:20]}; this program reads version {VERSION}"
    else:
        yield from _config(header.get("config", {}))


def _config(config: Any) -> Iterator[str]:
    """Yield the mistakes in the header's config, from which a replay builds its devices."""
    if not isinstance(config, dict):
        yield "config must be an object"
        return
    for part in ("readers", "buttons", "hubs"):
        if not isinstance(config.get(part, {}), dict):
            yield f"config.{part} must be an object"
        elif len(config.get(part, {})) > MOST:
            yield f"config.{part} has at most {MOST} entries, not {len(config[part]):,}"
    if not _is_whole_up_to(1000)(config.get("debounce_ms", 0)):
        yield "config.debounce_ms must be a whole number up to 1000"
    for name, wired in _each(config, "readers"):
        wrong = not isinstance(wired, dict) or any(not check(wired.get(key, 0)) for key, check in WIRED.items())
        if wrong:
            yield f"config.readers.{name[:20]} does not say where the reader is wired"
    for name, hub in _each(config, "hubs"):
        seats = hub.get("seats") if isinstance(hub, dict) else None
        if not isinstance(seats, list) or not all(seat is None or _is_tag(seat) for seat in seats):
            yield f"config.hubs.{name[:20]} does not say who sits there"


def _each(config: Line, part: str) -> Iterator[tuple[str, Any]]:
    found = config.get(part, {})
    yield from found.items() if isinstance(found, dict) else ()


def _line(line: Line | None) -> Iterator[str]:
    if line is None:
        yield "this is no line of a trace"
        return
    shapes = SHAPES.get(str(line.get("layer")))
    if shapes is None or not _time(line.get("t")) or not _is_tag(line.get("device", "")):
        yield 'a line needs its time in µs as "t" and one of the layers ' + ", ".join(SHAPES)
        return
    said = {key: value for key, value in line.items() if key not in ("t", "layer", "device")}
    if not any(said.keys() == shape.keys() and all(shape[key](said[key]) for key in said) for shape in shapes):
        yield f"the layer {line['layer']} has no line of this shape"
    elif "got" in said and len(said["got"]) != len(said["sent"]):
        yield "a transfer reads as many bytes as it sends"


# -- The words of a trace as a transcript, which plays a game; health messages become its comments -----------------


USUAL = json.dumps({"tabularium": 1, "game": NAMES[0], "seats": list(PAWNS)})
"""The default header: it knows every reader and button."""


def transcript(lines: Sequence[Line], header: str = USUAL) -> Iterator[str]:
    """Yield the lines of a transcript, sorted by time: two devices may report out of order."""
    yield header
    words = [line for line in lines if line["layer"] == "words"]
    t = 0
    timed: list[tuple[int, str]] = []
    for line in words:
        t = line.get("ms", t)
        timed.append((t, _health_comment(line)))
    yield from (text for _, text in sorted(timed, key=lambda word: word[0]))


def _health_comment(line: Line) -> str:
    match line:
        case {"reader": reader, "tag": tag, "present": present, "ms": t}:
            return json.dumps({"reader": reader, "tag": tag, "present": present, "t": t})
        case {"button": seat, "down": down, "ms": t}:
            return json.dumps({"button": seat, "down": down, "t": t})
    detail = f": {line['detail']}" if line["detail"] else ""
    return " ".join(f"# {line['health']} is {'well' if line['well'] else 'ill'}{detail}".split())
