"""A hub on USB: the reference firmware behind a gadget's serial port: `python3 -m tools.appliance.guest.hub NUMBER SERIAL PLACES`.

The gadget has the Pico's numbers (configfs, CDC-ACM, dummy_hcd), so that the kernel and udev meet it as a real one.
Orders: `plug`, `unplug`, `hold PLACE`, `release PLACE`, `lay PLACE TAG`, `lift PLACE TAG`, `lamps`.
"""

from __future__ import annotations

import os
import sys
import tty
from contextlib import suppress
from pathlib import Path

from drivers.virtual.hub import VirtualHub
from drivers.virtual.plug import VirtualPlug
from tools.appliance.guest import obey

GADGETS = Path("/sys/kernel/config/usb_gadget")
ABOUT = {
    "idVendor": "0x2e8a", "idProduct": "0x0005", "bDeviceClass": "0xef", "bDeviceSubClass": "2", "bDeviceProtocol": "1",
    "strings/0x409/manufacturer": "MicroPython", "strings/0x409/product": "Board in FS mode",
    "configs/c.1/strings/0x409/configuration": "CDC",
}  # fmt: skip
"""A Raspberry Pi Pico's, with MicroPython 1.27."""


class GadgetPlug(VirtualPlug):
    """The firmware's end of a gadget's serial port. The port hangs up when the cable goes, and is opened anew."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def plug(self) -> None:
        """Open the gadget's port."""
        with self._lock:
            self._open()
        self.wake()

    def _open(self) -> None:
        for end in self._ends or ():
            os.close(end)
        near = os.open(self._path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        with suppress(OSError):
            tty.setraw(near)
        self._ends, self.port = (near, os.dup(near)), self._path

    def read(self) -> bytes:
        """Return the bytes that have come; a port that has hung up says that it is at its end, or fails."""
        with self._lock:
            try:
                if self._ends and (got := os.read(self._ends[0], 512)):
                    return got
            except BlockingIOError:
                return b""
            except OSError:
                pass
        self.plug()
        return b""

    def write(self, data: bytes) -> int:
        """Send bytes and return how many were sent."""
        with suppress(OSError):
            return super().write(data)
        self.plug()
        return 0


def gadget(number: str, serial: str) -> Path:
    """Make the gadget and return the path of its port; it is not plugged in yet."""
    there = GADGETS / f"hub{number}"
    for folder in ("strings/0x409", "configs/c.1/strings/0x409", f"functions/acm.{number}"):
        (there / folder).mkdir(parents=True, exist_ok=True)
    for name, text in (ABOUT | {"strings/0x409/serialnumber": serial}).items():
        (there / name).write_text(text)
    link = there / f"configs/c.1/acm.{number}"
    if not link.is_symlink():
        link.symlink_to(there / f"functions/acm.{number}")
    return Path(f"/dev/ttyGS{(there / f'functions/acm.{number}/port_num').read_text().strip()}")


def main(number: str, serial: str, places: str) -> None:
    port = gadget(number, serial)
    hub = VirtualHub(places.split(","), identity=serial, plug=GadgetPlug(str(port)))
    controller = GADGETS / f"hub{number}/UDC"
    obey(f"hub{number}", {
        "plug": lambda: controller.write_text(f"dummy_udc.{number}"),
        "unplug": lambda: controller.write_text("\n"),
        "hold": lambda place: hub.hold(int(place)),
        "release": lambda place: hub.let_go(int(place)),
        "lay": lambda place, tag: hub.lay(int(place), tag),
        "lift": lambda place, tag: hub.lift(int(place), tag),
        "lamps": lambda: f"lit={hub.board.lit} linked={hub.board.linked}",
    })  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:4])
