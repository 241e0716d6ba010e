"""The boot configuration: the lines that config.yaml needs, between marks, and never twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from drivers import boot
from pi import program
from pi.account import CONFIG
from pi.machine import Failed, Machine
from pi.steps import InstallStep

FILE = boot.FILE
BACKUP = f"{FILE}.before-tabularium"
BEGIN = "# >>> Tabularium (its installer writes what is between these marks)"
END = "# <<< Tabularium"
ALWAYS = ("dtparam=spi=on",)
"""The lines that are needed while there is no config.yaml yet: the first start looks for readers there."""
RESTART = "/run/tabularium-restart"
"""A file that exists from a change of the boot configuration until the Pi has restarted."""
AGAIN = "The boot configuration has changed. Restart the Pi: sudo reboot"
NO_FILE = f"There is no {FILE}; readers on pins need {{lines}} set in another way."


def step(m: Machine, version: str) -> InstallStep:
    lines: Sequence[str] = ()
    wrong: Failed | None = None
    try:
        lines = needed(m, version)
    except Failed as failed:  # reported when the step is carried out; no reason not to uninstall
        wrong = failed
    needs = f"what config.yaml needs, in {FILE}: {'it has mistakes' if wrong else ', '.join(lines) or 'nothing'}"
    there = m.at(FILE).exists()
    return InstallStep(
        needs if there else f"there is no {FILE}, so the boot configuration stays as it is",
        f"remove the lines between Tabularium's marks in {FILE}",
        done=lambda: not there or (not wrong and m.text(FILE) == with_lines(m.text(FILE), lines)),
        there=lambda: BEGIN in m.text(FILE) or m.at(BACKUP).exists(),
        do=partial(_write, m, lines, wrong),
        undo=partial(_restore, m),
        lacks=lambda: _lacks(m, lines),
    )


def needed(m: Machine, version: str) -> Sequence[str]:
    """Return the lines that config.yaml needs, as the installed program says.

    Raises Failed where config.yaml has mistakes.
    """
    if not m.at(f"{CONFIG}/config.yaml").exists() or version not in program.versions(m):
        return ALWAYS
    return tuple(program.needs(m, version)["boot"])


def with_lines(text: str, lines: Sequence[str]) -> str:
    """Return the boot configuration with these lines between our marks; without marks where it has all of them already.

    >>> print(with_lines("dtparam=audio=on\\n", ["dtparam=spi=on"]))
    dtparam=audio=on
    # >>> Tabularium (its installer writes what is between these marks)
    [all]
    dtparam=spi=on
    # <<< Tabularium
    <BLANKLINE>
    """
    rest = without(text)
    lacking = boot.lacking(rest, lines)
    if not lacking:
        return rest
    end = "\r\n" if "\r\n" in rest else "\n"
    start = rest if rest.endswith("\n") or not rest else rest + end
    return start + end.join([BEGIN, "[all]", *lacking, END, ""])


def without(text: str) -> str:
    """Return the boot configuration without our marks and the lines between them."""
    return re.sub(rf"^{re.escape(BEGIN)}.*?^{re.escape(END)}\r?\n?", "", text, flags=re.M | re.S)


def _lacks(m: Machine, lines: Sequence[str]) -> str:
    if not m.at(FILE).exists():
        return NO_FILE.format(lines=", ".join(lines)) if lines else ""
    return "" if ready(m) else AGAIN


def _write(m: Machine, lines: Sequence[str], wrong: Failed | None) -> None:
    if wrong:
        raise wrong
    if not m.at(BACKUP).exists():
        m.write(BACKUP, m.text(FILE))
    m.write(FILE, with_lines(m.text(FILE), lines))
    m.write(RESTART, "")


def ready(m: Machine) -> bool:
    """Return whether the Pi has been started with the present boot configuration."""
    return not m.at(RESTART).exists()


def _restore(m: Machine) -> None:
    before, now = m.text(BACKUP), without(m.text(FILE))
    m.write(FILE, before if now.rstrip() == before.rstrip() else now)  # also without the end of line we added
    m.remove(BACKUP)
    m.remove(RESTART)
