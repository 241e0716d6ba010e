"""Readers through PC/SC: the real pcscd with virtual cards, and a binding without it for what vpcd cannot do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli.common import settings_of
from companion.cli.hardware import examined
from companion.cli.rigs import real
from companion.hardware.doctor.search_findings import ReaderFound, SearchResults
from companion.hardware.settings import Settings
from companion.hardware.wizard import _plan as plan
from companion.rules.message import code
from companion.rules.mistakes import ConfigError
from companion.rules.readings import Health, Press, Reading
from drivers import kinds
from drivers.pcsc import lite, plugged
from drivers.pcsc.discovery import search
from drivers.pcsc.lite import LiteContext, PcscError
from drivers.pcsc.reader import AGAIN, PcscReader, chosen, model, usable
from drivers.virtual.clock import VirtualClock
from drivers.worker import ReaderWorker
from tests.support.pcsc import ACR, FakeService
from tests.support.pcscd import NAMES, Pcscd

CARD, OTHER, THIRD = "04A3C6CAE26180", "0411223344AA55", "04FFEEDDCCBBAA"
Words = SimpleQueue[Reading | Press | Health]


# -- the real service --------------------------------------------------------------------------------------------------


def settings(text: str) -> Settings:
    Path("config.yaml").write_text(text)
    found: Settings = settings_of(SimpleNamespace(config=None, virtual=None))  # type: ignore[arg-type]
    return found


BOTH = """\
data: data
hardware: usb
readers:
  centre: {kind: pcsc, reader: virtual pcd}
  red: {kind: pcsc, reader: Virtual PCD, number: 2}
