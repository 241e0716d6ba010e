"""Settings as the text of a config.yaml, with a comment on every line, so that it is easy to edit by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from companion.hardware.doctor.search_findings import HubFound, SearchResults
from companion.hardware.fitting import Fitting
from companion.hardware.plugged import WHERE
from companion.hardware.settings import ControllerSettings, HubSettings, Settings, Wires
from companion.hardware.settings._parts import data_home
from companion.rules.data import Data
from companion.rules.mistakes import ConfigError

TOP = """\
# Tabularium's settings, as its set-up found them. You can edit this file: a key that is left out has its default, and
# the program reports all mistakes at once, each with its line. `tabularium setup` writes a new file and keeps this one.
"""
SAYS: Mapping[str, str] = {
    "language": "en, ja or de; a choice on the screen takes precedence",
    "data": "where games, players and tags are kept; a relative path starts from this file's directory",
    "hardware": "virtual: cards and buttons on the screen. usb: those plugged in. pi: a Raspberry Pi's as well",
    "reveal.mode": "fists: cards are revealed when every button is let go. auto: when the last card is down",
    "reveal.fair_ms": "fists that open later than this after the first are reported",
    "press.no_ms": 'a button held this long answers "no"',
    "press.long_ms": "where a seat has an ear, one held this long asks how things stand",
    "press.debounce_ms": "a button counts as let go once it has stayed open this long",
    "screen.fullscreen": "true: the whole screen. false: a window",
    "screen.width": "the window, in pixels; without it, as suits the display",
    "screen.height": "",
    "screen.rotation": "0, 90, 180 or 270",
    "screen.theme": "light or dark",
    "screen.text": "normal or large (to read from further away); a choice on the screen takes precedence",
    "screen.blank_min": "minutes without a game and without a touch until it goes dark; 0: never",
    "screen.first_seat_side": "where the first seat sits, as seen from the screen: bottom, left, top or right",
    "voice.words": "off, brief (whose turn, each outcome) or full; a choice on the screen takes precedence",
    "voice.sounds": "true: a sound for a card, a fist, a turn; chosen on the screen too",
    "voice.engine": "auto, espeak-ng, open-jtalk (Japanese), piper or none",
    "voice.model": "the file of a Piper voice, .onnx",
    "voice.device": "the table's loudspeaker, as aplay -L lists it",
    "voice.rate": "how fast it speaks, in per cent",
    "voice.volume": "in per cent",
    "voice.quiet": 'when the loudspeaker keeps quiet, such as "22:00-07:00"',
    "voice.lead_ms": "silence before the first word after a pause, for a loudspeaker that swallows it",
    "power.button": "the pin of a button that switches the Pi off, pressed twice; 3 starts it again as well",
    "power.lamp": "the pin of a lamp that goes out when the plug may be pulled",
    "update.address": "a folder with releases on the network; the program looks there only on request",
    "phones.port": "the port that phones connect to, once somebody has opened Menu, Phones",
    "hall": "many tables on one evening; tabularium hall take FILE writes it",
    "hall.broker": "the computer that the hall's broker runs on",
    "hall.port": "",
    "hall.tls": "the broker's certificate, where it has one",
    "hall.user": "without it, the table's name",
    "hall.password_file": "a file with the table's password alone",
    "hall.hall": "what the hall is called",
    "hall.table": "what this table is called there",
}
"""The comment behind each key."""
BEFORE: Mapping[str, str] = {
    "readers": """\
# Card readers on the Pi: centre is for everybody, one that is named after a colour takes only that colour's cards.
# An rc522 takes its bus's pins (SPI0: GPIO 7 to 11, SPI1: 16 to 21) and the pin of its RST line, which all share.""",
    "seats": """\
# What is wired to a seat. Pins are GPIO numbers (BCM), not positions on the header: a button joins its pin with ground,
# a lamp is an LED with its resistor, such as lamp: 12. A seat without a button or a reader plays by finger. A
# seat's own earphone is a sound card that nobody else uses, such as ear: "plughw:CARD=Device" (aplay -L).""",
    "controllers": """\
# Buttons that are plugged in: arcade encoders, game pads, keyboards. One is known by its kind on USB, with its place
# where two of a kind are plugged in, or by its name; a seat's number is the code of its key. window: true takes
# the keyboards and joysticks that the window hears. `together` is how many keys arrived when all were held.""",
    "hubs": """\
# Hubs on USB. Each is found by its serial number, its kind (usb: "2E8A:0005") or its port (/dev/serial/by-id/...);
# `tabularium hub list` shows what is plugged in. Its seats are those at place 0, 1 and so on: ~ is nobody, and centre
# the reader for everybody. dtr: false is for a board that restarts whenever its port is opened.""",
}
COLUMN = 24
PLAIN = "[A-Za-z][A-Za-z0-9_-]*"


def text(settings: Settings, found: SearchResults | None = None) -> str:
    """Return a config.yaml that reads as exactly these settings, in any folder.

    Devices that were `found` and belong to no seat stand there as comments.
    """
    return TOP + "".join(f"{line}\n" for line in _lines(settings, found or SearchResults()))


