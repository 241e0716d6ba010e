"""A tournament of twelve from the first player to the last standings, through the socket and the store: with a late
comer, one who leaves, a contested result, one that is corrected, and a hall that dies in between."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.hall.published import published
from companion.record import spreadsheet
from tests.support.hall import Hall

TWELVE = ["Anna", "Ben", "Chiara", "Dan", "Eve", "Femi", "Gül", "Hana", "Ivo", "Jun", "Kai", "Lea"]
USUAL = ("red", "blue", "green", "yellow")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Hall(tmp_path)) as hall:
        yield hall


def state(hall: Hall, number: int, table: str) -> str:
    return next(of.state for of in hall.now.outcomes if (of.round, of.seated.table) == (number, table))


def scores(hall: Hall) -> dict[str, float]:
    return {row["name"]: row["score"] for row in published(hall.now)["standings"]["rows"]}


def number(hall: Hall, name: str) -> int:
    return next(player.id for player in hall.now.evening.people.values() if player.name == name)


def seats(hall: Hall, number: int) -> dict[str, list[str]]:
    """Who sits at each table of a round, in the order of the chairs."""
    one = next(one for one in hall.now.evening.rounds if one.number == number)
    people = hall.now.evening.people
    return {of.table: [people[player].name for player in of.seats.values()] for of in one.tables}


def test_a_tournament_of_twelve_over_four_rounds(hall: Hall, tmp_path: Path) -> None:
    hall.order("evening", name="Saturday", names="full")
    hall.order("join", names=TWELVE)
    said = hall.order("round", games=["mercator"], tables=["1", "2", "3"], seed=1)
    assert said[0] == "Round 1" and said[1].startswith("Table 1, Mercator: ")
    assert sorted(name for its in seats(hall, 1).values() for name in its) == sorted(TWELVE)
    for table in "123":
        hall.play(table, 1)
    assert [row["place"] for row in published(hall.now)["standings"]["rows"]] == [1] * 3 + [4] * 3 + [7] * 3 + [10] * 3

    # somebody comes late: thirteen at three tables, and nobody has to wait
    hall.order("join", names=["Max"])
    hall.order("round", seed=2)
    assert sorted(map(len, seats(hall, 2).values())) == [4, 4, 5]
    assert sum("Max" in its for its in seats(hall, 2).values()) == 1
    hall.play("1", 2)
    contested(hall)
    hall.again()  # the hall dies between two games, and comes back the same
    hall.play("3", 2)
    assert (hall.now.round, hall.now.state, hall.now.standings.open) == (2, "open", 0)

    # somebody leaves, in the middle of nothing
    first = seats(hall, 1)["1"][0]
    assert hall.order("leave", names=[first]) == [
        f"No longer seated from the next round on: {first} #{number(hall, first)}"
    ]
    hall.order("round", seed=3)
    assert first not in [name for its in seats(hall, 3).values() for name in its]
    for table in "123":
        hall.play(table, 3)
    corrected(hall)

    hall.order("round", seed=4)
    for table in "123":
        hall.play(table, 4)
    hall.order("end")
    finished(hall, first, tmp_path)


def contested(hall: Hall) -> None:
    """Everybody approves but one, who says that it is not right; the organiser settles it, with a reason."""
    key, at = hall.begin("2", 2), seats(hall, 2)["2"]
    colours = list(USUAL)
    given = dict(zip(colours, (9, 7, 5, 3), strict=True)) | ({"purple": 1} if len(at) == 5 else {})
    crc = hall.end("2", key, given)
    hall.approve("2", key, crc, [seat for seat in given if seat != "blue"])
    assert state(hall, 2, "2") == "waiting"
    assert f"Round 2, table 2: not yet approved by {at[1]} #{number(hall, at[1])} (Blue)." in hall.order("status")
    hall.approve("2", key, crc, ["blue"], approves=False)
    assert state(hall, 2, "2") == "contested"
    assert f"Round 2, table 2: contested by {at[1]} #{number(hall, at[1])} (Blue)." in hall.order("status")
    before = scores(hall)
    assert "reason" in hall.refused("result", table="2", scores={at[1]: 8})
    assert hall.refused("result", table="2", scores={at[1]: 8}, reason="seen").startswith("Scores are missing: ")
    hall.order("result", table="2", scores={**given, at[1]: 8}, reason="the loot was counted twice")
    assert state(hall, 2, "2") == "counts"
    assert scores(hall)[at[1]] == before[at[1]] + 8


def corrected(hall: Hall) -> None:
    """A result that counts is corrected in the open; the table's own is still there to be read."""
    winner = seats(hall, 3)["3"][0]
    before = scores(hall)[winner]
    assert (
        hall.refused("result", table="3", scores={"red": 1}, reason="x")
        == "That result is already official. Use amend to correct it."
    )
    new = dict(zip(USUAL, (6, 7, 5, 3), strict=True))
    hall.order("amend", table="3", round=3, scores=new, reason="one chip lay under the table")
    assert scores(hall)[winner] == before - 3
    (told,) = published(hall.now)["standings"]["corrected"]
    assert (told["round"], told["table"], told["reason"]) == (3, "3", "one chip lay under the table")


def finished(hall: Hall, gone: str, folder: Path) -> None:
    """The final standings, after the hall has died once more, and in the file that is saved."""
    before = published(hall.now)
    hall.again()
    assert published(hall.now) == before
    assert before["evening"]["state"] == "over"
    rows: list[dict[str, Any]] = before["standings"]["rows"]
    assert (before["standings"]["by"], before["standings"]["after"], before["standings"]["open"]) == ("scores", 4, 0)
    assert {row["name"]: row["games"] for row in rows} == dict.fromkeys(TWELVE, 4) | {gone: 2, "Max": 3}
    assert [row["name"] for row in rows if row["left"]] == [gone]
    # each score is what the games brought, and nothing else
    by_hand: Counter[str] = Counter()
    for of in hall.now.outcomes:
        assert of.result
        for seat, player in of.seated.seats.items():
            by_hand[hall.now.evening.people[player].name] += int(of.result["scores"][seat])
    assert scores(hall) == by_hand
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)

    hall.order("export", file=str(folder / "all.zip"))
    with zipfile.ZipFile(folder / "all.zip") as saved:
        table = spreadsheet.read(saved.read("standings.csv"))
        assert {row["player"]: float(row["score"]) for row in table} == by_hand
        assert len(json.loads(saved.read("bgstats.json"))) == 12
        assert spreadsheet.read(saved.read("penalties.csv")) == []
        assert sum(name.startswith("games/") for name in saved.namelist()) == 12
