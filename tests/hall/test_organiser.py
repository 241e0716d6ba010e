"""The organiser's orders: what each does, what is refused and why, and that a refusal changes nothing."""

from __future__ import annotations

import json
import socket
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest

from companion.cli import main
from companion.hall import _seating as seating
from companion.hall._wire import SAID, hold
from companion.hall.control_socket import SOCKET, STORE, ask, put_aside
from companion.hall.organiser import Organiser
from companion.hall.published import published, stand
from companion.hall.schema import STRANGE
from companion.hall.store import HallInUse, HallStore
from companion.record import spreadsheet
from companion.rules.message import Message
from tests.support.hall import Hall
from tests.support.paths import ROOT

SCHEMAS = ROOT / "docs" / "hall" / "schemas"
EIGHT = ["Anna", "Ben", "Chiara", "Dan", "Eve", "Femi", "Gül", "Hana"]
SCORES = {"red": 9, "blue": 7, "green": 5, "yellow": 3}
MARKUP = "<img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "LEAST", 500)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Hall(tmp_path)) as hall:
        yield hall


@pytest.fixture
def two(hall: Hall) -> Hall:
    """Eight players at two tables."""
    hall.order("join", names=EIGHT)
    hall.order("round", games=["mercator"], tables=["1", "2"], seed=1)
    return hall


# -- two organisers -------------------------------------------------------------------------------------------------


def test_an_order_is_refused_if_another_has_come_since_it_was_looked_at(hall: Hall) -> None:
    hall.order("join", names=EIGHT)
    order = {"do": "round", "games": ["mercator"], "tables": ["1", "2"], "seed": 1}
    looked = ask(hall.folder, order | {"try": True})
    assert looked["ok"] and looked["as_of"] == 1
    given = ask(hall.folder, order | {"as_of": 1, "id": "rita"})
    assert given["ok"] and given["order"] == 2 and "as_of" not in given
    late = ask(hall.folder, order | {"as_of": 1, "id": "tom"})
    assert not late["ok"] and late["as_of"] == 2 and "order" not in late
    assert (
        late["said"][0] == "Nothing has been changed: order 2 has come meanwhile (round 1 seated). Now it would be so:"
    )
    assert late["said"][1:] == ask(hall.folder, order | {"try": True})["said"][1:]
    assert len(hall.now.evening.rounds) == 1
    again = ask(hall.folder, order | {"as_of": 1, "id": "rita"})
    assert again["ok"] and again["order"] == 2, "sent a second time it is the same order"
    assert ask(hall.folder, order | {"as_of": 2, "id": "tom"})["ok"] and len(hall.now.evening.rounds) == 2


def test_what_is_no_longer_possible_is_refused_with_its_own_reason_as_well(hall: Hall) -> None:
    hall.order("join", names=["Anna"])
    hall.order("leave", names=["Anna"])
    late = ask(hall.folder, {"do": "leave", "names": ["Anna"], "as_of": 1})
    assert not late["ok"] and len(late["said"]) == 2 and "Anna" in late["said"][1]


def test_the_terminal_says_what_an_order_was_tried_as_of(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").write_text(f"data: {hall.folder}\n")

    def typed(*words: str) -> tuple[int, str]:
        came = main(["--config", str(tmp_path / "config.yaml"), "hall", *words])
        return came, "".join(capsys.readouterr())

    assert "--as-of 0" in typed("join", "Anna", "--try")[1]
    assert typed("join", "Ben")[0] == 0
    came, said = typed("join", "Anna", "--as-of", "0")
    assert came != 0 and "order 1 has come meanwhile" in said
    assert typed("join", "Anna", "--as-of", "1")[0] == 0


# -- players -------------------------------------------------------------------------------------------------------


def test_players_come_leave_and_come_back_as_who_they_were(hall: Hall) -> None:
    assert hall.order("join", names=["  Anna   B. ", "Ben"]) == [
        "Players here: 2.", "Now here: Anna B. #1 and Ben #2",
    ]  # fmt: skip
    assert hall.order("leave", names=["ANNA B."]) == ["No longer seated from the next round on: Anna B. #1"]
    hall.order("join", names=["anna b."])
    assert [(player.id, player.name, player.here) for player in hall.now.evening.people.values()] == [
        (1, "Anna B.", True), (2, "Ben", True),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "An\x1b[2Jna", "\u202eannA", "\u200b"])
