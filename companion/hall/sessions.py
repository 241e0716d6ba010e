"""The sessions of the organiser's page on phones: each is opened by a one-time code and has its own keys.

A letter is the session's id, the phone's public key, and what is sealed (`companion.system.sealing`). The invitation's
id, the hall's public key and the code are in the QR code and nowhere else. The sessions are kept beside the evening's
store, not in it: no backup has their keys.
"""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hmac import compare_digest
from pathlib import Path
from secrets import token_bytes, token_hex, token_urlsafe
from typing import Any, Literal

from companion.record.transcript import parse
from companion.rules.message import Message
from companion.rules.mistakes import Mistakes
from companion.system import files
from companion.system.sealing import KEY, KeyPair, Letters, encoded

FILE = "hall-phones.json"
"""The file's name, beside the evening's store."""
ID = 8
CODE_S, TRIES = 120.0, 5
"""How long a code is valid, and how many wrong ones end an invitation."""
LASTS = timedelta(hours=24)
"""How long a session is valid."""
MOST = 20
"""The most phones at a time, and the most invitations."""
SEEN_S = 75.0
"""How long a phone that says nothing is taken to be there: its page says hello every thirty seconds."""


@dataclass(eq=False, slots=True)
class Session:
    """A phone's session. The counters start anew with the hall's process."""

    id: str
    name: str
    keys: KeyPair
    page: bytes
    """The phone's public key."""
    letters: Letters
    since: datetime
    ended: bool = False
    heard: int = 0
    """The number of the last order that came."""
    said: int = 0
    """The number of the last message to the phone."""
    seen_at: float | None = None
    shown: bytes | None = None
    """The state that was sent last."""

    @property
    def here(self) -> bool:
        return self.seen_at is not None and time.monotonic() - self.seen_at < SEEN_S


@dataclass(eq=False, slots=True)
class Invitation:
    """A code for one phone, which becomes the session of this id and name."""

    id: str
    name: str
    keys: KeyPair = field(default_factory=KeyPair)
    code: str = field(default_factory=lambda: token_urlsafe(16))
    tries: int = 0
    until: float = field(default_factory=lambda: time.monotonic() + CODE_S)

    def words(self, hall: str) -> str:
        """Return what is added behind the address of the page."""
        return f"invite={hall}.{self.id}.{self.keys.public}.{self.code}"


