"""The light behind a display, by /sys/class/backlight: a touch display on a ribbon cable has one, HDMI has none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from drivers.machine import ROOT

LIT, DARK = "0", "4"
"""What `bl_power` takes: FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN."""


class Backlight:
    """Every backlight there is. Where there is none, or it may not be used, nothing happens: the screen is black then
    and lit from behind."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root

    def light(self, lit: bool) -> None:
        for power in self._root.glob("sys/class/backlight/*/bl_power"):
            with suppress(OSError):
                power.write_text(LIT if lit else DARK, encoding="ascii")
