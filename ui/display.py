"""Whether there is a screen to show anything on: looked at before Kivy is imported, which would not say.

Without a screen SDL draws where nobody sees it, without libGL Kivy ends in a segmentation fault. Source: SDL 2.30,
SDL_VideoInit; it tries x11, KMSDRM and then offscreen, or what SDL_VIDEODRIVER names and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import CDLL, Structure, byref, c_char_p, c_int
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from companion.rules.mistakes import nearest, quoted

VIDEO = 0x20
"""SDL_INIT_VIDEO."""
UNSEEN = ("offscreen", "dummy", "evdev")
"""Drivers of SDL that show nothing. The first can be drawn with, for tests; the others cannot."""
PACKAGES = {"libGL.so.1": "libgl1", "libEGL.so.1": "libegl1", "libGLESv2.so.2": "libgles2", "libX11.so.6": "libx11-6",
            "libXext.so.6": "libxext6", "libgbm.so.1": "libgbm1", "libdrm.so.2": "libdrm2"}  # fmt: skip
"""Libraries that are not part of Kivy, and the packages of Debian that bring them."""

Load = Callable[[str], object]
"""Opens a library by its name or path; raises OSError with what is missing."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What SDL says: the drivers it has, the one it took ("" for none), and why it took none."""

    drivers: Sequence[str]
    driver: str
    fault: str = ""


def faults(env: Mapping[str, str] | None = None, load: Load = CDLL) -> list[str]:
    """What keeps a window from being seen, and what to install or set; nothing where all is well or cannot be known."""
    env = os.environ if env is None else env
    return list(_faults(env, load))


def _faults(env: Mapping[str, str], load: Load) -> Iterator[str]:
    kivy, sdl = _kivy(), _sdl()
    if not kivy or not sdl:
        return
    if "KIVY_GL_BACKEND" not in env:
        for backend in kivy.glob("graphics/cgl_backend/cgl_gl.*so"):
            yield from missing(str(backend), load)
    tried = asked(load(str(sdl)))
    if tried.driver in ("offscreen", "KMSDRM"):
        yield from missing("libEGL.so.1", load)
    yield from unseen(tried, env, load)


def _kivy() -> Path | None:
    """Where Kivy is installed; it is not imported."""
    spec = find_spec("kivy")
    return Path(spec.origin).parent if spec and spec.origin else None


def _sdl() -> Path | None:
    """Kivy's own SDL; None on another system, or with a Kivy that was built here."""
    kivy = _kivy()
    return next(kivy.parent.glob("[Kk]ivy.libs/libSDL2-2*"), None) if kivy else None


def missing(library: str, load: Load) -> Iterator[str]:
    """What a library lacks, or that it is not there itself."""
    try:
        load(library)
    except OSError as error:
        name = str(error).partition(":")[0]
        name = Path(name).name
        package = PACKAGES.get(name, "libgl1 libegl1 libgles2")
        yield f"The screen needs {name}, which cannot be loaded: sudo apt install {package}"


def asked(lib: Any) -> Tried:
    """What SDL would draw on. It is asked to begin, and to end again."""
    for name in ("SDL_GetError", "SDL_GetCurrentVideoDriver", "SDL_GetVideoDriver"):
        getattr(lib, name).restype = c_char_p
    drivers = [lib.SDL_GetVideoDriver(at).decode() for at in range(lib.SDL_GetNumVideoDrivers())]
    with _begun(lib) as driver:
        return Tried(drivers, driver or "", "" if driver is not None else lib.SDL_GetError().decode(errors="replace"))


@contextmanager
def _begun(lib: Any) -> Iterator[str | None]:  # a library has whatever functions it is asked for
    """SDL has begun, with the driver it took; None where it cannot. A window that is open stays open."""
    lib.SDL_GetCurrentVideoDriver.restype = c_char_p
    if lib.SDL_InitSubSystem(VIDEO) < 0:
        yield None
        return
    try:
        yield (lib.SDL_GetCurrentVideoDriver() or b"").decode()
    finally:
        lib.SDL_QuitSubSystem(VIDEO)  # begin and end are counted


class _Rect(Structure):
    """SDL_Rect."""

    _fields_: ClassVar = [(name, c_int) for name in ("x", "y", "wide", "high")]


def room(load: Load = CDLL) -> tuple[int, int] | None:
    """How large a window may be on the first display, without its bars; None where nobody can say or see it."""
    sdl = _sdl()
    if not sdl:
        return None
    lib: Any = load(str(sdl))
    found = _Rect()
    with _begun(lib) as driver:
        seen = driver and driver not in UNSEEN
        well = seen and lib.SDL_GetDisplayUsableBounds(0, byref(found)) == 0
    return (found.wide, found.high) if well and found.wide > 0 and found.high > 0 else None


def unseen(tried: Tried, env: Mapping[str, str], load: Load) -> Iterator[str]:
    """Why nobody would see what is drawn."""
    wanted = env.get("SDL_VIDEODRIVER", "")
    if wanted:
        yield from _wanted(tried, wanted, env, load)
    elif tried.driver in ("", *UNSEEN):
        yield "There is no screen to open the table on."
        yield from _x11(env, load)
        yield from _console()


def _wanted(tried: Tried, wanted: str, env: Mapping[str, str], load: Load) -> Iterator[str]:
    known = {driver.casefold() for driver in tried.drivers}
    names = wanted.casefold().split(",")
    strange = [name for name in names if name not in known]
    if strange and not tried.driver:
        there = ", ".join(tried.drivers)
        yield (f"SDL_VIDEODRIVER names {quoted(strange[0])}, which is no driver of Kivy's SDL; there are {there}"
               f"{nearest(strange[0], known)}. Without SDL_VIDEODRIVER the right one is found.")  # fmt: skip
    elif tried.driver in UNSEEN[1:]:
        yield f"SDL_VIDEODRIVER={wanted}: nothing can be drawn with this driver. For tests: offscreen."
    elif not tried.driver:
        yield f"SDL_VIDEODRIVER={wanted}: {tried.fault}."
        yield from _x11(env, load) if "x11" in names else _console()


def _x11(env: Mapping[str, str], load: Load) -> Iterator[str]:
    lacking = [line for library in ("libX11.so.6", "libXext.so.6") for line in missing(library, load)]
    display = env.get("DISPLAY", "")
    if display and lacking:
        yield from lacking
    elif display:
        yield f"No X server answers at DISPLAY={quoted(display)}, or it does not let this user in."
    elif env.get("WAYLAND_DISPLAY"):
        yield "DISPLAY is not set: Kivy needs Xwayland on a Wayland desktop: sudo apt install xwayland"
    else:
        yield "DISPLAY is not set. Start it on the desktop, or from elsewhere on this computer: DISPLAY=:0 tabularium"


def _console(dri: Path = Path("/dev/dri")) -> Iterator[str]:
    """Without a desktop SDL draws on the graphics card itself."""
    cards = sorted(dri.glob("card*"))
    if not cards:
        yield "Without a desktop it needs a graphics card, and there is none in /dev/dri."
    elif not any(os.access(card, os.R_OK | os.W_OK) for card in cards):
        yield f"Without a desktop it needs {cards[0]}: sudo usermod -aG video,render $USER, then log out and in again"
