"""The playing of sound: a program plays it on one ALSA device, and never on another one instead."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Protocol

from companion.rules.message import Message
from drivers import ROOT
from drivers.voice.interruptible import Wait
from drivers.voice.program import Process, check, end, start

PIPE = 4096
"""Bytes that may wait in the pipe; BUFFER_US is the time that may wait in the device.

Both are short, as a sound that is mixed over speech, such as that of a fist, should be heard while it happens.
"""
BUFFER_US = 150_000
F_SETPIPE_SZ = 1031
"""The code on Linux; other systems keep the pipe's size."""
PATIENCE = 3.0
"""Seconds to wait for a device to accept more."""


class Sink(Protocol):
    """One loudspeaker or earphone. After OSError it has ended: the next sound begins anew."""

    def begin(self, hz: int) -> None:
        """Open the device. Raises OSError."""

    def write(self, pcm: bytes, wait: Wait) -> None:
        """Write samples, hardly sooner than they can be heard. Raises OSError."""

    def end(self, wait: Wait) -> None:
        """Wait until all of it has been heard, and close the device. Raises OSError."""

    def stop(self) -> None:
        """Fall silent at once; harmless at any time."""


class Aplay:
    """`aplay` of alsa-utils, killed to interrupt it."""

    def __init__(self, device: str = "default", program: str = "aplay", patience: float = PATIENCE) -> None:
        self.device = device
        self._program, self._patience = program, patience
        self._process: Process | None = None

    def begin(self, hz: int) -> None:
        # raw, not WAV: its header would need the length, unknown at the beginning
        raw = ("-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(hz))
        self._process = start((self._program, "-q", "-D", self.device, f"--buffer-time={BUFFER_US}", *raw, "-"))
        assert self._process.stdin
        pipe = self._process.stdin.fileno()
        # else a write of more than the pipe's room would block the thread, and orders would wait for it
        os.set_blocking(pipe, False)
        with suppress(OSError, ImportError):  # only Linux has this
            from fcntl import fcntl

            fcntl(pipe, F_SETPIPE_SZ, PIPE)

    def write(self, pcm: bytes, wait: Wait) -> None:
        process = self._process
        assert process and process.stdin
        left = memoryview(pcm)
        while left:
            if not wait(process.stdin.fileno(), self._patience, writing=True):
                raise self._timeout()
            try:
                left = left[os.write(process.stdin.fileno(), left[:PIPE]) :]
            # up to PIPE_BUF a write is all or nothing: the pipe may refuse it although select() found room (pipe(7))
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._require_success(process)
                raise OSError(Message("{program} has ended", program=self._program)) from None

    def end(self, wait: Wait) -> None:
        process = self._process
        if process is None:
            return
        assert process.stdin and process.stderr
        # aplay plays what is in its buffer once its input ends, and only then exits
        process.stdin.close()
        said = b""
        while True:  # until it has played all, or failed
            if not wait(process.stderr.fileno(), self._patience):
                raise self._timeout()
            if not (more := os.read(process.stderr.fileno(), 4096)):
                break
            said += more
        self._require_success(process, said)

    def _require_success(self, process: Process, said: bytes = b"") -> None:
        """Raise OSError with the reason if the program has failed."""
        try:
            check(process, self.device, said)
        finally:
            self.stop()

    def _timeout(self) -> TimeoutError:
        self.stop()
        return TimeoutError(Message("{device} takes no sound", device=self.device))

    def stop(self) -> None:
        process, self._process = self._process, None
        if process:
            end(process)


LEAD_MS = 600
"""An HDMI display takes about half a second to unmute, a Bluetooth loudspeaker to open its link; neither says when."""
AWAKE_S = 4.0
"""Seconds of silence that leave a device awake: PipeWire and BlueZ let go of one after five."""
ASLEEP = re.compile("hdmi|iec958|blue|bt_?audio", re.IGNORECASE)
"""Names of devices that sleep: the Pi's HDMI is called vc4hdmi0, bluez-alsa's bluealsa."""


class LeadIn:
    """A sink whose device sleeps while nothing is played: silence wakes it, so that the first word is not lost."""

    def __init__(self, sink: Sink, ms: int, clock: Callable[[], float] = monotonic) -> None:
        self._sink, self._ms, self._clock = sink, ms, clock
        self._last_played = float("-inf")  # when it last played
        self._lead = b""

    def begin(self, hz: int) -> None:
        self._sink.begin(hz)
        slept = self._clock() - self._last_played > AWAKE_S
        self._lead = bytes(2 * (hz * self._ms // 1000)) if slept else b""

    def write(self, pcm: bytes, wait: Wait) -> None:
        lead, self._lead = self._lead, b""
        if lead:
            self._sink.write(lead, wait)
        self._last_played = self._clock()
        self._sink.write(pcm, wait)

    def end(self, wait: Wait) -> None:
        self._sink.end(wait)
        if self._last_played > float("-inf"):
            self._last_played = self._clock()

    def stop(self) -> None:
        self._sink.stop()


def sleeps(device: str, root: Path = ROOT) -> bool:
    """Return whether a device sleeps while nothing is played; "default" is taken for the first card."""
    if device != "default":
        return bool(ASLEEP.search(device))
    try:
        return bool(ASLEEP.search((root / "proc/asound/card0/id").read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return False


def sink(device: str, lead_ms: int | None = None) -> Sink:
    """Return the sink of a device as ALSA names it, with a lead-in before the first word after a pause: silence, in ms.

    Without `lead_ms` a device has a lead-in if it is known to sleep.
    """
    ms = lead_ms if lead_ms is not None else LEAD_MS if sleeps(device) else 0
    return LeadIn(Aplay(device), ms) if ms else Aplay(device)
