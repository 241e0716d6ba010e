"""The port at work: one thread that serves the page and talks with every phone."""

from __future__ import annotations

import selectors
import socket
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from itertools import count
from time import monotonic_ns
from typing import Any

from websockets.frames import CloseCode

from companion.rules import N_
from companion.rules.message import Message
from companion.rules.readings import FromPhone, Health, PhoneSleep, Press
from companion.system.logs import trace, writing
from companion.system.sealing import KeyPair
from drivers.phones.connection import Connection
from drivers.phones.page import Files, answer
from drivers.phones.wire import Allowance, S, frame
from drivers.worker import Loop

log = writing("phones")

MOST, MOST_EACH = 64, 32
"""The number of connections, and of those from one address: a browser opens up to six for the page's files. Beyond it,
a newer one takes the place of the oldest without a seat."""
CALLS = 40.0, 120.0
"""How often an address may connect: in a second, and at once."""
FULL = S // 20
"""How long nobody is let in after a caller was turned away."""
CALLERS = 1_000
"""The number of addresses to keep count of."""
SURE = 100_000
"""A stamp that may be further off than this, in µs, does not count."""
QUIET = 3 * S
"""A phone that nobody holds falls asleep after so long."""
IDLE = 5 * S
"""The longest wait."""
FAILED_S = 0.1
"""Seconds to wait after a fault of the port."""
TOO_SLOW = N_("The Wi-Fi is too slow to tell when {seat:of} fist opened.")

Put = Callable[[Press | Health | FromPhone | PhoneSleep], object]


def micros() -> int:
    """Return the microseconds on the clock of `companion.rules.readings.now`."""
    return monotonic_ns() // 1000


@dataclass(slots=True)
class Button:
    """A seat's button on a phone: whether its fist is closed, and since when nobody holds the phone."""

    held: bool = False
    timed: bool = True
    """Whether the fist is judged: a screen reader's button says on closing it that it will not be."""
    away: int | None = None
    asleep: bool = False


