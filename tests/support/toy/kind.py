"""The toy as a kind of reader: this module, and its name in the list of kinds, are all there is to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from companion.hardware.header import Pin
from companion.hardware.kind import Checkup, DeviceFile, DrawnReader, Kind, Leg, Occupied, Package
from companion.rules.message import Message
from companion.system.typed import whole


@dataclass(frozen=True, slots=True)
class ToySettings:
    file: str
    speed: Annotated[int, whole(1, 9)] = 5
    wake: Pin = 4


class Toy:
    version = 7

    def __init__(self, at: ToySettings) -> None:
        self._file = Path(at.file)

    def poll(self) -> frozenset[str]:
        try:
            return frozenset(self._file.read_text().split())
        except OSError as fault:
            raise OSError(Message("The toy has lost {file}", code="lost", file=self._file.name)) from fault

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _wrong(at: ToySettings) -> Iterator[tuple[str, str]]:
    if at.speed == 9 and at.wake == 4:
        yield "speed", "the toy is as fast as that on any other pin"


KIND = Kind(
    name="toy",
    called="a toy",
    settings=ToySettings,
    open=Toy,
    occupied=lambda at: Occupied(f"the file {at.file}", pins={"wake": at.wake}),
    wrong=_wrong,
    owner="toys",
    packages=(Package("no-such-toy"),),
    file=lambda at: DeviceFile(at.file, Message("Make one"), "toys"),
    checkup=Checkup({"lost": Message("Look under the table")}, lambda version: (f"toy number {version}", "")),
    drawn=lambda at: DrawnReader(
        "A toy", (Leg("WAKE", at.wake), Leg("5V", "5V"), Leg("ODD")), "Toys are for children."
    ),
)
