"""A play is known by one id and one date wherever it is told of, and it is as long as it was played."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from companion.hall.public import header_of
from companion.play._play_time import PAUSE_S
from companion.play.evening import Evening
from companion.record import spreadsheet
from companion.record.store import Store
from companion.record.store.backup import made, opened, packed
from companion.record.transcript import header_data, parse, play_id, read_header
from tests.support.hall import Hall
from tests.support.playing import match_of

EVENING = datetime(2026, 11, 20, 20, 15, tzinfo=timezone(timedelta(hours=1)))
TABLE: dict[str, Any] = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"], "players": {"blue": "Anna"}}


class Desk:
    """A table whose clock can be set, and whose time passes when a test says so."""

    def __init__(self, path: Path) -> None:
        self.path, self.wall, self.passed = path, EVENING, 1000.0
        self.open()

    def open(self) -> None:
        """The program starts, with what is on disk."""
        self.store = Store(self.path)
        self.evening = Evening(self.store, now=lambda: self.wall, steady=lambda: self.passed)

    def close(self) -> None:
        self.store.close()

    def wait(self, seconds: float) -> None:
        self.wall, self.passed = self.wall + timedelta(seconds=seconds), self.passed + seconds

    def set_clock(self, **by: float) -> None:
        self.wall += timedelta(**by)

    def again(self, hours: float = 0) -> None:
        """The plug is pulled, and the game is taken up that many hours later. A computer's steady clock begins anew."""
        self.close()
        self.wall, self.passed = self.wall + timedelta(hours=hours), 3.0
        self.open()
        self.evening.resume()

    def move(self, count: int = 1) -> None:
        """Something that the table may do at any time, and that goes into the journal as any move does."""
        for _ in range(count):
            (receipt,) = match_of(self.evening).act({"event": "decide", "words": "A coffee first"})
            assert receipt.ok

    @property
    def seconds(self) -> float | None:
        return match_of(self.evening).seconds


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    here = Desk(folder / "store.sqlite3")
    try:
        yield here
    finally:
        here.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as here:
        here.evening.begin(TABLE)
        yield here


# -- one id --------------------------------------------------------------------------------------------------------


def test_the_first_games_of_two_tables_are_two_plays(tmp_path: Path) -> None:
    """Also where both are the first, of the same people, and begin within the same second."""
    found = []
    for at in range(2):
        (tmp_path / str(at)).mkdir()
        with desk(tmp_path / str(at)) as here:
            here.set_clock(microseconds=at)
            here.evening.begin(TABLE)
            found.append(match_of(here.evening).play)
    assert found[0] != found[1]


def test_a_play_keeps_its_id_and_date(table: Desk, tmp_path: Path) -> None:
    """After a restart, in its transcript, and from a backup on another computer."""
    match = match_of(table.evening)
    play, began = match.play, match.began
    table.move(2)
    lines = match.written.transcript.splitlines()
    assert play_id(parse(lines[0])) == play
    table.again(hours=30)
    assert (match_of(table.evening).play, match_of(table.evening).began) == (play, began)
    table.close()
    for folder in ("copy", "other"):
        (tmp_path / folder).mkdir()
    (tmp_path / "stick.zip").write_bytes(packed(made(table.path, None, "2026-11-21", "1", tmp_path / "copy")))
    table.path = opened(tmp_path / "stick.zip", tmp_path / "other").store
    table.open()
    table.evening.resume()
    assert (match_of(table.evening).play, match_of(table.evening).began) == (play, began)


def test_a_game_of_an_earlier_version_has_an_id_too() -> None:
    """Its header knows the second only; the id follows from it, and so is always the same."""
    old = {**TABLE, "at": "2026-11-20T20:15:00+01:00"}
    assert play_id(old) == play_id(header_data(read_header(old)))
    assert play_id(old) != play_id({**old, "at": "2026-11-20T20:15:01+01:00"})
    assert play_id(TABLE)


