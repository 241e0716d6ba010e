"""The whole firmware on the virtual board: over a serial port, under this Python and under a real MicroPython."""

import time
from collections.abc import Callable, Iterator
from queue import Queue
from threading import Event

import pytest
import serial

from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.hub import VirtualHub, micropython_process
from drivers.virtual.hub.board import VirtualBoard
from drivers.virtual.hub.firmware import Board
from tests.support.hub_firmware import line, modules, right
from tools.needs import needs_micropython

CARD, OTHER = "04A3C6CAE26180", "DEADBEEF"
PATIENCE = 600.0
"""Seconds to wait for what must happen before giving up."""


class Host:
    """A program that has opened the hub's port and said hello."""

    def __init__(self, hub: VirtualHub) -> None:
        self.hub = hub
        self.rest = b""
        self.open()

    def open(self) -> None:
        self.port = serial.Serial(self.hub.port, timeout=0.02, exclusive=True)
        self.say("hello 1")

    def say(self, body: str) -> None:
        self.port.write(line(body))

    def heard(self) -> list[str]:
        """The bodies of the right lines that have come, after a short wait."""
        *whole, self.rest = (self.rest + self.port.read(4096)).split(b"\n")
        return [right(one + b"\n") for one in whole]

    def until(self, wanted: Callable[[str], object]) -> str:
        """The first line that is wanted; what comes before it is dropped."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            heard = self.heard()
            for at, body in enumerate(heard):
                if wanted(body):
                    self.rest = b"".join(map(line, heard[at + 1 :])) + self.rest
                    return body
        pytest.fail("it has not come")

    def event(self, what: str) -> list[str]:
        return self.until(lambda body: body.startswith("event") and what in body).split()


@pytest.fixture(params=[False, True], ids=["CPython", "MicroPython"])
def micropython(request: pytest.FixtureRequest) -> bool:
    if request.param:
        needs_micropython()
    return bool(request.param)


@pytest.fixture
def hub(micropython: bool) -> Iterator[VirtualHub]:
    hub = VirtualHub(["rbl", "bl", "-"], micropython)
    yield hub
    hub.close()


@pytest.fixture
def plain() -> Iterator[VirtualHub]:
    hub = VirtualHub(["rbl"])
    yield hub
    hub.close()


@pytest.fixture
def best() -> Iterator[VirtualHub]:
    """Under MicroPython where there is one."""
    hub = VirtualHub(["rbl"], micropython=not micropython_process.missing())
    yield hub
    hub.close()


def test_an_evening_in_a_minute(hub: VirtualHub) -> None:
    host = Host(hub)
    boot = host.until(lambda body: body.startswith("hello")).split()[3]
    host.event("well")
    hub.lay(0, CARD)
    host.event(f"laid {CARD}")
    began = hub.board.now()
    hub.hold(1)
    hub.let_go(1)
    ended = hub.board.now()
    down, up = host.event("1 down"), host.event("1 up")
    assert began <= int(down[2]) <= int(up[2]) <= ended, "the finger's times, whenever they were reported"
    host.say("lamp 1 on")
    host.say("ping 1")
    host.until(lambda body: body.startswith("pong"))
    host.say("ping 2")
    host.until(lambda body: body.startswith("pong"))
    assert (hub.lamp(0), hub.lamp(1)) == (False, True)

    hub.unplug()
    assert hub.port is None
    with pytest.raises(OSError):
        while True:
            host.heard()
    hub.lift(0, CARD)
    hub.hold(0)
    hub.plug()
    host = Host(hub)
    assert host.until(lambda body: body.startswith("hello")).split()[3] == boot, "the power was there all the time"
    host.say("again 5")
    down = host.event("")
    assert [down[1], *down[3:]] == ["5", "0", "down"]
    lifted = host.event("lifted")
    assert [lifted[1], *lifted[3:]] == ["6", "0", "lifted", CARD]

    hub.lay(0, OTHER)
    hub.power_off()
    assert not hub.lamp(1)
    hub.power_on()
    host.say("hello 1")
    assert host.until(lambda body: body.startswith("hello")).split()[3] != boot
    assert host.until(lambda body: body.startswith("place 0")) == "place 0 down new"
    assert host.event("well")[4:] == ["well", OTHER]


def test_a_reader_that_dies_and_comes_back(best: VirtualHub) -> None:
    hub, host = best, Host(best)
    host.event("well")
    hub.lay(0, CARD)
    host.event("laid")
    hub.chip(0).faults.stuck = True
    hub.chip(0)._registers[0x2A] = 0
    assert host.event("dead")[5:] == ["settings"]
    assert host.event("well")[5:] == [CARD], "the reset line has woken it"


def test_noise_on_the_way(plain: VirtualHub) -> None:
    hub, host = plain, Host(plain)
    host.until(lambda body: body.startswith("whole"))
    hub.hear(b"\x03\x04\xff" * 300 + b"\n" + line("ping 1"))
    assert host.until(lambda body: body.startswith("pong")).startswith("pong 1 ")
    lost: Queue[bytes] = Queue()

    def loses(data: bytes) -> bytes:
        lost.put(data)
        return b""

    hub.board.noise = loses
    host.say("ping 2")
    while b"pong 2" not in lost.get(timeout=PATIENCE):
        pass
    hub.board.noise = bytes
    host.say("ping 4")
    assert host.until(lambda body: body.startswith("pong")).startswith("pong 4 ")
    hub.say(b"nonsense\n")
    while b"nonsense\n" not in host.port.read(4096):
        pass


def test_a_firmware_that_cannot_go_on_starts_anew(plain: VirtualHub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub, host = plain, Host(plain)
    boot = host.until(lambda body: body.startswith("hello")).split()[3]

    anew = Event()

    def broken() -> list[tuple[int, int]]:
        if hub.board.boot == boot:
            raise MemoryError
        anew.set()
        return []

    monkeypatch.setattr(hub.board, "edges", broken)
    assert anew.wait(PATIENCE)
    host.say("hello 1")
    assert host.until(lambda body: body.startswith("hello") and boot not in body)


PORT = """
import io, machine, sys, time
class Os:
    urandom = staticmethod(bytes)
