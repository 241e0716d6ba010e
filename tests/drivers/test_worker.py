"""The reader's worker: what its polls say, and what its faults do not."""

import errno
import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from queue import SimpleQueue
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.readings import Health, Press, Reading
from companion.rules.words import message
from drivers.virtual.reader import VirtualReader
from drivers.worker import CROWD, CROWDED, Loop, ReaderWorker, ThreadStuckError

Words = SimpleQueue[Reading | Press | Health]
CARD, OTHER = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7"


def ticking() -> Callable[[], int]:
    return count(100, 10).__next__


def said(words: Words) -> list[Reading | Press | Health]:
    return list(iter(lambda: None if words.empty() else words.get(), None))


def worker_of(reader: VirtualReader) -> tuple[ReaderWorker, Words]:
    words: Words = SimpleQueue()
    return ReaderWorker("centre", reader.open, words.put, ticking(), interval=0.01), words


@pytest.fixture
def reader() -> VirtualReader:
    return VirtualReader()


@pytest.fixture
def started(reader: VirtualReader) -> Iterator[tuple[ReaderWorker, Words]]:
    words: Words = SimpleQueue()
    worker = ReaderWorker("centre", reader.open, words.put, ticking(), interval=0.001)
    worker.start()
    yield worker, words
    worker.close()


def test_the_thread_reports_a_card_laid_and_lifted(reader: VirtualReader, started: tuple[ReaderWorker, Words]) -> None:
    _, words = started
    reader.lay(CARD.lower())
    laid = words.get(timeout=600)
    reader.lift(CARD)
    lifted = words.get(timeout=600)
    assert isinstance(laid, Reading) and isinstance(lifted, Reading)
    assert (laid.reader, laid.tag, laid.present) == ("centre", CARD, True)
    assert (lifted.reader, lifted.tag, lifted.present) == ("centre", CARD, False)
    assert lifted.t > laid.t


def test_closing_ends_the_thread_closes_the_reader_and_may_be_done_twice(reader: VirtualReader) -> None:
    worker, words = worker_of(reader)
    reader.lay(CARD)
    worker.start()
    words.get(timeout=600)
    worker.stop()
    worker.close()
    worker.close()
    assert reader.closed
    assert not [thread for thread in threading.enumerate() if thread.name == "reader centre"]


def test_a_worker_that_never_started_closes(reader: VirtualReader) -> None:
    worker_of(reader)[0].close()


def test_a_card_that_a_poll_or_two_miss_is_not_reported_again(reader: VirtualReader) -> None:
    worker, words = worker_of(reader)
    reader.lay(CARD)
    worker.turn()
    assert len(said(words)) == 1
    for _ in range(5):
        reader.miss(2)
        for _ in range(3):
            worker.turn()
    assert said(words) == []


def test_two_cards_are_reported_in_the_same_order_every_time(reader: VirtualReader) -> None:
    worker, words = worker_of(reader)
    reader.lay(OTHER)
    reader.lay(CARD)
    worker.turn()
    assert said(words) == [Reading("centre", CARD, True, 100), Reading("centre", OTHER, True, 100)]


def test_a_fault_is_reported_once_with_its_reason_and_what_to_do_and_its_end_is_reported(
    reader: VirtualReader,
) -> None:
    worker, words = worker_of(reader)
    reader.fail(OSError("No answer from the chip."))
    for _ in range(4):
        worker.turn()
    (word,) = said(words)
    assert isinstance(word, Health)
    assert (word.device, word.well) == ("reader centre", False)
    assert word.detail.startswith("No answer from the chip. Retrying")
    reader.heal()
    worker.turn()
    assert said(words) == [Health("reader centre", True)]
    worker.turn()
    assert said(words) == []


@pytest.mark.parametrize("lang", ["de", "ja"])
@pytest.mark.parametrize(
    "error", [OSError(errno.EIO, os.strerror(errno.EIO)), PermissionError(errno.EACCES, "", "/dev/spidev0.0")]
)
def test_the_systems_own_words_for_a_fault_are_translated(reader: VirtualReader, error: OSError, lang: str) -> None:
    worker, words = worker_of(reader)
    reader.fail(error)
    worker.turn()
    (word,) = said(words)
    assert isinstance(word, Health) and error.errno
    told = message(word.detail, lang)
    assert os.strerror(error.errno) in word.detail and "Errno" not in word.detail
    assert os.strerror(error.errno) not in told and (error.filename or "") in told


def test_a_reader_that_fails_is_closed_and_tried_again_at_growing_intervals(reader: VirtualReader) -> None:
    worker, _ = worker_of(reader)
    worker.turn()
    reader.fail(OSError())
    assert [worker.turn() for _ in range(7)] == [0.5, 1, 2, 4, 8, 10, 10]
    assert reader.closed
    reader.heal()
    assert worker.turn() == 0.01
    assert not reader.closed
    reader.fail(OSError())
    assert worker.turn() == 0.5


