"""What single keys of config.yaml may say, where their type alone is not enough."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from companion import home
from companion.cards import PAWNS
from companion.mistakes import shown
from companion.table import CENTRE
from companion.typed import PLAIN, expected


def folder(written: Any) -> Path:
    try:
        return home.written(PLAIN[str](written))
    except (ValueError, OSError):
        raise expected("a directory", written) from None


# -- hubs --------------------------------------------------------------------------------------------------------------


def _quoted(written: Any) -> str:
    if isinstance(written, int | float):
        raise ValueError(f"digits alone are read as a number: put them in quotes, not {shown(written)}")
    word: str = PLAIN[str](written)
    return word


def serial(written: Any) -> str:
    word = _quoted(written).strip()
    if not word:
        raise expected("a serial number, such as E6614C775B8B2C36", written)
    return word


def usb_kind(written: Any) -> str:
    word = _quoted(written)
    if not re.fullmatch("[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}", word):
        raise expected('two groups of four hex digits, such as "2E8A:0005"', written)
    return word.upper()


def lasting(written: Any) -> str:
    path: str = PLAIN[str](written)
    if path[:1] != "/":
        raise expected("a port's full path, such as /dev/serial/by-id/...", written)
    if re.fullmatch("/dev/tty(ACM|USB)[0-9]+", path):
        raise ValueError(
            f"the number of {path} may change when it is plugged in: use serial (tabularium hub list shows it),"
            " or the port's name in /dev/serial/by-id"
        )
    return path


def hub_name(written: str) -> str:
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", written) or written in (CENTRE, *PAWNS):
        raise ValueError(f"a hub's name must be one word and not a seat's, not {shown(written)}")
    return written
