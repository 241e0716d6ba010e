"""Another version in place of the one that is installed: with a copy of the games made first, and a way back."""

from __future__ import annotations

from dataclasses import replace

from pi import games, program, service, trial
from pi.machine import Failed, Machine
from pi.release import Refused
from pi.service import SERVICE, Table
from pi.steps import Say
from pi.trial import SECONDS, Trial


def switch(m: Machine, this: str, say: Say, table: Table = SERVICE) -> None:
    """Puts a version that is installed in place of the current one, on trial. If it does not show its first frame, the
    current one comes back at once.

    Raises Failed once that is at work again, or without having touched anything.
    """
    before = program.current(m)
    if table.playing(m):
        raise Refused("game")
    program.trust(m, before)  # it is at work, and whoever watches the new one is it
    tried = trial.write(m, Trial(this, before))
    table.end(m)
    try:
        copy = games.copied(m, games.where(m, before), before)
        say(f"  now: copied the games to {copy}" if copy else "  there are no games to be copied")
        program.use(m, this)
        service.put(m, this)
        table.start(m)
    except (Failed, OSError, KeyboardInterrupt) as wrong:
        why = wrong.what if isinstance(wrong, Failed) else str(wrong) or "interrupted"
        remedy = wrong.remedy if isinstance(wrong, Failed) else ""
        seen = trial.DARK if program.current(m) == this else why
        try:
            trial.go_back(m, replace(tried, why=seen), say, table.start, table.end)
        except Failed:
            raise Failed(f"{why}\n  {before} is back, but does not start either.", remedy) from None
        raise Failed(f"{why}\n  {before} is at work again.", remedy) from None
    trial.write(m, replace(tried, phase="trying"))
    program.tidy(m, keep=(this, before))
    table.tried(m)
    say(f"  It is watched for {SECONDS // 60} minutes of running. If it dies by itself, {before} comes back.")


def back(m: Machine, say: Say, table: Table = SERVICE) -> str:
    """The version before comes back, because somebody wants it; returns which. Raises Failed, and then nothing is
    other than before."""
    now, before = program.current(m), program.before(m)
    if not before:
        raise Refused("no-before")
    if table.playing(m):
        raise Refused("game")
    try:
        trial.go_back(m, Trial(now, before, why=trial.ASKED), say, table.start, table.end)
    except Failed as failed:
        if program.current(m) == before:  # it does not start
            lies = trial.last(m).get("aside")
            if lies and (copies := games.copies(m, games.where(m, now))):
                games.put_back(m, games.where(m, now), copies[-1])
            program.use(m, now)
            service.put(m, now)
            table.start(m)
            trial.told(m, "stays", now, before, why=trial.DARK)
        m.remove(trial.STATE)
        raise Failed(f"{failed.what}\n  {now} is at work again.", failed.remedy) from None
    return before
