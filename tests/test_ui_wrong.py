"""Something went wrong: every game and situation, the row that says it, and what its one touch leads to. No window."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cards import DECK, PAWNS
from companion.evening import Evening
from companion.match import Match
from companion.means import Equipment, Means
from companion.rules import AnyGame
from companion.session import Session
from companion.table import Press, Reading
from companion.transcript import event_data
from tests.playing import match_of, moment_of
from tests.test_last_word import FEW
from tests.test_laws import disguises, some, travel
from ui.games.face import face_of
from ui.games.parts.deeds import ask
from ui.pages import PAGES, decide, otherwise, wrong
from ui.pages.ways import Way, Wrong
from ui.rehearsal import TAGS, Memory
from ui.table.moment import Moment

Event = dict[str, Any]
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
        self.evening.equipment = self.equipment
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
                        self.evening.inbox.put(Reading("centre", tag, present, self.t))
                case (seat, int(ms)):
                    self.evening.inbox.put(Press(seat, True, self.t))
                    self.evening.inbox.put(Press(seat, False, self.t + ms))
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
            self.evening.inbox.put(word)
            self.evening.drain()
        self.t += 3000

    @property
    def found(self) -> dict[str, Wrong]:
        own = [part.path for part in self.match.draft().parts if part.secret]
        return {row.key: row for row in wrong.found(moment_of(self.evening), own)}

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
        then_ = otherwise.pads(moment_of(self.evening), self.match.past(number), number)
        verbs = {other.deed.verb for other in otherwise.others(then_)}
        assert then and then["event"] in verbs and (given["verb"] or then["event"]) in verbs
        self.do(then_.amended(then))


def flip(seat: str, card: str) -> Event:
    return {"event": "flip", "seat": seat, "card": card}


def choose(card: str) -> Event:
    return {"event": "choose", "seat": card.split(maxsplit=1)[0], "card": card}


def play(card: str) -> Event:
    return {"event": "play", "seat": card.split(maxsplit=1)[0], "card": card}


def place(seat: str, square: str) -> Event:
    return {"event": "place", "seat": seat, "square": square}


PLEA: Sequence[Any] = (
    {"event": "pawns", "order": ["red", "blue", "green"]},
    {"event": "province", "province": "sicilia"},
)
SQUARES = ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "d1", "d2", "d3", "e1", "e2", "e3")
PLACED = tuple(place(seat, square) for seat, square in zip(("red", "blue", "green") * 5, SQUARES, strict=True))
DUEL: Sequence[Any] = (*PLACED, {"event": "attack", "seat": "red", "from": "a1", "to": "a2"})
SEA: Sequence[Any] = (
    {"event": "move", "seat": "blue", "piece": "fleet", "from": "rome-corsica", "to": "sardinia-carthago"},
)
AUCTION: Sequence[Any] = ("red 1", ("red", 100))
ASKED: Sequence[Any] = (*PLEA, "red 9", "blue 5", "green 4")
OFFER: Event = {"event": "offer", "seat": "red", "to": "blue", "chips": 3}


def revealed(game: str, *steps: Any, **late: int) -> Desk:
    desk = Desk(game)
    desk.do(*steps)
    desk.fists(**late)
    return desk


def sitting(game: str, *steps: Any, equipment: Equipment = BOTH) -> Desk:
    desk = Desk(game, equipment)
    desk.do(*steps)
    return desk


# -- game by situation ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A situation in a game: how it comes about, what is touched, what is entered there, and where the game is then."""

    key: str
    desk: Callable[[], Desk]
    touched: str
    after: Callable[[Desk], bool]
    then: Event | None = None


def at(game: str, *steps: Any, equipment: Equipment = BOTH) -> Callable[[], Desk]:
    return lambda: sitting(game, *steps, equipment=equipment)


def up(game: str, *steps: Any, **late: int) -> Callable[[], Desk]:
    return lambda: revealed(game, *steps, **late)


