"""Checks for a screen to draw on, made before Kivy is imported, which would not report its absence.

Without a screen SDL draws where nobody sees it, without libGL Kivy ends in a segmentation fault. Source: SDL 2.30,
SDL_VideoInit; it tries x11, KMSDRM and then offscreen, or what SDL_VIDEODRIVER names and nothing else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import CDLL, CFUNCTYPE, Structure, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p
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
"""Libraries missing in Kivy, each with its Debian package."""

Load = Callable[[str], object]
"""Opens a library by its name or path; raises OSError with what is missing."""


@dataclass(frozen=True, slots=True)
class SdlVideo:
    """SDL's answer: the drivers it has, the one it took ("" for none), and why it took none."""

    drivers: Sequence[str]
    driver: str
    fault: str = ""


def faults(env: Mapping[str, str] | None = None, load: Load = CDLL) -> list[str]:
    """Return what keeps a window from being seen and what to install or set; empty if all is well or unknown."""
    env = os.environ if env is None else env
    return list(_faults(env, load))


def _faults(env: Mapping[str, str], load: Load) -> Iterator[str]:
    sdl = _sdl_path()
    if not sdl:
        return
    for backend in _backends(env):
        yield from missing(backend, load)
    tried = asked(load(str(sdl)))
    if tried.driver in ("offscreen", "KMSDRM"):
        yield from missing("libEGL.so.1", load)
    yield from unseen(tried, env, load)


def _backends(env: Mapping[str, str]) -> list[str]:
    """Return the files of Kivy that load libGL; none if KIVY_GL_BACKEND is set or Kivy is not installed."""
    kivy = _kivy_folder()
    return [] if "KIVY_GL_BACKEND" in env or not kivy else [*map(str, kivy.glob("graphics/cgl_backend/cgl_gl.*so"))]


def lacking(env: Mapping[str, str] | None = None, load: Load = CDLL) -> dict[str, str]:
    """Return the libraries that a window needs and that cannot be loaded, with the packages that bring them."""
    if not _sdl_path():
        return {}
    env = os.environ if env is None else env
    names = [
        _missing_library(library, load) for library in (*_backends(env), "libGL.so.1", "libEGL.so.1", "libGLESv2.so.2")
    ]
    return {name: PACKAGES.get(name, "libgl1 libegl1 libgles2") for name in names if name}


