"""The firmware's card reader on emulated chips: several tags, faults that heal by themselves and faults that are named."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.presence import Presence
from drivers.virtual.chip import Chip
from drivers.virtual.clock import VirtualClock
from drivers.virtual.faults import Faults, Position
from drivers.virtual.tags import MIFARE, Tag
from tests.support.hub_firmware import modules

CARD, SIBLING, OTHER = "04A3C6CAE26180", "04A3C6CAE26181", "0411223344AA55"


def reader(faults: Faults | None = None) -> tuple[Chip, Any]:
    """A chip on its own clock, and the firmware's driver for it."""
    chip = Chip(VirtualClock(), faults)

    def wait(us: int) -> None:
        chip.clock.sleep(us / 1e6)

    return chip, modules()["rc522"].Rc522(lambda data: bytes(chip.transfer(data)), wait, chip.restart)


def polls(driver: Any, times: int) -> set[frozenset[str]]:
    return {frozenset(driver.poll()) for _ in range(times)}


@pytest.mark.parametrize("uid", ["DEADBEEF", "88ADBEEF", "08000000", CARD, "04FFFFFFFFFFFF", "04112233445566778899"])
def test_ids_of_four_seven_and_ten_bytes(uid: str) -> None:
    chip, driver = reader()
    assert driver.poll() == set()
    chip.field.lay(uid)
    assert polls(driver, 20) == {frozenset({uid})}
    chip.field.lift(uid)
    assert polls(driver, 5) == {frozenset()}


def test_a_mifare_card_with_seven_bytes() -> None:
    chip, driver = reader()
    chip.field.put(Tag(CARD, MIFARE))
    assert driver.poll() == {CARD}


