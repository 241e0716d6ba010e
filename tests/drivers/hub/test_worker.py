"""A hub on a real port (a pseudo terminal) under its thread: found, opened, lost, found again, and closed."""

import os
import random
import select
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
import serial

from companion.rules.readings import CENTRE, Health, Press, Reading
from drivers import port as ports
from drivers.hub.faults import started
from drivers.hub.worker import Hub, HubWorker
from drivers.port import Absent, Plugged, SerialPort, Where, find
from drivers.rig import Rig, Wiring
from drivers.virtual.hub import VirtualHub
from tests.support.hub_trial import CARD, HubTrial, Words

CYCLES = int(os.environ.get("TABULARIUM_REPLUGS", "20"))
HERE = [Plugged("/dev/ttyACM0", "2E8A:0005", "E6614C775B8B2C36"), Plugged("/dev/ttyACM1", "303A:1001", "AA:BB")]


@pytest.fixture
def table() -> Iterator[HubTrial]:
    table = HubTrial()
    table.worker.start()
    table.hub.lay(0, CARD)
    table.until(lambda word: isinstance(word, Reading))
    yield table
    table.close()


def test_buttons_cards_and_lamps(table: HubTrial) -> None:
    table.hub.hold(1)
    down = table.press("blue", True)
    table.hub.let_go(1)
    up = table.press("blue", False)
    assert up.t >= down.t
    table.hub.lift(0, CARD)
    lifted = table.until(lambda word: isinstance(word, Reading))
    assert (lifted.reader, lifted.tag, lifted.present) == ("red", CARD, False)
    table.worker.show({"red": "on", "blue": "off", "green": "on"})
    for _ in range(60_000):
        if table.hub.lamp(0):
            break
        table.wait(0.01)
    assert table.hub.lamp(0) and not table.hub.lamp(1)


def test_a_plug_that_comes_out_and_goes_in_again(table: HubTrial) -> None:
    table.hub.unplug()
    lost = table.health("hub box", False)
    assert "unplugged" in lost.detail
    table.hub.hold(0)
    table.hub.let_go(0)
    table.hub.hold(1)
    table.hub.plug()
    table.press("blue", True)
    reported = [(word.device, word.well) for word in table.reported if isinstance(word, Health)]
    assert reported[:3] == [("box red", False), ("box blue", False), ("hub box", False)]
    assert reported[-3:] == [("hub box", True), ("box red", True), ("box blue", True)]


def test_the_power_goes_and_comes_back(table: HubTrial) -> None:
    table.hub.unplug()
    table.hub.power_off()
    table.health("hub box", False)
    table.hub.lift(0, CARD)
    table.hub.hold(1)
    table.hub.power_on()
    table.hub.plug()
    assert table.health("hub box", True).detail == started("box")
    assert not table.press("blue", True).edge
    lifted = table.until(lambda word: isinstance(word, Reading))
    assert not lifted.present


def test_plugs_at_any_moment_lose_nothing_and_double_nothing(table: HubTrial) -> None:
    chance, held = random.Random(9), [False, False]
    pressed: list[list[bool]] = [[], []]
    for _ in range(CYCLES):
        for _ in range(chance.randrange(1, 4)):
            place = chance.randrange(2)
            held[place] = not held[place]
            (table.hub.hold if held[place] else table.hub.let_go)(place)
            pressed[place].append(held[place])
            table.wait(chance.random() * 0.015 + 0.015)  # longer than it is debounced
        table.hub.unplug()
        if chance.random() < 0.5 and table.well:
            table.health("hub box", False)
        table.hub.plug()
        if chance.random() < 0.5 and not table.well:
            table.health("hub box", True)
    while sum(isinstance(word, Press) for word in table.reported) < sum(map(len, pressed)):
        table.until(lambda word: isinstance(word, Press))
    for seat, levels in zip(("red", "blue"), pressed, strict=True):
        assert [word.down for word in table.reported if isinstance(word, Press) and word.seat == seat] == levels
    assert not [word for word in table.reported if isinstance(word, Health) and word.well and word.detail]


def test_a_hub_that_is_plugged_in_after_the_start() -> None:
    table = HubTrial()
    table.hub.unplug()
    table.worker.start()
    assert "nothing is plugged in" in table.health("hub box", False).detail
    table.hub.plug()
    table.health("hub box", True)
    table.close()


def test_closing_does_not_wait_for_the_hub_and_may_be_done_twice(table: HubTrial) -> None:
    table.worker.stop()
    table.worker.close()
    table.worker.close()
    table.worker.show({"red": "on"})
    assert not [thread for thread in threading.enumerate() if thread.name == "hub box"]
    assert table.worker.port is None


def test_a_worker_that_never_started_closes() -> None:
    words: Words = SimpleQueue()
    HubWorker("box", Hub(Where(path="/dev/nothing"), ("red",)), words.put).close()


def test_a_port_belongs_to_one_program(table: HubTrial) -> None:
    assert table.hub.port
    with pytest.raises(OSError, match="is in use: close the other program"):
        SerialPort(table.hub.port)


def test_a_rig_of_hubs_alone_needs_no_pins() -> None:
    hub = VirtualHub(["rbl"])
    words: Words = SimpleQueue()
    assert hub.port

    def none() -> Any:
        raise AssertionError("never asked for")

    rig = Rig(Wiring(pins=none, hubs={"box": Hub(Where(path=hub.port), (CENTRE,))}), words.put)
    hub.lay(0, CARD)
    laid = words.get(timeout=600)
    assert isinstance(laid, Reading) and laid.reader == CENTRE
    rig.show({"red": "on"})
    rig.close()
    rig.close()
    hub.close()