def test_what_nobody_can_read_is_no_name(hall: Hall, name: str) -> None:
    assert hall.refused("join", names=["Ben", name]).endswith(" cannot be a name: use 1 to 80 printable characters.")
    assert not hall.now.evening.people


def test_a_name_with_markup_is_a_name_and_stays_as_it_is(hall: Hall) -> None:
    hall.order("join", names=[MARKUP, "{0} {name}", "=1+1", "red"])
    said = "\n".join([*hall.order("round", games=["caesar"], tables=["1"]), *hall.order("status")])
    assert all(name in said for name in (MARKUP, "{0} {name}", "=1+1", "red #4 (")), said
    assert MARKUP in json.dumps(published(hall.now)["seating"])


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["Ben", "ben"], "ben is already here: add an initial."),
        (["ANNA"], "ANNA is already here: add an initial."),
    ],
)
def test_two_of_one_name_cannot_be_told_apart(hall: Hall, names: list[str], why: str) -> None:
    hall.order("join", names=["Anna"])
    assert hall.refused("join", names=names) == why


def test_a_name_that_is_mistyped_is_not_guessed_but_asked(hall: Hall) -> None:
    hall.order("join", names=["Chiara"])
    assert hall.refused("leave", names=["Chira"]) == "There is no player Chira. Did you mean Chiara #1?"
    assert hall.refused("leave", names=["#2"]) == "There is no player #2."
    hall.order("leave", names=["#1"])


def test_player_leaving_mid_round_leaves_a_game_to_settle(two: Hall) -> None:
    gone = two.now.evening.rounds[0].tables[1].seats["red"]
    said = two.order("leave", names=[f"#{gone}"])
    still = "Hana #8 has left but is still seated in round 1 at table 2"
    assert said[1].startswith(still) and len(said) == 2
    assert any(line.startswith(still) for line in two.order("status")), "until somebody else is"
    two.begin("2", 1)
    assert not any(still in line for line in two.order("status"))
    two.order("join", names=["Hana"])
    assert two.order("leave", names=["Hana"])[1:] == ["Round 1: table 2 still has no result."]
    two.order("result", table="2", void=True, reason="somebody had to go")
    assert [of.state for of in two.now.outcomes] == ["missing", "void"]


# -- rounds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ({"tables": ["1"]}, "Name the game, for example --game mercator."),
        ({"games": ["mercator"]}, "No table has reported yet: name the tables, for example --tables 1,2,3."),
        ({"games": ["go"], "tables": ["1"]}, "There is no game go. Choose from mercator, prokonsul, spartacus, caesar, hannibal."),
        ({"games": ["mercator"], "tables": ["a/b"]}, "a/b cannot be the name of a table: use a to z, 0 to 9 and -."),
        ({"games": ["mercator"], "tables": ["#"]}, "# cannot be the name of a table: use a to z, 0 to 9 and -."),
        ({"games": ["mercator"], "tables": ["1"], "options": {"half": "down"}}, "None of these games has an option half."),
        ({"games": ["mercator"], "tables": ["1"], "options": {"halves": "up"}}, "option 'halves' is \"exact\" or \"down\", not \"up\""),
        ({"games": ["mercator"], "tables": ["1"], "again": True}, "No round is seated that has not begun."),
        ({"games": ["mercator"], "tables": ["1"], "size": "four"}, STRANGE),
    ],
)  # fmt: skip
def test_a_round_that_cannot_be_seated_says_why(hall: Hall, order: Mapping[str, Any], why: str) -> None:
    hall.order("join", names=EIGHT)
    assert hall.refused("round", **order) == why
    assert not hall.now.evening.rounds


def test_too_few_players_for_a_table(hall: Hall) -> None:
    hall.order("join", names=EIGHT[:2])
    assert hall.refused("round", games=["mercator"], tables=["1"]) == "Too few players for a table: 2."


def test_the_tables_that_are_here_are_taken_in_the_order_of_their_numbers(hall: Hall) -> None:
    hall.order("join", names=EIGHT)
    for table in ("10", "9", "8"):
        hall.take("status", table, {"here": table != "8"})
    hall.order("round", games=["mercator"])
    assert [of.table for of in hall.now.evening.rounds[0].tables] == ["9", "10"]


