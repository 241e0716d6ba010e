"""Hardware events: a tag on a reader, a button, a device's condition; times in milliseconds on one clock."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic_ns
from typing import Any

from companion.rules import Seat

CENTRE = "centre"
"""The name of the shared reader."""
POWER = "power"
"""The name of the button that switches the computer off; it is no seat's."""
BACK = "back "
"""Before a seat's name: the second button of one that has an ear, which is no fist ("back red")."""

JOYSTICK = 1000
"""The window's first key code that stands for a joystick, above the codes of all keys; each joystick has a hundred."""

TAG = re.compile("(?:[0-9A-F]{2}){1,32}")
"""A tag's id, as readers give it and a deck keeps it: 1 to 32 bytes in uppercase hex. An ISO/IEC 14443 tag has 4, 7 or
10, FeliCa and ISO/IEC 15693 have 8, tags for 125 kHz have 5."""


def now() -> int:
    """Return milliseconds on the clock that stamps every hardware event; it never goes back."""
    return monotonic_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Reading:
    """A tag came onto a reader or left it. `reader` is "centre" or a seat; `t` in ms."""

    reader: str
    tag: str
    present: bool
    t: int


@dataclass(frozen=True, slots=True)
class Press:
    """A seat's button, or the one on its `phone`, went down or up, `t` in ms, which may be off by `slack`.

    `edge` is false for a level that was found: a closed fist, but not the beginning of a press; or an open one, but not
    the end of one.
    """

    seat: Seat
    down: bool
    t: int
    edge: bool = True
    slack: int = 0
    phone: bool = False


@dataclass(frozen=True, slots=True)
class Health:
    """How a device is doing, for the status line: `device` as config.yaml names it ("reader centre", "button red").

    A device that is not well says why and what to do in `detail`; it never stops the game (law 5).
    """

    device: str
    well: bool
    detail: str = ""


# -- phones (docs/phones.md) -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FromPhone:
    """A phone has sent a message, or its connection has ended (None). Any: its values are JSON.

    Connection 0 is no phone's: time has gone by.
    """

    connection: int
    message: Mapping[str, Any] | None
    address: str


@dataclass(frozen=True, slots=True)
class PhoneSleep:
    """A seat's phone has fallen asleep or has been woken: nobody holds it, or it is gone."""

    seat: Seat
    asleep: bool
