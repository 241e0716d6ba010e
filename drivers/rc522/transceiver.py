"""Frames to tags and back: the chip's Transceive command, ended by its timer and never by counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.hardware.tap import Tap, silent

COMMAND, COM_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL, CONTROL = 0x01, 0x04, 0x06, 0x09, 0x0A, 0x0C
BIT_FRAMING, COLL = 0x0D, 0x0E
IDLE, TRANSCEIVE = 0x00, 0x0C
START_SEND, FLUSH, EVERY_IRQ = 0x80, 0x80, 0x7F
SENT, RECEIVED, TIMED_OUT = 0x40, 0x20, 0x01
COLLISION, PARITY, BROKEN = 0x08, 0x02, 0x11
NO_POSITION = 0x20
FIFO_SIZE = 64

LONGEST = 0.005
"""Seconds an exchange may take: the longest frame here is 0.8 ms, the timer 1 ms. Only a chip that has lost its
timer's setting, or a dead bus, takes longer."""


class Clock(Protocol):
    """Time as the module `time` has it, in s."""

    def monotonic(self) -> float: ...

    def sleep(self, seconds: float, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Received:
    """The answer to a frame. `position` is the first collision's, from 1, if the chip knows it.

    Bits from that position on are unreliable.
    """

    data: bytes
    collided: bool
    garbled: bool
    position: int | None


class Transceiver:
    """The registers of one chip, read and written through the package's class; `tap` takes each exchange."""

    def __init__(self, chip: Any, clock: Clock, tap: Tap = silent) -> None:
        self._clock = clock
        self._tap = tap
        self.write = chip.Write_MFRC522
        self.read = chip.Read_MFRC522
        self._transfer = chip.spi.xfer2

    def read_all(self, registers: Sequence[int]) -> list[int]:
        """Read several registers in one transfer: each address is answered while the next is sent (8.1.2.1)."""
        values: list[int] = self._transfer([0x80 | register << 1 for register in registers] + [0])
        return values[1:]

    def exchange(self, frame: bytes, expect: int, last_bits: int = 0, align: int = 0) -> Received | None:
        """Send a frame and return the answer, None for silence. Raises OSError if the bus does.

        Only `last_bits` of the frame's last byte are sent, 0 for all; the answer's first bit is placed at bit `align`
        of its first byte. The first `expect` bytes are read without an extra transfer.
        """
        framing = align << 4 | last_bits
        # idle first: a Transceive still running would take the new bytes into its old frame
        self.write(COMMAND, IDLE)
        # bit 7 is 0, so the marked interrupts are cleared and not set (9.3.1.5)
        self.write(COM_IRQ, EVERY_IRQ)
        self.write(FIFO_LEVEL, FLUSH)
        self._transfer([FIFO_DATA << 1, *frame])  # all into the one register (8.1.2.2)
        self.write(COMMAND, TRANSCEIVE)
        self.write(BIT_FRAMING, START_SEND | framing)
        irq = self._wait_for_irq(framing)
        if irq & RECEIVED:
            return self._read_answer(expect, frame, framing)
        self._tap(exchange=frame, framing=framing, irq=irq)
        return None

    def _wait_for_irq(self, framing: int) -> int:
        """Return the interrupts that ended the exchange; StartSend is cleared while the answer is on its way."""
        latest = self._clock.monotonic() + LONGEST
        sending = True
        while True:
            # the time is read before the interrupts: a thread that was held up still sees an answer that is there
            late = self._clock.monotonic() > latest
            irq: int = self.read(COM_IRQ)
            if late or irq & (RECEIVED | TIMED_OUT):
                break
            if sending and irq & SENT:
                self.write(BIT_FRAMING, framing)
                sending = False
        # StartSend stays set until it is cleared (9.3.1.14), and would send the next frame half written
        if sending:
            self.write(BIT_FRAMING, framing)
        return irq

    def _read_answer(self, expect: int, frame: bytes, framing: int) -> Received:
        error, level, control, coll, *data = self.read_all(
            (ERROR, FIFO_LEVEL, CONTROL, COLL, *[FIFO_DATA] * expect),
        )
        # a dead bus reads 0xFF, and 255 bytes would be fetched
        level = min(level, FIFO_SIZE)
        if level > expect:
            data += self.read_all([FIFO_DATA] * (level - expect))
        self._tap(
            exchange=frame, framing=framing, answer=bytes(data[:level]), error=error, control=control, collision=coll
        )
        collided = bool(error & COLLISION)
        # where tags answer with different bits, neither the parity nor the count of bits need fit
        garbled = bool(error & BROKEN or (not collided and (error & PARITY or control & 7)))
        position = None if coll & NO_POSITION else coll & 0x1F or 32
        return Received(bytes(data[:level]), collided, garbled, position)
