"""Kivy's own settings, made by the program and by nobody's home directory. Import this before Kivy's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ui.console import alone, touches
from ui.display import room

PACE = 30
"""Frames a second while nothing calls for one sooner; most of them only look for a finger."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen as config.yaml describes it."""

    fullscreen: bool = False
    width: int = 1280
    height: int = 720
    rotation: int = 0
    theme: str = "light"
    text: str = "normal"
    first_seat_side: str = "left"
    blank_min: int = 10


def read(screen: Any) -> Screen:
    """A Screen from an object or a mapping with any of its fields."""
    given = screen if isinstance(screen, dict) else {
        name: getattr(screen, name) for name in Screen.__slots__ if hasattr(screen, name)
    }  # fmt: skip
    return Screen(**{name: value for name, value in given.items() if name in Screen.__slots__ and value is not None})


def _constants() -> None:
    """What no screen changes. Kivy's clock reads its pace the moment it is first imported."""
    from kivy.config import Config

    _set(Config, {
        "kivy": {"log_level": "warning", "log_enable": 0, "exit_on_escape": 0, "keyboard_mode": "system"},
        "graphics": {"maxfps": PACE, "multisamples": 0, "resizable": 1},
    })  # fmt: skip
    for source, how in touches().items():
        if how:
            Config.set("input", source, how)
        else:
            Config.remove_option("input", source)


def fitting(asked: tuple[int, int], room: tuple[int, int] | None) -> tuple[int, int]:
    """A window that is no larger than its display, in the shape that was asked for."""
    share = min(1.0, *(most / side for most, side in zip(room or asked, asked, strict=True)))
    return int(asked[0] * share), int(asked[1] * share)


def _set(config: Any, settings: dict[str, dict[str, object]]) -> None:
    for section, values in settings.items():
        for key, value in values.items():
            config.set(section, key, str(value))


def configure(screen: Screen) -> None:
    """Sets up the window to come; call it before anything imports kivy's Window."""
    from kivy.config import Config

    whole = screen.fullscreen or alone()  # without a desktop there are no windows
    wide, high = (screen.width, screen.height) if whole else fitting((screen.width, screen.height), room())
    _set(Config, {
        "graphics": {
            "fullscreen": "auto" if whole else 0,
            "width": wide,
            "height": high,
            "rotation": screen.rotation,
            "show_cursor": 0 if whole else 1,
        },
    })  # fmt: skip


_constants()
