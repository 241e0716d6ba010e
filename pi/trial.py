"""A version on trial: for ten minutes of running it is watched, and if it dies by itself the one before comes back.

All of it is in one small file, and is done again from there after a power cut: whatever moment the plug was pulled at,
one version is the current one, and it has its games.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from pi import games, program, service
from pi.machine import OURS, Machine
from pi.release import Refused
from pi.service import SERVICE, Table
from pi.steps import Say

STATE, LAST = f"{OURS}/trial.json", f"{OURS}/last.json"
"""What is on trial; and what became of the last update, for the screen. Everybody may read both."""
SECONDS = 600
EVERY = 5
"""How often it is looked, in seconds."""
Phase = Literal["switching", "trying", "back"]
DIED, DARK, ASKED = "died", "dark", "asked"
"""Why it went back: it ended by itself, it showed no first frame, somebody wanted it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """`this` is tried in place of `before`, for so many seconds more; `why` is what speaks against it, and `copy` the
    copy of the games that `before` gets, where it cannot read those of now."""

    this: str
    before: str
    phase: Phase = "switching"
    left: int = SECONDS
    why: str = ""
    copy: str = ""


def read(m: Machine) -> Trial | None:
    """What is on trial; None for nothing, or where nobody can say any more. What a newer version says besides is left
    alone: the one that reads is the one before."""
    try:
        said = json.loads(m.text(STATE) or "{}")
        return Trial(**{field.name: said[field.name] for field in fields(Trial) if field.name in said})
    except (TypeError, ValueError):
        return None


def write(m: Machine, trial: Trial) -> Trial:
    m.write(STATE, json.dumps(asdict(trial)) + "\n")
    return trial


def last(m: Machine) -> dict[str, Any]:
    """What became of the last update; empty where there has been none."""
    try:
        said: dict[str, Any] = json.loads(m.text(LAST) or "{}")
    except ValueError:
        return {}
    return said


def told(m: Machine, what: str, version: str, other: str, **more: str) -> None:
    """Tells the screen, under a number of its own, what became of it: `updated`, `back`, or `cut`."""
    said = {"number": last(m).get("number", 0) + 1, "what": what, "version": version, "other": other}
    m.write(LAST, json.dumps(said | more) + "\n")


def settle(m: Machine, say: Say) -> None:
    """Brings to an end what a power cut has left half done; while no table is at work. Raises Failed."""
    trial = read(m)
    if trial is None:
        m.remove(STATE)
    elif trial.phase == "back":
        go_back(m, trial, say, start=None)
    elif trial.phase == "switching" and program.current(m) == trial.this:
        service.put(m, trial.this)
        write(m, replace(trial, phase="trying"))
    elif trial.phase == "switching":
        service.put(m, trial.before)
        told(m, "cut", trial.before, trial.this)
        m.remove(STATE)


def watch(m: Machine, say: Say, table: Table = SERVICE, wait: Callable[[float], object] = time.sleep) -> None:
    """Counts the seconds that it runs, until they are over or it has died. A table that is stopped is waited for."""
    counted = 0
    while (trial := read(m)) and trial.phase == "trying":
        state = table.state(m)
        if state == "died":
            say(f"{trial.this} died by itself")
            go_back(m, replace(trial, why=DIED), say, table.start, table.end)
            return
        if trial.left <= counted:
            say(f"{trial.this} has run for {SECONDS // 60} minutes")
            program.trust(m, trial.this)
            told(m, "updated", trial.this, trial.before)
            m.remove(STATE)
            return
        if counted >= EVERY * 3:
            trial, counted = write(m, replace(trial, left=trial.left - counted)), 0
        wait(EVERY)
        counted += EVERY if state == "running" else 0


def go_back(
    m: Machine,
    trial: Trial,
    say: Say,
    start: Callable[[Machine], object] | None = service.first_frame,
    end: Callable[[Machine], object] = service.end,
) -> None:
    """The version before comes back, with the games of now where it can read them. `start` starts it, None where that
    is somebody else's. Raises Failed where it does not start."""
    say(f"  now: back to {trial.before}")
    trial = write(m, replace(trial, phase="back"))
    end(m)  # systemd would try again meanwhile
    if program.current(m) == trial.this and not trial.copy and (copy := games.older(m, trial.before, trial.this)):
        trial = write(m, replace(trial, copy=str(copy)))  # before anything is moved, so that it can be gone on with
    lie = {}
    if trial.copy:
        lie["aside"] = str(games.put_back(m, games.where(m, trial.before), Path(trial.copy)))
    service.put(m, trial.before)
    program.use(m, trial.before)
    told(m, "back", trial.before, trial.this, why=trial.why, **lie)
    m.remove(STATE)
    if start:
        start(m)
    program.trust(m, trial.before)
    program.tidy(m, keep=(trial.before,))


def refuse_now(m: Machine) -> None:
    """Raises Refused while one update is still on trial."""
    if trial := read(m):
        raise Refused("trial", version=trial.this.partition("-")[0], minutes=str(-(-trial.left // 60)))
