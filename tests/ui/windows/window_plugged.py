"""A laptop without a config.yaml: an encoder is plugged in while the start page is open, is offered, and is set up.

`python -m tests.ui.windows.window_plugged FOLDER [SIZE LANG TEXT OUTDIR]`; it ends with "played".
"""

import argparse
import sys
from collections.abc import Callable
from ctypes import c_void_p
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from companion.cli.setup_session import SetUpSession
from companion.hardware import settings as config
from companion.hardware.settings import Settings
from companion.hardware.wizard.walk import FINGER_MS
from companion.rules.cards import PAWNS
from companion.rules.readings import now
from drivers.kinds import KINDS
from drivers.search import SearchTarget
from tests.support.evdev import VirtualEvdev, VirtualInput
from tests.ui.windows.window_play import keyboard
from tests.ui.windows.window_set_up import Leader, stage
from tools import pictures
from ui.joysticks import sdl

KEYS = {seat: 288 + at for at, seat in enumerate(PAWNS[:5])}


def offered(lead: Leader, kernel: VirtualEvdev, box: VirtualInput) -> None:
    """Nothing is offered for a mouse or a keyboard; what has gone again is offered no more."""
    page = lead.app.page
    looks: list[object] = []
    look = lead.app.set_up.arrived

    def noted() -> object:
        looks.append(None)
        return look()

    lead.app.set_up.arrived = noted
    lead.until(lambda: looks)  # what is there now is nothing new
    kernel.plug(VirtualInput("A Mouse", "046D:C077", range(272, 280)), VirtualInput("Keys", "046D:C31C", range(1, 120)))
    seen = len(looks)
    lead.until(lambda: len(looks) > seen)
    assert not page.plugged.parent
    kernel.plug(box)
    lead.until(lambda: page.plugged.parent)
    kernel.unplug(box)
    lead.until(lambda: not page.plugged.parent)
    kernel.plug(box)
    lead.until(lambda: page.plugged.parent)
    lead.see("offered")
    lead.tap(page.plugged)


def pressed(lead: Leader, desk: Any, box: VirtualInput) -> None:
    """Everybody presses; then all hold, of whom three arrive, and then all."""
    for at, code in enumerate(KEYS.values(), start=1):
        box.press(code)
        box.let_go(code, at=now() + FINGER_MS)
        lead.until(partial(answered, desk, at))
        if at == 1:
            lead.see("button")
    assert desk.walk.step.kind == "hold"
    lead.see("hold")
    for code in (*KEYS.values(),)[:3]:
        box.press(code)
    lead.until(lambda: len(desk.walk.down) == 3)
    lead.see("some")
    box.let_go(KEYS["red"])
    lead.until(lambda: desk.walk.refused)
    lead.see("refused")
    box.press(*KEYS.values())
    lead.until(lambda: desk.walk.step.kind != "hold")
    box.let_go(*KEYS.values())


class Pad:
    """A game pad of SDL's own, which the window hears like any other."""

    def __init__(self) -> None:
        self._lib = sdl()
        at = self._lib.SDL_JoystickAttachVirtual(1, 0, 12, 0)
        assert at >= 0
        self._stick = c_void_p(self._lib.SDL_JoystickOpen(at))

    def press(self, button: int, down: bool) -> None:
        assert self._lib.SDL_JoystickSetVirtualButton(self._stick, button, int(down)) == 0


def through_the_window(lead: Leader, path: Path) -> None:
    """Nothing may be read: two seats press keys of the window, one a button of a pad that was not there at the start;
    and what is written is what they play with."""
    app, set_up = lead.app, lead.app.set_up
    app.go("set_up", look=True)
    lead.until(lambda: set_up.desk and set_up.desk.looked and not app.page.thread)
    lead.see("denied")
    lead.tap(app.page.on)
    for seat in ("yellow", "purple"):
        lead.tap(app.page.taps[seat])
    lead.tap(app.page.on)
    desk, pad = set_up.desk, Pad()
    for at, key in enumerate((ord("a"), ord("l")), start=1):
        keyboard("on_key_down", chr(key))
        keyboard("on_key_down", chr(key))  # a held key repeats
        lead.until(partial(held_for_long, desk))
        keyboard("on_key_up", chr(key))
        lead.until(partial(answered, desk, at))
    pad.press(3, True)
    lead.until(partial(held_for_long, desk))
    pad.press(3, False)
    lead.until(partial(answered, desk, 3))
    lead.see("hold-keys")
    lead.tap(app.page.skip)
    lead.tap(app.page.write)
    lead.until(lambda: app.page.name == "start")
    (controller,) = config.load(path, KINDS).controllers.values()
    assert controller.window and dict(controller.seats) == {"red": 97, "blue": 108, "green": 1003}
    app.evening.begin({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]})
    app.go("table")
    pictures.settle(app)
    keyboard("on_key_down", "a")
    pad.press(3, True)
    lead.until(lambda: set(app.evening.devices.held) == {"red", "green"})
    keyboard("on_key_up", "a")
    pad.press(3, False)
    lead.until(lambda: not app.evening.devices.held)


def held_for_long(desk: Any) -> bool:
    return any(now() - since > FINGER_MS for since in desk.walk.down.values())


def answered(desk: Any, count: int) -> bool:
    return len(desk.walk.answers.buttons) == count


def main(folder: str, size: str = "800x480", lang: str = "en", text: str = "normal", outdir: str = "") -> None:
    kernel, path = VirtualEvdev(Path(folder)), Path(folder) / "config.yaml"
    kernel.list()
    box = VirtualInput("DragonRise Inc. Generic USB Joystick", "0079:0006", range(288, 300))
    ground = SearchTarget(
        kinds=list, ports=list, root=kernel.root, model=lambda _: "", kernel=kernel, allowed=lambda _: True
    )
    opened: list[Settings] = []
    note: Callable[[Settings], None] = opened.append
    args = argparse.Namespace(virtual=None, config=path)
    set_up = SetUpSession(args, Settings(), opened.clear, note, first=False, ground=ground)
    app = stage(pictures.size(size), lang, text, set_up)
    lead = Leader(app, outdir, f"{lang}-{text}-{size}")
    try:
        offered(lead, kernel, box)
        lead.until(lambda: app.page.name == "set_up" and set_up.desk and set_up.desk.looked and not app.page.thread)
        lead.see("found")
        lead.tap(app.page.on)
        lead.tap(app.page.on)
        lead.until(lambda: box.opened)
        pressed(lead, set_up.desk, box)
        lead.until(lambda: app.page.name == "set_up_done")
        lead.see("done")
        lead.tap(app.page.write)
        lead.until(lambda: app.page.name == "start")
    finally:
        set_up.close()
    made = config.load(path, KINDS)
    (controller,) = made.controllers.values()
    assert made.hardware == "usb" and dict(controller.seats) == KEYS and controller.together == 5
    assert opened == [made] and not set_up.arrived()
    set_up.settings = Settings()
    set_up._ground = replace(ground, allowed=lambda _: False)
    path.unlink()
    through_the_window(lead, path)
    assert not lead.problems, lead.problems
    print("played")


if __name__ == "__main__":
    main(*sys.argv[1:])
