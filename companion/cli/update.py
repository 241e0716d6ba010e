"""`tabularium update`: an update or a rollback on an installed Pi, requested in a terminal."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from companion.cli.common import fail, settings_of
from companion.rules.mistakes import ConfigError
from companion.system.updates import Answer, Updates

PATIENCE_S = 60.0
"""How long a request may wait for root to begin. Once root is at work, systemd limits the time."""
EVERY_S = 0.5
STEPS = {
    "": "waiting for another update to finish",
    "look": "looking",
    "take": "checking the signature",
    "back": "going back",
    "copy": "copying the release",
    "install": "installing it beside this version, which takes a minute or two",
}
ELSEWHERE = (
    "this computer was not set up by ./install. Update it the way you got the program:"
    " git pull, or pipx install with the newer wheel"
)


def run_update(args: argparse.Namespace) -> int:
    """Update or roll back.

    Exit status 0 once it is done or there is nothing to install, 1 where it was refused or has failed.
    """
    try:
        updates = Updates(address=settings_of(args).update.address or "")
    except ConfigError as error:
        return fail(*error.lines)
    if not updates.there:
        return fail(ELSEWHERE)
    return update(updates, back=args.back, address=args.address, yes=args.yes)


def update(updates: Updates, *, back: bool, address: bool, yes: bool, ask: Callable[[str], str] = input) -> int:
    """Update or roll back, as the flags say; return the exit status."""
    if last := updates.last():
        print(f"Last time: {last[1]}")
    if back:
        if not updates.before:
            return fail("no previous version is installed")
        return _carried_out(updates, updates.back, f"Go back to {updates.before}?", yes, ask)
    answer = _answered(updates, lambda: updates.look(address=address))
    if answer.state != "done" or answer.offers is None:
        return _refused(answer)
    for offer in answer.offers:
        print(f"{offer.place}: {offer.why or f'version {offer.version}'}")
    best = answer.best
    if not best:
        print("Nothing to install." if answer.offers else "No USB stick with a release is plugged in.")
        return int(any(offer.code not in USUAL for offer in answer.offers))
    for line in best.changes:
        print(f"  - {line}")
    if best.further:
        print(f"Further changes, listed in CHANGELOG.md: {best.further}")
    return _carried_out(updates, lambda: updates.take(best.place), f"Install {best.version}?", yes, ask)


USUAL = ("same", "older")
"""Refusals that are normal for a release on a stick."""


def _carried_out(
    updates: Updates, act: Callable[[], object], question: str, yes: bool, ask: Callable[[str], str]
) -> int:
    if not yes and ask(f"{question} The table restarts. [y/N] ").strip().lower() not in ("y", "yes"):
        print("Nothing was changed.")
        return 0
    answer = _answered(updates, act)
    if answer.state != "done":
        return _refused(answer)
    print(f"Version {answer.version.partition('-')[0]} is running.")
    return 0


def _answered(updates: Updates, act: Callable[[], object]) -> Answer:
    """Send a request, and print root's steps until it answers."""
    try:
        act()
    except OSError as error:
        return Answer("failed", text=str(error))
    idle, step = time.monotonic(), None
    while True:
        busy, answer = updates.busy, updates.heard() or Answer()
        if answer.state != "working":
            return answer
        if busy:
            idle = time.monotonic()
        if (busy or answer.step) and answer.step != step:
            step = answer.step
            print(f"  {STEPS.get(step, step)} ...", flush=True)
        if time.monotonic() - idle > PATIENCE_S:
            return Answer("failed", text="the updater does not answer: systemctl status tabularium-update.path")
        time.sleep(EVERY_S)


def _refused(answer: Answer) -> int:
    print(answer.text, file=sys.stderr)
    return 1
