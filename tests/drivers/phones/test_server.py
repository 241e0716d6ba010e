"""The port of phones by real sockets: who may come in, what is taken, and when a fist opens."""

from __future__ import annotations

import gzip
import json
import os
import random
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from queue import SimpleQueue
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from companion.rules.readings import FromPhone, Health, PhoneSleep, Press
from drivers.phones.server import MOST, MOST_EACH, PhoneServer, micros
from drivers.phones.wire import MESSAGES, STRANGER
from tests.support.phone_client import PageSeal, PhoneClient
from tests.support.timeouts import SECONDS

FILES = {"/": (b"<h1>The table</h1>", "text/html"), "/page.js": (b"let a", "text/javascript")}
Word = Press | Health | FromPhone | PhoneSleep


class Port:
    """A server whose clock can be moved on, and what it has put."""

    def __init__(self) -> None:
        self.words: SimpleQueue[Word] = SimpleQueue()
        self.skipped = 0
        self.server = PhoneServer(self.words.put, FILES.get, 0, "127.0.0.1", lambda: micros() + self.skipped)

    def next(self, kind: type[Any]) -> Any:
        """Return the next word of this kind."""
        while not isinstance(word := self.words.get(timeout=SECONDS), kind):
            pass
        return word

    def skip(self, seconds: float) -> None:
        """Let time go by, and the server see it."""
        self.skipped += int(1_000_000 * seconds)
        self.server.forget("nobody")

    def phone(self, seat: str = "") -> PhoneClient:
        phone = PhoneClient(self.server)
        phone.say(hello=1)
        while (word := self.next(FromPhone)).message is None:
            pass  # an earlier phone has gone
        phone.number = word.connection
        if seat:
            self.server.sit(phone.number, seat)
            phone.settle()
        return phone


@pytest.fixture
def port() -> Iterator[Port]:
    made = Port()
    with closing(made.server):
        yield made


# -- who may come in -------------------------------------------------------------------------------------------------


def asked(port: Port, *lines: str) -> tuple[int, str]:
    """Return the status and all of the answer to a request; 0 for none."""
    with socket.create_connection(("127.0.0.1", port.server.port), SECONDS) as sock:
        own = f"127.0.0.1:{port.server.port}"
        sock.sendall("\r\n".join([*lines, "", ""]).format(own=own).encode())
        came = b""
        while data := sock.recv(65_536):
            came += data
    text = came.decode()
    return int(text.split()[1]) if text else 0, text


WEBSOCKET = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (("GET / HTTP/1.1", "Host: {own}"), 200),
        (("GET /page.js?1 HTTP/1.1", "Host: {own}"), 200),
        (("GET /../../etc/passwd HTTP/1.1", "Host: {own}"), 404),
        (("GET //page.js HTTP/1.1", "Host: {own}"), 404),
        (("GET / HTTP/1.1", "Host: tabularium.example:80"), 403),
        (("GET / HTTP/1.1", "Host: localhost"), 403),
        (("GET / HTTP/1.1",), 403),
        (("GET / HTTP/1.1", "Host: {own}", "Host: evil.example"), 403),
        (("GET /seat HTTP/1.1", "Host: {own}"), 426),
        (("GET /seat HTTP/1.1", "Host: {own}", "Origin: http://evil.example", *WEBSOCKET), 403),
        (("GET /seat HTTP/1.1", "Host: {own}", "Origin: https://{own}", *WEBSOCKET), 403),
        (("GET /seat HTTP/1.1", "Host: evil.example", "Origin: http://evil.example", *WEBSOCKET), 403),
        (("GET /seat HTTP/1.1", "Host: {own}", "Origin: null", *WEBSOCKET), 403),
        (("POST / HTTP/1.1", "Host: {own}", "Content-Length: 0"), 405),
        (("GET / HTTP/1.1", f"X: {'x' * 20_000}"), 431),
        (("no request at all",), 0),
    ],
)  # fmt: skip
def test_only_the_tables_own_page_is_answered(port: Port, lines: tuple[str, ...], status: int) -> None:
    found, text = asked(port, *lines)
    assert found == status, text


