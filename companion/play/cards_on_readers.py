"""The cards on the readers, as far as everybody may know them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.rules import Ruling, Seat
from companion.rules.cards import Card
from companion.rules.readings import CENTRE, Health, Reading
from companion.session import Session


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card on a reader, as everybody may know it: whose it is and which, None where that may not be known."""

    reader: str
    seat: Seat | None = None
    card: Card | None = None


class CardsOnReaders:
    """The cards on the readers of one game; `tags` are the game's cards."""

    def __init__(self, session: Session, tags: Mapping[str, Card]) -> None:
        self._session, self._tags = session, tags
        self._on: dict[tuple[str, str], LyingCard] = {}  # by reader and tag

    @property
    def cards(self) -> tuple[LyingCard, ...]:
        """Return the cards on the readers of this game, the one laid last at the end."""
        return tuple(self._on.values())

    def note(self, reading: Reading) -> None:
        """Record a card that has come or gone, before anybody interprets it."""
        place = reading.reader, reading.tag.upper()
        self._on.pop(place, None)
        if reading.present and reading.reader in (CENTRE, *self._session.setup.seats):
            self._on[place] = LyingCard(reading.reader, self._owner(place[1]))

    def _owner(self, tag: str) -> Seat | None:
        """Return the seat that a tag's card belongs to, where that may be known.

        Backs are alike, so it may be known only where a card belongs to the seat of its colour.
        """
        card = self._tags.get(tag)
        known = card and self._session.game.owned and card.colour in self._session.setup.seats
        return card.colour if card and known else None

    def name(self, reading: Reading, told: Sequence[Ruling]) -> None:
        """Make the card public once a ruling for everybody has named it."""
        place, card = (reading.reader, reading.tag.upper()), self._tags.get(reading.tag.upper())
        named = (value for ruling in told for value in ruling.facts.values())
        if place in self._on and any(value == card for value in named if isinstance(value, Card)):
            self._on[place] = replace(self._on[place], card=card)


# -- The input methods of each seat: its own reader or the shared one, a button; touch always works ---------------


@dataclass(frozen=True, slots=True)
class InputMethods:
    """The input methods of one seat besides touch: the reader that takes its cards now, and a button."""

    reader: Literal["own", "shared"] | None = None
    button: bool = False


@dataclass(frozen=True, slots=True)
class Equipment:
    """The readers of a table by name ("centre" or a seat), and the seats with a button.

    `typing` are those of the readers that never know when a card is lifted.
    """

    readers: Collection[str] = ()
    buttons: Collection[Seat] = ()
    typing: Collection[str] = ()

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
        return seat in self.buttons and _is_well(seat, "button", health) and (pins is None or pins.well)


def _is_well(place: str, part: str, health: Mapping[str, Health]) -> bool:
    """Return whether neither this part of the place nor the box that holds it is reported ill."""
    told = (health.get(f"{device} {place}") for device in (part, "box"))
    return all(word is None or word.well for word in told)
