"""Every order has a way back, can be tried first, and is kept with who gave it; names are found by their beginnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.hall import _seating as seating
from companion.hall._evening import HallEvening
from companion.hall._export import penalties
from companion.hall._results import Outcome
from companion.hall._standings import Ledger, standings
from companion.hall._why import why
from companion.hall.control_socket import ask
from companion.hall.orders import ORDERS, Act, Order, OrderContext, fold
from companion.hall.organiser import Organiser
from companion.hall.published import published, stand
from companion.hall.request import Argument
from companion.hall.schema import STRANGE, schema
from companion.hall.store import HallStore
from companion.rules import result
from companion.rules.message import Message
from tests.support.hall import NOON, Hall

EIGHT = ["Anna", "Ben", "Benno", "Dan", "Eve", "Femi", "Gül", "Hana"]
SCORES = {"red": 9, "blue": 7, "green": 5, "yellow": 3}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "LEAST", 300)
    monkeypatch.setattr(seating, "TRIES", 2)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Hall(tmp_path)) as hall:
        yield hall


@pytest.fixture
def two(hall: Hall) -> Hall:
    """Eight players at two tables, whose first round has been played."""
    hall.order("join", names=EIGHT)
    hall.order("round", games=["mercator"], tables=["1", "2"], seed=1)
    hall.play("1", 1)
    hall.play("2", 1)
    return hall


def name(hall: Hall, number: int) -> str:
    return hall.now.evening.people[number].name


def state(hall: Hall, number: int, table: str) -> str:
    return next(of.state for of in hall.now.outcomes if of.key == (number, table))


def totals(hall: Hall) -> dict[int, Fraction]:
    return {row.id: row.score for row in hall.now.standings.rows}


# -- every order and its way back ----------------------------------------------------------------------------------

AFTER_A_ROUND: list[dict[str, Any]] = [
    {"do": "evening", "name": "Sunday"},
    {"do": "join", "names": ["Ivo"]},
    {"do": "leave", "names": ["Dan"]},
    {"do": "rename", "player": "Gül", "name": "Güler"},
    {"do": "penalty", "player": "Dan", "points": 2, "reason": "late"},
    {"do": "fix", "player": "Eve", "table": "2", "seat": "red"},
    {"do": "round", "seed": 2},
    {"do": "plan", "rounds": 2, "seed": 2},
    {"do": "withdraw", "reason": "a wrong game"},
    {"do": "swap", "players": ["Anna", "Ben"], "reason": "sat down elsewhere"},
    {"do": "absent", "player": "Hana", "reason": "had to go"},
    {"do": "amend", "table": "1", "scores": SCORES, "won": ["yellow"], "reason": "miscounted"},
    {"do": "reopen", "table": "2", "reason": "looked at again"},
    {"do": "spare", "table": "2", "to": "9", "reason": "no power"},
    {"do": "reserve", "devices": ["12"]},
    {"do": "say", "text": "Break until nine"},
    {"do": "clock", "minutes": 60, "then": "round"},
    {"do": "aside"},
    {"do": "end"},
]


@pytest.mark.parametrize("order", AFTER_A_ROUND, ids=lambda order: str(order["do"]))
def test_what_was_ordered_is_tried_first_given_taken_back_and_given_again(two: Hall, order: dict[str, Any]) -> None:
    if order["do"] == "spare":  # where something is open
        two.order("round", tables=["1", "2"], seed=3)
    before, acts = two.now, len(two.store.said())
    tried = ask(two.folder, {**order, "try": True})
    assert tried["ok"] and tried["said"][0] == "Nothing has been changed yet. This would happen:"
    assert two.now == before and len(two.store.said()) == acts, "nothing is kept of what is tried"
    given_ = ask(two.folder, {**order, "who": "Rita"})
    assert given_["ok"], given_
    after = two.now
    assert after.evening != before.evening
    said = two.order("undo", of=given_["order"], reason="a slip")
    assert said[0].startswith(f"Undone: order {given_['order']}, ")
    assert two.now == before
    assert published(two.now) == published(before)
    two.order("redo", of=given_["order"], reason="it was right")
    assert two.now == after
    two.again()
    assert two.now == after, "also after the hall has died"
    log = two.order("log")
    assert any("(Rita)" in line for line in log)
    assert len(log) == acts + 3


def test_orders_without_a_round_are_taken_back_too(hall: Hall) -> None:
    hall.order("know", players=[{"id": 7, "name": "Anna"}, {"id": 3, "name": "Ben"}])
    hall.order("undo")
    assert not hall.now.evening.people
    hall.order("join", names=["Anna"])
    hall.order("remove", names=["Anna"])
    hall.order("undo")
    hall.order("leave", names=["An"])
    hall.order("back", names=["#1"])
    hall.order("undo")
    assert [player.here for player in hall.now.evening.people.values()] == [False]
    assert {*(of["do"] for of in AFTER_A_ROUND)} | {"know", "remove", "back", "undo", "redo", "result"} == {*ORDERS}


@pytest.fixture
def ring() -> Iterator[None]:
    """One order more, which nothing else knows of."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Ring(Order):  # Python keeps it in ORDERS
        """Ring the bell."""

        do = "ring"
        example = "ring 3"
        log = "rung, at table {table}"

        table: Annotated[int, Argument("where", "TABLE", least=1, most=9)]

        def act(self, desk: OrderContext) -> Act:
            return {"act": "ring", "table": self.table}

        @classmethod
        def fold(cls, evening: HallEvening, act: Mapping[str, Any]) -> HallEvening:
            return replace(evening, line="ding " * act["table"])

    yield
    del ORDERS["ring"]


