"""What is wrong among the controllers of config.yaml, and between them and the other parts."""

from __future__ import annotations

from collections.abc import Iterator

from companion.hardware.settings._parts import Settings
from companion.rules.message import program
from companion.rules.mistakes import LineOf, Mistake, Where, dotted

MOST = 767
"""The highest code of a key (linux/input-event-codes.h)."""


def mistakes(settings: Settings, hardware: object, line_of: LineOf) -> Iterator[Mistake]:
    """`settings` as far as they are right."""
    if settings.controllers and hardware == "virtual":
        yield Mistake(("controllers",), "a virtual table has no controllers: set hardware to usb (on a Pi: pi)")
    first: dict[str, Where] = {seat: ("seats", seat, "button") for seat, of in settings.seats.items() if of.button}
    at_hubs = {seat: ("hubs", name, "seats") for name, hub in settings.hubs.items() for seat in hub.seats if seat}
    windows: dict[str, str] = {}
    for name, controller in settings.controllers.items():
        place: Where = ("controllers", name)
        if controller.window:
            yield from (
                Mistake((*place, key), "the window's keys are those of all keyboards: leave this out")
                for key in ("usb", "place", "name")
                if getattr(controller, key) is not None
            )
        elif controller.usb is None and controller.name is None:
            yield Mistake(place, f"say which it is: usb or name ({program()} setup finds it)")
        codes: dict[int, str] = {}
        if controller.window and windows.setdefault("window", name) != name:
            yield Mistake(place, f"the window is already {windows['window']}")
        for seat, code in controller.seats.items():
            at: Where = (*place, "seats", seat)
            if code > MOST and not controller.window:
                yield Mistake(at, f"expected a whole number from 1 to {MOST}, not {code}")
            if codes.setdefault(code, seat) != seat:
                yield Mistake(at, f"{code} is already {codes[code]}'s button")
            other = at_hubs.get(seat) or first.setdefault(seat, at)
            if other != at:
                yield Mistake(at, f"{seat} already has a button at {dotted(other)} (line {line_of(other)})")
