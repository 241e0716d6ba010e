"""The store: what it remembers, what a failing disk does to it, and that neither loses or doubles anything."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.record.store import Store, StoreInUse, StoreTooNew
from companion.record.store.database import OURS
from companion.record.store.history import Stored
from tests.support.stores import AT, HEADER, LINE, line, lines, opened, play, soon
from tests.support.tables import times
from tools.needs import apart, needs


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "store.sqlite3"


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process can be written (Python ignores SIGXFSZ). Nothing may be printed meanwhile."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def read(path: Path, game: int) -> Stored:
    with opened(path) as (store, _):
        return store.load(game)


# -- what it remembers ---------------------------------------------------------------------------------------------


def test_a_game_comes_back_as_it_was_written(path: Path) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        ticket = store.append(game, 1, LINE, "button", AT)
        assert store.append(game, 2, LINE, None, None) == ticket + 1
        bell.until(lambda: store.safe > ticket)
        assert store.load(game) == Stored(game, AT, HEADER, ((LINE, "button", AT), (LINE, None, None)), None)
    with opened(path) as (store, _):
        assert [(row.number, row.events, row.result) for row in store.games()] == [(game, 2, None)]
        assert store.begin(HEADER, AT) == game + 1


def test_it_is_on_disk_before_it_is_safe(path: Path) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        for number in range(1, 20):
            ticket = store.append(game, number, line(number), None, None)
            bell.until_safe(store, ticket)
            with closing(sqlite3.connect(path)) as other:
                assert other.execute("SELECT max(number) FROM events").fetchone() == (number,)


def test_close_writes_what_is_left_and_twice_is_harmless(path: Path) -> None:
    store = Store(path)
    game = store.begin(HEADER, AT)
    last = play(store, game, range(1, 501))
    store.close()
    store.close()
    assert (store.safe, store.trouble) == (last, None)
    assert not Path(f"{path}-wal").exists()
    assert len(read(path, game).events) == 500


def test_the_newest_open_game_is_the_unfinished_one(path: Path) -> None:
    with opened(path) as (store, _):
        open_, finished, abandoned, empty = (store.begin(HEADER, AT) for _ in range(4))
        for game in (open_, finished, abandoned):
            store.append(game, 1, LINE, None, None)
        store.finish(finished, '{"winners": []}')
        store.abandon(abandoned)
    with opened(path) as (store, _):
        assert [row.number for row in store.games()] == [empty, abandoned, finished, open_]
        unfinished = next(iter(store.paused()), None)
        assert unfinished
        assert (unfinished.number, unfinished.events, unfinished.header) == (open_, 1, HEADER)
        store.finish(finished, None)  # an undo has reopened it
        store.finish(open_, "{}")
    with opened(path) as (store, _):
        reopened = next(iter(store.paused()), None)
        assert reopened
        assert reopened.number == finished
        store.abandon(finished)
    with opened(path) as (store, _):
        assert next(iter(store.paused()), None) is None
        store.take_up(store.load(abandoned))
    with opened(path) as (store, _):
        taken_up = next(iter(store.paused()), None)
        assert taken_up
        assert taken_up.number == abandoned


def test_no_such_game(path: Path) -> None:
    with opened(path) as (store, _), pytest.raises(LookupError, match="no game 7"):
        store.load(7)


def test_players_tags_and_settings_at_once_and_after_a_restart(path: Path) -> None:
    with opened(path) as (store, _):
        store.remember({"red": "Anna", "blue": "Bo"})
        store.remember({"green": "Anna"})
        store.enrol("04a1", "red 7", "first deck")
        store.enrol("04B2", "blue flag")
        store.enrol("04b2", "blue 1")
        store.enrol("04C3", "red 1")
        store.forget("04c3")
        store.keep("table", {"seats": ["red", "blue"], "half": 22.5})
        for _ in range(2):  # as remembered, and as read again
            assert [(player.name, player.colour) for player in store.players()] == [("Anna", "green"), ("Bo", "blue")]
            assert store.tags() == {"04A1": "red 7", "04B2": "blue 1"}
            assert store.kept("table") == {"seats": ["red", "blue"], "half": 22.5}
            assert store.kept("language") is None
            store.close()
            store = Store(path)  # noqa: PLW2901 - the same store, after a restart
        store.close()


def test_half_a_character_becomes_its_escape(path: Path) -> None:
    with opened(path) as (store, _):
        game = store.begin('{"players": {"red": "\ud800"}}', AT)
        store.append(game, 1, '{"promise": "\udfff"}', None, None)
    stored = read(path, game)
    assert (stored.header, lines(stored)) == ('{"players": {"red": "\\ud800"}}', ['{"promise": "\\udfff"}'])


# -- a disk that cannot be written -------------------------------------------------------------------------------


def test_a_full_disk_is_reported_and_made_up_for(path: Path) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        ticket = play(store, game, range(1, 11))
        bell.until_safe(store, ticket)
        with full_disk():
            later = play(store, game, range(11, 21))
            bell.until(lambda: store.trouble)
            reported, safe = store.trouble, store.safe
        bell.until(lambda: store.safe == later and store.trouble is None)
        assert safe == ticket
        assert reported == f"{path} cannot be written (disk I/O error): check the disk, or save elsewhere."
    assert lines(read(path, game)) == [line(number) for number in range(1, 21)]


def test_a_disk_full_from_the_start(path: Path) -> None:
    with opened(path) as (store, _):
        store.enrol("04A1", "red 7")
        store.append(store.begin(HEADER, AT), 1, LINE, None, None)
    with full_disk():
        store = Store(path, patience=soon)
        reported, tags, unfinished = store.trouble, store.tags(), next(iter(store.paused()), None)
        game = store.begin(HEADER, AT)
        store.append(game, 1, LINE, None, None)
        store.close()
    assert reported
    assert tags == {"04A1": "red 7"}, "what can be read is read"
    assert unfinished
    assert game == unfinished.number + 1
    assert (store.safe, bool(store.trouble)) == (0, True), "nothing was written, and it says so"
    with opened(path) as (store, _):
        assert len(store.games()) == 1


def test_a_path_that_cannot_hold_a_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "file" / "store.sqlite3"):
        with opened(path) as (store, _):
            assert store.trouble
            assert str(path) in store.trouble
            game = store.begin(HEADER, AT)
            assert play(store, game, range(1, 5)) == 5
            assert (store.safe, store.games(), next(iter(store.paused()), None), store.tags()) == (0, [], None, {})


def test_games_begun_without_a_disk_do_not_meet_those_on_it(tmp_path: Path) -> None:
    path = tmp_path / "stick" / "store.sqlite3"
    with opened(path) as (store, _):
        old = store.begin(HEADER, AT)
        store.append(old, 1, line(1), None, None)
    path.parent.rename(tmp_path / "pulled out")
    (tmp_path / "in the way").touch()
    path.parent.symlink_to(tmp_path / "in the way")
    (tmp_path / "put back").symlink_to(tmp_path / "pulled out")
    with opened(path) as (store, bell):
        assert store.trouble
        game = store.begin(HEADER, AT)
        last = store.append(game, 1, line(2), None, None)
        (tmp_path / "put back").replace(path.parent)  # at once: the writer tries again at any moment
        bell.until(lambda: store.safe == last and store.trouble is None)
        assert lines(store.load(old)) == [line(1)]
        assert lines(store.load(game)) == [line(2)]


@pytest.mark.parametrize("end", ["", "-wal"])
def test_a_deleted_file_is_noticed_and_written_anew(path: Path, end: str) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        ticket = play(store, game, range(1, 6))
        bell.until_safe(store, ticket)
        Path(f"{path}{end}").unlink()
        ticket = play(store, game, range(6, 8))
        bell.until(lambda: store.safe == ticket and store.trouble is None)
        assert lines(store.load(game)) == [line(number) for number in range(1, 8)]


def test_a_file_deleted_just_before_the_end(path: Path) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        ticket = play(store, game, range(1, 6))
        bell.until_safe(store, ticket)
        path.unlink()
        play(store, game, range(6, 8))
    assert len(read(path, game).events) == 7


def test_the_pauses_between_tries_double_up_to_ten_seconds(tmp_path: Path) -> None:
    pauses: list[float] = []
    enough = Event()

    def patience(news: Event, seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 7:
            enough.set()
            news.wait()

    with closing(Store(tmp_path, patience=patience)):
        assert enough.wait(30)
    assert pauses[:7] == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_the_main_thread_does_not_wait_for_somebody_elses_lock(path: Path) -> None:
    with opened(path) as (store, bell), closing(sqlite3.connect(path, isolation_level=None)) as other:
        game = store.begin(HEADER, AT)
        bell.until_safe(store, 1)
        other.execute("BEGIN IMMEDIATE")
        last = play(store, game, range(1, 1001))
        assert store.safe == 1
        other.execute("COMMIT")
        bell.until_safe(store, last)


TINY_DISK = """
import subprocess, sys
from contextlib import suppress
from pathlib import Path
from threading import Event
from companion.record.store import Store

