"""The masking of a trace: other ids in place of the tags' own, in every layer, so that it can still be replayed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from drivers.hub import lines as said
from drivers.hub.lines import Hello, HubEvent, Place, Word
from drivers.pn532.reader import LOOK
from drivers.pn532.reader import tags as in_field
from drivers.rc522.transceiver import COLL, CONTROL, ERROR, FIFO_DATA, FIFO_LEVEL
from drivers.trace.air import Air
from drivers.trace.ids import Ids

Line = dict[str, Any]
READ = 0x80


def masked(lines: Callable[[], Iterable[Line]]) -> Iterator[Line]:
    """Yield the lines with masked ids. `lines` is called twice: the first lines' masks depend on the last line."""
    masks = Masks()
    for line in lines():
        masks.learn(line)
    masks.learned()
    for line in lines():
        if made := masks.masked(line):
            yield made


class Masks:
    """The masks of a trace: all its lines are learned first, then returned with other ids."""

    def __init__(self) -> None:
        self._ids = Ids()
        self._reset()
        self._streams: dict[str, list[bytearray]] = defaultdict(lambda: [bytearray()])
        self._hubs: dict[str, str] = {}  # the ids of microcontrollers, which are unique, and their masks

    def _reset(self) -> None:
        self._air: dict[tuple[str, str], Air] = defaultdict(lambda: Air(self._ids))

    # -- what is in it ------------------------------------------------------------------------------------------------

    def learn(self, line: Line) -> None:
        air = self._air[line["layer"], line.get("device", "")]
        match line:
            case {"tag": tag}:
                self._ids.learn(tag)
            case {"polled": tags}:
                for tag in tags.split():
                    self._ids.learn(tag)
            case {"card": tag} if tag:
                self._ids.learn(tag)
            case {"asked": asked, "said": said} if _asks_for_tags(asked):
                for tag in in_field(bytes.fromhex(said)):
                    self._ids.learn(tag)
            case {"exchange": frame}:
                air.learn(bytes.fromhex(frame))
            case {"sent": sent, "got": _} if _writes_frame(bytes.fromhex(sent)):
                air.learn(bytes.fromhex(sent)[1:])
            case {"layer": "hub", "device": hub, "opened": _}:
                self._streams[hub].append(bytearray())
            case {"stands": stands}:
                for tag in _all_tags(bytes.fromhex(stands)):
                    self._ids.learn(tag)
            case {"heard": heard, "device": hub}:
                self._streams[hub][-1] += bytes.fromhex(heard)

    def learned(self) -> None:
        """End the learning, and prepare the masks."""
        self._ids.forget()
        self._reset()
        for streams in self._streams.values():
            for tag in (tag for stream in streams for tag in _all_tags(bytes(stream))):
                self._ids.learn(tag)
        for hub, streams in self._streams.items():
            self._streams[hub] = [self._mask_stream(bytes(stream)) for stream in streams]

    # -- what becomes of it -------------------------------------------------------------------------------------------

    def masked(self, line: Line) -> Line | None:
        """Return the line with masked ids; None for one that must be left out."""
        air = self._air[line["layer"], line.get("device", "")]
        match line:
            case {"tag": tag}:
                return {**line, "tag": self._ids.tag(tag)}
            case {"polled": tags, "faint": faint}:
                return {**line, "polled": self._mask_tags(tags), "faint": self._mask_tags(faint)}
            case {"card": tag}:
                return {**line, "card": self._ids.tag(tag) if tag else ""}
            case {"asked": asked, "said": listed} if _asks_for_tags(asked):
                for tag in in_field(bytes.fromhex(listed)):
                    listed = listed.replace(tag, self._ids.tag(tag))
                return {**line, "said": listed}
            case {"exchange": frame}:
                return _exchange(line, air, bytes.fromhex(frame))
            case {"sent": sent, "got": got}:
                return {**line, **_transfer(air, bytes.fromhex(sent), bytes.fromhex(got))}
            case {"layer": "hub", "device": hub, "opened": _}:
                del self._streams[hub][0]
            case {"stands": stands}:
                return {**line, "stands": self._mask_stream(bytes.fromhex(stands)).hex().upper()}
            case {"heard": heard, "device": hub}:
                stream, count = self._streams[hub][0], len(heard) // 2
                made, stream[:] = stream[:count], stream[count:]
                return {**line, "heard": made.hex().upper()}
        return {name: self._ids.text(value) if name in TEXTS else value for name, value in line.items()}

    def _mask_tags(self, tags: str) -> str:
        return " ".join(sorted(map(self._ids.tag, tags.split())))

    def _mask_stream(self, stream: bytes) -> bytearray:
        """Return all that a hub said while its port was open, masked and just as long."""
        *whole, rest = stream.split(b"\n")
        made = [*map(self._mask_line, whole), b"?" * len(rest)]
        return bytearray(b"\n".join(made))

    def _mask_line(self, line: bytes) -> bytes:
        """Return a hub's line, masked; a damaged or unknown one is replaced by question marks, as it may hold an id."""
        body = said.body(line)
        word = said.word(body) if body else None
        if body is None or word is None or not OWN.fullmatch(getattr(word, "firmware", "") or getattr(word, "why", "")):
            return b"?" * len(line)
        if isinstance(word, Hello):
            verb, version, hub, *rest = body.split(" ")
            made = said.line(verb, version, self._hubs.setdefault(hub, f"{len(self._hubs) + 1:0{len(hub)}X}"), *rest)
        elif tags := _tags(word):
            made = said.line(*body.split(" ")[: -len(tags)], *map(self._ids.tag, tags))
        else:
            return line
        made = made.rstrip(b"\n")
        return made + b"\r" if line.endswith(b"\r") else made


