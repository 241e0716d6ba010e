"""A version on trial: it is watched for ten minutes of running, and if it dies the version before comes back.

The whole state is in one small file, and the work continues from there after a power cut: at any moment one version is
the current one, and it has its games.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from pi import games, program, service
from pi.account import DATA
from pi.machine import OURS, Busy, Failed, Machine, plain
from pi.release import ReleaseRefused
from pi.service import SERVICE, Table
from pi.steps import Say

STATE, LAST = f"{OURS}/trial.json", f"{OURS}/last.json"
"""The state of the trial, and the outcome of the last update for the screen. Everybody may read both."""
SECONDS = 600
EVERY = 5
"""Seconds between two checks."""
Phase = Literal["switching", "trying", "back"]
PHASES = ("switching", "trying", "back")
DIED, DARK, ASKED = "died", "dark", "asked"
"""The reasons for going back: it ended by itself, it showed no first frame, a user asked for it."""
CONFIG, GAMES, GONE = "config", "games", "gone"
"""The reasons why the version before did not come back, besides DARK.

It cannot read config.yaml; or it cannot read the present games and there are no older ones; or it is gone.
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial: `this` replaces `before`, and is watched for `left` seconds more; `why` is what speaks against it.

    On the way back `store` is the place of the games. Where `before` cannot read them they are moved `aside`, a name
    for this rollback alone, and `copy` takes their place, if there is one that `before` can read.
    """

    this: str
    before: str
    phase: Phase = "switching"
    left: int = SECONDS
    why: str = ""
    copy: str = ""
    store: str = ""
    aside: str = ""


def read(m: Machine) -> Trial | None:
    """Return the trial in progress; None for none, or where the file is invalid.

    Fields that a newer version has added are ignored: the reader is the version before.
    """
    said = plain(m.text(STATE))
    try:
        trial = Trial(**{field.name: said[field.name] for field in fields(Trial) if field.name in said})
    except TypeError:
        return None
    words = [getattr(trial, field.name) for field in fields(Trial) if field.name != "left"]
    if not all(isinstance(word, str) for word in words) or trial.phase not in PHASES:
        return None
    named = program.NAMED.match(trial.this) and program.NAMED.match(trial.before)
    return trial if named and type(trial.left) is int and trial.left <= SECONDS else None


def write(m: Machine, trial: Trial) -> Trial:
    m.write(STATE, json.dumps(asdict(trial)) + "\n")
    return trial


def last(m: Machine) -> dict[str, Any]:
    """Return the outcome of the last update; empty where there has been none."""
    return plain(m.text(LAST))


def told(m: Machine, what: str, version: str, other: str, **more: str) -> None:
    """Tell the screen the outcome, with a new number: `updated`, `back`, `stays`, or `cut`."""
    number = last(m).get("number")
    said = {"number": number + 1 if type(number) is int else 1, "what": what, "version": version, "other": other}
    m.write(LAST, json.dumps(said | more) + "\n")


def leave(m: Machine) -> None:
    """Remove the files of an update that does not take place."""
    program.clear(m)
    m.remove(STATE)


# -- what was cut off --------------------------------------------------------------------------------------------------


def settle(m: Machine, say: Say) -> bool:
    """Finish an update that a power cut, or the end of the updating program, has interrupted.

    Returns whether there was one. The caller holds the machine's lock. What cannot be done now, as on a full disk, is
    tried again at the next start.
    """
    trial = read(m)
    try:
        if trial is None:
            return _unread(m)
        if trial.phase == "trying" and program.current(m) == trial.this:
            return False
        _settled(m, trial, say)
    except (Failed, OSError) as error:
        say(f"not completed: {error}")
    return True


def _unread(m: Machine) -> bool:
    """Recover from a missing or unreadable trial file: the links show a version that has not proven itself.

    Returns whether there was such a file.
    """
    if not m.at(STATE).exists():
        return False
    now, good = program.current(m), program.good(m)
    if now == good or not program.whole(m, good):
        m.remove(STATE)
        return True
    service.put(m, now)
    write(m, Trial(now, good, "trying"))
    return True


def _settled(m: Machine, trial: Trial, say: Say) -> None:
    now = program.current(m)
    if trial.phase == "back":
        go_back(m, trial, say, start=None)
    elif trial.phase == "trying":  # of another installation, or its end could not be noted
        program.clear(m)
        m.remove(STATE)
    elif now == trial.this:
        program.follows(m, trial.before)
        service.put(m, trial.this)
        write(m, replace(trial, phase="trying"))
    else:
        program.clear(m)  # this also makes room for the rest
        if now:
            service.put(m, now)
        told(m, "cut", now, trial.this)
        m.remove(STATE)


def at_work(m: Machine, say: Say, table: Table = SERVICE) -> None:
    """Start the table, if the interrupted update had ended it."""
    try:
        if table.state(m) != "running":
            table.start(m)
    except Failed as failed:
        say(failed.what)


# -- watched -----------------------------------------------------------------------------------------------------------


def watch(m: Machine, say: Say, table: Table = SERVICE, wait: Callable[[float], object] = time.sleep) -> None:
    """Count the seconds that the version runs, until they are over or it has died. Wait for a stopped table.

    Errors are retried: a watcher that has ended watches nothing.
    """
    counted = 0
    while _on(m):
        state = "off"
        try:
            with m.alone(wait=0):
                trial = _on(m)
                state = table.state(m)
                if trial is None:
                    return
                if state == "died":
                    say(f"{trial.this} crashed")
                    if why := go_back(m, replace(trial, why=DIED), say, table.start, table.end):
                        say(why)
                elif trial.left <= counted:
                    say(f"{trial.this} has run for {SECONDS // 60} minutes")
                    _proven(m, trial, say)
                elif counted >= EVERY * 3:
                    write(m, replace(trial, left=trial.left - counted))
                    counted = 0
        except Busy:  # another process updates it or goes back
            pass
        except (Failed, OSError) as error:
            say(str(error))
        if _on(m):
            wait(EVERY)
        counted += EVERY if state == "running" else 0


def _on(m: Machine) -> Trial | None:
    """Return the trial of the current version, None if it is not on trial."""
    trial = read(m)
    return trial if trial and trial.phase in ("switching", "trying") and program.current(m) == trial.this else None


def _proven(m: Machine, trial: Trial, say: Say) -> None:
    program.trust(m, trial.this)
    _said(m, say, "updated", trial.this, trial.before)
    m.remove(STATE)


# -- back --------------------------------------------------------------------------------------------------------------


def go_back(
    m: Machine,
    trial: Trial,
    say: Say,
    start: Callable[[Machine], object] | None = service.first_frame,
    end: Callable[[Machine], object] = service.end,
) -> str:
    """Bring the version before back; return why it has not come back, "" if it has.

    It gets the present games where it can read them, or else those from before, or none if the version on trial does
    not run. The present games are kept in any case. If it does not come back, the version on trial stays, with its
    games. `start` starts the table, None where the caller does. Raises Failed where neither version starts. A full disk
    stops only a rollback that was asked for: notes for the next start and for the screen are written where there is
    room.
    """
    say(f"  now: back to {trial.before}")
    trial = replace(trial, phase="back")
    if why := _unable(m, trial):
        return _stays(m, trial, say, why, start=start)
    try:
        write(m, trial)
    except OSError as error:
        if trial.why == ASKED:
            raise
        say(str(error))
    try:
        now = program.current(m)
        if start or now == trial.this:
            end(m)  # systemd would restart it meanwhile
        if now == trial.this:  # afterwards, its games have been dealt with
            trial = _games(m, trial, say)
        try:
            service.put(m, trial.before)
        except (Failed, OSError) as error:  # the newer version's files start the older one too
            say(str(error))
        program.use(m, trial.before)
    except (Failed, OSError) as error:
        return _stays(m, trial, say, str(error), start=start)
    alone = {"games": "none"} if trial.aside and not trial.copy else {}
    what = {"why": trial.why} | ({"aside": trial.aside} if trial.aside else {}) | alone
    shown = _said(m, say, "back", trial.before, trial.this, **what)
    if start:
        try:
            start(m)
        except Failed as failed:
            if trial.why not in (DIED, ASKED):
                m.remove(STATE)
                raise
            say(failed.what)
            return _stays(m, trial, say, DARK, start=start, end=end)
    try:
        program.back_to(m, trial.before)
        program.clear(m)
    except OSError as error:  # the rest is done at the next start
        say(str(error))
        return ""
    if not shown:  # now there is room
        _said(m, say, "back", trial.before, trial.this, **what)
    m.remove(STATE)
    return ""


def _unable(m: Machine, trial: Trial) -> str:
    """Return why the version before cannot start although the other one can, as far as that is known in advance."""
    if not program.whole(m, trial.before):
        return GONE
    if trial.why in (DIED, ASKED) and not _reads(m, trial.before) and _reads(m, trial.this):
        return CONFIG
    return ""


def _reads(m: Machine, version: str) -> bool:
    """Return whether a version can read config.yaml."""
    try:
        program.needs(m, version)
    except Failed:
        return False
    return True


def _games(m: Machine, trial: Trial, say: Say) -> Trial:
    """Ensure that the version before finds games that it can read, or none.

    Raises Failed or OSError where a rollback was asked for and cannot have its games; then nothing has changed.
    """
    if not trial.aside:
        store = _store(m, trial)
        try:
            copy = games.older(m, trial.before, trial.this, store)
        except (Failed, OSError) as error:
            if trial.why == ASKED:
                raise
            say(str(error))
            copy = None
        else:
            if copy is None:
                return trial
        trial = replace(trial, copy=str(copy or ""), store=str(store), aside=str(games.beside(m, store)))
        _noted(m, trial, say)  # before anything is moved, so that the rollback can be resumed
    store, aside = Path(trial.store), Path(trial.aside)
    try:
        games.put_back(m, store, Path(trial.copy) if trial.copy else None, aside)
    except Failed as failed:
        if trial.why == ASKED or not trial.copy:
            raise
        say(failed.what)
        trial = _noted(m, replace(trial, copy=""), say)
        games.put_back(m, store, None, aside)
    return trial


def _store(m: Machine, trial: Trial) -> Path:
    """Return the place of the games, as a version tells it, or else as noted when the trial began."""
    for version in (trial.before, trial.this):
        with suppress(Failed):
            return games.where(m, version)
    return Path(trial.store or m.at(f"{DATA}/tabularium.sqlite3"))


def _stays(
    m: Machine,
    trial: Trial,
    say: Say,
    why: str,
    *,
    start: Callable[[Machine], object] | None,
    end: Callable[[Machine], object] | None = None,
) -> str:
    """Keep the version that was tried, with its games; return why. Raises Failed where it does not start."""
    if end:
        end(m)
    if program.current(m) != trial.this:
        program.use(m, trial.this)  # first: while it is the current one, the way back begins with its games
        service.put(m, trial.this)
    if trial.aside:
        games.undone(m, Path(trial.store), Path(trial.aside))
    shown = _said(m, say, "stays", trial.this, trial.before, why=why)
    if trial.why == ASKED and program.good(m) != trial.this:  # it must still prove itself
        _noted(m, Trial(trial.this, trial.before, "trying", trial.left), say)
    elif shown:  # or else it stays on trial, and goes back once there is room
        m.remove(STATE)
    if start:
        start(m)
    return f"{trial.before} is not restored: {SAID.get(why, why)}"


SAID = {
    CONFIG: "it cannot read config.yaml.",
    DARK: "it showed no first frame.",
    GONE: "it is not there any more.",
}


def _noted(m: Machine, trial: Trial, say: Say) -> Trial:
    """Note the trial, if the disk has room."""
    try:
        write(m, trial)
    except OSError as error:
        say(str(error))
    return trial


def _said(m: Machine, say: Say, what: str, version: str, other: str, **more: str) -> bool:
    """Tell the screen, if the disk has room; return whether it had."""
    try:
        told(m, what, version, other, **more)
    except OSError as error:
        say(str(error))
        return False
    return True


def refuse_now(m: Machine) -> None:
    """Raise ReleaseRefused while one update is still on trial."""
    if trial := read(m):
        raise ReleaseRefused("trial", version=trial.this.partition("-")[0], minutes=str(-(-trial.left // 60)))
