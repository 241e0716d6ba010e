"""Malformed archives for the tests of backups."""

from __future__ import annotations

import zipfile
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from struct import pack
from tempfile import mkdtemp
from zlib import DEFLATED, compressobj, crc32

import pytest

from companion.record.store import Store
from companion.record.store.backup import Backup, made, packed

HEADER = '{"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"], "players": {"red": "%s"}}'

CONFIG = b"language: de\ndata: games\n"


def play(path: Path, player: str, events: int = 5) -> None:
    """Write a store with one game, a tag and a board."""
    with closing(Store(path)) as store:
        game = store.begin(HEADER % player, "2026-11-22T20:00:00+01:00")
        for number in range(1, events + 1):
            store.append(game, number, f'{{"event": "pass", "number": {number}}}', "finger", None)
        store.enrol("04A3C6CAE26180", "red 7", "Our deck")
        store.keep("board", player)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return the store of a table whose config.yaml is in the working directory."""
    Path("config.yaml").write_bytes(CONFIG)
    play(tmp_path / "games" / "tabularium.sqlite3", "Anna")
    return tmp_path / "games" / "tabularium.sqlite3"


def backup_of(store: Path, config: bytes | None = None) -> Backup:
    """Return a backup of a store, with its copy beside the test's files."""
    return made(store, config, "2026-11-22", "1", Path(mkdtemp(dir=".")))


@dataclass
class Member:
    """A file in an archive, and what the archive says of it."""

    name: str
    data: bytes
    how: int = 8
    flags: int = 0
    mode: int = 0o100600
    size: int | None = None
    crc: int | None = None
    extra: bytes = b""
    at: int | None = None

    def __post_init__(self) -> None:
        packer = compressobj(9, DEFLATED, -15)
        self.packed = packer.compress(self.data) + packer.flush() if self.how == 8 else self.data

    def said(self) -> bytes:
        crc = crc32(self.data) if self.crc is None else self.crc
        size = len(self.data) if self.size is None else self.size
        lengths = len(self.name.encode()), len(self.extra)
        return pack("<5H3L2H", 20, self.flags, self.how, 0, 33, crc, len(self.packed), size, *lengths)


def archive(*members: Member, before: bytes = b"", behind: bytes = b"", **lies: int) -> bytes:
    """Return a zip file of these members; `lies` are other numbers for its end."""
    out, listed = bytearray(before), bytearray()
    for one in members:
        name = one.name.encode()
        listed += b"PK\x01\x02\x14\x03" + one.said() + bytes(6)
        listed += pack("<2L", one.mode << 16, len(out) if one.at is None else one.at) + name + one.extra
        if one.at is None:
            out += b"PK\x03\x04" + one.said() + name + one.extra + one.packed
    end = {"here": len(members), "total": len(members), "length": len(listed), "at": len(out)} | lies
    return bytes(out + listed + behind + b"PK\x05\x06" + bytes(4) + pack("<2H2LH", *end.values(), 0))


def members(table: Path, config: bytes = CONFIG) -> dict[str, Member]:
    """Return the files of a sound backup, by name."""
    with zipfile.ZipFile(BytesIO(packed(backup_of(table, config)))) as sound:
        return {name: Member(name, sound.read(name)) for name in sound.namelist()}
