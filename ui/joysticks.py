"""Joysticks and game pads as the window hears them: their buttons are keys with codes of their own.

Kivy opens those that are there when the window is made, and calls each by a number that is another one after every
cable; here a joystick is counted in SDL's order, and one that is plugged in later is opened too.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CDLL, c_int, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from kivy.clock import Clock

from companion.rules.readings import JOYSTICK

LOOK_S = 2.0
"""Seconds between two looks for new ones."""
MAPS = Path("/proc/self/maps")


class JoystickKeys(Protocol):
    """The receiver of the keys."""

    def pressed(self, key: int) -> bool: ...
    def let_go(self, key: int) -> bool: ...


@cache
def sdl() -> Any:
    """Return Kivy's own SDL; None where it cannot be found (elsewhere than on Linux)."""
    try:
        loaded = {line.split(maxsplit=5)[-1].strip() for line in MAPS.read_text().splitlines() if "libSDL2-" in line}
        lib = CDLL(min(loaded)) if loaded else None
    except OSError:
        return None
    if lib:
        lib.SDL_JoystickOpen.restype = c_void_p
        for name in ("SDL_JoystickOpen", "SDL_JoystickGetDeviceInstanceID"):
            getattr(lib, name).argtypes = (c_int,)
    return lib


class Joysticks:
    """The buttons of all joysticks, passed on as keys."""

    def __init__(self, window: Any, keys: JoystickKeys) -> None:
        self._keys, self._opened = keys, set[int]()
        window.bind(on_joy_button_down=self._button_down, on_joy_button_up=self._button_up)
        Clock.schedule_interval(self._open_joysticks, LOOK_S)

    def _button_down(self, _window: Any, stick: int, button: int) -> bool:
        return self._pass_on(self._keys.pressed, stick, button)

    def _button_up(self, _window: Any, stick: int, button: int) -> bool:
        return self._pass_on(self._keys.let_go, stick, button)

    @staticmethod
    def _pass_on(take: Callable[[int], bool], stick: int, button: int) -> bool:
        return take(JOYSTICK + 100 * place(stick) + button)

    def _open_joysticks(self, _: float) -> None:
        """Open the joysticks that have been plugged in; SDL only counts opening one that is open already."""
        lib = sdl()
        for at in range(lib.SDL_NumJoysticks() if lib else 0):
            if (stick := lib.SDL_JoystickGetDeviceInstanceID(at)) not in self._opened and lib.SDL_JoystickOpen(at):
                self._opened.add(stick)


def place(stick: int) -> int:
    """Return which of the plugged-in joysticks this is, from 0; `stick` is SDL's number."""
    lib = sdl()
    there = [lib.SDL_JoystickGetDeviceInstanceID(at) for at in range(lib.SDL_NumJoysticks())] if lib else []
    return there.index(stick) if stick in there else stick
