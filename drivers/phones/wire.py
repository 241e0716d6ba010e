"""Messages as they are sealed: JSON objects, padded to hide their length; and a limit on how many may come."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

LONGEST = 4_096
"""The most bytes of a message from a phone."""
BLOCK = 256
"""Frames are a multiple of so many bytes, before they are sealed: the length would tell a card."""
MESSAGES = 20
"""How many messages a second a phone may send, and how many at once after a pause."""
STRANGER = 5
"""A message of a phone without a seat counts as so many: it can only join."""
S = 1_000_000
"""A second of the server's clock, in µs."""


def frame(message: Mapping[str, Any]) -> bytes:
    """Return a message as it is sent, padded with spaces."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return text + b" " * (-len(text) % BLOCK)


def read(data: bytes) -> Mapping[str, Any] | None:
    """Return the JSON object in a frame; None for anything else."""
    try:
        message = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError):  # a text that is no UTF-8 raises a ValueError too
        return None
    return message if isinstance(message, dict) else None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


class Allowance:
    """So many of something at once, and then so many a second; all times in µs."""

    def __init__(self, rate: float, most: float, now: int) -> None:
        self._rate, self._most, self._left, self._at = rate, most, most, now

    def take(self, now: int, count: int = 1) -> bool:
        """Take so many; return whether they were left."""
        self._left = min(self._most, self._left + self._rate * (now - self._at) / S)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True
