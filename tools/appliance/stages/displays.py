"""Displays: one that is switched on late, one that goes and comes, and other sizes."""

from __future__ import annotations

from tools.appliance.bench import READY, SERVICE, Bench
from tools.appliance.stages.start import shown

CONNECTOR = "/sys/class/drm/card0-Virtual-1/status"
SIZES = ((480, 800), (720, 1280), (1920, 1080))


def late(bench: Bench) -> None:
    """A television that is switched on after the Pi: the table waits for it, says so, and comes by itself."""
    with bench.started("display-late") as table:
        table.pi.shell(f"systemctl stop {SERVICE}; echo off >{CONNECTOR}; systemctl start {SERVICE}")
        said = table.property("StatusText")
        bench.report.check(
            f"without a display: “{said}”", "display" in said and table.property("NRestarts") == "0", said
        )
        table.pi.shell(f"echo detect >{CONNECTOR}")
        took = table.pi.wait_for(f"{READY} && ! systemctl show -P StatusText {SERVICE} | grep -q waiting", 300)
        bench.report.check(
            f"{took:.0f} s after it is switched on the table is there", table.property("NRestarts") == "0"
        )
        shown(bench, table, "the display's first picture")
        table.see("New game", what="there")


def off_and_on(bench: Bench) -> None:
    """A display that is switched off and on while the table runs shows the table again."""
    with bench.started("display-off-and-on") as table:
        process = table.property("MainPID")
        table.pi.shell(f"echo off >{CONNECTOR}; sleep 3; echo detect >{CONNECTOR}; sleep 3")
        shown(bench, table, "the display's return")
        table.touch("New game")
        table.see("who sits where", what="goes-on")
        bench.report.check("it is the same program as before", table.property("MainPID") == process)


def sizes(bench: Bench) -> None:
    """Upright, on a phone's panel and on a television."""
    for size in SIZES:
        name = f"{size[0]}x{size[1]}"
        with bench.pi(f"size-{name}", size=size) as table:
            table.wait_started()
            shown(bench, table, f"{name}, READY")
            table.touch("English")
            table.see("Look for devices", what="page")