def drawn() -> tuple[str, str]:
    """Return the renderer of a hidden window, and what went wrong; each is "" for none.

    A separate process tries it, as a driver may crash it. Without a desktop it draws offscreen: a table may be open.
    """
    if not _sdl_path():
        return "", ""
    env = dict(os.environ)
    if not any(env.get(name) for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")):
        env["SDL_VIDEODRIVER"] = "offscreen"
    try:
        run = subprocess.run(
            [sys.executable, "-P", "-m", __name__], check=False, capture_output=True, env=env, timeout=ASKED_S
        )
    except subprocess.TimeoutExpired:
        return "", "no answer"
    if run.returncode:
        return "", f"signal {-run.returncode}" if run.returncode < 0 else f"exit status {run.returncode}"
    renderer, fault = json.loads(run.stdout)
    return renderer, fault


def _open_hidden_window(lib: Any) -> tuple[str, str]:
    """Open a hidden window as Kivy opens its own; return its renderer and the error, each "" for none.

    `lib` is Any, as its functions have no types.
    """
    for name in ("SDL_CreateWindow", "SDL_GL_CreateContext", "SDL_GL_GetProcAddress"):
        getattr(lib, name).restype = c_void_p
    lib.SDL_GetError.restype = c_char_p
    with _video_started(lib) as driver:
        if driver is None:
            return "", lib.SDL_GetError().decode(errors="replace")
        for attribute, value in ATTRIBUTES:
            lib.SDL_GL_SetAttribute(attribute, value)
        window = c_void_p(lib.SDL_CreateWindow(b"", 0, 0, 64, 64, HIDDEN))
        if not window or not lib.SDL_GL_CreateContext(window):
            return "", lib.SDL_GetError().decode(errors="replace")
        asks = CFUNCTYPE(c_char_p, c_uint)(lib.SDL_GL_GetProcAddress(b"glGetString"))
        return (asks(RENDERER) or b"").decode(errors="replace"), ""


HIDDEN = 0x2 | 0x8
"""SDL_WINDOW_OPENGL, SDL_WINDOW_HIDDEN."""
ATTRIBUTES = ((17, 2), (18, 0), (6, 16), (7, 8))
"""GL 2.0 with 16 bits of depth and 8 of stencil, as Kivy 2.3.1 asks for (core/window/_window_sdl2.pyx)."""
RENDERER = 0x1F01
"""GL_RENDERER."""
ASKED_S = 60.0
"""A software renderer on a busy computer takes its time."""


def _kivy_folder() -> Path | None:
    """Return the folder where Kivy is installed, without importing it; None if it is not installed."""
    spec = find_spec("kivy")
    return Path(spec.origin).parent if spec and spec.origin else None


def _sdl_path() -> Path | None:
    """Return the path of Kivy's own SDL; None on another system, or with a Kivy that was built here."""
    kivy = _kivy_folder()
    return next(kivy.parent.glob("[Kk]ivy.libs/libSDL2-2*"), None) if kivy else None


def missing(library: str, load: Load) -> Iterator[str]:
    """Yield what to install if the library cannot be loaded, for itself or for one that it needs."""
    if name := _missing_library(library, load):
        package = PACKAGES.get(name, "libgl1 libegl1 libgles2")
        yield f"The screen needs {name}, which cannot be loaded: sudo apt install {package}"


def _missing_library(library: str, load: Load) -> str:
    """Return the name of the library that cannot be loaded, this one or one that it needs; "" if none."""
    try:
        load(library)
    except OSError as error:
        return Path(str(error).partition(":")[0]).name
    return ""


def asked(lib: Any) -> SdlVideo:
    """Return what SDL would draw on, by starting its video and ending it again."""
    for name in ("SDL_GetError", "SDL_GetCurrentVideoDriver", "SDL_GetVideoDriver"):
        getattr(lib, name).restype = c_char_p
    drivers = [lib.SDL_GetVideoDriver(at).decode() for at in range(lib.SDL_GetNumVideoDrivers())]
    with _video_started(lib) as driver:
        return SdlVideo(
            drivers, driver or "", "" if driver is not None else lib.SDL_GetError().decode(errors="replace")
        )


@contextmanager
def _video_started(lib: Any) -> Iterator[str | None]:  # Any: ctypes finds its functions by name
    """Start SDL's video and yield the driver it took, None if it cannot start; an open window stays open."""
    lib.SDL_GetCurrentVideoDriver.restype = c_char_p
    if lib.SDL_InitSubSystem(VIDEO) < 0:
        yield None
        return
    try:
        yield (lib.SDL_GetCurrentVideoDriver() or b"").decode()
    finally:
        lib.SDL_QuitSubSystem(VIDEO)  # SDL counts starts and ends


class _Rect(Structure):
    """SDL_Rect."""

    _fields_: ClassVar = [(name, c_int) for name in ("x", "y", "wide", "high")]


def room(load: Load = CDLL) -> tuple[int, int] | None:
    """Return how large a window may be on the first display, without its bars; None where nobody can say or see it."""
    return _desktop_size("SDL_GetDisplayUsableBounds", load)


def whole_display(load: Load = CDLL) -> tuple[int, int] | None:
    """Return how large the first display is; None where nobody can say or see it."""
    return _desktop_size("SDL_GetDisplayBounds", load)


def managed(load: Load = CDLL) -> bool:
    """Return whether a window manager says that it is there (EWMH, _NET_SUPPORTING_WM_CHECK); True where none can."""
    try:
        lib: Any = load("libX11.so.6")
    except OSError:
        return True
    lib.XOpenDisplay.restype = c_void_p
    lib.XDefaultRootWindow.restype = lib.XInternAtom.restype = c_ulong
    if not (display := c_void_p(lib.XOpenDisplay(None))):
        return True
    root, name = c_ulong(lib.XDefaultRootWindow(display)), c_ulong(lib.XInternAtom(display, WM_CHECK, 0))
    kind, data, rest = c_ulong(), c_void_p(), (c_int(), c_ulong(), c_ulong())
    lib.XGetWindowProperty(
        display, root, name, c_long(0), c_long(1), 0, c_ulong(0), byref(kind), *map(byref, rest), byref(data)
    )
    if data:
        lib.XFree(data)
    lib.XCloseDisplay(display)
    return bool(kind)


WM_CHECK = b"_NET_SUPPORTING_WM_CHECK"


def _desktop_size(function: str, load: Load) -> tuple[int, int] | None:
    sdl = _sdl_path()
    if not sdl:
        return None
    lib: Any = load(str(sdl))
    found = _Rect()
    with _video_started(lib) as driver:
        seen = driver and driver not in UNSEEN
        well = seen and getattr(lib, function)(0, byref(found)) == 0
    return (found.wide, found.high) if well and found.wide > 0 and found.high > 0 else None


def unseen(tried: SdlVideo, env: Mapping[str, str], load: Load) -> Iterator[str]:
    """Yield why nobody would see what is drawn."""
    wanted = env.get("SDL_VIDEODRIVER", "")
    if wanted:
        yield from _video_driver_faults(tried, wanted, env, load)
    elif tried.driver in ("", *UNSEEN):
        yield "There is no screen to open the table on."
        yield from _x11_faults(env, load)
        yield from _console_faults()


def _video_driver_faults(tried: SdlVideo, wanted: str, env: Mapping[str, str], load: Load) -> Iterator[str]:
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
        yield from _x11_faults(env, load) if "x11" in names else _console_faults()


def _x11_faults(env: Mapping[str, str], load: Load) -> Iterator[str]:
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


def _console_faults(dri: Path = Path("/dev/dri")) -> Iterator[str]:
    """Yield what keeps SDL from drawing on the graphics card itself, as it does without a desktop."""
    cards = sorted(dri.glob("card*"))
    if not cards:
        yield "Without a desktop it needs a graphics card, and there is none in /dev/dri."
    elif not any(os.access(card, os.R_OK | os.W_OK) for card in cards):
        yield f"Without a desktop it needs {cards[0]}: sudo usermod -aG video,render $USER, then log out and in again"


if __name__ == "__main__":
    found = _sdl_path()
    print(json.dumps(_open_hidden_window(CDLL(str(found))) if found else ("", "")))
