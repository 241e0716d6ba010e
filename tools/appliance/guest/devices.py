"""Plugs in, before the table starts, all that is wired to this table: `python3 -m tools.appliance.guest.devices`.

Two readers on SPI, a Pi's chip of pins with nobody's finger on it, two hubs on USB whose serial numbers differ, and a
loudspeaker whose sound can be recorded.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tools.appliance.guest import RUN

READERS = ("0.0", "0.1")
HUBS = {"E6614C775B8B2C30": "rbl,bl", "E6614C775B8B2C31": "bl,bl"}
"""Each hub's places by its serial number; every reader in them costs a sixth of an emulated core."""
PINS = Path("/sys/kernel/config/gpio-sim/pi")
LINES, LABEL = "58", "pinctrl-bcm2711"
PYTHONPATH = "/opt/tabularium/current:/srv/appliance"
MODULES = ("cuse", "libcomposite", "snd-aloop", "uinput", "gpio-sim-table")
PATIENCE = 60


def _run(*words: str) -> None:
    subprocess.run(words, check=True)


def pins() -> None:
    """Make the chip, with every line pulled up: nobody touches anything."""
    (PINS / "header").mkdir(parents=True, exist_ok=True)
    (PINS / "header/num_lines").write_text(LINES)
    (PINS / "header/label").write_text(LABEL)
    (PINS / "live").write_text("1")
    device = Path("/sys/devices/platform", (PINS / "dev_name").read_text().strip())
    for pull in device.glob("gpiochip*/sim_gpio*/pull"):
        pull.write_text("pull-up")
    link = RUN / "pins"
    if not link.exists():
        link.symlink_to(next(device.glob("gpiochip*")))


def program(name: str, module: str, *words: str) -> None:
    """Start one of the devices' programs and wait until it is there."""
    log = RUN / f"{name}.log"
    if "ready" in (log.read_text() if log.exists() else ""):
        return
    _run("systemd-run", "-q", f"--unit=appliance-{name}", "-p", f"StandardOutput=truncate:{log}", "-p", f"StandardError=append:{log}",
         "-p", "Nice=-10", "-E", f"PYTHONPATH={PYTHONPATH}", "-E", "PYTHONDONTWRITEBYTECODE=1", "python3", "-u", "-m", f"tools.appliance.guest.{module}", *words)  # fmt: skip
    end = time.monotonic() + PATIENCE
    while "ready" not in (log.read_text() if log.exists() else ""):
        if time.monotonic() > end:
            sys.exit(f"{name} does not start: see {log}")
        time.sleep(0.1)


def main() -> None:
    RUN.mkdir(exist_ok=True)
    _run("modprobe", "-a", *MODULES)
    _run("modprobe", "dummy_hcd", f"num={len(HUBS)}")
    pins()
    for place in READERS:
        program(f"spi{place}", "spi", place)
    for number, (serial, places) in enumerate(HUBS.items()):
        program(f"hub{number}", "hub", str(number), serial, places)
        (RUN / f"hub{number}").write_text("plug\n")


if __name__ == "__main__":
    main()
