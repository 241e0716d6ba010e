"""The boards of Caesar and Hannibal: what lights up, what a touch comes to, the duel, the battle, the way to win."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.cli.simulate import table
from companion.games import game
from companion.games.hannibal import rules as hannibal
from companion.record.transcript import dump_event, parse, read_event
from companion.rules.outline import outlines
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.caesar import EMPTY, Position
from tests.support.paths import ROOT
from tests.support.playing import Play
from ui.games.caesar import model as caesar
from ui.games.caesar import sentences as caesar_sentences
from ui.games.hannibal import model as chart
from ui.games.parts.sentences import expected
from ui.table import frame
from ui.table.moment import Moment

LAND = [["rome", "gallia"], ["gallia", "hispania_n"], ["carthago", "zama"], ["rome", "cannae"]]
SEA = [["rome", "corsica"], ["sardinia", "carthago"], ["corsica", "sicilia"], ["rome", "carthago"], ["zama", "cannae"]]


def moment(play: Play, log: list[Receipt], **more: Any) -> Any:  # of whichever game it is
    header, session = play.header, play.session
    return Moment(header.game, header.seats, session.view(), session.derived(), options=header.options, board=header.board, log=log,
                  fists=tuple(session.fists()), outlines=outlines(header.game, session.state), **more)  # fmt: skip


class Shown(Play):
    """A game that keeps its log, as the evening does."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.log: list[Receipt] = []

    def __call__(self, verb: str, seat: str | None = None, **facts: Any) -> Receipt:
        self.log.append(super().__call__(verb, seat, **facts))
        return self.log[-1]

    @property
    def squares(self) -> caesar.Caesar:
        return caesar.centre(moment(self, self.log))

    @property
    def map(self) -> chart.Hannibal:
        return chart.centre(moment(self, self.log))

    def tried(self, event: Any) -> str:
        """The code with which the referee refuses it."""
        facts = {key: value for key, value in event.items() if key not in ("event", "seat")}
        return self.refused(event["event"], event["seat"], **facts)[0]


def placed() -> Shown:
    """Red on row 1 and b2, blue on row 2 but b2, and e3; neutrals above."""
    play = Shown("caesar", "red blue")
    for red, blue in zip(("a1", "b1", "c1", "d1", "b2"), ("a2", "c2", "d2", "e2", "e3"), strict=True):
        play.ok("place", "red", square=red)
        play.ok("place", "blue", square=blue)
    return play


def way(start: str, to: str) -> dict[str, str]:
    return {"from": start, "to": to}


# -- Caesar -----------------------------------------------------------------------------------------------------


def test_allies_and_enemies_of_a_touched_group_are_told_apart() -> None:
    board = placed().squares
    reached = {to: action.verb for (start, to), action in board.taps.items() if start == "b2" and action}
    assert reached == {"a2": "attack", "c2": "attack", "b1": "ally", "b3": "ally"}
    assert {to for to in reached if to in board.foes} == {"a2", "c2"}
    assert set(board.begins) == {"a1", "b1", "c1", "d1", "b2"}


def test_a_kind_of_act_knows_the_groups_that_can_begin_it() -> None:
    play = placed()
    board = play.squares
    assert [(way.act, set(board.able(way.act))) for way in board.ways] == [
        ("attack", {"a1", "c1", "d1", "b2"}), ("ally", {"a1", "b1", "c1", "d1", "b2"}),
    ]  # fmt: skip
    assert not board.able("")


@pytest.mark.parametrize(
    ("start", "place", "code"),
    [("", "a2", "owner"), ("", "c3", "neutral"), ("a1", "c2", "line"), ("a1", "e1", "hidden"), ("b2", "d2", "hidden")],
)  # fmt: skip
def test_a_wrong_touch_is_refused_with_its_reason(start: str, place: str, code: str) -> None:
    play = placed()
    event = play.squares.tried(start, place)
    assert play.tried(event) == code


def test_a_taken_square_is_refused_and_between_turns_nothing_is_tried() -> None:
    play = Shown("caesar", "red blue")
    play.ok("place", "red", square="c3")
    assert play.tried(play.squares.tried("", "c3")) == "taken"
    play = placed()
    play.ok("attack", "red", **way("b2", "a2"))
    assert play.squares.tried("b2", "c2") is None


