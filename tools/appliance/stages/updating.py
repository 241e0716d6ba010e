"""Updates by stick through systemd's path unit: one that is good, one that dies, one that shows nothing, and power cuts."""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from tools.appliance.bench import READY, SERVICE, STORE, Bench, Table
from tools.appliance.installation import DARK, DYING, GOOD
from tools.appliance.machine import Silent

TRIAL = "/opt/tabularium/trial.json"
CURRENT = "readlink /opt/tabularium/current"
TAKES = 1800
"""Seconds that an installation may take, emulated."""
PROBATION = 600
CUTS = (5.0, 40.0, 120.0)
"""Seconds after an update was asked for at which the power is cut, besides the cut in the middle of the switch."""


def stick(folder: Path, content: Path, name: str = "stick") -> Path:
    """Make the image of a FAT stick with a folder on it."""
    image = folder / f"{name}.img"
    with image.open("wb") as file:
        file.truncate(512 << 20)
    subprocess.run(["mkfs.vfat", "-n", "TABLE", image], check=True, capture_output=True)
    subprocess.run(["mcopy", "-s", "-i", image, content, "::/"], check=True)
    return image


def _plugged(table: Table, stack: ExitStack, version: str) -> None:
    stack.enter_context(table.pi.stick(stick(table.pi.folder, table.bench.releases.later[version])))
    table.pi.wait_for("test -d /media/sda && ls /media/sda | grep -q tabularium", 60)


def _asked(table: Table) -> None:
    """Ask for the update as a person at the terminal does; the path unit starts root's program."""
    table.pi.shell("systemd-run -q --unit=asking --collect tabularium update --yes")


def _becomes(table: Table, version: str, seconds: float = TAKES) -> float:
    took = table.pi.wait_for(f"{CURRENT} | grep -q {version}", seconds, 3)
    return took + table.pi.wait_for(f"{READY} && test $(systemctl show -P NRestarts {SERVICE}) = 0", 600, 2)


def good(bench: Bench) -> None:
    """A stick, by finger; the new version is on trial for ten minutes by its own clock; then back again, by finger."""
    with bench.started("update") as table, ExitStack() as stack:
        first = table.pi.shell(CURRENT).strip()
        _plugged(table, stack, GOOD)
        table.open("Menu", "Settings", "Hardware", "Update")
        table.touch("Check USB sticks")
        table.touch(f"Install {GOOD}", 300)
        table.touch("Yes, now")
        took = _becomes(table, GOOD)
        table.see("New game", what="new-version")
        bench.report.check(f"by finger, {GOOD} is at work {took:.0f} s after it was asked for", True)
        trial = table.pi.shell(f"cat {TRIAL}")
        bench.report.check("it is on trial", '"trying"' in trial, trial)
        took = table.pi.wait_for(f"! test -e {TRIAL}", PROBATION + 300, 10)
        proven = GOOD in table.pi.shell("readlink /opt/tabularium/good")
        bench.report.check(f"it has proven itself after another {took:.0f} s", proven)
        table.open("Menu", "Settings", "Hardware", "Update")
        table.touch("Back to")
        table.touch("Yes, now")
        took = _becomes(table, Path(first).name, 600)
        table.see("New game", what="back-by-finger")
        bench.report.check(
            f"back by finger after {took:.0f} s, and the games are there", table.pi.succeeds(f"test -s {STORE}")
        )


def dying(bench: Bench) -> None:
    """A version that dies is replaced by the one before it, without anybody's help."""
    with bench.started("update-dying") as table, ExitStack() as stack:
        first = Path(table.pi.shell(CURRENT).strip()).name
        _plugged(table, stack, DYING)
        _asked(table)
        _becomes(table, DYING)
        took = table.pi.wait_for(f"{CURRENT} | grep -q {first} && {READY}", PROBATION + 300, 3)
        table.see("New game", what="back-by-itself")
        last = table.pi.shell("cat /opt/tabularium/last.json")
        bench.report.check(f"it died, and {took:.0f} s later the version before is there", '"died"' in last, last)


def dark(bench: Bench) -> None:
    """A version that shows nothing is replaced as soon as its time for a first frame is over."""
    with bench.started("update-dark") as table, ExitStack() as stack:
        first = Path(table.pi.shell(CURRENT).strip()).name
        _plugged(table, stack, DARK)
        _asked(table)
        table.pi.wait_for(f"{CURRENT} | grep -q {DARK}", TAKES, 3)
        took = table.pi.wait_for(f"{CURRENT} | grep -q {first} && {READY}", 900, 3)
        table.see("New game", what="back-by-itself")
        last = table.pi.shell("cat /opt/tabularium/last.json")
        bench.report.check(
            f"it showed nothing, and {took:.0f} s later the version before is there", '"dark"' in last, last
        )


def power_cut(bench: Bench) -> None:
    """The power goes in each phase of an update: afterwards one version is at work, whole, with its games."""
    for number, seconds in enumerate((*CUTS, None)):
        name = f"update-power-cut-{number}"
        with bench.started(name) as table, ExitStack() as stack:
            _plugged(table, stack, GOOD)
            _asked(table)
            if seconds is None:
                table.pi.wait_for(f"test -e {TRIAL}", TAKES, 0.2)
                when = "when the versions are switched"
            else:
                time.sleep(seconds)
                when = f"{seconds:.0f} s after it was asked for"
            stack.close()
            table.pi.cut_power()
            table.pi.start()
            try:
                table.pi.wait_up()
                table.wait_started(900)
                table.see("New game", what="after-the-cut")
            except Silent as silent:
                bench.report.check(f"the table is back after a power cut {when}", False, str(silent))
                continue
            now = Path(table.pi.shell(CURRENT).strip()).name
            games = table.pi.succeeds(f"test -s {STORE}")
            bench.report.check(f"after a power cut {when}: {now.split('-')[0]} is at work, with its games", games)