# -- ports ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "path"),
    [
        (Where(serial="e6614c775b8b2c36"), "/dev/ttyACM0"),
        (Where(usb="303a:1001"), "/dev/ttyACM1"),
        (Where(path="/dev/null"), "/dev/null"),
    ],
)
def test_a_port_is_found_by_what_is_plugged_in(where: Where, path: str) -> None:
    assert find(where, lambda: HERE) == path


@pytest.mark.parametrize(
    ("where", "there", "reported"),
    [
        (
            Where(serial="E66"),
            HERE,
            r"E66\. Plugged in: /dev/ttyACM0 \(2E8A:0005, serial E6614C775B8B2C36\), /dev/ttyACM1",
        ),
        (Where(serial="E66"), [], "E66: no such device is plugged in"),
        (Where(usb="2E8A:0005"), HERE[1:], "No serial port has the number 2E8A:0005. Plugged in: /dev/ttyACM1"),
        (Where(path="/dev/serial/by-id/x"), HERE, "There is no /dev/serial/by-id/x. Plugged in: /dev/ttyACM0"),
    ],
)
def test_a_port_that_is_not_there_is_reported_with_those_that_are(
    where: Where, there: list[Plugged], reported: str
) -> None:
    with pytest.raises(Absent, match=reported):
        find(where, lambda: there)


def test_a_kind_that_fits_two_ports_asks_for_a_serial_number() -> None:
    two = [HERE[0], Plugged("/dev/ttyACM7", "2E8A:0005", "OTHER")]
    with pytest.raises(OSError, match=r"2E8A:0005 matches /dev/ttyACM0 \(.*\), /dev/ttyACM7 \(.*\): use serial"):
        find(Where(usb="2E8A:0005"), lambda: two)


@pytest.mark.parametrize("where", [Where(usb="10C4:EA60"), Where(serial="0001")])
def test_twins_with_the_factorys_number_are_told_apart_by_their_sockets(where: Where) -> None:
    two = [Plugged(f"/dev/ttyUSB{number}", "10C4:EA60", "0001") for number in (0, 1)]
    with pytest.raises(OSError, match="use port, with its name in /dev/serial/by-path"):
        find(where, lambda: two)


def test_the_ports_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [
        SimpleNamespace(device="/dev/ttyACM0", vid=0x2E8A, pid=5, serial_number="E66", product="Pico"),
        SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None, serial_number=None, product=None),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: seen)
    assert ports.plugged() == [Plugged("/dev/ttyACM0", "2E8A:0005", "E66", "Pico")]


@pytest.mark.parametrize(
    ("number", "reported"),
    [
        (2, "There is no /dev/x"),
        (13, "usermod -aG dialout"),
        (16, "is in use"),
        (5, "^/dev/x cannot be opened: Input/output error$"),
        (None, "is not a serial port"),
    ],
)
def test_a_port_that_cannot_be_opened_says_what_to_do(
    number: int | None, reported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Any) -> None:
        what = os.strerror(number) if number else "Could not configure port"
        raise serial.SerialException(number, what) if number else serial.SerialException(what)

    monkeypatch.setattr(serial.Serial, "open", refuse)
    with pytest.raises(OSError, match=reported):
        SerialPort("/dev/x")


def stuff(port: int) -> None:
    """Writes until nothing more goes in; the kernel makes room for a while behind our back."""
    os.set_blocking(port, False)
    while select.select([], [port], [], 0.3)[1]:
        with suppress(BlockingIOError):
            os.write(port, bytes(4096))


def test_a_question_does_not_end_with_a_full_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "WRITE_S", 0.05)
    near, far = os.openpty()
    tty.setraw(far)
    words: Words = SimpleQueue()
    worker = HubWorker("box", Hub(Where(path=os.ttyname(far)), ()), words.put)
    while words.empty():  # a busy kernel may have made room once more
        stuff(far)
        worker.turn()
    worker.close()
    for end in (near, far):
        os.close(end)
    reported = words.get_nowait()
    assert (
        isinstance(reported, Health)
        and "It no longer accepts data. Has its program stopped? Retrying" in reported.detail
    )


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="is not a serial port"):
        SerialPort(str(tmp_path / "file"))


@pytest.mark.parametrize("dtr", [True, False])
def test_no_order_of_the_control_lines_resets_an_esp32(dtr: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reset while DTR is low and RTS is high; the kernel raises both as a port is opened."""
    up = {termios.TIOCM_DTR, termios.TIOCM_RTS}
    seen = [frozenset(up)]

    def ioctl(_: int, request: int, argument: bytes) -> bytes:
        (line,) = (line for line in (termios.TIOCM_DTR, termios.TIOCM_RTS) if line & int.from_bytes(argument, "little"))
        (up.add if request == termios.TIOCMBIS else up.discard)(line)
        seen.append(frozenset(up))
        return argument

    monkeypatch.setattr("serial.serialposix.fcntl.ioctl", ioctl)
    near, far = os.openpty()
    tty.setraw(far)
    with closing(SerialPort(os.ttyname(far), dtr)):
        assert (seen[-1] == set()) is not dtr
        assert frozenset({termios.TIOCM_RTS}) not in seen
    for end in (near, far):
        os.close(end)


def test_a_hub_that_takes_nothing_does_not_hold_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "WRITE_S", 0.05)
    near, far = os.openpty()
    tty.setraw(far)
    open_port = SerialPort(os.ttyname(far), dtr=False)
    with pytest.raises(OSError, match="no longer accepts"):
        open_port.write(bytes(1_000_000))
    open_port.close()
    open_port.close()
    for end in (near, far):
        os.close(end)