def test_a_file_may_do_nothing_but_talk_with_the_table(port: Port) -> None:
    _, text = asked(port, "GET / HTTP/1.1", "Host: {own}")
    assert text.endswith("<h1>The table</h1>") and "Content-Length: 18\r\n" in text
    assert f"connect-src 'self' ws://127.0.0.1:{port.server.port};" in text and "default-src 'none'" in text
    assert "Server:" not in text and "Referrer-Policy: no-referrer" in text


def test_a_file_is_compressed_for_a_browser_that_takes_it(port: Port) -> None:
    with socket.create_connection(("127.0.0.1", port.server.port), SECONDS) as sock:
        lines = (
            "GET /page.js HTTP/1.1",
            f"Host: 127.0.0.1:{port.server.port}",
            "Accept-Encoding: gzip, deflate",
            "",
            "",
        )
        sock.sendall("\r\n".join(lines).encode())
        came = b""
        while data := sock.recv(4096):
            came += data
    head, _, body = came.partition(b"\r\n\r\n")
    assert gzip.decompress(body) == b"let a" and b"Content-Encoding: gzip" in head
    assert f"Content-Length: {len(body)}".encode() in head and b"Vary: Accept-Encoding" in head


def test_a_page_without_an_origin_is_a_phones_own(port: Port) -> None:
    request = "\r\n".join(["GET /seat HTTP/1.1", f"Host: 127.0.0.1:{port.server.port}", *WEBSOCKET, "", ""])
    with socket.create_connection(("127.0.0.1", port.server.port), SECONDS) as sock:
        sock.sendall(request.encode())
        assert sock.recv(4096).startswith(b"HTTP/1.1 101 ")


def strangers(port: Port, last: int, count: int) -> list[socket.socket]:
    """Return so many connections from the address 127.0.0.`last` that ask for nothing."""
    at = ("127.0.0.1", port.server.port)
    return [socket.create_connection(at, SECONDS, source_address=(f"127.0.0.{last}", 0)) for _ in range(count)]


def is_answered(sock: socket.socket, port: Port) -> bool:
    """Return whether this connection gets the page."""
    sock.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port.server.port}\r\n\r\n".encode())
    return sock.recv(4096).startswith(b"HTTP/1.1 200 ")


def test_one_address_gets_so_many_connections_and_no_more(port: Port) -> None:
    seated = port.phone("red")
    opened = strangers(port, 1, MOST_EACH + 8)
    for sock in opened[:8]:
        assert sock.recv(1) == b"", "the oldest make room"
    assert is_answered(opened[8], port) and is_answered(opened[-1], port)
    seated.say(look=[])
    assert port.next(FromPhone).message == {"look": []}
    for sock in opened:
        sock.close()
    seated.close()


