"""Something went wrong: every game and situation, the row that says it, and what its one touch leads to. No window."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from companion import games
from companion.play.equipment import Equipment, InputMethods
from companion.play.evening import Evening
from companion.play.match import Match
from companion.record.transcript import event_data
from companion.rules import AnyGame
from companion.rules.cards import DECK, PAWNS
from companion.rules.readings import Press, Reading
from companion.session import Session
from companion.session.receipt import ActLine
from tests.support.mistake_cases import ASKED, CASES, MOMENTS, OWN, PLEA, SEALED, Case, Event, Start, up
from tests.support.playing import match_of, moment_of
from tests.support.states import disguises, some, travel
from tests.support.tables import FEW
from tools.scenes.rehearsal import TAGS, Memory
from ui.games.face import face_of
from ui.games.parts.actions import ask
from ui.pages import PAGES, correct_move, decide, mistakes
from ui.pages.remedies import PossibleMistake, Way
from ui.table.moment import Moment

TAG = {str(card): tag for tag, card in TAGS.items()}
BOTH, FINGER = Equipment(("centre",), PAWNS), Equipment()
"""A reader for all and a button each; or nothing but the screen."""


@dataclass
class Desk:
    """A game at the table: acts by finger, cards on the reader, buttons."""

    game: str
    equipment: Equipment = BOTH
    t: int = 1000
    evening: Evening = field(init=False)

    def __post_init__(self) -> None:
        self.evening = Evening(Memory(), {tag: DECK[str(card)] for tag, card in TAGS.items()})
        self.evening.devices.equipment = self.equipment
        seats = list(games.game(self.game).fixed or ["red", "blue", "green"])
        self.evening.begin({"tabularium": 1, "game": self.game, "seats": seats})

    @property
    def match(self) -> Match:
        return match_of(self.evening)

    @property
    def view(self) -> Mapping[str, Any]:
        return self.match.view

    def do(self, *steps: Any) -> None:
        """Events by finger; a card's name is laid on the reader; ("red", 200) is a press of so many ms."""
        for step in steps:
            self.t += 400
            match step:
                case str():
                    for present in (True, False):
                        tag = TAG.get(step, step)
                        self.evening.devices.inbox.put(Reading("centre", tag, present, self.t))
                case (seat, int(ms)):
                    self.evening.devices.inbox.put(Press(seat, True, self.t))
                    self.evening.devices.inbox.put(Press(seat, False, self.t + ms))
                    self.t += ms
                case _:
                    assert all(receipt.ok for receipt in self.match.act(step)), step
            self.evening.drain()

    def fists(self, **late: int) -> None:
        """All fists that are awaited close, and open again, some of them late."""
        seats = self.match.fists
        words = [Press(seat, True, self.t + at) for at, seat in enumerate(seats)]
        opened = sorted((late.get(seat, at), seat) for at, seat in enumerate(seats))
        for word in (*words, *(Press(seat, False, self.t + 900 + ms) for ms, seat in opened)):
            self.evening.devices.inbox.put(word)
            self.evening.drain()
        self.t += 3000

    @property
    def found(self) -> dict[str, PossibleMistake]:
        own = [part.path for part in self.match.draft().parts if part.secret]
        return {row.key: row for row in mistakes.found(moment_of(self.evening), own)}

    def way(self, key: str, text: str) -> Way:
        ways = [way for way in self.found[key].ways if text in (way.text, way.seat)]
        assert ways, (key, text, self.found[key].ways)
        return ways[0]

    def take(self, way: Way, then: Event | None = None, value: Any = None) -> None:
        """What a finger on it leads to; `then` is what is entered there, `value` what a part of the position becomes."""
        page, given = way.page, dict(way.given)
        assert not page or page in PAGES
        match page:
            case "":
                assert way.event
                self.do(way.event)
            case "back":
                assert self.match.preview(given["event"]).ok
                self.do(given["event"])
            case "choose":
                assert moment_of(self.evening).choosing and then and then["seat"] == given["seat"]
                self.do(then)
            case "otherwise":
                self._amend(given, then)
            case "act":
                m = moment_of(self.evening)
                assert ask(m, face_of(self.game).terms, given["verb"], given["picked"])
                assert then and then["event"] == given["verb"] and then["seat"] == given["picked"]["seat"]
                self.do(then)
            case "decide" if "part" in given:
                draft = self.match.draft()
                part = next(part for part in draft.parts if part.path == given["part"])
                self.do(decide.event(given["words"], draft.put(part, value)))
            case "decide":
                self.do(decide.event(given.get("words", "We play on.")))
            case _:
                self.do(*([then] if then else []))

    def _amend(self, given: Mapping[str, Any], then: Event | None) -> None:
        number = given["number"]
        m = moment_of(self.evening)
        then_ = correct_move.pads(m, self.match.past(number), number)
        verbs = {other.action.verb for other in correct_move.others(m, then_)}
        assert then and then["event"] in verbs and (given["verb"] or then["event"]) in verbs
        self.do(then_.amended(then))