SEALED = {
    "prokonsul": (ASKED, "red 9", "red 8"),
    "caesar": ((*DUEL, "red 9", "blue 5"), "red 9", "red 8"),
    "hannibal": ((*SEA, "blue 3", "red 1"), "red 1", "red 2"),
}
"""The games in which cards are chosen face down: up to the last card, one that was chosen, and one that was not."""

CASES = [
    # Mercator
    Case("refused", at("mercator", "red 1", "red 1"), "Earlier it was another card",
         lambda d: d.view["lot"] == ["red 2"], flip("red", "red 2")),
    Case("refused", at("mercator", "red 12"), "red", lambda d: d.view["lot"] == ["red 2"], flip("red", "red 2")),
    Case("refused", at("mercator", "04FFFF"), "red", lambda d: d.view["lot"] == ["red 2"], flip("red", "red 2")),
    Case("misread", at("mercator", "red 1", "blue 7"), "red 1",
         lambda d: d.view["lot"] == ["red 2", "blue 7"], flip("red", "red 2")),
    Case("unreadable", at("mercator", "red 1"), "red",
         lambda d: d.view["lot"] == ["red 1", "red 2"], flip("red", "red 2")),
    Case("surplus", at("mercator", "red 1", "red 2"), "Take it back", lambda d: d.view["lot"] == ["red 1"]),
    Case("surplus", at("mercator", *AUCTION), "It belongs to the lot",
         lambda d: (d.view["lot"], d.view["phase"]) == (["red 1", "blue 2"], "flipping"), flip("red", "blue 2")),
    Case("surplus", at("mercator", "red 1", "red 2", "red 3", "red 4"), "Back on the pile",
         lambda d: len(d.view["lot"]) == 3 and d.match.log[-1].verb == "decide"),
    Case("button", at("mercator", *AUCTION), "Take it back", lambda d: d.view["phase"] == "flipping"),
    Case("soon", at("mercator", *AUCTION), "Show the table", lambda d: d.view["phase"] == "fists"),
    Case("soon", at("mercator", *AUCTION), "Reveal here", lambda d: d.view["phase"] == "bidding"),
    Case("soon", at("mercator", flip("red", "red 1"), {"event": "auction", "seat": "red"}, equipment=FINGER),
         "Show the table", lambda d: d.view["phase"] == "fists"),
    Case("late", up("mercator", *AUCTION, blue=900), "Close the fists again", lambda d: d.view["phase"] == "fists"),
    Case("last", at("mercator", *AUCTION, {"event": "reveal"}, {"event": "bid", "seat": "red", "chips": 5}),
         "It was otherwise", lambda d: d.view["bids"] == {"blue": 5}, {"event": "bid", "seat": "blue", "chips": 5}),
    # Prokonsul
    Case("refused", at("prokonsul", *PLEA, "red flag"), "red", lambda d: d.view["chosen"] == ["red"], choose("red 8")),
    Case("refused", at("prokonsul", *PLEA, "04FFFF"), "green", lambda d: d.view["chosen"] == ["green"],
         choose("green 8")),
    Case("refused", at("prokonsul", *PLEA, "yellow 1"), "blue", lambda d: d.view["chosen"] == ["blue"],
         choose("blue 8")),
    Case("answer", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER, ("blue", 100)), "blue",
         lambda d: (d.view["phase"], d.view["pleader"]) == ("pleading", "red")),
    Case("answer", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER, ("blue", 700)), "blue",
         lambda d: d.view["phase"] == "province"),
    Case("button", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER, ("blue", 700)), "Take it back",
         lambda d: d.view["phase"] == "answering"),
    Case("last", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER), "It was otherwise",
         lambda d: d.view["offer"]["to"] == "green", {"event": "offer", "seat": "red", "to": "green", "chips": 3}),
    # Spartacus
    Case("refused", at("spartacus", "red 9", "green 4"), "Pass",
         lambda d: (d.view["passed"], d.view["turn"]) == (["blue"], "green")),
    Case("refused", at("spartacus", "red 9", ("blue", 100), "blue 7"), "blue",
         lambda d: len(d.view["trick"]) == 2 and not d.view["passed"], play("blue 7")),
    Case("refused", at("spartacus", "red 9", "blue 10"), "blue",
         lambda d: len(d.view["trick"]) == 2, play("blue 7")),
    Case("refused", at("spartacus", "red 9", "blue 7", "green 5", "red 9"), "Earlier it was another card",
         lambda d: d.view["trick"][0]["card"] == "red 8", play("red 8")),
    Case("refused", at("spartacus", "04FFFF"), "red", lambda d: len(d.view["trick"]) == 1, play("red 8")),
    Case("misread", at("spartacus", "red 9", "blue 7"), "red 9",
         lambda d: d.view["trick"][0]["card"] == "red 8", play("red 8")),
    Case("misread", at("spartacus", play("red 9"), equipment=FINGER), "red 9",
         lambda d: d.view["trick"][0]["card"] == "red 8", play("red 8")),
    Case("early", at("spartacus", "red 9"), "The table decides", lambda d: d.match.log[-1].verb == "decide"),
    Case("unreadable", at("spartacus", "red 9"), "blue", lambda d: len(d.view["trick"]) == 2, play("blue 7")),
    Case("button", at("spartacus", "red 9", ("blue", 100)), "Take it back", lambda d: d.view["turn"] == "blue"),
    Case("button", at("spartacus", "red 9", ("blue", 100), "green 3"), "It was otherwise",
         lambda d: [card["card"] for card in d.view["trick"]] == ["red 9", "blue 7", "green 3"], play("blue 7")),
    # Caesar
    Case("last", at("caesar", *PLACED[:3]), "It was otherwise", lambda d: "e5" in d.view["board"],
         place("green", "e5")),
    Case("refused", at("caesar", *DUEL, "green 5"), "blue", lambda d: d.view["chosen"] == ["blue"], choose("blue 8")),
    # Hannibal
    Case("last", at("hannibal", {"event": "move", "seat": "blue", "piece": "legion", "from": "rome", "to": "gallia"}),
         "It was otherwise", lambda d: d.view["regions"]["cannae"]["blue"] == 1,
         {"event": "move", "seat": "blue", "piece": "legion", "from": "rome", "to": "cannae"}),
    Case("refused", at("hannibal", *SEA, "blue 9"), "blue", lambda d: d.view["chosen"] == ["blue"], choose("blue 2")),
]  # fmt: skip

