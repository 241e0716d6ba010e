"""A step of the installation, and how a list of them is carried out: forwards, backwards, or only told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pi.machine import Failed

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class InstallStep:
    """`says` is what it does and `back` what taking it back does, in words.

    `done` tells whether nothing is left to do, `there` whether there is anything to take back. `do` and `undo` work
    from wherever things are. `lacks` returns what is not as `says` has it all the same, "" if nothing: it is said at
    the end, whether the step was done now or before. `remedy` is what to do when it fails.
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
    """Does what is not done; returns how many steps were. Raises Failed."""
    later: list[str] = []
    acted = 0
    for step in steps:
        if step.done():
            say(f"  there already: {step.says}")
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
    """Takes back what is there, the last step first; returns how many were. Raises Failed."""
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
