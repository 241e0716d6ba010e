"""A phone without a page: a real WebSocket that answers pings by its own clock."""

from __future__ import annotations

import json
import struct
from base64 import urlsafe_b64decode
from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic_ns
from typing import Any

from nacl.bindings import crypto_box_beforenm, crypto_box_easy_afternm, crypto_box_keypair, crypto_box_open_easy_afternm
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from drivers.phones.server import PhoneServer
from tests.support.timeouts import SECONDS


def own_time() -> float:
    """Return a phone's time in ms: another one than the table's."""
    return monotonic_ns() / 1_000_000 - 500_000


class PageSeal:
    """A page's end of the seal, made of libsodium's functions and docs/phones.md."""

    def __init__(self, greeting: str | bytes) -> None:
        said = json.loads(greeting)
        self.key, self.salt = (urlsafe_b64decode(said[of] + "==") for of in ("key", "salt"))
        self.public, secret = crypto_box_keypair()
        self.shared = crypto_box_beforenm(self.key, secret)
        self.sent = self.came = 0

    def _nonce(self, way: int, number: int) -> bytes:
        return self.salt + struct.pack(">II", way, number)

    def seal(self, text: bytes) -> bytes:
        begins = b"" if self.sent else self.public
        self.sent += 1
        return begins + crypto_box_easy_afternm(text, self._nonce(1, self.sent - 1), self.shared)

    def open(self, frame: bytes) -> bytes:
        """Return what a frame holds. Raises CryptoError."""
        self.came += 1
        return crypto_box_open_easy_afternm(frame, self._nonce(0, self.came - 1), self.shared)


def padded(message: object) -> bytes:
    """Return a message as a phone seals it."""
    text = json.dumps(message).encode()
    return text + b" " * (-len(text) % 256)


class PhoneClient:
    """A phone at the port of a server."""

    def __init__(self, server: PhoneServer, time: Callable[[], float] = own_time) -> None:
        self.time = time
        self._open = ExitStack()
        host = f"127.0.0.1:{server.port}"
        way = connect(
            f"ws://{host}/seat", origin=Origin(f"http://{host}"), compression=None, proxy=None, max_queue=None
        )
        self.socket: ClientConnection = self._open.enter_context(way)
        self.wire: list[bytes] = []
        """Every frame but the greeting, in both directions, and what it holds."""
        self.texts: list[bytes] = []
        self.greeting = self.socket.recv(SECONDS)
        self.seal = PageSeal(self.greeting)
        self.pings = 0
        self.number = 0
        """Its number at the server, where a test has found it out."""

    def say(self, **message: Any) -> None:
        self.say_text(padded(message))

    def say_text(self, text: bytes) -> None:
        """Seal and send anything."""
        self.texts.append(text)
        self.wire.append(self.seal.seal(text))
        self.socket.send(self.wire[-1])

    def hear(self, key: str) -> Any:
        """Return what the next message with this key says; answer pings meanwhile."""
        while True:
            message = self.read()
            if key in message:
                return message[key]

    def read(self, seconds: float = SECONDS) -> dict[str, Any]:
        """Return the next message, and answer it if it is a ping. Raises TimeoutError and ConnectionClosed."""
        message: dict[str, Any] = json.loads(self.read_text(seconds))
        if "clock" in message:
            self.say(clock=[message["clock"], self.time()])
            self.pings += 1
        return message

    def read_text(self, seconds: float = SECONDS) -> bytes:
        """Return what the next frame holds. Raises TimeoutError and ConnectionClosed."""
        self.wire.append(self.socket.recv(seconds, decode=False))
        self.texts.append(self.seal.open(self.wire[-1]))
        return self.texts[-1]

    def settle(self) -> None:
        """Answer the first pings: from then on its fists have a time."""
        while self.pings < 3:
            self.read()

    def close(self) -> None:
        self._open.close()