def test_a_round_goes_on_with_what_was_played_and_may_mix_games(hall: Hall) -> None:
    hall.order("join", names=EIGHT[:6])
    hall.order("round", games=["hannibal", "caesar"], tables=["1", "2"], options={"core_control": True})
    hall.order("round")
    for one in hall.now.evening.rounds:
        assert [(of.game, len(of.seats)) for of in one.tables] == [("hannibal", 2), ("caesar", 4)]
        assert one.tables[0].options["core_control"] is True
    assert published(hall.now)["evening"]["by"] == "places"


def test_a_round_that_is_seated_again_keeps_its_tables_and_silent_ones_are_named(two: Hall) -> None:
    two.take("status", "1", {"here": True, "version": "0.9"})  # table 2 has never said anything
    said = two.order("round", again=True)
    assert [of.table for of in two.now.evening.rounds[-1].tables] == ["1", "2"]
    assert said[-1] == "Table 2 has not reported yet."


def test_a_round_is_seated_again_until_somebody_has_begun(two: Hall) -> None:
    two.order("join", names=["Ivo"])
    two.order("round", again=True, seed=5)
    (one,) = two.now.evening.rounds
    assert (one.seed, sum(len(of.seats) for of in one.tables)) == (5, 9)
    two.begin("1", 1)
    assert two.refused("round", again=True) == "No round is seated that has not begun."


def test_the_seed_is_kept_and_seats_the_same(tmp_path: Path) -> None:
    found = []
    for folder in ("one", "other"):
        with closing(Hall(tmp_path / folder)) as hall:
            hall.order("join", names=EIGHT)
            hall.order("round", games=["mercator"], tables=["1", "2"], seed=7)
            found.append(hall.now.evening.rounds[0].tables)
    assert found[0] == found[1]


# -- results -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ({"table": "7", "reason": "x"}, "Nobody was seated at table 7 in that round."),
        ({"table": "1", "round": 2, "reason": "x"}, "Nobody was seated at table 1 in that round."),
        ({"table": "1", "reason": " "}, "Give a reason of 1 to 200 characters; it is kept in the log."),
        ({"table": "1", "reason": "x" * 201}, "Give a reason of 1 to 200 characters; it is kept in the log."),
        ({"table": "1", "reason": "x"}, "The table has reported no result for these players: enter the scores."),
        ({"table": "1", "reason": "x", "scores": {"red": "many"}}, "many is not a score."),
        ({"table": "1", "reason": "x", "scores": {"red": "1/3"}}, "1/3 is not a score."),
        ({"table": "1", "reason": "x", "scores": {"red": "1e99"}}, "1e99 is not a score."),
        ({"table": "1", "reason": "x", "won": ["white"]}, "There is no player white."),
        ({"reason": "x"}, STRANGE),
    ],
)
def test_a_result_that_cannot_be_settled_says_why(two: Hall, order: Mapping[str, Any], why: str) -> None:
    assert two.refused("result", **order) == why
    assert not two.now.evening.settled


def test_somebody_of_another_table_has_no_score_here(two: Hall) -> None:
    other = two.now.evening.people[two.now.evening.rounds[0].tables[1].seats["red"]].name
    assert two.refused("result", table="1", scores={other: 1}, reason="x") == f"{other} does not sit at that table."


def test_the_organiser_approves_what_the_table_reports(two: Hall) -> None:
    key = two.begin("1", 1)
    two.end("1", key, {"red": 9, "blue": 7, "green": 5, "yellow": 3})
    two.order("result", table="1", reason="they had to run for the train")
    (first, _) = two.now.outcomes
    assert (first.state, first.result and first.result["scores"]["red"]) == ("counts", 9)
    two.end("1", key, {"red": 9, "blue": 7, "green": 5, "yellow": 4}, at=2)
    assert "Round 1, table 1: The table has since reported a different result." in two.order("status")
    assert published(two.now)["standings"]["corrected"] == []


def test_an_undo_after_the_approval_takes_the_result_out_of_the_standings(two: Hall) -> None:
    key = two.play("1", 1)
    assert [of.state for of in two.now.outcomes] == ["counts", "missing"]
    two.take("result", "1", {**key, "number": 2, "result": None, "crc": None})
    assert [of.state for of in two.now.outcomes] == ["playing", "missing"]
    assert {row.score for row in two.now.standings.rows} == {0}