class Sys:
    platform, stdin, stdout = "PLATFORM", None, None
class Time:
    '''Passes where the firmware waits, and a little at each look: however long the computer stalls, the link holds.'''
    us = 0
    @staticmethod
    def ticks_us():
        Time.us += 10
        return Time.us
    @staticmethod
    def sleep_us(us):
        Time.us += us
    ticks_diff = staticmethod(lambda later, earlier: later - earlier)
    ticks_add = staticmethod(lambda ticks, more: ticks + more)
sys.modules["os"], sys.modules["sys"], sys.modules["time"] = Os, Sys, Time
time = Time
ROOM, WAIT = 256, 500
class Serial(io.IOBase):
    '''Standard input and output by USB: `read_by_host` says how many bytes of its buffer the host takes each ms that
    the board waits for room, which may last as long as MicroPython has it (mp_usbd_cdc_tx_strn).'''
    def __init__(self):
        self.data, self.buffered, self.written, self.waited, self.read_by_host = b"", 0, b"", 0, ROOM
        self.buffer = self
    def host(self):
        self.buffered -= min(self.buffered, int(self.read_by_host))
    def ioctl(self, request, flags):
        room = self.buffered < ROOM
        return flags & ((1 if self.data else 0) | (4 if room else 0)) if request == 3 else 0
    def read(self, count):
        taken, self.data = self.data[:count], self.data[count:]
        return taken
    def write(self, data):
        sent = 0
        while sent < len(data):
            began = self.waited
            while len(data) - sent > ROOM - self.buffered and self.waited - began < WAIT:
                self.waited += 1
                self.host()
            count = min(len(data) - sent, ROOM - self.buffered)
            if not count:
                break
            self.written += data[sent:sent + count]
            self.buffered += count
            sent += count
        return sent
