"""Updates by stick through systemd's path unit: one that is good, one that dies, one that shows nothing, and power cuts."""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from pathlib import Path

from tools.appliance.bench import GAMES, READY, SERVICE, Bench, Table
from tools.appliance.installation import DARK, DYING, GOOD
from tools.appliance.machine import CommandFailed

TRIAL, LAST = "/opt/tabularium/trial.json", "/opt/tabularium/last.json"
CURRENT = "readlink /opt/tabularium/current"
ASKING = "asking.service"
"""The unit in which an update is asked for at the terminal."""
TAKES = 1800
"""Seconds that an installation may take, emulated."""
PROBATION = 600
COPIED, INSTALLED, ENDED = "while the release is copied", "while its packages are installed", "when the table has ended"
SWITCHED, TRIED, BACK = "when the versions are switched", "on trial", "on the way back"
PHASES = {
    COPIED: "grep -q copy /run/tabularium-update/said.json",
    INSTALLED: f"ls -d /opt/tabularium/{GOOD}-*/venv/lib/python3*/site-packages/kivy",
    ENDED: f'grep -q \'"store": "/\' {TRIAL}',
    SWITCHED: f"{CURRENT} | grep -q {GOOD}",
    TRIED: f"grep -q '\"trying\"' {TRIAL}",
}
"""The phases of an update, each with the command that succeeds once it has begun."""


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


def _asked(table: Table, *more: str) -> None:
    """Ask for the update as a person at the terminal does; the path unit starts root's program."""
    table.pi.shell(f"systemd-run -q --unit={ASKING} tabularium update --yes {' '.join(more)}")


def _wait(table: Table, command: str, seconds: float = TAKES, every: float = 3) -> float:
    """Wait as VirtualPi.wait_for. Raises CommandFailed at once if what was asked for at the terminal is refused."""
    took = table.pi.wait_for(f"{command} || systemctl is-failed -q {ASKING}", seconds, every)
    if not table.pi.succeeds(command):
        raise CommandFailed(table.pi.shell(f"journalctl -b -u {ASKING} -u tabularium-update -n 20 --no-pager -o cat"))
    return took


def _becomes(table: Table, version: str, seconds: float = TAKES) -> float:
    """Wait until a version is at work, started once; return the seconds that took."""
    took = _wait(table, f"{CURRENT} | grep -q {version}", seconds)
    return took + table.pi.wait_for(f"{READY} && test $(systemctl show -P NRestarts {SERVICE}) = 0", 600, 2)


def _put_a_game_aside(table: Table) -> None:
    """Begin a game by finger and start the table anew: the game waits for another evening."""
    table.open("Spartacus", "3 players", "Begin as printed")
    table.see("play any card")
    table.pi.shell(f"systemctl restart {SERVICE}", 600)
    table.see("New game")


def good(bench: Bench) -> None:
    """A stick, by finger; the new version is on trial for ten minutes by its own clock; then back again, by finger."""
    with bench.started("update") as table, ExitStack() as stack:
        first = table.pi.shell(CURRENT).strip()
        _put_a_game_aside(table)
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
        table.wake()
        table.open("Menu", "Settings", "Hardware", "Update")
        table.touch("Back to")
        table.touch("Yes, now")
        took = _becomes(table, Path(first).name, 600)
        table.see("New game", what="back-by-finger")
        games = table.pi.shell(GAMES).strip()
        bench.report.check(f"back by finger after {took:.0f} s, and the game is there", games == "1", games)


def dying(bench: Bench) -> None:
    """A version that dies is replaced by the one before it, without anybody's help."""
    with bench.started("update-dying") as table, ExitStack() as stack:
        first = Path(table.pi.shell(CURRENT).strip()).name
        _plugged(table, stack, DYING)
        _asked(table)
        _becomes(table, DYING)
        took = table.pi.wait_for(f"{CURRENT} | grep -q {first} && {READY}", PROBATION + 300, 3)
        table.see("New game", what="back-by-itself")
        last = table.pi.shell(f"cat {LAST}")
        bench.report.check(f"it died, and {took:.0f} s later the version before is there", '"died"' in last, last)


def dark(bench: Bench) -> None:
    """A version that shows nothing is replaced as soon as its time for a first frame is over."""
    with bench.started("update-dark") as table, ExitStack() as stack:
        first = Path(table.pi.shell(CURRENT).strip()).name
        _plugged(table, stack, DARK)
        _asked(table)
        _wait(table, f"{CURRENT} | grep -q {DARK}")
        took = table.pi.wait_for(f"{CURRENT} | grep -q {first} && {READY}", 900, 3)
        table.see("New game", what="back-by-itself")
        last = table.pi.shell(f"cat {LAST}")
        bench.report.check(
            f"it showed nothing, and {took:.0f} s later the version before is there", '"dark"' in last, last
        )


def power_cut(bench: Bench) -> None:
    """The power goes in each phase of an update and of going back: then one version is at work, whole, with its games.

    One update is made. In each phase the disk is copied as the power would leave it, and a Pi is started from the copy.
    """
    cuts: dict[str, Path] = {}
    with bench.started("update-power-cut") as table, ExitStack() as stack:
        first = Path(table.pi.shell(CURRENT).strip()).name

        def cut(phase: str) -> None:
            cuts[phase] = table.pi.copy_disk(bench.folder / f"run/cut-{len(cuts)}.qcow2")

        _put_a_game_aside(table)
        _plugged(table, stack, GOOD)
        _asked(table)
        for phase, begun in PHASES.items():
            _wait(table, begun, every=0.2)
            cut(phase)
        _becomes(table, GOOD)
        table.pi.wait_for(f"! systemctl is-active -q {ASKING}", 60)
        _asked(table, "--back")
        _wait(table, f"grep -q '\"back\"' {TRIAL}", 300, 0.2)
        cut(BACK)
    stays = {COPIED: first, INSTALLED: first, SWITCHED: GOOD, TRIED: GOOD, BACK: first}  # once it has ended: either
    for number, (phase, disk) in enumerate(cuts.items()):
        with bench.pi(f"update-cut-{number}", base=disk) as table:
            table.wait_started()
            table.see("New game", what="after-the-cut")
            now, games = Path(table.pi.shell(CURRENT).strip()).name, table.pi.shell(GAMES).strip()
            whole = table.pi.succeeds("test -e /opt/tabularium/current/whole")
            well = now.startswith(stays.get(phase, "")) and games == "1" and whole
            bench.report.check(f"after a power cut {phase} {now} is at work, with its game", well, f"{games} games")
        disk.unlink()
