"""Tags without hardware: NTAG213 and Mifare Classic as frames see them (ISO/IEC 14443-3; NTAG21x data sheet, 8.4).

A frame is a number and its count of bits, the first bit on the air being the lowest, without parity.
"""

from dataclasses import dataclass
from enum import Enum, auto

from drivers.rc522.air import CASCADE_TAG, LEVELS, MORE, REQA, WHOLE, WUPA, bcc, crc_a

Frame = tuple[int, int]

READ = 0x30
NAK: Frame = (0x0, 4)


class TagState(Enum):
    """The state of a tag (ISO/IEC 14443-3, 6.3); `READY` holds for every cascade level."""

    OFF = auto()
    IDLE = auto()
    READY = auto()
    ACTIVE = auto()
    HALT = auto()


def frame(data: bytes) -> Frame:
    return int.from_bytes(data, "little"), 8 * len(data)


@dataclass(frozen=True, slots=True)
class TagKind:
    """The common properties of one make of tags: ATQA, last SAK, and memory read in `units` of `unit` bytes."""

    atqa: bytes
    sak: int
    unit: int
    units: int
    version: bytes = b""
    """The answer to GET_VERSION, "" for tags without that command."""
    key: bytes = b""
    """The key to a locked memory."""


NTAG213 = TagKind(b"\x44\x00", 0x00, 4, 45, version=bytes.fromhex("0004040201000F03"))
MIFARE = TagKind(b"\x04\x00", 0x08, 16, 64, key=b"\xff" * 6)
"""A Mifare Classic 1K with its factory key."""


class Tag:
    """One tag: it hears frames and answers, or goes back to sleep on an unexpected one."""

    def __init__(self, uid: str, kind: TagKind) -> None:
        self.uid = bytes.fromhex(uid)
        if len(self.uid) not in (4, 7, 10):
            raise ValueError(f"{uid}: the id of a tag has 4, 7 or 10 bytes")
        self.kind = kind
        self.state = TagState.OFF
        self.awake = 0.0
        """The time from which it can hear, in s of the clock: some time after the field came on."""
        self.weak = 0.0
        """The chance of missing a frame: far from the antenna, or torn."""
        self.opened = False
        self._home = TagState.IDLE
        self._level = 0
        self._parts = [int.from_bytes(part + bytes([bcc(part)]), "little") for part in parts(self.uid)]
        self._memory = _memory(self.uid, kind)

    def power(self, on: bool, awake: float) -> None:
        """Switch the field: on, the tag hears from `awake` on; off, it forgets its state."""
        self.state = TagState.IDLE if on else TagState.OFF
        self.awake = awake
        self.opened = False

    def hear(self, value: int, bits: int) -> Frame | None:
        """Return the answer to a frame; None if there is none."""
        if bits == 7:
            return self._answer_request(value)
        if self.state not in (TagState.READY, TagState.ACTIVE):
            return None
        answer = (self._answer_anticollision if self.state is TagState.READY else self._answer_command)(value, bits)
        if answer is None:
            self.state = self._home
        return answer

    def _answer_request(self, value: int) -> Frame | None:
        hears = {REQA: (TagState.IDLE,), WUPA: (TagState.IDLE, TagState.HALT)}.get(value, ())
        if self.state in hears:
            self._home, self.state, self._level = self.state, TagState.READY, 0
            return frame(self.kind.atqa)
        if self.state in (TagState.READY, TagState.ACTIVE):
            self.state = self._home
        return None

    def _answer_anticollision(self, value: int, bits: int) -> Frame | None:
        if value & 0xFF != LEVELS[self._level]:
            return self._read_early(value, bits)
        part, valid = self._parts[self._level], value >> 8 & 0xFF
        known = 8 * (valid >> 4) + (valid & 7) - 16
        if valid == WHOLE:
            return self._answer_select(value, bits, part)
        if not 0 <= known <= 32 or bits != 16 + known or value >> 16 != part & (1 << known) - 1:
            return None
        return part >> known, 40 - known

    def _answer_select(self, value: int, bits: int, part: int) -> Frame | None:
        if bits != 72 or value >> 16 & (1 << 40) - 1 != part or not _checked_content(value, bits):
            return None
        if self._level + 1 < len(self._parts):
            self._level += 1
            sak = bytes([MORE])
        else:
            self.state = TagState.ACTIVE
            sak = bytes([self.kind.sak])
        return frame(sak + crc_a(sak))

    def _read_early(self, value: int, bits: int) -> Frame | None:
        """Return an NTAG's page 0, which may be read before the selection has ended (NTAG21x data sheet, 8.4.2)."""
        if not self.kind.version or _checked_content(value, bits) != bytes([READ, 0]):
            return None
        self.state = TagState.ACTIVE
        return self._answer_read(0)

    def _answer_command(self, value: int, bits: int) -> Frame | None:
        match list(_checked_content(value, bits)):
            case [0x50, 0x00]:  # HLTA
                self._home = TagState.HALT
            case [0x30, unit]:
                return self._answer_read(unit)
            case [0x60] if self.kind.version:
                return frame(self.kind.version + crc_a(self.kind.version))
        return None

    def _answer_read(self, unit: int) -> Frame | None:
        if self.kind.key and not self.opened:
            return None
        if unit >= self.kind.units:
            return NAK
        start = self.kind.unit * unit
        content = (self._memory + self._memory)[start : start + 16]  # reading wraps around at the end
        return frame(content + crc_a(content))


def _memory(uid: bytes, kind: TagKind) -> bytes:
    """Return a fresh tag's memory: of an NTAG the id with its check bytes, and its capabilities (8.5)."""
    if not kind.version:
        return uid + bytes(kind.unit * kind.units - len(uid))
    first, second = parts(uid)
    head = first[1:] + bytes([bcc(first)]) + second + bytes([bcc(second), 0x48, 0, 0]) + bytes.fromhex("E1101200")
    return head + bytes(kind.unit * kind.units - len(head))


def tag(uid: str) -> Tag:
    """Return the usual tag of an id: an NTAG213 for seven bytes, else a Mifare. Raises ValueError for an invalid id."""
    return Tag(uid, NTAG213 if len(uid) == 14 else MIFARE)


def parts(uid: bytes) -> list[bytes]:
    """Return an id in fours, as the cascade levels ask for it (6.5.4)."""
    cut = [bytes([CASCADE_TAG]) + uid[at : at + 3] for at in range(0, len(uid) - 4, 3)]
    return [*cut, uid[-4:]]


def _checked_content(value: int, bits: int) -> bytes:
    """Return a frame without its check bytes; nothing if they are wrong."""
    data = value.to_bytes((bits + 7) // 8, "little")
    return data[:-2] if bits % 8 == 0 and data[-2:] == crc_a(data[:-2]) else b""
