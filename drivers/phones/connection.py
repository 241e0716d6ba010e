"""One connection to the port: a file of the page, or the WebSocket of a phone. All of it runs on the port's thread."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from companion.rules import N_
from companion.rules.words import LANGUAGES, catalogue
from companion.system.sealing import KEY, KeyPair, Seal, encoded, new_salt
from drivers.clock import DeviceClock
from drivers.phones.wire import LONGEST, MESSAGES, STRANGER, Allowance, S, frame, read

AT_ONCE = 4_096
"""The bytes read at a time."""
UNREAD = 1 << 20
"""A phone that leaves more bytes unread than this is hung up on."""
OPENING, CLOSING = 10 * S, 2 * S
"""How long a request and its file may take, and the end of a connection."""
JOINING, BETWEEN = 20, S // 20
"""So many pings are answered on joining, and the least time between two of them."""
PING, PING_HELD = 5 * S, S
"""The time between two pings, and while a fist is closed: its clock is fresher, and its loss noticed sooner."""
SILENT, LOST = 3 * S, 20 * S
"""How long a ping may be unanswered before the phone sleeps, and before its connection is closed."""
FLOODED = S // 4
"""A phone that sends too much is not read for so long."""
LATEST = 10**12
"""A phone's time must be less, in ms: far beyond any, and exact as a float."""
VERSION = 1
"""The version of what follows (docs/phones.md): a page of another one loads itself again."""
OLD_PAGE = N_("This page is from an earlier version of the program: load it again.")
PLAIN, BROKEN = "only sealed frames are read", "a frame does not open: altered, repeated, or for another connection"
"""The reasons for hanging up."""

Serve = Callable[[ServerProtocol, Request, socket.socket], Response]


