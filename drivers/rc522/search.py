"""Finding the tags in a field: request, anticollision and selection of ISO/IEC 14443-3, section 6.5."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from drivers.rc522.air import CASCADE_TAG, HALT, LEVELS, MORE, REQA, WHOLE, WUPA, bcc, crc_a, first_part
from drivers.rc522.transceiver import Received, Transceiver

MOST = 12
"""The number of tags looked for in one field."""
CALLS = 3
"""How often a tag that should be there is called.

The first call may go unheard, and the second is lost on a tag that has answered the first and is awake.
"""
PATIENCE = 4
"""The number of garbled answers to give up after."""


class GarbledError(Exception):
    """An answer was missing or wrong in the middle of a search."""


@dataclass(frozen=True, slots=True)
class FoundTags:
    """The tags a search has found; `sure` if nothing was garbled, `several` if answers collided.

    The tags in `at_once` needed no second call.
    """

    tags: frozenset[str]
    sure: bool
    several: bool
    at_once: frozenset[str]


@dataclass(slots=True)
class TagSearch:
    """One search. `known` are tags seen lately; `trust` uses the place of a collision that the chip reports.

    A `thorough` search selects every tag and looks for others behind it. Any other search takes a single answer that
    begins like the one known tag for that tag: the next thorough search finds a new tag that begins the same.
    """

    transceiver: Transceiver
    known: frozenset[str] = frozenset()
    thorough: bool = False
    trust: bool = True
    several: bool = False
    _garbled: int = 0
    _stubborn: int = 0  # how often a halted tag has answered all the same
    _again: bool = False

    def run(self) -> FoundTags:
        """Return all tags in the field. Raises OSError if the bus does."""
        tags: dict[str, bool] = {}  # whether it was heard at once
        call = WUPA
        while len(tags) < MOST and self._calls_answered(call, tags.keys()):
            try:
                tag = self._read_id()
                self._stubborn += tag in tags
                tags.setdefault(tag, not self._again)
            except GarbledError:
                self._garbled += 1
                # from here on bit by bit: the place of the collision may have been misread too
                self.trust = False
                if self._garbled > PATIENCE:
                    break
                continue
            if (not self.several and not self.thorough) or self._stubborn > PATIENCE:
                break
            # a halted tag ignores REQA, so the next call reaches only the tags not yet selected
            self._halt()
            call = REQA
        at_once = frozenset(tag for tag, heard_at_once in tags.items() if heard_at_once)
        return FoundTags(frozenset(tags), self._garbled <= PATIENCE, self.several, at_once)

    def _calls_answered(self, call: int, tags: Set[str]) -> bool:
        """Return whether a tag answers the call, which is repeated where one was missed or garbled.

        Such a tag may still be awake, and answers only the next call.
        """
        for earlier in range(1 if tags >= self.known and not self._garbled else CALLS):
            self._again = earlier > 0
            answer = self.transceiver.exchange(bytes([call]), expect=2, last_bits=7)
            if answer:
                self.several = self.several or answer.collided
                return True
        return False

    def _halt(self) -> None:
        """Halt the selected tag, so that the others can be heard; it gives no answer."""
        self.transceiver.exchange(bytes(HALT) + crc_a(HALT), expect=0)

    def _read_id(self) -> str:
        """Return the whole id of one tag, which is selected unless it is recognised by its beginning."""
        uid = b""
        for level in LEVELS:
            part = self._read_part(level)
            if not uid and self._is_known_tag(part):
                return next(iter(self.known))
            if not self._select(level, part) & MORE:
                return (uid + part).hex().upper()
            # the SAK says that the id goes on, but the part has no cascade tag: one of the two was misread
            if part[0] != CASCADE_TAG:
                break
            uid += part[1:]
        raise GarbledError

    def _is_known_tag(self, part: bytes) -> bool:
        if self.thorough or self.several or len(self.known) != 1:
            return False
        return part == first_part(bytes.fromhex(next(iter(self.known))))

    def _select(self, level: int, part: bytes) -> int:
        """Return the tag's SAK: the tag compares all four bytes with its own before it answers."""
        frame = bytes([level, WHOLE, *part, bcc(part)])
        answer = self.transceiver.exchange(frame + crc_a(frame), expect=3)
        sak = _clean_data(answer)
        if len(sak) != 3 or crc_a(sak[:1]) != sak[1:]:
            raise GarbledError
        return sak[0]

    def _read_part(self, level: int) -> bytes:
        """Return four bytes of one tag's id.

        After a collision the search continues with the tags that have a one there. The place that the chip reports is
        used in the first answer only: for later answers, which begin within a byte, its meaning is not documented.
        There the search goes bit by bit and takes the first bit received, which at least one tag must have sent.
        """
        known = bits = 0
        value, answer = self._transceive_part(level, known, bits)
        while answer.collided:
            self.several = True
            if bits == 0 and self.trust and answer.position:
                bits = answer.position
                known = value & (1 << bits - 1) - 1 | 1 << bits - 1
            else:
                known |= (value & 1) << bits
                bits += 1
            if bits > 32:
                raise GarbledError
            value, answer = self._transceive_part(level, known, bits)
        part = (known | value << bits).to_bytes(9, "little")
        if bcc(part[:4]) != part[4] or any(part[5:]):
            raise GarbledError
        return part[:4]

    def _transceive_part(self, level: int, known: int, bits: int) -> tuple[int, Received]:
        """Ask tags whose part begins with `known` for the rest of it; return the bits, the first lowest."""
        whole, rest = divmod(bits, 8)
        frame = bytes([level, 2 + whole << 4 | rest]) + known.to_bytes(whole + (rest > 0), "little")
        answer = self.transceiver.exchange(frame, expect=5 - whole, last_bits=rest, align=rest)
        if answer is None or answer.garbled or (not answer.collided and len(answer.data) != 5 - whole):
            raise GarbledError
        return int.from_bytes(answer.data, "little") >> rest, answer


def _clean_data(answer: Received | None) -> bytes:
    if answer is None or answer.garbled or answer.collided:
        raise GarbledError
    return answer.data
