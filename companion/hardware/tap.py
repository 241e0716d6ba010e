"""Taps: where a device reports what happens to it, for a recording. Without a recording the reports are dropped."""

from __future__ import annotations

from collections.abc import Callable

Tap = Callable[..., object]
"""Takes what has just happened, by name (`exchange=…, answer=…`): from any thread, at once, and it never raises."""
Layers = Callable[[str], Tap]
"""One device's tap for a layer of the recording."""
Taps = Callable[[str, str], Tap]
"""The tap for a layer of the recording and a device in it: ("reader", "centre")."""


def silent(**_: object) -> None:
    """Ignore the report: nothing is recorded."""


def unheard(*_: str) -> Tap:
    """Return a tap that ignores every report: nothing is recorded."""
    return silent
