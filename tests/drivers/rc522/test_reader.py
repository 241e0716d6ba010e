"""The RC522 driver on emulated chips: frames, traces, several tags, faults that heal and faults that are named."""

import logging
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.deck import WEAK
from drivers.presence import Presence
from drivers.rc522.air import WUPA
from drivers.rc522.package import package, resets
from drivers.rc522.reader import START, Rc522
from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults, Position
from drivers.virtual.rc522 import VirtualRc522, readers
from drivers.virtual.spi import VirtualPi, installed
from drivers.virtual.tags import MIFARE, NTAG213, Tag

pytestmark = pytest.mark.skipif(not installed(), reason="the mfrc522 package is not installed")
CARD, SIBLING, OTHER = "04A3C6CAE26180", "04A3C6CAE26181", "0411223344AA55"
CHIP_VERSIONS = (0x90, 0x91, 0x92, 0x88, 0x89, 0xB2, 0x12, 0x82)


@pytest.fixture
def reader() -> VirtualRc522:
    return readers(1)[1][0]


@pytest.fixture
def driver(reader: VirtualRc522) -> Iterator[Rc522]:
    driver = reader.open()
    yield driver
    driver.close()


def polls(driver: Rc522, times: int) -> set[frozenset[str]]:
    return {driver.poll() for _ in range(times)}


def frames(trace: list[bytes]) -> list[str]:
    """What was written to the FIFO."""
    return [sent[1:].hex() for sent in trace if sent[0] == 0x12]


# -- on the wire ------------------------------------------------------------------------------------------------------


