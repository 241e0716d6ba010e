"""Readers that pcscd has, as a kind: their names, the packages they need, and the doctor's remedies."""

from __future__ import annotations

from collections.abc import Iterator

from companion.hardware.kind import Checkup, Kind, Occupied, Reader, Sighting
from companion.hardware.tap import Layers, unheard
from companion.rules.message import Message
from drivers.pcsc.settings import PcscSettings


def _open(at: PcscSettings, taps: Layers = unheard) -> Reader:
    from drivers.pcsc.plugged import hindered
    from drivers.pcsc.reader import PcscReader

    return PcscReader(at.reader, at.number, hindered=hindered, tap=taps("reader"))


def _search() -> Iterator[Sighting[PcscSettings]]:
    from drivers.pcsc.discovery import search

    return search()


INSTALL = Message("sudo apt install pcscd libccid")
REMEDIES = {
    "missing": INSTALL,
    "no_service": Message("sudo systemctl enable --now pcscd.socket; if there is no such unit: sudo apt install pcscd"),
    "refused": Message("Install Tabularium's rule for it: sudo ./install; or run this at the computer's own desktop"),
    "kernel": Message(
        "echo blacklist pn533_usb | sudo tee /etc/modprobe.d/tabularium-readers.conf, then restart the computer"
    ),
    "busy": Message("Close the other program: one for signatures or bank cards, or another Tabularium"),
    "unplugged": Message("Plug it straight into the computer; lsusb must show it"),
    "other": Message("In config.yaml, set reader: to one of these names or part of one"),
}

KIND = Kind(
    name="pcsc",
    called="a reader on USB",
    settings=PcscSettings,
    open=_open,
    tapped=_open,
    occupied=lambda at: Occupied(f"the USB reader {at.reader or '(any)'}{f' {at.number}' if at.number > 1 else ''}"),
    unasked=("chip", "gain", "two"),  # the service has the chip, and sees one card at a time
    apt=("pcscd", "libccid"),
    checkup=Checkup(REMEDIES),
    search=_search,
)
