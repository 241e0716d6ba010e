"""Looking for what is wired: nothing is driven, what answers is named, and what is found is heard through the drivers."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from companion.hardware.doctor import Finding
from companion.hardware.doctor.hubs import Box
from companion.hardware.doctor.search_findings import HubFound, SearchResults, findings
from companion.rules.message import code
from companion.rules.readings import Health, Press, Reading
from drivers.hub.lines import Hello
from drivers.port import Plugged, Where, lasting
from drivers.rc522 import discovery
from drivers.search import SearchTarget, kept, steady
from drivers.virtual.clock import VirtualClock
from drivers.virtual.setup_hardware import NOWHERE, TAG, VirtualSetupHardware
from drivers.virtual.spi import SpiDev

Words = SimpleQueue[Press | Reading | Health]


@pytest.fixture
def table() -> Iterator[VirtualSetupHardware]:
    with closing(VirtualSetupHardware()) as ground:
        yield ground


def test_everything_that_answers_is_found(table: VirtualSetupHardware) -> None:
    found = table.ground.look()
    assert [(of.at.place, of.at.version, of.at.fault) for of in found.readers] == [
        ("SPI0.0", 0x92, ""),
        ("SPI0.1", 0x92, ""),
    ]
    (hub,) = found.hubs
    assert table.hub
    assert (hub.name, hub.where, hub.dtr) == ("box1", ("serial", table.hub.board.identity), True)
    assert set(table.sources[0]) <= set(found.buttons) and table.sources[1] == found.sources
    assert not {7, 8, 9, 10, 11, 25, 2, 3, 14, 15, 0, 1} & set(found.pins), "the readers' and the system's"
    assert {16, 20, 21} <= set(found.pins) and not found.held and not found.fault
    assert {finding.verdict for finding in findings(found)} == {"pass"}


def test_looking_reads_the_version_and_nothing_else(table: VirtualSetupHardware) -> None:
    chip = table.chips[0, 0]
    chip.trace = []
    table.ground.look()
    assert {bytes(sent) for sent in chip.trace} == {bytes(discovery.READ_VERSION)}
    assert not table.pi.gpio.levels, "no reset line was claimed"


def test_silent_devices_are_reported_with_a_reason(table: VirtualSetupHardware) -> None:
    table.chips[0, 0].faults.dead = 0xFF
    table.chips[0, 1].faults.version = 0x88
    found = table.ground.look()
    assert [code(of.at.fault) for of in found.readers] == ["reads_FF", ""]
    assert found.sources[0] == "SPI0.1"
    silent = next(finding for finding in findings(found) if finding.part == "reader SPI0.0")
    assert "SDA" in silent.next


def test_a_chip_whose_reset_line_needs_pulling_up_is_found(table: VirtualSetupHardware) -> None:
    """Without a driven pin: the pull-up of an input lets it start."""
    chip, opened = table.chips[0, 0], table._open_pins
    chip.faults.dead = 0x00

    def pulled() -> Any:
        chip.faults.dead = None
        return opened()

    ground = SearchTarget(**{name: getattr(table.ground, name) for name in SearchTarget.__slots__} | {"pins": pulled})
    assert ground.look().readers[0].answers


def test_a_reset_line_at_ground_is_not_driven_against(table: VirtualSetupHardware) -> None:
    table.hold("GPIO 25")
    found = table.ground.look()
    assert not any(of.answers for of in found.readers) and "GPIO 25" in found.readers[0].at.fault


def test_a_pin_at_ground_is_no_button(table: VirtualSetupHardware) -> None:
    table.hold("GPIO 12")
    found = table.ground.look()
    assert found.held == {12} and 12 not in found.pins


def test_without_pins_readers_and_hubs_are_found_all_the_same(table: VirtualSetupHardware) -> None:
    def none() -> Any:
        raise ImportError("No module named 'lgpio'")

    ground = SearchTarget(**{name: getattr(table.ground, name) for name in SearchTarget.__slots__} | {"pins": none})
    found = ground.look()
    assert found.fault == "No module named 'lgpio'" and not found.pins and len(found.sources) == 4
    assert "lgpio" in next(finding.what for finding in findings(found) if finding.part == "pins")


def test_a_computer_that_is_no_pi_has_no_pins_and_misses_no_bus() -> None:
    with closing(VirtualSetupHardware(chips=(), pi=False)) as table:
        found = table.ground.look()
    assert not found.pins and not found.readers and [hub.name for hub in found.hubs] == ["box1"]


def wait(words: Words, wanted: Any) -> list[Any]:
    """The words up to this one."""
    came = [words.get()]
    while not (isinstance(came[-1], type(wanted)) and _same(came[-1], wanted)):
        came.append(words.get())
    return came


def _same(word: Any, wanted: Any) -> bool:
    slots = [name for name in type(wanted).__slots__ if name not in ("t", "detail")]
    return [getattr(word, name) for name in slots] == [getattr(wanted, name) for name in slots]


def test_all_that_was_found_is_heard_through_the_drivers(table: VirtualSetupHardware) -> None:
    words: Words = SimpleQueue()
    with closing(table.ground.listen(table.ground.look(), words.put)):
        for source in table.sources[1]:
            table.lay(source)
            wait(words, Reading(source, TAG, True, 0))
            table.lift(source)
            wait(words, Reading(source, TAG, False, 0))
        for source in table.sources[0]:
            table.hold(source)
            wait(words, Press(source, True, 0))
            table.let_go(source)
            wait(words, Press(source, False, 0))


def test_a_hub_that_is_unplugged_meanwhile_says_so(table: VirtualSetupHardware) -> None:
    words: Words = SimpleQueue()
    assert table.cable
    with closing(table.ground.listen(table.ground.look(), words.put)):
        table.lay("box1 place 0")
        wait(words, Reading("box1 place 0", TAG, True, 0))
        table.cable.unplug()
        came = wait(words, Health("hub box1", False))
        assert "unplugged" in came[-1].detail
        table.cable.plug()
        wait(words, Health("hub box1", True))


# -- on the bus ----------------------------------------------------------------------------------------------------


class Wire(SpiDev):
    """A bus on which something says this, one byte after the other."""

    def __init__(self, *says: int) -> None:
        super().__init__({})
        self.says = list(says)

    def open(self, bus: int, device: int) -> None:
        pass

    def xfer2(self, sent: list[int]) -> list[int]:
        return [0, self.says.pop(0) if len(self.says) > 1 else self.says[0]]


@pytest.mark.parametrize(
    ("says", "version"),
    [
        ((0x92,), 0x92),
        ((0, 0, 0, 0, 0, 0, 0x91), 0x91),
        ((0,), None),
        ((0xFF,), None),
        ((0, 0xFF) * 99, None),
        ((0x92, 0x13) * 99, None),
    ],
)
def test_a_chip_may_take_its_time_and_a_loose_wire_is_no_chip(says: tuple[int, ...], version: int | None) -> None:
    (found,) = discovery.search(lambda: [(0, 0)], lambda: Wire(*says), VirtualClock())
    assert found.version == version and bool(found.fault) == (version is None)


def test_places_are_those_that_have_a_file(tmp_path: Path) -> None:
    assert discovery.places(tmp_path) == [(0, 0), (1, 0)]
    (tmp_path / "dev").mkdir()
    for name in ("spidev0.0", "spidev0.1", "spidev0.7", "spidev10.0", "spidevice"):
        (tmp_path / "dev" / name).touch()
    assert discovery.places(tmp_path) == [(0, 0), (0, 1), (1, 0)]


def test_a_bus_that_is_off_and_one_that_is_not_ours_say_what_to_do() -> None:
    class Denied(Wire):
        def open(self, *_: int) -> None:
            raise PermissionError(13, "Permission denied")

    (off,) = discovery.search(lambda: [(1, 0)], lambda: SpiDev({}), VirtualClock())
    (denied,) = discovery.search(lambda: [(0, 0)], lambda: Denied(0), VirtualClock())
    assert "spi1-3cs" in off.fault and "group spi" in denied.fault


# -- a port that is found again ------------------------------------------------------------------------------------


class Board:
    """A board that restarts when its port is opened with these settings of its control lines, and answers with those."""

    def __init__(self, restarts: Container[bool], answers: Container[bool] = (True, False)) -> None:
        self.boot, self.restarts, self.answers = 0, restarts, answers

    def greet(self, _: str, dtr: bool = True) -> tuple[Hello | None, str]:
        self.boot += dtr in self.restarts
        return (Hello(1, "E6", str(self.boot), "1.0.0", ("r",)) if dtr in self.answers else None), ""


@pytest.mark.parametrize(
    ("board", "dtr", "anyway"),
    [(Board(()), True, False), (Board([True]), False, False), (Board([True, False]), False, True),
     (Board((), [True]), True, False), (Board([True], [True]), True, True)],
    ids=["stays", "by its control lines", "in any case", "silent without them", "and restarts by them"],
)  # fmt: skip
def test_a_board_that_restarts_when_its_port_is_opened_is_opened_quietly(board: Board, dtr: bool, anyway: bool) -> None:
    first, _ = board.greet("")
    assert first
    assert steady("/dev/ttyUSB0", first.boot, board.greet) == (dtr, anyway)
    told = next(
        lines_of(HubFound(Box("box1", "/dev/ttyUSB0", "", "E6", "1.0.0", ("r",)), ("serial", "E661"), dtr, anyway))
    )
    assert (told.verdict, "restarts" in told.what) == (("warn", True) if anyway else ("pass", False))


def test_a_board_that_has_restarted_once_is_no_reason() -> None:
    assert steady("/dev/ttyACM0", "another", Board((), [True]).greet) == (True, False)


def lines_of(hub: HubFound) -> Iterator[Finding]:
    """What the search says of it."""
    return (each for each in findings(SearchResults(hubs=[hub])) if each.part == "hub box1")


def test_a_hub_is_listened_to_by_what_stays() -> None:
    box = Box("box1", "/dev/ttyACM0", "", "E6", "1.0.0", ("r",))
    assert kept(HubFound(box, ("serial", "E661"))) == Where(serial="E661")
    assert kept(HubFound(box, ("port", "/dev/serial/by-id/x"))) == Where(path="/dev/serial/by-id/x")


def test_a_port_is_named_by_what_stays(tmp_path: Path) -> None:
    one = Plugged("/dev/ttyACM0", "2E8A:0005", "E6614C77")
    twin = Plugged("/dev/ttyACM1", "2E8A:0005", "E6614C77")
    plain = Plugged("/dev/ttyUSB0", "1A86:7523", "")
    assert lasting(one, [one, plain], tmp_path) == ("serial", "E6614C77")
    assert lasting(plain, [one, plain], tmp_path) == ("usb", "1A86:7523")
    assert lasting(twin, [one, twin], tmp_path) == ("", "")
    links = tmp_path / "dev" / "serial" / "by-path"
    links.mkdir(parents=True)
    (tmp_path / "dev" / "ttyACM1").touch()
    (links / "pci-0:1").symlink_to("../../ttyACM1")
    assert lasting(twin, [one, twin], tmp_path) == ("port", "/dev/serial/by-path/pci-0:1")
    assert lasting(Plugged("/dev/x", "2E8A:0005", " 7 "), [], NOWHERE)[0] != "serial"


@pytest.mark.parametrize("serial", ["0001", "0", "00000000", "123456", "1234567890", "AAAAAAAA"])
def test_factory_serial_numbers_identify_no_device(serial: str, tmp_path: Path) -> None:
    """By its kind while it is the only one, then by its place: a name with that number in it may be the other's."""
    one, twin = (Plugged(f"/dev/ttyUSB{number}", "10C4:EA60", serial) for number in (0, 1))
    assert lasting(one, [one], tmp_path) == ("usb", "10C4:EA60")
    for folder in ("by-id", "by-path"):
        (tmp_path / f"dev/serial/{folder}").mkdir(parents=True)
        (tmp_path / f"dev/serial/{folder}/usb-{folder}").symlink_to("../../ttyUSB0")
    (tmp_path / "dev/ttyUSB0").touch()
    assert lasting(one, [one, twin], tmp_path) == ("port", "/dev/serial/by-path/usb-by-path")
    genuine = replace(one, serial="E6614C77")
    assert lasting(genuine, [genuine, twin], tmp_path) == ("serial", "E6614C77")
