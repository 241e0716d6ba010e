"""Sealed frames between this program and a page in a browser: NaCl's box, by libsodium here and by TweetNaCl there.

A page over plain HTTP has no `crypto.subtle`, so it loads TweetNaCl with its scripts (`companion.rules.browser`).

This end keeps one key pair, whose public key the page knows from a QR code or from an earlier visit. The page makes a
pair for each connection and sends its public key first; this end draws a salt for each connection. A nonce is the salt,
the direction and a count. So a frame opens once, in its turn, at the other end of its connection, and nowhere else.

A frame that may be lost, or outlive its connection, is sealed as a letter instead: its nonce is drawn at random and
travels with it. A letter opens as often as it is sent, so its reader must refuse a repeated one by its content.
"""

from __future__ import annotations

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from itertools import count
from secrets import token_bytes

from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey

KEY, SALT = 32, 16
"""The lengths of a key and of a salt."""
TO_PAGE, FROM_PAGE = 0, 1
"""The directions."""
NONCE = 24
SHORTEST, LONGEST = 4096, 1_005_000
"""Bytes in a letter, without its seal: the shortest has 4096, others twice as many, or four times, and so on."""


def encoded(data: bytes) -> str:
    """Return bytes as text that fits into an address."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class KeyPair:
    """The key pair of this end, as text: `secret` is to be kept, and `public` to be shown."""

    def __init__(self, secret: str | None = None) -> None:
        """Take the secret key that was kept, or make one."""
        self._own = PrivateKey(urlsafe_b64decode(secret + "=")) if secret else PrivateKey.generate()
        self.secret = encoded(bytes(self._own))
        self.public = encoded(bytes(self._own.public_key))

    def seal(self, page: bytes, salt: bytes) -> Seal:
        """Return the seal for a page by its public key. Raises ValueError where it is none."""
        return Seal(self._box(page), salt)

    def letters(self, page: bytes) -> Letters:
        """Return the seal of letters for a page by its public key. Raises ValueError where it is none."""
        return Letters(self._box(page))

    def _box(self, page: bytes) -> Box:
        try:
            return Box(self._own, PublicKey(page))
        except CryptoError as error:
            raise ValueError("no public key") from error


class Seal:
    """The seal of one connection, at this end."""

    def __init__(self, box: Box, salt: bytes) -> None:
        self._box, self._out, self._in = box, nonces(salt, TO_PAGE), nonces(salt, FROM_PAGE)

    def seal(self, text: bytes) -> bytes:
        """Return the next frame to the page."""
        return self._box.encrypt(text, next(self._out)).ciphertext

    def open(self, frame: bytes) -> bytes | None:
        """Return what the next frame from the page holds; None where it is not that frame, unaltered."""
        try:
            return self._box.decrypt(frame, next(self._in))
        except CryptoError:
            return None


class Letters:
    """The seal of letters to and from one page, at this end."""

    def __init__(self, box: Box) -> None:
        self._box = box

    def seal(self, text: bytes) -> bytes:
        """Return a letter to the page, padded with spaces: its length tells little. Raises ValueError if too long."""
        if len(text) > LONGEST:
            raise ValueError(f"a letter has at most {LONGEST} bytes")
        length = SHORTEST
        while length < len(text):
            length = min(2 * length, LONGEST)
        nonce = token_bytes(NONCE - 4) + struct.pack(">I", TO_PAGE)
        return bytes(self._box.encrypt(text.ljust(length), nonce))

    def open(self, letter: bytes) -> bytes | None:
        """Return what a letter from the page holds; None where it is none, unaltered."""
        nonce, sealed = letter[:NONCE], letter[NONCE:]
        if len(nonce) < NONCE or nonce[-4:] != struct.pack(">I", FROM_PAGE):  # its own letter, sent back
            return None
        try:
            return self._box.decrypt(sealed, nonce)
        except CryptoError:
            return None


def new_salt() -> bytes:
    return token_bytes(SALT)


def nonces(salt: bytes, way: int) -> Iterator[bytes]:
    """Yield the nonces of one direction, each of them once."""
    return (struct.pack(">16sII", salt, way, number) for number in count())
