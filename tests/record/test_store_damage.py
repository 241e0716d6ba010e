"""A store that a disk has spoilt, lost or moved: nothing is lost without a word, and nothing ends the program."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Event

import pytest

from companion.cli import main
from companion.cli.common import STORE
from companion.hall.store import HallStore
from companion.record.store import Store
from companion.record.store.database import FIRST, TABLES, rebuild
from companion.record.store.history import entries, games, rows
from companion.record.store.mark import SIZE
from companion.rules.mistakes import Mistakes
from companion.system.limits import ITEMS, KEYS
from tests.support.damage import EATS, REBUILT, REFUSED, foreign_objects, other_schema
from tests.support.stores import AT, HEADER, LINE, Bell, line, lines, opened, play
from tests.support.tables import times
from tools.needs import apart, needs


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


@pytest.fixture
def played(path: Path) -> Path:
    """A store with one game of nine acts."""
    with opened(path) as (store, _):
        play(store, store.begin(HEADER, AT), range(1, 10))
        store.enrol("04A1", "red 7", "box")
    return path


def spoil(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            db.execute(statement)


NO_UTF8 = "UPDATE sqlite_master SET name = CAST(x'ff67' AS TEXT), sql = 'CREATE TABLE \x01' WHERE name = 'tags'"
"""SQLite quotes the name when it reports it, and Python cannot read the report."""
OTHERS = {
    "a report that is no text": NO_UTF8,
    "a column of another name": "UPDATE sqlite_master SET sql = replace(sql, 'event ', 'evemt ') WHERE name = 'events'",
    "a table in the place of another": "UPDATE sqlite_master SET type = 'index' WHERE name = 'tags'",
    "a table without a definition": "UPDATE sqlite_master SET sql = '' WHERE name = 'players'",
}


# -- damage ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("harm", OTHERS.values(), ids=OTHERS)
def test_damaged_is_damaged_whatever_says_so(played: Path, harm: str) -> None:
    spoil(played, harm)
    with opened(played) as (store, bell):
        assert store.note and "was damaged" in store.note and not store.trouble
        bell.until_safe(store, store.append(store.begin(HEADER, AT), 1, LINE, None, None))
    assert len(list(played.parent.glob("*.damaged-*[0-9]"))) == 1


def test_a_file_spoilt_in_mid_game_is_put_aside_and_the_game_goes_on(path: Path) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        bell.until_safe(store, play(store, game, range(1, 6)))
        spoil(path, NO_UTF8)
        Path(f"{path}-wal").unlink()  # so that it is opened anew
        last = play(store, game, range(6, 8))
        bell.until(lambda: store.safe == last and not store.trouble)
        assert store.note and "was damaged" in store.note
        assert lines(store.load(game)) == [line(number) for number in range(1, 8)]


@pytest.mark.parametrize("version", [-1, 0, 1, 3, 2**31 - 1, -(2**31)])
def test_a_spoilt_version_is_mended_by_the_tables(played: Path, version: int) -> None:
    spoil(played, f"PRAGMA user_version={version}")
    for _ in range(2):
        with opened(played) as (store, _):
            assert (store.note, store.trouble) == (None, None)
            assert len(store.load(1).events) == 9
    with closing(sqlite3.connect(played)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_command_opens_a_store_of_a_spoilt_version(
    played: Path, at_home: None, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Path(os.environ["XDG_DATA_HOME"]) / "tabularium" / STORE
    kept.parent.mkdir(parents=True)
    shutil.copy(played, kept)
    spoil(kept, "PRAGMA user_version=-1")
    assert main(["games"]) == 0
    said = capsys.readouterr()
    assert said.out.count("spartacus") == 1 and not said.err


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE games SET at = x'ff00', header = x'ff00'",
        "UPDATE games SET header = 7, at = NULL, result = 2.5",
        """UPDATE games SET header = '{"seats": 5, "game": [], "players": {"red": 7}}', result = '{"winners": {}}'""",
        "UPDATE players SET colour = x'ff'; UPDATE tags SET card = 5, tag = x'41ff'; UPDATE settings SET value = x'ff'",
        "UPDATE events SET by = x'ff', at = 7",
    ],
)
def test_what_is_no_text_any_more_is_read_as_one(played: Path, harm: str) -> None:
    spoil(played, *harm.split("; "))
    with opened(played) as (store, _):
        (row,) = store.games()
        assert all(isinstance(seat, str) for seat in row.table["seats"]) and row.outcome.get("winners", []) == []
        assert [type(text) for text in (row.at, row.header, row.table["game"])] == [str, str, str]
        assert all(isinstance(word, str) for pair in store.enrolled().values() for word in pair)
        assert all(isinstance(text, str) for event in store.load(1).events for text in event)


def test_reading_a_damaged_file_raises_what_readers_expect(played: Path) -> None:
    spoil(played, NO_UTF8)
    for read in (lambda: games(played), lambda: rows(played, "SELECT * FROM tags")):
        with pytest.raises(sqlite3.Error):
            read()


def test_two_damages_in_one_second_are_both_kept(path: Path) -> None:
    for letter in (b"a", b"b", b"c"):
        path.write_bytes(letter * 5000)
        with opened(path):
            pass
    kept = {file.read_bytes()[:1] for file in path.parent.glob("*.damaged-*") if file.stat().st_size == 5000}
    assert kept == {b"a", b"b", b"c"}


# -- another schema -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("harm", REBUILT.values(), ids=REBUILT)
def test_a_store_with_another_schema_is_rebuilt_with_its_rows_and_kept(played: Path, harm: str) -> None:
    other_schema(played, harm)
    with opened(played) as (store, bell):
        assert store.note and "contained something it should not" in store.note and not store.trouble
        store.begin(HEADER, AT)
        last = play(store, store.begin(HEADER + " ", AT), range(1, 20))
        bell.until_safe(store, last)
        assert lines(store.load(1)) == [line(number) for number in range(1, 10)]
        assert store.tags() == {"04A1": "red 7"}
    assert not foreign_objects(played)
    with opened(played) as (store, _):
        assert (store.note, store.trouble) == (None, None)
        assert [row.events for row in store.games()] == [19, 0, 9]
    assert len(list(played.parent.glob("*.before-*[0-9]"))) == 1


@pytest.mark.parametrize("harm", REFUSED.values(), ids=REFUSED)
def test_a_store_whose_rows_cannot_be_taken_is_damaged(played: Path, harm: str) -> None:
    other_schema(played, harm)
    with opened(played) as (store, bell):
        assert store.note and "was damaged" in store.note and not store.trouble
        bell.until_safe(store, store.append(store.begin(HEADER, AT), 1, LINE, None, None))
    assert not foreign_objects(played)
    assert len(list(played.parent.glob("*.damaged-*[0-9]"))) == 1


@pytest.mark.parametrize("harm", [*list(REBUILT.values())[:4], REBUILT["an index that two games break"]])
def test_what_is_lost_while_it_is_written_is_not_called_safe(path: Path, harm: str) -> None:
    """A schema that changes under the program is noticed by the first act that is not there."""
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        bell.until_safe(store, play(store, game, range(1, 6)))
        other_schema(path, harm)
        later = store.begin(HEADER + " ", AT)
        bell.until_safe(store, play(store, later, range(1, 3)))
        assert store.note and "contained something it should not" in store.note and not store.trouble
        assert [lines(store.load(one)) for one in (game, later)] == [
            [line(number) for number in range(1, 6)],
            [line(number) for number in range(1, 3)],
        ]
    assert not foreign_objects(path)


@pytest.mark.parametrize("pragma", ["page_size=512", "page_size=65536", "auto_vacuum=1", "auto_vacuum=2"])
def test_a_file_of_another_build_is_opened_as_it_is(played: Path, pragma: str) -> None:
    with closing(sqlite3.connect(played, isolation_level=None)) as db:
        db.executescript(f"PRAGMA journal_mode=DELETE; PRAGMA {pragma}; VACUUM")
    with opened(played) as (store, _):
        assert (store.note, store.trouble) == (None, None)
        assert len(store.load(1).events) == 9


STATISTICS = "CREATE TABLE sqlite_stat1 (tbl, idx, stat AS (hex(zeroblob(400000000))))"
WITHIN = """
import resource, sys
from contextlib import closing
from pathlib import Path
from companion.hall.store import HallStore
from companion.record.store import Store, history
path = Path(sys.argv[1])
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 100_000_000,) * 2)
print(len(history.games(path)))
with closing(Store(path)) as store:
    assert not store.trouble, store.trouble
    print(store.note)