def test_who_has_won_is_enough_where_scores_are_not_added_up(two: Hall) -> None:
    why = "This game adds up scores: enter those of all players."
    assert two.refused("result", table="1", won=["blue"], reason="the table broke down") == why
    two.order("round", games=["caesar"], again=True)
    two.order("result", table="1", won=["blue"], reason="the table broke down")
    result = two.now.outcomes[0].result
    assert result and result["winners"] == ["blue"] and result["places"]["blue"] == 1


def test_only_what_counts_is_amended_and_only_what_does_not_is_settled(two: Hall) -> None:
    assert (
        two.refused("amend", table="1", scores=SCORES, reason="x")
        == "That result is not official yet. Use result to enter it."
    )
    two.order("result", table="1", scores=SCORES, reason="x")
    assert (
        two.refused("result", table="1", scores=SCORES, reason="x")
        == "That result is already official. Use amend to correct it."
    )
    two.order("amend", table="1", scores=SCORES, won=["blue"], reason="it was blue")
    (told,) = published(two.now)["standings"]["corrected"]
    assert (told["table"], told["reason"]) == ("1", "it was blue")


def test_a_result_said_twice_does_not_settle_a_round_that_nobody_has_begun(two: Hall) -> None:
    two.order("round")
    two.order("result", table="1", scores=SCORES, reason="seen")
    assert two.refused("result", table="1", scores=SCORES, reason="seen").startswith("That result is already official")
    two.order("result", table="1", round=2, scores=SCORES, reason="they have played it elsewhere")


def test_no_round_is_seated_after_the_end(two: Hall) -> None:
    two.order("end")
    assert two.refused("round").startswith("The evening is over")
    two.order("evening")
    two.order("round")


# -- what is published ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("names", "shown"), [("full", "Anna Berg"), ("first", "Anna"), ("none", None)])
def test_what_is_published_fits_the_schemas_and_names_nobody_who_is_not_to_be_read(
    hall: Hall, names: str, shown: str | None
) -> None:
    hall.order("evening", name="Saturday", names=names, lang="de")
    hall.order("join", names=["Anna Berg", *EIGHT[1:5]])
    hall.order("round", games=["caesar"], tables=["1", "2"], size=2)
    hall.order("result", table="1", won=["red"], reason="x")
    hall.order("amend", table="1", won=["blue"], reason="x")
    told = published(hall.now)
    for topic in SAID:
        schema = json.loads((SCHEMAS / f"{topic}.json").read_text(encoding="utf-8"))
        fastjsonschema.compile(schema)(json.loads(json.dumps(told[topic])))
    anna = next(row for row in told["standings"]["rows"] if row["id"] == 1)
    assert anna["name"] == shown
    assert ("Berg" in json.dumps(told)) == (names == "full")


def test_states_of_an_evening(hall: Hall) -> None:
    assert published(hall.now)["evening"]["state"] == "open"
    hall.order("join", names=EIGHT[:4])
    hall.order("round", games=["mercator"], tables=["1"])
    assert published(hall.now)["evening"]["state"] == "seated"
    key = hall.begin("1", 1)
    assert published(hall.now)["evening"]["state"] == "playing"
    crc = hall.end("1", key, {"red": 9, "blue": 7, "green": 5, "yellow": 3})
    hall.approve("1", key, crc, ["red", "blue", "green", "yellow"])
    assert published(hall.now)["evening"]["state"] == "open"
    hall.order("round")
    assert [one["round"] for one in published(hall.now)["seating"]["rounds"]] == [2]
    hall.order("end")
    assert published(hall.now)["evening"]["state"] == "over"


def test_a_contested_result_does_not_hold_up_the_evening(two: Hall) -> None:
    key = two.begin("1", 1)
    crc = two.end("1", key, {"red": 9, "blue": 7, "green": 5, "yellow": 3})
    two.approve("1", key, crc, ["red"], approves=False)
    two.play("2", 1)
    for number in (2, 3):
        two.order("round")
        assert published(two.now)["evening"]["round"] == {2: 1, 3: 3}[number]
        two.play("1", number)
        assert published(two.now)["evening"]["round"] == number
        two.play("2", number)
    said = published(two.now)
    assert [one["round"] for one in said["seating"]["rounds"]] == [1, 3]
    assert said["evening"]["state"] == "open" and said["standings"]["open"] == 1


