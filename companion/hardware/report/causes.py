"""The known causes, as a list that grows: what a report shows, what that means, and what to do about it.

For a new one: an entry here, and a report that shows it in tests/reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.hardware.doctor.computer import LEAST_MB
from companion.hardware.doctor.hubs import older
from companion.hardware.doctor.installation import HOT
from companion.hardware.doctor.wired import HELD
from companion.hardware.report import Report, data_of
from companion.hardware.report._kinds import CODE, HIDDEN, INSTALLED, Names, each, facts, shaped
from companion.rules import N_

LOW = 1 << 0 | 1 << 16
"""Bits of what the firmware noted: the voltage is, or was, too low."""
FIRST = "2025"
"""No table has been at work before this year."""


@dataclass(frozen=True, slots=True)
class Read:
    """A report as it is read. Any: JSON data of any type."""

    facts: Mapping[str, Any]
    findings: Sequence[Mapping[str, Any]]
    installed: Mapping[str, Any]
    kernel: str

    @property
    def throttled(self) -> int:
        return int(self.installed.get("throttled") or 0)

    @property
    def old_hubs(self) -> bool:
        shipped = str(self.facts.get("shipped", ""))
        return any(older(str(firmware), shipped) for firmware in self.facts.get("hubs", {}).values())

    def has(self, code: str) -> bool:
        """Return whether the doctor or a device has reported this code."""
        return any(of.get("code") == code for of in (*self.findings, *self.facts.get("devices", ())))


@dataclass(frozen=True, slots=True)
class Cause:
    """A known cause: its name, what it is, what to do, and the check that recognises it."""

    name: str
    says: str
    do: str
    shown: Callable[[Read], bool]


CAUSES = (
    Cause("clock", N_("The clock is behind: the Pi has no battery, and has had no network since it started."),
          N_("Connect it to a network once, or fit a battery to a Pi 5. Games are not affected; only "
"dates in lists are wrong."),
          lambda it: str(it.facts.get("at", FIRST)) < FIRST),
    Cause("disk", N_("The disk is full."),
          N_("Make room, or set data in config.yaml to another disk. Nothing can be saved until then."),
          lambda it: int(it.facts.get("free_mb", LEAST_MB)) < LEAST_MB),
    Cause("voltage", N_("The voltage was too low."),
          N_("Use the Pi's own power supply and a short cable. Readers lose their settings when it dips."),
          lambda it: bool(it.facts.get("sagged") or it.throttled & LOW or "ndervoltage" in it.kernel)),
    Cause("heat", N_("The processor got too hot, and was slowed down."),
          N_("Give it air, or a cooler."),
          lambda it: bool(it.throttled & HOT)),
    Cause("overlay", N_("The boot configuration lacks what config.yaml needs: there is no device for the readers."),
          N_("sudo /opt/tabularium/current/install, then restart the Pi."),
          lambda it: bool(it.installed.get("boot"))),
    Cause("groups", N_("The user tabularium may not use the devices: it is not in all the groups it needs."),
          N_("sudo /opt/tabularium/current/install"),
          lambda it: bool(it.installed.get("lacking"))),
    Cause("bus", N_("One reader blocks the line on which all of them answer: each works alone, but not together."),
          N_("Put a diode into its MISO, and 1.5 kΩ between the common line and ground; or use another reader, or a hub"
             " (firmware_notes/readers.md)."),
          lambda it: it.has(HELD)),
    Cause("hub", N_("A hub has older firmware than this program brings."),
          N_("tabularium hub update says how to update it."),
          lambda it: it.old_hubs),
    Cause("restarts", N_("The service had to be started again and again."),
          N_("The log in the report says at what: look for “the program ends with an error”."),
          lambda it: int(it.installed.get("restarts") or 0) > 2),
)  # fmt: skip


def read(report: Report) -> Read:
    """Read an opened report. Damaged or unexpected parts of it count as empty."""

    def data(name: str) -> Any:
        try:
            return data_of(report.get(name, b""))
        except ValueError:
            return None

    codes = each(shaped({"code": CODE}))
    told = data("report.json")
    devices = codes(told.get("devices")) if isinstance(told, dict) else None
    return Read(
        {**_without_hidden(shaped(facts(Names()))(told)), "devices": _objects(devices)},
        _objects(codes(data("doctor.json"))),
        _without_hidden(INSTALLED(data("installed.json"))),
        report.get("kernel.txt", b"").decode(errors="replace"),
    )


def _without_hidden(found: Any) -> dict[str, Any]:
    return {key: value for key, value in (found or {}).items() if value != HIDDEN}


def _objects(found: Any) -> list[Any]:
    return [of for of in found or () if isinstance(of, dict)]


def causes(report: Report) -> Iterator[Cause]:
    """Yield the causes that the report shows."""
    seen = read(report)
    for cause in CAUSES:
        try:
            if cause.shown(seen):
                yield cause
        except (TypeError, ValueError, AttributeError):  # it was edited by hand
            continue
