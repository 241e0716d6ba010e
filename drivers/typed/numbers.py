"""The numbers that such readers type, as the tags they stand for."""

from __future__ import annotations

import re
from typing import Literal

from companion.rules.message import Message
from companion.rules.readings import TAG

Sends = Literal["10D", "8H", "reversed"]
"""Ten decimal digits, eight (or more) hex digits, or either with the bytes the other way round."""
LEAST = 8
"""Hex digits of a number: a person who types fewer on a keyboard lays no tag."""


def tag(typed: str, sends: Sends) -> str:
    """The tag that was typed, in uppercase hex.

    Raises OSError where it is no such number. Ten digits that fit into four bytes are never hex: most readers type
    them, and with another setting each card would have a second id.

    >>> tag("0077858966", "10D"), tag("04A40896", "8H"), tag("9608A404", "reversed")
    ('04A40896', '04A40896', '04A40896')
    """
    typed = typed.upper()
    decimal = re.fullmatch("[0-9]{10}", typed) and int(typed) < 1 << 32
    if decimal and sends != "8H":
        found = f"{int(typed):08X}"
    elif not decimal and sends != "10D" and len(typed) >= LEAST and TAG.fullmatch(typed):
        found = typed
    else:
        raise OSError(Message("It typed {typed}, but config.yaml says {sends}", code="sends", typed=typed, sends=sends))
    return bytes.fromhex(found)[::-1].hex().upper() if sends == "reversed" else found
