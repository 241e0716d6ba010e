"""Without a desktop the program has the graphics card and the fingers to itself, and SDL and Kivy must be told how.

Sources: SDL 2.30 (video/kmsdrm, core/linux/SDL_evdev.c), Kivy 2.3.1 (core/window/window_sdl2.py, input/providers). No
real card or finger has confirmed it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

DRM = Path("/sys/class/drm")
CARD = "SDL_KMSDRM_DEVICE_INDEX"
RIBBONS = ("DSI", "DPI")
"""Connectors of displays on a ribbon cable, which the table looks at rather than at a monitor's."""
PROBE = "%(name)s"
"""The name under which Kivy keeps its own reader of touchscreens, unasked."""


def alone(env: Mapping[str, str] | None = None) -> bool:
    """Whether it draws on the graphics card itself: it is told to, or there is no desktop to draw on."""
    env = os.environ if env is None else env
    driver = env.get("SDL_VIDEODRIVER", "").casefold()
    return driver == "kmsdrm" or not (driver or env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def aim(env: MutableMapping[str, str] | None = None, drm: Path = DRM) -> None:
    """Tells SDL which card has the screen: on a Pi 5 the ribbon's is another than HDMI's, and their numbers change from
    one start to the next. A number that somebody has set stays. Call it before SDL is asked anything.
    """
    env = os.environ if env is None else env
    found = card(drm)
    if found and CARD not in env and alone(env):
        env[CARD] = found


def card(drm: Path = DRM) -> str:
    """The number of the card that a screen is connected to, the ribbon's first; "" if none is."""
    connected = []
    for status in sorted(drm.glob("card*-*/status")):
        try:
            there = status.read_text(encoding="ascii").strip() == "connected"
        except OSError:
            continue
        number, _, connector = status.parent.name.removeprefix("card").partition("-")
        if there:
            connected.append((not connector.startswith(RIBBONS), int(number)))
    return str(min(connected)[1]) if connected else ""


def touches(env: Mapping[str, str] | None = None) -> Mapping[str, str | None]:
    """Kivy's sources of touches, None for one that must go: the same finger must not arrive twice, nor not at all.

    On a desktop SDL makes a pointer of a finger. On the card itself its fingers belong to no window, so it makes none,
    and Kivy does not listen to fingers: there Kivy's own reader (libmtdev) is the one source. Either way the window
    turns touches as it turns the picture.
    """
    reader = "probesysfs,provider=mtdev,select_all=0" if alone(env) else None
    return {"mouse": "mouse,disable_multitouch", PROBE: reader}
