"""The answers, and the settings made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from companion.hardware.doctor.search_findings import WINDOW, ControllerFound, HubFound, SearchResults, key, pin, place
from companion.hardware.fitting import Fitting
from companion.hardware.settings import ControllerSettings, HubSettings, Settings, Wires
from companion.hardware.settings._parts import PowerSettings
from companion.rules.message import Message
from companion.rules.readings import CENTRE

LAMPS = (
    {5: 12, 6: 16, 13: 20, 19: 21, 26: 24},
    {4: 22, 5: 23, 6: 24, 12: 26, 13: 27},
)
"""The lamp beside each button as the drawings have them (firmware_notes/wiring.md): with readers on SPI0 alone, and on
SPI1 as well, which takes some of the pins."""

LEAST, MOST = 320, 7_680
"""The bounds of a screen's measures, in pixels."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The seats in play, and the source of each seat's button and cards. The centre's reader is for everybody.

    `lamps` says that they are wired as they are drawn; `together` are the keys that have arrived when all were held.
    """

    seats: tuple[str, ...] = ()
    buttons: Mapping[str, str] = field(default_factory=dict)
    readers: Mapping[str, str] = field(default_factory=dict)
    lamps: bool = False
    together: frozenset[str] = frozenset()

    @property
    def shared(self) -> str | None:
        """Return the reader that several seats share."""
        return next(iter(shared(self.readers)), None)

    @property
    def shared_by_seats(self) -> bool:
        """Return whether several seats have laid their cards on one reader."""
        seats = {seat: source for seat, source in self.readers.items() if seat != CENTRE}
        return bool(shared(seats))

    def reader(self, seat: str) -> str | None:
        """Return where a seat's cards are laid: the centre or the seat, in config.yaml's words; None for the screen."""
        source = self.readers.get(seat)
        common = self.shared
        if source is None or source == common:
            return CENTRE if common else None
        return seat

    def without(self, seat: str, what: Literal["buttons", "readers"]) -> Answers:
        left = {other: source for other, source in getattr(self, what).items() if other != seat}
        change: Any = {what: left}
        return replace(self, **change)

    def only(self, seats: tuple[str, ...]) -> Answers:
        """Return the answers of these seats alone, without those of seats that have left."""
        stay = {*seats, CENTRE}
        buttons, readers = (
            {seat: source for seat, source in of.items() if seat in stay} for of in (self.buttons, self.readers)
        )
        return replace(self, seats=seats, buttons=buttons, readers=readers)


def shared(readers: Mapping[str, str]) -> list[str]:
    """Return the sources that are the centre's, or that several seats have."""
    sources = list(readers.values())
    common = [source for seat, source in readers.items() if seat == CENTRE or sources.count(source) > 1]
    return list(dict.fromkeys(common))


# -- what cannot be ------------------------------------------------------------------------------------------------


def wrong(answers: Answers) -> Message | None:
    """Return why these answers cannot be wired up, as config.yaml could not express them; None if they can."""
    return next(_conflicts(answers), None)


def _conflicts(answers: Answers) -> Iterator[Message]:
    first: dict[str, str] = {}
    for seat, source in answers.buttons.items():
        if first.setdefault(source, seat) != seat:
            yield Message("That is {seat:of} button.", seat=first[source])
    common = shared(answers.readers)
    yield from _place_conflicts(answers, common)
    if len(common) > 1:
        yield Message("Only one reader can be shared, and one already is.")
    for seat, source in answers.readers.items():
        button = answers.buttons.get(seat)
        own = source not in common and _is_at_hub(source)
        if own and button and not _is_at_hub(button):
            yield Message("{seat:of} button is on the Pi: its reader cannot be at a hub.", seat=seat)
        if own and button and _is_at_hub(button) and button != source:
            yield Message("{seat:of} button is at another place: lay the card on the reader there.", seat=seat)