def test_two_addresses_cannot_keep_the_phone_of_a_seat_away(port: Port) -> None:
    seated = port.phone("red")
    taken = [sock for last in (2, 3) for sock in strangers(port, last, MOST // 2)]
    back = port.phone("blue")
    (guest,) = strangers(port, 4, 1)
    more = strangers(port, 2, 8)
    assert is_answered(guest, port)
    for phone in (seated, back):
        phone.say(look=[phone.number])
        assert port.next(FromPhone).message == {"look": [phone.number]}
    seated.close()
    back.close()
    for sock in (*taken, *more, guest):
        sock.close()


def test_a_silent_connection_is_closed(port: Port) -> None:
    with socket.create_connection(("127.0.0.1", port.server.port), SECONDS) as sock:
        sock.sendall(b"GET / HT")
        assert asked(port, "GET / HTTP/1.1", "Host: {own}")[0] == 200
        port.skip(11)
        assert sock.recv(1) == b""


# -- messages ----------------------------------------------------------------------------------------------------


def test_frames_to_a_phone_all_have_a_padded_length(port: Port) -> None:
    phone = port.phone()
    for text in ("a", "ä" * 120, "b" * 243, "c" * 1000):
        port.server.send(phone.number, {"x": text})
        while (raw := phone.read_text()) and b"clock" in raw:
            assert len(raw) == 256
        assert len(raw) % 256 == 0 and json.loads(raw) == {"x": text}
        assert len(phone.wire[-1]) == len(raw) + 16
    phone.close()


def test_what_is_too_long_closes_the_connection(port: Port) -> None:
    phone = port.phone()
    phone.say(look=["x" * 5000])
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            phone.read()
    assert closed.value.rcvd and closed.value.rcvd.code == 1009
    assert port.next(FromPhone) == FromPhone(phone.number, None, "127.0.0.1")
    phone.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "5",
        "[]",
        '"x"',
        "{",
        '{"a": NaN}',
        '{"a": 1e999}x',
        "[" * 4000,
        '{"a":' * 800,
        "\ud83d",
        b"\xff\xfe",
    ],
)
def test_what_is_no_object_is_ignored(port: Port, text: str | bytes) -> None:
    phone = port.phone()
    phone.say_text(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    phone.say(look=["top"])
    assert port.next(FromPhone).message == {"look": ["top"]}
    phone.close()


def test_a_flood_is_dropped_and_holds_up_nobody(port: Port) -> None:
    quiet, loud = port.phone("red"), port.phone("blue")
    began = micros()
    for at in range(2_000):
        loud.say(look=[at])
    quiet.say(fist="closed", t=quiet.time())
    looks = 0
    while not isinstance(word := port.words.get(timeout=SECONDS), Press):
        looks += isinstance(word, FromPhone)
    assert word.seat == "red"
    assert looks <= 20 + 20 * (1 + (micros() - began) / 1_000_000)
    quiet.close()
    loud.close()


def test_a_phone_without_a_seat_has_little_to_say(port: Port) -> None:
    """Thirty of them at once may not keep the table from its game."""
    stranger, began, came = port.phone(), micros(), 0
    for at in range(200):
        stranger.say(hello=at)
    stranger.close()
    while port.next(FromPhone).message:
        came += 1
    assert came <= (MESSAGES + MESSAGES * (micros() - began) / 1_000_000) / STRANGER


def test_ten_thousand_malformed_frames_disturb_no_other_phone(port: Port) -> None:
    """Random bytes, lengths, opcodes and fragments after a proper beginning; a new connection whenever one is closed."""
    quiet, chance, sent = port.phone("red"), random.Random(51), 0
    request = "\r\n".join(["GET /seat HTTP/1.1", f"Host: 127.0.0.1:{port.server.port}", *WEBSOCKET, "", ""]).encode()
    while sent < 10_000:
        port.skip(5)  # an address may not connect without end
        quiet.say(look=[sent])
        while port.next(FromPhone).connection != quiet.number:
            pass
        with socket.create_connection(("127.0.0.1", port.server.port), SECONDS) as sock:
            sock.sendall(request)
            came = b""
            while b"}" not in came:
                came += sock.recv(4096)
            seal = PageSeal(came[came.index(b"{") :])
            try:
                for _ in range(500):
                    sock.sendall(malformed(chance, seal))
                    sent += 1
            except OSError:
                continue
    quiet.say(fist="closed", t=quiet.time())
    assert port.next(Press).down
    quiet.close()


def malformed(chance: random.Random, seal: PageSeal) -> bytes:
    """Return a frame that is no message, sealed or not."""
    body = chance.choice(
        [chance.randbytes(chance.randrange(130)), b'{"fist":"closed"}', b'{"clock":[1,2]}', b"{}" * 60]
    )
    if chance.random() < 0.99:
        body = seal.seal(body)
    mask = os.urandom(4)
    head = bytes([chance.choice([*[0x82] * 600, 0x81, 0x01, 0x80, 0x82, 0x89, 0x8A, chance.randrange(256)])])
    length = len(body) if chance.random() < 0.999 else chance.randrange(126)
    size = bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack("!H", length)
    return head + size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(body))


# -- fists ---------------------------------------------------------------------------------------------------------


def test_a_fist_is_a_button_with_the_phones_own_time(port: Port) -> None:
    phone = port.phone("red")
    before = micros() // 1000
    closed, opened = phone.time(), phone.time() + 700
    phone.say(fist="closed", t=closed)
    down = port.next(Press)
    phone.say(fist="closed", t=closed)
    phone.say(fist="open", t=opened)
    up = port.next(Press)
    assert (down.seat, down.down, down.edge) == ("red", True, True) and (up.down, up.edge) == (False, True)
    assert before - down.slack - 1 <= down.t <= up.t <= micros() // 1000, "not later than now"
    phone.close()


