"""Masked ids for tags, which answer each other as the real ones did.

Two ids that begin with the same bits collide at the bit where they part, and the search follows it. So a masked id
begins like another one for exactly as many bits as the real ones do; apart from that, each of its bits is random.
"""

from __future__ import annotations

import re
import secrets
from hashlib import blake2s

from drivers.rc522.air import CASCADE_TAG

UID = re.compile("(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})")
"""An id as ISO/IEC 14443-3 has them: four, seven or ten bytes."""
PART = 32
"""Bits of an id asked for by a cascade level."""
Node = tuple[bytes, int, int]
"""A place where ids may part: the parts before, how many bits of this one are known, and these bits, first lowest."""


class Ids:
    """The masked ids of one trace: the same id is always masked alike.

    The length stays, and the bytes that tell the kind: the first byte, which names the manufacturer, and cascade tags.
    """

    def __init__(self) -> None:
        self.kept: set[Node] = set()
        """Bits that stay as they are: the driver chose a one there."""
        self.long: set[bytes] = set()
        """The first parts of ids of ten bytes, whose second part begins with a cascade tag too."""
        self._key = secrets.token_bytes(16)
        self._made: dict[str, str] = {}
        self._parts: dict[Node, int] = {}

    def learn(self, tag: str) -> None:
        """Learn an id that is in the trace."""
        if len(tag) == 20 and UID.fullmatch(tag):
            self.long.add(parts(bytes.fromhex(tag))[0])

    def forget(self) -> None:
        """Forget the ids that were masked before all were learned."""
        self._made.clear()
        self._parts.clear()

    def tag(self, tag: str) -> str:
        """Return the masked id for a whole one."""
        if tag not in self._made:
            self._made[tag] = self._mask_uid(bytes.fromhex(tag)) if UID.fullmatch(tag) else self._mask_text(tag)
        return self._made[tag]

    def text(self, text: str) -> str:
        """Return a text with its ids masked, as far as they have been masked before."""
        return re.sub("(?:[0-9A-F]{2})+", lambda found: self._made.get(found[0], found[0]), text)

    def _mask_uid(self, uid: bytes) -> str:
        *cut, last = parts(uid)
        before, made = b"", b""
        for part in cut:
            made += self.part(before, part)[1:]
            before += part
        return (made + self.part(before, last)).hex().upper()

    def part(self, before: bytes, part: bytes) -> bytes:
        """Return four masked bytes of an id, after those `before`."""
        return self.bits(before, int.from_bytes(part, "little"), PART).to_bytes(4, "little")

    def bits(self, before: bytes, value: int, count: int) -> int:
        """Return the first `count` bits of a part, masked; all of the trace must have been learned."""
        node = before, count, value & (1 << count) - 1
        if node not in self._parts:
            self._parts[node] = self._flip_bits(before, value, count)
        return self._parts[node]

    def _flip_bits(self, before: bytes, value: int, count: int) -> int:
        made = value & (1 << count) - 1
        for at in range(count):
            known = value & (1 << at) - 1
            if not self._is_kept(before, at, known) and self._random_bit(before, at, known):
                made ^= 1 << at
        return made

    def _is_kept(self, before: bytes, at: int, known: int) -> bool:
        if at < 8:
            return not before or before in self.long
        if at < 16 and not before and known & 0xFF == CASCADE_TAG:
            return True
        return (before, at, known) in self.kept

    def _random_bit(self, before: bytes, at: int, known: int) -> bool:
        node = b"%b/%d/%d" % (before, at, known)
        return bool(blake2s(node, key=self._key, digest_size=1).digest()[0] & 1)

    def _mask_text(self, tag: str) -> str:
        """Return a mask for text that is no valid id: as long, and with the same first two characters."""
        digest = blake2s(tag.encode(), key=self._key).hexdigest().upper()
        return tag[:2] + (digest * (len(tag) // len(digest) + 1))[: len(tag) - 2]


def parts(uid: bytes) -> list[bytes]:
    """Return an id in fours, as the cascade levels ask for it (6.5.4)."""
    cut = [bytes([CASCADE_TAG]) + uid[at : at + 3] for at in range(0, len(uid) - 4, 3)]
    return [*cut, uid[-4:]]