for name, (steps, was, now) in SEALED.items():
    seat = was.split()[0]

    def chosen_again(d: Desk) -> bool:
        return d.view["phase"] == "choosing" and not d.view["chosen"]

    def waits(d: Desk) -> bool:
        return d.view["phase"] == "choosing" and not d.view["waiting"]

    CASES += [
        Case("face_down", at(name, *steps), seat,
             lambda d, seat=seat, now=now: d.match.private(seat)["choice"] == now, choose(now)),
        Case("early", at(name, *steps), seat,
             lambda d, seat=seat, now=now: d.match.private(seat)["choice"] == now, choose(now)),
        Case("early", at(name, *steps), "Everybody chooses again", chosen_again),
        Case("early", at(name), "The table decides", lambda d: d.match.log[-1].verb == "decide"),
        Case("changed", up(name, *steps), seat,
             lambda d, now=now: now in [event_data(act.event).get("card") for act in d.match.session.acts],
             choose(now)),
        Case("late", up(name, *steps, **{seat: 900}), "Everybody chooses again", chosen_again),
        Case("soon", at(name, *steps), "Show the table", waits),
        Case("soon", at(name, *steps), "Reveal here", lambda d: d.view["phase"] != "choosing" or not d.view["chosen"]),
        Case("unreadable", at(name, *steps[:-1]), steps[-1].split()[0], waits, choose(steps[-1])),
    ]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.desk().game}-{case.key}-{case.touched}")
