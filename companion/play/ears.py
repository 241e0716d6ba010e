"""What a table needs of its ears: seats with an earphone, whose one button does everything (`companion.ear`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from companion.rules import Event, Ruling, Seat
from companion.rules.menu import Entry
from companion.session.receipt import Receipt

More = Callable[[Seat], Sequence[Entry]]
"""What a seat can do besides, such as begin the next game."""


class EarHeard(Protocol):
    """What a press of an ear's button came to: what is heard, and the event it made."""

    @property
    def heard(self) -> Sequence[Ruling]: ...
    @property
    def event(self) -> Event | None: ...


class Ears(Protocol):
    """Seats whose one button does everything (`companion.ear`)."""

    seats: Collection[Seat]

    def rests(self, seat: Seat, fists: Collection[Seat]) -> bool: ...
    def press(self, seat: Seat, t: int, ms: int, fists: Collection[Seat], changed: bool) -> EarHeard: ...
    def back(self, seat: Seat, t: int, ms: int) -> Sequence[Ruling]: ...
    def counting(self, seat: Seat, ms: int) -> Ruling | None: ...
    def took(self, receipts: Sequence[Receipt], seat: Seat) -> None: ...
