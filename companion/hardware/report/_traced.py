"""The last minute of readers and buttons, as far as anybody may read it. The ids of tags are already made up."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from companion.hardware.doctor.hour import STEPS
from companion.hardware.report._kinds import (
    CODE,
    HIDDEN,
    PLACES,
    VERDICT,
    Kind,
    Names,
    each,
    facts,
    first_of,
    flag,
    keyed,
    like,
    number,
    one_of,
    place,
    shaped,
    told,
)
from companion.hardware.report._sentences import sentence
from companion.hardware.trace import HOUR, LAYERS, SPI

HEX = like("([0-9A-F]{2}){0,4096}")
TAGS = like("[0-9A-F ]{0,2000}")
TIME: Kind = lambda value: value if type(value) is int and 0 <= value < 10**18 else None  # noqa: E731
SETTINGS = ("bus", "device", "reset", "gain", "number")


def shown(lines: Iterable[bytes], names: Names, readers: Iterable[str]) -> Iterator[bytes]:
    """Yield the lines of a trace with these kinds of readers. Lines that no trace has are left out."""
    for line in lines:
        data = json.loads(line)
        kinds = _head(names, [*readers, "hub"]) if "trace" in data else _kinds(names)
        found = {key: told(kind, data[key]) for key, kind in kinds.items() if key in data}
        if HIDDEN not in (value for key, value in found.items() if key not in WORDS):
            yield json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


WORDS = ("detail", "fault", "closed", "what", "part", "health", "model", "kernel", "program", "python", "device")
"""Keys that may be hidden: the line still counts as one of a trace."""


def _head(names: Names, readers: Iterable[str]) -> Mapping[str, Kind]:
    computer = facts(names)
    pins = keyed(place, number)
    return {
        "trace": number,
        **{key: computer[key] for key in ("at", "program", "python", "packages", "model", "kernel")},
        "config": shaped({
            "readers": keyed(place, shaped({"kind": one_of(*readers), **dict.fromkeys(SETTINGS, number)})),
            "buttons": pins,
            "lamps": pins,
            "hubs": keyed(names.number, shaped({"seats": each(place), "dtr": flag})),
            "debounce_ms": number,
            "poll_ms": number,
        }),
        "chips": names.chips,
        "tags": one_of("made up"),
    }  # fmt: skip


def _kinds(names: Names) -> Mapping[str, Kind]:
    said: Kind = lambda value: sentence(value, names)  # noqa: E731
    return {
        "t": TIME,
        "layer": one_of(*LAYERS, SPI, HOUR),
        "device": lambda value: value if value in PLACES else names.part(value) or names.number(value),
        **dict.fromkeys(("reader", "button"), place),
        **dict.fromkeys(("health", "part"), names.part),
        **dict.fromkeys(("detail", "fault", "closed", "what"), said),
        **dict.fromkeys(("tag", "polled", "faint", "card"), TAGS),
        **dict.fromkeys(("exchange", "answer", "registers", "asked", "said", "heard", "stands", "sent", "got"), HEX),
        **dict.fromkeys(("present", "down", "edge", "level", "well", "several"), flag),
        **dict.fromkeys(("ms", "now"), TIME),
        **dict.fromkeys(("irq", "error", "control", "collision", "status", "framing"), number),
        "opened": first_of(flag, TIME),
        "clock": each(number),
        "code": CODE,
        "step": one_of(*(step.name for step in STEPS)),
        "verdict": VERDICT,
    }