class Connection:
    """A connection by its `number`; `seat` is "" until its phone has one. `serve` answers its request.

    Its frames are sealed with the table's `keys` and with keys that the page makes for this connection alone.
    """

    def __init__(
        self, number: int, sock: socket.socket, address: str, serve: Serve, now: int, *, keys: KeyPair
    ) -> None:
        self.number, self.socket, self.address = number, sock, address
        self.seat = ""
        self.announced = False
        """Whether the main thread has heard of it."""
        self.hidden = False
        """Whether nobody looks at its page, as the page itself says."""
        self.over = False
        """Whether it can be forgotten."""
        self.deaf_until = 0
        """The time until which it is not read."""
        self._serve = serve
        self._protocol = ServerProtocol(max_size=LONGEST)
        self._keys, self._salt = keys, new_salt()
        self._seal: Seal | None = None  # made with the page's key
        self._refused = False
        self._plain = False  # the message that is being read
        self._unsent = bytearray()
        self._ends = False  # after the last byte is sent
        self._ends_at: int | None = now + OPENING
        self._heard = now
        self._allowance = Allowance(MESSAGES, MESSAGES, now)
        self._parts: list[bytes] = []  # of a message in several frames
        self._clock = DeviceClock()
        self._pings: dict[int, None] = {}  # when those without an answer were sent, the oldest first
        self._answers = 0
        self._next_ping = now
        self._earliest = now  # no fist can have moved before

    @property
    def open(self) -> bool:
        """Return whether it is an open WebSocket."""
        return self._protocol.state is OPEN

    @property
    def waits(self) -> bool:
        """Return whether bytes wait to be sent."""
        return bool(self._unsent)

    # -- in ------------------------------------------------------------------------------------------------------

    def receive(self, now: int) -> list[Mapping[str, Any]]:
        """Read what has come; return the messages in it, without the answers to pings."""
        try:
            data = self.socket.recv(AT_ONCE)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.over = True
            return []
        self._heard = now
        self._protocol.receive_data(data)
        messages = []
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._protocol.send_response(self._serve(self._protocol, event, self.socket))
                self._introduce()
            elif isinstance(event, Frame) and not self._refused and (message := self._read(event, now)):
                messages.append(message)
        self._send()
        return messages

    def _read(self, of: Frame, now: int) -> Mapping[str, Any] | None:
        """Return the message that ends with this frame; None for one too many, and for anything else."""
        message = None
        if of.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            if of.opcode is not Opcode.CONT:
                self._plain = of.opcode is Opcode.TEXT
            self._parts.append(bytes(of.data))
            if of.fin:
                data, self._parts = b"".join(self._parts), []
                if self._plain:
                    self._answer_plain(data)
                else:
                    message = self._open(data)
        if message and "clock" in message:
            if self._took_answer(message["clock"], now):
                return None  # each answer has been asked for
            message = None
        if self._allowance.take(now, 1 if self.seat else STRANGER):
            return message
        self.deaf_until = now + FLOODED
        return None

    # -- the seal ------------------------------------------------------------------------------------------------

    def _introduce(self) -> None:
        """Send the table's key and the salt of this connection."""
        if self.open:
            greeting = {"version": VERSION, "key": self._keys.public, "salt": encoded(self._salt)}
            self._protocol.send_text(json.dumps(greeting).encode())

    def _open(self, data: bytes) -> Mapping[str, Any] | None:
        """Return the message in a sealed frame, of which the first one begins with the page's key."""
        try:
            if self._seal is None:
                self._seal, data = self._keys.seal(data[:KEY], self._salt), data[KEY:]
            text = self._seal.open(data)
        except ValueError:
            text = None
        if text is None:
            self._refuse(BROKEN)
            return None
        return read(text)

    def _answer_plain(self, data: bytes) -> None:
        """Tell a page from before frames were sealed to load itself again; hang up on anything else."""
        message = read(data)
        if self._seal or not message or "hello" not in message:
            self._refuse(PLAIN)
            return
        lang = message.get("lang")
        said = catalogue(lang if isinstance(lang, str) and lang in LANGUAGES else "en")
        if self.open:
            self._protocol.send_text(frame({"gone": said(OLD_PAGE)}))

    def _refuse(self, why: str) -> None:
        self._refused = True
        self.hang_up(CloseCode.POLICY_VIOLATION, why)

    # -- the clock -----------------------------------------------------------------------------------------------

    def _took_answer(self, answer: Any, now: int) -> bool:
        """Note the answer to a ping, and return True; False where it is none. Each counts once."""
        match answer:
            case [int(sent), int() | float() as t] if sent in self._pings and 0 <= t < LATEST:
                del self._pings[sent]
                self._clock.answered(sent, now, round(1000 * t))
                self._answers += 1
                # messages come in order: what the phone says from now on happened after this ping was sent
                self._earliest = max(self._earliest, sent)
                return True
        return False

    def stamp(self, t: Any, now: int) -> tuple[int, int | None]:
        """Return the table's time in µs when the phone's was `t` ms, and how far off that may be, None for unknown."""
        unsure = self._clock.uncertainty(now)
        if unsure is None or type(t) not in (int, float) or not 0 <= t < LATEST:
            stamp, unsure = now, None
        else:
            stamp = min(now, max(self._earliest, self._clock.host(round(1000 * t), now)))
        self._earliest = max(self._earliest, stamp)
        return stamp, unsure

    def tick(self, now: int, held: bool) -> int:
        """Do what is due now, and return when something else will be. `held`: the fist is closed."""
        if not self.open:
            self._ends_at = self._ends_at or now + CLOSING
            self.over = self.over or now >= self._ends_at
            return self._ends_at
        self._ends_at = None
        self.over = self.over or now - self._heard > LOST
        if not self._seal:
            return self.deaf_until if self.deaf_until > now else self._heard + LOST + 1
        every = PING_HELD if held else PING
        if self._answers < JOINING:
            every = BETWEEN
        self._next_ping = min(self._next_ping, now + every)
        if now >= self._next_ping:
            self._next_ping = now + every
            # on joining one at a time, as each is to tell the way there and back alone
            if not self._pings or (self._answers >= JOINING and len(self._pings) < JOINING):
                self._pings[now] = None
                self.send(frame({"clock": now}))
        return min(self._next_ping, self.deaf_until if self.deaf_until > now else self._next_ping)

    def is_silent(self, now: int) -> bool:
        """Return whether it has left a ping unanswered for long."""
        return bool(self._pings) and now - next(iter(self._pings)) > SILENT and now - self._heard > SILENT

    # -- out -----------------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Seal and queue a frame, if the WebSocket is open and its page has sent its key."""
        if self.open and self._seal:
            self._protocol.send_binary(self._seal.seal(data))
            self._send()

    def hang_up(self, code: int, why: str = "") -> None:
        """End it once everything is sent."""
        with suppress(InvalidState):
            self._protocol.send_close(code, why)
            self._send()

    def _send(self) -> None:
        """Queue what the protocol has to say."""
        for data in self._protocol.data_to_send():
            self._unsent += data
            self._ends = self._ends or not data
        self.flush()

    def flush(self) -> None:
        """Send as much as the socket takes."""
        try:
            while self._unsent:
                del self._unsent[: self.socket.send(self._unsent)]
            if self._ends:
                self._ends = False
                self.socket.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            self.over = self.over or len(self._unsent) > UNREAD
        except OSError:
            self.over = True
