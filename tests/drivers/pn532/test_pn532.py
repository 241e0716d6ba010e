"""The PN532: its frames, the chip on a line with every fault, and on a real pseudo terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.common import settings_of
from companion.cli.hardware import examined
from companion.cli.rigs import real
from companion.hardware.settings import Settings
from companion.rules.message import code
from companion.rules.mistakes import ConfigError
from companion.rules.readings import Health, Press, Reading
from drivers.pn532.discovery import search
from drivers.pn532.frames import ACK, ERROR, NACK, Damaged, Listener, answer, frame
from drivers.pn532.kind import KIND
from drivers.pn532.reader import Pn532
from drivers.pn532.settings import Pn532Settings
from drivers.port import Plugged, SerialPort
from drivers.virtual.hub import VirtualHub
from tests.support.pn532 import ERROR_FRAME, Pn532Chip, Pn532Wire, VirtualPn532
from tests.support.pn532_evening import at, opened, play

CARD, OTHER, THIRD, SHORT = "04A3C6CAE26180", "0411223344AA55", "04FFEEDDCCBBAA", "DEADBEEF"


# -- frames (UM0701-02, 6.2.1) -----------------------------------------------------------------------------------------


def test_frames_are_those_of_the_manual() -> None:
    assert frame(bytes([0x02])) == bytes.fromhex("0000FF02FED4022A00")
    assert frame(bytes.fromhex("4A0100")) == bytes.fromhex("0000FF04FCD44A0100E100")


def listened(data: bytes, at_a_time: int = 1) -> list[bytes]:
    heard, found = Listener(), []
    for begin in range(0, len(data), at_a_time):
        heard.feed(data[begin : begin + at_a_time])
        while (said := heard.next()) is not None:
            found.append(said)
    return found


@given(st.lists(st.binary(min_size=1, max_size=60), max_size=4), st.integers(1, 9))
def test_frames_are_found_however_they_are_cut(bodies: list[bytes], at_a_time: int) -> None:
    line = b"".join(ACK + answer(body) for body in bodies) + NACK + ERROR_FRAME
    assert listened(line, at_a_time) == [said for body in bodies for said in (ACK, body)] + [NACK, ERROR]


@given(
    st.binary(max_size=40).filter(lambda noise: b"\x00\x00\xff" not in noise + b"\x00\x00"),
    st.binary(min_size=1, max_size=20),
)
def test_noise_before_a_frame_costs_nothing(noise: bytes, body: bytes) -> None:
    if not noise.endswith(b"\x00"):
        assert listened(noise + answer(body)) == [body]


@given(st.binary(min_size=1, max_size=30), st.integers(0, 1000), st.integers(0, 7))
def test_no_flipped_bit_makes_another_answer(body: bytes, place: int, bit: int) -> None:
    whole = bytearray(answer(body))
    whole[place % len(whole)] ^= 1 << bit
    try:
        found = listened(bytes(whole))
    except Damaged:
        return
    assert found in ([], [body])  # the bytes before and after it are not read


# -- the chip on a line, in virtual time --------------------------------------------------------------------------------


def test_a_tag_that_stays_is_seen_by_every_look() -> None:
    chip, wire, clock = at(CARD)
    reader = opened(wire, clock)
    assert reader.version == 0x0106
    assert [reader.poll() for _ in range(20)] == [{CARD}] * 20
    chip.lift(CARD)
    assert reader.poll() == set()


def test_two_tags_are_told_apart_and_said_to_be_several() -> None:
    chip, wire, clock = at(CARD, SHORT)
    reader = opened(wire, clock)
    assert reader.poll() == {CARD, SHORT} and reader.several
    chip.lift(CARD)
    assert reader.poll() == {SHORT} and not reader.several


def test_the_chip_is_left_waiting_for_a_tag_by_nobody() -> None:
    _, wire, clock = at()
    reader = opened(wire, clock)
    before = clock.monotonic()
    assert reader.poll() == set() and clock.monotonic() - before < 0.05


def test_a_mute_chip_and_another_one_are_told_from_each_other() -> None:
    _, wire, clock = at(mute=True)
    with pytest.raises(OSError, match="does not answer") as mute:
        opened(wire, clock)
    other = Pn532Wire(Pn532Chip(version=b"\x07\x01\x06\x07"), clock)
    with pytest.raises(OSError, match="not a PN532") as strange:
        opened(other, clock)
    for fault in (mute, strange):
        assert code(fault.value.args[0]) in KIND.checkup.remedies


def test_a_clone_that_sees_four_bytes_alone_misses_an_ntag_and_nothing_else() -> None:
    _, wire, clock = at(CARD, SHORT, sees_four=True)
    assert opened(wire, clock).poll() == {SHORT}


@pytest.mark.parametrize("fault", ["flip", "lose", "half", "unheard", "deaf"])
@pytest.mark.parametrize("seed", range(4))
def test_no_ghost_no_duplicate_and_no_loss_that_the_chip_can_prevent(fault: str, seed: int) -> None:
    play(Random(seed), 150, **{fault: 0.003 if fault in ("flip", "lose") else 0.03})


# -- a real pseudo terminal ---------------------------------------------------------------------------------------------


@pytest.fixture
def board() -> Iterator[VirtualPn532]:
    with closing(VirtualPn532()) as there:
        yield there


def settings(text: str) -> Settings:
    Path("config.yaml").write_text(text)
    found: Settings = settings_of(SimpleNamespace(config=None, virtual=None))  # type: ignore[arg-type]
    return found


def table(link: Path) -> Settings:
    return settings(f"data: data\nhardware: usb\nreaders: {{centre: {{kind: pn532, port: {link}}}}}\n")


def test_a_card_is_played_and_the_board_unplugged_and_plugged_in_again(
    board: VirtualPn532, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    link = tmp_path / "by-id"
    link.symlink_to(board.port)
    words: SimpleQueue[Reading | Press | Health] = SimpleQueue()
    rig = real(table(link), words.put)
    board.chip.lay(CARD)
    laid = words.get(timeout=150)
    assert isinstance(laid, Reading) and (laid.reader, laid.tag, laid.present) == ("centre", CARD, True)
    board.unplug()
    ill = words.get(timeout=150)
    assert isinstance(ill, Health) and not ill.well and "unplugged" in ill.detail
    board.chip.lift(CARD)
    board.chip.lay(OTHER)
    board.plug()
    link.unlink()
    link.symlink_to(board.port)
    heard = [words.get(timeout=150) for _ in range(3)]
    assert heard[0] == Health("reader centre", True)
    assert {(word.tag, word.present) for word in heard[1:] if isinstance(word, Reading)} == {
        (CARD, False),
        (OTHER, True),
    }
    rig.close()


def test_the_doctor_knows_its_chip(board: VirtualPn532, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    board.chip.lay(CARD)
    found = examined(table(Path(board.port)), polls=5)
    mine = [finding.what for finding in found if finding.part == "reader centre"]
    assert "PN532, firmware 1.6" in mine and any(CARD in what for what in mine), mine


def test_a_search_tells_it_from_a_hub_before_anybody_greets_the_port(board: VirtualPn532) -> None:
    with closing(VirtualHub(("rbl",))) as hub:
        ports = [Plugged(board.port, "1A86:7523", ""), Plugged(str(hub.port), "10C4:EA60", "7")]
        (found,) = search(lambda: ports)
        assert found == type(found)(board.port, Pn532Settings(usb="1A86:7523"), 0x0106)


def test_a_port_on_the_pins_that_is_not_there_is_not_to_be_plugged_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = examined(table(Path("/dev/ttyAMA99")), polls=1)
    (mine,) = [finding for finding in found if finding.part == "reader centre"]
    assert mine.what == "There is no /dev/ttyAMA99" and "make pi" in mine.next and "/dev/serial0" in mine.next


@pytest.mark.parametrize(
    ("keys", "reported"),
    [
        ("", "readers.centre.port: say where it is plugged in: serial, usb or port (tabularium setup finds it)"),
        (
            ', port: /dev/serial0, usb: "1A86:7523"',
            "readers.centre.port: usb and port say the same thing: keep one of them",
        ),
        (", port: /dev/ttyUSB0", "readers.centre.port: the number of /dev/ttyUSB0 may change"),
        (", usb: 1A86", "readers.centre.usb: expected two groups of four hex digits"),
    ],
)
def test_config_yaml_says_once_where_it_is(
    keys: str, reported: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as wrong:
        settings(f"hardware: usb\nreaders: {{centre: {{kind: pn532{keys}}}}}\n")
    assert [line for line in wrong.value.lines if reported in line], wrong.value.lines


class Chatters:
    """A port from which the same bytes come without an end."""

    def __init__(self, said: bytes) -> None:
        self.said, self.reads, self.closed = said, 0, False

    def read(self, _: float) -> bytes:
        self.reads += 1
        assert self.reads < 5_000, "nobody listens for ever"
        return self.said

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("said", [ACK, NACK, answer(b"\x77"), ERROR_FRAME, b"\x00", b"\xff"])
def test_a_chip_that_repeats_itself_is_given_up(said: bytes) -> None:
    line, times = Chatters(said), count()
    with pytest.raises(OSError, match="does not answer"):
        Pn532(line, clock=lambda: next(times) / 1000)
    assert line.closed


def test_a_real_port_is_let_go_of_when_nobody_answers(board: VirtualPn532) -> None:
    board.chip.faults.mute = True
    for _ in range(2):
        with pytest.raises(OSError, match="does not answer"):
            Pn532(SerialPort(board.port))
    board.chip.faults.mute = False
    with closing(Pn532(SerialPort(board.port))) as reader:
        assert reader.poll() == set()
