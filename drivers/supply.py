"""The supply of a Raspberry Pi: whether its kernel says that the voltage is too low."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.rules.message import Message
from companion.rules.readings import Health
from drivers.machine import ROOT, sags
from drivers.worker import Loop, Put

LOOK = 2.0
"""Seconds between two looks: so often the kernel asks the firmware, and it keeps no dip for longer."""
CALM = 15
"""After this many looks without a dip it is over: dips come in bursts."""
LOW = Message("The voltage is too low: use the Pi's own power supply. Until then cards may be missed.")


class SupplyWatch:
    """Looks now and then, on a thread of its own if started, and says when that changes. Where there is no such sensor
    it says nothing."""

    def __init__(self, put: Put, root: Path = ROOT) -> None:
        self._put = put
        self._root = root
        self._calm = CALM
        self._loop = Loop("supply", self.turn)
        self.start = self._loop.start
        self.stop = self._loop.stop
        self.close = self._loop.close

    def turn(self) -> float:
        """One look; returns the seconds until the next. Never raises."""
        before, self._calm = self._calm, 0 if sags(self._root) else min(self._calm + 1, CALM)
        if (before < CALM) != (self._calm < CALM):
            self._put(Health("supply", self._calm == CALM, "" if self._calm == CALM else LOW))
        return LOOK


# -- The power of the computer: switched off and on again by its service manager, which ends this program ----------


ASKED_S = 20.0
"""How long the manager may take to answer, in seconds; it goes on by itself then."""


def asking(verb: str, command: str = "systemctl") -> Callable[[], str]:
    """What asks for it, "poweroff" or "reboot": says why it will not be, "" if it will. It may take seconds."""

    def ask() -> str:
        try:
            asked = subprocess.run(
                [command, "--no-ask-password", verb], check=False, capture_output=True, text=True, timeout=ASKED_S
            )
        except subprocess.TimeoutExpired:
            return ""
        except OSError as error:
            return f"{command}: {error.strerror or error}"
        return "" if asked.returncode == 0 else asked.stderr.strip() or f"{command} {verb}: {asked.returncode}"

    return ask


# -- The light behind a display, by /sys/class/backlight: a touch display on a ribbon cable has one, HDMI ----------


LIT, DARK = "0", "4"
"""What `bl_power` takes: FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN."""


class Backlight:
    """Every backlight there is. Where there is none, or it may not be used, nothing happens: the screen is black then
    and lit from behind."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root
        self._before: dict[Path, str] = {}  # how bright it was, of those that have brightness alone

    def light(self, lit: bool) -> None:
        for light in self._root.glob("sys/class/backlight/*"):
            with suppress(OSError):
                if (power := light / "bl_power").exists():
                    power.write_text(LIT if lit else DARK, encoding="ascii")
                else:
                    self._dim(light, lit)

    def _dim(self, light: Path, lit: bool) -> None:
        """Set the brightness of a light without a switch to nothing, or to what it was; to its most where a program
        that ended left it dark."""
        brightness = light / "brightness"
        now = brightness.read_text(encoding="ascii").strip()
        if lit and now == "0":
            most = (light / "max_brightness").read_text(encoding="ascii").strip()
            brightness.write_text(self._before.get(light, most), encoding="ascii")
        elif not lit and now != "0":
            self._before[light] = now
            brightness.write_text("0", encoding="ascii")
