"""The replay of the drivers from what was recorded of a device, with a check that the same events come out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from companion.hardware.trace.reading import TraceLines, where
from companion.rules.message import Message
from companion.rules.readings import Health, Press, Reading
from drivers.buttons import RELEASE_MS, Buttons
from drivers.hub import faults
from drivers.hub import lines as spoken
from drivers.hub.lines import Pong
from drivers.hub.protocol import HubLink
from drivers.rc522.reader import THOROUGH
from drivers.trace.frames import OnBoard, OnService
from drivers.trace.readers import ReplayedPolls, Source, on_bus, on_exchanges
from drivers.virtual import spi
from drivers.virtual.pins import VirtualPins
from drivers.worker import ReaderWorker

Line = dict[str, Any]
Word = Reading | Press | Health
PIN = 4
UNSURE_MS = 2
SETTLED = 1_000_000
"""µs until the state of a device is known whose recording starts in the middle of its work."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One device at one layer: the events recorded of it and those of the replay.

    `otherwise` counts the driver's questions that the recording lacks, `missing` says why nothing could be replayed.
    """

    layer: str
    device: str
    recorded: Sequence[Word] = ()
    played: Sequence[Word] = ()
    otherwise: int = 0
    missing: str = ""

    @property
    def same(self) -> bool:
        return not self.missing and list(self.recorded) == list(self.played)


@dataclass(slots=True)
class _Heard:
    """The events of the replay, each with the µs of the line it came from."""

    now: int = 0
    words: list[tuple[int, Word]] = field(default_factory=list)

    def put(self, word: Word) -> None:
        self.words.append((self.now, word))


def replay(header: Line, lines: Sequence[Line]) -> Iterator[Replayed]:
    """Yield the replay of every device at every layer that was recorded of it."""
    config: Mapping[str, Any] = header.get("config", {})
    debounce = config.get("debounce_ms", RELEASE_MS)
    said = [(int(line["t"]), word(line)) for line in lines if line["layer"] == "words"]
    for name, wired in config.get("readers", {}).items():
        mine = where(lines, partial(_is_from, ("reader", "spi"), name))
        if mine:
            yield from _reader(name, wired, mine, _of_devices(said, {f"reader {name}"}))
    for name, hub in config.get("hubs", {}).items():
        mine = where(lines, partial(_is_from, ("hub",), name))
        devices = {f"{what} {seat}" for seat in hub["seats"] if seat for what in ("reader", "button", "box")}
        if mine:
            yield _hub(name, hub["seats"], debounce, mine, _of_devices(said, devices | {f"hub {name}"}))
    for seat in config.get("buttons", {}):
        mine = where(lines, partial(_is_from, ("pins",), seat))
        presses = [each for _, each in _of_devices(said, {f"button {seat}"}) if isinstance(each, Press)]
        if mine:
            yield Replayed("pins", seat, presses, _presses(seat, debounce, mine))


def _is_from(layers: Sequence[str], device: str, line: Line) -> bool:
    return line["layer"] in layers and line["device"] == device


def _of_devices(said: Iterable[tuple[int, Word]], devices: set[str]) -> list[tuple[int, Word]]:
    return [(t, each) for t, each in said if _device(each) in devices]


def word(line: Line) -> Word:
    """Return the hardware event that a line records."""
    match line:
        case {"reader": reader, "tag": tag, "present": present, "ms": t}:
            return Reading(reader, tag, present, t)
        case {"button": seat, "down": down, "edge": edge, "ms": t}:
            return Press(seat, down, t, edge)
    return Health(line["health"], line["well"], line["detail"])


def _device(said: Word) -> str:
    match said:
        case Reading(reader):
            return f"reader {reader}"
        case Press(seat):
            return f"button {seat}"
    return said.device


# -- readers ----------------------------------------------------------------------------------------------------------


def _reader(name: str, wired: Line, lines: TraceLines, words: list[tuple[int, Word]]) -> Iterator[Replayed]:
    """Yield the replay of a reader by its polls; of an RC522 by its exchanges and transfers too."""
    turns, settled, beginnings = _turns_of(lines), 0, range(1)
    if turns and not _opens_device(turns[0]):
        settled, beginnings = turns[0][-1]["t"] + SETTLED, range(1, 1 + THOROUGH)
    recorded = [each for t, each in words if t >= settled]
    polled = partial(_replay_polls, name, settled=settled, most=len(recorded))
    yield Replayed("polls", name, recorded, polled(ReplayedPolls(), turns[beginnings[0] :]))
    for key, source in (("asked", OnBoard()), ("status", OnService())):
        if any(key in line for line in lines):
            words_now = polled(source, turns[beginnings[0] :])
            yield Replayed("reader", name, recorded, words_now, source.otherwise)
    for layer, key, make in (("reader", "registers", on_exchanges), ("spi", "sent", on_bus)):
        if not any(key in line for line in lines):
            continue
        if not spi.installed():
            yield Replayed(layer, name, missing="the package mfrc522 is not installed")
            continue
        # A driver counts its polls. Its count at the start of the trace is found by trying; where two counts lead to
        # the same questions, the events decide.
        tries = [(make(wired, lines), turns[begin:]) for begin in beginnings]
        played = [(polled(device, rest), device) for device, rest in tries]
        words_now, device = min(played, key=lambda each: (each[1].otherwise, each[0] != recorded))
        yield Replayed(layer, name, recorded, words_now, device.otherwise)


def _turns_of(lines: TraceLines) -> list[TraceLines]:
    """Return the lines of a reader, turn by turn: each turn ends with a poll's result, or with a fault."""
    ends = [at for at, line in enumerate(lines, 1) if "polled" in line or "fault" in line]
    return [lines[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def _opens_device(turn: Sequence[Line]) -> bool:
    return "fault" in turn[-1] or any("opened" in line for line in turn)


def _replay_polls(name: str, device: Source, turns: Iterable[Sequence[Line]], *, settled: int, most: int) -> list[Word]:
    """Return the events of one reader's own worker, from `settled` (µs) on.

    A recording may end between a poll and its words: what the last turn says beyond `most` words was not recorded.
    """
    heard, ms = _Heard(), [0]
    worker = ReaderWorker(name, device.open, heard.put, lambda: ms[0])
    for turn in turns:
        heard.now, ms[0] = turn[-1]["t"], turn[-1].get("ms", ms[0])
        device.begin(turn)
        worker.turn()
    words = [(t, each) for t, each in heard.words if t >= settled]
    while len(words) > most and words[-1][0] == heard.now:
        words.pop()
    return [each for _, each in words]


# -- buttons and hubs -------------------------------------------------------------------------------------------------


def _presses(seat: str, debounce: int, lines: Sequence[Line]) -> list[Word]:
    """Return the presses of a button whose contact opens and closes as recorded, under the buttons' own driver."""
    heard, ms = _Heard(), [int(lines[0]["ms"])]
    pins = VirtualPins({seat: PIN}, {})
    held = lines[0].get("opened")
    if held or (held is None and not _is_down(lines[0])):  # the first change tells the level before it
        pins.hold(seat)
    buttons = Buttons({seat: PIN}, heard.put, lambda: ms[0], pins.factory, debounce)
    if held is None:
        heard.words.clear()
    for line in lines:
        ms[0] = line["ms"]
        (pins.hold if _is_down(line) else pins.let_go)(seat)
        buttons.turn()
    ms[0] += debounce
    buttons.turn()
    buttons.close()
    return [each for _, each in heard.words]


def _is_down(line: Line) -> bool:
    return bool(line.get("edge", line.get("level", line.get("opened"))))


def _hub(
    name: str, seats: Sequence[str | None], debounce: int, lines: Sequence[Line], words: list[tuple[int, Word]]
) -> Replayed:
    """Return the replay of a hub by what it said: from the beginning, or from the first record of its state."""
    first = next((at for at, line in enumerate(lines) if line.get("opened") or "stands" in line), None)
    if first is None:
        return Replayed("hub", name, missing="nothing says how it stood when the trace begins")
    heard = _Heard()
    link = HubLink(name, seats, heard.put, debounce)
    midway, unsure = "stands" in lines[first], 0
    if midway:
        unsure = _tell_state(link, lines[first])
        heard.words.clear()
    talking = midway
    for line in lines[first if midway else 0 :]:
        heard.now = line["t"]
        talking = talking or "opened" in line
        if talking or "closed" in line:
            _lines_out(link, line)
    recorded = [each for t, each in words if not midway or t >= lines[first]["t"]]
    played = [each for _, each in heard.words]
    return Replayed("hub", name, recorded, _with_recorded_times(recorded, played, unsure) if midway else played)


def _tell_state(link: HubLink, line: Line) -> int:
    """Tell a link its hub's state, as if the hub had just been plugged in; return the clock's uncertainty, in µs."""
    hello, *rest = bytes.fromhex(line["stands"]).splitlines(keepends=True)
    sent = next(
        (word.nonce for word in spoken.LineBuffer().feed(b"".join(rest)) if isinstance(word, Pong)), line["now"]
    )
    with suppress(OSError):
        link.opened(sent)
        link.feed(hello, sent)
        link.feed(b"".join(rest), line["now"])
    return int(line["now"]) - sent


def _with_recorded_times(recorded: Sequence[Word], played: Sequence[Word], unsure: int) -> list[Word]:
    """Return the replayed events, with the recorded time where both differ by at most the clock's uncertainty (µs)."""
    most = UNSURE_MS + unsure // 1000
    found = list(played)
    for at, (was, now) in enumerate(zip(recorded, played, strict=False)):
        if isinstance(was, Reading | Press) and isinstance(now, Reading | Press) and abs(was.t - now.t) <= most:
            found[at] = replace(now, t=was.t)
    return found


def _fault_with_code(why: str, code: str) -> Message:
    """Return a fault with the text and the code it was recorded with."""
    return Message(why.replace("{", "{{").replace("}", "}}"), code=code)


def _lines_out(link: HubLink, line: Line) -> None:
    match line:
        case {"opened": _, "now": now}:
            link.opened(now)
        case {"heard": data, "now": now}:
            with suppress(OSError):  # the next line records that the link was given up
                link.feed(bytes.fromhex(data), now)
                link.tick(now)
        case {"closed": why, "code": code}:
            link.closed(faults.status(_fault_with_code(why, code)))
    link.out()