def test_the_duel_shows_its_groups_then_both_totals_until_the_next_act() -> None:
    play = placed()
    assert not play.squares.duel
    play.ok("ally", "red", **way("b2", "b1"))
    play.ok("attack", "blue", **way("a2", "a1"))
    play.ok("choose", "blue", card="blue 7")
    board = play.squares
    assert board.duel and (board.duel.where, board.duel.result) == ("a2 against a1", "1 card to come")
    assert [(side.seat, side.card, side.group, side.total) for side in board.duel.sides] == [
        ("blue", "?", "1", ""), ("red", "", "1", ""),
    ]  # fmt: skip
    assert {square for square, group in board.groups.items() if group.fights} == {"a1", "a2"}
    play.ok("choose", "red", card="red 9")
    play.ok("reveal")
    board = play.squares
    assert board.duel and (board.duel.result, board.duel.winner) == ("wins", "red")
    assert [(side.card, side.group, side.total, side.wins) for side in board.duel.sides] == [
        ("blue 7", "1", "8", False), ("red 9", "1", "10", True),
    ]  # fmt: skip
    play.ok("ally", "red", **way("c1", "b1"))
    assert not play.squares.duel
    assert [tile.figure for tile in frame.rail(moment(play, play.log))] == ["6", "4"]


def test_a_duel_that_was_fought_can_be_put_away() -> None:
    play = placed()
    assert (play.squares.fought, play.squares.about) == (0, ("counters", "red"))
    play.ok("attack", "red", **way("b2", "a2"))
    assert play.squares.fought == 0, "a duel that is on stays"
    play.ok("choose", "red", card="red 7")
    play.ok("choose", "blue", card="blue 3")
    play.ok("reveal")
    board = play.squares
    assert board.fought and board.duel
    calm = board.put_away()
    assert (calm.duel, calm.big.value, calm.big.seats, calm.about) == (None, "4", ["blue"], ("counters", "blue"))
    play.undo()
    again = play.squares.duel
    assert again and (play.squares.fought, [side.total for side in again.sides]) == (0, ["", ""]), "nothing stale"


def test_possible_turns_are_listed() -> None:
    play = placed()
    assert expected(moment(play, play.log)).sentence == "Red: attack, or make an alliance"
    play = Shown("caesar", "red blue")
    squares = "a1 e1 a2 e2 a3 e3 a4 e4 b5 d5"
    for at, square in enumerate(squares.split()):
        play.ok("place", play.header.seats[at % 2], square=square)
    assert expected(moment(play, play.log)).sentence == "Red: make an alliance, or pass"


def test_tiles_say_what_is_left_to_place_then_what_stands() -> None:
    play = Shown("caesar", "red blue")
    play.ok("place", "red", square="c3")
    red, _ = frame.rail(moment(play, play.log))
    assert (red.status, red.figure) == ("to place", "4")
    play = placed()
    red, *_ = frame.rail(moment(play, play.log))
    assert (red.status, red.hand, red.figure) == ("", 10, "5")


def test_at_the_end_the_eliminated_are_out_and_not_told_their_cards() -> None:
    play = Shown("caesar", "red blue")
    play.session = Position("r2 . b1 . ." + EMPTY * 4).session
    play.ok("attack", "red", **way("a1", "c1"))
    play.ok("choose", "red", card="red 9")
    play.ok("choose", "blue", card="blue 1")
    play.ok("reveal")
    m = moment(play, play.log)
    assert [[(part.label, part.value) for part in caesar_sentences.parts(m, seat)] for seat in m.seats] == [
        [("c1", 3)],
        [],
    ]
    assert caesar_sentences.breakdown(m, "blue") == "out of the game"


def test_a_flag_has_no_totals() -> None:
    play = placed()
    play.ok("attack", "red", **way("b2", "a2"))
    play.ok("choose", "red", card="red flag")
    play.ok("choose", "blue", card="blue 9")
    play.ok("reveal")
    board = play.squares
    assert board.duel and board.duel.result == "A flag: nothing happens"
    assert [side.card for side in board.duel.sides] == ["red flag", "blue 9"]
    assert board.moved is None


def test_a_card_face_down_does_not_change_the_board() -> None:
    boards = []
    for rank in (1, 9):
        play = placed()
        play.ok("attack", "red", **way("b2", "a2"))
        play.ok("choose", "red", card=f"red {rank}")
        boards.append(play.squares)
    assert boards[0] == boards[1]


