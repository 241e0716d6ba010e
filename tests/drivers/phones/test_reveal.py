"""Reveals on five phones: their stamps judge, not their arrivals. Time is made up, the connections are real."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.uri import parse_uri

from companion.play.fists import Fists
from companion.rules import Reveal
from companion.rules.readings import Press
from companion.system.sealing import KeyPair
from drivers.phones.connection import Connection
from drivers.phones.server import SURE
from tests.support.phone_client import PageSeal, padded

MS, S = 1_000, 1_000_000
FAIR_MS = 500
LATE_MS = 650
"""How much later the late fist opens: beyond what is fair, and beyond any doubt."""


@dataclass
class Lag:
    """A phone over a network that takes a while each way; its clock has another zero, and its crystal is off."""

    chance: random.Random
    jitter: int
    zero: int
    ppm: int
    now: int = S
    on_way: list[tuple[int, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        ours, self.sock = socket.socketpair()
        for sock in (ours, self.sock):
            sock.setblocking(False)
        serve = lambda protocol, request, _: protocol.accept(request)  # noqa: E731
        self.connection = Connection(1, ours, "127.0.0.1", serve, self.now, keys=KeyPair())
        self.client = ClientProtocol(parse_uri("ws://127.0.0.1/seat"))
        self.client.send_request(self.client.connect())
        self.exchange()
        (greeting,) = (of for of in self.client.events_received() if isinstance(of, Frame))
        self.seal = PageSeal(bytes(greeting.data))
        self.say(hello=1)

    def say(self, **message: object) -> list[object]:
        """Send a message at once; return what comes out at the table."""
        self.client.send_binary(self.seal.seal(padded(message)))
        return self.exchange()

    def close(self) -> None:
        self.connection.socket.close()
        self.sock.close()

    def phone(self, now: int) -> float:
        """Return the phone's time in ms at the table's."""
        return (now + self.zero + now * self.ppm // S) / MS

    def delay(self) -> int:
        """Return how long a message takes, in µs: 2 ms at least, and with exponential jitter."""
        return 2 * MS + (int(self.chance.expovariate(1 / self.jitter)) if self.jitter else 0)

    def exchange(self) -> list[object]:
        """Carry what is on its way to the other side at once; return the messages that came out at the table."""
        for data in self.client.data_to_send():
            self.sock.send(data)
        found: list[object] = list(self.connection.receive(self.now))
        with suppress(BlockingIOError):
            self.client.receive_data(self.sock.recv(1 << 16))
        return found

    def run(self, until: int) -> None:
        """Let time go by: pings go there, and answers come back."""
        while (due := self.connection.tick(self.now, True)) <= until or self.on_way:
            self._deliver()
            self.now = max(self.now, min(due, until))
            if due > until:
                break
        self.now = until

    def _deliver(self) -> None:
        """Bring the pings to the phone and their answers back."""
        self.exchange()
        for event in self.client.events_received():
            if isinstance(event, Frame):
                sent = json.loads(self.seal.open(bytes(event.data)))["clock"]
                there, back = self.delay(), self.delay()
                self.now = max(self.now, sent + there + back)
                self.say(clock=[sent, self.phone(sent + there)])

    def stamp(self, at: int) -> tuple[int, int | None]:
        """Return the stamp of a fist that moved at this time, and how far off it may be."""
        arrives = at + self.delay()
        return self.connection.stamp(self.phone(at), arrives)


@pytest.fixture(params=[0, 8 * MS, 40 * MS], ids=["steady", "8 ms", "40 ms"])
def phones(request: pytest.FixtureRequest) -> Iterator[list[Lag]]:
    chance = random.Random(request.param)
    made = [Lag(chance, request.param, chance.randrange(10**9), chance.randrange(-50, 50)) for _ in range(5)]
    for lag in made:
        lag.run(5 * S)
    yield made
    for lag in made:
        lag.close()


def test_two_hundred_reveals_are_judged_by_when_fists_opened(phones: list[Lag]) -> None:
    """No stamp is off by more than it says; nobody punctual is named, and a fist that is far too late is."""
    chance = random.Random(51)
    seats = [str(at) for at in range(5)]
    for number in range(200):
        begins = 10 * S + number * 3 * S
        late = chance.choice([None, *seats])
        fists, made = Fists("", True, 0, None), None
        for seat, lag in zip(seats, phones, strict=True):
            lag.run(begins - S)
            fists.close(seat, (begins - S) // MS)
        fists.look(seats)
        for seat, lag in zip(seats, phones, strict=True):
            at = begins + chance.randrange(40 * MS) + (LATE_MS * MS if seat == late else 0)
            stamp, unsure = lag.stamp(at)
            assert unsure is not None and abs(stamp - at) <= unsure + MS
            timed = unsure <= SURE
            made = fists.open(Press(seat, False, stamp // MS, timed, -(-unsure // MS) if timed else 0), seats)
        assert isinstance(made, Reveal) and made.opened is not None
        assert {seat for seat, ms in made.opened.items() if ms > FAIR_MS} == {late} - {None}


def test_a_phone_cannot_say_that_it_opened_before_it_was_asked(phones: list[Lag]) -> None:
    """A forged time is not earlier than the last ping that the phone has answered."""
    lag = phones[0]
    lag.run(20 * S)
    stamp, _ = lag.connection.stamp(1.0, lag.now)
    assert stamp >= lag.now - 2 * S