def sitting(game: str, *steps: Any, equipment: Equipment = BOTH) -> Desk:
    desk = Desk(game, equipment)
    desk.do(*steps)
    return desk


def begun(start: Start) -> Desk:
    desk = sitting(start.game, *start.steps, equipment=FINGER if start.finger else BOTH)
    if start.late is not None:
        desk.fists(**start.late)
    return desk


def test_every_card_of_the_lot_can_be_the_wrong_one_after_its_bids() -> None:
    cards = ["green 5", "green 7", "green 9"]
    flips = [{"event": "flip", "seat": "red", "card": card} for card in cards]
    bids = [{"event": "bid", "seat": seat, "chips": chips} for seat, chips in (("red", 3), ("blue", 2), ("green", 1))]
    wrong = sitting("mercator", *flips, {"event": "reveal"}, *bids).found["misread"]
    assert wrong.text == "A wrong card was entered", "though there is a reader: these cards were typed"
    assert [way.text for way in wrong.ways] == [*cards[::-1], "Undo"]
    assert sitting("mercator", "green 5").found["misread"].text == "The wrong card was read"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_mistake_is_listed_with_a_one_touch_remedy(case: Case) -> None:
    desk = begun(case.start)
    row = desk.found[case.key]
    assert row.text and row.remedy and row.urgent == (case.key == "refused" or bool(case.start.late))
    desk.take(desk.way(case.key, case.touched), case.then)
    assert case.after(desk.match), desk.view
    assert "refused" not in desk.found, "what was refused is no longer what was said last"


EVERYWHERE = {
    "pieces": ("Check the table", None),
    "agreed": ("The table decides", "decide"),
    "leaves": ("red", "decide"),
    "forgotten": ("Enter it now", None),
    "last": ("Undo", "undo"),
}
"""What can happen in every game, what is touched, and the act that comes of it."""


@pytest.mark.parametrize("key", EVERYWHERE)
@pytest.mark.parametrize("game", MOMENTS)
@pytest.mark.parametrize("equipment", [BOTH, FINGER], ids=["devices", "finger"])
def test_mistakes_common_to_all_games_are_listed(game: str, key: str, equipment: Equipment) -> None:
    desk = Desk(game, equipment)
    desk.do(*(MOMENTS[game] if equipment is BOTH else MOMENTS[game][:2]))
    said, verb = EVERYWHERE[key]
    acts = len(desk.match.session.acts)
    desk.take(desk.way(key, said))
    assert desk.match.log[-1].verb == (verb or desk.match.log[-1].verb)
    assert len(desk.match.session.acts) == acts + {"decide": 1, "undo": -1, None: 0}[verb]


@pytest.mark.parametrize("game", MOMENTS)
def test_the_others_play_on_until_somebody_is_back(game: str) -> None:
    desk = sitting(game, *MOMENTS[game])
    assert "returns" not in desk.found
    desk.take(desk.way("leaves", "red"))
    assert moment_of(desk.evening).means["red"] == InputMethods()
    assert [way.seat for way in desk.found["leaves"].ways if way.seat] == [
        s for s in desk.match.header.seats if s != "red"
    ]
    desk.take(desk.way("returns", "red"))
    assert moment_of(desk.evening).means["red"] == InputMethods("shared", True)


