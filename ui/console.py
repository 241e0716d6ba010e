"""Without a desktop the program has the graphics card and the fingers to itself, and SDL and Kivy must be told how.

Sources: SDL 2.30 (video/kmsdrm, core/linux/SDL_evdev.c), Kivy 2.3.1 (core/window/window_sdl2.py, input/providers). No
real card or finger has confirmed it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path

DRM, DRI = Path("/sys/class/drm"), Path("/dev/dri")
LOOK_S = 1.0
"""Seconds between two looks for a display while there is none."""
CARD = "SDL_KMSDRM_DEVICE_INDEX"
RIBBONS = ("DSI", "DPI")
"""Connectors of displays on a ribbon cable, which the table looks at rather than at a monitor's."""
PROBE = "%(name)s"
"""The name under which Kivy keeps its own reader of touchscreens, unasked."""


def alone(env: Mapping[str, str] | None = None) -> bool:
    """Return whether the program draws on the graphics card itself: it is told to, or there is no desktop."""
    env = os.environ if env is None else env
    driver = env.get("SDL_VIDEODRIVER", "").casefold()
    return driver == "kmsdrm" or not (driver or env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def aim(env: MutableMapping[str, str] | None = None, drm: Path = DRM) -> None:
    """Tell SDL which card has the screen; call this before SDL is asked anything.

    On a Pi 5 the ribbon's card is another than HDMI's, and their numbers change from one start to the next. A number
    that somebody has set stays.
    """
    env = os.environ if env is None else env
    found = card(drm)
    if found and CARD not in env and alone(env):
        env[CARD] = found


def await_display(
    tell: Callable[[str], object],
    env: Mapping[str, str] | None = None,
    drm: Path = DRM,
    dri: Path = DRI,
    pause: Callable[[float], object] = time.sleep,
) -> None:
    """Wait until there is a display to draw on, and `tell` every second what is missing.

    SDL takes a display only if it is there when the program starts, and then keeps it. On a desktop there is no wait.
    """
    env = os.environ if env is None else env
    while missing := _missing(env, drm, dri) if alone(env) else "":
        tell(missing)
        pause(LOOK_S)


def _missing(env: Mapping[str, str], drm: Path, dri: Path) -> str:
    """Return what is missing for a picture on the graphics card, "" if nothing is."""
    if not any(drm.glob("card*")):
        return "a graphics card"
    number = card(drm, env.get(CARD, ""))
    if not number:
        return "a display"
    device = dri / f"card{number}"
    return "" if os.access(device, os.R_OK | os.W_OK) else f"{device}, which it may not open"  # or udev is about to


def card(drm: Path = DRM, only: str = "") -> str:
    """Return the number of the card that a screen is connected to, the ribbon's first; "" if none is.

    With `only` no other card counts.
    """
    connected = []
    for status in sorted(drm.glob("card*-*/status")):
        try:
            there = status.read_text(encoding="ascii").strip() == "connected"
        except OSError:
            continue
        number, _, connector = status.parent.name.removeprefix("card").partition("-")
        if there and only in ("", number):
            connected.append((not connector.startswith(RIBBONS), int(number)))
    return str(min(connected)[1]) if connected else ""


def touches(env: Mapping[str, str] | None = None) -> Mapping[str, str | None]:
    """Return Kivy's sources of touches, None for one that must go: each finger must arrive once and only once.

    On a desktop SDL makes a pointer of a finger. On the card itself its fingers belong to no window, so it makes none,
    and Kivy does not listen to fingers: there Kivy's own reader (libmtdev) is the one source. Either way the window
    turns touches as it turns the picture.
    """
    reader = "probesysfs,provider=mtdev,select_all=0" if alone(env) else None
    return {"mouse": "mouse,disable_multitouch", PROBE: reader}
