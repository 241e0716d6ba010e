"""An MFRC522 without hardware, register by register (MFRC522 data sheet, sections 8 to 10)."""

from collections.abc import Callable, Sequence
from math import inf

from drivers.rc522.air import crc_a
from drivers.rc522.settings import GAINS, OWN, RF_CFG
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults
from drivers.virtual.field import RadioField
from drivers.virtual.tags import Frame

COMMAND, COM_IRQ, DIV_IRQ, ERROR, STATUS2 = 0x01, 0x04, 0x05, 0x06, 0x08
FIFO_DATA, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E
TX_CONTROL, CRC_HIGH, CRC_LOW, T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L = 0x14, 0x21, 0x22, 0x2A, 0x2B, 0x2C, 0x2D
VERSION = 0x37

IDLE, CALC_CRC, TRANSCEIVE, AUTHENT, SOFT_RESET = 0x0, 0x3, 0xC, 0xE, 0xF
TX_IRQ, RX_IRQ, IDLE_IRQ, ERR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x02, 0x01
COLLISION, OVERFLOW, PARITY, PROTOCOL = 0x08, 0x10, 0x02, 0x01
CRYPTO, SET, START_SEND, FLUSH, NOT_VALID = 0x08, 0x80, 0x80, 0x80, 0x20

AFTER_RESET = {
    0x01: 0x20, 0x02: 0x80, 0x04: 0x14, 0x07: 0x21, 0x0B: 0x08, 0x0C: 0x10, 0x0E: 0xA0, 0x11: 0x3F, 0x14: 0x80,
    0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1F: 0xEB, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88,
    0x28: 0x20, 0x29: 0x20,
}  # fmt: skip
"""Registers that are not 0 after a reset (section 9.3)."""

CARRIER = 13.56e6
BIT = 128 / CARRIER
DELAY = 1236 / CARRIER
"""From the end of a frame to the tag's answer, in s (ISO/IEC 14443-3, 6.2.1.1)."""
NOTICED = 5 * BIT
"""This much of an answer stops the timer (MFRC522 data sheet, 8.5)."""
FIFO_SIZE = 64
OVERHEAD = 34e-6
"""The time a transfer costs besides its bits, in s: 50 µs for two bytes at 1 MHz, an estimate for a Pi."""


