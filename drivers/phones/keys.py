"""What lets a phone in: a token for each seat, one for the picture on the screen, and spoken codes of six digits."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from secrets import compare_digest, randbelow, token_urlsafe

BYTES = 16
"""The length of a token."""
LIVES = 120_000
"""How long a code lives, in ms."""
TRIES, TRIES_OF_ALL = 5, 25
"""How often one address may try while a code lives, and how often all of them together."""


def new_token() -> str:
    return token_urlsafe(BYTES)


def digest(token: str) -> str:
    """Return what is kept of a token: nobody can get in with it."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def seat_of(token: str, kept: Mapping[str, str]) -> str:
    """Return the seat that a token is for; "" for none."""
    mine = digest(token)
    return next((seat for seat, theirs in kept.items() if compare_digest(mine, theirs)), "")


class Codes:
    """Codes of six digits, one at a time: each lives for two minutes and lets one phone in. All times in ms."""

    def __init__(self) -> None:
        self._code = ""
        self._until = 0
        self._tries: dict[str, int] = {}  # by address

    def now(self, now: int) -> str:
        """Return the code that lives; a new one where none does."""
        if not self._code or now >= self._until:
            self._code, self._until, self._tries = f"{randbelow(10**6):06}", now + LIVES, {}
        return self._code

    def takes(self, code: object, address: str, now: int) -> bool:
        """Return whether this is the code; it is used up then, and also by too many wrong ones."""
        if not self._code or now >= self._until:
            return False
        tries = self._tries[address] = self._tries.get(address, 0) + 1
        if tries > TRIES:
            return False
        right = isinstance(code, str) and compare_digest(code.encode("utf-8", "replace"), self._code.encode())
        if right or sum(self._tries.values()) >= TRIES_OF_ALL:
            self._code = ""
        return right
