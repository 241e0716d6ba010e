"""Where sound is heard: a program that plays it on one ALSA device, and never on another one instead."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Protocol

from companion.rules.message import Message
from drivers.voice.program import Process, check, end, start
from drivers.voice.waiting import Wait

PIPE = 4096
"""Bytes that may wait in the pipe, and below it the time that may wait in the device: what is laid over what is being
said, such as the sound of a fist, should be heard while it happens."""
BUFFER_US = 150_000
F_SETPIPE_SZ = 1031
"""Linux alone has it; elsewhere the pipe is as large as it is."""
PATIENCE = 3.0
"""Seconds in which a device takes some more."""


class Sink(Protocol):
    """One loudspeaker or earphone. Whatever raises OSError has ended: the next sound begins anew."""

    def begin(self, hz: int) -> None:
        """Opens the device. Raises OSError."""

    def write(self, pcm: bytes, wait: Wait) -> None:
        """Takes samples, hardly sooner than they can be heard. Raises OSError."""

    def end(self, wait: Wait) -> None:
        """Returns when all of it has been heard, and lets go of the device. Raises OSError."""

    def stop(self) -> None:
        """Silent at once; harmless at any time."""


class Aplay:
    """`aplay` of alsa-utils, killed to interrupt it."""

    def __init__(self, device: str = "default", program: str = "aplay", patience: float = PATIENCE) -> None:
        self.device = device
        self._program, self._patience = program, patience
        self._process: Process | None = None

    def begin(self, hz: int) -> None:
        raw = ("-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(hz))
        self._process = start((self._program, "-q", "-D", self.device, f"--buffer-time={BUFFER_US}", *raw, "-"))
        assert self._process.stdin
        pipe = self._process.stdin.fileno()
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
                raise self._stuck()
            try:
                left = left[os.write(process.stdin.fileno(), left[:PIPE]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._ended(process)
                raise OSError(Message("{program} has ended", program=self._program)) from None

    def end(self, wait: Wait) -> None:
        process = self._process
        if process is None:
            return
        assert process.stdin and process.stderr
        process.stdin.close()
        said = b""
        while True:  # until it has played all, or given up
            if not wait(process.stderr.fileno(), self._patience):
                raise self._stuck()
            if not (more := os.read(process.stderr.fileno(), 4096)):
                break
            said += more
        self._ended(process, said)

    def _ended(self, process: Process, said: bytes = b"") -> None:
        """Raises OSError with the reason if it has failed."""
        try:
            check(process, self.device, said)
        finally:
            self.stop()

    def _stuck(self) -> TimeoutError:
        self.stop()
        return TimeoutError(Message("{device} takes no sound", device=self.device))

    def stop(self) -> None:
        process, self._process = self._process, None
        if process:
            end(process)
