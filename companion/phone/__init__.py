"""Phones as seats: what a phone may see of its seat, its lists, and the moves it makes. Optional and passed in.

A driver (`drivers.phones`) knows connections, tokens, clocks and fists, and nothing of games. This room knows games,
and nothing of connections but their numbers. The two meet in `companion.phone.seats.Phones` and in `Send`, always on
the main thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

Connection = int
"""The number of an open connection. The driver never gives a number twice."""

Wire = Mapping[str, Any]
"""A JSON object as it is sent (docs/phones.md). Any: its values are JSON."""


class Send(Protocol):
    """The way out: the driver pads, seals and queues the object. A closed connection is ignored."""

    def __call__(self, connection: Connection, message: Wire, /) -> None: ...