Kind = Literal["claim", "hello", "order", "stale", "ended"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A letter that was sealed by the phone of a session, or by one that has an invitation's key."""

    kind: Kind
    of: Session | Invitation
    page: bytes
    letters: Letters
    message: Mapping[str, Any]


class Sessions:
    """All sessions and invitations. One thread changes them; one other, always the same, opens letters."""

    def __init__(self, path: Path, now: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> None:
        self._path, self._now = path, now
        self.epoch = token_hex(8)
        """Drawn by each process: an order for an earlier one is repeated, or the phone has not heard of this one."""
        self.refused = 0
        """How many letters were refused: altered, repeated, sent back, or sealed by somebody else."""
        self._all = {of.id: of for of in _kept(path)}
        self._invited: Mapping[str, Invitation] = {}

    # -- the thread that opens letters -----------------------------------------------------------------------------

    def open(self, letter: bytes) -> Opened | None:
        """Return what a letter holds, None for one that is refused."""
        opened = self._opened(letter)
        if opened is None or opened.kind in ("stale", "ended"):
            self.refused += 1
        return opened

    def _opened(self, letter: bytes) -> Opened | None:
        name, page, sealed = letter[:ID].hex(), letter[ID : ID + KEY], letter[ID + KEY :]
        of = self._all.get(name) or self._invited.get(name)
        if of is None or (isinstance(of, Session) and page != of.page):
            return None
        try:
            letters = of.letters if isinstance(of, Session) else of.keys.letters(page)
        except ValueError:
            return None
        message = _read(letters.open(sealed))
        if message is None:
            return None
        if isinstance(of, Session):
            return Opened(self._kind(of, message), of, page, letters, message)
        return Opened("claim", of, page, letters, message) if "code" in message else None

    def _kind(self, session: Session, message: Mapping[str, Any]) -> Kind:
        if self.over(session):
            session.ended = True
            return "ended"
        session.seen_at = time.monotonic()
        if "order" not in message:
            return "hello"
        number = message.get("n")
        if message.get("epoch") != self.epoch or type(number) is not int or not session.heard < number < 2**53:
            return "stale"
        session.heard = number
        return "order"

    # -- the thread that changes them ------------------------------------------------------------------------------

    @property
    def live(self) -> Sequence[Session]:
        return [of for of in self._all.values() if not self.over(of)]

    def over(self, session: Session) -> bool:
        """Return whether a session has been ended, or its day is over."""
        return session.ended or not -LASTS < self._now() - session.since < LASTS

    @property
    def listed(self) -> Sequence[Mapping[str, Any]]:
        """Return the sessions as the state of the evening has them."""
        return [{"id": of.id, "name": of.name, "since": of.since.isoformat(timespec="seconds"), "here": of.here}
                for of in self.live]  # fmt: skip

    def invite(self, name: str) -> Invitation:
        """Return a new invitation, in place of an earlier one of this name. Raises ValueError."""
        if any(of.name.casefold() == name.casefold() for of in self.live):
            raise ValueError(Message("{name} is already connected. Disconnect it first, or choose another name.",
                                     name=name))  # fmt: skip
        others = {of.id: of for of in self._open_invitations() if of.name.casefold() != name.casefold()}
        if len(self.live) + len(others) >= MOST:
            raise ValueError(Message("At most {most} phones can be connected.", most=MOST))
        made = Invitation(token_bytes(ID).hex(), name)
        self._invited = {**others, made.id: made}
        return made

    def _open_invitations(self) -> Sequence[Invitation]:
        return [of for of in self._invited.values() if time.monotonic() < of.until and of.tries < TRIES]

    def claim(self, claimed: Opened) -> Session | None:
        """Return the session that an invitation becomes, None where it is no longer valid or its code is wrong."""
        invitation = claimed.of
        if not isinstance(invitation, Invitation) or invitation not in self._open_invitations():
            self.refused += 1
            return None
        if not compare_digest(str(claimed.message["code"]).encode(), invitation.code.encode()):
            invitation.tries += 1
            self.refused += 1
            return None
        session = Session(invitation.id, invitation.name, invitation.keys, claimed.page, claimed.letters, self._now())
        session.seen_at = time.monotonic()
        self._keep({**self._all, session.id: session})
        self._invited = {of.id: of for of in self._open_invitations() if of is not invitation}
        return session

    def end(self, word: str) -> Session:
        """End the session of this name or id, and return it. Raises LookupError."""
        found = [of for of in self.live if word in (of.id, of.name) or of.name.casefold() == word.casefold()]
        if not found:
            raise LookupError(Message("No phone is connected as {name}.", name=word))
        found[0].ended = True
        self._keep(self._all)
        return found[0]

    def end_all(self, but: str | None) -> Sequence[Session]:
        """End all sessions but the one of this name, and all invitations; return those that have ended."""
        found = [of for of in self.live if of.name != but]
        for session in found:
            session.ended = True
        self._invited = {}
        self._keep({of.id: of for of in self._all.values() if of in found or not self.over(of)})
        return found

    def _keep(self, sessions: dict[str, Session]) -> None:
        """Write them down, those that have ended too: their phones are told so. Raises OSError."""
        kept = [
            {"id": of.id, "name": of.name, "secret": of.keys.secret, "page": encoded(of.page), "ended": of.ended,
             "since": of.since.isoformat()}
            for of in sessions.values()
        ]  # fmt: skip
        files.written(self._path, json.dumps(kept))
        self._all = sessions


def forget(folder: Path) -> None:
    """End all sessions without a word: a new evening begins. Raises OSError."""
    (folder / FILE).unlink(missing_ok=True)


def _kept(path: Path) -> list[Session]:
    """Return the sessions in a file; [] where it is missing or not what was written."""
    found = []
    with suppress(OSError, ValueError, KeyError, TypeError):
        for of in json.loads(path.read_bytes()):
            keys, page = KeyPair(of["secret"]), urlsafe_b64decode(of["page"] + "=")
            since = datetime.fromisoformat(of["since"])
            found.append(Session(of["id"], of["name"], keys, page, keys.letters(page), since, of["ended"]))
    return found


def _read(text: bytes | None) -> Mapping[str, Any] | None:
    """Return the object in a letter, None where there is none."""
    try:
        return None if text is None else parse(text.rstrip(b" "))
    except Mistakes:
        return None