import main
from loop import Loop
from host import ask
serial = Serial()
"""
MAIN = f"""
class Eager(machine.Timer):
    def __init__(self, number, **more):
        super().__init__(number, **more)
        more["callback"](self)
machine.Timer = Eager
known = []
class Board(main.Board):
    def _sample(self, timer):
        known.append(len(self.__dict__))
        super()._sample(timer)
board = Board(main.PLACES, serial, serial)
assert known == [len(board.__dict__)], "an interrupt meets a dictionary that is being enlarged"
loop = Loop(board)
def steps(count):
    for _ in range(count):
        board.feed()
        loop.step()
serial.data = {line("hello 1") + line("lamp 1 on")!r}
for _ in range(3):
    loop.due = [0, 0]
    steps(4)
    serial.host()
machine.LEVELS[2] = 0
board._timer.callback(board._timer)
machine.LEVELS[2] = 1
board._timer.callback(board._timer)
board._timer.callback(board._timer)
steps(1)
board._ticks = time.ticks_add(board._ticks, -20000)  # so much later
steps(3)
serial.host()
before = serial.written
assert machine.LEVELS[5] == 1 and machine.LEVELS[3] == 0, "lamps"
assert machine.LEVELS["LED"] == 1
assert machine.LEVELS[17] == machine.LEVELS[20] == machine.LEVELS[21] == 1
assert machine.GIVEN[17][:4] == [0, 1, 0, 1]
assert machine.MEALS[0] == 16
board._unseen = main.ASLEEP - 10
loop.due = [1 << 40, 1 << 40]
turns = [loop.turn() for _ in range(20)]
assert turns[9] and not turns[-1], "no sampling: the dog is to bite"
board._pulse()
assert machine.GIVEN[21] == [0, 1]
ask("done " + before.hex())
"""
QUIET_HOST = f"""
board = main.Board(main.PLACES, serial, serial)
loop = Loop(board)
loop.due = [1 << 40, 1 << 40]
serial.data = {line("hello 1")!r}
def steps(count):
    for _ in range(count):
        waited = serial.waited
        board.feed()
        loop.step()
        board._unseen = 0
        assert serial.waited == waited, "the step waits for the host"
serial.read_by_host = 0
steps(2)
for nonce in range(40):
    serial.data += PINGS[nonce]
    steps(1)
assert serial.buffered == ROOM and len(serial.written) == ROOM, "it has stopped reading"
for _ in range(150):
    serial.buffered -= min(serial.buffered, 31)
    steps(1)
assert serial.buffered == 0, "it reads a little at a time"
ask("done " + serial.written.hex())
"""
ANOTHER_PORT = """
timers = []
class Timer(machine.Timer):
    def __init__(self, number, **more):
        assert number == 0 and "hard" not in more, "there is no other timer"
        timers.append(number)
        super().__init__(number, hard=False, **more)
class Bus(machine.SPI):
    def __init__(self, bus, **more):
        assert bus == 1
        super().__init__(bus, **more)
machine.Timer, machine.SPI = Timer, Bus
board = main.Board(main.PLACES, serial, serial)
Loop(board).step()
assert timers == [0] and "LED" not in machine.LEVELS
dogs = []
machine.WDT = lambda timeout: dogs.append(timeout)
class Missing(machine.Timer):
    def __init__(self, number, **more):
        raise ValueError("invalid Timer number")
machine.Timer = Missing
try:
    main.Board(main.PLACES, serial, serial)
except ValueError:
    ask("done " + str(len(dogs)))
