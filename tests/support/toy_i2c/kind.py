"""The toy on I²C as a kind of reader: several on one bus, told apart by an address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from companion.hardware.header import Bus
from companion.hardware.kind import Checkup, DeviceFile, DrawnReader, Kind, Leg, Occupied, Package
from companion.rules.message import Message
from companion.system.typed import whole

I2C = Bus("I2C", {"SDA": 2, "SCL": 3})


@dataclass(frozen=True, slots=True)
class ToySettings:
    address: Annotated[int, whole(0x08, 0x77)] = 0x28
    file: str = "/dev/i2c-1"


class Toy:
    """Each line of the file stands for a chip that answers: its address, and the tags it sees."""

    def __init__(self, at: ToySettings) -> None:
        self._file, self._address = Path(at.file), f"{at.address:02x}"

    def poll(self) -> frozenset[str]:
        chips = {line.split()[0]: line.split()[1:] for line in self._file.read_text().splitlines()}
        if self._address not in chips:
            raise OSError(Message("Nothing answers at {address}", code="silent", address=self._address))
        return frozenset(chips[self._address])

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


KIND = Kind(
    name="toy_i2c",
    called="a toy on I²C",
    settings=ToySettings,
    open=Toy,
    pi=True,
    occupied=lambda at: Occupied(f"address {at.address:02x} of I2C", I2C),
    owner="I2C",
    boot=lambda _: ("dtparam=i2c_arm=on",),
    packages=(Package("no-such-smbus"),),
    file=lambda at: DeviceFile(at.file, Message("Switch I2C on"), "i2c"),
    checkup=Checkup({"silent": Message("Look at its two wires")}),
    drawn=lambda _: DrawnReader(
        "A toy on I²C", (*(Leg(name, pin) for name, pin in I2C.lines.items()), Leg("3.3V", "3.3V"))
    ),
)
