"""`tabularium doctor`: is it wiring or software? Findings, each with what to do next, as a table or as JSON."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.system.terminal import console, line

Verdict = Literal["pass", "warn", "fail"]
ORDER: Sequence[Verdict] = ("pass", "warn", "fail")


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check. `next` says what to do about it or what to try, "" where nothing is left to do."""

    part: str
    verdict: Verdict
    what: str
    next: str = ""


def installing(*packages: str) -> str:
    """Return the command that installs packages for the Python that runs this program."""
    sudo = [] if os.access(sys.prefix, os.W_OK) else ["sudo"]
    return shlex.join([*sudo, f"{sys.prefix}/bin/python", "-m", "pip", "install", *packages])


def worst(findings: Sequence[Finding]) -> Verdict:
    return max((finding.verdict for finding in findings), key=ORDER.index, default="pass")


def status(findings: Sequence[Finding]) -> int:
    """Return the exit status: 1 if anything fails."""
    return int(worst(findings) == "fail")


def as_json(findings: Sequence[Finding]) -> str:
    found = [{"part": f.part, "verdict": f.verdict, "what": f.what, "next": f.next} for f in findings]
    report = {"verdict": worst(findings), "findings": found}
    return json.dumps(report, ensure_ascii=False, indent=2)


def summary(findings: Sequence[Finding]) -> str:
    """Return the last line: how many findings there are of each verdict, and where to begin."""
    counts = {verdict: sum(finding.verdict == verdict for finding in findings) for verdict in ORDER}
    line = f"{counts['pass']} pass, {counts['warn']} warn, {counts['fail']} fail."
    first = next((finding.part for finding in findings if finding.verdict == worst(findings)), "")
    return line if worst(findings) == "pass" else f"{line} Begin with: {first}."


def table(findings: Sequence[Finding]) -> None:
    """Print the findings in their order, as a table."""
    from rich.table import Table
    from rich.text import Text

    rows = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    rows.add_column("part", no_wrap=True)
    rows.add_column("", no_wrap=True)
    rows.add_column("found", overflow="fold", ratio=3)
    rows.add_column("next step", overflow="fold", ratio=3)
    colours = {"pass": "green", "warn": "yellow", "fail": "bold red"}
    for finding in findings:
        verdict = Text(finding.verdict, colours[finding.verdict])
        rows.add_row(line(finding.part), verdict, line(finding.what), line(finding.next))
    console().print(rows)
    print(f"\n{summary(findings)}")
