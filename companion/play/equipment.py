"""What a table has: each seat's readers and buttons; touch always works."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from companion.rules import Seat
from companion.rules.readings import CENTRE, Health


@dataclass(frozen=True, slots=True)
class InputMethods:
    """The input methods of one seat besides touch: the reader that takes its cards now, and a button."""

    reader: Literal["own", "shared"] | None = None
    button: bool = False


@dataclass(frozen=True, slots=True)
class Equipment:
    """The readers of a table by name ("centre" or a seat), and the seats with a button.

    `typing` are those of the readers that never know when a card is lifted. `phones` are the seats whose button is on
    a phone that somebody holds.
    """

    readers: Collection[str] = ()
    buttons: Collection[Seat] = ()
    typing: Collection[str] = ()
    phones: Collection[Seat] = ()

    def means(self, seats: Collection[Seat], health: Mapping[str, Health]) -> Mapping[Seat, InputMethods]:
        """Return what each of the seats can use now, given the devices' `health`."""
        shared = CENTRE in self.readers and _is_well(CENTRE, "reader", health)
        return {seat: InputMethods(self._reader(seat, shared, health), self._button(seat, health)) for seat in seats}

    def _reader(self, seat: Seat, shared: bool, health: Mapping[str, Health]) -> Literal["own", "shared"] | None:
        if seat in self.readers and _is_well(seat, "reader", health):
            return "own"
        return "shared" if shared else None

    def _button(self, seat: Seat, health: Mapping[str, Health]) -> bool:
        pins = health.get("pins")
        if seat in self.phones:
            return True
        return seat in self.buttons and _is_well(seat, "button", health) and (pins is None or pins.well)


def _is_well(place: str, part: str, health: Mapping[str, Health]) -> bool:
    """Return whether neither this part of the place nor the box that holds it is reported ill."""
    told = (health.get(f"{device} {place}") for device in (part, "box"))
    return all(word is None or word.well for word in told)