def _lines(settings: Settings, found: SearchResults) -> Iterator[str]:
    plain = {field.name for field in fields(settings) if not _is_nested(getattr(settings, field.name))}
    for name in (name for name in Settings.__slots__ if name in plain):
        value = getattr(settings, name)
        yield _line(name, None if name == "data" and _is_usual(value) else value, name)
    yield from _wired("readers", {name: _reader(reader) for name, reader in settings.readers.items()})
    yield from _spare(settings, found)
    yield from _wired("seats", {seat: _wires(wires) for seat, wires in settings.seats.items()})
    yield from _hubs(settings.hubs)
    yield from _controllers(settings.controllers)
    used = {getattr(hub, key) for hub in settings.hubs.values() for key in WHERE}
    left = {hub.name: _unseated(hub) for hub in found.hubs if hub.where[0] and hub.where[1] not in used}
    yield from (f"  #{line[2:]}" for line in chain(*(_hub(name, hub) for name, hub in left.items())))
    for name in (name for name in Settings.__slots__ if is_dataclass(getattr(settings, name))):
        part = getattr(settings, name)
        empty = all(getattr(part, field.name) is None for field in fields(part))
        yield from ("", f"#{name}:" if empty else f"{name}:")
        for key in (field.name for field in fields(part)):
            yield "  " + _line(key, getattr(part, key), f"{name}.{key}")


def _spare(settings: Settings, found: SearchResults) -> Iterator[str]:
    """Yield the readers that no seat uses, as comments for later edits by hand."""
    used = [reader.place for reader in settings.readers.values()]
    for reader in found.readers:
        fitting = Fitting(reader.kind, reader.at.settings)
        if reader.answers and fitting.place not in used:
            yield f"  #centre: {_reader(fitting)}  # found, and nobody's yet"


def _unseated(hub: HubFound) -> HubSettings:
    """Return the settings of a hub with no seats."""
    key, word = hub.where
    return HubSettings(**{key: word}, seats=(None,) * len(hub.box.has), dtr=hub.dtr)


def _is_usual(data: Path) -> bool:
    """Return whether the data is where this user's programs keep theirs by default."""
    try:
        return data == data_home()
    except ConfigError:
        return False


def _is_nested(value: object) -> bool:
    return is_dataclass(value) or isinstance(value, Mapping)


def _line(key: str, value: object, called: str) -> str:
    """Return a key with its value; a key without one is written as a comment."""
    line = f"#{key}:" if value is None else f"{key}: {_written(value)}"
    said = SAYS.get(called, "")
    return f"{line:<{COLUMN - 1}} # {said}" if said else line


def _wired(name: str, parts: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts, one on each line.

    A name without parts is a comment, so that a part can be added below it by hand.
    """
    yield from ("", BEFORE[name], f"{name}:" if parts else f"#{name}:")
    broad = max(map(len, parts), default=0) + 1
    yield from (f"  {key + ':':<{broad}} {value}" for key, value in parts.items())


def _reader(reader: Fitting[Any]) -> str:
    at = reader.settings
    return _flow({"kind": reader.kind.name, **{field.name: getattr(at, field.name) for field in fields(at)}})


def _wires(wires: Wires) -> str:
    return _flow({field.name: getattr(wires, field.name) for field in fields(wires)})


def _flow(keys: Data) -> str:
    inside = ", ".join(f"{key}: {_written(value)}" for key, value in keys.items() if value is not None)
    return f"{{{inside}}}"


def _hubs(hubs: Mapping[str, HubSettings]) -> Iterator[str]:
    yield from ("", BEFORE["hubs"], "hubs:" if hubs else "#hubs:")
    yield from chain(*(_hub(name, hub) for name, hub in hubs.items()))


def _controllers(controllers: Mapping[str, ControllerSettings]) -> Iterator[str]:
    if not controllers:
        return
    yield from ("", BEFORE["controllers"], "controllers:")
    for name, of in controllers.items():
        known = {key: getattr(of, key) for key in ("usb", "place", "name")}
        known |= {"window": True} if of.window else {}
        yield f"  {name}: {_flow(known | {'seats': of.seats, 'together': of.together})}"


def _hub(name: str, hub: HubSettings) -> Iterator[str]:
    there = {field.name: getattr(hub, field.name) for field in fields(hub)}
    yield f"  {name}:"
    yield from (f"    {key}: {_written(value)}" for key, value in there.items() if value is not None)


def _written(value: object) -> str:
    match value:
        case None:
            return "~"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Path() | str():
            return _word(str(value))
        case Mapping():
            return _flow(value)
        case Sequence():
            return f"[{', '.join(map(_written, value))}]"
    raise TypeError(f"{type(value).__name__} has no place in config.yaml")


def _word(word: str) -> str:
    """Return a word as it is, or in quotes where YAML might read it as something else."""
    if re.fullmatch(PLAIN, word) and word.lower() not in _TAKEN:
        return word
    return '"' + "".join(map(_sign, word)) + '"'


_TAKEN = ("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf")
"""Words with another meaning in YAML."""


def _sign(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08X}"
