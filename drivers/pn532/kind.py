"""The PN532 as a kind of reader: where it is plugged in, and the doctor's remedies for it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.hardware import plugged
from companion.hardware.kind import Checkup, Kind, Occupied, Reader, Sighting
from companion.hardware.tap import Layers, unheard
from companion.rules.message import Message, program
from drivers.pn532.settings import Pn532Settings


def _open(at: Pn532Settings, taps: Layers = unheard) -> Reader:
    from drivers.pn532.reader import Pn532
    from drivers.port import SerialPort, Where, find

    return Pn532(SerialPort(find(Where(at.serial or "", at.usb or "", at.port or ""))), tap=taps("reader"))


def _search() -> Iterator[Sighting[Pn532Settings]]:
    from drivers.pn532.discovery import search

    return search()


def _given(at: Pn532Settings) -> list[str]:
    return [key for key in plugged.WHERE if getattr(at, key)]


def _wrong(at: Pn532Settings) -> Iterator[tuple[str, str]]:
    given = _given(at)
    if not given:
        yield "port", f"say where it is plugged in: serial, usb or port ({program()} setup finds it)"
    elif len(given) > 1:
        yield given[1], f"{' and '.join(given)} say the same thing: keep one of them"


def _occupied(at: Pn532Settings) -> Occupied:
    given = _given(at)
    return Occupied(f"the {given[0]} {getattr(at, given[0])}" if given else "")


REMEDIES = {
    "silent": Message("Set both its switches to 0 (HSU) and join TX with RX, RX with TX; then plug it in again"),
    "other": Message("It must be a PN532: check the print on the chip"),
    "absent": Message("Plug it in; {tabularium} setup finds it"),
    "uart": plugged.SWITCH_ON,
    "unplugged": Message("Check its cable; loose pin headers must be soldered"),
    "stopped": Message("Unplug it and plug it in again"),
}


def _chip(version: int) -> tuple[str, str]:
    genuine = version == 0x0106
    what = Message("PN532, firmware {major}.{minor}", major=version >> 8, minor=version & 0xFF)
    return what, "" if genuine else Message("Most say 1.6; if it misses cards, try another board first")


UNSEEN = Message("Some of these boards read only 4-byte tags, never an NTAG21x: try another card, then another board")

KIND = Kind(
    name="pn532",
    called="a PN532",
    settings=Pn532Settings,
    open=_open,
    tapped=_open,
    occupied=_occupied,
    wrong=_wrong,
    checkup=Checkup(REMEDIES, _chip, slow_ms=60, unseen=UNSEEN),
    unasked=("chip", "gain"),  # it cannot be reset: the first step is to lay an NTAG
    boot=lambda at: plugged.boot(at.port),
    search=_search,
)
