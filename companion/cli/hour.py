"""The first hour: the doctor's steps with real hardware, in a terminal or on the screen, and a report to send in."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.common import fail, settings_of
from companion.rules import N_
from companion.rules.message import Message, program, system_error
from companion.system.terminal import line

if TYPE_CHECKING:
    from companion.hardware.doctor import Finding
    from companion.hardware.doctor.hour import HourStep
    from companion.hardware.settings import Settings
    from companion.hardware.trace.recorder import Recorder

MARKS = {"pass": "+", "warn": "?", "fail": "!"}


class HourSession:
    """The first hour at an open table. Its trace begins with the first step; `save` ends it and writes the report."""

    def __init__(self, settings: Settings, rig: Any, recorder: Recorder, hands: Any = None) -> None:
        from drivers.commissioning import ReaderCommissioning

        self._settings, self._rig, self._recorder = settings, rig, recorder
        self._hour = ReaderCommissioning(rig, recorder, hands)
        self._spool: Any = None
        self.steps: Sequence[HourStep] = self._hour.steps
        self.lang: str = settings.language
        """The language of the report."""

    @property
    def reader(self) -> str:
        """Return the name of the reader under test, "" for none."""
        return self._hour.reader

    def measure(self, step: HourStep) -> Sequence[Finding]:
        """Run a step, which waits for hands. Raises OSError where its trace cannot be written."""
        if self._spool is None:
            self._spool = _spool(self._settings, self._rig, self._recorder)
        return self._hour.measure(step)

    def save(self) -> Path:
        """Write the report beside its trace and return the report's path. Raises OSError."""
        from companion.system import files

        if self._spool is None:
            self._spool = _spool(self._settings, self._rig, self._recorder)
        trace, spool = self._spool.close(), self._spool
        self._spool = None
        if spool.trouble:
            raise OSError(spool.trouble)
        path = files.free(trace.with_suffix(".txt"))
        files.save(path, "\n".join(_report(self._settings, self._rig, self._hour.found, self.lang)).encode() + b"\n")
        return path

    def close(self) -> None:
        """Close a trace that has begun, and keep it; harmless a second time."""
        spool, self._spool = self._spool, None
        if spool:
            spool.close()


def _spool(settings: Settings, rig: Any, recorder: Recorder) -> Any:
    from companion.cli.traces import spool_of
    from companion.hardware.trace import SUFFIX
    from companion.hardware.trace.keeping import FOLDER, stamp
    from companion.system import files

    name = f"first-hour-{stamp(datetime.now().astimezone())}{SUFFIX}"
    return spool_of(files.folder(settings.data / FOLDER) / name, False, settings, lambda: rig, recorder)


def _report(settings: Settings, rig: Any, found: Sequence[Finding], lang: str) -> Iterator[str]:
    """Yield the report's lines: the machine and chips, and the findings."""
    from companion.cli.traces import head_of
    from companion.rules.words import device, message

    head = head_of(settings, rig)
    for key in ("at", "program", "python", "model", "kernel", "packages", "chips", "config"):
        yield f"{key}: {head.get(key)}"
    yield ""
    for each in found:
        after = f" ({message(each.next, lang)})" if each.next else ""
        yield f"{MARKS[each.verdict]} {device(each.part, lang)}: {message(each.what, lang)}{after}"


# -- in a terminal -----------------------------------------------------------------------------------------------------


def run_first_hour(args: argparse.Namespace) -> int:
    """Run the first hour step by step; exit status 1 if anything fails."""
    from companion.cli.rigs import alone
    from companion.cli.traces import rig_of
    from companion.hardware.trace.recorder import Recorder
    from companion.record.store import StoreInUse
    from companion.rules.mistakes import ConfigError
    from companion.rules.words import message

    recorder = Recorder()
    try:
        settings = settings_of(args)
        with alone(settings), closing(rig_of(settings, args.virtual == "hub", recorder)) as rig:
            return _walk(settings, rig, recorder, args.lang)
    except (ConfigError, StoreInUse) as error:
        return fail(*getattr(error, "lines", [str(error)]))
    except OSError as error:
        return fail(f"{error.filename or 'the report'}: {message(system_error(error), args.lang)}")


def hands_of(settings: Settings, rig: Any) -> Any:
    """Return the scripted hands of the virtual table, None for a real one."""
    if settings.hardware != "virtual":
        return None
    from drivers.virtual.scripted_hands import ScriptedHands

    return ScriptedHands(rig)


def _walk(settings: Settings, rig: Any, recorder: Recorder, lang: str) -> int:
    from companion.hardware.doctor import status
    from companion.hardware.doctor.hour import END, NUMBERED
    from companion.rules.words import device, message, tr

    found: list[Finding] = []
    with closing(HourSession(settings, rig, recorder, hands_of(settings, rig))) as hour:
        hour.lang = lang
        if not hour.steps:
            return fail(f"nothing is wired to this computer; to test a hub: {program()} hub test")
        for number, step in enumerate(hour.steps, start=1):
            print(f"\n{tr(NUMBERED, lang, step=number, count=len(hour.steps), title=tr(step.title, lang))}")
            print(f"  {tr(step.why, lang)}\n  {tr(step.ask, lang)}", flush=True)
            if settings.hardware != "virtual" and not _begin(lang):
                continue
            for each in hour.measure(step):
                after = f" ({message(each.next, lang)})" if each.next else ""
                print(
                    f"  {MARKS[each.verdict]} {device(each.part, lang)}: {line(message(each.what, lang))}{line(after)}"
                )
                found.append(each)
        saved = Message("Saved as {file}", file=line(str(hour.save())))
        print(f"\n{message(saved, lang)}\n{tr(END, lang)}")
    return status(found)


BEGIN = N_("Enter: begin; s: skip")


def _begin(lang: str) -> bool:
    """Wait for Enter; return whether to run the step."""
    from companion.rules.words import tr

    try:
        return input(f"  {tr(BEGIN, lang)} ").strip().casefold() != "s"
    except EOFError:
        return True
