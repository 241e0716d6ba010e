"""Kivy's own settings, made by the program and by nobody's home directory. Import this before Kivy's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ui.console import alone, touches
from ui.display import managed, room, whole_display

PACE = 30
"""Frames a second while nothing calls for one sooner; most of them only look for a finger."""


USUAL = 1280, 720
"""The size of a window whose size nobody has said, in pixels, on a display of up to twice as many."""
Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen as config.yaml describes it; a side of 0 has not been said."""

    fullscreen: bool = False
    width: int = 0
    height: int = 0
    rotation: int = 0
    theme: str = "light"
    text: str = "normal"
    first_seat_side: str = "left"
    blank_min: int = 10


def read(screen: Any) -> Screen:
    """Return a Screen from an object or a mapping with any of its fields."""
    given = screen if isinstance(screen, dict) else {
        name: getattr(screen, name) for name in Screen.__slots__ if hasattr(screen, name)
    }  # fmt: skip
    return Screen(**{name: value for name, value in given.items() if name in Screen.__slots__ and value is not None})


def _set_constants() -> None:
    """Set what is the same for every screen; Kivy's clock reads its pace when it is first imported."""
    from kivy.config import Config

    _write_config(Config, {
        "kivy": {"log_level": "warning", "log_enable": 0, "exit_on_escape": 0, "keyboard_mode": "system"},
        "graphics": {"maxfps": PACE, "multisamples": 0, "resizable": 1},
    })  # fmt: skip
    for source, how in touches().items():
        if how:
            Config.set("input", source, how)
        else:
            Config.remove_option("input", source)


def fitting(screen: Screen, room: Size | None, bars: bool = True) -> Size:
    """Return the size of a window: as configured, or the usual one.

    The usual size grows to half the display's width and height. No window is larger than its display (`room`), and a
    smaller one keeps its shape, which leaves room for a title bar; where no window has `bars`, it fills the display.
    """
    said = bool(screen.width or screen.height)
    wide, high = asked = screen.width or USUAL[0], screen.height or USUAL[1]
    shares = [most / side for most, side in zip(room or asked, asked, strict=True)]
    if room and not bars and not said and min(shares) < 1:
        return room
    share = min(1.0 if said else max(1.0, min(shares) / 2), *shares)
    return int(wide * share), int(high * share)


def _write_config(config: Any, settings: dict[str, dict[str, object]]) -> None:
    for section, values in settings.items():
        for key, value in values.items():
            config.set(section, key, str(value))


def configure(screen: Screen) -> None:
    """Set up the window to come; call this before anything imports Kivy's Window."""
    from kivy.config import Config

    whole = screen.fullscreen or alone()  # without a desktop there are no windows
    if screen.fullscreen and not alone():
        wide, high = whole_display() or fitting(screen, None)  # without a window manager nobody makes it larger
    else:
        wide, high = fitting(screen, None if whole else room(), bars=whole or managed())
    _write_config(Config, {
        "graphics": {
            "fullscreen": "auto" if whole else 0,
            "width": wide,
            "height": high,
            "rotation": screen.rotation,
            "show_cursor": 0 if whole else 1,
        },
    })  # fmt: skip


_set_constants()
