"""Several RC522 readers on one thread, on the virtual table, and as config.yaml names them."""

import threading
from queue import SimpleQueue
from typing import Any

import pytest

from companion.cli.rigs import real
from companion.cli.virtual import VirtualDock
from companion.deck import WEAK
from companion.hardware.fitting import Fitting
from companion.hardware.settings import Settings
from companion.rules.readings import CENTRE, Health, Press, Reading
from companion.system.pause import Pause
from drivers.kinds import kind
from drivers.rc522 import kind as rc522
from drivers.rc522.settings import Rc522Settings
from drivers.rig import Rig, Wiring
from drivers.virtual import spi
from drivers.virtual.clock import VirtualClock
from drivers.virtual.rc522 import VirtualRc522, readers
from drivers.virtual.reader import VirtualReader
from drivers.virtual.rig import VirtualRig
from drivers.worker import CROWDED, DeviceOwner, ReaderWorker

Word = Reading | Press | Health
CARD, OTHER = "04A3C6CAE26180", "04B1C6CAE26181"
FIVE = ("centre", "red", "blue", "green", "yellow")
needs_package = pytest.mark.skipif(not spi.installed(), reason="the mfrc522 package is not installed")


def owner_of(clock: VirtualClock, chips: dict[str, Any], interval: float = 0.02) -> tuple[DeviceOwner, list[Word]]:
    words: list[Word] = []
    workers = [ReaderWorker(name, reader.open, words.append, clock.ms, interval) for name, reader in chips.items()]
    return DeviceOwner("readers", workers, clock.monotonic), words


# -- taking turns -----------------------------------------------------------------------------------------------------


def test_each_reader_is_polled_once_a_sweep() -> None:
    clock = VirtualClock()
    plain = {name: VirtualReader() for name in FIVE}
    owner, words = owner_of(clock, plain)
    for reader in plain.values():
        reader.lay(CARD)
    assert owner.turn() == pytest.approx(0.02)
    assert [word.reader for word in words if isinstance(word, Reading)] == list(FIVE)
    for reader in plain.values():
        reader.lift(CARD)
    assert owner.turn() == pytest.approx(0.02), "none is due yet"
    assert len(words) == 5


def test_a_reader_that_has_failed_is_passed_over_and_the_others_go_on() -> None:
    clock = VirtualClock()
    plain = {"red": VirtualReader(), "blue": VirtualReader()}
    owner, words = owner_of(clock, plain)
    plain["red"].fail(OSError("no answer"))
    began = clock.now
    plain["blue"].lay(CARD)
    clock.sleep(owner.turn())
    assert [type(word) for word in words] == [Health, Reading]
    plain["red"].heal()
    plain["red"].lay(CARD)
    while len(words) < 4:
        clock.sleep(owner.turn())
    assert clock.now - began == pytest.approx(Pause().first, abs=0.03)
    assert words[2] == Health("reader red", True)


def test_the_thread_closes_every_reader_it_used() -> None:
    plain = {"red": VirtualReader(), "blue": VirtualReader()}
    words: SimpleQueue[Word] = SimpleQueue()
    rig = Rig(
        Wiring({name: reader.open for name, reader in plain.items()}, owners=dict.fromkeys(plain, "bus")), words.put
    )
    for reader in plain.values():
        reader.lay(CARD)
    words.get(timeout=600)
    words.get(timeout=600)
    assert [thread.name for thread in threading.enumerate()].count("bus") == 1
    rig.close()
    rig.close()
    assert all(reader.closed for reader in plain.values())
    assert "bus" not in [thread.name for thread in threading.enumerate()]


@needs_package
def test_five_readers_are_swept_within_50_ms_with_and_without_cards() -> None:
    _, chips = readers(5)
    clock = chips[0].chip.clock
    owner, words = owner_of(clock, dict(zip(FIVE, chips, strict=True)))
    for cards in (0, 5):
        for reader in chips[:cards]:
            reader.lay(CARD)
        for _ in range(6):
            clock.sleep(owner.turn())
        for _ in range(10):
            began = clock.now
            pause = owner.turn()
            assert clock.now - began < 0.05
            clock.sleep(pause)
    assert len(words) == 5


@needs_package
def test_one_dead_chip_of_several_is_named_and_comes_back_with_its_card() -> None:
    _, chips = readers(2)
    clock = chips[0].chip.clock
    owner, words = owner_of(clock, {"red": chips[0], "blue": chips[1]})
    chips[0].lay(CARD)
    for _ in range(5):
        clock.sleep(owner.turn())
    chips[0].fail()
    chips[1].lay(CARD)
    for _ in range(5):
        clock.sleep(owner.turn())
    chips[0].heal()
    while words[-1] != Health("reader red", True):
        clock.sleep(owner.turn())
    for _ in range(20):
        clock.sleep(owner.turn())
    reported = [(word.reader, word.present) for word in words if isinstance(word, Reading)]
    assert reported == [("red", True), ("blue", True)]
    ill = [word for word in words if isinstance(word, Health)]
    assert [word.well for word in ill] == [False, True]
    assert ill[0].detail.startswith("The chip on SPI0.0 does not answer")


