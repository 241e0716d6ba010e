"""The RC522 as a kind of reader: its settings, pins, packages, the doctor's remedies for it, and its drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.hardware.header import SPI
from companion.hardware.kind import (
    REPAIRED,
    BusProbe,
    Checkup,
    DeviceFile,
    DrawnReader,
    Kind,
    Leg,
    Occupied,
    Package,
    Reader,
    Sighting,
)
from companion.hardware.tap import Layers, unheard
from companion.rules.message import Message
from drivers.rc522.settings import Rc522Settings


def _open(at: Rc522Settings, taps: Layers = unheard) -> Reader:
    from drivers.rc522.reader import Rc522

    return Rc522(at.bus, at.device, at.reset, gain=at.gain, taps=taps)


def _search() -> Iterator[Sighting[Rc522Settings]]:
    from drivers.rc522.discovery import search

    return search()


def _together(readers: Mapping[str, Rc522Settings]) -> Sequence[BusProbe]:
    from drivers.rc522.bus_probe import beside

    return beside(readers)


def _occupied(at: Rc522Settings) -> Occupied:
    return Occupied(f"bus {at.bus}, device {at.device}", SPI[at.bus], {"reset": at.reset})


def _wrong(at: Rc522Settings) -> Iterator[tuple[str, str]]:
    bus = SPI[at.bus]
    last = len(bus.selects) - 1
    if at.device > last:
        yield "device", f"{bus.name} has the devices 0 to {last}, not {at.device}"


BOOT = ("dtparam=spi=on", "dtoverlay=spi1-3cs")
"""The line for each bus in the Pi's boot configuration."""


# -- the doctor --------------------------------------------------------------------------------------------------------

SWITCH_ON = (
    Message("Switch SPI on: sudo raspi-config, Interface Options, SPI; then restart the Pi"),
    Message("Add the line dtoverlay=spi1-3cs to /boot/firmware/config.txt and restart the Pi"),
)
CABLE = Message("Check its seven wires (SDA, SCK, MOSI, MISO, GND, RST, 3.3V) and keep them under 20 cm")
REMEDIES = {
    "reads_00": Message("Is 3.3V there? Then look for a MISO wire that is broken or touches ground"),
    "reads_FF": Message("Look for SDA (chip select) or MISO on the wrong pin, RST not at 3.3V, or a loose wire"),
    "changed": CABLE,
    "forgets": CABLE,
    REPAIRED: Message("Its 3.3V dips: use shorter wires, and put 10 µF and 100 nF between 3.3V and GND at the reader"),
}
GENUINE = {0x90: "MFRC522 version 0", 0x91: "MFRC522 version 1", 0x92: "MFRC522 version 2"}
OTHERS = {
    0x88: Message("FM17522, a clone"),
    0x89: Message("FM17522E, a clone"),
    0xB2: Message("FM17522, a clone"),
    0x12: Message("a counterfeit MFRC522"),
}


def _file(at: Rc522Settings) -> DeviceFile:
    return DeviceFile(f"/dev/spidev{at.bus}.{at.device}", SWITCH_ON[at.bus], "spi")


def _chip(version: int) -> tuple[str, str]:
    called = (GENUINE | OTHERS).get(version, Message("an unknown chip"))
    what = Message("{chip} (register 37: {version:02X})", chip=called, version=version)
    clone = Message("Most clones work; if it misses cards, try another board first")
    return what, "" if version in GENUINE else clone


# -- the drawing -------------------------------------------------------------------------------------------------------


def _drawn(at: Rc522Settings) -> DrawnReader:
    bus = SPI[at.bus]
    legs = [Leg("SDA", bus.selects[at.device]), *(Leg(line, pin) for line, pin in bus.lines.items())]
    legs += [Leg("IRQ"), Leg("GND", "GND"), Leg("RST", at.reset), Leg("3.3V", "3.3V")]
    return DrawnReader(
        Message("MFRC522 on {bus}, device {device}", bus=bus.name, device=at.device),
        tuple(legs),
        caution=Message("Readers get 3.3V, never 5V."),
        several=Message("Join each SDA with 3.3V over 10 kΩ."),
    )


KIND = Kind(
    name="rc522",
    called="an rc522",
    settings=Rc522Settings,
    open=_open,
    tapped=_open,
    pi=True,
    occupied=_occupied,
    wrong=_wrong,
    # One thread for all, also on two buses: their antennas are as near each other, and must take turns.
    owner="rc522 readers",
    boot=lambda at: (BOOT[at.bus],),
    packages=(Package("mfrc522", tried="0.0.7", alone=True), Package("spidev"), Package("rpi-lgpio")),
    file=_file,
    checkup=Checkup(REMEDIES, _chip),  # a poll takes 7 ms; five that take 20 make a sweep of a tenth of a second
    drawn=_drawn,
    together=_together,
    search=_search,
)
