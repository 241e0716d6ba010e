"""What counts: scores where the games' own rules add them up, else games won, and places where games are mixed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from companion.hall import _stand
from companion.hall._evening import HallEvening
from companion.hall._results import outcomes
from companion.hall._standings import Standings, rounded, standings, worths
from companion.hall.link import Broker
from companion.hall.orders import fold
from companion.hall.published import stand as stand_of
from companion.hall.records import HallGame, checksum
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.rules import result
from tests.support.hall import Hall
from tests.support.hall_before import played

AT = "2026-11-21T12:00:00+01:00"
NAMES = ["Anna", "Ben", "Chiara", "Dan"]
SEATS = {"red": 1, "blue": 2, "green": 3}


def seated(
    number: int, game: str, seats: Mapping[str, int], byes: tuple[int, ...] = (), table: str = "1"
) -> dict[str, Any]:
    """The act that seats a round with one table."""
    its = {"table": table, "game": game, "options": {}, "seats": [list(at) for at in seats.items()]}
    return {
        "act": "round",
        "round": number,
        "at": AT,
        "seed": 0,
        "tables": [its],
        "byes": list(byes),
        "offered": [table],
    }


def settled(number: int, scores: Mapping[str, int] | None, act: str = "result") -> dict[str, Any]:
    told = result(scores) if scores else None
    return {
        "act": act,
        "round": number,
        "table": "1",
        "result": told,
        "reason": "–",
        "at": AT,
        "game": None,
        "crc": None,
    }


def stand(*acts: Mapping[str, Any]) -> tuple[HallEvening, Standings]:
    evening = fold([{"act": "join", "names": NAMES, "at": AT}, *acts])
    return evening, standings(evening, outcomes(evening, []))


def scores(table: Standings) -> dict[int, float]:
    return {row.id: rounded(row.score) for row in table.rows}


def test_nobody_has_anything_before_the_first_round() -> None:
    _, table = stand()
    assert [(row.place, rounded(row.score)) for row in table.rows] == [(1, 0)] * 4


@pytest.mark.parametrize(
    ("game", "by", "best"), [("mercator", "scores", 50), ("spartacus", "scores", 50), ("caesar", "wins", 1)]
)
def test_one_game_counts_as_its_own_rules_say(game: str, by: str, best: int) -> None:
    three = {"red": 1, "blue": 2, "green": 3}
    _, table = stand(seated(1, game, three, (4,)), settled(1, {"red": 50, "blue": 40, "green": 30}))
    assert table.by == by
    assert scores(table)[1] == best


def test_scores_are_added_up_and_a_bye_brings_the_mean_of_its_round() -> None:
    _, table = stand(
        seated(1, "mercator", {"red": 1, "blue": 2, "green": 3}, (4,)),
        settled(1, {"red": 50, "blue": 40, "green": 30}),
        seated(2, "mercator", {"red": 4, "blue": 1, "green": 2}, (3,)),
        settled(2, {"red": 33, "blue": 20, "green": 40}),
    )
    assert scores(table) == {1: 70, 2: 80, 3: 61, 4: 73}
    assert [(row.id, row.place, row.byes) for row in table.rows] == [(2, 1, 0), (4, 2, 1), (1, 3, 0), (3, 4, 1)]
    assert (table.after, table.open) == (2, 0)


def test_tied_players_share_the_place() -> None:
    _, table = stand(
        seated(1, "caesar", {"red": 1, "blue": 2, "green": 3, "yellow": 4}),
        settled(1, {"red": 5, "blue": 5, "green": 1, "yellow": 0}),
    )
    assert [(row.id, row.place, row.wins) for row in table.rows] == [(1, 1, 1), (2, 1, 1), (3, 3, 0), (4, 3, 0)]


def test_places_count_where_games_are_mixed_whatever_the_table_is_large() -> None:
    _, table = stand(
        {"act": "evening", "by": "places", "at": AT},
        seated(1, "hannibal", {"blue": 1, "red": 2}, (3, 4)),
        settled(1, {"blue": 1, "red": 0}),
        seated(2, "mercator", {"red": 1, "blue": 2, "green": 3, "yellow": 4}),
        settled(2, {"red": 20, "blue": 90, "green": 50, "yellow": 50}),
    )
    assert table.by == "places"
    # 1 + 0; 0 + 1; half of (one behind, one tied, one ahead) and half a place for the bye
    assert scores(table) == {1: 1, 2: 1, 3: 1, 4: 1}


def test_a_place_is_the_share_of_opponents_left_behind() -> None:
    assert worths("places", result({"red": 9, "blue": 7, "green": 7, "yellow": 1})) == {
        "red": 1, "blue": Fraction(1, 2), "green": Fraction(1, 2), "yellow": 0,
    }  # fmt: skip
    won = result({"red": 3, "blue": 9, "green": 1}, ["red", "green"])  # who has won comes first, whatever the scores
    assert worths("places", won) == {"red": Fraction(3, 4), "green": Fraction(3, 4), "blue": 0}
    drawn = result({"red": 0, "blue": 0}, [])
    assert worths("places", drawn) == {"red": Fraction(1, 2), "blue": Fraction(1, 2)}


def test_a_void_game_and_a_bye_bring_half_of_what_can_be_had() -> None:
    two, others = {"blue": 1, "red": 2}, {"blue": 3, "red": 4}
    first = seated(1, "hannibal", two)
    first["tables"].append({**first["tables"][0], "table": "2", "seats": [list(at) for at in others.items()]})
    won = settled(1, {"blue": 1, "red": 0})
    _, table = stand(first, won, {**settled(1, None), "table": "2"})
    assert scores(table) == {1: 1, 2: 0, 3: 0.5, 4: 0.5}
    assert [row.games for row in table.rows] == [1, 0, 0, 1]


def test_one_game_and_three_that_are_void_do_not_lead() -> None:
    acts = []
    for number in (1, 2, 3, 4):
        both = seated(number, "mercator", {"red": 1, "blue": 2})
        both["tables"].append({**both["tables"][0], "table": "2", "seats": [["red", 3], ["blue", 4]]})
        mine = settled(number, {"red": 60, "blue": 20} if number == 1 else None)
        acts += [both, mine, {**settled(number, {"red": 50, "blue": 46}), "table": "2"}]
    _, table = stand(*acts)
    assert scores(table) == {1: 60 + 3 * 48, 2: 20 + 3 * 48, 3: 200, 4: 184}


def test_a_round_that_was_withdrawn_counts_for_nothing() -> None:
    _, table = stand(seated(1, "mercator", SEATS, (4,)), settled(1, None))
    assert scores(table) == dict.fromkeys(range(1, 5), 0) and [row.byes for row in table.rows] == [0] * 4


def test_a_bye_counts_when_its_round_does() -> None:
    played = seated(1, "mercator", SEATS, (4,)), settled(1, {"red": 50, "blue": 40, "green": 30})
    _, table = stand(*played, seated(2, "mercator", {"red": 2, "blue": 3, "green": 4}, (1,)))
    assert scores(table) == {1: 50, 2: 40, 3: 30, 4: 40}
    assert {row.id: row.byes for row in table.rows} == {1: 0, 2: 0, 3: 0, 4: 1}


def test_seating_another_game_scores_nothing_anew() -> None:
    played = [seated(1, "mercator", SEATS, (4,)), settled(1, {"red": 50, "blue": 40, "green": 30})]
    _, before = stand(*played)
    _, after = stand(*played, seated(2, "caesar", {"red": 2, "blue": 3, "green": 4}, (1,)))
    assert (after.by, scores(after)) == (before.by, scores(before)) == ("scores", {1: 50, 2: 40, 3: 30, 4: 40})


def test_the_last_word_stands_and_only_corrections_are_open() -> None:
    three = {"red": 1, "blue": 2, "green": 3}
    first, then = settled(1, {"red": 5, "blue": 4, "green": 3}), settled(1, {"red": 1, "blue": 4, "green": 3}, "amend")
    evening, table = stand(seated(1, "mercator", three, (4,)), first, then)
    assert scores(table) == {1: 1, 2: 4, 3: 3, 4: 2.67}
    assert [word.corrects for word in evening.settled[1, "1"]] == [False, True]


def test_half_a_chip_is_kept_exactly() -> None:
    told = result({"red": Fraction(45, 2), "blue": 7, "green": 1})
    _, table = stand(
        seated(1, "mercator", {"red": 1, "blue": 2, "green": 3}, (4,)), {**settled(1, {"red": 1}), "result": told}
    )
    assert scores(table)[1] == 22.5


# -- what tables report --------------------------------------------------------------------------------------------

SEATS = {"red": 1, "blue": 2, "green": 3}
TOLD = result({"red": 50, "blue": 40, "green": 30})


def row(number: int = 1, told: Any = TOLD, approved: bool = True, **header: Any) -> HallGame:
    head = {"tabularium": 1, "game": "mercator", "seats": list(SEATS), "options": {}, **header}
    crc = told and checksum(told)
    return HallGame("1", number, AT, {"header": head}, 1, 9, told, crc, dict.fromkeys(SEATS, True) if approved else {})


def state(*rows: HallGame, options: Mapping[str, Any] | None = None) -> tuple[str, str | None, int | None]:
    act = seated(1, "mercator", SEATS, (4,))
    act["tables"][0]["options"] = options or {}
    evening = fold([{"act": "join", "names": NAMES, "at": AT}, act])
    (found,) = outcomes(evening, list(rows))
    return found.state, found.why and str(found.why), found.played.game if found.played else None


def test_a_result_counts_once_everybody_has_approved_it() -> None:
    assert state() == ("missing", None, None)
    assert state(row(told=None, approved=False)) == ("playing", None, 1)
    assert state(row(approved=False)) == ("waiting", None, 1)
    assert state(row()) == ("counts", None, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"game": "spartacus"},
        {"seats": ["red", "blue", "yellow"]},
        {"options": {"halves": "down"}},
        {"players": {"red": "ben"}},
    ],
)
def test_a_game_that_was_not_seated_waits_for_the_organiser(other: Mapping[str, Any]) -> None:
    found, why, _ = state(row(**other), options={"halves": "exact"})
    assert found == "otherwise" and why


@pytest.mark.parametrize("players", [{"red": "anna"}, {"red": "Annie", "white": "Zoë"}])
def test_names_that_mean_nobody_else_are_no_matter(players: Mapping[str, str]) -> None:
    assert state(row(players=players))[0] == "counts"


@pytest.mark.parametrize("told", [result({"red": 1, "blue": 2}), result({"red": 1, "blue": 2, "green": 3, "white": 9})])
def test_a_result_of_other_seats_never_counts(told: Any) -> None:
    assert state(row(told=told))[0] == "otherwise"


def test_of_several_games_the_first_that_is_approved_counts_else_the_last_that_is_over() -> None:
    begun, over = row(3, None, approved=False), row(2, approved=False)
    assert state(row(1), over, begun)[2] == 1
    assert state(row(1, None, approved=False), over, begun)[2] == 2
    assert state(row(1, None, approved=False), begun)[2] == 3


def test_standings_are_worked_out_once_for_an_order_and_what_is_published_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[object] = []

    def counted(*its: Any) -> Standings:
        worked_out.append(its)
        return standings(*its)

    monkeypatch.setattr(_stand, "standings", counted)
    with closing(HallStore(tmp_path / "hall.sqlite3")) as store:
        played(store, 3, 2)
        worked_out.clear()
        with closing(HallService("friday", Broker("127.0.0.1", 1), store)) as hall:

            def asked(**order: Any) -> int:
                """Give the order and publish; return how often the standings were worked out."""
                worked_out.clear()
                assert hall.order(order)["ok"]
                hall.call(lambda _: hall._tell_everybody())
                return len(worked_out)

            hall.open()
            asked(do="status")  # which works them out, unless the hall has by opening
            assert asked(do="say", text="Soon") == 0
            assert asked(do="penalty", player="#1", points=2, reason="late") == 1
            assert asked(do="standings") == 0
            key = {"game": 2, "begun": store.games("x1")[1].begun}
            move = {**key, "event": {"event": "pass"}, "at": None}
            assert hall.call(lambda store: store.take("event", "x1", {**move, "number": 1})).new
            assert asked(do="say", text="Now") == 0, "a move of a game that counts changes nothing"


def test_what_is_kept_from_before_is_what_a_new_hall_finds(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    before = stand_of(hall.store)

    def same() -> None:
        nonlocal before
        before = stand_of(hall.store, before)
        known = before
        hall.again()
        fresh = stand_of(hall.store)
        assert known == fresh and known.standings == fresh.standings
        before = known

    hall.order("join", names=NAMES)
    hall.order("round", games=["mercator"], tables=["1"], seed=1)
    same()
    key = hall.begin("1", 1)
    same()
    crc = hall.end("1", key, {"red": 9, "blue": 7, "green": 5, "yellow": 3})
    same()
    hall.approve("1", key, crc, ["red", "blue", "green"])
    hall.approve("1", key, crc, ["yellow"], approves=False)
    same()
    hall.approve("1", key, crc, ["yellow"])
    same()
    for do, order in (
        ("rename", {"player": "Ben", "name": "Benno"}),
        ("amend", {"table": "1", "scores": {"red": 1, "blue": 2, "green": 3, "yellow": 4}, "reason": "typed"}),
        ("undo", {"of": 4, "reason": "it was right"}),
        ("evening", {"names": "first"}),
        ("withdraw", {"reason": "void"}),
        ("undo", {"of": 7, "reason": "it counts"}),
        ("leave", {"names": ["Anna"]}),
    ):
        hall.order(do, **order)
        same()
    hall.close()