def test_what_became_of_each_result_is_told_to_its_table(two: Hall) -> None:
    key = two.begin("1", 1)
    crc = two.end("1", key, {"red": 9, "blue": 7, "green": 5, "yellow": 3})
    which = (key["game"], key["begun"], crc)
    assert published(two.now)["settled"] == {}
    two.order("result", table="1", reason="seen by the referee")
    two.play("2", 1)
    told = published(two.now)["settled"]
    assert told["1"] == [(which, {"settled": "organiser", "reason": "seen by the referee"})]
    assert [verdict for _, verdict in told["2"]] == [{"settled": "all"}]
    two.order("amend", table="1", scores={**SCORES, "blue": 8}, reason="miscounted")
    ((_, verdict),) = published(two.now)["settled"]["1"]
    assert verdict["counts"]["scores"] == {**SCORES, "blue": 8} and verdict["reason"] == "miscounted"
    hold("have", {"game": 1, "begun": None, "number": 3, **verdict})
    two.order("amend", table="1", void=True, reason="a card was missing")
    assert published(two.now)["settled"]["1"] == [(which, {"settled": "nobody", "reason": "a card was missing"})]


# -- status --------------------------------------------------------------------------------------------------------


def test_the_status_says_what_is_wrong(two: Hall) -> None:
    two.take("status", "1", {"here": True, "version": "0.0.1"})
    for table in ("2", "5"):
        two.take("status", table, {"here": False})
    two.take("health", "1", {"ill": ["reader red: no answer"], "clock": "2026-11-21T13:10:00+01:00"})
    two.take(
        "header",
        "5",
        {
            "game": 1,
            "begun": None,
            "header": {"tabularium": 1, "game": "caesar", "seats": ["red", "blue"], "options": {}},
            "round": 1,
        },
    )
    for _ in range(3):
        two.store.fault("9", Message("Nobody knows this table."))
    said = two.order("status")
    for line in (
        "Players here: 8.",
        "Round 1: 0 of 2 results are official.",
        "Round 1, table 2: nothing reported yet.",
        "Table 2 is not connected.",
        "The clock of table 1 is off by 70 minutes.",
        "Table 1: reader red: no answer",
        "Table 5 plays game 1 for round 1, but nobody was seated there.",
        "12:00 Table 9: Nobody knows this table. (3 times)",
        "Standings by total score",
        "1. Anna #1: 0 (0 · 0 · 0)",
    ):
        assert line in said
    assert "Table 5 is not connected." not in said, "nobody is seated there"
    assert any(line.startswith("Table 1 runs version 0.0.1, the hall ") for line in said)


@pytest.mark.parametrize(("lang", "words"), [("de", "Anwesende Spieler: 8."), ("ja", "参加中のプレイヤー：8人")])
def test_the_hall_answers_in_the_language_it_is_asked_in(two: Hall, lang: str, words: str) -> None:
    assert two.order("status", lang=lang)[0] == words
    two.order("evening", lang=lang)
    assert two.order("status")[0] == words


# -- the socket ----------------------------------------------------------------------------------------------------


def test_only_its_owner_may_knock(hall: Hall) -> None:
    assert (hall.folder / SOCKET).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"[1]\n",
        b"{\n",
        b"\xff\n",
        b'{"do": "dance"}\n',
        b'{"do": "join", "names": 7}\n',
        b'{"do": "leave"}\n',
    ],
)
def test_hall_survives_malformed_requests(hall: Hall, line: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(hall.folder / SOCKET))
        client.sendall(line)
        client.shutdown(socket.SHUT_WR)
        answer = client.recv(10_000)
    assert not answer or not json.loads(answer)["ok"]
    assert hall.order("join", names=["Anna"])[0] == "Players here: 1."


def test_without_a_hall_the_order_goes_to_its_store_and_with_one_never(hall: Hall) -> None:
    hall.order("join", names=["Anna"])
    with pytest.raises(HallInUse):
        HallStore(hall.folder / STORE)
    hall.close()
    (hall.folder / SOCKET).touch()  # of a hall that was killed
    (hall.folder / SOCKET).unlink()
    answer = ask(hall.folder, {"do": "join", "names": ["Ben"]})
    assert answer == {"ok": True, "said": ["Players here: 2.", "Now here: Ben #2"], "order": 2}