folder = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", folder], check=True)
change = Event()
store = Store(folder / "store.sqlite3", change.set, lambda news, _: news.wait(0.005))

def until(true):
    while not true():
        assert change.wait(30)
        change.clear()

def remount(option):
    # the options it has would be given again, and a uid among them is none of this namespace
    subprocess.run(["mount", "--options-mode", "ignore", "-o", f"remount,{option}", folder], check=True)

game, number = store.begin("{}", "now"), 0
while store.trouble is None:
    number += 1
    last = store.append(game, number, "x" * 1000, None, None)
    until(lambda: store.safe == last or store.trouble)
print(store.trouble)
remount("size=4m")
until(lambda: store.safe == last and store.trouble is None)
store.close()

with suppress(OSError):
    (folder / "filler").write_bytes(bytes(8 << 20))
store = Store(folder / "store.sqlite3", change.set, lambda news, _: news.wait(0.005))
print(store.trouble)
(folder / "filler").unlink()
until(lambda: store.trouble is None)
store.close()

remount("ro")
store = Store(folder / "store.sqlite3", change.set, lambda news, _: news.wait(0.005))
print(store.trouble)
print(next(iter(store.paused()), None).events == number, store.take_up(store.load(game)) == game)
last = store.append(game, number + 1, "y", None, None)
remount("rw")
until(lambda: store.safe == last and store.trouble is None)
store.close()
store = Store(folder / "store.sqlite3")
print(store.load(game).events == (("x" * 1000, None, None),) * number + (("y", None, None),))
store.close()
"""


def test_a_real_full_and_a_real_read_only_disk(tmp_path: Path) -> None:
    needs("namespaces")
    child = [*apart("--mount"), sys.executable, "-c", TINY_DISK, str(tmp_path)]
    said = subprocess.run(child, check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
    path = tmp_path / "store.sqlite3"
    assert said == [
        f"The disk is full: make room for {path}, or save elsewhere.",
        f"The disk is full: make room for {path}, or save elsewhere.",
        f"{path} is read-only: make it writable, or save elsewhere.",
        "True True",
        "True",
    ]


# -- elsewhere -----------------------------------------------------------------------------------------------------


def test_saved_elsewhere_with_all_that_was_there(path: Path, tmp_path: Path) -> None:
    goal = tmp_path / "stick" / "copy.sqlite3"
    with opened(path) as (store, _):
        old = store.begin(HEADER, AT)
        play(store, old, range(1, 4))
        store.enrol("04A1", "red 7")
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        ticket = play(store, game, range(1, 6))
        bell.until_safe(store, ticket)
        store.move(goal)
        bell.until(lambda: store.path == goal)
        ticket = play(store, game, range(6, 8))
        bell.until_safe(store, ticket)
    with opened(goal) as (store, _):
        assert lines(store.load(old)) == [line(number) for number in range(1, 4)]
        assert lines(store.load(game)) == [line(number) for number in range(1, 8)]
        assert store.tags() == {"04A1": "red 7"}
    with closing(sqlite3.connect(path)) as there:
        assert there.execute("SELECT max(number) FROM events").fetchone() == (5,), "the old place stays as it was"


def test_saved_elsewhere_when_the_old_place_is_lost(path: Path, tmp_path: Path) -> None:
    goal = tmp_path / "copy.sqlite3"
    with opened(path) as (store, _):
        game = store.begin(HEADER, AT)
        play(store, game, range(1, 4))
        store.enrol("04A1", "red 7")
        store.keep("language", "ja")
    with opened(path) as (store, bell):
        assert store.take_up(store.load(game)) == game
        shutil.rmtree(path.parent)
        path.parent.write_text("in the way")
        play(store, game, range(4, 6))
        bell.until(lambda: store.trouble)
        store.move(goal)
        bell.until(lambda: store.trouble is None)
        assert store.note
        assert "could not be copied" in store.note
    with opened(goal) as (store, _):
        assert lines(store.load(game)) == [line(number) for number in range(1, 6)]
        assert (store.tags(), store.kept("language")) == ({"04A1": "red 7"}, "ja")


def test_a_new_place_that_cannot_hold_a_store_either(tmp_path: Path) -> None:
    taken = tmp_path / "taken.sqlite3"
    taken.write_text("somebody's letter")
    with opened(tmp_path) as (store, bell):
        assert store.trouble
        store.move(taken)
        bell.until(lambda: store.note)
        reason = f"{taken} already exists and will not be overwritten: choose another name."
        assert store.note == reason
        bell.until(lambda: str(store.trouble).endswith(reason))
        store.move(tmp_path / "taken.sqlite3" / "under a file")
        bell.until(lambda: "under a file" in str(store.trouble))
        store.move(tmp_path / "good.sqlite3")
        bell.until(lambda: store.trouble is None)
    assert taken.read_text() == "somebody's letter"
    good = ["good.sqlite3", "good.sqlite3-lock", "good.sqlite3-mark"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [*good, "taken.sqlite3"]


def test_a_full_disk_elsewhere_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    goal = tmp_path / "copy.sqlite3"
    with opened(path) as (store, bell):
        ticket = play(store, store.begin(HEADER, AT), range(1, 4))
        bell.until_safe(store, ticket)
        with full_disk():
            store.move(goal)
            bell.until(lambda: store.note)
        assert (store.path, store.safe) == (path, ticket)
    assert not list(tmp_path.glob("copy*"))


# -- damage --------------------------------------------------------------------------------------------------------


def test_a_damaged_file_is_kept_aside(path: Path) -> None:
    with opened(path) as (store, _):
        play(store, store.begin(HEADER, AT), range(1, 200))
    whole = path.read_bytes()
    for spoilt in (b"not a database at all" * 100, whole[:4096] + b"\xa5" * (len(whole) - 4096), whole[:9000]):
        path.write_bytes(spoilt)
        with opened(path) as (store, bell):
            assert store.trouble is None
            assert store.note
            assert "was damaged" in store.note
            aside = next(p for p in path.parent.iterdir() if ".damaged-" in p.name and p.name in store.note)
            assert (aside.read_bytes(), store.games()) == (spoilt, [])
            ticket = store.append(store.begin(HEADER, AT), 1, LINE, None, None)
            bell.until_safe(store, ticket)
        aside.unlink()


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE events SET event = replace(event, '5', '6') WHERE number = 5",
        "UPDATE events SET event = CAST(x'ff00fe' AS TEXT) WHERE number = 5",
        "UPDATE events SET crc = 'none' WHERE number = 5",
        "DELETE FROM events WHERE number = 5",
    ],
)
def test_a_damaged_event_ends_the_journal_and_the_game_goes_on_under_a_new_number(path: Path, harm: str) -> None:
    with opened(path) as (store, _):
        game = store.begin(HEADER, AT)
        play(store, game, range(1, 9))
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(harm)
    with opened(path) as (store, _):
        stored = store.load(game)
        assert stored.note == f"The journal of game {game} is damaged after event 4."
        assert lines(stored) == [line(number) for number in range(1, 5)]
        assert store.take_up(stored) == game + 1
        store.append(game + 1, 5, LINE, None, None)
    with opened(path) as (store, _):
        assert lines(store.load(game + 1)) == [*(line(number) for number in range(1, 5)), LINE]
        unfinished = next(iter(store.paused()), None)
        assert unfinished
        assert unfinished.number == game + 1


def test_a_wal_cut_anywhere_leaves_all_that_was_safe_before_the_cut(path: Path, tmp_path: Path) -> None:
    wal = Path(f"{path}-wal")
    sizes = []
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        for number in range(1, 31):
            ticket = store.append(game, number, line(number), None, None)
            bell.until_safe(store, ticket)
            sizes.append(wal.stat().st_size)
        main, log = path.read_bytes(), wal.read_bytes()
    for cut in [*range(0, len(log), 997), *sizes, *(size - 1 for size in sizes)]:
        copy = tmp_path / f"{cut}.sqlite3"
        copy.write_bytes(main)
        Path(f"{copy}-wal").write_bytes(log[:cut])
        with opened(copy) as (store, _):
            found = lines(store.load(game)) if store.games() else []
        assert found == [line(number) for number in range(1, len(found) + 1)]
        assert len(found) >= sum(size <= cut for size in sizes), cut


# -- others --------------------------------------------------------------------------------------------------------


def test_a_second_program_is_told(path: Path) -> None:
    with opened(path) as (store, _):
        with pytest.raises(StoreInUse, match="in use by another Tabularium"):
            Store(path)
        second = [
            sys.executable,
            "-c",
            f"from pathlib import Path; from companion.record.store import Store; Store(Path({str(path)!r}))",
        ]
        said = subprocess.run(second, capture_output=True, text=True, check=False)
        assert "StoreInUse" in said.stderr
        store.append(store.begin(HEADER, AT), 1, LINE, None, None)
    assert len(read(path, 1).events) == 1


def test_a_newer_store_is_left_alone(path: Path) -> None:
    with opened(path):
        pass
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version=99")
        other.execute(f"PRAGMA application_id={OURS + 99}")
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match="newer Tabularium"):
        Store(path)
    assert path.read_bytes() == before


def test_a_store_of_the_first_version_opens_with_all_it_holds(path: Path) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        bell.until_safe(store, store.append(game, 1, LINE, "nfc", AT))
        before = store.load(game)
    with closing(sqlite3.connect(path)) as old:
        old.execute("ALTER TABLE games DROP COLUMN follows")
        old.execute("PRAGMA user_version=1")
        old.commit()
    with opened(path) as (store, bell):
        assert (store.note, store.trouble, store.earlier(game)) == (None, None, [])
        assert store.load(game) == before and store.take_up(before) == game
        after = store.begin(HEADER, AT, game)
        bell.until_safe(store, store.append(after, 1, LINE, None, None))
    with opened(path) as (store, _):
        assert [row.number for row in store.earlier(after)] == [game]


def test_a_damaged_game_stays_in_its_series(path: Path) -> None:
    with opened(path) as (store, bell):
        first = store.begin(HEADER, AT)
        second = store.begin(HEADER, AT, first)
        game = store.begin(HEADER, AT, second)
        for number in (1, 2):
            ticket = store.append(game, number, LINE, None, None)
        bell.until_safe(store, ticket)
        with closing(sqlite3.connect(path)) as other:
            other.execute("UPDATE events SET crc = 0 WHERE game = ? AND number = 2", (game,))
            other.commit()
        sound = store.take_up(store.load(game))
        bell.until_safe(store, store.append(sound, 2, LINE, None, None))
        assert [row.number for row in store.earlier(sound)] == [first, second]


def test_it_is_written_as_safely_as_it_says(path: Path) -> None:
    with opened(path) as (store, _):
        db = store._db
        assert db
        assert db._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert os.access(path, os.R_OK)


# -- what is written is read back --------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["", "\0", "a\0b", "a\0c", "é", "e\u0301", "ß", "ı", "1", "01", "1.0", " 1", "\udfff", "\x1f", "x" * 9000]
)
ANY = WORDS | st.text(st.characters(), max_size=3)
DOES: dict[str, Callable[[Store, int, str, str], object]] = {
    "enrol": lambda store, _, tag, card: store.enrol(tag, card, card),
    "forget": lambda store, _, tag, __: store.forget(tag),
    "remember": lambda store, _, name, colour: store.remember({colour: name, "": name}),
    "keep": lambda store, _, key, value: store.keep(key, value),
    "finish": lambda store, game, result, _: store.finish(game, result),
    "reopen": lambda store, game, *_: store.finish(game, None),
    "finish one of elsewhere": lambda store, _, result, __: store.finish(10**6, result),
    "abandon": lambda store, game, *_: store.abandon(game),
    "begin": lambda store, _, header, at: store.begin("{" + header, at),
}
WORKS = st.tuples(st.sampled_from(sorted(DOES)), ANY, ANY)


@settings(max_examples=times(15, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs=st.lists(st.lists(WORKS, max_size=12), max_size=4))
def test_nothing_that_was_written_is_taken_for_lost(tmp_path: Path, runs: list[list[tuple[str, str, str]]]) -> None:
    """For any writes, in one transaction or many: what is read back is what was written."""
    shutil.rmtree(tmp_path / "store", ignore_errors=True)
    with opened(tmp_path / "store" / "sqlite3") as (store, bell):
        game, events = store.begin(HEADER, AT), []
        for run in runs:
            for what, one, other in run:
                DOES[what](store, game, one, other)
                events.append(one)
                store.append(game, len(events), one, other, None)
            bell.until(lambda: store.saved or store.trouble)
            assert store.trouble is None
    with opened(tmp_path / "store" / "sqlite3") as (store, _):
        assert (store.trouble, store.note, store.load(game).note) == (None, None, None)
        assert len(store.load(game).events) == len(events)
