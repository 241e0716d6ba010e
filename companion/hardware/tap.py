"""Where a device says what happens to it, for a recording. Without one, what is said goes nowhere."""

from __future__ import annotations

from collections.abc import Callable

Tap = Callable[..., object]
"""Takes what has just happened, by name (`exchange=…, answer=…`): from any thread, at once, and it never raises."""
Layers = Callable[[str], Tap]
"""One device's tap for a layer of the recording."""
Taps = Callable[[str, str], Tap]
"""The tap for a layer of the recording and a device in it: ("reader", "centre")."""


def silent(**_: object) -> None:
    """Nobody records."""


def unheard(*_: str) -> Tap:
    """Nobody records any device or layer."""
    return silent
