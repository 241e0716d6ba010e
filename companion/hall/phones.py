"""Phones with the organiser's page: their orders, the answers and the evening's state, sealed, by the board's port.

They have a separate connection to the broker, because everybody may write to their topic: a flood there waits at
the broker, which drops what is too much, and holds nothing else up.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any

from companion.hall._wire import Topics
from companion.hall.link import Broker, BrokerLink, Post
from companion.hall.page import PHONE_PAGE, code_of
from companion.hall.records import Payload
from companion.hall.sessions import Invitation, Opened, Session, Sessions
from companion.rules.message import Message
from companion.system.sealing import Letters

PACED_S = 0.005
"""How long anything but an order in its turn holds up the connection: 200 of them a second, with any flood."""
AT_ONCE = 20
"""How many letters the broker may send before the first has been taken."""
PACE, CALM_S = 200_000, 1.0
"""The most bytes of states a second, and the least time between two of them."""

Order = Callable[[Payload, Callable[[Payload], object], Callable[[], bool]], bool]
"""Carries out an order unless its sender's session has ended meanwhile; passes on the answer, and returns whether
something may have changed."""


class Phones:
    """The phones' connection.

    `address` is the board's. `put` hands a letter to the thread that owns the store, which passes it to `take`.
    """

    def __init__(
        self,
        topics: Topics,
        broker: Broker,
        path: Path,
        address: str,
        *,
        put: Callable[[Opened], object],
        order: Order,
    ) -> None:
        self.sessions = Sessions(path)
        self._topics, self._address, self._put, self._order = topics, address, put, order
        self._state, self._next_at = b"", 0.0
        self._stopping = Event()
        self._link = BrokerLink(broker, subscribed=[topics.sealed_order], came=self._came, at_once=AT_ONCE)

    def open(self) -> None:
        self._link.open()

    @property
    def connected(self) -> bool:
        return self._link.connected

    def close(self) -> None:
        self._stopping.set()
        self._link.close()

    # -- paho's thread -----------------------------------------------------------------------------------------------

    def _came(self, post: Post) -> None:
        opened = self.sessions.open(b"" if post.retained else post.payload)
        if opened is None or opened.kind != "order":
            self._stopping.wait(PACED_S)
        if opened is not None:
            self._put(opened)

    # -- the store's thread ------------------------------------------------------------------------------------------

    def take(self, opened: Opened) -> bool:
        """Do what a letter asks for, and return whether something may have changed."""
        of, mark = opened.of, opened.message.get("mark")
        if isinstance(of, Invitation):
            session = self.sessions.claim(opened)
            if session is None:
                self._send(of.id, opened.letters, {"mark": mark, "wrong": True})
                return False
            self._greet(session, mark)
            return True
        if of.ended:  # perhaps since the letter was opened
            self._send(of.id, of.letters, {"ended": True})
            return False
        if opened.kind != "order":
            if opened.message.get("want"):
                of.shown = None
            self._greet(of, mark)
            return False
        order = opened.message["order"]
        given = {**order, "who": of.name} if isinstance(order, dict) else {}
        return self._order(
            given, lambda answer: self._say(of, {"mark": mark, "answer": answer}), lambda: self.sessions.over(of)
        )

    def invite(self, name: str) -> Payload:
        """Return the address with the code of a new invitation, and its QR code. Raises ValueError."""
        if not self._address:
            raise ValueError(Message("The hall does not know its address."))
        made = self.sessions.invite(name)
        return {"id": made.id, **code_of(f"{self._address}{PHONE_PAGE}#{made.words(self._topics.hall)}")}

    def end(self, word: str) -> Session:
        """End the session of this name or id, and tell its phone. Raises LookupError."""
        session = self.sessions.end(word)
        self._send(session.id, session.letters, {"ended": True})
        return session

    def others(self, name: str | None) -> Sequence[Session]:
        """Return the sessions of all phones but the one of this name."""
        return [of for of in self.sessions.live if of.name != name]

    def end_others(self, name: str | None) -> None:
        """End the sessions of all phones but the one of this name, and tell them. Raises OSError."""
        for session in self.sessions.end_all(name):
            self._send(session.id, session.letters, {"ended": True})

    def _greet(self, session: Session, mark: object) -> None:
        """Tell a phone with which numbers it continues."""
        self._send(session.id, session.letters, {
            "mark": mark, "epoch": self.sessions.epoch, "said": session.said, "heard": session.heard,
            "name": session.name,
        })  # fmt: skip

    def _say(self, session: Session, message: Mapping[str, Any]) -> None:
        session.said += 1
        numbered = {"epoch": self.sessions.epoch, "n": session.said, **message}
        self._send(session.id, session.letters, numbered)

    def _send(self, to: str, letters: Letters, message: Mapping[str, Any]) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        self._link.publish(self._topics.sealed_answer(to), letters.seal(text), qos=0)

    # -- the state -----------------------------------------------------------------------------------------------

    def show(self, state: bytes) -> None:
        """Have the phones shown this state."""
        self._state = state

    @property
    def waiting(self) -> bool:
        """Return whether a phone that is there has not been sent the newest state."""
        return any(of.here and of.shown is not self._state for of in self.sessions.live)

    def tell(self) -> None:
        """Send the state to those phones, unless others were sent a moment ago."""
        if not self._state or time.monotonic() < self._next_at:
            return
        sent = 0
        for session in self.sessions.live:
            if session.here and session.shown is not self._state and not session.ended:
                session.shown = self._state
                self._say(session, {"state": json.loads(self._state)})
                sent += len(self._state)
        if sent:
            self._next_at = time.monotonic() + max(CALM_S, sent / PACE)
