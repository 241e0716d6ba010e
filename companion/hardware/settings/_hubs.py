"""Mistakes among the hubs of config.yaml, and between hubs and other parts."""

from __future__ import annotations

from collections.abc import Iterator

from companion.hardware.plugged import WHERE
from companion.hardware.settings._parts import Settings
from companion.rules.data import Data
from companion.rules.message import program
from companion.rules.mistakes import LineOf, Mistake, Where, dotted

MOST = 8
"""Places of a hub."""


def mistakes(settings: Settings, data: Data, hardware: object, line_of: LineOf) -> Iterator[Mistake]:
    """Yield the mistakes about hubs. `settings` holds the valid parts, `data` is config.yaml as written."""
    if settings.hubs and hardware == "virtual":
        yield Mistake(("hubs",), "a virtual table has no hubs: set hardware to usb (on a Pi: pi)")
    yield from _found(settings, data)
    yield from _ports(settings, line_of)
    yield from _seats(settings, line_of)


def _found(settings: Settings, data: Data) -> Iterator[Mistake]:
    for name in settings.hubs:
        given = [key for key in WHERE if key in data["hubs"][name]]
        if not given:
            yield Mistake(
                ("hubs", name), f"say where it is plugged in: serial ({program()} hub list shows it), usb or port"
            )
        elif len(given) > 1:
            yield Mistake(("hubs", name), f"{' and '.join(given)} say the same thing: keep one of them")


def _ports(settings: Settings, line_of: LineOf) -> Iterator[Mistake]:
    first: dict[tuple[str, str], Where] = {}
    for name, hub in settings.hubs.items():
        for key in WHERE:
            written, place = getattr(hub, key), ("hubs", name, key)
            same = (key, written if key == "port" else (written or "").upper())
            other = first.setdefault(same, place)
            if written and other != place:
                yield Mistake(place, f"{written} is already used by {dotted(other[:-1])} (line {line_of(other)})")


def _seats(settings: Settings, line_of: LineOf) -> Iterator[Mistake]:
    first: dict[str, Where] = {}
    for name, hub in settings.hubs.items():
        if not 1 <= len(hub.seats) <= MOST:
            what = f"expected one to eight seats, one for each place of the hub, not {len(hub.seats)}"
            yield Mistake(("hubs", name, "seats"), what)
            continue
        if not any(hub.seats):
            yield Mistake(("hubs", name, "seats"), "nobody sits here: name a seat, or centre for the shared reader")
        for number, seat in enumerate(hub.seats):
            place: Where = ("hubs", name, "seats", number)
            if seat is None:
                continue
            other = first.setdefault(seat, place)
            if other != place:
                yield Mistake(place, f"{seat} is already at {dotted(other)} (line {line_of(other)})")
            button: Where = ("seats", seat, "button")
            if any(name == seat and wires.button is not None for name, wires in settings.seats.items()):
                yield Mistake(place, f"{seat} already has a button on a pin (line {line_of(button)})")
