"""What is exported: whole or not there, never over something, for its owner alone, and on a stick that is plugged in."""

from __future__ import annotations

import errno
import os
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from stat import S_IMODE

import pytest

from companion.play.evening import Evening
from companion.play.exports import Exports
from companion.system import files
from companion.system.files import sticks, unwritable
from tools.scenes.rehearsal import Memory


def saved(exports: Exports, stem: str, found: Mapping[str, bytes], folder: Path | None = None) -> str:
    """Saves the files; returns what is said."""
    exports.save(stem, {suffix: lambda data=data: data for suffix, data in found.items()}, folder)  # type: ignore[misc]
    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join()
    return str(exports.news())


@pytest.fixture
def exports(tmp_path: Path) -> Exports:
    return Exports(tmp_path / "data" / "exports", lambda: None)


def test_nothing_is_ever_overwritten(exports: Exports) -> None:
    for number, (transcript, table) in enumerate([(b"one", b"1"), (b"two", b"2"), (b"one", b"2")], 1):
        name = "game-1" if number == 1 else f"game-1-{number}"
        said = saved(exports, "game-1", {".jsonl": transcript, ".csv": table})
        assert said == f"Saved as {exports.folder / name} (.jsonl, .csv)"
        assert (exports.folder / f"{name}.jsonl").read_bytes() == transcript
        assert (exports.folder / f"{name}.csv").read_bytes() == table
    before = sorted(exports.folder.iterdir())
    assert "game-1-2 (" in saved(exports, "game-1", {".jsonl": b"two", ".csv": b"2"}), "it is there already"
    (exports.folder / "other.jsonl").mkdir()
    assert "other-2 (" in saved(exports, "other", {".jsonl": b"one"})
    assert {*exports.folder.iterdir()} - {*before} == {
        exports.folder / name for name in ("other.jsonl", "other-2.jsonl")
    }


def test_exports_are_for_their_owner_alone(exports: Exports) -> None:
    before = os.umask(0)
    try:
        saved(exports, "game-1", {".jsonl": b"choices"})
    finally:
        os.umask(before)
    assert S_IMODE(exports.folder.stat().st_mode) == 0o700
    assert S_IMODE((exports.folder / "game-1.jsonl").stat().st_mode) == 0o600


@pytest.mark.parametrize("fails", ["write", "fsync", "link"])
def test_a_file_has_its_name_once_it_is_whole(tmp_path: Path, fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.txt"

    def full(*_: object) -> None:
        assert fails == "link" or not path.exists(), "it has its name before it is whole"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if fails == "write":
        with Path("/dev/full").open("wb") as disk:
            monkeypatch.setattr(tempfile, "mkstemp", lambda **_: (os.dup(disk.fileno()), str(tmp_path / "beside")))
            with pytest.raises(OSError, match="space"):
                files.save(path, b"x" * 100_000)
    else:
        monkeypatch.setattr(os, fails, full)
        if fails == "link":  # a stick cannot; it is renamed
            files.save(path, b"whole")
            assert path.read_bytes() == b"whole"
            with pytest.raises(FileExistsError):
                files.save(path, b"another")
        else:
            with pytest.raises(OSError, match="space"):
                files.save(path, b"whole")
    assert [file.name for file in tmp_path.iterdir()] == (["file.txt"] if fails == "link" else [])


def test_two_at_once_take_two_names(exports: Exports) -> None:
    both = threading.Barrier(2)

    def late(data: bytes) -> bytes:
        both.wait()
        return data

    for data in (b"one", b"two"):
        exports.save("game-1", {".jsonl": lambda data=data: late(data)})  # type: ignore[misc]
    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join()
    assert {file.read_bytes() for file in exports.folder.iterdir()} == {b"one", b"two"}


def test_whatever_fails_is_said(exports: Exports, tmp_path: Path) -> None:
    def broken() -> bytes:
        raise ValueError("no picture")

    exports.save("game-1", {".png": broken})
    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join()
    assert str(exports.news()) == f"That did not work: {exports.folder / 'game-1'}: no picture"
    (tmp_path / "file").write_text("in the way")
    said = saved(exports, "game-1", {".jsonl": b"x"}, tmp_path / "file")
    assert said == f"That did not work: {tmp_path / 'file' / 'game-1'}: File exists"


MOUNTS = """\
/dev/mmcblk0p2 / ext4 rw,noatime 0 0
/dev/sda1 /media/pi/USB\\040DISK vfat rw,nosuid,nodev,uid=1000 0 0
/dev/sdb1 /run/media/pi/SAFE ext4 ro,nosuid 0 0
/dev/sdc1 /mnt/b\\303\\244r exfat nosuid,rw 0 0
/dev/sdc1 /mnt/b\\303\\244r exfat nosuid,rw 0 0
tmpfs /media tmpfs rw 0 0
/dev/sr0 /media/cdrom iso9660 ro 0 0
tools /mnt/tools tmpfs ro 0 0
/dev/sdd1 /home/media/pi ext4 rw 0 0
torn
"""


def test_sticks_are_what_is_mounted_for_people_and_can_be_written(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS.replace("b\\303\\244r", "bär"), encoding="utf-8")
    assert sticks(mounts) == (Path("/media/pi/USB DISK"), Path("/mnt/bär"))
    assert sticks(tmp_path / "nowhere") == ()
    assert unwritable(mounts) == (Path("/run/media/pi/SAFE"),) and unwritable(tmp_path / "nowhere") == ()


def test_a_deck_and_a_game_go_to_a_stick(tmp_path: Path) -> None:
    evening = Evening(Memory(), exports=tmp_path / "exports")
    evening.begin({"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]})
    evening.export({".csv": lambda: b"scores"}, tmp_path / "stick")
    evening.deck.export("virtual", evening.exports, tmp_path / "stick")
    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join()
    assert {file.name for file in (tmp_path / "stick").iterdir()} == {
        "caesar-1.jsonl",
        "caesar-1.csv",
        "deck-virtual.yaml",
    }
    assert not (tmp_path / "exports").exists()