def test_a_tag_that_never_sleeps_does_not_hold_up_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some copies, and telephones, answer again after they were told to sleep."""
    monkeypatch.setattr(modules()["rc522"], "REQA", modules()["rc522"].WUPA)  # every tag hears this one
    chip, driver = reader()
    chip.field.lay(CARD)
    assert polls(driver, 10) == {frozenset({CARD})}


def test_a_sibling_whose_id_begins_alike_is_found_in_time() -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    polls(driver, 7)
    chip.field.lay(SIBLING)
    polls(driver, 5)
    assert polls(driver, 5) == {frozenset({CARD, SIBLING})}
    chip.field.lift(CARD)
    assert driver.poll() == {SIBLING}


@pytest.mark.parametrize("position", ["absolute", "aligned", "frame"])
@pytest.mark.parametrize("lying", [False, True])
@settings(max_examples=10)
@given(uids=st.sets(st.sampled_from([CARD, SIBLING, "04A3C6CAE2E180", "04A3C64AE26180", OTHER, "DEADBEEF"])))
def test_all_tags_are_found_whatever_the_chip_means_by_a_collisions_place(
    position: Position, lying: bool, uids: set[str]
) -> None:
    chip, driver = reader(Faults(position=position, lying=lying))
    for uid in uids:
        chip.field.lay(uid)
    assert polls(driver, 3) == {frozenset(uids)}


def test_a_collision_that_is_also_a_parity_error_is_a_collision() -> None:
    chip, driver = reader(Faults(parity=True))
    chip.field.lay(CARD)
    polls(driver, 6)
    chip.field.lay(SIBLING)
    chip.field.lay(OTHER)
    assert polls(driver, 6) == {frozenset({CARD, SIBLING, OTHER})}


def test_eight_cards_are_found_and_more_are_left_alone() -> None:
    chip, driver = reader()
    laid = {f"04{number:012X}" for number in range(1, 11)}
    for uid in laid:
        chip.field.lay(uid)
    seen = driver.poll()
    assert len(seen) == 8
    assert seen < laid


def test_a_tag_behind_a_nearer_one_is_found() -> None:
    chip, driver = reader(Faults(capture=True))
    chip.field.lay(OTHER)
    polls(driver, 9)
    chip.field.lay(CARD)
    polls(driver, 6)
    assert polls(driver, 20) == {frozenset({CARD, OTHER})}


def test_a_tag_behind_another_is_called_as_often_as_one_that_should_be_there() -> None:
    """Only one poll in five looks for it: what that poll misses is missed for a long time."""
    chip, driver = reader(Faults(capture=True, deaf=0.03, miss=0.03))
    late = 0
    for _ in range(60):
        chip.field.lay(CARD)
        polls(driver, 4)
        chip.field.lift(CARD)
        chip.field.lay(OTHER)
        chip.field.lay(CARD)
        late += OTHER not in frozenset().union(*polls(driver, 5))
        chip.field.lift(CARD)
        chip.field.lift(OTHER)
        polls(driver, 4)
    assert late <= 1, "one call alone misses it every twelfth time"


@pytest.mark.parametrize(
    "faults",
    [
        Faults(miss=0.05), Faults(deaf=0.05), Faults(flip=0.05), Faults(slow=0.0006), Faults(reset=0.02),
        *(Faults(version=version) for version in (0x90, 0x91, 0x88, 0x89, 0xB2, 0x12, 0x82)),
    ],
    ids=repr,
)  # fmt: skip
def test_a_resting_card_is_never_missed_for_long(faults: Faults) -> None:
    chip, driver = reader(faults)
    chip.field.lay(CARD)
    seen = [frozenset(driver.poll()) for _ in range(200)]
    assert set(seen) <= {frozenset({CARD}), frozenset()}
    assert all(any(seen[at : at + 3]) for at in range(198))


def test_a_card_that_stays_is_recognised_by_its_beginning() -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    polls(driver, 5)
    chip.trace = []
    assert driver.poll() == {CARD}
    assert [sent[1:].hex() for sent in chip.trace if sent[0] == 0x12] == ["52", "9320"]


def test_a_sibling_in_the_cards_place_is_found_though_it_begins_alike() -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    polls(driver, 7)
    chip.field.lift(CARD)
    chip.field.lay(SIBLING)
    polls(driver, 8)
    assert polls(driver, 10) == {frozenset({SIBLING})}


def test_a_weak_card_that_stays_is_not_lifted() -> None:
    """The more exchanges a card that is known must pass, the more often three polls in a row miss it."""
    chip, driver = reader(Faults(deaf=0.2, miss=0.1))
    chip.field.lay(CARD)
    presence = Presence()
    left = [presence.see(frozenset(driver.poll()))[1] for _ in range(800)]
    assert sum(map(bool, left)) <= 1


@pytest.mark.parametrize("moment", range(0, 120, 7))
def test_a_chip_that_resets_at_any_moment_is_repaired_within_the_poll(moment: int) -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    polls(driver, 4)
    chip.clock.at(chip.clock.now + moment / 10_000, chip.reset)
    assert polls(driver, 2) == {frozenset({CARD})}


@pytest.mark.parametrize("register", [0x2A, 0x2B, 0x2D, 0x11, 0x15])
def test_a_setting_that_is_lost_is_set_again(register: int) -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    driver.poll()
    chip.transfer([register << 1, 0])
    before = driver.repairs
    assert driver.poll() == {CARD}
    assert driver.repairs == before + 1


def test_a_stuck_cipher_is_cleared() -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    driver.poll()
    chip.faults.crypto = True
    chip._registers[0x08] |= 0x08
    assert driver.poll() == {CARD}


@pytest.mark.parametrize("moment", range(50, 120, 3))
def test_a_card_that_leaves_in_the_middle_of_a_poll_makes_no_ghost(moment: int) -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    chip.clock.at(chip.clock.now + moment / 10_000, partial(chip.field.lift, CARD))
    assert driver.poll() in ({CARD}, set())
    assert polls(driver, 5) == {frozenset()}


@pytest.mark.parametrize(("reads", "reported"), [(0x00, "version_00"), (0xFF, "version_FF")])
def test_a_dead_bus_is_named_quickly_and_comes_back(reads: int, reported: str) -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    driver.poll()
    chip.faults.dead = reads
    began = chip.clock.now
    with pytest.raises(OSError, match=f"^{reported}$"):
        driver.poll()
    assert chip.clock.now - began < 0.001, "the other places need not wait"
    chip.faults.dead = None
    chip.reset()
    assert driver.poll() == {CARD}


@pytest.mark.parametrize("start", [0.001, 0.04])
def test_a_chip_that_takes_time_to_start_is_waited_for(start: float) -> None:
    chip, driver = reader(Faults(start=start))
    chip.field.lay(CARD)
    assert driver.poll() == {CARD}
    chip.transfer([0x2A << 1, 0])
    assert driver.poll() == {CARD}, "a repair begins with a reset"


def test_a_reader_beside_one_that_dies_is_waited_for_as_it_is_reset_with_it() -> None:
    chip, driver = reader(Faults(start=0.02))
    dying, other = reader()
    other.reset = chip.restart
    chip.field.lay(CARD)
    assert driver.poll() == {CARD}
    other.poll()
    dying.faults.dead = 0x00
    with pytest.raises(OSError, match="version_00"):
        other.poll()
    assert driver.poll() == {CARD}


def test_a_chip_that_is_not_there_is_waited_for_once() -> None:
    chip, driver = reader(Faults(dead=0x00))
    with pytest.raises(OSError, match="version_00"):
        driver.poll()
    assert 0.04 < chip.clock.now < 0.1
    began = chip.clock.now
    with pytest.raises(OSError, match="version_00"):
        driver.poll()
    assert chip.clock.now - began < 0.001, "the other places need not wait"


def test_a_chip_that_calls_itself_something_else_is_named_and_then_believed() -> None:
    chip, driver = reader()
    driver.poll()
    chip.faults.version = 0x91
    with pytest.raises(OSError, match=r"^version_91$"):
        driver.poll()
    assert driver.poll() == set()


def test_a_chip_that_hangs_is_woken_by_the_reset_line() -> None:
    chip, driver = reader()
    chip.field.lay(CARD)
    driver.poll()
    chip.transfer([0x2A << 1, 0])
    chip.faults.stuck = True
    with pytest.raises(OSError, match=r"^settings$"):
        driver.poll()
    assert driver.poll() == {CARD}


def test_a_chip_without_a_reset_line_may_hang() -> None:
    _, driver = reader(Faults(stuck=True))
    driver.reset = None
    for _ in range(3):
        with pytest.raises(OSError, match=r"^settings$"):
            driver.poll()


def test_the_antenna_is_on_only_during_a_poll() -> None:
    chip, driver = reader()
    lit: list[bool] = []

    def look() -> None:
        lit.append(chip.field.on)
        chip.clock.at(chip.clock.now + 0.0003, look)

    look()
    for _ in range(3):
        driver.poll()
        assert not chip.field.on
    assert any(lit)
