"""What everybody sees has the shape that is declared, and what the rules say beside it is what they rule with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from companion import games
from companion.games.prokonsul.view import Offer, Plea
from companion.games.spartacus.view import SpartacusPhase
from companion.record.look import look
from companion.record.store.history import Stored
from companion.record.transcript import dump_event, dump_header
from companion.rules import AnyGame, Undo, views
from companion.rules.cards import DECK
from companion.session import Session
from companion.session.receipt import Receipt
from tests.support.playing import Play, facts
from tests.support.states import some, travel
from tests.support.tables import TABLES


def declared(game: AnyGame) -> tuple[Any, Any]:
    """What the game's functions declare they return; one that says nothing beside its view is held to that."""
    beside = get_type_hints(game.derived).get("return", views.Derived)
    return get_type_hints(game.view)["return"], beside


def wrong(value: Any, kind: Any, where: str = "view") -> Iterator[str]:
    """Where a value is not what is declared."""
    origin: Any = get_origin(kind)
    of = get_args(kind)
    if is_typeddict(kind):
        yield from wrong_keys(value, kind, where)
    elif origin is UnionType:
        if all(any(wrong(value, one)) for one in of):
            yield f"{where}: {value!r} is not {kind}"
    elif origin is Literal:
        if value not in of:
            yield f"{where}: {value!r} is not {kind}"
    elif origin is Mapping:  # an empty one, where a game hides nothing
        if value != {}:
            yield f"{where}: {value!r} is not {kind}"
    elif type(value) is not (origin or (NoneType if kind is None else kind)):
        yield f"{where}: {value!r} is not {kind}"
    elif isinstance(value, list | dict):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from wrong(item, of[-1], f"{where}.{key}")


def wrong_keys(value: Any, kind: Any, where: str) -> Iterator[str]:
    if type(value) is not dict:
        yield f"{where}: {value!r} is not {kind.__name__}"
        return
    hints = get_type_hints(kind, include_extras=True)
    for key, hint in hints.items():
        free = get_origin(hint) is NotRequired
        if key in value:
            yield from wrong(value[key], get_args(hint)[0] if free else hint, f"{where}.{key}")
        elif not free:
            yield f"{where}: {key} is missing"
    yield from (f"{where}: {key} is not declared" for key in value.keys() - hints.keys())


