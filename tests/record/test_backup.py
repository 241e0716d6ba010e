"""A backup holds everything, is refused if anything is wrong with it, and comes back whole or not at all."""

import bz2
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random
from struct import pack
from tempfile import TemporaryDirectory
from time import struct_time
from zlib import crc32

import pytest

from companion.cli import main
from companion.record.store import Store, history
from companion.record.store.backup import Backup, BackupError, opened, packed
from companion.record.store.database import FIRST, TABLES, Database, locked
from companion.record.store.restore import finish, making, ready
from tests.support.archives import CONFIG, HEADER, Member, archive, backup_of, members, play, table  # noqa: F401 - fixtures
from tests.support.damage import EATS, REBUILT, REFUSED, foreign_objects, other_schema
from tests.support.tables import times

pytestmark = pytest.mark.usefixtures("at_home")


def players(path: Path) -> list[str]:
    with closing(Store(path)) as store:
        assert store.note is None and store.trouble is None
        assert store.kept("board") in {row.table["players"]["red"] for row in store.games()}
        return [row.table["players"]["red"] for row in store.games()]


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    made = tmp_path / "stick"
    made.mkdir()
    return made


def inside(path: Path) -> tuple[list[str], bytes | None]:
    """Who played in a backup's games, and its config.yaml."""
    with TemporaryDirectory(dir=".") as folder:
        backup = opened(path, Path(folder))
        return [row.table["players"]["red"] for row in history.games(backup.store)], backup.config


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, status: int = 0) -> str:
    assert main([*map(str, words)]) == status
    out, err = capsys.readouterr()
    return err if status else out


# -- there and back ----------------------------------------------------------------------------------------------------


