"""The state of devices, a line each: in the hardware list, the doctor, the first hour and the voice settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.dialogues.doctor import told
from companion.hardware.doctor import Finding
from companion.rules import N_
from companion.rules.words import device, message, tr

VERDICTS: Mapping[str, str] = {"pass": N_("OK"), "warn": N_("check"), "fail": N_("fault")}


@dataclass(frozen=True, slots=True)
class DeviceState:
    """A device's line: its state in a word, its name, details, and the seat it belongs to."""

    mark: str
    name: str
    detail: str
    well: bool
    seat: str = ""


def of_finding(finding: Finding, lang: str) -> DeviceState:
    """Return a finding of the doctor as a line."""
    mark = tr(VERDICTS[finding.verdict], lang)
    return DeviceState(mark, device(finding.part, lang), message(told(finding), lang), finding.verdict == "pass")