def test_the_checker_finds_what_is_wrong() -> None:
    right: dict[str, Any] = {"to": "red", "chips": 3, "promise": None}
    assert not list(wrong(right, Offer))
    for bad in ({"to": "red", "chips": 3}, right | {"by": "blue"}, right | {"chips": True}, right | {"promise": 7}, 7):
        assert list(wrong(bad, Offer)), bad
    for value, kind in (("x", SpartacusPhase), ([1], list[str]), ((), list[str]), ({"a": "b"}, dict[str, int])):
        assert list(wrong(value, kind)), kind


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_every_view_has_the_declared_shape(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    view, beside = declared(header.game)
    assert view is not views.View and is_typeddict(view)
    for state in some(states, 25):
        seen = header.game.view(state)
        assert not list(wrong(seen, view)) and "private" not in seen
        assert not list(wrong(header.game.derived(state), beside, "beside"))
        for seat in header.seats:
            own = header.game.view(state, seat)
            assert not list(wrong(own, view)) and own == seen | {"private": own["private"]}


# -- what the rules say beside the view -------------------------------------------------------------------------


def test_the_trick_as_it_lies_is_counted_as_it_will_be() -> None:
    play = Play("spartacus", "red blue green")
    assert play.derived == {
        "below": None, "takes": None, "flags": ["red", "blue", "green"], "worth": 0, "working": "0",
        "numbers": 0, "doubled": 0, "jokers": 0, "void": False,
    }  # fmt: skip
    play.ok("play", "red", card="red 9")
    play.ok("play", "blue", card="blue flag")
    play.ok("play", "green", card="green 5")
    lies = play.derived
    assert lies["takes"] == {"seat": "green", "card": "green 5"} and lies["below"] == 5
    assert (lies["worth"], lies["working"], lies["numbers"], lies["doubled"]) == (28, "(9+5) × 2 = 28", 14, 1)
    play.ok("pass", "red")
    counted = facts(play.ok("pass", "blue"), "worth")
    assert (counted["points"], counted["working"]) == (lies["worth"], lies["working"])


@pytest.mark.parametrize(
    ("penalty", "worth", "working", "jokers", "void"),
    [("none", 9, "9", 0, False), ("minus10", -1, "9 − 10 = −1", 1, False), ("void", 0, "0", 0, True)],
)
def test_a_joker_takes_the_trick_and_costs_what_was_agreed(
    penalty: str, worth: int, working: str, jokers: int, void: bool
) -> None:
    play = Play("spartacus", "red blue green", options={"flags": "joker", "joker_penalty": penalty})
    play.ok("play", "red", card="red 9")
    play.ok("play", "blue", card="blue flag")
    lies = play.derived
    assert lies["takes"] == {"seat": "blue", "card": "blue flag"} and lies["below"] == 9
    assert (lies["worth"], lies["working"], lies["jokers"], lies["void"]) == (worth, working, jokers, void)
    assert (lies["numbers"], lies["doubled"]) == (9, 0)


RANKS = [[5, 5, 5, 5], [5, 5, 5, 4], [4, 6, 6, 5], [4, 6, 5, 6]]


@pytest.mark.parametrize("ranks", RANKS)
def test_pleas_come_in_the_order_that_was_said(ranks: list[int]) -> None:
    """Nobody sells: each plea fails, and the next one is the first of those that were announced."""
    seats = ["red", "blue", "green", "yellow"]
    play = Play("prokonsul", " ".join(seats))
    play.ok("pawns", order=seats[::-1])
    play.ok("province", province=next(iter(play.view["provinces"])))
    for seat, rank in zip(seats, ranks, strict=True):
        play.ok("choose", seat, card=f"{seat} {rank}")
    assert play.derived | {"links": {}} == {"pleas": [], "held": {}, "able": [], "links": {}}
    play.ok("reveal")
    assert play.derived["held"] == dict(zip(seats, ranks, strict=True))
    announced: list[Plea] = play.derived["pleas"]
    came: list[Plea] = []
    while play.view["phase"] == "pleading":
        row = play.view["row"]
        assert play.derived["pleas"] == announced[len(came) :]
        rulings = {ruling.code: ruling.facts for ruling in in_vain(play).rulings}
        if "plea" in rulings:
            came.append({"seat": rulings["plea"]["pleader"], "tied": rulings.get("tie", {"tied": [0]})["tied"][1:]})
            assert (play.view["row"] != row) is bool(came[-1]["tied"])
    assert came == announced and len(came) == 3


def in_vain(play: Play) -> Receipt:
    """Everybody who can be asked says no."""
    pleader = play.view["pleader"]
    for to in play.view["can_ask"]:
        play.ok("offer", pleader, to=to, chips=0)
        receipt = play.ok("answer", to, accept=False)
    return receipt


def test_only_the_two_highest_can_win_where_that_is_agreed() -> None:
    play = Play("prokonsul", "red blue green", options={"negotiation": "free", "top_two": True})
    play.ok("province", province=next(iter(play.view["provinces"])))
    for seat, rank in (("red", 7), ("blue", 5), ("green", 6)):
        play.ok("choose", seat, card=f"{seat} {rank}")
    play.ok("reveal")
    assert play.derived["able"] == ["red", "green"]
    assert play.refused("coalition", "blue", members=["red", "blue"]) == ("top_two", "P-25")


def test_hannibal_says_what_each_side_still_needs() -> None:
    south, north = (Play("hannibal", "blue red", options={"rome_hispania": way}) for way in ("south", "north"))
    groups = [[group["regions"] for group in play.derived["mediterranean"]["blue"]] for play in (south, north)]
    assert groups[0] == [["sardinia"], ["hispania_s", "mauretania"], ["zama", "sicilia"]]
    assert groups[1] == [["sardinia"], ["hispania_n", "mauretania"], ["zama", "sicilia"]]
    for seat, start, to in (("blue", "rome", "gallia"), ("red", "carthago", "mauretania"),
                            ("blue", "gallia", "hispania_n")):  # fmt: skip
        for play in (south, north):
            play.ok("move", seat, piece="legion", **{"from": start, "to": to})
    held = [[group["held"] for group in play.derived["mediterranean"]["blue"]] for play in (south, north)]
    assert held == [[None, None, None], [None, "hispania_n", None]]


def test_core_regions_are_said_where_they_count() -> None:
    assert Play("hannibal", "blue red").derived["core"] is None
    play = Play("hannibal", "blue red", options={"core_control": True})
    play.ok("move", "blue", piece="legion", **{"from": "rome", "to": "corsica"})
    assert play.derived["core"] == {"blue": ["corsica"], "red": []}


def test_mercator_says_how_much_room_there_is_and_who_wins_ties() -> None:
    play = Play("mercator", "red blue green")
    assert play.derived == {
        "worth": 0, "last": 59, "room": {"red": 6, "blue": 6, "green": 6}, "limit": 3, "order": ["blue", "green", "red"],
    }  # fmt: skip
    play.ok("flip", "red", card="red 1")
    play.ok("flip", "red", card="red 2")
    assert play.derived["worth"] == 3
    play.ok("auction", "red")
    play.ok("reveal")
    for seat in ("red", "blue", "green"):
        receipt = play.ok("bid", seat, chips=5)
    assert facts(receipt, "tie")["order"] == ["blue", "green", "red"]
    assert play.derived == {
        "worth": 0, "last": 59, "room": {"red": 6, "blue": 4, "green": 6}, "limit": 3, "order": ["green", "red", "blue"],
    }  # fmt: skip


def test_the_track_goes_as_far_as_a_cargo_can() -> None:
    ends = [
        Play("mercator", "red blue green", options={"colour_bonus": bonus}).derived["last"] for bonus in (False, True)
    ]
    assert ends == [10 * 5 + 9, 10 * 5 + 9 + 10]


@pytest.mark.parametrize(("name", "seats", "options"), [one for one in TABLES if one.values[0] == "mercator"])
def test_no_lot_has_a_limit_once_the_auctions_are_over(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    for state in states:
        beside: Any = header.game.derived(state)
        assert (beside["limit"] is None) == (not beside["order"]) == (state.phase in ("loading", "over"))


# -- cards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_the_cards_of_a_seat_are_those_it_can_play(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, states = travel(name, seats, options)
    game = header.game
    for event in events:
        card = getattr(event, "card", None)
        assert card is None or card in game.cards(header.options, event.seat)
    for seat in header.seats:
        hand = game.view(states[0], seat)["private"].get("hand")
        assert hand is None or set(hand) == set(map(str, game.cards(header.options, seat)))
    assert set(game.cards(header.options)) <= set(game.cards(game.defaults)) <= set(DECK.values())


def test_cards_that_belong_to_nobody_lie_before_anybody() -> None:
    mercator = games.game("mercator")
    assert {name for name in games.NAMES if not games.game(name).owned} == {"mercator"}
    assert mercator.cards({}, "red") == mercator.cards({}, "black") and len(mercator.cards({})) == 50


# -- afterwards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_rulings_stay_with_their_act(name: str, seats: int, options: dict[str, Any]) -> None:
    """The history shows the numbers of the moment it is at, also after others have come and gone."""
    header, events, states = travel(name, seats, options)
    session = Session(header.game, header.setup)
    receipts = [session.receive(event) for event in events]
    receipts += [session.receive(Undo()) for _ in events[-3:]]
    after = (*states[1:], *reversed(states[-4:-1]))
    for receipt, state in list(zip(receipts, after, strict=True))[:: max(1, len(receipts) // 60)]:
        assert receipt.derived == header.game.derived(state) and receipt.view == header.game.view(state)


def test_a_game_looked_at_has_it_from_the_opening_on() -> None:
    play = Play("spartacus", "red blue green")
    events = [("play", "red", {"card": "red 9"}), ("play", "blue", {"card": "blue flag"})]
    said, lines = [play.derived], list[str]()
    for verb, seat, given in events:
        receipt = play.ok(verb, seat, **given)
        assert receipt.event
        lines.append(dump_event(receipt.event))
        said.append(play.derived)
    seen = look(Stored(1, "", dump_header(play.header), tuple((line, None, None) for line in lines), None), 500)
    assert [seen.derived(move) for move in range(3)] == said and said[2]["worth"] == 18
