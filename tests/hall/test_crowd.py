"""Two hundred telephones look at the board, and some of them never read what they asked for: the broker stays small."""

from __future__ import annotations

import base64
import os
import socket
import struct
from contextlib import ExitStack, closing
from pathlib import Path

from companion.hall.link import BrokerLink
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import until
from tests.support.tables import times

PHONES, DEAF = times(10, 200), times(10, 100)
"""Mosquitto takes a fifth of a second to let one in."""
MB = 1 << 20


def phone(running: Running, number: int, deaf: bool = False) -> socket.socket:
    """A browser at the board's door, as MQTT over a websocket; one that is deaf keeps its session and never reads."""
    line = socket.create_connection(("127.0.0.1", running.plan.web), 10)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET /mqtt HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(1)
    assert b" 101 " in head, head
    name = f"phone-{number}".encode()
    clean = 0 if deaf else 2
    connect = b"\x00\x04MQTT\x04" + bytes([clean]) + struct.pack(">HH", 60, len(name)) + name
    frame(line, bytes([0x10, len(connect)]) + connect)
    assert answer(line)[0] == 0x20, "let in"
    topic = b"tabularium/2/friday/#"
    wanted = struct.pack(">HH", 1, len(topic)) + topic + b"\x01"
    frame(line, bytes([0x82, len(wanted)]) + wanted)
    assert answer(line)[0] == 0x90
    return line


def frame(line: socket.socket, payload: bytes) -> None:
    """Sends this as a browser does: in a masked frame."""
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    line.sendall(bytes([0x82, 0x80 | len(payload)]) + mask + masked)


def answer(line: socket.socket) -> bytes:
    """What comes in the next frame."""
    head = line.recv(2, socket.MSG_WAITALL)
    return line.recv(head[1] & 0x7F, socket.MSG_WAITALL)


def memory(running: Running) -> float:
    """What the broker takes, in MB."""
    assert running.process
    pages = int(Path(f"/proc/{running.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MB


def test_two_hundred_telephones_are_let_in_and_deaf_ones_fill_nothing(tmp_path: Path) -> None:
    with broker(tmp_path) as running, ExitStack() as stack:
        for number in range(PHONES):
            stack.enter_context(closing(phone(running, number, deaf=number < DEAF)))
        hall = stack.enter_context(closing(BrokerLink(running.as_("hall"), subscribed=[], came=lambda _: None)))
        hall.open()
        until(lambda: hall.connected)
        before = memory(running)
        for number in range(8000):
            hall.publish(f"tabularium/2/friday/table/1/event/{number}", b"x" * 400)
            if number % 500 == 0:
                until(lambda: hall.unacknowledged < 400)
        until(lambda: hall.unacknowledged == 0)
        assert memory(running) - before < 4 + 0.3 * DEAF, "megabytes for those who never read"
