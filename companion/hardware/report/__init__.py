"""A report: one file to send in, with all that a maker or a maintainer asks for first.

It goes to people who did not sit at the table, so it is built only from facts that may be in it: no card, no name, no
address, no id of a tag. While a game is on it holds only the state of devices, since a card that was seen once would
name itself.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from companion.hardware.doctor import Finding
from companion.hardware.kind import Kinds
from companion.hardware.report import _config, _lines, _traced
from companion.hardware.report._kinds import INSTALLED, NAMED, Names, facts, shaped, told
from companion.hardware.report._sentences import code, sentence
from companion.rules import N_
from companion.rules.message import Message
from companion.rules.readings import Health
from companion.system import files, limits
from companion.system.archives import Bounded

NAME = "tabularium-report-{stamp}.zip"
FORMAT = 1
CONTENTS: Mapping[str, str] = {
    "report.json": N_("versions, disk, clock, and how each device is doing"),
    "doctor.json": N_("what the doctor finds"),
    "config.yaml": N_("config.yaml, without comments, names, addresses and passwords"),
    "log.txt": N_("the end of the log: which moves there were, and no cards"),
    "trace.jsonl": N_("the last minute of readers and buttons, with made-up tag numbers"),
    "faults.jsonl": N_("the faults of the last minute, without ids: a game is on, or was a moment ago"),
    "kernel.txt": N_("what the kernel says of voltage, heat and devices"),
    "installed.json": N_("what was installed, and which files differ"),
}
"""The possible contents of a report, in words."""
LOG = 200_000
"""The length of the log's end in a report, in bytes."""

Report = Mapping[str, bytes]
"""The files of a report by name."""


@dataclass(frozen=True, slots=True)
class RawReport:
    """The raw material of a report, as it was found; `made` leaves out what others may not read.

    `facts` are those of the computer and the table; `config` is config.yaml as data, None where it has mistakes, and
    `kinds` the readers' kinds in it; `trace` are the last minute's lines with made-up ids, None while a game is on.
    """

    facts: Mapping[str, Any]
    health: Iterable[Health] = ()
    findings: Iterable[Finding] = ()
    config: Mapping[str, Any] | None = None
    log: str = ""
    trace: Sequence[bytes] | None = None
    faults: Sequence[bytes] = ()
    kernel: str | None = ""
    installed: Mapping[str, Any] | None = None
    kinds: Kinds = field(default_factory=dict)


def made(seen: RawReport) -> Report:
    """Build the files of a report, with only the facts whose kind anybody may read."""
    names = Names([name for part in NAMED for name in _mapping((seen.config or {}).get(f"{part}s"))])
    devices = [{"device": told(names.part, of.device), "well": of.well, "detail": sentence(of.detail, names),
                "code": code(of.detail)} for of in seen.health]  # fmt: skip
    found = [{"part": told(names.part, of.part), "verdict": of.verdict, "what": sentence(of.what, names),
              "code": code(of.what)} for of in seen.findings]  # fmt: skip
    held: dict[str, bytes] = {
        "report.json": _json({"report": FORMAT, **shaped(facts(names))(seen.facts), "devices": devices}),
        "doctor.json": _json(found),
        "log.txt": _lines.log(seen.log[-LOG:], names).encode(),
        "kernel.txt": _lines.kernel(seen.kernel).encode(),
    }
    if seen.config is not None:
        held["config.yaml"] = _json(_config.shown(seen.config, seen.kinds, names))  # JSON is YAML
    if seen.installed is not None:
        held["installed.json"] = _json(INSTALLED(seen.installed))
    name, lines = ("faults.jsonl", seen.faults) if seen.trace is None else ("trace.jsonl", seen.trace)
    held[name] = b"".join(_traced.shown(lines, names, list(seen.kinds)))
    return {name: held[name] for name in CONTENTS if name in held}


def _mapping(value: object) -> Iterable[str]:
    return map(str, value) if isinstance(value, Mapping) else ()


def packed(report: Report) -> bytes:
    """Return the report as one zip file."""
    return files.zipped(report)


def saved(report: Report, folder: Path) -> Path:
    """Write a report beside others and return its path. Raises OSError."""
    place = files.folder(folder)
    path = files.free(place / NAME.format(stamp=f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"))
    files.save(path, packed(report))
    files.sync(place)  # the stick may be pulled out
    return path


def listed(report: Report) -> Iterator[Message]:
    """Yield a line for each file: its name, its size in kB and its contents."""
    for name, data in report.items():
        yield Message("{file} ({size} kB): {what}", file=name, size=-(-len(data) // 1000), what=Message(CONTENTS[name]))


class ReportError(ValueError):
    """A file that is no report."""


BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, KeyError, TypeError, ValueError, RecursionError,
          NotImplementedError, RuntimeError)  # fmt: skip
"""Exceptions raised by a damaged report or another kind of file."""


def opened(data: bytes) -> Report:
    """Return the files of a report that was sent in. Raises ReportError."""
    try:
        with Bounded(BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename in CONTENTS]
            if sum(entry.file_size for entry in entries) > limits.REPORT:
                raise ReportError
            held = {entry.filename: archive.read(entry) for entry in entries}
        if not 1 <= data_of(held["report.json"])["report"] <= FORMAT:
            raise ReportError
    except BROKEN:
        raise ReportError from None
    return held


def data_of(text: bytes) -> Any:
    """Parse JSON as its standard has it, without NaN and infinities.

    Raises ValueError, also for data that is nested too deeply.
    """

    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise ValueError from None


def _json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
