"""The replacement of the installed version: with a copy of the games made first, and a way back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from pi import games, program, service, trial
from pi.machine import Failed, Machine
from pi.release import ReleaseRefused
from pi.service import SERVICE, Table
from pi.steps import Say
from pi.trial import SECONDS, Trial


def replaced(m: Machine, this: str, bring: Callable[[], object], say: Say, table: Table = SERVICE) -> None:
    """Install a version with `bring` beside the current one, and switch to it, on trial.

    The caller holds the machine's lock. Raises Failed, as `switch`; of a version that is refused nothing stays.
    """
    ready(m, say, table)
    if table.playing(m):
        raise ReleaseRefused("game")
    trial.write(m, Trial(this, program.current(m)))
    try:
        bring()
    except BaseException:
        with suppress(OSError):
            trial.leave(m)
        raise
    switch(m, this, say, table)


def ready(m: Machine, say: Say, table: Table = SERVICE) -> None:
    """Finish an interrupted update. Raises ReleaseRefused while a version is on trial, and has it watched.

    The caller holds the machine's lock, so no other process is updating.
    """
    finish(m, say, table)
    try:
        trial.refuse_now(m)
    except ReleaseRefused:
        with suppress(Failed):
            table.tried(m)  # harmless where it is watched
        raise


def finish(m: Machine, say: Say, table: Table = SERVICE) -> None:
    """Finish an interrupted update, and start the table. The caller holds the machine's lock."""
    on = trial.read(m)
    if on and on.phase != "trying":
        trial.settle(m, say)
        trial.at_work(m, say, table)
        if trial.read(m):
            with suppress(Failed):
                table.tried(m)


def switch(m: Machine, this: str, say: Say, table: Table = SERVICE) -> None:
    """Switch from the current version to an installed one, on trial.

    If it does not show its first frame, the current one comes back at once. Raises Failed once that is at work again,
    or without having changed anything.
    """
    before = program.current(m)
    if table.playing(m):
        with suppress(OSError):
            trial.leave(m)
        raise ReleaseRefused("game")
    program.trust(m, before)  # it is at work, and will watch the new version
    tried = trial.write(m, Trial(this, before))
    table.end(m)
    try:
        store = games.where(m, before)
        tried = trial.write(m, replace(tried, store=str(store)))
        copy = games.copied(m, store, before)
        say(f"  now: copied the games to {copy}" if copy else "  no games to copy")
        program.use(m, this)
        program.follows(m, before)
        service.put(m, this)
        table.start(m)
    except (Failed, OSError, KeyboardInterrupt) as wrong:
        why = wrong.what if isinstance(wrong, Failed) else str(wrong) or "interrupted"
        remedy = wrong.remedy if isinstance(wrong, Failed) else ""
        seen = trial.DARK if program.current(m) == this else why
        try:
            stays = trial.go_back(m, replace(tried, why=seen), say, table.start, table.end)
        except Failed:
            raise Failed(f"{why}\n  {before} is restored, but does not start either.", remedy) from None
        raise Failed(f"{why}\n  {stays or f'{before} is running again.'}", remedy) from None
    with suppress(OSError):  # what cannot be noted on a full disk is noted at the next start
        trial.write(m, replace(tried, phase="trying"))
        program.clear(m)
    table.tried(m)
    say(f"  It is on probation for {SECONDS // 60} minutes of running. If it crashes, {before} is restored.")


def back(m: Machine, say: Say, table: Table = SERVICE) -> str:
    """Bring the version before back on request; return it. The caller holds the machine's lock.

    Raises Failed, and then nothing has changed.
    """
    finish(m, say, table)
    on = trial.read(m)
    now, before = program.current(m), program.before(m)
    if not before:
        raise ReleaseRefused("no-before")
    if table.playing(m):
        raise ReleaseRefused("game")
    left = on.left if on and on.this == now else SECONDS
    if stays := trial.go_back(m, Trial(now, before, left=left, why=trial.ASKED), say, table.start, table.end):
        raise Failed(f"{stays}\n  {now} is running again.")
    return before
