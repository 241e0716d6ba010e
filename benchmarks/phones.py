"""What seven idle phones cost, how soon a fist on one of them is heard, and a move seen; they are another process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic, monotonic_ns, process_time, sleep
from typing import TYPE_CHECKING, Any

from benchmarks.screen import SMALL, child
from companion.rules.cards import PAWNS

if TYPE_CHECKING:
    from companion.cli.phones import TablePhones

ROOT = Path(__file__).parent.parent
IDLE_S = 30
TIMES = 200
PACE_S = 0.06
"""Seconds between two fists: a phone may send twenty messages a second."""
PING_S = 5
MOVES = 100
"""Moves by finger, and as many by phone, in turn."""
DEEPEST = 6
"""The most lists that are opened for a move."""
GIVEN_UP_S = 1.0
"""A phone's player who has found nothing to do by then leaves it to the others."""
QUESTIONS = ("How things stand", "History", "The table", "Phones")
"""What stands in a phone's first list besides moves."""
SHOWN = ("mercator", "prokonsul")
"""The games of the moves: seven seats play, and five while two look on."""
Row = tuple[str, str, str]


def rows() -> Iterator[Row]:
    """Yield what the port costs, beside the same phones at the library's own server with a thread or two for each."""
    ours, theirs = (_child("serve", which) for which in ("ours", "threads"))
    beside = "{library}: {theirs}"
    for what, key, unit in (
        ("seven phones, idle, share of a core", "share", "%"),
        ("memory that the port takes, of which most is the library", "memory", "MiB"),
        ("the same without what its import takes", "own", "MiB"),
        ("threads", "threads", ""),
    ):
        library = beside.format(library="websockets' threading server", theirs=f"{theirs[key]:.3g} {unit}".rstrip())
        yield what, f"{ours[key]:.3g} {unit}".rstrip(), library
    late = sorted(ours["late"])
    middle, most = late[len(late) // 2], late[len(late) * 95 // 100]
    yield "a fist on one of them is heard", f"{middle:.1f} ms, 95 % in {most:.1f} ms", "sent by another process"
    for game in SHOWN:
        found = child("phones", SMALL, game)
        (middle, most, _), (beside, slow, _) = found["phone"], found["finger"]
        yield (
            f"{game}, seven phones: sent by a phone to frame painted",
            f"median {middle:.0f} ms, 95 of 100 under {most:.0f} ms",
            f"a finger on the window: median {beside:.0f} ms, 95 of 100 under {slow:.0f} ms; aim: 1.5 times",
        )


def _child(*words: str) -> Any:
    command = [sys.executable, "-m", "benchmarks.phones", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return json.loads(done.stdout.splitlines()[-1])


def _memory() -> float:
    """Return the process's memory, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1024 / 1024


# -- the table's process ----------------------------------------------------------------------------------------------


def _serve(which: str) -> dict[str, Any]:
    import threading

    before = _memory()
    words: SimpleQueue[Any] = SimpleQueue()
    if which == "ours":
        from drivers.phones.server import PhoneServer

        imported = _memory()
        server = PhoneServer(words.put, lambda _: None, 0, "127.0.0.1")
        port = server.port
    else:
        port, imported = _threading_server(words)
    command = [sys.executable, "-m", "benchmarks.phones", "phones", str(port), which]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as phones:
        assert phones.stdin
        numbers = [words.get(timeout=30).connection for _ in PAWNS] if which == "ours" else [words.get() for _ in PAWNS]
        for number, seat in zip(numbers, PAWNS, strict=True):
            if which == "ours":
                server.sit(number, seat)
        sleep(3)
        began, used = monotonic(), process_time()
        sleep(IDLE_S)
        share = 100 * (process_time() - used) / (monotonic() - began)
        late = []
        if which == "ours":
            for _ in range(TIMES):
                sleep(PACE_S)
                print("fist", file=phones.stdin, flush=True)
                press = words.get(timeout=30)
                while not hasattr(press, "slack"):
                    press = words.get(timeout=30)
                late.append(monotonic_ns() / 1e6 - press.t)
        found = {"share": share, "memory": _memory() - before, "own": _memory() - imported,
                 "threads": threading.active_count() - 1, "late": late}  # fmt: skip
        phones.kill()
    return found


def _threading_server(words: SimpleQueue[Any]) -> tuple[int, float]:
    """Serve as the library's documentation does it, with a clock message every five seconds; return port and memory."""
    from threading import Thread

    from websockets.exceptions import ConnectionClosed
    from websockets.sync.server import ServerConnection, serve

    imported = _memory()

    def handle(connection: ServerConnection) -> None:
        due, waits = monotonic(), True
        try:
            while True:
                try:
                    message = json.loads(connection.recv(max(0.0, due - monotonic())))
                    if waits and "hello" in message:
                        words.put(connection)
                        waits = False
                except TimeoutError:
                    due = monotonic() + PING_S
                    connection.send(json.dumps({"clock": monotonic_ns() // 1000}).ljust(256))
        except ConnectionClosed:
            return

    server = serve(handle, "127.0.0.1", 0, compression=None, ping_interval=None)
    Thread(target=server.serve_forever, daemon=True).start()
    return server.socket.getsockname()[1], imported


# -- the table's window ------------------------------------------------------------------------------------------------


def play(folder: Path, game: str) -> None:
    """Play random moves by finger on the window and by phone in turn; report how long each waits for its frame."""
    from kivy.base import EventLoop

    from benchmarks.evening import Finger, header, spread
    from benchmarks.window import Watched, report
    from companion.cli.phones import TablePhones
    from companion.dialogues.services import Services
    from companion.rules.readings import FromPhone, PhoneSleep

    watched, services = Watched(folder), Services()
    evening, robot, late = watched.evening, Random(1), list[float]()
    phones = services.phones = TablePhones(evening, watched.store, 0, lambda: services)
    phones.start()
    asked_at: float | None = None  # when a phone was asked for its move
    by_phone = False

    class InTurn(Finger):
        def update(self, dispatch_fn: Any) -> None:
            if self.touch or not by_phone:
                super().update(dispatch_fn)

        def _wait(self, when: float, count: int) -> None:
            nonlocal by_phone
            super()._wait(when, count)
            by_phone = True

    finger, hear = InTurn(watched, game), evening.devices.phoned

    def timed(word: FromPhone | PhoneSleep) -> bool:
        nonlocal by_phone
        heard = hear(word)
        if isinstance(word, FromPhone) and word.message and "take" in word.message and evening.waiting:
            match, sent = watched.app.match, word.message["t"]
            count, by_phone = len(match.log) + match.waiting, False
            watched.awaited.append((lambda: len(match.log) >= count, lambda now: late.append(now * 1e3 - sent)))
        return heard

    evening.devices.phoned = timed
    EventLoop.add_input_provider(finger)
    command = [sys.executable, "-m", "benchmarks.phones", "phones", *_way_in(phones)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as players:

        def step() -> None:
            nonlocal asked_at, by_phone
            if len(phones.seats) < len(PAWNS):
                for seat in phones.asking:
                    phones.agree(seat)
            elif not evening.match or (not evening.waiting and watched.app.match.view["over"]):
                evening.begin({**header(game), "reveal": "auto"})
                watched.app.go("table")
            elif min(len(late), len(finger.late)) >= MOVES:
                watched.app.stop()
            elif not by_phone:
                asked_at = None
            elif asked_at is None and not evening.waiting and not watched.awaited:
                asked_at = monotonic()
                view = watched.app.match.view
                asked = [*view["waiting"], *filter(None, [view["turn"]])] or watched.app.match.header.seats
                print(robot.choice(asked), file=players.stdin, flush=True)
            elif asked_at and monotonic() - asked_at > GIVEN_UP_S:
                by_phone = False

        watched.run(step)
        phones.close()
        players.kill()
    report(phone=spread(late), finger=spread(finger.late))


def _way_in(phones: TablePhones) -> tuple[str, ...]:
    """Return the port, whose it is, and what lets phones in."""
    assert phones._server and phones._pairing
    return str(phones._server.port), "ours", phones._pairing.invitation


# -- the phones' process ----------------------------------------------------------------------------------------------


class _Plain:
    """No seal: what the library's own server is sent."""

    def seal(self, text: bytes) -> bytes:
        return text

    def open(self, frame: bytes) -> bytes:
        return frame


def _phones(port: int, which: str, invitation: str = "") -> None:
    """Be seven phones that answer pings; with an invitation each asks for a seat.

    A line of input is a seat whose phone makes a random move, or "fist": one phone moves its fist.
    """
    from contextlib import ExitStack
    from threading import Condition, Thread

    from websockets.sync.client import ClientConnection, connect
    from websockets.typing import Origin

    from tests.support.phone_client import PageSeal, padded

    host = f"127.0.0.1:{port}"

    def time() -> float:
        return monotonic_ns() / 1e6

    class Bench:
        """One phone, which may be told to send from two threads at once."""

        def __init__(self, socket: ClientConnection, seat: str) -> None:
            self.socket, self.robot = socket, Random(seat)
            self.seal = _Plain() if which == "threads" else PageSeal(socket.recv())
            self.table: dict[str, Any] = {}
            self.came = Condition()
            """Notified of each view."""

        def say(self, **message: object) -> None:
            with self.came:
                self.socket.send(self.seal.seal(padded(message)), text=which == "threads")

        def answer(self) -> None:
            for data in self.socket:
                message = json.loads(self.seal.open(data.encode() if isinstance(data, str) else data))
                if "clock" in message:
                    self.say(clock=[message["clock"], time()])
                elif "table" in message:
                    with self.came:
                        self.table = message["table"]
                        self.came.notify()

        def look(self, path: list[object]) -> None:
            """Open a list, and wait for it."""
            with self.came:
                self.say(look=path)
                self.came.wait(GIVEN_UP_S / 4)

        def move(self) -> None:
            """Tap at random, down to something that can be taken."""
            self.look([])
            for _ in range(DEEPEST):
                listed = self.table["list"]
                path, number = listed["path"], listed["number"]
                entries = [of for of in listed["entries"] if path or of["text"] not in QUESTIONS]
                found = self.robot.choice([of for of in entries if of["main"]] or entries or [None])
                if found and found["opens"]:
                    self.look([*path, found["key"]])
                elif found or number:
                    step = found["key"] if found else min(number["most"], number["begins"] + self.robot.randrange(4))
                    self.say(take=[*path, step], act=self.table["act"], t=time())
                    return

    with ExitStack() as opened:
        ways = [connect(f"ws://{host}/seat", origin=Origin(f"http://{host}"), compression=None, proxy=None,
                        ping_interval=None) for _ in PAWNS]  # fmt: skip
        phones = {seat: Bench(opened.enter_context(way), seat) for way, seat in zip(ways, PAWNS, strict=True)}
        for seat, phone in phones.items():
            phone.say(hello=1, token=invitation, lang="en")
            if invitation:
                phone.say(sit=seat)
            Thread(target=phone.answer, daemon=True).start()
        closed = False
        for line in map(str.strip, sys.stdin):
            if line in phones:
                phones[line].move()
            else:
                closed = not closed
                phones[PAWNS[0]].say(fist="closed" if closed else "open", t=time())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["phones", port, which, *invitation]:
            _phones(int(port), which, *invitation)
        case ["serve", which]:
            print(json.dumps(_serve(which)), flush=True)
            import os

            os._exit(0)  # the library's threads are no daemons
