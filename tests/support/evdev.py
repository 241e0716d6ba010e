"""Emulated input devices: they follow the kernel's rules, and tests play in their events."""

from __future__ import annotations

import errno
import os
import select
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.rules.readings import now
from drivers.controllers.listed import LIST
from drivers.controllers.worker import DROPPED, EVENT, KEY, REPORT, SYNC


class VirtualInput:
    """A device that can be pressed, unplugged and plugged in again."""

    def __init__(
        self,
        name: str,
        usb: str,
        keys: Iterable[int],
        place: str = "usb-1-2",
        *,
        rollover: int = 100,
        clock: Callable[[], int] = now,
    ) -> None:
        """Set up a device that tells apart `rollover` keys held at once; it sends nothing of further ones."""
        self.name, self.usb, self.place, self.keys = name, usb, place, frozenset(keys)
        self.down: set[int] = set()
        self._rollover = rollover
        self.grabbed = False
        self._clock = clock
        self._ends: list[int] = []  # write ends of the pipes of all that have it open
        self.plugged = False

    @property
    def opened(self) -> bool:
        """Return whether anything has the device open."""
        self._forget()
        return bool(self._ends)

    # -- hands ---------------------------------------------------------------------------------------------------

    def press(self, *codes: int, down: bool = True, at: int | None = None) -> None:
        """Press keys, or let go of them, at that time (ms), or now."""
        if down:
            codes = codes[: self._rollover - len(self.down)]
        for code in codes:
            (self.down.add if down else self.down.discard)(code)
        t = self._clock() if at is None else at
        self._send(*((t, KEY, code, int(down)) for code in codes), (t, SYNC, REPORT, 0))

    def let_go(self, *codes: int, at: int | None = None) -> None:
        self.press(*codes, down=False, at=at)

    def repeat(self, code: int) -> None:
        """Repeat a held key, as a keyboard does."""
        self._send((self._clock(), KEY, code, 2), (self._clock(), SYNC, REPORT, 0))

    def drop(self, *codes: int, down: bool) -> None:
        """Change keys in a burst of which the kernel could not keep all events."""
        for code in codes:
            (self.down.add if down else self.down.discard)(code)
        t = self._clock()
        self._send((t, SYNC, DROPPED, 0), (t, KEY, codes[0], int(down)), (t, SYNC, REPORT, 0))

    def unplug(self) -> None:
        """Unplug the device: the computer takes all keys as let go, as it cannot tell what is still held."""
        self.plugged = False
        for end in self._ends:
            os.close(end)
        self._ends.clear()

    # -- the kernel ----------------------------------------------------------------------------------------------

    def open(self) -> int:
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        self._ends.append(writer)
        return reader

    def listing(self, number: int) -> str:
        vendor, product = self.usb.lower().split(":")
        value = sum(1 << code for code in self.keys)
        words = [f"{value >> shift & (1 << 64) - 1:x}" for shift in range(704, -64, -64)]
        return (
            f"I: Bus=0003 Vendor={vendor} Product={product} Version=0110\n"
            f'N: Name="{self.name}"\nP: Phys={self.place}/input0\nH: Handlers=sysrq kbd event{number} leds\n'
            f"B: PROP=0\nB: EV=120013\nB: KEY={' '.join(words).lstrip('0 ') or '0'}\n"
        )

    def _send(self, *events: tuple[int, int, int, int]) -> None:
        data = b"".join(EVENT.pack(t // 1000, t % 1000 * 1000, kind, code, value) for t, kind, code, value in events)
        self._forget()
        for end in self._ends:
            os.write(end, data)

    def _forget(self) -> None:
        """Remove the ends of closed pipes: their readers get no more events."""
        for end in [*self._ends]:
            poll = select.poll()
            poll.register(end, 0)
            if poll.poll(0):  # POLLERR: the other end has gone
                self._ends.remove(end)
                os.close(end)


class VirtualEvdev:
    """A kernel that has these devices, plugged in or not."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.inputs: list[VirtualInput] = []
        self.denied = False
        self._of: dict[int, VirtualInput] = {}

    def plug(self, *inputs: VirtualInput) -> None:
        for each in inputs:
            each.plugged = True
            if each not in self.inputs:
                self.inputs.append(each)
        self.list()

    def unplug(self, each: VirtualInput) -> None:
        each.unplug()
        self.list()

    def list(self) -> None:
        there = [each.listing(number) for number, each in enumerate(self.inputs) if each.plugged]
        own = 'I: Bus=0019 Vendor=0000 Product=0001\nN: Name="Power Button"\nH: Handlers=kbd event99\nB: KEY=8000 0\n'
        path = self.root / LIST
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([own, *there]), encoding="utf-8")

    def open(self, path: str) -> int:
        device = self.inputs[int(path.removeprefix("/dev/input/event"))]
        if self.denied:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        if not device.plugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV), path)
        fd = device.open()
        self._of[fd] = device
        device.grabbed = False  # a grab ends when its holder closes the device
        return fd

    def down(self, fd: int) -> frozenset[int]:
        if not self._of[fd].plugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return frozenset(self._of[fd].down)

    def grab(self, fd: int) -> None:
        device = self._of[fd]
        if device.grabbed:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        assert not device.down, "what is down would seem to be down for ever to everybody else"
        device.grabbed = True