OWN = re.compile(r"|\d+(\.\d+)*|[a-z]+(_[0-9A-Fa-f]{2})?", re.ASCII)
"""The texts of our firmware: its version, and why a reader is silent. Other texts come from foreign firmware."""
TEXTS = ("fault", "detail", "closed")
"""The fields with text for people: it may name a tag."""


def _all_tags(stream: bytes) -> Iterator[str]:
    """Yield every tag that a hub has named."""
    for body in map(said.body, stream.split(b"\n")):
        if body and (word := said.word(body)):
            yield from _tags(word)


def _tags(word: Word) -> tuple[str, ...]:
    match word:
        case HubEvent(tag=tag, tags=tags):
            return (*filter(None, [tag]), *tags)
        case Place(tags=tags):
            return tags
    return ()


def _asks_for_tags(asked: str) -> bool:
    """Return whether a PN532 is asked for the tags in its field."""
    return bytes.fromhex(asked)[:1] == LOOK[:1]


def _exchange(line: Line, air: Air, frame: bytes) -> Line | None:
    made = air.frame(frame)
    if made is None:
        return None
    line = {**line, "exchange": made.hex().upper()}
    if "answer" in line:
        heard = bytes.fromhex(line["answer"])
        line["answer"] = air.answer(heard, line["error"], line["control"], line["collision"]).hex().upper()
    return line


# -- the bus ----------------------------------------------------------------------------------------------------------


def _writes_frame(sent: bytes) -> bool:
    return len(sent) > 1 and sent[0] == FIFO_DATA << 1


def _transfer(air: Air, sent: bytes, got: bytes) -> Line:
    """Return the changed fields of a transfer on the bus.

    It is a frame that is written, or an answer that is read together with how it was received.
    """
    if _writes_frame(sent):
        made = air.frame(sent[1:]) or bytes(len(sent) - 1)
        return {"sent": (sent[:1] + made).hex().upper()}
    if not sent or not sent[0] & READ:
        return {}
    registers = [address >> 1 & 0x3F for address in sent[:-1]]
    if FIFO_DATA not in registers:
        return {}
    values = dict(zip(registers, got[1:], strict=False))
    at = [place for place, register in enumerate(registers, start=1) if register == FIFO_DATA]
    answer = bytes(got[place] for place in at)
    known = {ERROR, FIFO_LEVEL, CONTROL, COLL} <= values.keys()
    level = min(values.get(FIFO_LEVEL, 0), len(answer))
    made = air.answer(answer[:level], values[ERROR], values[CONTROL], values[COLL]) if known else b""
    left = bytearray(got)
    for place, byte in zip(at, made.ljust(len(at), b"\0"), strict=True):
        left[place] = byte
    return {"got": left.hex().upper()}