def test_any_fault_at_all_stays_out_of_the_game() -> None:
    words: Words = SimpleQueue()
    unheard_of: Any = VirtualReader
    worker = ReaderWorker("red", partial(unheard_of, baud=9600), words.put)
    worker.turn()
    (word,) = said(words)
    assert isinstance(word, Health) and not word.well and "baud" in word.detail


def test_a_card_that_lies_there_through_a_fault_neither_leaves_nor_arrives(reader: VirtualReader) -> None:
    worker, words = worker_of(reader)
    reader.lay(CARD)
    worker.turn()
    said(words)
    reader.fail(OSError("unplugged"))
    for _ in range(5):
        worker.turn()
    reader.heal()
    for _ in range(5):
        worker.turn()
    assert [type(word) for word in said(words)] == [Health, Health]


def test_changes_during_a_fault_are_reported_after_it(reader: VirtualReader) -> None:
    worker, words = worker_of(reader)
    reader.lay(CARD)
    worker.turn()
    reader.fail(OSError("unplugged"))
    worker.turn()
    reader.lift(CARD)
    reader.lay(OTHER)
    reader.heal()
    said(words)
    for _ in range(5):
        worker.turn()
    reported = [(word.tag, word.present) for word in said(words) if isinstance(word, Reading)]
    assert reported == [(OTHER, True), (CARD, False)]


def test_several_cards_that_stay_are_spoken_of_once_and_again_when_they_are_fewer(reader: VirtualReader) -> None:
    worker, words = worker_of(reader)
    reader.lay(CARD)
    worker.turn()
    reader.lay(OTHER)
    for _ in range(CROWD - 1):
        worker.turn()
    assert not [word for word in said(words) if isinstance(word, Health)], "one may be laid while another is lifted"
    for _ in range(CROWD):
        worker.turn()
    assert said(words) == [Health("reader centre", True, CROWDED)]
    reader.lift(CARD)
    worker.turn()
    assert said(words) == [Health("reader centre", True)]


ACTS = st.sampled_from(["lay", "lift", "fail", "heal", "miss", "poll"])


@given(st.lists(st.tuples(ACTS, st.sampled_from([CARD, OTHER]))))
def test_words_alternate_and_end_with_how_things_are(acts: list[tuple[str, str]]) -> None:
    reader = VirtualReader()
    worker, words = worker_of(reader)
    for act, tag in [*acts, ("heal", "")] + [("poll", "")] * 2 * (len(acts) + 3):
        match act:
            case "lay":
                reader.lay(tag)
            case "lift":
                reader.lift(tag)
            case "fail":
                reader.fail(OSError("gone"))
            case "heal":
                reader.heal()
            case "miss":
                reader.miss()
            case "poll":
                worker.turn()
    here: set[str] = set()
    condition = Health("reader centre", True)
    for word in said(words):
        if isinstance(word, Reading):
            assert word.present != (word.tag in here)
            here ^= {word.tag}
        elif isinstance(word, Health):
            assert word != condition
            condition = word
    assert here == reader.tags
    assert condition == Health("reader centre", True, CROWDED if len(reader.tags) > 1 else "")


def test_a_sleeping_thread_is_woken_to_take_its_turn_and_to_end() -> None:
    turns: SimpleQueue[str] = SimpleQueue()

    def turn() -> float:
        turns.put("turn")
        return 3600

    loop = Loop("sleeper", turn, lambda: turns.put("end"))
    loop.start()
    assert turns.get(timeout=600) == "turn"
    loop.wake()
    assert turns.get(timeout=600) == "turn"
    loop.close(600)
    assert turns.get_nowait() == "end"


def test_a_thread_that_will_not_end_is_named() -> None:
    never = threading.Event()
    begun = threading.Event()

    def hang() -> float:
        begun.set()
        never.wait()
        return 0

    loop = Loop("reader red", hang)
    loop.start()
    begun.wait(600)
    with pytest.raises(ThreadStuckError, match="reader red"):
        loop.close(0.01)
    never.set()
    loop.close()


def test_a_closed_reader_does_not_answer(reader: VirtualReader) -> None:
    reader.close()
    reader.close()
    with pytest.raises(OSError, match="closed"):
        reader.poll()
    assert reader.open().poll() == frozenset()


def test_idle_reader_reports_nothing(reader: VirtualReader) -> None:
    worker, words = worker_of(reader)
    for _ in range(9):
        worker.turn()
    assert said(words) == []


def test_it_accounts_for_its_polls_and_for_what_they_missed(reader: VirtualReader) -> None:
    worker, _ = worker_of(reader)
    assert (worker.account().times, worker.account().fault) == ((), "")
    reader.lay(CARD)
    for _ in range(10):
        worker.turn()
        reader.miss()
        worker.turn()
    worker.turn()
    assert worker.errors(CARD) == 0.5
    seen = worker.account()
    assert (len(seen.times), seen.failed, seen.tags) == (21, 0, {CARD: (11, 21)})
    reader.fail(OSError("no answer"))
    worker.turn()
    assert (worker.account().times, worker.account().fault) == ((), "no answer")
    reader.heal()
    worker.turn()
    assert (len(worker.account().times), worker.account().failed) == (22, 1)