try:
    HallStore(path.with_name("hall.sqlite3"))
except ValueError as error:
    print(error)
"""
"""Reads and opens stores with no more memory than 100 MB besides what the program has."""


def test_statistics_that_are_computed_as_a_schema_is_loaded_take_no_memory(played: Path) -> None:
    """SQLite looks at them before anybody can ask what is in the file."""
    with closing(HallStore(played.with_name("hall.sqlite3"))) as hall:
        hall.say({"act": "join", "names": ["Anna"]})
    for path in (played, hall.path):
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript("ANALYZE; PRAGMA writable_schema=ON")
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'sqlite_stat1'", (STATISTICS,))
    done = subprocess.run([sys.executable, "-c", WITHIN, str(played)], capture_output=True, text=True, check=False)
    games, note, hall_said = done.stdout.splitlines() or [done.stderr, "", ""]
    assert games == "1" and "copied into a new file" in note and "not written by this version" in hall_said
    assert len(entries(played, 1)[0]) == 9 and not foreign_objects(played)


@pytest.mark.parametrize("made_by", ["the program", "somebody else"])
def test_a_spoilt_key_costs_its_event_and_no_other_game(path: Path, made_by: str) -> None:
    """The disk has made two events of one number, which SQLite does not notice."""
    with opened(path) as (store, _):
        for _ in range(2):
            play(store, store.begin(HEADER, AT), range(1, 10))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
    whole = path.read_bytes()
    at = whole.rindex(line(5).encode())
    path.write_bytes(whole[: at - 1] + b"\4" + whole[at:])
    if made_by == "somebody else":
        other_schema(path, EATS)
        with opened(path) as (store, _):
            assert store.note and "copied into a new file" in store.note
    else:
        rebuild(path, path.with_name("new"))
        path.with_name("new").replace(path)
    with opened(path) as (store, _):
        assert not store.trouble and [row.events for row in store.games()] == [9, 9]
        found = [store.load(game) for game in (1, 2)]
        assert sorted(len(game.events) for game in found) == [4, 9] and sum(bool(game.note) for game in found) == 1


def test_a_file_of_another_encoding_is_put_aside(path: Path) -> None:
    """Every checksum of a text in it would differ."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"PRAGMA encoding='UTF-16'; CREATE TABLE {FIRST}")
    with opened(path) as (store, bell):
        assert store.note and "was damaged" in store.note
        bell.until_safe(store, store.append(store.begin(HEADER, AT), 1, LINE, None, None))