def test_a_tag_that_never_sleeps_does_not_hold_up_the_reader(
    reader: VirtualRc522, driver: Rc522, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some copies, and telephones, answer again after they were told to sleep."""
    monkeypatch.setattr("drivers.rc522.search.REQA", WUPA)  # every tag hears this one
    reader.lay(CARD)
    assert polls(driver, 10) == {frozenset({CARD})}


def test_an_empty_poll_is_one_call(reader: VirtualRc522, driver: Rc522) -> None:
    polls(driver, 3)
    reader.chip.trace = []
    assert driver.poll() == frozenset()
    sent = [part.hex() for part in reader.chip.trace]
    assert sent[0] == "2883", "the antenna goes on"
    assert sent[1] == "ee90a8d4d6d8daaaa200", "the watched registers, in one transfer"
    assert sent[2:8] == ["0200", "087f", "1480", "1252", "020c", "1a87"]
    assert "1a07" in sent[8:], "StartSend is taken back"
    assert set(sent[8:-1]) == {"8800", "1a07"}, "and the rest is waiting"
    assert sent[-1] == "2880", "the antenna goes off"
    assert len(sent) <= 2013 / 10


def test_seven_bytes_take_a_call_two_anticollisions_and_two_selections(reader: VirtualRc522, driver: Rc522) -> None:
    polls(driver, 4)
    reader.lay(CARD)
    reader.chip.trace = []
    assert driver.poll() == {CARD}
    assert frames(reader.chip.trace) == ["52", "9320", "93708804a3c6e9037f", "9520", "9570cae26180c9e283"]
    reader.chip.trace = []
    assert driver.poll() == {CARD}
    assert frames(reader.chip.trace) == ["52", "9320"], "a card that stays is recognised"


@pytest.mark.parametrize("uid", ["DEADBEEF", "88ADBEEF", "08000000", CARD, "04FFFFFFFFFFFF", "04112233445566778899"])
def test_ids_of_four_seven_and_ten_bytes(reader: VirtualRc522, driver: Rc522, uid: str) -> None:
    reader.lay(uid)
    assert polls(driver, 20) == {frozenset({uid})}
    assert not driver.several
    reader.lift(uid)
    assert polls(driver, 5) == {frozenset()}


def test_a_mifare_card_with_seven_bytes(reader: VirtualRc522, driver: Rc522) -> None:
    reader.chip.field.put(Tag(CARD, MIFARE))
    assert driver.poll() == {CARD}


def test_a_sibling_in_the_cards_place_is_found_though_it_begins_alike(reader: VirtualRc522, driver: Rc522) -> None:
    reader.lay(CARD)
    polls(driver, 7)
    reader.lift(CARD)
    reader.lay(SIBLING)
    polls(driver, 8)
    assert polls(driver, 10) == {frozenset({SIBLING})}


# -- several tags -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", ["absolute", "aligned", "frame"])
@pytest.mark.parametrize("lying", [False, True])
@given(uids=st.sets(st.sampled_from([CARD, SIBLING, "04A3C6CAE2E180", "04A3C64AE26180", OTHER, "DEADBEEF"])))
def test_all_tags_are_found_whatever_the_chip_means_by_a_collisions_place(
    position: Position, lying: bool, uids: set[str]
) -> None:
    _, (reader,) = readers(1)
    reader.chip.faults.position, reader.chip.faults.lying = position, lying
    driver = reader.open()
    for uid in uids:
        reader.lay(uid)
    assert polls(driver, 4) == {frozenset(uids)}
    assert driver.several == (len(uids) > 1)


def test_a_collision_that_is_also_a_parity_error_is_a_collision(reader: VirtualRc522, driver: Rc522) -> None:
    """Otherwise two tags look like none: the card that lies there would be lifted, and the second never noticed."""
    reader.chip.faults.parity = True
    reader.lay(CARD)
    polls(driver, 6)
    for uid in (SIBLING, OTHER):
        reader.lay(uid)
    assert polls(driver, 6) == {frozenset({CARD, SIBLING, OTHER})}
    assert driver.several


def test_a_tag_behind_a_nearer_one_is_found_in_time_and_stays(reader: VirtualRc522, driver: Rc522) -> None:
    reader.chip.faults.capture = True
    reader.lay(OTHER)
    polls(driver, 9)
    reader.lay(CARD)
    polls(driver, 6)
    assert polls(driver, 20) == {frozenset({CARD, OTHER})}
    assert driver.several


def test_seven_cards_on_one_reader(reader: VirtualRc522, driver: Rc522) -> None:
    laid = {f"04{number:012X}" for number in range(1, 8)}
    for uid in laid:
        reader.lay(uid)
    assert driver.poll() == laid


# -- faults nobody notices --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "faults",
    [
        Faults(miss=0.05), Faults(deaf=0.05), Faults(flip=0.05), Faults(slow=0.0006), Faults(reset=0.02),
        *(Faults(version=version) for version in CHIP_VERSIONS),
    ],
    ids=repr,
)  # fmt: skip
def test_a_resting_card_is_never_missed_for_long(faults: Faults) -> None:
    chip = Chip(VirtualClock(), faults)
    reader = VirtualRc522(chip, VirtualPi({(0, 0): chip}).mfrc522)
    driver = reader.open()
    reader.lay(CARD)
    seen = [driver.poll() for _ in range(200)]
    assert set(seen) <= {frozenset({CARD}), frozenset()}
    assert all(any(seen[at : at + 3]) for at in range(198))


@pytest.mark.parametrize("moment", range(0, 120, 7))
def test_a_chip_that_resets_at_any_moment_is_repaired_within_the_poll(
    reader: VirtualRc522, driver: Rc522, moment: int
) -> None:
    reader.lay(CARD)
    polls(driver, 6)
    clock = reader.chip.clock
    clock.at(clock.now + moment / 10_000, reader.chip.reset)
    assert driver.poll() == {CARD}
    assert driver.poll() == {CARD}
    assert driver.repairs == 1 or moment / 10_000 > 0.0069, "afterwards nothing is left to repair but the antenna"


@pytest.mark.parametrize("register", [0x2A, 0x2B, 0x2D, 0x11, 0x15])
def test_a_setting_that_is_lost_is_set_again(reader: VirtualRc522, driver: Rc522, register: int) -> None:
    reader.lay(CARD)
    reader.chip.transfer([register << 1, 0])
    assert driver.poll() == {CARD}
    assert driver.repairs == 1


@pytest.mark.parametrize(
    ("gain", "held"), [(None, 0x48), (18, 0x00), (23, 0x10), (33, 0x40), (38, 0x50), (43, 0x60), (48, 0x70)]
)
def test_the_receiver_has_the_gain_it_was_given_whatever_happens_to_it(
    reader: VirtualRc522, gain: int | None, held: int
) -> None:
    """In dB, as bits 6 to 4 of RFCfgReg (MFRC522 data sheet, 9.3.3.6); without a word the register is left alone."""
    register = [0x80 | 0x26 << 1, 0]
    reader.gain = gain
    driver = reader.open()
    assert reader.chip.transfer(register)[1] == held
    reader.lay(CARD)
    reader.chip.reset()
    assert driver.poll() == {CARD} and driver.repairs == 1
    assert reader.chip.transfer(register)[1] == held
    if gain:
        reader.chip.transfer([0x26 << 1, held ^ 0x70])
        assert driver.poll() == {CARD} and driver.repairs == 2
        assert reader.chip.transfer(register)[1] == held
    driver.close()


def test_a_chip_that_is_slow_to_start_is_repaired_without_its_reset_line(reader: VirtualRc522) -> None:
    """What is written before its oscillator runs is lost; once it is given time, no other remedy is needed."""
    unwired = 24
    driver = Rc522(0, 0, unwired, reader._load, reader.chip.clock)
    reader.lay(CARD)
    driver.poll()
    pulses, faults = resets[unwired], reader.chip.faults
    reader.chip.reset()
    faults.stuck = True
    reader.chip.clock.at(reader.chip.clock.now + START / 2, partial(setattr, faults, "stuck", False))
    assert driver.poll() == {CARD} and driver.repairs == 1
    assert resets[unwired] == pulses
    driver.close()


@pytest.mark.parametrize("start", [0.001, 0.04])
def test_a_chip_that_takes_time_to_start_is_waited_for(start: float) -> None:
    _, (reader,) = readers(1)
    reader.chip.faults.start = start
    reader.chip.reset()
    driver = reader.open()
    assert driver.version == 0x92
    reader.lay(CARD)
    assert driver.poll() == {CARD} and driver.repairs == 0
    reader.chip.transfer([0x2A << 1, 0])
    assert driver.poll() == {CARD} and driver.repairs == 1, "a repair begins with a reset"
    driver.close()


def test_a_chip_that_takes_time_to_start_does_not_suffer_when_another_is_reset() -> None:
    _, (ill, well) = readers(2)
    first, second = ill.open(), well.open()
    well.lay(CARD)
    second.poll()
    well.chip.faults.start = 0.02
    ill.chip.faults.stuck = True
    first.poll()
    assert second.poll() == {CARD} and second.repairs == 0


def test_a_chip_that_never_starts_is_named(reader: VirtualRc522) -> None:
    reader.chip.faults.start = 10.0
    reader.chip.reset()
    began = reader.chip.clock.now
    with pytest.raises(OSError, match="does not answer"):
        reader.open()
    assert reader.chip.clock.now - began < 0.1, "the others on the bus wait for it"


def test_a_stuck_cipher_is_cleared(reader: VirtualRc522, driver: Rc522) -> None:
    reader.lay(CARD)
    reader.chip.faults.crypto = True
    reader.chip._registers[0x08] |= 0x08
    assert driver.poll() == {CARD}


@pytest.mark.parametrize("moment", range(50, 120, 3))
def test_a_card_that_leaves_in_the_middle_of_a_poll_makes_no_ghost(
    reader: VirtualRc522, driver: Rc522, moment: int
) -> None:
    polls(driver, 4)
    reader.lay(CARD)
    clock = reader.chip.clock
    clock.at(clock.now + moment / 10_000, partial(reader.lift, CARD))
    assert driver.poll() in ({CARD}, frozenset())
    polls(driver, 1)
    assert polls(driver, 5) == {frozenset()}


def test_a_torn_tag_is_seen_most_of_the_time(reader: VirtualRc522, driver: Rc522) -> None:
    reader.lay(CARD)
    reader.chip.field.tags[0].weak = 0.2
    seen = [driver.poll() for _ in range(200)]
    assert all(any(seen[at : at + 3]) for at in range(198))


@pytest.mark.parametrize("fault", ["deaf", "miss"])
@pytest.mark.parametrize(("chance", "weak"), [(0.0, False), (0.02, False), (0.2, True), (0.4, True)])
def test_a_tag_that_must_be_asked_again_is_weak_though_no_poll_misses_it(
    reader: VirtualRc522, driver: Rc522, fault: str, chance: float, weak: bool
) -> None:
    setattr(reader.chip.faults, fault, chance)
    reader.lay(CARD)
    presence = Presence()
    for _ in range(80):
        presence.see(driver.poll(), driver.faint)
    assert presence.here == {CARD}
    share = presence.errors(CARD)
    assert share is not None and (share >= WEAK) == weak


@pytest.mark.parametrize(("answers", "faint"), [((), False), ((False, True), True), ((True,), False)])
def test_a_tag_whose_answer_was_garbled_was_not_heard_at_once(
    reader: VirtualRc522, driver: Rc522, monkeypatch: pytest.MonkeyPatch, answers: tuple[bool, ...], faint: bool
) -> None:
    """Its first answer says only that somebody is there: nothing in it can be garbled."""
    reader.lay(CARD)
    polls(driver, 4)
    garbled = iter(answers)
    reader.chip.faults.flip = 1.0
    monkeypatch.setattr(Faults, "happens", lambda _, chance: chance > 0 and next(garbled, False))
    assert driver.poll() == {CARD}
    assert bool(driver.faint) == faint


def test_of_several_tags_none_is_called_faint(reader: VirtualRc522, driver: Rc522) -> None:
    for uid in (CARD, SIBLING, OTHER):
        reader.lay(uid)
    reader.chip.faults.miss = 0.1
    for _ in range(20):
        assert len(driver.poll()) < 2 or not driver.faint


# -- faults that are named --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reads", "reported"), [(0x00, "reads 00"), (0xFF, "reads FF")])
def test_a_dead_bus_is_named(reader: VirtualRc522, driver: Rc522, reads: int, reported: str) -> None:
    reader.lay(CARD)
    driver.poll()
    reader.fail(reads)
    began = reader.chip.clock.now
    with pytest.raises(OSError, match=f"chip on SPI0.0 does not answer \\(its version {reported}\\): check"):
        driver.poll()
    assert reader.chip.clock.now - began < 0.001, "the others on the bus need not wait"
    with pytest.raises(OSError, match="does not answer"):
        reader.open()
    reader.heal()
    assert reader.open().poll() == {CARD}


def test_a_chip_no_command_reaches_is_reset_by_its_line_within_the_poll(reader: VirtualRc522, driver: Rc522) -> None:
    reader.lay(CARD)
    driver.poll()
    reader.chip.faults.stuck = True
    assert driver.poll() == {CARD} and driver.repairs == 1
    assert not reader.chip.faults.stuck


def test_a_silent_chip_is_reset_by_its_line_for_the_next_opening(reader: VirtualRc522, driver: Rc522) -> None:
    reader.lay(CARD)
    driver.poll()
    reader.chip.faults.stuck, reader.chip.faults.dead = True, 0x00
    with pytest.raises(OSError, match="does not answer"):
        driver.poll()
    assert reader.open().poll() == {CARD}


def test_readers_on_the_same_line_set_themselves_up_again_and_keep_their_card() -> None:
    _, (ill, well) = readers(2)
    first, second = ill.open(), well.open()
    well.lay(CARD)
    second.poll()
    ill.chip.faults.stuck = True
    first.poll()
    assert second.poll() == {CARD} and second.faint == frozenset()
    assert second.repairs == 0, "its supply is not to blame"
    ill.fail()
    with pytest.raises(OSError, match=r"SPI0\.0"):
        first.poll()
    assert second.poll() == {CARD} and second.repairs == 0


def test_a_bus_that_dies_in_the_middle_is_named_if_a_card_lay_there(reader: VirtualRc522, driver: Rc522) -> None:
    reader.lay(CARD)
    driver.poll()
    clock = reader.chip.clock
    clock.at(clock.now + 0.0055, reader.fail)
    with pytest.raises(OSError, match="does not answer"):
        driver.poll()


def test_a_chip_that_calls_itself_something_else_all_at_once(reader: VirtualRc522, driver: Rc522) -> None:
    reader.chip.faults.version = 0x91
    with pytest.raises(OSError, match="its version was 92, now 91"):
        driver.poll()


def test_a_chip_that_keeps_nothing(reader: VirtualRc522, driver: Rc522) -> None:
    clock = reader.chip.clock

    def forget() -> None:
        reader.chip.reset()
        clock.at(clock.now + 0.0001, forget)

    forget()
    with pytest.raises(OSError, match="does not keep its settings"):
        driver.poll()


def test_a_reader_that_is_not_there(reader: VirtualRc522) -> None:
    with pytest.raises(OSError, match=r"no /dev/spidev0.1: switch SPI on"):
        Rc522(0, 1, 25, reader._load, reader.chip.clock)
    with pytest.raises(OSError, match=r"no /dev/spidev1.0: add dtoverlay=spi1-3cs"):
        Rc522(1, 0, 25, reader._load, reader.chip.clock)


def test_the_package_missing_or_refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(OSError, match="missing: run `make pi`"):
        package()

    class Refusing:
        def find_spec(self, name: str, *_: Any) -> None:
            if name == "mfrc522":
                raise RuntimeError("Cannot determine SOC peripheral base address")

    monkeypatch.setattr(sys, "meta_path", [Refusing(), *sys.meta_path])
    with pytest.raises(OSError, match="rpi-lgpio must replace"):
        package()


# -- pins, logs, closing ----------------------------------------------------------------------------------------------


def test_pins_are_bcm_and_stay_as_they_are_when_a_reader_closes() -> None:
    pi, (first, second) = readers(2)
    drivers = [first.open(), second.open()]
    pi.gpio.setup(17, pi.gpio.OUT)  # somebody else's
    drivers[0].close()
    drivers[0].close()
    assert pi.gpio.mode == pi.gpio.BCM
    assert pi.gpio.levels == {25: 1, 17: None}
    assert not first.chip.field.on
    assert drivers[1].poll() == frozenset()
    with pytest.raises(OSError, match="closed"):
        drivers[0].poll()


def test_another_numbering_of_pins_is_refused(reader: VirtualRc522) -> None:
    pi, (reader,) = readers(1)
    pi.gpio.setmode(pi.gpio.BOARD)
    with pytest.raises(OSError, match="only BCM numbers"):
        reader.open()


def test_a_pin_that_is_taken_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pi, (reader,) = readers(1)

    def busy(channel: int, direction: int) -> None:
        raise RuntimeError("GPIO busy")

    monkeypatch.setattr(pi.gpio, "setup", busy)
    with pytest.raises(OSError, match=r"reset pin GPIO 25 cannot be used \(GPIO busy\)"):
        reader.open()


def test_the_packages_log_lines_do_not_multiply() -> None:
    _, several = readers(4)
    for reader in several:
        reader.open()
    assert logging.getLogger("mfrc522Logger").handlers == []


def test_only_one_antenna_is_on_at_a_time_and_only_in_a_poll() -> None:
    _, several = readers(3)
    drivers = [reader.open() for reader in several]
    lit: list[list[bool]] = []
    clock = several[0].chip.clock

    def look() -> None:
        lit.append([reader.chip.field.on for reader in several])
        clock.at(clock.now + 0.0003, look)

    look()
    for driver in drivers * 3:
        assert not any(reader.chip.field.on for reader in several)
        driver.poll()
    assert max(map(sum, lit)) == 1
    assert all(any(on) for on in zip(*lit, strict=True))


def test_a_sticker_is_the_tag_of_seven_bytes(reader: VirtualRc522) -> None:
    reader.lay(CARD)
    reader.lay(CARD.lower())
    assert [tag.kind for tag in reader.chip.field.tags] == [NTAG213]
    assert reader.tags == {CARD}