class PhoneServer:
    """The port of a table's phones, at work from the start until `close`.

    Fists become presses of their seats. Any other message goes to `put` as it is; so does the news that a connection
    has ended, and that a phone falls asleep or wakes. `put` is called on the server's own thread, everything else here
    on any thread. Frames are sealed with `keys`, or with new ones.
    """

    def __init__(
        self,
        put: Put,
        files: Files,
        port: int,
        host: str = "0.0.0.0",
        clock: Callable[[], int] = micros,
        *,
        keys: KeyPair | None = None,
    ) -> None:
        """Open the port; 0 stands for any free one. Raises OSError where another program has it."""
        self._put, self._clock = put, clock
        self.keys = keys or KeyPair()
        self._serve = partial(answer, files=files)
        self._listener = socket.create_server((host, port), backlog=MOST)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._connections: dict[int, Connection] = {}
        self._seated: dict[str, Connection] = {}
        self._buttons: dict[str, Button] = {}
        self._numbers = count(1)
        self._callers: dict[str, Allowance] = {}
        # append and popleft of a deque are atomic, so the threads need no lock
        self._jobs: deque[Callable[[], object]] = deque()
        # select() waits for sockets, but for no threading.Event
        self._rope, self._bell = socket.socketpair()
        self._rope.setblocking(False)
        self._bell.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._full_until = 0
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._loop = Loop("phones", self._turn, self._end)
        self._loop.start()

    def send(self, connection: int, message: Mapping[str, Any]) -> None:
        """Send a message; a connection that has ended is ignored."""
        data = frame(message)
        self._ask(lambda: self._with(connection, lambda it: it.send(data)))

    def sit(self, connection: int, seat: str) -> None:
        """Make the phone this seat's button, in place of any other phone; "" takes its seat away."""
        self._ask(lambda: self._with(connection, lambda it: self._sit(it, seat)))

    def hang_up(self, connection: int) -> None:
        """End a connection once everything is sent."""
        self._ask(lambda: self._with(connection, lambda it: it.hang_up(CloseCode.NORMAL_CLOSURE)))

    def opened(self, seat: str) -> None:
        """Note that the table has opened the fist of a seat: the next hold on its phone is a new one."""
        self._ask(lambda: self._let_go(seat))

    def forget(self, seat: str) -> None:
        """Forget the button of a seat that has no phone any more; its fist is found open."""
        self._ask(lambda: self._forget(seat))

    def run(self, job: Callable[[], object]) -> None:
        """Do something on the port's own thread, before anything else that comes."""
        self._ask(job)

    def stop(self) -> None:
        """Ask the thread to end, and do not wait for it."""
        self._loop.stop()
        self._ring()

    def close(self) -> None:
        """Close the port and every connection; harmless a second time. Raises ThreadStuckError."""
        self.stop()
        self._loop.close()

    def _ask(self, job: Callable[[], object]) -> None:
        """Have the thread do this."""
        self._jobs.append(job)
        self._ring()

    def _ring(self) -> None:
        with suppress(OSError):  # it has been rung already, or the thread has ended
            self._rope.send(b"!")

    def _with(self, number: int, job: Callable[[Connection], object]) -> None:
        if found := self._connections.get(number):
            job(found)

    # -- the thread ----------------------------------------------------------------------------------------------

    def _turn(self) -> float:
        """Wait until something happens, and do what it needs. Never raises."""
        try:
            ready, calls = self._selector.select(self._do_what_is_due()), False
            # first: what was asked for before a message came is done before it is read
            while self._jobs:
                self._jobs.popleft()()
            for key, events in ready:
                if key.data:
                    self._attend(key.data, events)
                elif key.fileobj is self._bell:
                    self._bell.recv(4096)
                else:
                    calls = True
            if calls:  # last: those that have just ended make room
                self._accept()
        except Exception as fault:  # broad on purpose: nothing that comes from the network may reach the game
            log.error("the port for phones failed, and continues\n%s", trace(fault))
            return FAILED_S
        return 0.0

    def _do_what_is_due(self) -> float:
        """Do what is due now, and return in how many seconds something else will be."""
        now = self._clock()
        due = self._answer_calls(now)
        for connection in list(self._connections.values()):
            button = self._button(connection)
            due = min(due, connection.tick(now, button is not None and button.held))
            if button and connection.is_silent(now):
                button.away = now - QUIET if button.away is None else button.away
            elif button and not connection.hidden:
                self._wake(connection)
            if connection.over:
                self._end_connection(connection, now)
            else:
                self._listen(connection, now)
        for seat, button in self._buttons.items():
            if button.away is not None and not button.asleep:
                due = min(due, button.away + QUIET)
                if now >= button.away + QUIET:
                    button.asleep = True
                    self._put(PhoneSleep(seat, True))
        return max(0.0, (due - now) / S)

    def _button(self, connection: Connection) -> Button | None:
        """Return the button that this phone is; None without a seat."""
        return self._buttons.get(connection.seat) if self._seated.get(connection.seat) is connection else None

    def _wake(self, connection: Connection) -> None:
        """Note that somebody holds this phone."""
        connection.hidden = False
        if button := self._button(connection):
            button.away = None
            if button.asleep:
                button.asleep = False
                self._put(PhoneSleep(connection.seat, False))

    def _listen(self, connection: Connection, now: int) -> None:
        """Wait for what this connection can do next."""
        events = (selectors.EVENT_READ if now >= connection.deaf_until else 0) | (
            selectors.EVENT_WRITE if connection.waits else 0
        )
        known = self._selector.get_map().get(connection.socket)
        if known and not events:
            self._selector.unregister(connection.socket)
        elif known and known.events != events:
            self._selector.modify(connection.socket, events, connection)
        elif events and not known:
            self._selector.register(connection.socket, events, connection)

    def _accept(self) -> None:
        """Let callers in; after one that is turned away, the next have to wait a little: they may be a flood."""
        now = self._clock()
        for _ in range(MOST):
            try:
                sock, (address, *_) = self._listener.accept()
            except (BlockingIOError, ConnectionAbortedError):  # nobody calls, or the caller has gone again
                return
            if self._may_call(address, now):
                self._make_room(address, now)
                sock.setblocking(False)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                number = next(self._numbers)
                self._connections[number] = Connection(number, sock, address, self._serve, now, keys=self.keys)
            else:
                sock.close()
                self._full_until = now + FULL

    def _answer_calls(self, now: int) -> int:
        """Wait for callers, unless one has just been turned away; return when that ends."""
        waits, known = now >= self._full_until, self._listener in self._selector.get_map()
        if waits and not known:
            self._selector.register(self._listener, selectors.EVENT_READ)
        elif known and not waits:
            self._selector.unregister(self._listener)
        return now + IDLE if waits else self._full_until

    def _may_call(self, address: str, now: int) -> bool:
        """Return whether this address may connect: it is a local one, and not too often here."""
        where = ip_address(address)
        if not (where.is_private or where.is_link_local):
            return False
        if len(self._callers) > CALLERS:
            self._callers.clear()
        calls = self._callers.setdefault(address, Allowance(*CALLS, now))
        return calls.take(now)

    def _make_room(self, address: str, now: int) -> None:
        """End the oldest connection without a seat, of this address or of the one with the most, where they are full.

        So nobody who holds many connections keeps the phones of seats from coming back.
        """
        strangers = [of for of in self._connections.values() if not of.seat]
        count = Counter(of.address for of in strangers)
        if count[address] >= MOST_EACH:
            crowd = address
        elif len(self._connections) >= MOST:
            crowd = max(count, key=count.__getitem__)
        else:
            return
        self._end_connection(next(of for of in strangers if of.address == crowd), now)

    def _attend(self, connection: Connection, events: int) -> None:
        """Send and read what one connection can; a fault ends this connection alone."""
        try:
            if events & selectors.EVENT_WRITE:
                connection.flush()
            if events & selectors.EVENT_READ:
                now = self._clock()
                for message in connection.receive(now):
                    self._take(connection, message, now)
        except Exception as fault:  # broad on purpose: the other phones continue
            connection.over = True
            log.error("a phone's connection failed, and was closed\n%s", trace(fault))
        if connection.over:
            self._end_connection(connection, self._clock())

    def _take(self, connection: Connection, message: Mapping[str, Any], now: int) -> None:
        """Make a press of a fist, and pass everything else on."""
        fist, button = message.get("fist"), self._button(connection)
        if fist == "unknown":
            connection.hidden = True
            if button and button.away is None:
                button.away = now
            return
        self._wake(connection)
        if "fist" not in message:
            connection.announced = True
            self._put(FromPhone(connection.number, message, connection.address))
        elif button and fist in ("closed", "open") and button.held != (fist == "closed"):
            button.held = fist == "closed"
            stamp, unsure = connection.stamp(message.get("t"), now)
            if button.held:
                button.timed = message.get("timed") is not False
            timed = button.timed and unsure is not None and unsure <= SURE
            slack = -(-(unsure or 0) // 1000) if timed else 0
            self._put(Press(connection.seat, button.held, stamp // 1000, timed, slack, phone=True))
            if button.timed and not timed and not button.held:
                self._put(Health(f"phone {connection.seat}", True, Message(TOO_SLOW, seat=connection.seat)))

    def _sit(self, connection: Connection, seat: str) -> None:
        if self._seated.get(connection.seat) is connection:
            del self._seated[connection.seat]
        connection.seat = seat
        if seat:
            self._seated[seat] = connection
            self._buttons.setdefault(seat, Button())
            self._wake(connection)

    def _let_go(self, seat: str) -> None:
        if button := self._buttons.get(seat):
            button.held = False

    def _forget(self, seat: str) -> None:
        button = self._buttons.pop(seat, None)
        if button and button.held:
            self._put(Press(seat, False, self._clock() // 1000, edge=False, phone=True))

    def _end_connection(self, connection: Connection, now: int) -> None:
        del self._connections[connection.number]
        if self._selector.get_map().get(connection.socket):
            self._selector.unregister(connection.socket)
        connection.socket.close()
        if button := self._button(connection):
            del self._seated[connection.seat]
            button.away = now if button.away is None else button.away
        if connection.announced:
            self._put(FromPhone(connection.number, None, connection.address))

    def _end(self) -> None:
        for seat in list(self._buttons):
            self._forget(seat)
        for connection in self._connections.values():
            connection.hang_up(CloseCode.GOING_AWAY)
            connection.socket.close()
        self._selector.close()
        for sock in (self._listener, self._rope, self._bell):
            sock.close()