def test_a_group_slides_once_and_not_when_it_is_taken_back() -> None:
    play = placed()
    play.ok("ally", "red", **way("b2", "b1"))
    moved = play.squares.moved
    assert moved and (moved.start, moved.to, moved.seat, moved.size) == ("b2", "b1", "red", 2)
    play.refused("pass", "blue")
    assert play.squares.moved == moved, "it has still just changed, and a board shows a number once"
    play.undo()
    assert play.squares.moved is None


# -- Hannibal ---------------------------------------------------------------------------------------------------


def test_the_map_has_the_regions_of_the_rules() -> None:
    assert set(chart.REGIONS) == set(hannibal.REGIONS)


def test_targets_of_legion_fleet_and_hannibal() -> None:
    play = Shown("hannibal", "blue red")
    board = play.map
    assert {to for start, to in board.taps if start == "rome"} == {"gallia", "cannae", "corsica"}
    fleet = {to for start, to in board.taps if start == "rome-corsica"}
    assert fleet == set(board.routes) - {"rome-corsica"}
    assert fleet & set(board.foes) == {"sardinia-carthago"}
    play.ok("move", "blue", piece="legion", **way("rome", "gallia"))
    board = play.map
    assert [(action.text, action.event and action.event["piece"]) for action in board.kinds["carthago", "zama"]] == [
        ("Legion", "legion"), ("Hannibal", "hannibal"),
    ]  # fmt: skip
    by_sea = board.taps["carthago", "sardinia"]
    assert by_sea and by_sea.event, "Hannibal goes by land only: nothing to ask"


@pytest.mark.parametrize(
    ("start", "place", "code"),
    [("", "sicilia", "absent"), ("rome", "sicilia", "reach"), ("rome", "sardinia-carthago", "kind"),
     ("rome-corsica", "rome", "kind"), ("", "sardinia-carthago", "absent")],
)  # fmt: skip
def test_a_wrong_way_is_refused_with_its_reason(start: str, place: str, code: str) -> None:
    play = Shown("hannibal", "blue red")
    assert play.tried(play.map.tried(start, place)) == code


def test_hannibal_alone_is_refused_as_hannibal() -> None:
    play = Shown("hannibal", "blue red")
    play.ok("move", "blue", piece="legion", **way("rome", "gallia"))
    play.ok("move", "red", piece="hannibal", **way("carthago", "mauretania"))
    play.ok("move", "blue", piece="legion", **way("rome", "gallia"))
    event = play.map.tried("mauretania", "sicilia")
    assert event and event["piece"] == "hannibal"


def test_requirements_core_and_chips() -> None:
    play = Shown("hannibal", "blue red", options={"core_control": True, "rome_hispania": "north"})
    play.ok("move", "blue", piece="legion", **way("rome", "corsica"))
    play.ok("move", "red", piece="legion", **way("carthago", "sardinia"))
    board = play.map
    assert [(goal.text, goal.held) for goal in board.goals] == [
        ("Sardinia", False), ("Hispania N / Mauretania", False), ("Zama / Sicilia", False),
        ("Corsica", False), ("Hispania N / Gallia", False), ("Sicilia / Cannae", False),
    ]  # fmt: skip
    assert board.tally == {"blue": "chips 0 · core 1", "red": "chips 0 · core 1"}
    play.ok("move", "blue", piece="fleet", **way("rome-corsica", "sicilia-zama"))
    play.ok("move", "red", piece="legion", **way("carthago", "mauretania"))
    play.ok("move", "blue", piece="legion", **way("rome", "gallia"))
    play.ok("move", "red", piece="legion", **way("mauretania", "hispania_s"))
    play.ok("move", "blue", piece="legion", **way("gallia", "hispania_n"))
    assert [goal.held for goal in play.map.goals][:3] == [False, True, False]


