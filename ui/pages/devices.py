"""How devices do, a line each: in the hardware's list, with the doctor, in the first hour, at the voice."""

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
    """How something does in a word, what it is called, and more of it; `seat` is whose it is."""

    mark: str
    name: str
    detail: str
    well: bool
    seat: str = ""


def of_finding(finding: Finding, lang: str) -> DeviceState:
    """Return what the doctor has found as a line."""
    mark = tr(VERDICTS[finding.verdict], lang)
    return DeviceState(mark, device(finding.part, lang), message(told(finding), lang), finding.verdict == "pass")
