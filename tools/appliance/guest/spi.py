"""A reader on the SPI bus: /dev/spidevB.D as a character device in user space (CUSE), with an emulated MFRC522 behind it.

`python3 -m tools.appliance.guest.spi 0.0`. The product's own packages spidev and mfrc522 open it. Orders: `lay TAG`,
`lift TAG`, `dead`, `alive`. The kernel's driver for the bus itself is left out; its ioctls are answered here
(linux/spi/spidev.h, linux/fuse.h).
"""

from __future__ import annotations

import os
import struct
import sys
import time
from errno import ENOSYS, ENOTTY
from pathlib import Path
from shutil import chown
from threading import Thread

from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from tools.appliance.guest import obey

OPEN, RELEASE, FLUSH, INTERRUPT, IOCTL, INIT = 14, 18, 25, 36, 39, 4096
HEAD = struct.Struct("<IIQQIIIHH")
ASKED = struct.Struct("<QIIQII")
TRANSFER = struct.Struct("<QQIIHBBBBBx")
UNRESTRICTED = 1
"""The kernel passes on the caller's address, even where the ioctl's number gives another size."""
LARGEST = 1 << 16
SETTINGS = {1: ("mode", 1), 2: ("lsb", 1), 3: ("bits", 1), 4: ("speed", 4), 5: ("mode", 4)}
"""The numbers of spidev's settings, with their sizes in bytes."""
READ = 2


class SpiDevice:
    """The device's file: one chip, which all that open it share."""

    def __init__(self, name: str, chip: Chip) -> None:
        self._chip = chip
        self._settings = {"mode": 0, "lsb": 0, "bits": 8, "speed": 500_000}
        self._memories: dict[int, int] = {}
        self._opened = 0
        self._began = time.monotonic()
        self._kernel = os.open("/dev/cuse", os.O_RDWR)
        unique, body = self._next()[1:3]
        minor = min(struct.unpack_from("<I", body, 4)[0], 31)
        says = struct.pack("<8I40x", 7, minor, 0, UNRESTRICTED, LARGEST, LARGEST, 0, 0)
        self._answer(unique, says + f"DEVNAME={name}\0".encode())

    def serve(self) -> None:
        """Answer the kernel, for ever."""
        while True:
            operation, unique, body, process = self._next()
            if operation == OPEN:
                self._opened += 1
                self._answer(unique, struct.pack("<QIi", self._opened, 0, 0))
            elif operation in (RELEASE, FLUSH):
                self._answer(unique)
                while operation == RELEASE and self._memories:
                    os.close(self._memories.popitem()[1])
            elif operation == IOCTL:
                try:
                    self._answer(unique, struct.pack("<iIII", self._ioctl(body, process), 0, 0, 0))
                except OSError as error:
                    self._answer(unique, error=error.errno or ENOTTY)
            elif operation != INTERRUPT:
                self._answer(unique, error=ENOSYS)

    def _next(self) -> tuple[int, int, bytes, int]:
        data = os.read(self._kernel, LARGEST * 2)
        _, operation, unique, _, _, _, process, _, _ = HEAD.unpack_from(data)
        return operation, unique, data[HEAD.size :], process

    def _answer(self, unique: int, body: bytes = b"", error: int = 0) -> None:
        os.write(self._kernel, struct.pack("<IiQ", 16 + len(body), -error, unique) + body)

    def _ioctl(self, body: bytes, process: int) -> int:
        """Carry out one call on the caller's own memory: the kernel's way of copying takes three rounds instead."""
        _, _, command, address, _, _ = ASKED.unpack_from(body)
        way, size, kind, number = command >> 30, command >> 16 & 0x3FFF, command >> 8 & 0xFF, command & 0xFF
        if kind != ord("k"):
            raise OSError(ENOTTY, "not spidev's")
        memory = self._memory(process)
        if number == 0:
            return sum(
                self._transfer(memory, *fields) for fields in TRANSFER.iter_unpack(os.pread(memory, size, address))
            )
        name, _ = SETTINGS[number]
        if way == READ:
            os.pwrite(memory, self._settings[name].to_bytes(size, "little"), address)
        else:
            self._settings[name] = int.from_bytes(os.pread(memory, size, address), "little")
        return 0

    def _transfer(self, memory: int, sent: int, got: int, length: int, *_: int) -> int:
        data = os.pread(memory, length, sent) if sent else bytes(length)
        self._chip.clock.sleep(max(0.0, time.monotonic() - self._began - self._chip.clock.now))
        answer = bytes(self._chip.transfer(data, self._settings["speed"]))
        if got:
            os.pwrite(memory, answer, got)
        return length

    def _memory(self, process: int) -> int:
        if process not in self._memories:
            self._memories[process] = os.open(f"/proc/{process}/mem", os.O_RDWR)
        return self._memories[process]


def main(place: str) -> None:
    chip = Chip(VirtualClock(), overhead=0.0)
    device = SpiDevice(f"spidev{place}", chip)
    Thread(target=device.serve, daemon=True).start()
    path = Path(f"/dev/spidev{place}")
    while not path.exists():
        time.sleep(0.01)
    chown(path, group="spi")  # the kernel calls its kind "cuse", so that a rule for spidev does not see it
    path.chmod(0o660)

    def dead() -> None:
        chip.faults.dead = 0

    def alive() -> None:
        chip.faults.dead = None
        chip.reset()

    obey(f"spi{place}", {"lay": chip.field.lay, "lift": chip.field.lift, "dead": dead, "alive": alive})


if __name__ == "__main__":
    main(sys.argv[1])
