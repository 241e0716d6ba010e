"""A report: one file to send in, with all that a maker or a maintainer asks for first.

It goes to people who did not sit at the table. So it is built from what may be in it: no card, no name, no address, no
id of a tag; and while a game is on, nothing but how devices do, since a card that was seen once would name itself.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from companion.hardware.doctor import Finding
from companion.rules import N_
from companion.rules.cards import PAWNS
from companion.rules.message import Message, plain
from companion.rules.readings import Health
from companion.rules.words import tr
from companion.system import files, limits

NAME = "tabularium-report-{stamp}.zip"
FORMAT = 1
CONTENTS: Mapping[str, str] = {
    "report.json": N_("versions, disk, clock, and how each device does"),
    "doctor.json": N_("what the doctor finds"),
    "config.yaml": N_("config.yaml, without comments, names, addresses and passwords"),
    "log.txt": N_("the end of the log: which acts there were, and no cards"),
    "trace.jsonl": N_("the last minute of readers and buttons, with made-up ids of tags"),
    "faults.jsonl": N_("the faults of the last minute, without ids: a game is on, or was a moment ago"),
    "kernel.txt": N_("what the kernel says of voltage, heat and devices"),
    "installed.json": N_("what was installed, and which files differ"),
}
"""What may be in a report, in words."""
LOG = 200_000
"""How much of the log's end is taken, in bytes."""
HIDDEN = "…"
"""What stands in place of what is nobody's business."""
SPEAKS = frozenset((
    "firmware", "shipped", "version", "model", "processor", "package", "lines", "bus", "pin", "pins", "state", "groups",
    "files", "part", "device", "reader", "what", "next", "command", "kernel", "system", "hub", "parts", "key", "kind",
))  # fmt: skip
"""The facts of a finding that are texts and may be read by anybody."""
WORDS = frozenset((
    *PAWNS, "centre", "virtual", "pi", "usb", "en", "de", "ja", "fists", "auto", "off", "brief", "full", "on", "left",
    "right", "rc522", "pcsc", "pn532", "hub", "typed", "espeak-ng", "open-jtalk", "piper", "normal", "large", "light",
    "dark", "evening",
))  # fmt: skip
"""The texts in config.yaml that say nothing of people."""
USB = re.compile(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}")
IDS = re.compile(r"\b(?:(?=[A-Fa-f]*\d)[0-9A-Fa-f]{8,}|(?:[0-9A-Fa-f]{2}:){3,}[0-9A-Fa-f]{2})\b")
"""What may be an id of a tag, or a serial number."""

Report = Mapping[str, bytes]
"""The files of a report by name."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a report is made of. `facts` are plain values that may be read by anybody; `config` is config.yaml as data,
    None where it has mistakes; `trace` are the last minute's lines with made-up ids, None while a game is on."""

    facts: Mapping[str, Any]
    health: Iterable[Health] = ()
    findings: Iterable[Finding] = ()
    config: Mapping[str, Any] | None = None
    log: str = ""
    trace: Sequence[bytes] | None = None
    faults: Sequence[bytes] = ()
    kernel: str = ""
    installed: Mapping[str, Any] | None = None
    home: Path | None = None


def made(seen: Seen) -> Report:
    """The files of a report."""
    devices = [{"device": of.device, "well": of.well, "detail": _said(of.detail), "code": _code(of.detail)}
               for of in seen.health]  # fmt: skip
    found = [{"part": of.part, "verdict": of.verdict, "what": _said(of.what), "code": _code(of.what)}
             for of in seen.findings]  # fmt: skip
    held: dict[str, bytes] = {
        "report.json": _json({"report": FORMAT, **seen.facts, "devices": devices}),
        "doctor.json": _json(found),
        "log.txt": _without(seen.log[-LOG:], seen.home).encode(),
        "kernel.txt": _without(seen.kernel, seen.home).encode(),
    }
    if seen.config is not None:
        held["config.yaml"] = _json(_masked(seen.config))  # JSON is YAML
    if seen.installed is not None:
        held["installed.json"] = _json(seen.installed)
    name, lines = ("faults.jsonl", seen.faults) if seen.trace is None else ("trace.jsonl", seen.trace)
    held[name] = b"".join(lines)
    return {name: held[name] for name in CONTENTS if name in held}


def packed(report: Report) -> bytes:
    """The one file."""
    return files.zipped(report)


def saved(report: Report, folder: Path) -> Path:
    """Writes a report beside others; where it is. Raises OSError."""
    place = files.folder(folder)
    path = files.free(place / NAME.format(stamp=f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"))
    files.save(path, packed(report))
    files.sync(place)  # the stick may be pulled out
    return path


def listed(report: Report, lang: str = "en") -> Iterator[str]:
    """What is in it, a line a file."""
    for name, data in report.items():
        yield f"{name} ({-(-len(data) // 1000)} kB): {tr(CONTENTS[name], lang)}"


class ReportError(ValueError):
    """A file that is no report."""


def opened(data: bytes) -> Report:
    """The files of a report that somebody sent. Raises ReportError."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename in CONTENTS]
            if sum(entry.file_size for entry in entries) > limits.REPORT:
                raise ReportError
            held = {entry.filename: archive.read(entry) for entry in entries}
        said = json.loads(held["report.json"])
        if said["report"] > FORMAT:
            raise ReportError
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, RecursionError, NotImplementedError, RuntimeError):
        raise ReportError from None
    return held


# -- what may be in it -------------------------------------------------------------------------------------------------


def _said(text: object) -> str:
    """A sentence with its numbers, and with those of its texts that may be read by anybody."""
    if not isinstance(text, Message):
        return IDS.sub(HIDDEN, str(text))
    facts = {name: _fact(name, plain(fact)) for name, fact in text.facts.items()}
    return IDS.sub(HIDDEN, text.template.format_map(facts))


def _fact(name: str, fact: object) -> object:
    if isinstance(fact, Message):
        return _said(fact)
    if isinstance(fact, int | float):
        return fact
    return str(fact) if name in SPEAKS else HIDDEN


def _code(text: object) -> str:
    return text.code if isinstance(text, Message) else ""


def _masked(data: object) -> object:
    if isinstance(data, Mapping):
        return {str(key): _masked(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_masked(value) for value in data]
    if isinstance(data, str) and data not in WORDS and not USB.fullmatch(data):
        return HIDDEN
    return data


def _without(text: str, home: Path | None) -> str:
    """Without ids, and without whose home it is."""
    return IDS.sub(HIDDEN, text.replace(str(home), "~") if home and home != Path("/") else text)


def _json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