def air(bits: int) -> float:
    """Return how long a frame of that many bits takes, in s, with a parity bit for each byte, its start and its end."""
    return BIT * (bits + bits // 8 + 2)


class Chip:
    """One chip and its field.

    Time passes with each transfer; `transfers` counts them, `trace` records them if it is a list.
    """

    def __init__(self, clock: VirtualClock, faults: Faults | None = None, overhead: float = OVERHEAD) -> None:
        self.clock = clock
        self.faults = faults or Faults()
        self.field = RadioField(clock, self.faults)
        self.overhead = overhead
        self.transfers = 0
        self.trace: list[bytes] | None = None
        self._writes: dict[int, Callable[[int], None]] = {
            COMMAND: self._command,
            COM_IRQ: self._clear_irq,
            FIFO_DATA: self._push,
            FIFO_LEVEL: self._flush,
            BIT_FRAMING: self._framing,
            TX_CONTROL: self._antenna,
            RF_CFG: self._amplify,
        }
        self.reset()

    @property
    def holds(self) -> str:
        """Return how the chip's board keeps driving the bus's MISO."""
        return self.faults.holds

    # -- the bus ----------------------------------------------------------------------------------------------

    def transfer(self, sent: Sequence[int], speed: float = 1e6) -> list[int]:
        """Make one SPI transfer of whole bytes with its chip select (8.1.2); return the bytes read meanwhile."""
        self.transfers += 1
        if self.trace is not None:
            self.trace.append(bytes(sent))
        self.clock.sleep(self.overhead + 8 * len(sent) / speed)
        if self.faults.dead is not None:
            return [self.faults.dead] * len(sent)
        if self.clock.now < self._started:
            return [0] * len(sent)
        if self.clock.now >= self._next:
            self._pass_time()
        first = sent[0]
        if first & 0x80 and len(sent) == 2:  # the shortcut for waits, which consist of these
            return [0, self._read(first >> 1 & 0x3F)]
        if first & 0x80:
            return [0, *(self._read(address >> 1 & 0x3F) for address in sent[:-1])]
        for value in sent[1:]:
            self._write(first >> 1 & 0x3F, value)
        return [0] * len(sent)

    def _read(self, register: int) -> int:
        if register == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        if register == VERSION:
            return self.faults.version
        return self._registers[register]

    def _write(self, register: int, value: int) -> None:
        if self.faults.stuck:
            return
        special = self._writes.get(register)
        if special:
            special(value)
        elif register == DIV_IRQ:
            self._registers[DIV_IRQ] &= ~value
        elif register not in (ERROR, CONTROL, CRC_HIGH, CRC_LOW, VERSION):
            if register == STATUS2:
                value &= self._registers[STATUS2] | ~CRYPTO  # software can only clear the bit
                self.faults.crypto = self.faults.crypto and bool(value & CRYPTO)
            self._registers[register] = value

    def reset(self) -> None:
        """Reset all registers, as a soft reset or a dip of the supply does: the antenna goes off (9.3)."""
        self._registers = [AFTER_RESET.get(register, 0) for register in range(64)]
        self._fifo: list[int] = []
        self.field.gain = OWN
        self._started = self.clock.now + self.faults.start
        self._cancel()
        self.field.switch(False)

    def restart(self) -> None:
        """Restart the chip after its reset line was low (8.8.1)."""
        if self.faults.stuck:
            self.faults.stuck, self.faults.dead = False, None
        self.reset()

    def _push(self, value: int) -> None:
        if len(self._fifo) < FIFO_SIZE:
            self._fifo.append(value)
        else:
            self._registers[ERROR] |= OVERFLOW

    def _flush(self, value: int) -> None:
        if value & FLUSH:
            self._fifo.clear()
            self._registers[ERROR] &= ~OVERFLOW

    def _clear_irq(self, value: int) -> None:
        irq = self._registers[COM_IRQ]
        self._registers[COM_IRQ] = irq | value & 0x7F if value & SET else irq & ~value

    def _antenna(self, value: int) -> None:
        self._registers[TX_CONTROL] = value
        self.field.switch(value & 3 == 3)

    def _amplify(self, value: int) -> None:
        self._registers[RF_CFG] = value
        self.field.gain = next((gain for gain, bits in GAINS.items() if bits == value & 0x70), OWN)

    # -- commands ---------------------------------------------------------------------------------------------

    def _command(self, value: int) -> None:
        command = value & 0xF
        self._registers[COMMAND] = value & 0x3F
        self._cancel()
        if command == SOFT_RESET:
            self.reset()
        elif command == CALC_CRC:
            self._checksum()
        elif command == AUTHENT:
            self._authenticate()
        elif command == TRANSCEIVE and self._registers[BIT_FRAMING] & START_SEND:
            self._send()

    def _cancel(self) -> None:
        self._sent = self._heard = self._timed_out = self._next = inf
        self._frame: Frame = (0, 0)

    def _checksum(self) -> None:
        crc = crc_a(self._fifo)
        self._fifo.clear()
        self._registers[CRC_LOW], self._registers[CRC_HIGH] = crc
        self._registers[DIV_IRQ] |= 0x04

    def _authenticate(self) -> None:
        key, self._fifo[:] = bytes(self._fifo[2:8]), ()
        if self.field.opens(key):
            self._registers[STATUS2] |= CRYPTO
            self._registers[COM_IRQ] |= IDLE_IRQ
            self._registers[COMMAND] &= 0x30
        else:
            self._start_timer(self.clock.now + air(96))

    def _framing(self, value: int) -> None:
        self._registers[BIT_FRAMING] = value
        if value & START_SEND and self._registers[COMMAND] & 0xF == TRANSCEIVE:
            self._send()

    def _send(self) -> None:
        if self.faults.happens(self.faults.reset):
            self.reset()
            return
        last = self._registers[BIT_FRAMING] & 7
        bits = 8 * len(self._fifo) - (8 - last if last else 0)
        self._frame = int.from_bytes(bytes(self._fifo), "little") & (1 << max(bits, 0)) - 1, bits
        self._fifo.clear()
        self._registers[ERROR] = 0
        self._registers[COLL] |= NOT_VALID
        self._sent = self._next = self.clock.now + air(bits)

    def _start_timer(self, begin: float) -> None:
        if self._registers[T_MODE] & 0x80:
            prescaler = (self._registers[T_MODE] & 0xF) << 8 | self._registers[T_PRESCALER]
            reload = self._registers[T_RELOAD_H] << 8 | self._registers[T_RELOAD_L]
            self._timed_out = begin + (2 * prescaler + 1) * (reload + 1) / CARRIER
        self._next = min(self._timed_out, self._heard)

    # -- what happens by itself -------------------------------------------------------------------------------

    def _pass_time(self) -> None:
        now = self.clock.now
        if now >= self._sent:
            self._end_sending()
        if now >= self._timed_out:
            self._registers[COM_IRQ] |= TIMER_IRQ
            self._timed_out = inf
        if now >= self._heard:
            self._show_answer()
        self._next = min(self._sent, self._timed_out, self._heard)

    def _end_sending(self) -> None:
        end, self._sent = self._sent, inf
        self._registers[COM_IRQ] |= TX_IRQ
        enciphered = self.faults.crypto and not self.field.ciphered
        answering = False if enciphered else self.field.ask(*self._frame)
        begin = end + DELAY + self.faults.slow
        if answering:
            self._heard = begin + air(self.field.longest)
        self._start_timer(end)
        if answering and begin + NOTICED < self._timed_out:
            self._timed_out = inf

    def _show_answer(self) -> None:
        """Show that the answer is complete, in FIFO, framing, collision and interrupts (9.3.1.5 to 9.3.1.15)."""
        self._heard = inf
        registers, framing = self._registers, self._registers[BIT_FRAMING]
        align = framing >> 4 & 7
        answer = self.field.answer(keep=bool(registers[COLL] & 0x80))
        bits = answer.bits + align
        self._fifo = list((answer.value << align).to_bytes((bits + 7) // 8, "little"))
        registers[CONTROL] = registers[CONTROL] & ~7 | bits % 8
        registers[COM_IRQ] |= RX_IRQ
        if answer.cut:
            registers[ERROR] |= PROTOCOL
        if answer.collision is not None:
            registers[ERROR] |= COLLISION | (PARITY if self.faults.parity else 0)
            place = answer.collision + self._align_offset(align) + self.faults.lying
            registers[COLL] = registers[COLL] & 0x80 | (place & 0x1F if place <= 32 else NOT_VALID)
        if registers[ERROR]:
            registers[COM_IRQ] |= ERR_IRQ

    def _align_offset(self, align: int) -> int:
        """Return what this chip adds to a place in the answer's own bits."""
        if self.faults.position == "frame":
            return 0
        if self.faults.position == "aligned":
            return align
        return max(self._frame[1] - 16, 0) if self._frame[1] > 8 else 0