@needs_package
@pytest.mark.parametrize(("deaf", "weak"), [(0.0, False), (0.2, True)])
def test_a_weak_tag_is_weak_once_it_is_lifted(deaf: float, weak: bool) -> None:
    _, (chip,) = readers(1)
    words: list[Word] = []
    worker = ReaderWorker("red", chip.open, words.append, chip.chip.clock.ms)
    chip.chip.faults.deaf = deaf
    chip.lay(CARD)
    for _ in range(40):
        worker.turn()
    chip.lift(CARD)
    for _ in range(10):
        worker.turn()
    assert [word.present for word in words if isinstance(word, Reading)] == [True, False]
    share = worker.errors(CARD)
    assert share is not None and (share >= WEAK) == weak


# -- the virtual table ------------------------------------------------------------------------------------------------


@needs_package
def test_a_card_on_the_virtual_table_goes_through_chip_package_and_driver() -> None:
    words: SimpleQueue[Word] = SimpleQueue()
    rig = VirtualRig(["red", "blue"], words.put)
    reader = rig.readers[CENTRE]
    assert isinstance(reader, VirtualRc522)
    rig.lay(CENTRE, CARD)
    laid = words.get(timeout=600)
    assert isinstance(laid, Reading) and (laid.reader, laid.tag, laid.present) == (CENTRE, CARD, True)
    assert reader.chip.transfers > 100
    reader.fail(0xFF)
    ill = words.get(timeout=600)
    assert isinstance(ill, Health) and not ill.well
    reader.heal()
    assert words.get(timeout=600) == Health("reader centre", True)
    rig.lift(CENTRE, CARD)
    lifted = words.get(timeout=600)
    assert isinstance(lifted, Reading) and not lifted.present
    rig.close()
    assert words.empty()


@needs_package
def test_two_cards_at_once_collide_in_the_chip_and_a_hand_lays_one_at_a_time() -> None:
    words: SimpleQueue[Word] = SimpleQueue()
    rig = VirtualRig(["red", "blue"], words.put)
    dock = VirtualDock(rig, {"red 7": CARD, "blue 5": OTHER})
    dock.lay(CENTRE, CARD)
    dock.lay(CENTRE, OTHER)
    assert rig.tags_on(CENTRE) == {OTHER}, "the hand took the first one off"
    rig.lay(CENTRE, CARD)  # on top of it
    said: list[Word] = []
    while not said or said[-1] != Health("reader centre", True, CROWDED):
        said.append(words.get(timeout=600))
    assert {word.tag for word in said if isinstance(word, Reading)} == {CARD, OTHER}, (
        "both are known by their collision"
    )
    dock.lay(CENTRE, CARD)
    while said[-1] != Health("reader centre", True):
        said.append(words.get(timeout=600))
    rig.close()


def test_without_the_package_the_virtual_table_has_plain_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spi, "installed", lambda: False)
    words: SimpleQueue[Word] = SimpleQueue()
    rig = VirtualRig(["red"], words.put)
    assert isinstance(rig.readers[CENTRE], VirtualReader)
    rig.lay(CENTRE, CARD)
    assert isinstance(words.get(timeout=600), Reading)
    rig.close()


# -- config.yaml ------------------------------------------------------------------------------------------------------


def test_the_readers_of_config_yaml_are_opened_with_their_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: SimpleQueue[tuple[object, ...]] = SimpleQueue()

    def opener(*settings: int, gain: int | None, **_: object) -> VirtualReader:
        opened.put((*settings, gain))
        return VirtualReader()

    monkeypatch.setattr("drivers.rc522.reader.Rc522", opener)
    centre, red = (Fitting(rc522.KIND, Rc522Settings(*at)) for at in ((), (1, 2, 24, 43)))
    virtual = kind("virtual")
    settings = Settings(
        hardware="pi", readers={"centre": centre, "red": red, "blue": Fitting(virtual, virtual.settings())}
    )
    words: SimpleQueue[Word] = SimpleQueue()
    rig = real(settings, words.put)
    assert [opened.get(timeout=600), opened.get(timeout=10)] == [(0, 0, 25, None), (1, 2, 24, 43)]
    rig.close()
    assert words.empty()