@pytest.mark.parametrize(("game", "key"), OWN)
def test_a_purse_or_a_hand_is_put_right_by_its_owner_alone(game: str, key: str) -> None:
    desk = sitting(game, *MOMENTS[game])
    right = 17 if key == "chips" else desk.match.private("red")[key]
    desk.take(desk.way(key, "red"), value=right)
    assert desk.match.private("red")[key] == right
    assert str(right) not in str([ruling.facts for ruling in desk.match.log[-1].public])


def test_only_what_can_have_happened_is_listed() -> None:
    assert set(sitting("spartacus").found) == {"early", "unreadable", "forgotten", "pieces", "leaves", "agreed"}
    assert "unreadable" not in sitting("spartacus", equipment=FINGER).found
    assert not {"face_down", "changed", "late", "soon", "answer", "surplus"} & set(sitting("spartacus", "red 9").found)
    assert "hand" not in sitting("mercator", "red 1").found and "early" not in sitting("mercator", "red 1").found


def test_once_the_game_is_over_nobody_has_to_leave() -> None:
    rng, desk = Random(1), Desk("spartacus")
    while moves := desk.match.session.legal():
        desk.do(event_data(rng.choice(moves).pick(rng.choice)))
    assert {"misread", "last", "agreed"} <= set(desk.found)
    assert not {"leaves", "forgotten", "early", "unreadable"} & set(desk.found)


def test_a_late_fist_is_named() -> None:
    assert begun(up("prokonsul", *ASKED, green=900)).found["late"].text == "Green turned the card over too late"
    assert begun(up("prokonsul", *ASKED)).found["late"].text == "A card was turned over too late"


def test_a_card_that_was_never_turned_up_is_not_offered() -> None:
    """A choice that was replaced before the reveal is not the one that the reveal has shown."""
    desk = begun(up("prokonsul", *PLEA, "red 9", "red 7", "blue 5", "green 4"))
    numbers = {way.seat: way.given["number"] for way in desk.found["changed"].ways}
    assert numbers["red"] == 4


# -- secrecy ----------------------------------------------------------------------------------------------------


def listed(game: AnyGame, header: Any, state: Any, equipment: Equipment) -> Any:
    """All that is listed at a moment that was reached by no act."""
    evening = Evening(Memory())
    evening.begin({"tabularium": 1, "game": game.name, "seats": list(header.seats), "options": dict(header.options)})
    match = match_of(evening)
    match.session.opening = state
    match.session.back_to((ActLine(), 0))
    match._set_snapshot(match.session.view(), match.session.derived(), state)
    evening.devices.equipment = equipment
    m: Moment = moment_of(evening)
    return mistakes.found(replace(m, closed=frozenset()), [part.path for part in match.draft().parts if part.secret])


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_listed_mistakes_do_not_depend_on_hidden_state(name: str, seats: int, options: dict[str, Any]) -> None:
    header, _, states = travel(name, seats, options)
    tried = 0
    for state in some(states, 12):
        for disguise in disguises(header.game, state):
            assert listed(header.game, header, state, BOTH) == listed(header.game, header, disguise, BOTH)
            tried += 1
    assert tried or name == "spartacus"


@pytest.mark.parametrize("name", SEALED)
def test_cards_face_down_stay_hidden_in_what_is_listed(name: str) -> None:
    """Two games in which other cards lie face down list the same, and foresee the same of every way that can be seen."""
    steps, was, now = SEALED[name]
    desks = [sitting(name, *steps), sitting(name, *(now if step == was else step for step in steps))]
    one, other = ([*desk.found.values()] for desk in desks)
    assert one == other
    for row in one:
        for way in row.ways:
            if way.page == "back":
                said = [desk.match.preview(way.given["event"]).public for desk in desks]
                assert said[0] == said[1]
    assert isinstance(desks[0].match.session, Session)
