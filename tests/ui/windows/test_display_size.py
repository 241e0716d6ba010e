"""How large the window is: on displays of all sizes, and on a real X server without a window manager."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools.needs import needs
from ui.window import Screen, Size, fitting


@pytest.mark.parametrize(
    ("said", "room", "size"),
    [
        ((0, 0), None, (1280, 720)),
        ((0, 0), (1366, 720), (1280, 720)),
        ((0, 0), (1920, 1040), (1280, 720)),
        ((0, 0), (1024, 576), (1024, 576)),
        ((0, 0), (3840, 2160), (1920, 1080)),
        ((0, 0), (7680, 4320), (3840, 2160)),
        ((1280, 720), (3840, 2160), (1280, 720)),
        ((800, 480), (3840, 2160), (800, 480)),
        ((800, 480), (400, 400), (400, 240)),
        ((800, 0), None, (800, 720)),
    ],
)
def test_a_window_suits_its_display_unless_its_size_was_said(said: Size, room: Size | None, size: Size) -> None:
    assert fitting(Screen(width=said[0], height=said[1]), room) == size


def test_a_small_display_is_filled_where_windows_have_no_bars() -> None:
    assert fitting(Screen(), (800, 480), bars=False) == (800, 480)
    assert fitting(Screen(), (800, 480)) == (800, 450)
    assert fitting(Screen(), (1366, 768), bars=False) == (1280, 720)
    assert fitting(Screen(width=800, height=400), (800, 480), bars=False) == (800, 400)


MANAGER = """
from ctypes import *
from ui.display import WM_CHECK, managed
lib = CDLL("libX11.so.6")
lib.XOpenDisplay.restype = c_void_p
lib.XDefaultRootWindow.restype = lib.XInternAtom.restype = c_ulong
display = c_void_p(lib.XOpenDisplay(None))
root, name = c_ulong(lib.XDefaultRootWindow(display)), c_ulong(lib.XInternAtom(display, WM_CHECK, 0))
assert not managed()
lib.XChangeProperty(display, root, name, c_ulong(33), 32, 0, byref(root), 1)
lib.XSync(display, 0)
assert managed()
"""


def test_a_window_manager_is_known_by_its_property(tmp_path: Path) -> None:
    with x_server((800, 480), tmp_path) as display:
        subprocess.run([sys.executable, "-c", MANAGER], check=True, cwd=ROOT, env=os.environ | {"DISPLAY": display})


@contextmanager
def x_server(size: Size, folder: Path) -> Iterator[str]:
    """An X server of its own with one display of this size and nothing that manages windows; its picture is a file in
    the folder (-fbdir of Xvfb)."""
    read, write = os.pipe()
    shape = f"{size[0]}x{size[1]}x24"
    words = [needs("Xvfb"), "-displayfd", str(write), "-screen", "0", shape, "-fbdir", str(folder), "-nolisten", "tcp"]
    with subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        try:
            with os.fdopen(read) as said:
                number = said.readline().strip()
            assert number, "the server did not start"
            yield f":{number}"
        finally:
            server.terminate()


def corners(folder: Path) -> set[bytes]:
    """Return the colours of the display's corners, as blue, green, red (X11/XWDFile.h)."""
    data = (folder / "Xvfb_screen0").read_bytes()
    head = struct.unpack_from(">25I", data)
    size, wide, high, line, colours = head[0], head[4], head[5], head[12], head[19]
    start = size + 12 * colours
    spots = [start + y * line + x * 4 for x in (0, wide - 1) for y in (0, high - 1)]
    return {data[spot : spot + 3] for spot in spots}


RED = b"\x00\x00\xff"
SHOWN = """
from ui import window
window.configure(window.Screen(fullscreen=True, width=SAID[0], height=SAID[1]))
from kivy.base import runTouchApp
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget
class Corners(Widget):
    def on_size(self, *_):
        self.canvas.clear()
        with self.canvas:
            Color(1, 0, 0)
            for x in (0, self.width - 8):
                for y in (0, self.height - 8):
                    Rectangle(pos=(x, y), size=(8, 8))
def tell(_):
    Window.canvas.ask_update()
    print("drawn", flush=True)
Clock.schedule_interval(tell, 0)
runTouchApp(Corners())
"""


@pytest.mark.parametrize("said", [(0, 0), (1280, 720)])
@pytest.mark.parametrize("size", [(1024, 600), (3840, 2160)])
def test_the_screen_is_covered_and_nothing_cut_off_where_nothing_manages_windows(
    size: Size, said: Size, tmp_path: Path
) -> None:
    with x_server(size, tmp_path) as display:
        env = {name: value for name, value in os.environ.items() if name != "SDL_VIDEODRIVER"} | {"DISPLAY": display}
        words = [sys.executable, "-c", SHOWN.replace("SAID", str(said))]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=env) as shown:
            assert shown.stdout
            frames = iter(shown.stdout.readline, "")
            covered = any(corners(tmp_path) == {RED} for _, _ in zip(range(FRAMES), frames, strict=False))
            shown.terminate()
        assert covered


FRAMES = 60
"""After so many a window that is to cover the screen does."""
