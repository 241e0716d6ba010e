"""A reader that types, as a kind: the last choice, as it reports only that a card has come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from companion.hardware import plugged
from companion.hardware.kind import Checkup, Kind, Occupied, Reader
from companion.rules.message import Message
from drivers.typed.numbers import Sends


@dataclass(frozen=True, slots=True)
class TypedSettings:
    """The device, chosen as for a controller, and the format in which it types a tag's number."""

    usb: Annotated[str, plugged.usb_kind] | None = None
    place: str | None = None
    name: str | None = None
    sends: Sends = "10D"


def _open(at: TypedSettings) -> Reader:
    from drivers.controllers.listed import Plug
    from drivers.typed.reader import TypedReader

    return TypedReader(Plug(at.usb or "", at.place or "", at.name or ""), at.sends)


def _wrong(at: TypedSettings) -> Iterator[tuple[str, str]]:
    if at.usb is None and at.name is None:
        yield "usb", "say which it is: usb or name"


REMEDIES = {
    "absent": Message("Plug it in; its name and kind are in /proc/bus/input/devices"),
    "twice": Message("In config.yaml, add place: after its kind"),
    "denied": Message("sudo usermod -aG {group} $USER, then log out and in again", group="input"),
    "sends": Message("Set sends to 10D (ten digits), 8H (hex digits) or reversed in config.yaml"),
}

KIND = Kind(
    name="typed",
    called="a reader that types",
    settings=TypedSettings,
    open=_open,
    occupied=lambda at: Occupied(f"the device {' '.join(filter(None, (at.name, at.usb, at.place)))}"),
    wrong=_wrong,
    lifts=False,
    unasked=("chip", "gain", "two", "lift", "hand"),
    checkup=Checkup(REMEDIES),
)
