"""`tabularium report` and `report read`: one file to send in, and the causes that such a file shows."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from companion.cli.common import fail, settings_of
from companion.system.terminal import line

if TYPE_CHECKING:
    from companion.cli.open_devices import OpenDevices
    from companion.cli.setup_session import SetUpSession
    from companion.cli.traces import Recording
    from companion.hardware.doctor import Finding
    from companion.hardware.report import Report
    from companion.hardware.settings import Settings
    from companion.play.evening import Evening
    from companion.rules.readings import Health

ASKED_S = 5.0
CALM_S = 60.0
"""How long ago the last game must have ended before the last minute may go into a report."""


class Reporter:
    """The maker of a table's report.

    `findings` asks the doctor, `minute` has the last minute with made-up ids, and its faults alone, as lines.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        config: Callable[[], Path | None],
        *,
        findings: Callable[[], Sequence[Finding]],
        health: Callable[[], Sequence[Health]] = tuple,
        rig: Callable[[], Any] = lambda: None,
        minute: Callable[[], tuple[Sequence[bytes], Sequence[bytes]]] = lambda: ((), ()),
        playing: Callable[[], bool] = lambda: False,
        root: Path = Path("/"),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._settings, self._config, self._findings, self._health = settings, config, findings, health
        self._rig, self._minute, self._playing, self._root, self._clock = rig, minute, playing, root, clock
        self._calm = -CALM_S
        """When the last game ended, or was put away."""

    def on(self, playing: bool) -> None:
        """Note whether a game is on."""
        if not playing:
            self._calm = self._clock()

    @property
    def quiet(self) -> bool:
        """Return whether no game is on, nor was one within the last minute."""
        return not self._playing() and self._clock() - self._calm >= CALM_S

    def report(self) -> Report:
        """Return the report as of now, which may take seconds."""
        from companion.cli.needs import boot
        from companion.hardware.report import RawReport, made
        from drivers.installed import installed
        from drivers.kinds import KINDS

        settings = self._settings()
        lines, faults = self._minute()
        found = installed(self._root, boot(settings))
        return made(
            RawReport(
                self._facts(settings),
                self._health(),
                self._findings(),
                _data(self._config()),
                _end(settings.data),
                lines if self.quiet else None,
                faults,
                _kernel(),
                _installed(found, self._root) if found else None,
                KINDS,
            )
        )

    def _facts(self, settings: Settings) -> Mapping[str, Any]:
        import shutil
        from platform import system

        from companion.cli.traces import head_of
        from drivers.hub import FIRMWARE
        from drivers.machine import machine

        head = head_of(settings, self._rig())
        chips = head.get("chips", {})
        hubs = {name.removeprefix("hub "): chip for name, chip in chips.items() if name.startswith("hub ")}
        free: dict[str, int] = {}
        with suppress(OSError):
            free["free_mb"] = shutil.disk_usage(settings.data).free // 1_000_000
        asked = ("at", "program", "python", "packages", "model", "kernel", "chips")
        return {name: head[name] for name in asked if name in head} | free | {
            "system": system(), "hardware": settings.hardware, "hubs": hubs, "shipped": FIRMWARE,
            "sagged": machine().sagged, "quiet": self.quiet,
        }  # fmt: skip


def reporter(
    args: argparse.Namespace,
    evening: Evening,
    set_up: SetUpSession,
    hardware: OpenDevices,
    recording: Recording,
    *,
    findings: Callable[[], Sequence[Finding]],
) -> Callable[[], Report]:
    """Return the function that makes the report of an open table."""
    from companion.hardware import settings as config

    made = Reporter(
        lambda: set_up.settings,
        lambda: config.find(args.config),
        findings=findings,
        health=lambda: tuple(evening.devices.health.values()),
        rig=lambda: hardware.rig,
        minute=recording.minute,
        playing=lambda: evening.match is not None and not evening.match.view["over"],
    )
    before = evening.playing

    def playing(on: bool) -> None:
        before(on)
        made.on(on)

    evening.playing = playing
    return made.report