@pytest.mark.parametrize("timed", [True, False])
def test_a_phone_says_on_closing_a_fist_whether_its_opening_is_timed(port: Port, timed: bool) -> None:
    """And cannot think better of it while it waits to see what the others do."""
    phone = port.phone("red")
    phone.say(fist="closed", t=phone.time(), timed=timed)
    phone.say(fist="open", t=phone.time(), timed=not timed)
    assert [port.next(Press).edge, port.next(Press).edge] == [timed, timed]
    phone.close()


def test_an_opening_without_a_time_is_named(port: Port) -> None:
    phone = port.phone("red")
    phone.say(fist="closed", t=phone.time())
    phone.say(fist="open", t="now")
    assert port.next(Press).edge and not port.next(Press).edge
    assert port.next(Health).device == "phone red"
    phone.close()


@pytest.mark.parametrize("t", [None, "5", True, -1, 1e300, [], {}])
def test_a_time_that_is_none_is_no_time(port: Port, t: object) -> None:
    phone = port.phone("red")
    phone.say(fist="closed", t=t)
    assert not port.next(Press).edge
    phone.close()


def test_a_clock_that_nobody_can_be_sure_of_judges_nobody(port: Port) -> None:
    phone = PhoneClient(port.server)
    phone.say(hello=1)
    number = port.next(FromPhone).connection
    port.server.sit(number, "red")
    sent = json.loads(phone.read_text())["clock"]
    port.skip(0.5)
    phone.say(clock=[sent, phone.time()])
    phone.say(fist="closed", t=phone.time())
    phone.say(fist="open", t=phone.time())
    assert not port.next(Press).edge and not port.next(Press).edge
    told = port.next(Health)
    assert (told.device, told.well) == ("phone red", True)
    phone.close()


def test_nothing_but_a_lift_opens_a_fist(port: Port) -> None:
    """A page that is hidden, a connection that breaks and another phone leave it closed; after three seconds it sleeps."""
    phone = port.phone("red")
    phone.say(fist="closed", t=phone.time())
    assert port.next(Press).down
    phone.say(fist="unknown")
    phone.hear("clock")
    port.skip(3.1)
    assert port.next(PhoneSleep) == PhoneSleep("red", True)
    phone.say(look=[])
    assert port.next(PhoneSleep) == PhoneSleep("red", False)
    phone.socket.socket.shutdown(socket.SHUT_RDWR)
    assert port.next(FromPhone).message == {"look": []}
    assert port.next(FromPhone).message is None
    port.skip(3.1)
    assert port.next(PhoneSleep) == PhoneSleep("red", True)
    other = port.phone("red")
    assert port.words.empty() or port.next(PhoneSleep) == PhoneSleep("red", False)
    other.say(fist="open", t=other.time())
    assert not port.next(Press).down
    other.close()
    phone.close()


def test_a_phone_that_answers_nothing_sleeps_and_is_lost(port: Port) -> None:
    phone = port.phone("red")
    phone.say(fist="closed", t=phone.time())
    assert port.next(Press).down
    port.skip(1.1)
    while b"clock" not in phone.read_text():
        pass
    port.skip(3.1)
    assert port.next(PhoneSleep) == PhoneSleep("red", True)
    port.skip(20)
    assert port.next(FromPhone).message is None
    phone.close()


def test_the_fist_of_a_seat_that_is_forgotten_is_found_open(port: Port) -> None:
    phone = port.phone("red")
    phone.say(fist="closed", t=phone.time())
    assert port.next(Press).down
    port.server.forget("red")
    found = port.next(Press)
    assert not found.down and not found.edge
    phone.close()


def test_the_end_tells_every_phone_to_come_back(port: Port) -> None:
    phone = port.phone("red")
    port.server.close()
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            phone.read()
    assert closed.value.rcvd and closed.value.rcvd.code == 1001
    phone.close()