def _place_conflicts(answers: Answers, common: Sequence[str]) -> Iterator[Message]:
    """Yield the conflicts at places of hubs: all parts of a place belong to one seat, or to everybody."""
    owners = {source: seat for seat, source in answers.buttons.items() if _is_at_hub(source)}
    for seat, source in answers.readers.items():
        who = CENTRE if source in common else seat
        if _is_at_hub(source) and owners.setdefault(source, who) != who:
            yield Message("That place of the hub is {seat:of}: its reader is too.", seat=owners[source])


def _is_at_hub(source: str) -> bool:
    return " place " in source


# -- settings ------------------------------------------------------------------------------------------------------


def settings(found: SearchResults, answers: Answers, base: Settings) -> Settings:
    """Return the settings with what was found and answered; the rest stays as in `base`."""
    hubs = {hub.name: of for hub in found.hubs if (of := _hub(hub, answers)) is not None}
    at_hubs = {seat for hub in hubs.values() for seat in hub.seats if seat}
    before: Mapping[str, Wires] = {str(seat): of for seat, of in base.seats.items()}
    wires = {seat: _wires(seat, found, answers, before.get(seat)) for seat in answers.seats}
    seats = {seat: of for seat, of in wires.items() if seat not in at_hubs or of.reader == CENTRE or of.ear}
    seated = {number for of in wires.values() for number in (of.button, of.lamp, of.back)}
    readers = dict(_readers(found, answers, base, seated))
    controllers = {of.name: its for of in found.controllers if (its := _controller(of, answers)) is not None}
    if through := _window_controller(answers):
        controllers[WINDOW] = through
    wired: list[Wires | PowerSettings] = [base.power, *seats.values()]
    pinned = any(of.button is not None or of.lamp is not None for of in wired)
    pi = found.pi or pinned or any(reader.kind.pi for reader in readers.values())
    real = bool(pi or readers or hubs or controllers)
    made = replace(
        base,
        hardware="pi" if pi else "usb" if real else "virtual",
        readers=cast(Any, readers),
        seats=cast(Any, seats),
        hubs=hubs,
        controllers=controllers,
    )
    made = replace(made, power=_power(made))
    if (
        made.reveal.mode == "fists"
        and real
        and any(of.button is None for s, of in seats.items() if s not in made.pressed)
    ):
        made = replace(made, reveal=replace(made.reveal, mode=None))  # without a button there is no fist
    return made


def _controller(of: ControllerFound, answers: Answers) -> ControllerSettings | None:
    """Return a controller with the seats of its keys; None where no seat uses them."""
    keys = {key(of.name, code): code for code in of.keys}
    seats = {seat: keys[source] for seat, source in answers.buttons.items() if source in keys}
    together = len(answers.together & {source for source, code in keys.items() if code in seats.values()})
    at = of.place or None
    of_seats: Any = seats
    return ControllerSettings(usb=of.usb, place=at, seats=of_seats, together=together or None) if seats else None


def _window_controller(answers: Answers) -> ControllerSettings | None:
    """Return the controller for the keys that came through the window; None where there are none."""
    prefix = key(WINDOW, 0).removesuffix("0")
    codes = {seat: source.removeprefix(prefix) for seat, source in answers.buttons.items()}
    seats = {seat: int(code) for seat, code in codes.items() if code != answers.buttons[seat]}
    together = sum(source.startswith(prefix) for source in answers.together)
    return ControllerSettings(window=True, seats=cast(Any, seats), together=together or None) if seats else None


def _power(made: Settings) -> PowerSettings:
    """Return the pins of the power switch, except for those that a reader needs now."""
    taken: set[int] = set()
    for reader in made.readers.values():
        occupied = reader.occupied
        taken |= {*occupied.pins.values(), *(occupied.bus.pins if occupied.bus else ())}
    button, lamp = (None if number in taken else number for number in (made.power.button, made.power.lamp))
    return PowerSettings(button=button, lamp=lamp)


