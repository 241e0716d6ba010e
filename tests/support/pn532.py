"""A PN532 without its board: the chip and the tags in its field, with the faults that makers report, on a line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random
from threading import Thread

from drivers.pn532.frames import ACK, ERROR, NACK, TO_CHIP, Damaged, Listener, answer
from drivers.virtual.clock import VirtualClock
from drivers.virtual.plug import VirtualPlug

BYTES_A_SECOND = 11_520
"""115200 baud: eight bits with a start and a stop."""
MOST = 2
ERROR_FRAME = bytes.fromhex("0000FF01FF7F8100")


class Code(IntEnum):
    """The commands it knows (UM0701-02, 7)."""

    FIRMWARE = 0x02
    SAM = 0x14
    CONFIGURE = 0x32
    LOOK = 0x4A


FIELD, RETRIES = 1, 5
"""What of it can be configured here."""


@dataclass(slots=True)
class Pn532Faults:
    """How likely each is: a byte that is changed or lost on its way to the computer, an answer that breaks off, a
    command that is not heard, a tag that is missed. A `mute` chip says nothing, a clone `sees_four` bytes alone."""

    flip: float = 0
    lose: float = 0
    half: float = 0
    unheard: float = 0
    deaf: float = 0
    mute: bool = False
    sees_four: bool = False
    chance: Random = field(default_factory=lambda: Random(1))

    def happens(self, likelihood: float) -> bool:
        return likelihood > 0 and self.chance.random() < likelihood

    def damaged(self, data: bytes) -> bytes:
        """Return what arrives of the data."""
        if self.happens(self.half):
            data = data[: self.chance.randrange(len(data))]
        if not self.lose and not self.flip:
            return data
        kept = (byte for byte in data if not self.happens(self.lose))
        return bytes(byte ^ 1 << self.chance.randrange(8) if self.happens(self.flip) else byte for byte in kept)


class Pn532Chip:
    """The chip; `tags` may be changed from any thread."""

    def __init__(self, faults: Pn532Faults | None = None, version: bytes = b"\x32\x01\x06\x07") -> None:
        self.tags: tuple[str, ...] = ()
        self.faults = faults or Pn532Faults()
        self._version = version
        self.off()

    def off(self) -> None:
        """Cut the chip's supply; it loses all it was told."""
        self._heard = Listener(TO_CHIP)
        self._awake = self._ready = self._field = False
        self._patient = True
        self._asked: frozenset[str] = frozenset()  # tags that are awake, and miss the next request
        self._said = b""

    def lay(self, *tags: str) -> None:
        self.tags = (*self.tags, *tags)

    def lift(self, *tags: str) -> None:
        self.tags = tuple(tag for tag in self.tags if tag not in tags)

    def hear(self, data: bytes) -> Iterator[bytes]:
        """Yield what the chip answers, frame by frame, as it arrives."""
        self._awake = self._awake or data[:1] == b"\x55"
        if not self._awake or self.faults.mute:
            return
        self._heard.feed(data)
        while True:
            with suppress(Damaged):
                said = self._heard.next()
                if said is None:
                    return
                for frame in self._do(said):
                    yield self.faults.damaged(frame)

    def _do(self, said: bytes) -> Iterator[bytes]:
        if said == NACK:
            yield self._said
        elif said != ACK and not self.faults.happens(self.faults.unheard):
            yield ACK
            answered = self._answered(said[0], said[1:])
            if answered is not None:
                self._said = ERROR_FRAME if answered == ERROR else answer(answered)
                yield self._said

    def _answered(self, code: int, given: bytes) -> bytes | None:
        match code:
            case Code.SAM:
                self._ready = True
            case _ if not self._ready:
                return ERROR
            case Code.FIRMWARE:
                return bytes([code + 1]) + self._version
            case Code.CONFIGURE:
                self._configure(given)
            case Code.LOOK:
                return self._look(given[0])
            case _:
                return ERROR
        return bytes([code + 1])

    def _configure(self, given: bytes) -> None:
        match given[0]:
            case int(item) if item == FIELD:
                self._field = bool(given[1] & 1)
                self._asked = self._asked if self._field else frozenset()
            case int(item) if item == RETRIES:
                self._patient = given[3] == 0xFF

    def _look(self, most: int) -> bytes | None:
        """Return the list of tags in the field, None if there are none and the chip keeps waiting.

        A tag that was asked last time and has stayed in the field hears a request every second time only.
        """
        heard = [tag for tag in self.tags if self._field and tag not in self._asked and self._sees(tag)]
        seen = heard[: min(most, MOST)]
        self._asked = frozenset(seen)
        if not seen and self._patient:
            return None
        listed = bytes([Code.LOOK + 1, len(seen)])
        for number, tag in enumerate(seen, 1):
            uid = bytes.fromhex(tag)
            listed += bytes([number, 0x00, 0x44, 0x00, len(uid)]) + uid
        return listed

    def _sees(self, tag: str) -> bool:
        return not (self.faults.sees_four and len(tag) > 8) and not self.faults.happens(self.faults.deaf)


class Pn532Wire:
    """The chip at the end of a line without a port, in virtual time: nobody waits for what does not come."""

    def __init__(self, chip: Pn532Chip, clock: VirtualClock) -> None:
        self._chip, self._clock = chip, clock
        self._said = bytearray()
        self.unplugged = False

    def read(self, seconds: float) -> bytes:
        self._there()
        said = bytes(self._said)
        self._said.clear()
        self._clock.sleep(len(said) / BYTES_A_SECOND if said else seconds)
        return said

    def write(self, data: bytes) -> None:
        self._there()
        self._clock.sleep(len(data) / BYTES_A_SECOND)
        for said in self._chip.hear(data):
            self._said += said

    def _there(self) -> None:
        if self.unplugged:
            raise OSError("it has been unplugged")

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class VirtualPn532:
    """The chip on a pseudo terminal, with its own thread. `paced` is at 115200 baud, like a real one."""

    def __init__(self, faults: Pn532Faults | None = None, paced: bool = False) -> None:
        self.chip = Pn532Chip(faults)
        self.moved = 0
        """How many bytes went over the line, either way."""
        self._paced = paced
        self._plug = VirtualPlug()
        self._stopping = False
        self._plug.plug()
        self._thread = Thread(target=self._run, name="virtual PN532", daemon=True)
        self._thread.start()

    @property
    def port(self) -> str:
        """Return the path that a serial library opens. Raises OSError while it is unplugged."""
        if self._plug.port is None:
            raise OSError("it is unplugged")
        return self._plug.port

    def unplug(self) -> None:
        self._plug.unplug()
        self.chip.off()

    def plug(self) -> None:
        """Plug it in, at another port as a rule."""
        self._plug.plug()

    def close(self) -> None:
        self._stopping = True
        self._plug.wake()
        self._thread.join(10)
        self._plug.close()

    def _run(self) -> None:
        while not self._stopping:
            data = self._plug.read()
            if not data:
                self._plug.wait(1.0)
                continue
            self._pass(data)
            for said in self.chip.hear(data):
                self._pass(said)
                self._plug.write(said)

    def _pass(self, data: bytes) -> None:
        self.moved += len(data)
        if self._paced:
            time.sleep(len(data) / BYTES_A_SECOND)
