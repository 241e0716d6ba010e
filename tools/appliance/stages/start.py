"""The start: to the first picture without a touch, the set-up by touch alone, and with a clock that stands at 1970."""

from __future__ import annotations

import time

from tools.appliance import eyes
from tools.appliance.bench import SERVICE, Bench, Table
from tools.appliance.twin import language_page

CARDS = ("04A3C6CAE26180", "04A3C6CAE26181")
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
        said = table.pi.shell(f"systemd-analyze verify /etc/systemd/system/{SERVICE}", status=None)
        bench.report.check("systemd-analyze verify has nothing to say", not said.strip(), said)
        said = table.pi.shell("udevadm verify /etc/udev/rules.d/70-tabularium.rules", status=None)
        bench.report.check("udevadm verify finds no fault", "Fail:    0" in said, said)
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
    """From the language to a config.yaml that the program has written: by touch, buttons on pins and a hub, and cards."""
    with bench.pi("first-start") as table:
        table.wait_started()
        table.touch("English")
        table.see("Set up the table", what="welcome")
        table.touch("Look for devices")
        table.see("Go on", 300)
        found = table.text()
        report = bench.report
        report.check("it finds both readers on SPI", "MFRC522 version 2" in found, table.picture("found").name)
        report.check("it finds both hubs", "hubs: 2" in found, found)
        table.touch("Go on")
        table.touch("Yellow")
        table.touch("Purple")
        table.touch("Go on")
        table.see("Red: press your button")
        for pin, answer in ((5, "GPIO 5"), (6, "GPIO 6")):
            table.press(pin)
            table.see(answer)
        table.order("hub0", "hold 0")
        table.order("hub0", "release 0")
        table.see("place 0 of box1", what="buttons")
        for device, card, answer in (("spi0.0", CARDS[0], "Red's reader"), ("spi0.1", CARDS[1], "Blue's reader")):
            table.order(device, f"lay {card}")
            table.see(answer)
            table.order(device, f"lift {card}")
        table.touch("Skip")
        table.see("for all of you")
        table.touch("Skip")
        table.touch("Yes, as drawn")
        table.see("Write it and play", what="the-table")
        table.touch("Write it and play")
        table.see("New game", what="to-play")
        written = table.pi.shell("cat /etc/tabularium/config.yaml")
        wired = (
            "{button: 5, lamp: 12, reader: red}",
            "seats: [green]",
            "serial: E6614C775B8B2C30",
            "bus: 0, device: 1",
        )
        report.check("config.yaml says what is wired where", all(part in written for part in wired), written)


def clock_at_1970(bench: Bench) -> None:
    """A Pi without a clock and without a network, where systemd guesses a date, and one at 1970: a game can be begun."""
    with bench.pi("clock", clock="1970-01-01T00:00:05") as table:
        table.wait_started()
        shown(bench, table, "READY, in the year " + table.pi.shell("date +%Y").strip())
        # the kernel takes no time that is less than how long it has run
        table.pi.shell(f"systemctl stop {SERVICE}; date -s @2000; systemctl start {SERVICE}", 600)
        shown(bench, table, "READY, in the year " + table.pi.shell("date +%Y").strip())
        table.open("English", "Back", "New game", "Spartacus", "3 players", "Begin as printed")
        table.pi.wait_for("tabularium games | grep -q 1970", 60)
        bench.report.check("a game of 1970 is in the store", True)