def _data(path: Path | None) -> Mapping[str, Any] | None:
    from companion.rules.mistakes import ConfigError
    from companion.system.yaml_lines import read_yaml

    try:
        data, _ = read_yaml(path) if path else ({}, None)
    except (ConfigError, OSError):
        return None
    return data if isinstance(data, Mapping) else None


def _end(folder: Path) -> str:
    """Return the end of the log."""
    from companion.hardware.report import LOG
    from companion.system.logs import FILE

    try:
        with (folder / FILE).open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - LOG))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _kernel() -> str | None:
    """Return the kernel's log; None where this user may not read it."""
    for words in (("journalctl", "-k", "-b", "-q", "--no-pager", "-o", "short-monotonic"), ("dmesg",)):
        try:
            said = subprocess.run(words, check=False, capture_output=True, text=True, errors="replace", timeout=ASKED_S)
        except (OSError, subprocess.SubprocessError):
            continue
        if said.returncode == 0 and said.stdout:
            return said.stdout
    return None


def _installed(found: Any, root: Path) -> Mapping[str, Any]:
    """Return what the installer brought, besides what the doctor asks. Any: the installation."""
    import json
    from dataclasses import asdict

    told: dict[str, Any] = asdict(found)
    for name in ("brought", "trial", "last"):
        with suppress(OSError, ValueError):
            told[name] = json.loads((root / f"opt/tabularium/{name}.json").read_text(encoding="utf-8"))
    return told


# -- commands ----------------------------------------------------------------------------------------------------------


def run_report(args: argparse.Namespace) -> int:
    """Write a report. Exit status 0 once it is written."""
    from companion.cli.hardware import examined, heard
    from companion.cli.rigs import alone
    from companion.hardware import settings as config
    from companion.record.store import StoreInUse
    from companion.rules.mistakes import ConfigError

    try:
        settings = settings_of(args)
    except ConfigError as error:
        return fail(*error.lines, "a report needs a readable config.yaml: fix these mistakes first")

    def findings() -> list[Finding]:
        try:
            with alone(settings):
                return [*examined(settings), *heard(settings)]
        except StoreInUse:
            print("The table is open, so its devices are not checked: save the report on its screen or close it.")
            return []

    reporter = Reporter(lambda: settings, lambda: config.find(args.config), findings=findings)
    return written(reporter.report(), args.to or Path())


def written(report: Report, folder: Path) -> int:
    """Write a report, and print its contents."""
    from companion.hardware.report import listed, saved

    try:
        path = saved(report, folder)
    except OSError as error:
        return fail(f"{error.filename or folder}: {error.strerror or error}")
    for told in listed(report):
        print(f"  {told}")
    print(f"Saved as {line(str(path))}. It contains no cards, names or tag ids.")
    return 0


def read_report(args: argparse.Namespace) -> int:
    """Print what a report shows. Exit status 0 for any readable report."""
    from companion.hardware.report import ReportError, opened
    from companion.hardware.report.causes import causes, read
    from companion.rules.words import tr
    from companion.system import limits

    try:
        report = opened(limits.content(args.file, limits.REPORT))
    except OSError as error:
        return fail(f"{args.file}: {error.strerror or error}")
    except ReportError:
        return fail(f"{args.file}: this is not a report, or comes from a newer Tabularium")
    facts = read(report).facts
    told = [f"{name}: {facts[name]}" for name in ("at", "program", "model", "kernel", "hardware") if name in facts]
    print(line("; ".join(told)))
    found = list(causes(report))
    for cause in found:
        print(f"\n{tr(cause.says, args.lang)}\n  {tr(cause.do, args.lang)}")
    if not found:
        print("\nNo known cause applies. The file contains the doctor's findings and the log.")
    return 0
