"""The light behind a display, by /sys/class/backlight: a touch display on a ribbon cable has one, HDMI has none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from drivers import ROOT

LIT, DARK = "0", "4"
"""The values of `bl_power`: FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN."""


class Backlight:
    """Every backlight of the computer.

    Where there is none, or no permission to use it, nothing happens: the screen is then black but lit from behind.
    """

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root
        self._before: dict[Path, str] = {}  # how bright it was, of those that have brightness alone

    def light(self, lit: bool) -> None:
        for light in self._root.glob("sys/class/backlight/*"):
            with suppress(OSError):
                if (power := light / "bl_power").exists():
                    power.write_text(LIT if lit else DARK, encoding="ascii")
                else:
                    self._set_brightness(light, lit)

    def _set_brightness(self, light: Path, lit: bool) -> None:
        """Set the brightness of a light that has no power switch.

        Dark is 0; lit is the brightness before, or the maximum where a program that ended left it dark.
        """
        brightness = light / "brightness"
        now = brightness.read_text(encoding="ascii").strip()
        if lit and now == "0":
            most = (light / "max_brightness").read_text(encoding="ascii").strip()
            brightness.write_text(self._before.get(light, most), encoding="ascii")
        # a second call in the dark must not take 0 for the brightness to come back to
        elif not lit and now != "0":
            self._before[light] = now
            brightness.write_text("0", encoding="ascii")