def test_everything_comes_back_on_another_machine(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "config.yaml" in said(capsys, "backup", stick)
    (backup,) = stick.iterdir()
    assert backup.suffix == ".zip" and backup.stat().st_mode & 0o77 == 0
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    Path("config.yaml").write_text("data: games\n")
    told = said(capsys, "restore", stick)
    assert "Restored" in told and "config.yaml is restored" in told
    store = other / "games" / "tabularium.sqlite3"
    assert players(store) == ["Anna"]
    with closing(Store(store)) as again:
        assert again.enrolled() == {"04A3C6CAE26180": ("red 7", "Our deck")}
        assert len(again.load(1).events) == 5
    assert Path("config.yaml").read_bytes() == CONFIG
    (aside,) = other.glob("config.yaml.before-*")
    assert aside.read_text() == "data: games\n"
    assert players(table) == ["Anna"]


def test_what_was_there_is_kept_and_a_second_backup_overwrites_nothing(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "backup", stick)
    play(table, "Bert")
    said(capsys, "backup", stick)
    first, second = sorted(stick.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    assert "kept as" in said(capsys, "restore", first)
    assert players(table) == ["Anna"]
    (aside,) = (path for path in table.parent.glob("*.before-*") if path.name[-7] == "-")
    assert players(aside) == ["Bert", "Anna"]
    said(capsys, "restore", second)
    assert players(table) == ["Bert", "Anna"]
    said(capsys, "restore", first)
    asides = [path for path in table.parent.glob("*.before-*") if not path.name.endswith(("-mark", "-wal", "-shm"))]
    assert len([path for path in asides if "lock" not in path.name]) == 3, "in the same second too"


def test_entries_after_a_restore_are_no_loss(table: Path, stick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mark beside the store is the restored one's: the program does not say that entries are missing."""
    said(capsys, "backup", stick)
    play(table, "Bert", 50)
    said(capsys, "restore", stick)
    play(table, "Carl")
    assert players(table) == ["Carl", "Anna"]


def test_a_config_that_keeps_its_games_elsewhere_goes_beside(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "backup", stick)
    Path("config.yaml").write_text("data: elsewhere\n")
    assert "not in use" in said(capsys, "restore", stick)
    assert Path("config.yaml").read_text() == "data: elsewhere\n"
    (beside,) = Path().glob("config.yaml.backup-*")
    assert beside.read_bytes() == CONFIG
    assert players(Path("elsewhere/tabularium.sqlite3")) == ["Anna"] == players(table)


def test_a_damaged_store_is_kept_as_it_is_when_a_backup_takes_its_place(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "backup", stick)
    table.write_bytes(b"spoilt" * 1000)
    assert "damaged" in said(capsys, "backup", stick, status=2)
    said(capsys, "restore", stick)
    assert players(table) == ["Anna"]
    (aside,) = (path for path in table.parent.glob("*.before-*") if path.name[-7] == "-")
    assert aside.read_bytes() == b"spoilt" * 1000


# -- refused -----------------------------------------------------------------------------------------------------------


def test_while_the_program_is_running_it_says_so(table: Path, stick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "backup", stick)
    with closing(Store(table)):
        assert "in use by another Tabularium" in said(capsys, "backup", stick, status=2)
        assert "in use by another Tabularium" in said(capsys, "restore", stick, status=2)
    assert len(list(stick.iterdir())) == 1
    assert not list(table.parent.glob("*before*")) and not list(table.parent.glob("*restoring*"))


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: data[: len(data) // 2], "is no backup of Tabularium, or is damaged"),
        (lambda _: b"", "is no backup of Tabularium, or is damaged"),
        (lambda _: packed_of({"other.txt": b"?"}), "is no backup of Tabularium"),
        (lambda _: packed_of({"backup.json": b"[]"}), "is damaged"),
        (lambda _: packed_of({"backup.json": b'{"tabularium backup": 2, "program": "9.0"}'}), "newer Tabularium"),
        (lambda _: packed_of({"backup.json": b'{"tabularium backup": 1, "sha256": {"x": ""}}'}), "is damaged"),
    ],
)  # fmt: skip
def test_what_is_no_sound_backup_is_refused(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str], spoil: object, why: str
) -> None:
    said(capsys, "backup", stick)
    (backup,) = stick.iterdir()
    backup.write_bytes(spoil(backup.read_bytes()))  # type: ignore[operator]
    before = table.read_bytes()
    assert why in said(capsys, "restore", stick, status=2)
    assert table.read_bytes() == before and not list(table.parent.glob("*before*"))


def packed_of(files: dict[str, bytes]) -> bytes:
    path = Path("made.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path.read_bytes()


def test_a_newer_programs_store_is_refused(table: Path, stick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(table)) as db:
        db.execute("PRAGMA user_version=99")
        db.execute(f"PRAGMA application_id={0x54616200 + 99}")
    assert "newer Tabularium" in said(capsys, "backup", stick, status=2)
    newer = Backup("2030-01-01", "9.0", 7, table, None)
    (stick / "tabularium-2030-01-01.zip").write_bytes(packed(newer))
    table.unlink()
    assert "newer Tabularium: please update" in said(capsys, "restore", stick, status=2)


def test_no_spoilt_byte_goes_unnoticed(table: Path, stick: Path) -> None:
    sound, path, random = packed(backup_of(table, CONFIG)), stick / "spoilt.zip", Random(3)
    for _ in range(150):
        data = bytearray(sound)
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        path.write_bytes(data)
        try:
            assert inside(path) == (["Anna"], CONFIG), "a byte that says nothing"
        except BackupError as error:
            assert str(path) in str(error)


@pytest.mark.parametrize(
    ("place", "why"),
    [("nowhere", "no USB stick"), ("locked", "/media/sda1 is read-only"), ("empty", "no backup in")],
)
def test_where_there_is_nothing(
    place: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.system.files.sticks", lambda: ())
    monkeypatch.setattr(
        "companion.system.files.unwritable", lambda: (Path("/media/sda1"),) if place == "locked" else ()
    )
    (tmp_path / "empty").mkdir()
    words = ["restore"] if place != "empty" else ["restore", tmp_path / "empty"]
    assert why in said(capsys, *words, status=2)
    assert "nothing to back up" in said(capsys, "backup", tmp_path / "empty", status=2)


# -- killed ------------------------------------------------------------------------------------------------------------

CHANGES = {"os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.chmod", "open", "sqlite3.connect"}


EVERY = times(3, 1)
"""Of the changes, each so-manieth is cut."""


def killed_at(number: int, work: Callable[[], object]) -> bool:
    """Works in a child that is killed before its so-manieth change; whether it came to an end before."""
    child = os.fork()
    if child == 0:
        left = iter(range(number))

        def hook(event: str, _: object) -> None:
            if event in CHANGES and next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        work()
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def restored(store: Path, backup: Path, config: Path) -> None:
    with closing(locked(store)), making(store) as place:
        found = opened(backup, place)
        ready(store, found.store, found.entries, "20261122-200000", (config, b"language: de\n"))
        finish(store)


def test_killed_at_any_moment_it_is_there_whole_or_not_at_all_and_the_old_one_is_kept(tmp_path: Path) -> None:
    play(tmp_path / "new" / "store", "Anna")
    (backup := tmp_path / "backup.zip").write_bytes(packed(backup_of(tmp_path / "new" / "store")))
    play(tmp_path / "old" / "store", "Bert")
    (tmp_path / "old" / "config.yaml").write_text("language: en\n")
    came_out = []
    for number in count(0, EVERY):
        here = tmp_path / f"at {number}"
        shutil.copytree(tmp_path / "old", here)
        store, config = here / "store", here / "config.yaml"
        ended = killed_at(number, partial(restored, store, backup, config))
        found = players(store)
        came_out.append(found[0])
        assert config.read_text() == f"language: {'de' if found == ['Anna'] else 'en'}\n"
        if found == ["Anna"]:
            (kept,) = history.games(here / "store.before-20261122-200000")
            assert kept.table["players"]["red"] == "Bert"
            assert (here / "config.yaml.before-20261122-200000").read_text() == "language: en\n"
        assert not list(here.glob("store-restoring*"))
        shutil.rmtree(here)
        if ended:
            break
    assert came_out == sorted(came_out, reverse=True), "from one moment on it is restored"
    assert {"Anna", "Bert"} == set(came_out) and number > 20


def test_killed_while_another_schema_is_replaced_no_game_is_lost(tmp_path: Path) -> None:
    play(tmp_path / "old" / "store", "Anna")
    other_schema(tmp_path / "old" / "store", EATS)
    for number in count(0, EVERY):
        here = tmp_path / f"at {number}"
        shutil.copytree(tmp_path / "old", here)
        ended = killed_at(number, lambda store=here / "store": Database(store).close())  # type: ignore[misc]
        with closing(Store(here / "store")) as store:
            assert store.trouble is None and len(store.load(1).events) == 5 and store.kept("board") == "Anna"
        assert not foreign_objects(here / "store") and not list(here.glob("store-restoring*"))
        shutil.rmtree(here)
        if ended:
            break
    assert number > 20


def test_a_backup_of_the_first_version_is_restored(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = Path("old.sqlite3")
    with closing(sqlite3.connect(old, isolation_level=None)) as db:
        db.executescript(
            f"CREATE TABLE {FIRST}; {'; '.join(f'CREATE TABLE {of}' for of in TABLES[1:5])}; PRAGMA user_version=1"
        )
        db.execute("INSERT INTO games (number, at, header) VALUES (1, '2026-01-01', ?)", (HEADER % "Zoe",))
    (stick / "old.zip").write_bytes(packed(Backup("2026-01-01", "0.0", 0, old, None)))
    assert "Restored" in said(capsys, "restore", stick / "old.zip")
    assert [row.table["players"]["red"] for row in history.games(table)] == ["Zoe"]
    with closing(Store(table)) as store:
        assert (store.note, store.trouble) == (None, None) and store.begin(HEADER % "Zoe", "now", 1) == 2


def test_a_disk_that_fills_at_any_write_leaves_what_was_there(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file may grow beyond a size, which is every 4 kB another one."""
    said(capsys, "backup", stick)
    play(table, "Bert", 500)
    Path("config.yaml").write_bytes(CONFIG + b"# another\n")
    statuses = []
    for size in count(0, 4096):
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            os._exit(main(["restore", str(stick)]))
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        if statuses[-1] == 0:
            break
        assert statuses[-1] == 2
        assert [path.name for path in table.parent.glob("*") if "before" in path.name or "restoring" in path.name] == []
        assert players(table) == ["Bert", "Anna"]
    assert len(statuses) > 3
    assert players(table) == ["Anna"] and Path("config.yaml").read_bytes() == CONFIG


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_what_root_restores_belongs_to_the_user_whose_place_it_is(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "backup", stick)
    for file in table.parent.iterdir():
        file.unlink()
    os.chown(table.parent, 12345, 12345)
    os.chown("config.yaml", 12345, 12345)
    Path("config.yaml").write_text("data: games\n")
    said(capsys, "restore", stick)
    for path in (table, Path(f"{table}-mark"), Path(f"{table}-lock"), Path("config.yaml")):
        assert path.stat().st_uid == 12345


def test_a_backup_says_what_is_in_it(table: Path, stick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "backup", stick)
    with zipfile.ZipFile(next(stick.iterdir())) as archive:
        contents = json.loads(archive.read("backup.json"))
    assert contents["tabularium backup"] == 1 and contents["entries"] > 5
    assert set(contents["sha256"]) == {"tabularium.sqlite3", "config.yaml"}


# -- together with its neighbours ---------------------------------------------------------------------------------------


def test_an_evening_that_was_saved_elsewhere_is_restored_there_and_not_hidden(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said(capsys, "backup", stick)
    goal = tmp_path / "other" / "games.db"
    goal.parent.mkdir()
    with closing(Store(table)) as store:
        store.move(goal)
        store.begin(HEADER % "Cleo", "2026-11-22T21:00:00+01:00")
    with closing(Store(table)) as running:
        assert running.path == goal
        assert "in use" in said(capsys, "restore", stick, status=2), "the program runs, and it runs there"
    told = said(capsys, "restore", stick)
    assert str(goal) in told
    assert players(table) == ["Anna"], "what was restored is what opens"
    (aside,) = (path for path in goal.parent.glob("*.before-*") if path.name[-7] == "-")
    assert [row.table["players"]["red"] for row in history.games(aside)] == ["Cleo", "Anna"]
    goal.rename(goal.with_suffix(".away"))
    refused = said(capsys, "restore", stick, status=2)
    assert str(goal) in refused and "plug in" in refused


@pytest.mark.parametrize(
    "plan", [b"", b"\xff", b"[]", b'{"stamp": 5, "config": ""}', b'{"stamp": "../x", "config": ""}']
)
def test_a_spoilt_plan_stops_no_start_and_loses_nothing(table: Path, plan: bytes) -> None:
    backup = backup_of(table, CONFIG)
    play(table, "Bert")
    with closing(locked(table)):
        ready(table, backup.store, backup.entries, "stamp", (Path("config.yaml"), b"language: ja\n"))
    (table.parent / f"{table.name}-restoring" / "plan").write_bytes(plan)
    assert players(table) == ["Anna"]
    assert not list(table.parent.glob("*-restoring"))
    aside = Path(f"{table}.before-restored")
    assert [row.table["players"]["red"] for row in history.games(aside)] == ["Bert", "Anna"]
    assert [path.read_bytes() for path in table.parent.glob("config.yaml.*")] == [b"language: ja\n"]


def test_a_small_file_that_unpacks_to_much_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("backup.json", b"[" + b"0," * 50_000_000 + b"0]")
    tracemalloc.start()
    try:
        with pytest.raises(BackupError, match="too large"):
            opened(path, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("year", [1970, 2150])
def test_a_clock_that_no_zip_file_knows_stops_no_backup(
    table: Path, year: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.localtime", lambda *_: struct_time((year, 1, 1, 0, 0, 0, 0, 1, 0)))
    path = table.parent / "backup.zip"
    path.write_bytes(packed(backup_of(table)))
    assert inside(path) == (["Anna"], None)


def test_a_backup_says_which_journals_the_disk_has_damaged(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(table)) as db, db:
        db.execute("UPDATE events SET game = 77 WHERE number > 2")
    assert "these games" in said(capsys, "backup", stick, status=2) and list(stick.iterdir())


# -- an archive that lies ----------------------------------------------------------------------------------------------


LIES: dict[str, Callable[[Member, Member, Member], bytes]] = {
    "a store that says it is small": lambda said, store, config: archive(said, replace(store, size=100), config),
    "a store that says it is smaller, with that sum": lambda said, store, config: archive(
        said, replace(store, size=100, crc=crc32(store.data[:100])), config
    ),
    "a config that says it is small": lambda said, store, config: archive(said, store, replace(config, size=1)),
    "a store that says it is larger": lambda said, store, config: archive(said, replace(store, size=90_000_000), config),
    "more than a store may have": lambda said, store, config: archive(said, replace(store, size=200_000_001), config),
    "another sum": lambda said, store, config: archive(said, replace(store, crc=7), config),
    "a name twice": lambda said, store, config: archive(said, store, config, config),
    "two in one place": lambda said, store, config: archive(said, store, config, replace(store, name="x", at=0)),
    "all in one place": lambda said, _, config: archive(said, *(replace(config, name=f"{n}", at=0) for n in range(900))),
    "encrypted": lambda said, store, config: archive(said, replace(store, flags=1), config),
    "strongly encrypted": lambda said, store, config: archive(said, replace(store, flags=0x41), config),
    "bzip2": lambda said, store, config: archive(said, replace(store, how=12, data=bz2.compress(store.data)), config),
    "LZMA": lambda said, store, config: archive(said, replace(store, how=14), config),
    "no such way of packing": lambda said, store, config: archive(said, replace(store, how=99), config),
    "a link": lambda said, store, config: archive(said, replace(store, mode=0o120777, how=0, data=b"/etc/passwd"), config),
    "a folder": lambda said, store, config: archive(said, store, replace(config, mode=0o40755)),
    "a device": lambda said, store, config: archive(said, store, replace(config, mode=0o20666)),
    "a name that climbs": lambda said, store, config: archive(said, store, replace(config, name="../config.yaml")),
    "a name from the root": lambda said, store, config: archive(said, store, replace(config, name="/config.yaml")),
    "a name that ends early": lambda said, store, config: archive(said, store, replace(config, name="config.yaml\0.txt")),
    "another name": lambda said, store, config: archive(said, store, config, Member("more.txt", b"?")),
    "a file too few": lambda said, store, _: archive(said, store),
    "no store": lambda said, _, config: archive(said, config),
    "an archive in an archive": lambda said, store, config: archive(Member("backup.zip", archive(said, store, config))),
    "an archive as the store": lambda said, store, config: archive(said, replace(store, data=archive(said, config)), config),
    "something before it": lambda said, store, config: archive(said, store, config, before=b"#!/bin/sh\n"),
    "something in it": lambda said, store, config: archive(said, store, config, behind=b"PK\x01\x02" * 20),
    "an end for larger files": lambda said, store, config: archive(
        said, store, config, behind=b"PK\x06\x07" + pack("<LQL", 0, 1 << 40, 1)
    ),
    "sizes for larger files": lambda said, store, config: archive(
        said, replace(store, size=0xFFFFFFFF, extra=pack("<2HQ", 1, 8, 1 << 40)), config
    ),
    "more members than there are": lambda said, store, config: archive(said, store, config, here=900, total=900),
    "a million members": lambda said, store, config: archive(said, store, config, behind=bytes(46 * 1_000_000)),
    "65,535 members": lambda said, store, config: archive(
        said, store, config, *(Member(f"{number:x}", b"", how=0, at=0) for number in range(65_532))
    ),
    "a list before its beginning": lambda said, store, config: archive(said, store, config, length=1 << 31),
    "a list elsewhere": lambda said, store, config: archive(said, store, config, at=0),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_an_archive_that_lies_is_refused_and_nothing_changes(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str], lie: Callable[[Member, Member, Member], bytes]
) -> None:
    files = members(table)
    said_of, store, config = files["backup.json"], files["tabularium.sqlite3"], files["config.yaml"]
    (stick / "sound.zip").write_bytes(archive(said_of, store, config))
    said(capsys, "restore", stick / "sound.zip")
    before = {path: path.read_bytes() for path in table.parent.iterdir() if path.is_file()}
    (stick / "lies.zip").write_bytes(lie(said_of, store, config))
    refused = said(capsys, "restore", stick / "lies.zip", status=2)
    assert "lies.zip is" in refused and "Traceback" not in refused
    assert {path: path.read_bytes() for path in table.parent.iterdir()} == before
    assert Path("config.yaml").read_bytes() == CONFIG


class Pipe(BytesIO):
    """A place where nobody can go back: sizes are written behind each file."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise OSError


@pytest.mark.parametrize("folder", ["", "tabularium-2026-11-22/"])
@pytest.mark.parametrize("besides", ["", ".DS_Store", "__MACOSX/"])
def test_a_backup_that_another_program_has_packed_again_is_taken_or_told_how(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str], folder: str, besides: str
) -> None:
    with zipfile.ZipFile(pipe := Pipe(), "w", zipfile.ZIP_DEFLATED) as out:
        for name, member in sorted(members(table).items()):
            out.writestr(folder + name, member.data)
        if besides:
            out.writestr(besides, b"")
        assert {info.flag_bits & 8 for info in out.infolist()} == {8}
    (stick / "again.zip").write_bytes(pipe.getvalue())
    taken = not folder and not besides
    told = said(capsys, "restore", stick / "again.zip", status=0 if taken else 2)
    assert ("Restored" if taken else "pack backup.json, config.yaml and tabularium.sqlite3 alone") in told


BOUND = """
import resource, sys
from pathlib import Path
from companion.cli import main
sound, wrong = sys.argv[1:]
assert main(["restore", sound]) == 0  # all is imported
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 40_000_000,) * 2)
sys.exit(main(["restore", wrong]))
"""
"""Restores with no more memory than 40 MB besides what the program has once it has restored a small backup."""


@pytest.mark.parametrize("bomb", ["a store that says it is small", "a config", "the list", "a list of many", "a CHECK"])
def test_what_unpacks_to_much_takes_no_memory(table: Path, stick: Path, bomb: str) -> None:
    files, zeros = members(table), bytes(120_000_000)
    said_of, store, config = files["backup.json"], files["tabularium.sqlite3"], files["config.yaml"]
    (stick / "sound.zip").write_bytes(archive(said_of, store, config))
    if bomb == "a CHECK":
        other_schema(table, REFUSED["a CHECK that takes all memory"])
        store = replace(store, data=table.read_bytes())
        contents = json.loads(said_of.data)
        contents["sha256"]["tabularium.sqlite3"] = sha256(store.data).hexdigest()
        said_of = replace(said_of, data=json.dumps(contents).encode())
    made = {
        "a store that says it is small": lambda: archive(said_of, replace(store, data=zeros, size=100), config),
        "a config": lambda: archive(said_of, store, replace(config, data=zeros, size=100)),
        "the list": lambda: archive(Member("backup.json", zeros, size=100), store),
        "a list of many": lambda: archive(said_of, store, config, behind=zeros),
        "a CHECK": lambda: archive(said_of, store, config),
    }[bomb]()
    (stick / "bomb.zip").write_bytes(made)
    child = [sys.executable, "-c", BOUND, str(stick / "sound.zip"), str(stick / "bomb.zip")]
    ended = subprocess.run(child, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and "bomb.zip is" in ended.stderr, ended.stderr


@pytest.mark.parametrize("harm", [*REBUILT.values(), *REFUSED.values()], ids=[*REBUILT, *REFUSED])
def test_a_backup_with_another_schema_brings_its_rows_or_is_refused(
    table: Path, stick: Path, capsys: pytest.CaptureFixture[str], harm: str
) -> None:
    """What plays on with it is on disk: nothing of the other schema comes along."""
    files = members(table)
    strange = Path("strange.sqlite3")
    strange.write_bytes(files["tabularium.sqlite3"].data)
    other_schema(strange, harm)
    with closing(sqlite3.connect(strange)) as db:
        db.execute("PRAGMA journal_mode=WAL")  # and its header says so
    (stick / "strange.zip").write_bytes(packed(Backup("2026-11-22", "1", 7, strange, None)))
    refused = harm in REFUSED.values()
    told = said(capsys, "restore", stick / "strange.zip", status=2 if refused else 0)
    assert ("is damaged" if refused else "Restored") in told
    assert not foreign_objects(table)
    assert players(table) == ["Anna"]
    with closing(Store(table)) as store:
        game = store.take_up(store.load(1))
        store.append(game, 6, '{"event": "pass"}', None, None)
    assert [row.events for row in history.games(table)] == [6]