def test_it_is_listed_and_one_touch_leads_on(case: Case) -> None:
    desk = case.desk()
    row = desk.found[case.key]
    assert row.text and row.remedy and row.urgent == (case.key == "refused")
    desk.take(desk.way(case.key, case.touched), case.then)
    assert case.after(desk), desk.view
    assert "refused" not in desk.found, "what was refused is no longer what was said last"


MOMENTS: Mapping[str, Sequence[Any]] = {
    "mercator": ("red 1",),
    "prokonsul": PLEA,
    "spartacus": ("red 9",),
    "caesar": DUEL,
    "hannibal": SEA,
}
EVERYWHERE = {
    "pieces": ("What lies where", None),
    "agreed": ("The table decides", "decide"),
    "leaves": ("red", "decide"),
    "forgotten": ("Enter it now", None),
    "last": ("Take it back", "undo"),
}
"""What can happen in every game, what is touched, and the act that comes of it."""


@pytest.mark.parametrize("key", EVERYWHERE)
@pytest.mark.parametrize("game", MOMENTS)
@pytest.mark.parametrize("equipment", [BOTH, FINGER], ids=["devices", "finger"])
def test_what_can_happen_in_every_game(game: str, key: str, equipment: Equipment) -> None:
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
    assert moment_of(desk.evening).means["red"] == Means()
    assert [way.seat for way in desk.found["leaves"].ways if way.seat] == [
        s for s in desk.match.header.seats if s != "red"
    ]
    desk.take(desk.way("returns", "red"))
    assert moment_of(desk.evening).means["red"] == Means("shared", True)


@pytest.mark.parametrize(("game", "key", "value"), [
    ("mercator", "chips", 47), ("prokonsul", "chips", 17), ("prokonsul", "hand", None), ("caesar", "hand", None),
    ("hannibal", "hand", None),
])  # fmt: skip
def test_a_purse_or_a_hand_is_put_right_by_its_owner_alone(game: str, key: str, value: Any) -> None:
    desk = sitting(game, *MOMENTS[game])
    before = desk.match.private("red")[key]
    desk.take(desk.way(key, "red"), value=value if value is not None else before)
    assert desk.match.private("red")[key] == (value or before)
    assert str(value) not in str([ruling.facts for ruling in desk.match.log[-1].public])


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
    assert revealed("prokonsul", *ASKED, green=900).found["late"].text == "Green opened too late"
    assert revealed("prokonsul", *ASKED).found["late"].text == "A fist opened too late"


def test_a_card_that_was_never_turned_up_is_not_offered() -> None:
    """A choice that was replaced before the reveal is not the one that the reveal has shown."""
    desk = revealed("prokonsul", *PLEA, "red 9", "red 7", "blue 5", "green 4")
    numbers = {way.seat: way.given["number"] for way in desk.found["changed"].ways}
    assert numbers["red"] == 4


# -- secrecy ----------------------------------------------------------------------------------------------------


def listed(game: AnyGame, header: Any, state: Any, equipment: Equipment) -> Any:
    """All that is listed at a moment that was reached by no act."""
    evening = Evening(Memory())
    evening.begin({"tabularium": 1, "game": game.name, "seats": list(header.seats), "options": dict(header.options)})
    match = match_of(evening)
    match.session.opening, match.session.last = state, None
    match._see(match.session.view(), match.session.beside(), state)
    evening.equipment = equipment
    m: Moment = moment_of(evening)
    return wrong.found(replace(m, closed=frozenset()), [part.path for part in match.draft().parts if part.secret])


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_nothing_that_is_listed_depends_on_what_is_hidden(name: str, seats: int, options: dict[str, Any]) -> None:
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