def test_a_battle_keeps_its_exchanges_until_the_next_move() -> None:
    play = Shown("hannibal", "blue red")
    for seat, piece, start, to in (
        ("blue", "legion", "rome", "gallia"), ("red", "hannibal", "carthago", "mauretania"),
        ("blue", "legion", "gallia", "hispania_n"), ("red", "hannibal", "mauretania", "hispania_s"),
        ("blue", "legion", "hispania_n", "hispania_s"),
    ):  # fmt: skip
        play.ok("move", seat, piece=piece, **way(start, to))
    fight = play.map.battle
    assert fight and (fight.there, fight.what, fight.choosing) == ({"blue": 1, "red": 1}, "Legions there", True)
    assert [name for name, spot in play.map.regions.items() if spot.fights] == ["hispania_s"]
    play.ok("choose", "blue", card="blue 3")
    assert play.map.battle and list(play.map.battle.chosen) == ["blue"]
    assert not play.map.exchanges
    play.ok("choose", "red", card="red 3")
    play.ok("reveal")
    (exchange,) = play.map.exchanges
    assert (exchange.cards, exchange.lost) == ({"blue": "3", "red": "3+1"}, ("blue",))
    stays = play.map
    assert stays.battle and (stays.fought, stays.battle.there) == (8, {"blue": 0, "red": 1})
    play.ok("move", "red", piece="hannibal", **way("hispania_s", "hispania_n"))
    assert not play.map.fought and not play.map.battle and not play.map.exchanges
    play.ok("undo")
    assert stays.battle.before == {"blue": "1"}
    assert play.map.battle == replace(stays.battle, before={}), "nothing has just changed"
    assert play.map.exchanges == stays.exchanges
    play.ok("undo")
    again = play.map
    assert again.battle and (again.fought, again.battle.there, again.exchanges) == (0, {"blue": 1, "red": 1}, [])


def test_the_board_says_what_each_side_has_left() -> None:
    play = Shown("hannibal", "blue red", options={"core_control": True})
    assert play.map.left == {"blue": "legions: 7 · fleets: 3", "red": "legions: 6 · fleets: 3"}


def test_no_two_places_lie_under_one_finger_on_the_shipped_map() -> None:
    board = Shown("hannibal", "blue red").map
    spots = [spot.at for spot in (*board.regions.values(), *board.routes.values())]
    near = min(chart.apart(one, other) for at, one in enumerate(spots) for other in spots[:at])
    assert near >= 46
    assert all(20 <= x <= chart.WIDE - 20 and 20 <= y <= chart.HIGH - 20 for x, y in spots)


def test_an_owners_board_draws_its_own_links() -> None:
    play = Shown("hannibal", "blue red", board={"land": LAND, "sea": SEA, "confirmed": True})
    board = play.map
    assert board.land == [tuple(pair) for pair in LAND]
    assert board.sea == [tuple(pair) for pair in SEA]
    spots = [spot.at for spot in (*board.regions.values(), *board.routes.values())]
    assert min(chart.apart(one, other) for at, one in enumerate(spots) for other in spots[:at]) >= 30


@pytest.mark.parametrize("name", ["caesar", "hannibal"])
def test_every_touch_that_is_lit_is_legal_all_game_long(name: str) -> None:
    header = table(game(name), 3 if name == "caesar" else 2, {})
    session, rng, log = Session(header.game, header.setup), Random(name), list[Receipt]()
    while moves := session.legal():
        m: Any = Moment(header.game, header.seats, session.view(), session.derived(), board=header.board, log=log,
                   outlines=outlines(header.game, session.state))  # fmt: skip
        board: Any = caesar.centre(m) if name == "caesar" else chart.centre(m)
        lit = [action.event for action in board.taps.values() if action and action.event]
        lit += [action.event for able in getattr(board, "kinds", {}).values() for action in able]
        able = [read_event(header, event).event for event in lit]
        assert all(any(event in way for way in moves) for event in able)
        places = sum(len(way) for way in moves if way.event.__name__ in ("Place", "Ally", "Attack", "Move"))
        assert len(able) == places
        log.append(session.receive(read_event(header, parse(dump_event(rng.choice(moves).pick(rng.choice)))).event))


# -- in a window ------------------------------------------------------------------------------------------------

SIZES = ((800, 480), (480, 800))


@pytest.fixture(scope="module")
def windows() -> Iterator[list["subprocess.Popen[str]"]]:
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    command = [sys.executable, "-m", "tests.ui.windows.window_caesar_hannibal"]
    started = [
        subprocess.Popen([*command, *map(str, size)], cwd=ROOT, env=env, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE) for size in SIZES
    ]  # fmt: skip
    yield started
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("at", range(len(SIZES)), ids=str)
def test_both_boards_by_finger_in_a_window(windows: list["subprocess.Popen[str]"], at: int) -> None:
    out, err = windows[at].communicate()
    assert windows[at].returncode == 0, err
    assert json.loads(out.splitlines()[-1]) == {}