def without(found: SearchResults, power: PowerSettings) -> SearchResults:
    """Return what was found without the pins of the power switch, which no seat can use."""
    ours = {power.button, power.lamp}
    pins = [number for number in found.pins if number not in ours]
    return replace(found, pins=pins, held=found.held - frozenset(number for number in ours if number is not None))


def shown(found: SearchResults, base: Settings) -> Settings:
    """Return the settings with the screen that was found on a Pi: fullscreen, in its own size."""
    if not found.pi:
        return base
    sizes = [re.search("([0-9]+)x([0-9]+)$", screen) for screen in (found.display.connected if found.display else ())]
    width, height = next(((int(of[1]), int(of[2])) for of in sizes if of), (0, 0))
    screen = replace(base.screen, fullscreen=True)
    if all(LEAST <= side <= MOST for side in (width, height)):
        screen = replace(screen, width=width, height=height)
    return replace(base, screen=screen)


def _readers(
    found: SearchResults, answers: Answers, base: Settings, seated: set[int | None]
) -> Iterator[tuple[str, Fitting[Any]]]:
    """Yield the readers on the Pi by their names.

    A reader that was there before keeps its settings, except for pins that now belong to a seat or a bus.
    """
    common, before = shared(answers.readers), {reader.place: reader.settings for reader in base.readers.values()}
    names = {source: CENTRE if source in common else seat for seat, source in answers.readers.items()}
    fitted = {
        names[reader.at.place]: Fitting(reader.kind, reader.at.settings)
        for reader in found.readers
        if reader.at.place in names
    }
    taken = seated.union(*(reader.occupied.bus.pins for reader in fitted.values() if reader.occupied.bus))
    for name, reader in fitted.items():
        kept = Fitting(reader.kind, before.get(reader.place, reader.settings))
        if taken.intersection(kept.occupied.pins.values()):
            kept = Fitting(reader.kind, replace(kept.settings, **reader.occupied.pins))
        yield name, kept


def _wires(seat: str, found: SearchResults, answers: Answers, was: Wires | None) -> Wires:
    """Return the answered wiring of a seat. It keeps its ear, and the second button where that pin is still free."""
    numbers = {pin(number): number for number in found.pins}
    button = numbers.get(answers.buttons.get(seat, ""))
    lamp = drawn_lamps(found, answers).get(seat) if answers.lamps else None
    ear = was.ear if was else None
    taken = {*drawn_lamps(found, answers).values(), *(numbers.get(source) for source in answers.buttons.values())}
    back = was.back if was and ear and was.back not in taken else None
    return Wires(button=button, back=back, lamp=lamp, reader=answers.reader(seat), ear=ear)


def drawn_lamps(found: SearchResults, answers: Answers) -> Mapping[str, int]:
    """Return the pin of each seat's lamp as drawn.

    Only for seats whose button is on a pin of the drawings and whose lamp's pin is free.
    """
    second_bus = any(reader.answers and reader.at.place.startswith("SPI1") for reader in found.readers)
    buttons = {seat: int(source.removeprefix("GPIO ")) for seat, source in answers.buttons.items() if _is_pin(source)}
    free = {*found.pins, *found.held} - {*buttons.values()}
    beside = {seat: LAMPS[second_bus].get(number) for seat, number in buttons.items()}
    return {seat: lamp for seat, lamp in beside.items() if lamp in free and lamp is not None}


def _is_pin(source: str) -> bool:
    return source.startswith("GPIO ")


def _hub(hub: HubFound, answers: Answers) -> HubSettings | None:
    """Return a hub with the seats at its places; None where there are none."""
    if not hub.where[0]:
        return None
    common = shared(answers.readers)
    names = {source: CENTRE if source in common else seat for seat, source in answers.readers.items()}
    names |= {source: seat for seat, source in answers.buttons.items()}
    seats = [names.get(place(hub.name, number)) for number in range(len(hub.box.has))]
    while seats and seats[-1] is None:
        seats.pop()
    key, word = hub.where
    return HubSettings(**{key: word}, seats=cast(Any, tuple(seats)), dtr=hub.dtr) if seats else None