def test_an_order_is_told_in_one_place(
    ring: None, hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its class is all that is written: wire, command line, preview, log and the way back follow from it."""
    config = tmp_path / "config.yaml"
    config.write_text(f"data: {hall.folder}\n")

    def typed(*words: str) -> str:
        with suppress(SystemExit):  # --help
            assert main(["--config", str(config), "hall", *words]) == 0
        return capsys.readouterr().out

    assert "ring" in schema()["properties"]["do"]["enum"]
    assert "ring the bell" in typed("--help") and "where" in typed("ring", "--help")
    assert "Announcement: ding ding ding" in typed("ring", "3", "--try")
    typed("ring", "3")
    assert hall.now.evening.line == "ding ding ding "
    assert "rung, at table 3" in hall.order("log")[0]
    assert "rung, at table 3" in hall.order("undo", of=1)[0]
    assert hall.now.evening.line == ""
    assert hall.refused("ring", table=0) == hall.refused("ring") == STRANGE


def test_an_undo_is_refused_where_another_order_has_come_since(two: Hall) -> None:
    first = ask(two.folder, {"do": "evening", "name": "one"})["order"]
    second = ask(two.folder, {"do": "evening", "name": "two"})["order"]
    why = f"Another order has come since; the last one is now order {second}."
    assert two.refused("undo", of=first) == why
    assert two.order("undo", of=second, **{"try": True})[0].startswith("Nothing has been changed")
    two.order("undo", of=second)
    assert two.now.evening.name == "one"
    two.order("evening", name="three")
    assert "another has come since" in two.refused("redo")


def test_a_reason_is_wanted_where_results_hang_on_it(two: Hall) -> None:
    asked = "This affects results: give a reason of 1 to 200 characters."
    assert two.refused("swap", players=["Anna", "Ben"]) == asked
    two.order("amend", table="1", void=True, reason="a card was missing")
    assert two.refused("undo") == asked
    two.order("evening", name="x")
    two.order("undo")
    assert two.refused("undo") == asked
    tried = two.order("undo", **{"try": True})
    assert tried[0].startswith("Nothing has been changed") and tried[-1] == asked, "it can be tried without one"
    two.order("undo", reason="the card was found")
    assert state(two, 1, "1") == "counts"


def test_an_order_that_is_sent_twice_is_carried_out_once(hall: Hall) -> None:
    order = {"do": "join", "names": ["Anna"], "id": "a-1"}
    first = ask(hall.folder, order)
    assert ask(hall.folder, order) == {
        "ok": True,
        "said": ["This order has already been carried out."],
        "order": first["order"],
    }
    assert len(hall.store.said()) == 1


# -- players -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("Ben", "Ben"), ("benn", "Benno"), ("#2", "Ben"), ("3", "Benno"), ("an", "Anna"), ("  gÜL ", "Gül"),
        ("B", "Several names begin with B: Ben #2 and Benno #3. Which one do you mean?"), ("be", "Several names begin with be: Ben #2 and Benno #3. Which one do you mean?"),
        ("Hanna", "There is no player Hanna. Did you mean Hana #8?"), ("#99", "There is no player #99."),
        ("", "There is no player ."),
    ],
)  # fmt: skip
def test_a_player_is_named_by_number_by_name_or_by_a_beginning_that_is_clear(hall: Hall, word: str, found: str) -> None:
    hall.order("join", names=EIGHT)
    if found in EIGHT:
        hall.order("leave", names=[word])
        assert [player.name for player in hall.now.evening.people.values() if not player.here] == [found]
    else:
        assert hall.refused("leave", names=[word]) == found


def test_a_number_is_never_given_twice(hall: Hall) -> None:
    hall.order("join", names=["Anna", "Bne"])
    hall.order("remove", names=["Bne"])
    assert hall.order("join", names=["Ben"])[1] == "Now here: Ben #3"
    hall.order("rename", player="Ben", name="Benedikt")
    assert (
        hall.refused("rename", player="Anna", name="benedikt")
        == "There is already a player called Benedikt #3: add an initial."
    )
    hall.order("leave", names=["Bene"])
    hall.order("join", names=["Benedikt"])
    assert name(hall, 3) == "Benedikt" and hall.now.evening.people[3].here


def test_who_was_seated_stays_on_the_list(two: Hall) -> None:
    assert two.refused("remove", names=["Ben"]).startswith("Ben #2 was seated in round 1 and stays on the list")


# -- rounds --------------------------------------------------------------------------------------------------------


def test_a_round_that_is_withdrawn_counts_for_nothing_and_its_table_is_told(two: Hall) -> None:
    two.order("round", seed=3)
    two.play("1", 2)
    two.begin("2", 2)
    said = two.order("withdraw", reason="two decks were mixed up")
    assert "Round 2 is void." in said
    assert "Table 2 is already playing; its screen says that the game does not count." in said
    assert two.now.standings.after == 1
    assert {state(two, 2, table) for table in "12"} == {"withdrawn"}
    (told,) = [word for (game, _, _), word in published(two.now)["settled"]["2"] if game >= 20]
    assert told == {"settled": "nobody", "reason": "two decks were mixed up"}
    assert [one["round"] for one in published(two.now)["seating"]["rounds"]] == [1]
    assert max(two.now.history.met.values()) == 1, "nobody has met in it"
    assert two.order("round", seed=4)[0] == "Round 3", "its number is not given again"


def test_nobody_has_met_at_a_table_that_counted_for_nobody(two: Hall) -> None:
    two.order("amend", table="1", void=True, reason="a card was missing")
    met = two.now.history.met
    players = two.now.evening.rounds[0].tables[0].players
    assert not any(met.get((min(pair), max(pair))) for pair in pairwise(players))


def test_two_who_sat_down_at_each_others_seats_are_swapped(hall: Hall) -> None:
    hall.order("join", names=EIGHT)
    hall.order("round", games=["mercator"], tables=["1", "2"], seed=1)
    one, other = (of.seats["red"] for of in hall.now.evening.rounds[0].tables)
    hall.order("swap", players=["1:red", "2:red"])
    assert [of.seats["red"] for of in hall.now.evening.rounds[0].tables] == [other, one]
    assert hall.refused("swap", players=["1:red", "1:purple"]).startswith("The seats at table 1 are red, blue")
    assert hall.refused("swap", players=["Anna", "Anna"]) == "Name two players to swap, or two seats."
    hall.begin("1", 1)
    said = hall.order("swap", players=["1:red", "2:red"], reason="they had sat down right")
    assert "Table 1 is already playing with a different seating: begin again there, or enter its result." in said


def test_who_has_not_come_is_stood_in_for_or_the_table_is_smaller(hall: Hall) -> None:
    hall.order("join", names=EIGHT)
    hall.order("round", games=["caesar"], tables=["1"], size=5, seed=1)
    one = hall.now.evening.rounds[0]
    gone, waits = one.tables[0].players[0], one.byes[0]
    hall.order("absent", player=f"#{gone}", stand_in=f"#{waits}")
    one = hall.now.evening.rounds[0]
    assert one.tables[0].players[0] == waits and waits not in one.byes and one.absent == (gone,)
    for size in (4, 3):
        hall.order("absent", player=f"#{hall.now.evening.rounds[0].tables[0].players[0]}")
        assert len(hall.now.evening.rounds[0].tables[0].seats) == size
    hall.play("1", 1, scores=(9, 7, 5))
    assert not totals(hall)[gone], "who was absent has nothing of the round, and no bye"


def test_a_table_that_would_be_too_small_is_not_made_so(hall: Hall) -> None:
    hall.order("join", names=EIGHT[:5])
    hall.order("round", games=["hannibal"], tables=["1", "2"], seed=1)
    player = hall.now.evening.rounds[0].tables[0].players[0]
    bye = hall.now.evening.rounds[0].byes[0]
    assert hall.refused("absent", player=f"#{player}") == (
        f"Table 1 would have too few players: name a substitute (byes: {name(hall, bye)} #{bye}), or reseat the round."
    )


def test_rounds_are_planned_and_seated_anew_where_somebody_comes_or_goes(hall: Hall) -> None:
    hall.order("join", names=[*EIGHT, "Ivo", "Jun", "Kai", "Lea"])
    said = hall.order("plan", rounds=4, games=["mercator"], tables=["1-3"], seed=1)
    assert [line for line in said if line.startswith("Round ")] == [f"Round {number}" for number in range(1, 5)]
    planned = hall.now.evening.planned
    hall.order("round")
    assert hall.now.evening.rounds[0].tables == planned[0].tables
    assert [one.number for one in hall.now.evening.planned] == [2, 3, 4]
    hall.order("join", names=["Max"])
    said = hall.order("round")
    assert said[0] == "Seated differently than planned, because players have come or left."
    assert len(hall.now.evening.rounds[1].everybody) == 13
    hall.order("plan", rounds=2, seed=5)
    assert [(one.number, len(one.everybody)) for one in hall.now.evening.planned] == [(3, 13), (4, 13)]
    assert hall.refused("plan", rounds=0) == "A plan has 1 to 20 rounds."


def test_who_needs_a_table_of_their_own_sits_there(two: Hall) -> None:
    two.order("fix", player="Eve", table="2", seat="blue")
    assert two.refused("fix", player="Dan", table="2", seat="blue") == "That seat is already fixed for Eve #5."
    two.order("round", seed=7)
    table = two.now.evening.rounds[1].table("2")
    assert table and table.seats["blue"] == 5
    two.order("fix", player="Eve")
    assert two.refused("fix", player="Eve") == "Eve #5 has no fixed seat."


# -- results -------------------------------------------------------------------------------------------------------


def test_a_result_that_is_reopened_counts_when_it_is_settled_anew(two: Hall) -> None:
    before = totals(two)
    two.order("reopen", table="2", reason="a chip was found")
    assert state(two, 1, "2") == "reopened"
    assert any("reopened: a chip was found" in line for line in two.order("status"))
    two.order("result", table="2", scores=SCORES, reason="counted again")
    assert state(two, 1, "2") == "counts"
    assert totals(two) == before
    two.order("reopen", table="2", reason="once more")
    key = {"game": two.store.games("2")[0].game, "begun": two.store.games("2")[0].begun}
    crc = two.end("2", key, {**SCORES, "red": 4}, at=5)
    two.approve("2", key, crc, list(SCORES))
    assert state(two, 1, "2") == "counts", "another result that everybody approves is no longer the one taken back"


def test_penalties_are_taken_off_and_given_back(two: Hall) -> None:
    before = totals(two)[4]
    two.order("penalty", player="Dan", points="2.5", reason="touched the cards")
    assert totals(two)[4] == before - Fraction(5, 2)
    assert "Penalty: -2.5 (touched the cards)" in two.order("why", player="Dan")
    _, line = penalties(stand(two.store))
    assert tuple(line)[1:4] == ("Dan", 2.5, "touched the cards"), "the score in standings.csv is this much less"
    two.order("penalty", player="Dan", points="-2.5", reason="it was somebody else")
    assert totals(two)[4] == before
    assert two.refused("penalty", player="Dan", points=0, reason="x").startswith("A penalty cannot be 0")


# -- how an evening is scored --------------------------------------------------------------------------------------


def test_how_it_is_scored_is_said_before_the_first_round(hall: Hall) -> None:
    hall.order("evening", by="wins", ties=["opponents"], byes="full", voids="nothing", late="half", leavers="last")
    hall.order("join", names=EIGHT[:3])
    hall.order("round", games=["hannibal"], tables=["1"], seed=1)
    bye = hall.now.evening.rounds[0].byes[0]
    assert hall.refused("evening", byes="half") == "The scoring cannot be changed once a round has been seated."
    hall.order("evening", byes="full", name="Saturday")
    hall.play("1", 1)
    winner = hall.now.evening.rounds[0].tables[0].players[0]
    assert {player for player, total in totals(hall).items() if total == 1} == {bye, winner}
    assert hall.now.standings.ties == ("opponents",)
    hall.order("join", names=["Zoe"])
    assert totals(hall)[4] == 0, "who has not played yet has nothing"
    hall.order("round", seed=2)
    assert totals(hall)[4] == Fraction(1, 2)
    hall.order("leave", names=[f"#{winner}"])
    assert hall.now.standings.rows[-1].id == winner, "who has left stands last here"


def test_an_evening_of_an_earlier_version_lets_who_is_as_good_share_the_place(tmp_path: Path) -> None:
    with closing(Hall(tmp_path)) as hall:
        hall.store.say({"act": "join", "names": EIGHT, "at": NOON.isoformat(), "mark": "an earlier one"})
        assert hall.now.evening.ties == ()
        hall.order("round", games=["mercator"], tables=["1", "2"], seed=1)
        hall.play("1", 1)
        hall.play("2", 1)
        assert [row.place for row in hall.now.standings.rows] == [1, 1, 3, 3, 5, 5, 7, 7]
        assert "Tied players share the place." in hall.order("standings")


def played(seed: int, folder: str, game: str, by: str) -> Hall:
    """An evening with random results, byes, and a game that counts for nobody."""
    rng, hall = Random(seed), Hall(Path(folder))
    organiser = Organiser(hall.store, lambda: NOON)

    def order(**of: Any) -> None:
        answer = organiser.answer(of)
        assert answer["ok"], answer

    order(do="evening", by=by)
    order(do="join", names=[*EIGHT, "Ivo"])
    for number in range(1, rng.randint(2, 4) + 1):
        order(do="round", games=[game], tables=["1", "2"], seed=seed + number)
        for table in hall.now.evening.rounds[-1].tables:
            scores = {seat: rng.randint(0, 5) for seat in table.seats}
            won = [rng.choice(list(table.seats))] if game != "mercator" else []
            void = rng.random() < 0.1
            order(do="result", table=table.table, round=number, scores=scores, won=won, reason="by hand", void=void)
    return hall


@pytest.mark.parametrize(("game", "by"), [("mercator", "scores"), ("caesar", "wins"), ("caesar", "places")])
@given(seed=st.integers(0, 999))
@settings(max_examples=6, deadline=None)
def test_why_somebody_stands_there_and_what_would_have_turned_it(game: str, by: str, seed: int) -> None:
    with TemporaryDirectory() as folder, closing(played(seed, folder, game, by)) as hall:
        now = hall.now
        ledger, table = Ledger(now.evening, now.outcomes), now.standings
        assert [ledger.key(row.id) for row in table.rows] == sorted(ledger.key(row.id) for row in table.rows)
        for row in table.rows:
            found = why(ledger, table, row.id)
            assert sum(item.worth for item in row.items) == row.score
            if found.above is None:
                assert row.place == 1
                continue
            assert found.above.place < row.place
            if turn := found.turn:
                other = [
                    Outcome(of.round, of.seated, of.state, turn.change.result) if of is turn.change.outcome else of
                    for of in now.outcomes
                ]
                places = {each.id: each.place for each in standings(now.evening, other).rows}
                assert places[row.id] < places[found.above.id], "said and done"
            elif by != "scores":
                assert not any(beats(now, row.id, found.above.id)), "a result would have turned it after all"


def beats(now: Any, player: int, above: int) -> Iterator[bool]:
    """For each game and each who could have won it alone: whether that puts the one above the other."""
    for at, of in enumerate(now.outcomes):
        if of.state != "counts" or player not in of.seated.players or not of.result:
            continue
        seat = next(seat for seat, sits in of.seated.seats.items() if sits == player)
        rank = {each: 0 if each in of.result["winners"] else -place for each, place in of.result["places"].items()}
        first = Outcome(of.round, of.seated, of.state, result(rank | {seat: 1}))
        others = [*now.outcomes[:at], first, *now.outcomes[at + 1 :]]
        places = {each.id: each.place for each in standings(now.evening, others).rows}
        yield places[player] < places[above]


# -- status --------------------------------------------------------------------------------------------------------


def test_the_status_has_on_top_what_needs_the_organiser_with_both_scores(two: Hall) -> None:
    two.order("round", seed=2)
    key = two.begin("1", 2)
    crc = two.end("1", key, SCORES)
    two.approve("1", key, crc, ["red"], approves=False)
    said = two.order("status")
    who = two.now.evening.rounds[1].tables[0].players
    called = [f"{name(two, player)} #{player}" for player in who]
    assert said[2] == f"Round 2, table 1: contested by {called[0]} (Red)."
    each = [f"{who} {score}" for who, score in zip(called, SCORES.values(), strict=True)]
    assert said[3] == f"Round 2, table 1, reported result: {', '.join(each[:-1])} and {each[-1]}"
    two.order("result", table="1", scores={**SCORES, "red": 1}, reason="seen")
    two.end("1", key, {**SCORES, "red": 2}, at=7)
    said = two.order("status")
    assert "Round 2, table 1: The table has since reported a different result." in said
    assert any(line.startswith("Round 2, table 1, official result: ") for line in said)
    assert two.order("status", table="1")[0].startswith("Table 1, Mercator: ")
    assert two.refused("status", table="77") == "The hall knows no table 77."


def test_a_large_hall_has_a_line_only_for_tables_with_something_to_say(hall: Hall) -> None:
    hall.order("join", names=[f"Player {at}" for at in range(80)])
    hall.order("round", games=["mercator"], tables=["1-20"], seed=1)
    for table in ("1", "2"):
        hall.begin(table, 1)
    said = hall.order("status")
    assert "Tables still playing: 2; nothing reported yet: 18." in said
    assert len(said) < 24, "it fits a screen"


def test_faults_have_a_time_come_once_and_are_put_aside(two: Hall) -> None:
    for _ in range(3):
        two.store.fault("9", Message("Nobody knows this table."))
    (line,) = (line for line in two.order("status") if "Nobody knows" in line)
    assert line.startswith("12:00 Table 9: ") and line.endswith(" (3 times)")
    two.order("aside")
    assert not any("Nobody knows" in line for line in two.order("status"))
    two.store.fault("9", Message("Nobody knows this table."))
    assert any("Nobody knows" in line for line in two.order("status")), "what happens again is told again"


# -- a season ------------------------------------------------------------------------------------------------------


def test_a_season_is_made_of_exports_and_knows_players_by_their_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        status = main(["--config", str(config), "hall", *words])
        return (status, *capsys.readouterr())

    config = tmp_path / "config.yaml"
    config.write_text(f"data: {tmp_path / 'data'}\n")
    first, second = str(tmp_path / "1.zip"), str(tmp_path / "2.zip")
    run("join", "Anna", "Ben", "=Cara")
    run("round", "--game", "mercator", "--tables", "1")
    assert run("result", "1", "Anna=9", "Ben=7", "#3=5", "--reason", "by hand")[0] == 0
    assert run("export", first)[0] == 0
    assert run("evening", "--new", "--known", first)[0] == 0
    assert run("join", "#3", "Dan", "ben", "Eve")[1].splitlines()[1] == "Now here: Ben #2, =Cara #3, Dan #4 and Eve #5"
    run("round", "--game", "mercator", "--tables", "1")
    run("result", "1", "Dan=4", "Ben=8", "#3=5", "Eve=0", "--reason", "by hand")
    assert run("export", second)[0] == 0
    status, out, _ = run("season", first, second, "--save", str(tmp_path / "season.csv"))
    assert (status, out.splitlines()) == (
        0, ["1. Ben #2: 15 (2)", "2. =Cara #3: 10 (2)", "3. Anna #1: 9 (1)", "4. Dan #4: 4 (1)", "5. Eve #5: 0 (1)"],
    )  # fmt: skip
    assert "'=Cara" in (tmp_path / "season.csv").read_text()
    status, out, _ = run("season", first, second, "--by", "places")
    assert out.splitlines()[0] == "1. Ben #2: 1.5 (2)"
    assert run("season", first, first)[2] == "1.zip and 1.zip are the same evening.\n"
    assert run("season", str(config))[2] == "config.yaml is not the export of a hall.\n"


def test_without_its_number_an_undo_only_says_what_it_would_take_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(f"data: {tmp_path / 'data'}\n")
    command = ["--config", str(config), "hall"]
    main([*command, "join", "Anna"])
    capsys.readouterr()
    assert main([*command, "undo"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "Nothing has been changed yet. This would happen:", "Undone: order 1, joined: Anna",
        "Anna #1 is no longer on the list.", "To undo it: tabularium hall undo 1",
    ]  # fmt: skip
    assert main([*command, "undo", "1"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Undone: order 1, joined: Anna",
        "Anna #1 is no longer on the list.",
    ]


# -- the fold ------------------------------------------------------------------------------------------------------

ANY: st.SearchStrategy[Mapping[str, Any]] = st.one_of(
    st.sampled_from(AFTER_A_ROUND), st.just({"do": "undo", "reason": "so"}), st.just({"do": "redo", "reason": "so"})
)


@given(st.lists(ANY, max_size=14))
@settings(max_examples=20, deadline=None)
def test_any_orders_and_ways_back_fold_to_what_stood_and_a_refusal_changes_nothing(
    orders: list[dict[str, Any]],
) -> None:
    with TemporaryDirectory() as folder, closing(HallStore(Path(folder) / "hall.sqlite3", lambda: NOON)) as store:
        organiser = Organiser(store, lambda: NOON)
        organiser.answer({"do": "join", "names": EIGHT})
        organiser.answer({"do": "round", "games": ["mercator"], "tables": ["1", "2"], "seed": 1})
        past = [stand(store).evening]
        for order in orders:
            before = stand(store)
            if not organiser.answer(order)["ok"]:
                assert stand(store) == before
            elif order["do"] == "undo" and len(past) > 1:
                past.pop()
                assert stand(store).evening == past[-1]
            elif order["do"] not in ("undo", "redo"):
                past.append(stand(store).evening)
            else:
                past = [stand(store).evening]
            published(stand(store))
        assert fold(store.said()) == stand(store).evening


# -- at the edges of single orders ---------------------------------------------------------------------------------


def test_a_line_to_everybody_has_a_hundred_and_twenty_characters(hall: Hall) -> None:
    hall.order("say", text="x" * 120)
    assert hall.now.evening.line == "x" * 120
    assert hall.refused("say", text="x" * 121) == "An announcement is one line of at most 120 characters."


def test_who_is_here_cannot_come_back(hall: Hall) -> None:
    hall.order("join", names=["Anna"])
    assert hall.refused("back", names=["Anna"]) == "Anna #1 is already here."


def test_there_is_a_clock_only_while_a_round_is_played(two: Hall, hall: Hall) -> None:
    two.order("end")
    assert two.refused("clock", minutes=60) == "No round is in progress, so no clock can run."


def test_the_last_result_that_counts_is_reopened_although_a_later_round_is_open(two: Hall) -> None:
    two.order("round", tables=["1", "2"], seed=3)
    two.begin("1", 2)
    two.order("reopen", table="1", reason="looked at again")
    assert (state(two, 1, "1"), state(two, 2, "1")) == ("reopened", "playing")


def test_who_adds_up_scores_of_different_games_is_told(two: Hall) -> None:
    said = " ".join(two.order("round", games=["spartacus"], tables=["1", "2"], seed=3))
    assert "This evening adds up scores, but now mixes different games." in said
    two.order("undo")
    assert "adds up" not in " ".join(two.order("round", tables=["1", "2"], seed=3))