def test_the_hall_knows_the_play_by_the_id_and_date_that_its_table_has(tmp_path: Path) -> None:
    with closing(Hall(tmp_path)) as hall:
        hall.order("join", names=["Anna", "Ben"])
        hall.order("round", games=["hannibal"], tables=["1"], seed=1)
        (of,) = hall.now.outcomes
        data = {**TABLE, "at": "2026-11-21T12:30:00.123456+01:00", "seats": list(of.seated.seats),
                "options": dict(of.seated.options), "evening": hall.now.evening.mark,
                "ids": dict(of.seated.seats)}  # fmt: skip
        header = read_header(data)
        key = {"game": 1, "begun": header.at}
        hall.take("header", "1", {**key, "header": header_of(header, names=False), "round": 1})
        crc = hall.end("1", key, dict(zip(header.seats, (1, 0), strict=True)))
        hall.approve("1", key, crc, header.seats)
        hall.order("export", file=str(tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as saved:
        (play,) = json.loads(saved.read("bgstats.json"))
        rows = spreadsheet.read(saved.read("results.csv"))
        (game,) = (name for name in saved.namelist() if name.startswith("games/"))
        line = saved.read(game).decode().splitlines()[0]
    at_table = play_id(header_data(header))
    assert (play["sourcePlayId"], play["playDate"]) == (at_table, "2026-11-21 11:30:00")
    assert {row["play"] for row in rows} == {at_table} and play_id(parse(line)) == at_table


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "yesterday", ""])
def test_a_date_that_no_calendar_has_ends_no_export(at: str, tmp_path: Path) -> None:
    """A stranger's table may send it, and the evening's file is for all."""
    with closing(Hall(tmp_path)) as hall:
        hall.order("join", names=["Anna", "Ben"])
        hall.order("round", games=["hannibal"], tables=["1"], seed=1)
        (of,) = hall.now.outcomes
        header = read_header({**TABLE, "at": at, "seats": list(of.seated.seats), "options": dict(of.seated.options),
                              "evening": hall.now.evening.mark, "ids": dict(of.seated.seats)})  # fmt: skip
        key = {"game": 1, "begun": at}
        hall.take("header", "1", {**key, "header": header_of(header, names=False), "round": 1})
        crc = hall.end("1", key, dict(zip(header.seats, (1, 0), strict=True)))
        hall.approve("1", key, crc, header.seats)
        hall.order("export", file=str(tmp_path / "all.zip"))
        seated = hall.now.evening.rounds[0].at
    with zipfile.ZipFile(tmp_path / "all.zip") as saved:
        (play,) = json.loads(saved.read("bgstats.json"))
    assert play["playDate"] == f"{datetime.fromisoformat(seated).astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def test_a_date_that_no_calendar_has_is_of_no_round(tmp_path: Path) -> None:
    """Where the table's clock is off too, and nothing but its clock could tell."""
    with closing(Hall(tmp_path)) as hall:
        hall.order("join", names=["Anna", "Ben"])
        hall.order("round", games=["hannibal"], tables=["1"], seed=1)
        hall.take("health", "1", {"ill": [], "clock": "2026-11-21T18:00:00+01:00"})
        header = read_header({**TABLE, "at": "0001-01-01T00:00:00+00:00", "evening": hall.now.evening.mark})
        key = {"game": 1, "begun": header.at}
        hall.take("header", "1", {**key, "header": header_of(header, names=False), "round": 1})
        (of,) = hall.now.outcomes
    assert of.state == "missing"


# -- lengths -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [{"hours": -1}, {"days": 200}, {"days": -20_000}], ids=str)
def test_a_clock_that_is_set_during_play_changes_no_length(by: dict[str, float], table: Desk) -> None:
    table.wait(600)
    table.move()
    table.set_clock(**by)
    table.wait(900)
    table.move()
    assert table.seconds == 1500
    match = match_of(table.evening)
    assert match.began == EVENING


def test_a_game_is_as_long_as_its_sessions_together(table: Desk) -> None:
    """What lies between them, and what nobody has played when the plug was pulled, counts for nothing."""
    table.wait(600)
    table.move(2)
    table.wait(50)
    table.again(hours=70)
    table.wait(300)
    table.move()
    assert table.seconds == 900


def test_a_table_that_is_left_alone_is_not_played_at(table: Desk) -> None:
    table.wait(600)
    table.move()
    table.wait(PAUSE_S + 1)
    table.move()
    table.wait(60)
    table.move()
    assert table.seconds == 660


def test_the_time_after_the_end_is_none_of_the_games(table: Desk) -> None:
    table.wait(600)
    table.move()
    table.wait(500)
    assert table.seconds == 600


@pytest.mark.parametrize("kept", [None, '"x"', "{}", '{"moves": 2, "seconds": -7}', '{"moves": 2, "seconds": 1e300}',
                                  '{"moves": 9, "seconds": 60}', '[1]'])  # fmt: skip
def test_a_length_that_nobody_measured_is_not_made_up(kept: str | None, table: Desk) -> None:
    """As of a game that an earlier version has begun, or has played on, or that a disk has spoilt."""
    table.wait(600)
    table.move(2)
    table.close()
    with closing(sqlite3.connect(table.path)) as db, db:
        db.execute("DELETE FROM settings WHERE key LIKE 'lasted %'")
        if kept:
            db.execute("INSERT INTO settings VALUES (?, ?)", (f"lasted {match_of(table.evening).play}", kept))
    table.again()
    table.wait(600)
    table.move()
    assert table.seconds is None