"""


@pytest.fixture
def words(pcscd: Pcscd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Any]]:
    """What a table with both readers hears; each call waits for the next word."""
    monkeypatch.chdir(tmp_path)
    said: Words = SimpleQueue()
    rig = real(settings(BOTH), said.put)
    yield lambda: said.get(timeout=150)
    rig.close()


def test_a_card_is_laid_swapped_and_lifted(pcscd: Pcscd, words: Callable[[], Any]) -> None:
    pcscd.lay(0, CARD)
    assert (laid := words()) == Reading("centre", CARD, True, laid.t)
    pcscd.lay(0, OTHER)
    gone, came = sorted([words(), words()], key=lambda word: word.present)
    assert (gone.tag, gone.present, came.tag, came.present) == (CARD, False, OTHER, True)
    pcscd.lift(0)
    assert (lifted := words()) == Reading("centre", OTHER, False, lifted.t)


def test_each_reader_is_its_own(pcscd: Pcscd, words: Callable[[], Any]) -> None:
    pcscd.lay(1, CARD)
    assert words().reader == "red"
    pcscd.lay(0, OTHER)
    assert words().reader == "centre"


def test_a_killed_service_is_said_and_comes_back_with_its_cards(pcscd: Pcscd, words: Callable[[], Any]) -> None:
    pcscd.lay(0, CARD)
    assert words().tag == CARD
    pcscd.kill()
    ill = {(word := words()).device: word for _ in range(2)}
    assert set(ill) == {"reader centre", "reader red"} and not any(word.well for word in ill.values())
    assert "pcscd" in ill["reader centre"].detail
    pcscd.start()
    pcscd.lay(0, OTHER)
    heard = [words() for _ in range(4)]
    assert {word.device for word in heard if isinstance(word, Health) and word.well} == set(ill)
    assert {(word.tag, word.present) for word in heard if isinstance(word, Reading)} == {(CARD, False), (OTHER, True)}


def test_the_search_finds_them_with_the_settings_that_open_them(pcscd: Pcscd) -> None:
    found = list(search())
    assert [at.place for at in found] == list(NAMES)
    assert [(at.settings.reader, at.settings.number) for at in found] == [("Virtual PCD", 1), ("Virtual PCD", 2)]
    pcscd.lay(1, CARD)
    with closing(kinds.kind("pcsc").open(found[1].settings)) as reader:
        assert polled(reader) == {CARD}


def polled(reader: Any) -> frozenset[str]:
    """What it sees, as soon as it sees something: vpcd takes its time."""
    for _ in range(100_000):
        if tags := reader.poll():
            return frozenset(tags)
    return frozenset()


def test_two_programs_get_along_and_one_that_wants_it_alone_is_named(pcscd: Pcscd) -> None:
    pcscd.lay(0, CARD)
    with closing(PcscReader("Virtual")) as ours, closing(PcscReader("Virtual")) as theirs:
        assert polled(ours) == polled(theirs) == {CARD}
    with closing(LiteContext()) as other:
        exclusive = 1
        lite_shared, lite._SHARED = lite._SHARED, exclusive
        try:
            held = other.connect(NAMES[0])
        finally:
            lite._SHARED = lite_shared
        with closing(PcscReader("Virtual")) as ours:
            with pytest.raises(PcscError, match="Another program") as refused:
                polled(ours)
            held.close()
            assert code(refused.value.args[0]) == "busy"
            assert polled(ours) == {CARD}


def test_the_doctor_polls_them(pcscd: Pcscd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pcscd.lay(0, CARD)
    with closing(PcscReader("Virtual")) as reader:
        polled(reader)
    found = examined(settings(BOTH), polls=200, clock=VirtualClock())
    mine = [finding for finding in found if finding.part in ("reader centre", "reader red")]
    assert {finding.verdict for finding in mine} <= {"pass"}, mine
    assert any(CARD in finding.what for finding in mine)


# -- without the service ------------------------------------------------------------------------------------------------


def worker(fake: FakeService, wanted: str = "", number: int = 1) -> tuple[ReaderWorker, Words, list[float]]:
    """A worker over the fake, the words it says, and what its clock reads (s)."""
    said, at = Words(), [0.0]
    opener = lambda: PcscReader(wanted, number, fake.connect, lambda: at[0])  # noqa: E731
    return ReaderWorker("centre", opener, said.put, lambda: round(1000 * at[0])), said, at


def turns(work: ReaderWorker, at: list[float], count: int = 5) -> None:
    for _ in range(count):
        at[0] += max(0.02, work.turn())


def heard(said: Words) -> list[Any]:
    return [said.get() for _ in range(said.qsize())]


def test_a_reader_unplugged_and_plugged_in_elsewhere_heals_by_itself() -> None:
    fake = FakeService(ACR)
    work, said, at = worker(fake, "acr122")
    fake.lay(ACR, CARD)
    turns(work, at)
    fake.unplug(ACR)
    turns(work, at)
    ill = [word for word in heard(said) if isinstance(word, Health)]
    assert [word.well for word in ill] == [False] and "unplugged" in ill[0].detail
    elsewhere = ACR.replace("00 00", "01 00")
    fake.names, fake.events = [elsewhere], {elsewhere: 0}
    fake.lay(elsewhere, OTHER)
    turns(work, at, 10)
    assert [getattr(word, "tag", None) or word.well for word in heard(said)] == [True, OTHER, CARD]
    work.shut()
    assert (fake.contexts, fake.open_cards) == (0, 0)


@pytest.mark.parametrize(
    "fault", [lite.SERVICE_STOPPED, lite.NO_SERVICE, lite.REFUSED, lite.SHARING_VIOLATION, 0x80100001]
)
@pytest.mark.parametrize("calls", range(4))
def test_any_failed_call_leads_to_a_new_connection(fault: int, calls: int) -> None:
    fake = FakeService(ACR)
    work, said, at = worker(fake)
    fake.lay(ACR, CARD)
    fake.fails = [fault] * (calls + 1)
    turns(work, at, 30)
    said_of = heard(said)
    assert [word.well for word in said_of if isinstance(word, Health)] == [False, True]
    assert [word.tag for word in said_of if isinstance(word, Reading)] == [CARD]
    assert fake.contexts == 1, "and none is left over"


@pytest.mark.parametrize("gone", sorted(lite.LIFTED))
def test_a_card_that_leaves_between_two_calls_is_no_fault(gone: int) -> None:
    fake = FakeService(ACR)
    work, said, at = worker(fake)
    turns(work, at)
    fake.lay(ACR, CARD)
    fake.gone = gone
    turns(work, at, 3)
    fake.gone = 0
    turns(work, at)
    assert [word.tag for word in heard(said)] == [CARD]


def test_a_swap_without_an_event_is_seen_within_a_quarter_of_a_second() -> None:
    fake = FakeService(ACR)
    work, said, at = worker(fake)
    fake.lay(ACR, CARD)
    turns(work, at)
    fake.cards[ACR] = OTHER
    began = at[0]
    turns(work, at, round(AGAIN / 0.05) + 4)
    laid = [word for word in heard(said) if word.present]
    assert [word.tag for word in laid] == [CARD, OTHER] and laid[1].t <= 1000 * (began + AGAIN) + 60


def test_an_acr122u_is_told_once_not_to_beep_and_others_are_not() -> None:
    for name, quiet in ((ACR, 1), ("HID Global OMNIKEY 5022 Smart Card Reader 00 00", 0)):
        fake = FakeService(name)
        work, _, at = worker(fake)
        fake.lay(name, CARD)
        turns(work, at, 40)
        assert fake.commands.count(bytes.fromhex("FF00520000")) == quiet


def test_a_reader_is_known_by_any_part_of_its_name_and_twins_by_a_number() -> None:
    names = [
        "B Reader 01 00",
        "ACS ACR1252 Dual Reader SAM 00 01",
        "ACS ACR1252 Dual Reader PICC 00 00",
        "B Reader 00 00",
    ]
    assert chosen(names, "acr1252", 1) == ["ACS ACR1252 Dual Reader PICC 00 00"]
    assert [chosen(names, "b reader", number) for number in (1, 2, 3)] == [["B Reader 00 00"], ["B Reader 01 00"], []]
    assert model("B Reader (1234) 01 00") == "B Reader"
    with pytest.raises(OSError, match="No reader “omnikey” is plugged in, but: ACS ACR122U PICC Interface"):
        PcscReader("omnikey", connect=FakeService(ACR).connect)
    with pytest.raises(OSError, match="No card reader is plugged in"):
        PcscReader("omnikey", connect=FakeService().connect)


def test_a_reader_that_the_kernel_has_is_found_and_said_to_be_its(tmp_path: Path) -> None:
    device = tmp_path / "sys/bus/usb/devices/1-2"
    (device / "1-2:1.0").mkdir(parents=True)
    (device / "1-2:1.0/bInterfaceClass").write_text("0b\n")
    (device / "manufacturer").write_text("ACS\n")
    (device / "product").write_text("ACR122U PICC Interface\n")
    (tmp_path / "sys/bus/usb/drivers/pn533_usb/1-2:1.0").mkdir(parents=True)
    (at,) = search(FakeService().connect, tmp_path)
    assert (at.place, at.version, code(at.fault)) == ("ACS ACR122U PICC Interface", None, "kernel")
    fake = FakeService()
    fake.fails = [lite.NO_SERVICE]
    (at,) = search(fake.connect, tmp_path)
    assert code(at.fault) == "no_service"
    assert list(search(FakeService().connect, tmp_path / "sys")) == []
    with pytest.raises(OSError, match="The kernel's own driver") as kernel:
        PcscReader("", connect=FakeService().connect, hindered=lambda: plugged.hindered(tmp_path))
    remedies = kinds.kind("pcsc").checkup.remedies
    assert "blacklist pn533_usb" in remedies[code(kernel.value.args[0])]
    for fault, _ in lite.FAULTS.values():
        assert fault in remedies


def test_no_context_card_or_thread_is_left_over_after_a_week() -> None:
    """A week of polls, with a fault an hour and a card a minute."""
    fake = FakeService(ACR)
    work, said, at = worker(fake)
    minutes = 7 * 24 * 60
    for minute in range(minutes):
        fake.lay(ACR, f"{minute:014X}")
        turns(work, at, 4)
        if minute % 60 == 59:
            fake.fails = [lite.SERVICE_STOPPED]
        fake.lift(ACR)
        turns(work, at, 4)
        at[0] += 60
        assert fake.contexts <= 1 and fake.open_cards <= 1
    laid = [word.tag for word in heard(said) if isinstance(word, Reading) and word.present]
    assert laid == [f"{minute:014X}" for minute in range(minutes)]


# -- config.yaml, installed, found --------------------------------------------------------------------------------------


def test_a_table_on_usb_has_no_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = settings("hardware: usb\nreaders: {centre: {kind: pcsc}}\n")
    assert made.readers["centre"].settings.reader == "" and made.reveal_mode == "auto"
    with pytest.raises(ConfigError) as wrong:
        settings("hardware: usb\nreaders: {centre: {kind: rc522}}\nseats: {red: {button: 5}}\npower: {lamp: 6}\n")
    assert [line.removeprefix("config.yaml:") for line in wrong.value.lines] == [
        "2: readers.centre.kind: an rc522 needs a Raspberry Pi: set hardware to pi",
        "3: seats.red.button: only a Raspberry Pi has pins: set hardware to pi",
        "4: power.lamp: only a Raspberry Pi has pins: set hardware to pi",
    ]
    with pytest.raises(ConfigError) as wrong:
        settings("readers:\n  centre: {kind: pcsc}\n")
    assert "a reader on USB is on no virtual table: set hardware to usb (on a Pi: pi), or kind to virtual" in str(
        wrong.value.lines
    )
    with pytest.raises(ConfigError) as wrong:
        settings("hardware: usb\nreaders:\n  centre: {kind: pcsc, reader: ACR}\n  red: {kind: pcsc, reader: ACR}\n")
    assert "readers.red: the USB reader ACR is already used by readers.centre (line 3)" in str(wrong.value.lines)


def test_the_doctor_names_the_packages_that_debian_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    info = tmp_path / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    (info / "libccid.list").touch()
    found = examined(settings("hardware: usb\nreaders: {centre: {kind: pcsc}}"), polls=1, root=tmp_path)
    assert ("fail", "Not installed: pcscd", "sudo apt install pcscd") in [(f.verdict, f.what, f.next) for f in found]
    assert "pcscd" in kinds.debian()


def test_a_table_of_what_was_plugged_in_says_usb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (at,) = search(FakeService(ACR).connect, tmp_path)
    found = SearchResults([ReaderFound(kinds.kind("pcsc"), at)])
    made = plan.settings(found, plan.Answers(("red", "blue"), readers={"centre": at.place}), Settings())
    assert made.hardware == "usb" and made.readers["centre"].settings.reader == "ACS ACR122U PICC Interface"


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (
            ["HID Global OMNIKEY 5422 Smartcard Reader [OMNIKEY 5422 Smartcard Reader] (KT01) 00 00",
             "HID Global OMNIKEY 5422 Smartcard Reader [OMNIKEY 5422CL Smartcard Reader] (KT01) 01 00"], [1],
        ),
        (["Broadcom Corp 5880 [Contacted SmartCard] (0123456789ABCD) 00 00",
          "Broadcom Corp 5880 [Contactless SmartCard] (0123456789ABCD) 01 00"], [1]),
        (["Yubico YubiKey OTP+FIDO+CCID 00 00", "ACS ACR122U PICC Interface 01 00"], [1]),
        (["ACS ACR1281 1S Dual Reader ICC 00 00", "ACS ACR1281 1S Dual Reader PICC 00 01",
          "ACS ACR1281 1S Dual Reader SAM 00 02"], [1]),
        (["SCM Microsystems Inc. SCL011 Contactless Reader 00 00", "SCM Microsystems Inc. SCR 3310 01 00"], [0, 1]),
        (["Alcor Micro AU9540 00 00"], [0]),
    ],
)  # fmt: skip
def test_a_slot_with_contacts_is_passed_over_where_another_needs_none(names: list[str], kept: list[int]) -> None:
    assert usable(names) == sorted(names[at] for at in kept)
    assert chosen(names, "", 1) == sorted(names[at] for at in kept)[:1]


def test_of_slots_that_nothing_tells_apart_the_one_that_has_seen_a_card_is_read() -> None:
    """A card with contacts stays in the first slot, and has no number that is read without them."""
    first, second = "Alcor Micro AU9560 00 00", "Alcor Micro AU9560 00 01"
    fake = FakeService(first, second)
    fake.lay(first, "")
    (at,) = search(fake.connect, Path("/nonexistent"))
    assert at.settings.number == 1, "it is one reader"
    work, said, now = worker(fake)
    turns(work, now)
    assert not heard(said)
    fake.lay(second, CARD)
    turns(work, now)
    fake.lift(second)
    turns(work, now)
    fake.lay(second, OTHER)
    turns(work, now)
    assert [(word.tag, word.present) for word in heard(said)] == [(CARD, True), (CARD, False), (OTHER, True)]
    assert fake.commands.count(bytes.fromhex("FFCA000000")) < 12, "a card that says nothing is not asked for ever"
    work.shut()
    assert (fake.contexts, fake.open_cards) == (0, 0)
