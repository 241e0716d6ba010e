"""The field of an antenna: the tags in it, the frames they hear, and the signal their answers form together."""

from dataclasses import dataclass

from drivers.rc522.settings import OWN
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults
from drivers.virtual.tags import Frame, Tag, TagState, tag

STARTUP = 0.0049
"""Seconds a tag takes to hear after the field has come on; the standard allows it 5 ms (ISO/IEC 14443-3, 5)."""


@dataclass(frozen=True, slots=True)
class Signal:
    """The signal at the antenna: bits, the place of the first collision from 1, and whether it broke off."""

    value: int
    bits: int
    collision: int | None = None
    cut: bool = False


class RadioField:
    """The field of one antenna. Tags are laid and lifted from any one thread; the chip's thread does the rest."""

    def __init__(self, clock: VirtualClock, faults: Faults) -> None:
        self.tags: tuple[Tag, ...] = ()
        self.on = False
        self.gain = OWN
        """The gain of the receiver, in dB."""
        self._clock = clock
        self._faults = faults
        self._answers: list[tuple[Tag, Frame]] = []

    def lay(self, uid: str) -> None:
        """Lay a new tag into the field; a tag that lies there already stays. Raises ValueError for an invalid id."""
        new = tag(uid)
        if all(here.uid != new.uid for here in self.tags):
            self.put(new)

    def put(self, new: Tag) -> None:
        """Lay a tag of any kind into the field."""
        new.power(self.on, self._clock.now + STARTUP)
        self.tags = (*self.tags, new)

    def lift(self, uid: str) -> None:
        self.tags = tuple(here for here in self.tags if here.uid != bytes.fromhex(uid))

    def switch(self, on: bool) -> None:
        """Switch the antenna's current on or off, and the tags with it."""
        if on != self.on:
            self.on = on
            for here in self.tags:
                here.power(on, self._clock.now + STARTUP)

    @property
    def longest(self) -> int:
        return max(bits for _, (_, bits) in self._answers)

    def ask(self, value: int, bits: int) -> bool:
        """Let every tag hear a frame; return whether the reader will hear an answer."""
        self._answers = []
        if not self.on:
            return False
        now, faults = self._clock.now, self._faults
        for here in self.tags:
            if now < here.awake or faults.happens(max(faults.deaf, here.weak)):
                continue
            answer = here.hear(value, bits)
            if answer and not faults.happens(faults.missed(self.gain)):
                self._answers.append((here, answer))
        if faults.capture:
            del self._answers[:-1]
        return bool(self._answers)

    def answer(self, keep: bool) -> Signal:
        """Return the signal heard when the answers end; `keep` also the bits after a collision."""
        cut = any(here not in self.tags or here.state is TagState.OFF for here, _ in self._answers)
        frames = [frame for _, frame in self._answers]
        if cut:
            value, bits = frames[0]
            return Signal(value & (1 << bits // 2) - 1, bits // 2, cut=True)
        value, bits = _superposed(frames)
        difference = _first_difference(frames)
        if difference is None:
            return Signal(self._with_bit_errors(value, bits), bits)
        if not keep:
            value &= (2 << difference) - 1
        return Signal(value, bits, difference + 1)

    def _with_bit_errors(self, value: int, bits: int) -> int:
        if not self._faults.happens(self._faults.flip):
            return value
        chance = self._faults.chance
        change = chance.randrange(1, 256) << 8 * chance.randrange((bits + 7) // 8)
        return (value ^ change) & (1 << bits) - 1

    def opens(self, key: bytes) -> bool:
        """Return whether a selected tag accepts a key."""
        for here in self.tags:
            here.opened = here.opened or (here.state is TagState.ACTIVE and key == here.kind.key)
        return self.ciphered

    @property
    def ciphered(self) -> bool:
        return any(here.opened for here in self.tags)


def _superposed(frames: list[Frame]) -> Frame:
    """Return the frames as one signal: bits that differ are heard as ones, as both halves of the bit carry (8.2.1)."""
    value = 0
    for bits, _ in frames:
        value |= bits
    return value, max(bits for _, bits in frames)


def _first_difference(frames: list[Frame]) -> int | None:
    """Return the first bit on which two answers differ, from 0; None if all agree."""
    (first, length), *others = frames
    places = []
    for value, bits in others:
        if value != first:
            places.append(((value ^ first) & -(value ^ first)).bit_length() - 1)
        if bits != length:
            places.append(min(bits, length))
    return min(places, default=None)
