"""The steps of the installation, and how a list of them is carried out: forwards, backwards, or as a dry run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pi.machine import Failed

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class InstallStep:
    """A step of the installation: `says` describes it, and `back` its undoing.

    `done` tells whether nothing is left to do, `there` whether there is anything to undo. `do` and `undo` work from any
    state. `lacks` returns what differs from `says` nevertheless, "" if nothing: it is reported at the end, whether the
    step was done now or before. `remedy` is what to do when the step fails.
    """

    says: str
    back: str
    done: Callable[[], bool]
    there: Callable[[], bool]
    do: Callable[[], object]
    undo: Callable[[], object]
    remedy: str = ""
    lacks: Callable[[], str] = str


def install(steps: Iterable[InstallStep], say: Say, dry: bool = False) -> int:
    """Do the steps that are not done; return how many were. Raises Failed."""
    later: list[str] = []
    acted = 0
    for step in steps:
        if step.done():
            say(f"  already done: {step.says}")
        else:
            acted += 1
            say(f"  {'to do' if dry else 'now'}: {step.says}")
            if dry:
                continue
            _acted(step, step.do)
        later += filter(None, [step.lacks()])
    for note in later:
        say(note)
    return acted


def uninstall(steps: Iterable[InstallStep], say: Say, dry: bool = False) -> int:
    """Undo the steps that were done, the last one first; return how many were. Raises Failed."""
    acted = 0
    for step in reversed(tuple(steps)):
        if not step.there():
            continue
        acted += 1
        say(f"  {'to do' if dry else 'now'}: {step.back}")
        if not dry:
            _acted(step, step.undo)
    return acted


def _acted(step: InstallStep, act: Callable[[], object]) -> None:
    try:
        act()
    except Failed as failed:
        raise Failed(failed.what, failed.remedy or step.remedy) from None
    except OSError as error:
        raise Failed(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), step.remedy) from None