def test_a_store_of_the_first_version_is_opened_as_it_was(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(
            f"CREATE TABLE {FIRST}; {'; '.join(f'CREATE TABLE {table}' for table in TABLES[1:5])};"
            f"INSERT INTO games (number, at, header) VALUES (1, '{AT}', '{HEADER}'); PRAGMA user_version=1"
        )
    with opened(path) as (store, _):
        assert (store.note, store.trouble) == (None, None)
        assert [row.header for row in store.games()] == [HEADER]
    assert not foreign_objects(path)


# -- the writer ------------------------------------------------------------------------------------------------


def test_a_writer_never_ends_unseen(tmp_path: Path) -> None:
    def patience(_: Event, __: float) -> None:
        raise RuntimeError("no patience")

    bell = Bell()
    with closing(Store(tmp_path, bell, patience)) as store:
        bell.until(lambda: store.trouble and "in the program (RuntimeError)" in store.trouble)
    assert store.trouble


def test_who_cannot_be_woken_does_not_stop_the_writer(path: Path) -> None:
    def woken() -> None:
        raise RuntimeError("asleep")

    with closing(Store(path, woken)) as store:
        last = play(store, store.begin(HEADER, AT), range(1, 4))
    assert store.safe == last


def test_whatever_writing_raises_is_trouble_and_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.record.store import database

    write, fails = database.Database.write, True

    def failing(db: database.Database, works: object) -> None:
        if fails:
            raise ValueError("embedded null byte")
        write(db, works)  # type: ignore[arg-type]

    monkeypatch.setattr(database.Database, "write", failing)
    with opened(path) as (store, bell):
        last = store.append(store.begin(HEADER, AT), 1, LINE, None, None)
        bell.until(lambda: store.trouble and "embedded null byte" in store.trouble)
        fails = False
        bell.until(lambda: store.safe == last and not store.trouble)


def test_a_number_that_is_taken_is_an_error_and_never_ignored(path: Path) -> None:
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        ticket = play(store, game, range(1, 4))
        bell.until_safe(store, ticket)
        store.append(game, 3, line(3), "nfc", AT)  # the same once more does no harm
        later = store.append(game, 3, LINE, None, None)
        bell.until(lambda: store.trouble)
        assert "already holds other games under the same numbers" in str(store.trouble)
        assert store.safe < later
        assert [event for event, _, _ in entries(path, game)[0]] == [line(number) for number in range(1, 4)]


# -- numbers of games --------------------------------------------------------------------------------------------


def in_the_way(path: Path) -> Callable[[], object]:
    """Nothing at this path can be read or written, until what is returned is called."""
    path.parent.rename(away := path.parent.with_name("away"))
    path.parent.write_text("in the way")
    back = path.parent.with_name("back")
    back.symlink_to(away)

    def clear() -> None:
        back.replace(path.parent)

    return clear


def test_a_game_begun_while_nothing_can_be_read_is_numbered_when_it_can(tmp_path: Path) -> None:
    path = tmp_path / "disk" / "store.sqlite3"
    with opened(path) as (store, _):
        for _ in range(3):
            play(store, store.begin(HEADER, AT), range(1, 4))
    clear = in_the_way(path)
    with opened(path) as (store, bell):
        first = store.begin(HEADER, AT)
        play(store, first, range(1, 3))
        second = store.begin(HEADER, AT, first)
        last = play(store, second, range(1, 6))
        assert store.trouble and store.number(second) == second < 0
        assert lines(store.load(second)) == [line(number) for number in range(1, 6)]
        clear()
        bell.until(lambda: store.safe == last and not store.trouble)
        assert (store.number(first), store.number(second), store.begin(HEADER, AT)) == (4, 5, -3)
        assert [row.number for row in store.earlier(second)] == [4]
        assert len(store.load(second).events) == len(store.load(5).events) == 5
    with opened(path) as (store, _):
        assert [(row.number, row.events) for row in store.games()] == [(6, 0), (5, 5), (4, 2), (3, 3), (2, 3), (1, 3)]
        assert store.begin(HEADER, AT) == 7


def test_such_a_game_is_numbered_where_it_is_saved_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with opened(tmp_path / "folder") as (store, bell):
        game = store.begin(HEADER, AT)
        last = play(store, game, range(1, 4))
        store.move(tmp_path / "folder")  # fails, and numbers nothing
        bell.until(lambda: store.note)
        assert store.number(game) == game
        store.move(tmp_path / "good.sqlite3")
        bell.until(lambda: store.safe == last and not store.trouble)
        assert (store.number(game), len(store.load(game).events)) == (1, 3)


def test_a_number_that_the_disk_has_spoilt_is_not_counted_from(played: Path) -> None:
    spoil(played, f"UPDATE games SET number = {2**63 - 1}")
    with opened(played) as (store, bell):
        game = store.begin(HEADER, AT)
        bell.until_safe(store, play(store, game, range(1, 3)))
        assert (game, store.note) == (2, None), "the journal of 1 is still there"


# -- lost --------------------------------------------------------------------------------------------------------


def copied(path: Path, goal: Path, *ends: str) -> Path:
    """A store as it is on disk at this moment, or a part of it."""
    goal.mkdir()
    for end in ends:
        (goal / f"{path.name}{end}").write_bytes(Path(f"{path}{end}").read_bytes())
    return goal / path.name


def test_a_log_that_is_lost_or_cut_off_is_noticed_and_said_once(played: Path, tmp_path: Path) -> None:
    with opened(played) as (store, bell):
        sizes = []
        for number in range(10, 15):
            bell.until_safe(store, store.append(1, number, line(number), None, None))
            sizes.append(Path(f"{played}-wal").stat().st_size)
        lost = copied(played, tmp_path / "lost", "", "-mark")
        cut = copied(played, tmp_path / "cut", "", "-wal", "-mark")
        whole = copied(played, tmp_path / "whole", "", "-wal", "-mark")
        bare = copied(played, tmp_path / "bare", "", "-wal")
    os.truncate(f"{cut}-wal", sizes[2] + 10)
    for path, gone in ((lost, 5), (cut, 2), (whole, 0), (bare, 0), (played, 0)):
        with opened(path) as (store, bell):
            assert len(store.load(1).events) == 14 - gone
            said = f"The last entries in {path} are missing ({gone}): the disk has lost them. A game may end earlier than you remember."
            assert store.note == (said if gone else None)
            bell.until_safe(store, store.append(1, 20, LINE, None, None))
        with opened(path) as (store, _):
            assert store.note is None


def test_what_is_lost_in_mid_game_is_written_again_and_only_what_was_older_is_reported(played: Path) -> None:
    with opened(played) as (store, bell):
        game = store.begin(HEADER, AT)
        for end in ("-wal", ""):
            bell.until_safe(store, play(store, game, range(1, 6)))
            assert store.note is None
            Path(f"{played}{end}").unlink()
        last = store.append(game, 6, LINE, None, None)
        bell.until(lambda: store.safe == last and not store.trouble)
        assert store.note and "are missing (11)" in store.note, "a game, nine acts and a tag"
        assert len(store.load(game).events) == 6


@pytest.mark.parametrize("spoilt", [b"", b"nonsense", b"\xff" * 5000, b"00000000 {}", b" " * 4096])
def test_a_mark_that_is_spoilt_stops_nothing(played: Path, spoilt: bytes) -> None:
    mark = Path(f"{played}-mark")
    mark.write_bytes(spoilt)
    with opened(played) as (store, bell):
        assert (store.note, store.trouble) == (None, None)
        bell.until_safe(store, store.append(1, 10, LINE, None, None))
    assert mark.stat().st_size >= SIZE
    mark.unlink()
    mark.mkdir()
    with opened(played) as (store, bell):
        bell.until_safe(store, store.append(1, 11, LINE, None, None))
        assert (store.note, store.trouble) == (None, None)


# -- moved -------------------------------------------------------------------------------------------------------


def saved_elsewhere(path: Path, goal: Path) -> None:
    """Five acts of a second game, the last two in another place."""
    with opened(path) as (store, bell):
        game = store.begin(HEADER, AT)
        bell.until_safe(store, play(store, game, range(1, 4)))
        store.move(goal)
        bell.until(lambda: store.note)
        assert (store.path, store.note) == (goal, f"From now on everything is saved in {goal}.")
        bell.until_safe(store, play(store, game, range(4, 6)))


def test_a_restart_goes_on_where_it_was_saved_elsewhere(played: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "stick" / "one.sqlite3", tmp_path / "disk" / "two.sqlite3"
    saved_elsewhere(played, first)
    with opened(played) as (store, bell):
        assert (store.path, store.note) == (first, None)
        assert len(store.load(2).events) == 5
        store.move(second)
        bell.until(lambda: store.path == second)
    with opened(played) as (store, _):
        assert (store.path, store.note, len(store.load(2).events)) == (second, None, 5)


def test_where_the_new_place_is_not_there_that_is_said_and_nothing_is_hidden(played: Path, tmp_path: Path) -> None:
    goal = tmp_path / "stick" / "one.sqlite3"
    saved_elsewhere(played, goal)
    goal.parent.rename(tmp_path / "pulled out")
    for _ in range(2):
        with opened(played) as (store, _):
            assert store.path == played
            assert store.note and f"The games were last saved in {goal}, which cannot be found." in store.note
    (tmp_path / "pulled out").rename(goal.parent)
    with opened(played) as (store, _):
        assert (store.path, store.note) == (goal, None), "nothing was done meanwhile"
    goal.parent.rename(tmp_path / "pulled out")
    with opened(played) as (store, _):
        store.append(store.begin(HEADER, AT), 1, LINE, None, None)
    (tmp_path / "pulled out").rename(goal.parent)
    with opened(played) as (store, _):
        said = f"The games are in {goal}. Games played while it was missing are in {played}."
        assert (store.path, store.note) == (goal, said)
    with opened(played) as (store, _):
        assert (store.path, store.note) == (goal, None)


def test_word_of_the_new_place_outlives_damage_to_the_old_one(played: Path, tmp_path: Path) -> None:
    goal = tmp_path / "stick" / "one.sqlite3"
    saved_elsewhere(played, goal)
    goal.parent.rename(tmp_path / "pulled out")
    played.write_bytes(b"nonsense" * 1000)
    with opened(played) as (store, _):
        assert store.note and "was damaged" in store.note and "cannot be found" in store.note
    (tmp_path / "pulled out").rename(goal.parent)
    with opened(played) as (store, _):
        assert store.path == goal


def test_where_no_word_can_be_left_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "disk" / "store.sqlite3"
    with opened(path) as (store, bell):
        bell.until_safe(store, play(store, store.begin(HEADER, AT), range(1, 4)))
        in_the_way(path)
        store.move(tmp_path / "good.sqlite3")
        bell.until(lambda: store.note)
        assert store.note and "could not be copied" in store.note and "could not be noted in" in store.note
        assert store.path == tmp_path / "good.sqlite3"


def test_what_is_left_of_another_store_is_not_taken_for_the_new_one(played: Path, tmp_path: Path) -> None:
    goal = tmp_path / "good.sqlite3"
    Path(f"{goal}-wal").write_text("somebody's log")
    with opened(played) as (store, bell):
        store.move(goal)
        bell.until(lambda: store.note)
        assert store.note == f"{goal} already exists and will not be overwritten: choose another name."
        assert store.path == played
    assert Path(f"{goal}-wal").read_text() == "somebody's log"


def test_a_place_with_other_games_under_the_same_numbers_is_left_for_another(played: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    with opened(other) as (store, _):
        play(store, store.begin(f"{HEADER} ", "yesterday"), range(20, 30))
    with opened(played) as (store, bell):
        assert store.take_up(store.load(1)) == 1
        bell.until(lambda: store.saved)
        for end in ("-wal", ""):
            Path(f"{played}{end}").unlink()
        other.rename(played)
        last = store.append(1, 10, LINE, None, None)
        bell.until(lambda: store.trouble and "holds other games" in store.trouble)
        store.move(tmp_path / "good.sqlite3")
        bell.until(lambda: store.safe == last and not store.trouble)
        assert store.note and "could not be copied" in store.note
        assert lines(store.load(1)) == [*(line(number) for number in range(1, 10)), LINE]


# -- whose it is -------------------------------------------------------------------------------------------------


def modes(folder: Path) -> set[int]:
    return {file.stat().st_mode & 0o777 for file in folder.iterdir()}


def test_a_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "store.sqlite3"
    before = os.umask(0)
    try:
        with opened(path) as (store, bell):
            bell.until_safe(store, play(store, store.begin(HEADER, AT), range(1, 4)))
            assert {file.name for file in path.parent.iterdir()} == {
                f"store.sqlite3{end}" for end in ("", "-wal", "-shm", "-mark", "-lock")
            }
            assert (path.parent.stat().st_mode & 0o777, modes(path.parent)) == (0o700, {0o600})
            for file in path.parent.iterdir():
                file.chmod(0o644)
            store.move(tmp_path / "else" / "where.sqlite3")
            bell.until(lambda: store.note)
        assert modes(tmp_path / "else") == {0o600}
        (path.parent / "store.sqlite3.damaged-20260101-000000").write_text("older")
        path.write_bytes(b"nonsense" * 1000)
        Path(f"{path}-mark").unlink()
        with opened(path):
            assert modes(path.parent) == {0o600}, "those of an older program too, and what is put aside"
    finally:
        os.umask(before)


def test_a_folder_that_was_there_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with opened(tmp_path / "store.sqlite3"):
        assert tmp_path.stat().st_mode & 0o777 == 0o755


FULL_DISK = """
import subprocess, sys
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Event
from companion.rules.mistakes import Mistakes
from companion.hall.store import HallStore
from companion.record.store import Store

folder, goal = map(Path, sys.argv[1:])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", folder], check=True)
change = Event()
store = Store(folder / "store.sqlite3", change.set, lambda news, _: news.wait(0.005))

def until(true):
    while not true():
        assert change.wait(30)
        change.clear()

game, number = store.begin("{}", "now"), 0
while store.trouble is None:
    number += 1
    last = store.append(game, number, "x" * 1000, None, None)
    until(lambda: store.safe == last or store.trouble)
with suppress(OSError):
    (folder / "filler").write_bytes(bytes(8 << 20))
store.move(goal)
until(lambda: store.path == goal)
print(store.note)
store.close()
store = Store(folder / "store.sqlite3")
print(store.path, len(store.load(game).events) == number, store.note)
store.close()
"""


def test_a_full_disk_still_takes_word_of_the_new_place(tmp_path: Path) -> None:
    needs("namespaces")
    (tmp_path / "tiny").mkdir()
    goal = tmp_path / "stick" / "games.db"
    child = [*apart("--mount"), sys.executable, "-c", FULL_DISK, str(tmp_path / "tiny"), str(goal)]
    said = subprocess.run(child, check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
    assert said == [f"From now on everything is saved in {goal}.", f"{goal} True None"]


def as_a_disk_does(path: Path, statement: str) -> None:
    """Changed without anybody's being told."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(statement)


# -- what must be there ----------------------------------------------------------------------------------------------


def test_acts_that_one_spoilt_key_hides_are_missed(played: Path) -> None:
    """SQLite finds nothing wrong with it: what stands behind the key in the tree is just not found."""
    with closing(sqlite3.connect(played)) as db, db:
        db.execute("UPDATE events SET game = 65 WHERE number > 4")
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
    found, note = entries(played, 1)
    assert len(found) == 4 and note and "damaged after event 4" in note
    assert games(played)[0].events == 9, "as many as there were are offered"
    with opened(played) as (store, _):
        stored = store.load(1)
        assert stored.note and store.take_up(stored) == 66, "it goes on under another number"


def test_whatever_byte_of_a_journal_is_spoilt_is_noticed(path: Path, tmp_path: Path) -> None:
    """Every act comes as it was written, or the journal says how far it does."""
    with opened(path) as (store, _):
        play(store, store.begin(HEADER, AT), range(1, 400))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode=DELETE")
    whole, _ = entries(path, 1)
    data, rng, spoilt = path.read_bytes(), Random(7), tmp_path / "spoilt.sqlite3"
    assert len(whole) == 399
    noticed = 0
    for _ in range(times(400, 5_000)):
        at = rng.randrange(4096, len(data))
        spoilt.write_bytes(data[:at] + bytes([data[at] ^ rng.randrange(1, 256)]) + data[at + 1 :])
        try:
            found, note = entries(spoilt, 1)
        except sqlite3.Error:
            continue
        assert note or [event for event, *_ in found] == [event for event, *_ in whole], at
        noticed += bool(note)
    assert noticed


@pytest.mark.parametrize(
    ("harm", "kept"),
    [
        ("UPDATE settings SET value = '\"ja\"' WHERE key = 'language'", "settings"),
        ("UPDATE players SET colour = 'blue'", "players"),
        ("UPDATE tags SET card = 'red 8'", "tags"),
    ],
)
def test_what_is_not_as_it_was_written_is_left_out_and_said(path: Path, harm: str, kept: str) -> None:
    with opened(path) as (store, _):
        store.keep("language", "de")
        store.remember({"red": "Anna"})
        store.enrol("04A1", "red 7", "box")
    as_a_disk_does(path, harm)
    with opened(path) as (store, _):
        assert store.note and "damaged" in store.note and "(1)" in store.note
        whole = {
            "settings": store.kept("language") == "de",
            "players": bool(store.players()),
            "tags": bool(store.tags()),
        }
        assert whole == {name: name != kept for name in whole}


def test_a_first_line_that_is_another_one_is_not_played_by(played: Path) -> None:
    as_a_disk_does(played, "UPDATE games SET header = replace(header, 'red', 'purple')")
    with opened(played) as (store, _), pytest.raises(Mistakes, match="first line of game 1 is damaged"):
        store.load(1)


def test_a_result_that_is_another_one_is_none(played: Path) -> None:
    with opened(played) as (store, _):
        store.finish(1, '{"winners": ["red"]}')
    as_a_disk_does(played, "UPDATE games SET result = replace(result, 'red', 'blue')")
    assert games(played)[0].outcome == {}
    with opened(played) as (store, _):
        assert [row.number for row in store.paused()] == [1], "its journal says how it ended"


def test_what_an_earlier_version_writes_meanwhile_is_taken_as_it_is(played: Path) -> None:
    """It knows nothing of checksums; an update that is taken back, and made again, loses nothing."""
    with opened(played) as (store, _):
        store.keep("language", "de")
    with closing(sqlite3.connect(played)) as db, db:
        db.execute("INSERT OR REPLACE INTO settings (key, value) VALUES ('language', '\"ja\"')")
        db.execute('UPDATE games SET result = \'{"winners": ["blue"]}\' WHERE number = 1')
    with opened(played) as (store, _):
        assert store.note is None and store.kept("language") == "ja"
        assert store.games()[0].outcome == {"winners": ["blue"]}


def test_a_store_of_an_earlier_version_is_taken_as_it_is(played: Path) -> None:
    spoil(played, "UPDATE tags SET card = 'red 8'")
    as_a_disk_does(played, "DROP TABLE sums")
    assert len(entries(played, 1)[0]) == 9 and entries(played, 1)[1] is None and games(played)[0].events == 9
    with opened(played) as (store, _):
        assert store.note is None and store.tags() == {"04A1": "red 8"} and store.load(1).note is None


# -- more than anybody has ---------------------------------------------------------------------------------------


FLOODS = {
    "players": "INSERT INTO players SELECT 'p' || value, 'red', printf('%09d', value) FROM many",
    "tags": "INSERT INTO tags SELECT printf('%014X', value), 'red 7', 'box' FROM many",
    "settings": "INSERT INTO settings SELECT 'k' || value, '1' FROM many",
}


@pytest.mark.parametrize("what", FLOODS)
def test_a_flooded_store_gives_no_more_than_a_table_can_have(path: Path, what: str) -> None:
    """The latest count: what is read is kept in memory, and written again wherever the store goes."""
    with opened(path):
        pass
    many = "WITH RECURSIVE many (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM many LIMIT 20000)"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(FLOODS[what].replace("INSERT", f"{many} INSERT"))
    with opened(path) as (store, _):
        kept = {
            "players": [player.name for player in store.players()],
            "tags": list(store.tags()),
            "settings": [key for number in range(20001) if store.kept(key := f"k{number}")],
        }[what]
        assert len(kept) == (ITEMS if what == "players" else KEYS)
        assert {"players": "p20000", "tags": f"{20000:014X}", "settings": "k20000"}[what] in kept
        assert store.trouble is None and bool(store.note) == (what != "players")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(f"SELECT count(*) FROM {what}").fetchone() == (20000,), "nothing of it is lost"