def test_no_evening_is_put_aside_while_the_hall_runs(hall: Hall) -> None:
    with pytest.raises(HallInUse):
        put_aside(hall.folder)
    assert hall.order("join", names=["Anna"])[0] == "Players here: 1."


def test_the_command_line_is_the_organisers_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def hall(*words: str) -> tuple[int, str, str]:
        status = main(["--config", str(config), "hall", *words])
        return (status, *capsys.readouterr())

    config = tmp_path / "config.yaml"
    config.write_text(f"data: {tmp_path / 'data'}\n")
    (tmp_path / "names").write_text("Chiara\n\nDan\n")
    assert hall("evening", "Saturday", "--names", "first") == (0, "Noted.\n", "")
    assert hall("join", "Anna", "Ben", "--file", str(tmp_path / "names")) == (
        0, "Players here: 4.\nNow here: Anna #1, Ben #2, Chiara #3 and Dan #4\n", ""
    )  # fmt: skip
    status, out, _ = hall("round", "--game", "mercator", "--option", "halves=down", "--tables", "1")
    assert (status, out.splitlines()[0]) == (0, "Round 1")
    assert hall("result", "1", "red=9", "blue=22.5", "green=1", "yellow=0", "--reason", "by hand")[0] == 0
    assert hall("amend", "1", "red=1", "blue=2", "green=3", "yellow=4", "--reason", "\x1b[2J")[0] == 0
    assert hall("leave", "Nobody") == (2, "", "There is no player Nobody.\n")
    assert "Standings" in hall("status")[1]
    assert hall("export", str(tmp_path / "all.zip"))[0] == 0
    assert hall("export", str(tmp_path / "all.zip"))[0] == 2
    assert hall("end") == (0, "The evening is over.\n", "")
    aside = tmp_path / "data" / f"hall-{date.today()}.sqlite3"  # noqa: DTZ011 - the day here
    kept = f"The evening Saturday is kept as {aside}, and its export as {aside.stem}.zip.\n"
    assert hall("evening", "Next", "--new") == (0, f"{kept}Noted.\n", "")
    assert hall("status")[1] == "Players here: 0.\n"
    assert aside.exists()


# -- afterwards ----------------------------------------------------------------------------------------------------


def test_the_export_is_read_by_a_spreadsheet_and_runs_nothing(two: Hall, tmp_path: Path) -> None:
    two.order("join", names=["=HYPERLINK(1)", MARKUP])
    two.order("round", again=True)
    two.play("1", 1)
    key = two.begin("2", 1)
    two.take("event", "2", {**key, "number": 1, "event": {"event": "flip", "card": "?"}, "codes": []})
    two.order("export", file=str(tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as saved:
        rows = {name: spreadsheet.read(saved.read(f"{name}.csv")) for name in ("standings", "seating", "results")}
        seats = saved.read("seating.csv").decode("utf-8-sig")
        page = saved.read("bgstats.html").decode()
        games = [name for name in saved.namelist() if name.startswith("games/")]
        lines = saved.read(next(name for name in games if "table-2" in name)).decode().splitlines()
    assert [len(rows[name]) for name in ("standings", "seating", "results")] == [10, 10, 10]
    assert "=HYPERLINK(1)" in {row["player"] for row in rows["seating"]}
    assert ",'=HYPERLINK(1)" in seats and ",=" not in seats
    assert {row["state"] for row in rows["results"]} == {"counts", "playing"}
    assert MARKUP not in page
    assert json.loads(lines[0])["game"] == "mercator"
    assert json.loads(lines[1])["event"]["event"] == "flip"  # no transcript: what the table sent, as it came


def test_answers_need_no_socket(two: Hall) -> None:
    assert Organiser(two.store).answer({"do": "status"})["ok"]


def test_what_changes_no_standings_leaves_them_as_they_were_worked_out(hall: Hall) -> None:
    """A line to everybody is answered without working them out once more; a penalty is not."""
    hall.order("join", names=["Anna", "Ben", "Cem"])
    hall.order("round", games=["mercator"], tables=["1"], seed=1)
    before = hall.now
    assert before.standings
    hall.order("say", text="Break")
    assert stand(hall.store, before).standings is before.standings
    hall.order("penalty", player="Ben", points=1, reason="late")
    assert stand(hall.store, before).standings != before.standings
