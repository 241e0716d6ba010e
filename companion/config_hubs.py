"""The hubs of config.yaml: what each key may say, and what is wrong among them and beside the other parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from companion.cards import PAWNS
from companion.mistakes import Mistake, shown
from companion.table import CENTRE
from companion.yaml_lines import LineOf, Where, dotted

WHERE = ("serial", "usb", "port")
"""The keys that say where a hub is plugged in."""


# -- one key -----------------------------------------------------------------------------------------------------------


def quoted(written: Any) -> Any:
    if isinstance(written, int | float):
        raise ValueError(f"digits alone are a number here: put them in quotes, not {shown(written)}")
    return written


def serial(written: str) -> str:
    if not written.strip():
        raise ValueError(f"expected what tabularium hub list tells, as E6614C775B8B2C36, not {shown(written)}")
    return written.strip()


def usb_kind(written: str) -> str:
    if not re.fullmatch("[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}", written):
        raise ValueError(f'expected four digits and four, as "2E8A:0005", not {shown(written)}')
    return written.upper()


def lasting(written: str) -> str:
    if not written.startswith("/"):
        raise ValueError(f"expected a port's whole path, as /dev/serial/by-id/..., not {shown(written)}")
    if re.fullmatch("/dev/tty(ACM|USB)[0-9]+", written):
        raise ValueError(
            f"the number of {written} changes with each plug: write serial (tabularium hub list tells it),"
            " or the port's name in /dev/serial/by-id"
        )
    return written


def hub_name(written: str) -> str:
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", written) or written in (CENTRE, *PAWNS):
        raise ValueError(f"a hub's name is one word and no seat's, not {shown(written)}")
    return written


def places(seats: Any) -> Any:
    if isinstance(seats, list) and not 1 <= len(seats) <= 8:
        raise ValueError(f"expected one to eight seats, as a hub has places, not {len(seats)}")
    return tuple(seats) if isinstance(seats, list) else seats


# -- across keys -------------------------------------------------------------------------------------------------------


def mistakes(settings: Any, data: Mapping[str, Any], hardware: Any, line_of: LineOf) -> Iterator[Mistake]:
    """`settings` as far as they are right, `data` as written."""
    if settings.hubs and hardware == "virtual":
        yield Mistake(("hubs",), "a virtual table has no hubs: set hardware to pi, which works on any computer")
    yield from _found(settings, data)
    yield from _ports(settings, line_of)
    yield from _seats(settings, line_of)


def _found(settings: Any, data: Mapping[str, Any]) -> Iterator[Mistake]:
    for name in settings.hubs:
        given = [key for key in WHERE if key in data["hubs"][name]]
        if not given:
            yield Mistake(
                ("hubs", name), "say where it is plugged in: serial (tabularium hub list tells it), usb or port"
            )
        elif len(given) > 1:
            yield Mistake(("hubs", name), f"{' and '.join(given)} say the same thing: keep one of them")


def _ports(settings: Any, line_of: LineOf) -> Iterator[Mistake]:
    first: dict[tuple[str, str], Where] = {}
    for name, hub in settings.hubs.items():
        for key in WHERE:
            written, place = getattr(hub, key), ("hubs", name, key)
            same = (key, written if key == "port" else (written or "").upper())
            other = first.setdefault(same, place)
            if written and other != place:
                yield Mistake(place, f"{written} is {dotted(other[:-1])}'s already (line {line_of(other)})")


def _seats(settings: Any, line_of: LineOf) -> Iterator[Mistake]:
    first: dict[str, Where] = {}
    for name, hub in settings.hubs.items():
        if not any(hub.seats):
            yield Mistake(("hubs", name, "seats"), "nobody sits here: name a seat, or centre for the shared reader")
        for number, seat in enumerate(hub.seats):
            place: Where = ("hubs", name, "seats", number)
            if seat is None:
                continue
            other = first.setdefault(seat, place)
            if other != place:
                yield Mistake(place, f"{seat} is at {dotted(other)} already (line {line_of(other)})")
            button: Where = ("seats", seat, "button")
            if seat in settings.seats and settings.seats[seat].button is not None:
                yield Mistake(place, f"{seat} has a button on a pin already (line {line_of(button)})")
