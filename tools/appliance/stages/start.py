"""The start: to the first picture without a touch, the set-up by touch alone, and with a clock that stands at 1970."""

from __future__ import annotations

import time

from tools.appliance import eyes
from tools.appliance.bench import Bench, Table
from tools.appliance.twin import language_page

SAME = 0.02
"""The share of pixels in which a picture may differ from the same page drawn elsewhere."""
FRAMEBUFFER = "cd /srv/appliance && python3 -m tools.appliance.guest.framebuffer"


def boot(bench: Bench) -> None:
    """The table shows its first page by itself, as it is drawn elsewhere too."""
    began = time.monotonic()
    with bench.pi("boot") as table:
        up = time.monotonic() - began
        table.wait_started()
        bench.report.check(
            f"READY {time.monotonic() - began:.0f} s after switching on ({up:.0f} s to the system)", True
        )
        shown(bench, table, "READY")
        page = table.picture("first-page")
        twin = language_page(table.pi.folder / "twin.png", table.pi.size)
        share = eyes.difference(page, twin)
        bench.report.check(
            f"the first page is the one that is drawn offscreen ({share:.2%} of it differs)", share < SAME
        )
        for command in (
            "systemd-analyze verify /etc/systemd/system/tabularium.service", "udevadm verify /etc/udev/rules.d/70-tabularium.rules",
        ):  # fmt: skip
            bench.report.check(
                f"{command.split('/')[0]}has nothing to say",
                table.pi.succeeds(f'test -z "$({command} 2>&1 | grep -v Success)"'),
                table.pi.shell(command, status=None),
            )
        failed = table.pi.shell("systemctl --failed --no-legend --plain").strip()
        bench.report.check("no unit has failed", not failed, failed)
        security = table.pi.shell("systemd-analyze security --no-pager tabularium.service | tail -1").strip()
        bench.report.say(f"      {security}")


def shown(bench: Bench, table: Table, when: str) -> bool:
    """Check that there is a picture: in QEMU's display and in the guest's own frame buffer."""
    end = time.monotonic() + 20
    while (seen := eyes.colours(table.picture())) < 3 and time.monotonic() < end:
        time.sleep(1)
    kernel = table.pi.shell(FRAMEBUFFER, status=None).strip()
    return bench.report.check(
        f"a picture at {when}: {seen} colours on the display, {kernel} in the kernel's buffer", seen > 2
    )


def first_start(bench: Bench) -> None:
    """From the language to a written config.yaml and a game's first page, by touch, buttons and cards alone."""
    with bench.pi("first-start") as table:
        table.wait_started()
        table.touch("English")
        table.see("Set up the table", what="welcome")
        table.touch("Look for devices")
        table.see("Next", 300, what="found")
        found = table.text()
        readers = found.count("MFRC522") or found.count("SPI")
        bench.report.check(f"it finds the readers on SPI ({readers})", readers >= 2, found)
        bench.report.check("it finds both hubs", "box1" in found or "hub" in found.lower(), found)
        table.touch("Next")
        table.picture("seats")


def clock_at_1970(bench: Bench) -> None:
    """A Pi without a clock and without a network: the table starts, and a game can be begun."""
    with bench.pi("clock", clock="1970-01-01T00:00:05") as table:
        table.wait_started()
        shown(bench, table, "READY, in the year " + table.pi.shell("date +%Y").strip())
        table.touch("English")
        table.see("Look for devices", what="page")
