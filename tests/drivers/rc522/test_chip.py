"""The emulated chip and its tags, in the data sheets' own terms and under the real mfrc522 package."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from drivers.rc522.air import bcc, crc_a, first_part
from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.field import STARTUP
from drivers.virtual.spi import VirtualPi, installed
from drivers.virtual.tags import MIFARE, NTAG213, Tag, TagState, frame, parts, tag

needs_package = pytest.mark.skipif(not installed(), reason="the mfrc522 package is not installed")
UID = "04A3C6CAE26180"


def hear(tag: Tag, text: str) -> str | None:
    """A frame of whole bytes to a tag, its answer as hex."""
    answer = tag.hear(*frame(bytes.fromhex(text)))
    return None if answer is None else answer[0].to_bytes((answer[1] + 7) // 8, "little").hex().upper()


def call(tag: Tag, command: int) -> str | None:
    answer = tag.hear(command, 7)
    return None if answer is None else answer[0].to_bytes(2, "little").hex().upper()


def checked(text: str) -> str:
    return text + crc_a(bytes.fromhex(text)).hex()


@pytest.fixture
def sticker() -> Tag:
    sticker = tag(UID)
    sticker.power(True, 0.0)
    return sticker


@pytest.fixture
def chip() -> Chip:
    return Chip(VirtualClock())


@pytest.fixture
def pi(chip: Chip) -> VirtualPi:
    return VirtualPi({(0, 0): chip})


# -- tags -------------------------------------------------------------------------------------------------------------


def test_check_bytes_are_the_standards_own() -> None:
    assert crc_a(b"\x50\x00").hex() == "57cd"
    assert crc_a(b"\x00\x00").hex() == "a01e"  # annex B, the first example
    assert crc_a(b"\x12\x34").hex() == "26cf"  # and the second
    assert bcc(bytes.fromhex("8804A3C6")) == 0xE9


@pytest.mark.parametrize(
    ("uid", "cut"),
    [
        ("DEADBEEF", ["DEADBEEF"]),
        (UID, ["8804A3C6", "CAE26180"]),
        ("04112233445566778899", ["88041122", "88334455", "66778899"]),
    ],
)
def test_an_id_is_cut_in_fours(uid: str, cut: list[str]) -> None:
    assert [part.hex().upper() for part in parts(bytes.fromhex(uid))] == cut
    assert first_part(bytes.fromhex(uid)).hex().upper() == cut[0]


def test_an_ntag_is_selected_in_two_levels(sticker: Tag) -> None:
    assert call(sticker, 0x26) == "4400"
    assert hear(sticker, "9320") == "8804A3C6E9"
    assert hear(sticker, checked("93708804A3C6E9")) == checked("04").upper()
    assert hear(sticker, "9520") == "CAE26180C9"
    assert hear(sticker, checked("9570CAE26180C9")) == checked("00").upper()
    assert sticker.state is TagState.ACTIVE
    assert hear(sticker, checked("3000")) == checked("04A3C6E9CAE26180C9480000E1101200").upper()
    assert hear(sticker, checked("302C")) == checked("00000000" + "04A3C6E9CAE26180C9480000").upper()
    assert hear(sticker, checked("60")) == checked("0004040201000F03").upper()
    assert hear(sticker, checked("302D")) == "00"  # beyond the last page: NAK
    assert hear(sticker, checked("5000")) is None
    assert call(sticker, 0x26) is None
    assert call(sticker, 0x52) == "4400"


def test_bits_that_match_are_answered_with_the_rest(sticker: Tag) -> None:
    call(sticker, 0x26)
    sent = 0x88 | 0b100 << 8  # eleven bits of the first part
    answer = sticker.hear(0x93 | 0x33 << 8 | sent << 16, 27)
    assert answer == (int.from_bytes(bytes.fromhex("8804A3C6E9"), "little") >> 11, 29)


@pytest.mark.parametrize(
    "wrong", ["9520", "93308A", "93708804A3C6E90000", "93708804A3C6E8" + "0000", "26", "937088", "3004", "932000"]
)
def test_unexpected_frame_puts_the_tag_to_sleep(sticker: Tag, wrong: str) -> None:
    call(sticker, 0x26)
    assert hear(sticker, wrong) is None
    assert sticker.state is TagState.IDLE
    assert call(sticker, 0x26) == "4400"
    assert call(sticker, 0x26) is None, "a call to a tag that is awake"


def test_page_0_can_be_read_before_the_selection_has_ended(sticker: Tag) -> None:
    call(sticker, 0x52)
    assert hear(sticker, checked("3000")) == checked("04A3C6E9CAE26180C9480000E1101200").upper()
    classic = Tag("DEADBEEF", MIFARE)
    classic.power(True, 0.0)
    call(classic, 0x52)
    assert hear(classic, checked("3000")) is None


@pytest.mark.parametrize("uid", ["", "04", "0401B0", "04A3C6CAE2618000"])
def test_an_id_that_no_tag_has(uid: str) -> None:
    with pytest.raises(ValueError, match="4, 7 or 10 bytes"):
        tag(uid)


# -- registers --------------------------------------------------------------------------------------------------------


def read(chip: Chip, register: int) -> int:
    return chip.transfer([0x80 | register << 1, 0])[1]


def write(chip: Chip, register: int, *values: int) -> None:
    chip.transfer([register << 1, *values])


def test_registers_after_a_reset() -> None:
    chip = Chip(VirtualClock())
    write(chip, 0x14, 0x83)
    write(chip, 0x01, 0x0F)
    assert [read(chip, register) for register in (0x01, 0x04, 0x0E, 0x11, 0x14, 0x37)] == [
        0x20, 0x14, 0xA0, 0x3F, 0x80, 0x92,
    ]  # fmt: skip
    assert not chip.field.on


def test_one_transfer_fills_the_fifo_and_one_reads_many_registers() -> None:
    chip = Chip(VirtualClock())
    write(chip, 0x09, 1, 2, 3)
    assert chip.transfer([0x80 | 0x0A << 1, 0x80 | 0x09 << 1, 0x80 | 0x09 << 1, 0x80 | 0x37 << 1, 0]) == [
        0, 3, 1, 2, 0x92,
    ]  # fmt: skip
    write(chip, 0x09, *range(70))
    assert read(chip, 0x0A) == 64
    assert read(chip, 0x06) & 0x10
    write(chip, 0x0A, 0x80)
    assert (read(chip, 0x0A), read(chip, 0x09), read(chip, 0x06)) == (0, 0, 0)


def test_interrupts_are_cleared_and_set_by_their_bits() -> None:
    chip = Chip(VirtualClock())
    write(chip, 0x04, 0xA1)
    assert read(chip, 0x04) == 0x35
    write(chip, 0x04, 0x7F)
    assert read(chip, 0x04) == 0


def test_time_passes_with_each_transfer() -> None:
    chip = Chip(VirtualClock())
    read(chip, 0x37)
    assert chip.clock.now == pytest.approx(50e-6)
    chip.transfer([0x12, *bytes(9)])
    assert chip.clock.now == pytest.approx(50e-6 + 34e-6 + 80e-6)


def test_a_tag_hears_some_time_after_the_field_has_come_on() -> None:
    chip = Chip(VirtualClock())
    chip.field.lay(UID)
    write(chip, 0x14, 0x83)
    assert not chip.field.ask(0x26, 7)
    chip.clock.sleep(STARTUP)
    assert chip.field.ask(0x26, 7)
    write(chip, 0x14, 0x80)
    assert not chip.field.ask(0x52, 7)


# -- under the package ------------------------------------------------------------------------------------------------


@needs_package
def test_the_package_initialises_the_chip(pi: VirtualPi, chip: Chip) -> None:
    chip.trace = []
    pi.mfrc522().MFRC522(pin_mode=11, pin_rst=25)
    assert b"".join(chip.trace).hex() == "020f548d563e5a1e58002a40223da800a8002883"
    assert pi.gpio.levels == {25: 1}
    assert chip.field.on


@needs_package
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the package's ~False, from Python 3.12 on
def test_the_package_loses_bytes_polls_and_time_as_on_a_real_chip(pi: VirtualPi, chip: Chip) -> None:
    simple = pi.mfrc522().SimpleMFRC522()
    before = chip.transfers
    assert simple.read_id_no_block() is None
    assert chip.transfers - before == 2013
    chip.field.lay(UID)
    chip.clock.sleep(0.01)
    assert [simple.read_id_no_block() for _ in range(4)] == [0x8804A3C6E9, None, 0x8804A3C6E9, None]
    chip.field.lay(UID[:-2] + "81")
    assert simple.read_id_no_block() == 0x8804A3C6E9, "two cards read as one"


@needs_package
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_package_reads_a_mifare_card(pi: VirtualPi, chip: Chip) -> None:
    chip.field.put(Tag("DEADBEEF", MIFARE))
    simple = pi.mfrc522().SimpleMFRC522()
    chip.clock.sleep(0.01)
    assert simple.read_no_block() == (0xDEADBEEF22, "\0" * 48)


@needs_package
def test_loading_leaves_no_module_behind(pi: VirtualPi) -> None:
    names = ("spidev", "RPi", "RPi.GPIO", "mfrc522", "mfrc522.MFRC522")
    real: Any = object()
    sys.modules["spidev"] = real
    try:
        assert pi.mfrc522() is pi.mfrc522()
        assert sys.modules["spidev"] is real
    finally:
        del sys.modules["spidev"]
    assert not [name for name in names if name in sys.modules]


@needs_package
def test_two_virtual_pis_do_not_share_their_chips(pi: VirtualPi) -> None:
    other = VirtualPi({})
    pi.mfrc522().MFRC522(pin_mode=11, pin_rst=25)
    with pytest.raises(FileNotFoundError):
        other.mfrc522().MFRC522(pin_mode=11, pin_rst=25)


def test_ntag_and_mifare_answer_a_call_differently(make: Callable[[str], Tag] = tag) -> None:
    assert make(UID).kind is NTAG213
    assert make("DEADBEEF").kind is MIFARE
