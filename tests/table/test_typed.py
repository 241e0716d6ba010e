"""Readers that type: their numbers, and cards that come and never leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from companion.cli.common import settings_of
from companion.deck.enrol import enrolment
from companion.hardware.doctor.hour import STEPS
from companion.rules.message import code
from companion.rules.mistakes import ConfigError
from companion.rules.readings import Health, Press, Reading
from drivers.commissioning import ReaderCommissioning
from drivers.controllers.listed import Plug
from drivers.presence import OneCard
from drivers.rig import Wiring
from drivers.typed.kind import KIND
from drivers.typed.numbers import Sends, tag
from drivers.typed.reader import ENTER, KEYS, LIES_S, TypedReader
from drivers.worker import ReaderWorker
from tests.support.evdev import VirtualEvdev, VirtualInput

CODES = {sign: key for key, sign in reversed(KEYS.items())}
SEVEN = "04A3C6CAE26180"


@pytest.mark.parametrize(
    ("typed", "sends", "found"),
    [
        ("0077858966", "10D", "04A40896"),
        ("77858966", "10D", "04A40896"),
        ("00077858966", "10D", "04A40896"),
        ("00077858966", "reversed", "9608A404"),
        ("1307210921697664", "10D", "04A4E6C2A26180"),
        ("01307210921697664", "10D", "04A4E6C2A26180"),
        ("1307210921697664", "reversed", "8061A2C2E6A404"),
        ("77858966", "8H", "77858966"),
        ("77858966", "reversed", "66898577"),
        ("04a40896", "8H", "04A40896"),
        (SEVEN, "8H", SEVEN),
        ("9608A404", "reversed", "04A40896"),
        ("2517148676", "reversed", "04A40896"),
        ("0102030405060708", "8H", "0102030405060708"),
        ("0102030405060708", "reversed", "0807060504030201"),
        ("0100ab12cd", "8H", "0100AB12CD"),
    ],
)
def test_a_number_is_the_tag_however_it_is_written(typed: str, sends: Sends, found: str) -> None:
    assert tag(typed, sends) == found


@pytest.mark.parametrize(
    ("typed", "sends"),
    [
        ("04A40896", "10D"),
        ("9999999999", "10D"),
        ("123", "8H"),
        ("123456", "10D"),
        ("12345678901234", "10D"),
        ("99999999999999999", "10D"),
        ("0077858966", "8H"),
        ("04A40896A", "reversed"),
    ],
)
def test_a_number_that_does_not_fit_says_what_to_set(typed: str, sends: Sends) -> None:
    with pytest.raises(OSError, match=f"It typed {typed}, but config.yaml says {sends}") as fault:
        tag(typed, sends)
    assert "Set sends to" in KIND.checkup.remedies[code(fault.value.args[0])]


class Typing:
    """A reader that types on a virtual kernel, and the time as it reads it, in s."""

    def __init__(self, root: Path) -> None:
        self.kernel = VirtualEvdev(root)
        self.device = VirtualInput("Sycreader RFID", "FFFF:0035", range(1, 120))
        self.kernel.plug(VirtualInput("Sycreader RFID", "FFFF:0035", range(272, 275)), self.device)
        self.now = 100.0

    def open(self, sends: Sends = "10D") -> TypedReader:
        return TypedReader(Plug("FFFF:0035"), sends, kernel=self.kernel, clock=lambda: self.now, root=self.kernel.root)

    def type(self, number: str, enter: int = ENTER[0]) -> None:
        for sign in (*(CODES[sign] for sign in number), enter):
            self.device.press(sign)
            self.device.let_go(sign)


@pytest.fixture
def typing(tmp_path: Path) -> Iterator[Typing]:
    yield Typing(tmp_path)


def test_a_card_lies_there_for_a_second_a_repeat_prolongs_it_and_another_ends_it(typing: Typing) -> None:
    with closing(typing.open()) as reader:
        assert reader.poll() == set() and typing.device.grabbed
        typing.type("0077858966")
        assert reader.poll() == {"04A40896"}
        typing.now += 0.9 * LIES_S
        typing.type("0077858966", ENTER[1])
        assert reader.poll() == {"04A40896"}
        typing.now += 0.9 * LIES_S
        assert reader.poll() == {"04A40896"}
        typing.type("0000000001")
        assert reader.poll() == set()  # the first has gone
        typing.now += OneCard.PAUSE
        assert reader.poll() == {"00000001"}
        typing.now += LIES_S
        assert reader.poll() == set()


def test_a_deck_is_enrolled_as_fast_as_hands_are(typing: Typing) -> None:
    """Another card a third of a second later: the one before leaves first, and neither is taken for misread."""
    said: SimpleQueue[Reading | Press | Health] = SimpleQueue()
    work = ReaderWorker("centre", typing.open, said.put, lambda: round(1000 * typing.now))
    state = enrolment({}, "Box")
    work.turn()
    for number in range(1, 9):
        typing.type(f"{number:010}")
        for _ in range(18):
            work.turn()
            typing.now += 0.02
        while said.qsize():
            word = said.get()
            assert isinstance(word, Reading)
            state = state.hear(word)
            assert state.ruling and state.ruling.code == "enrolled"
        assert len(state.tags) == number
    work.shut()


def test_half_a_number_waits_for_its_end(typing: Typing) -> None:
    with closing(typing.open("8H")) as reader:
        for sign in "04A4":
            typing.device.press(CODES[sign])
        assert reader.poll() == set()
        typing.type("0896")
        assert reader.poll() == {"04A40896"}


def test_unplugged_and_wrongly_set_it_says_so_and_goes_on(typing: Typing) -> None:
    said: SimpleQueue[Reading | Press | Health] = SimpleQueue()
    work = ReaderWorker("centre", typing.open, said.put, lambda: round(1000 * typing.now))
    work.turn()
    typing.type("04A40896")
    work.turn()
    ill = said.get()
    assert isinstance(ill, Health) and "It typed 04A40896" in ill.detail
    work.turn()
    assert said.get() == Health("reader centre", True)
    typing.kernel.unplug(typing.device)
    work.turn()
    ill = said.get()
    assert isinstance(ill, Health) and "unplugged" in ill.detail
    typing.kernel.plug(typing.device)
    work.turn()
    typing.type("0077858966")
    work.turn()
    assert said.get() == Health("reader centre", True)
    laid = said.get()
    assert isinstance(laid, Reading) and (laid.tag, laid.present) == ("04A40896", True)
    work.shut()


def test_the_first_hour_asks_only_what_it_can_know() -> None:
    table = SimpleNamespace(
        wiring=Wiring({"centre": lambda: TypedReader(Plug(), "10D")}, unasked={"centre": KIND.unasked})
    )
    ears = SimpleNamespace(tap=lambda *_: lambda **_: None)
    asked = {step.name for step in ReaderCommissioning(table, ears).steps}
    assert asked == {step.name for step in STEPS} - {"chip", "gain", "two", "lift", "hand", "buttons", "lamps"}


def test_a_seat_whose_reader_types_is_not_told_that_its_card_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config.yaml").write_text("hardware: usb\nreaders: {red: {kind: typed, name: Sycreader RFID, sends: 8H}}\n")
    made = settings_of(SimpleNamespace(config=None, virtual=None))  # type: ignore[arg-type]
    assert made.equipment.typing == {"red"}
    Path("config.yaml").write_text("hardware: usb\nreaders: {red: {kind: typed, sends: 9H}}\n")
    with pytest.raises(ConfigError) as wrong:
        settings_of(SimpleNamespace(config=None, virtual=None))  # type: ignore[arg-type]
    assert "readers.red.sends: expected '10D', '8H' or 'reversed', not \"9H\"" in "\n".join(wrong.value.lines)
