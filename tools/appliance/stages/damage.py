"""What must not end an evening: a program that hangs, a disk that is full, a disk that cannot be written to."""

from __future__ import annotations

from tools.appliance.bench import GAMES, SERVICE, STORE, Bench
from tools.appliance.installation import WATCHDOG_S
from tools.appliance.stages.start import shown

HANGS = WATCHDOG_S + 90
"""Seconds until a program that hangs has been started anew: the watchdog's, and an emulated start."""


def watchdog(bench: Bench) -> None:
    """systemd starts a table anew whose main loop stands still."""
    with bench.started("watchdog") as table:
        before = table.property("MainPID")
        table.pi.shell(f"kill -STOP {before}")
        table.pi.wait_for(f"test $(systemctl show -P NRestarts {SERVICE}) -gt 0", HANGS)
        table.wait_started()
        result = table.pi.shell(
            f"journalctl -b -u {SERVICE} --no-pager -o cat | grep -c 'Watchdog timeout'", status=None
        )
        bench.report.check(
            "the watchdog has started it anew", table.property("MainPID") != before and result.strip() == "1", result
        )
        shown(bench, table, "the new start")


def full_disk(bench: Bench) -> None:
    """A full disk is said on the screen; once there is room again, everything is saved."""
    with bench.started("full-disk") as table:
        table.touch("Spartacus")
        table.pi.shell(
            "fallocate -l $(($(df --output=avail -B1 / | tail -1) - 4096)) /filled || dd if=/dev/zero of=/filled bs=1M",
            status=None,
        )
        table.pi.shell("dd if=/dev/zero of=/filled2 bs=4k", status=None)
        table.open("3 players", "Begin as printed")
        said = table.see("Nothing is being saved", what="full")
        bench.report.check("the screen says that nothing is being saved", bool(said))
        table.pi.shell("rm /filled /filled2; sync")
        table.pi.wait_for(f"test $({GAMES}) -gt 0", 60)
        bench.report.check("with room again, the game is in the store", True)


def read_only(bench: Bench) -> None:
    """A root file system that can only be read: the table shows itself and says that it saves nothing."""
    with bench.started("read-only") as table:
        # what writes has files open, so that only the kernel itself can do it
        table.pi.shell(f"systemctl stop {SERVICE}; sync; echo u >/proc/sysrq-trigger")
        table.pi.wait_for(f"! touch {STORE}", 30)
        table.pi.shell(f"systemctl start {SERVICE}", 300, status=None)
        shown(bench, table, "a start without a disk to write to")
        table.picture("read-only")
        said = table.text()
        bench.report.check("the screen says so", "sav" in said.lower() or "read" in said.lower(), said)
