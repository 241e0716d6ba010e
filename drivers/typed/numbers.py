"""The numbers that typing readers send, as the tags they stand for."""

from __future__ import annotations

import re
from typing import Literal

from companion.rules.message import Message
from companion.rules.readings import TAG

Sends = Literal["10D", "8H", "reversed"]
"""Ten decimal digits, eight (or more) hex digits, or either with the bytes the other way round."""
LEAST = 8
"""Hex digits of a number: a person who types fewer on a keyboard lays no tag."""
FEWEST = 7
"""Digits of a decimal that has lost its first zeros: one tag in 4,000 has more of them."""


def tag(typed: str, sends: Sends) -> str:
    """Return the tag that was typed, in uppercase hex.

    Decimals may come without their first zeros or with one more, and those of seven bytes have up to 17 digits. Raises
    OSError where it is no such number. Ten digits that fit into four bytes are never hex: most readers type them, and
    with another setting each card would have a second id.

    >>> tag("0077858966", "10D"), tag("04A40896", "8H"), tag("9608A404", "reversed")
    ('04A40896', '04A40896', '04A40896')
    >>> tag("77858966", "10D"), tag("00077858966", "10D"), tag("1307210921697664", "10D")
    ('04A40896', '04A40896', '04A4E6C2A26180')
    """
    typed = typed.upper()
    decimal = _from_decimal(typed, sends)
    if decimal and sends != "8H":
        found = decimal
    elif not decimal and sends != "10D" and len(typed) >= LEAST and TAG.fullmatch(typed):
        found = typed
    else:
        raise OSError(Message("It typed {typed}, but config.yaml says {sends}", code="sends", typed=typed, sends=sends))
    return bytes.fromhex(found)[::-1].hex().upper() if sends == "reversed" else found


def _from_decimal(typed: str, sends: Sends) -> str:
    """Return the hex digits of a decimal number, of four or seven bytes; "" for any other input.

    Eight digits are a decimal without its zeros only where no hex may come.
    """
    if not re.fullmatch("[0-9]+", typed):
        return ""
    number, fewest = int(typed), FEWEST if sends == "10D" else 10
    if fewest <= len(typed) <= 12 and number < 1 << 32:
        return f"{number:08X}"
    if 15 <= len(typed) <= 18 and 1 << 48 <= number < 1 << 56:
        return f"{number:014X}"
    return ""
