"""A controller's buttons on a thread of their own: the kernel's events become presses of the seats."""

from __future__ import annotations

import errno
import os
import select
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.hardware.tap import Tap, Taps, unheard
from companion.rules.message import Message
from companion.rules.readings import Press, now
from companion.system.pause import Pause
from drivers import ROOT
from drivers.buttons import Debounce
from drivers.controllers import listed
from drivers.controllers.kernel import Evdev, LinuxEvdev
from drivers.controllers.listed import Plug
from drivers.worker import HealthWatch, Loop, Put

EVENT = struct.Struct("@llHHi")
"""struct input_event on a 64-bit kernel: seconds, microseconds, type, code, value."""
SYNC, KEY = 0, 1
REPORT, DROPPED = 0, 3
UP, REPEATED = 0, 2
AT_ONCE = 64
"""The number of events read at a time."""
LOOK_S = 0.2
"""Seconds to wait for events before checking whether the program ends."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 2.0


@dataclass(frozen=True, slots=True)
class Controller:
    """The device, and the code of each seat's button. A keyboard `grabs`: its events reach no other program.

    `together` is the number of its keys that have been seen held at once, None if that was not tried.
    """

    plug: Plug
    buttons: Mapping[str, int]
    grabs: bool = True
    together: int | None = None


@dataclass(frozen=True, slots=True)
class _KeyButton:
    debounce: Debounce
    condition: HealthWatch
    tap: Tap


class ControllerWorker:
    """One controller. Held buttons stay held while it is gone: only the levels read afterwards can say otherwise.

    Levels read at the start, after a reconnect and after the kernel has dropped events are no edges. The times are the
    kernel's, on the monotonic clock.
    """

    def __init__(
        self,
        name: str,
        controller: Controller,
        put: Put,
        release_ms: int,
        *,
        kernel: Evdev | None = None,
        clock: Callable[[], int] = now,
        root: Path = ROOT,
        taps: Taps = unheard,
    ) -> None:
        self._controller, self._put, self._clock, self._root = controller, put, clock, root
        self._kernel: Evdev = kernel or LinuxEvdev()
        remedy = Message("Retrying automatically; until then play on the screen.")
        self._buttons = {
            seat: _KeyButton(Debounce(release_ms), HealthWatch(f"button {seat}", put, remedy), taps("pins", seat))
            for seat in controller.buttons
        }
        self._seats = {code: seat for seat, code in controller.buttons.items()}
        self._fd: int | None = None
        self._grabs = self._dropping = False
        self._pause = Pause(FIRST_PAUSE, LONGEST_PAUSE)
        self._loop = Loop(f"controller {name}", self.turn, self.shut)
        self.start = self._loop.start
        self.stop = self._loop.stop
        self.close = self._loop.close

    @property
    def held(self) -> frozenset[str]:
        """Return the seats whose buttons are down now."""
        return frozenset(seat for seat, button in self._buttons.items() if button.debounce.down)

    @property
    def ill(self) -> Mapping[str, str]:
        """Return the faults that buttons have now, by seat."""
        return {seat: why for seat, button in self._buttons.items() if (why := button.condition.ill)}

    def turn(self) -> float:
        """Read the events that have come, or wait a little for some; return the seconds until the next turn.

        Never raises.
        """
        fault = self._try_to_read()
        if fault is not None:
            for button in self._buttons.values():
                with button.condition.guard():
                    raise fault
            self.shut()
            return self._pause.after_failure()
        self._pause.end()
        for button in self._buttons.values():
            button.condition.recovered()
        return 0.0

    def _try_to_read(self) -> Exception | None:
        try:
            if self._fd is None:
                self._open()
            self._read()
        except Exception as fault:  # no fault of a device may reach the game
            return named(fault)
        return None

    def _open(self) -> None:
        codes = self._controller.buttons.values()
        device = listed.find(self._controller.plug, codes, listed.devices(self._root))
        self._fd = self._kernel.open(device.path)
        self._grabs, self._dropping = self._controller.grabs and device.types, False
        self._read_levels()

    def _read_levels(self) -> None:
        """Read which keys are down; grab a keyboard from other programs once none is."""
        assert self._fd is not None
        down, t = self._kernel.down(self._fd), self._clock()
        for seat, code in self._controller.buttons.items():
            button = self._buttons[seat]
            if button.debounce.surprised(code in down):
                button.tap(level=code in down, ms=t)
            self._put_presses(seat, button.debounce.found(code in down, t), edge=False)
        # grabbed while a key is down, its release would never reach the desktop, where it would repeat for ever
        if self._grabs and not down:
            self._kernel.grab(self._fd)
            self._grabs = False

    def _read(self) -> None:
        assert self._fd is not None
        ready, _, _ = select.select([self._fd], [], [], self._seconds_to_wait())
        if ready:
            for word in EVENT.iter_unpack(self._read_events()):
                self._handle_event(*word)
        t = self._clock()
        for seat, button in self._buttons.items():
            self._put_presses(seat, button.debounce.settle(t))

    def _seconds_to_wait(self) -> float:
        dues = [due for button in self._buttons.values() if (due := button.debounce.due) is not None]
        return min([LOOK_S, *(max(0, due - self._clock()) / 1000 for due in dues)])

    def _read_events(self) -> bytes:
        assert self._fd is not None
        data = os.read(self._fd, AT_ONCE * EVENT.size)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return data

    def _handle_event(self, seconds: int, micros: int, kind: int, code: int, value: int) -> None:
        if kind == SYNC and code == DROPPED:
            self._dropping = True  # the events until the next report are incomplete
        elif kind == SYNC and code == REPORT:
            # SYN_DROPPED: the kernel's buffer has overrun, and only the levels are true (input/event-codes.rst)
            if self._dropping or self._grabs:
                self._dropping = False
                self._read_levels()
        # the keyboard's own repeat is no press; neither are events of a report cut short
        elif kind == KEY and not self._dropping and value != REPEATED and code in self._seats:
            # the kernel's own time of the event, and not of its reading: a busy thread reads late
            seat, t = self._seats[code], seconds * 1000 + micros // 1000
            self._buttons[seat].tap(edge=value != UP, ms=t)
            self._put_presses(seat, self._buttons[seat].debounce.see(value != UP, t))

    def _put_presses(self, seat: str, changes: Sequence[tuple[bool, int]], edge: bool = True) -> None:
        for down, t in changes:
            self._put(Press(seat, down, t, edge))

    def shut(self) -> None:
        """Close the device."""
        fd, self._fd = self._fd, None
        if fd is not None:
            with suppress(OSError):  # it has gone
                os.close(fd)


def named(fault: Exception) -> Exception:
    """Return a fault with a text that says what to do."""
    match fault.errno if isinstance(fault, OSError) else None:
        case errno.EACCES | errno.EPERM:
            text = "No permission to read it: sudo usermod -aG input $USER, then log out and in again"
            return OSError(Message(text, code="denied"))
        case errno.ENODEV | errno.ENXIO | errno.ENOENT:
            return OSError(Message("It has been unplugged, or its cable is loose", code="unplugged"))
        case errno.EBUSY:
            return OSError(Message("Another program is using it", code="busy"))
    return fault