"""


def on_a_port(program: str, platform: str, chips: dict[str, Chip]) -> str:
    """What main.py comes to on a board without hardware, whose readers are `chips` by their pins."""
    needs_micropython()
    with micropython_process.process(PORT.replace("PLATFORM", platform) + program) as board:
        assert board.stdin and board.stdout
        for question in board.stdout:
            word, *values = question.split()
            if word == "done":
                break
            (low,) = [pin for pin in values[0].split(",") if pin in chips]
            assert word == "spi", "one chip is selected at a time"
            # it waits in earnest, 5 ms for a tag; the chip's own time does not pass meanwhile
            chips[low].clock.sleep(0.0051 if values[1] == "ee90a8d4d6d8daaaa200" else 0.0001)
            board.stdin.write(bytes(chips[low].transfer(bytes.fromhex(values[1]))).hex() + "\n")
            board.stdin.flush()
        else:
            pytest.fail("it has ended: see above")
        board.kill()
    return "".join(values)


def test_the_picos_own_file_on_pins_without_hardware() -> None:
    """main.py as it stands: chip selects, lamps, sampling, standard input and output, watchdog."""
    chips = {"17": Chip(VirtualClock()), "20": Chip(VirtualClock())}
    chips["20"].field.lay(CARD)
    sent = on_a_port(MAIN, "rp2", chips)
    said = [right(one + b"\n") for one in bytes.fromhex(sent).split(b"\n")[:-1]]
    assert said[0].startswith("hello 1 E6614C775B8B2C36 ")
    assert said[0].endswith(" rbl,rbl")
    events = [body.split() for body in said if body.startswith("event")]
    assert [event[3:] for event in events] == [["0", "well"], ["1", "well", CARD], ["0", "down"], ["0", "up"]]


def test_a_host_that_stops_reading_or_reads_little_never_makes_a_step_wait() -> None:
    """MicroPython waits half a second for room, twice; the watchdog bites after two seconds."""
    pings = [line(f"ping {nonce}") for nonce in range(40)]
    sent = on_a_port(QUIET_HOST.replace("PINGS", repr(pings)), "rp2", {})
    said = [right(one + b"\n") for one in bytes.fromhex(sent).split(b"\n")[:-1]]
    assert [body.split()[1] for body in said if body.startswith("pong")] == [str(nonce) for nonce in range(40)]


def test_an_esp32_has_a_timer_of_its_own_and_one_that_cannot_be_set_up_does_not_start_anew_for_ever() -> None:
    chips = {"17": Chip(VirtualClock()), "20": Chip(VirtualClock())}
    assert on_a_port(ANOTHER_PORT, "esp32", chips) == "0", "the watchdog was armed before"


@pytest.mark.parametrize("more", range(-2, 3))
def test_output_of_any_length_goes_out_whole(more: int) -> None:
    """A multiple of a packet's 64 bytes as well."""
    given: list[bytes] = []

    class Taking(Board):
        def send(self, data: bytes) -> int:
            given.append(data)
            return len(data)

    virtual = VirtualBoard(["bl"], "E6614C775B8B2C36")
    virtual.power_on()
    loop = modules()["loop"].Loop(Taking(virtual, modules()["rc522"].Rc522))
    virtual.inject(line("hello 1"))
    loop.step()
    for packets in range(1, 12):
        given.clear()
        said = [b"x" * (64 * packets + more - 1) + b"\n"]
        loop.hub.out = list(said)
        while loop.hub.out or loop.unsent:
            loop.step()
        assert b"".join(given).startswith(said[0])
        assert all(len(piece) <= 64 for piece in given)
    virtual.plug.close()


def test_a_host_that_takes_little_is_given_no_more_in_the_same_step() -> None:
    """Each further piece might hold up the step for half a second, and the watchdog is not patient."""
    given: list[bytes] = []

    class Slow(Board):
        def send(self, data: bytes) -> int:
            given.append(data)
            return 3

    virtual = VirtualBoard(["bl"], "E6614C775B8B2C36")
    virtual.power_on()
    virtual.inject(line("hello 1"))
    modules()["loop"].Loop(Slow(virtual, modules()["rc522"].Rc522)).step()
    assert len(given) == 1 and given[0].startswith(b"hello")
    virtual.plug.close()


def test_micropython_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(OSError, match="Node is not installed"):
        VirtualHub(["b"], micropython=True)


def test_closing_twice_and_power_on_twice_are_harmless() -> None:
    hub = VirtualHub(["b"])
    boot = hub.board.boot
    hub.power_on()
    assert hub.board.boot == boot
    hub.power_off()
    hub.power_off()
    hub.close()
