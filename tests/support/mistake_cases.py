"""Every situation in which something goes wrong, game by game: for tests of the list and of the window."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.record.transcript import event_data

Event = dict[str, Any]


def seat_of(card: str) -> str:
    return card.split(maxsplit=1)[0]


def flip(seat: str, card: str) -> Event:
    return {"event": "flip", "seat": seat, "card": card}


def choose(card: str) -> Event:
    return {"event": "choose", "seat": seat_of(card), "card": card}


def play(card: str) -> Event:
    return {"event": "play", "seat": seat_of(card), "card": card}


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


After = Callable[[Any], bool]
"""A check of a match. It takes Any, as only the game knows what is in its view."""


@dataclass(frozen=True)
class Start:
    """The events that lead to a situation.

    Steps are events by finger, a card's name for a card on the reader, and ("red", 200) for a press of so many ms. With
    `late`, all fists close then and open again, some of them late by so many ms; with `finger`, there is nothing but
    the screen.
    """

    game: str
    steps: Sequence[Any]
    late: Mapping[str, int] | None = None
    finger: bool = False


def at(game: str, *steps: Any, finger: bool = False) -> Start:
    return Start(game, steps, finger=finger)


def up(game: str, *steps: Any, **late: int) -> Start:
    """Return a start after the reveal."""
    return Start(game, steps, late)


@dataclass(frozen=True)
class Case:
    """A situation in a game: what is touched, what is entered there, and where the game is then."""

    key: str
    start: Start
    touched: str
    after: After
    then: Event | None = None

    def __str__(self) -> str:
        return f"{self.start.game}-{self.key}-{self.touched}"


SEALED = {
    "prokonsul": (ASKED, "red 9", "red 8"),
    "caesar": ((*DUEL, "red 9", "blue 5"), "red 9", "red 8"),
    "hannibal": ((*SEA, "blue 3", "red 1"), "red 1", "red 2"),
}
"""The games in which cards are chosen face down: up to the last card, one that was chosen, and one that was not."""

CASES = [
    # Mercator
    Case("refused", at("mercator", "red 1", "red 1"), "It was another card before",
         lambda m: m.view["lot"] == ["red 2"], flip("red", "red 2")),
    Case("refused", at("mercator", "red 12"), "red", lambda m: m.view["lot"] == ["red 2"], flip("red", "red 2")),
    Case("refused", at("mercator", "04FFFF"), "red", lambda m: m.view["lot"] == ["red 2"], flip("red", "red 2")),
    Case("misread", at("mercator", "red 1", "blue 7"), "red 1",
         lambda m: m.view["lot"] == ["red 2", "blue 7"], flip("red", "red 2")),
    Case("unreadable", at("mercator", "red 1"), "red",
         lambda m: m.view["lot"] == ["red 1", "red 2"], flip("red", "red 2")),
    Case("surplus", at("mercator", "red 1", "red 2"), "Undo", lambda m: m.view["lot"] == ["red 1"]),
    Case("surplus", at("mercator", *AUCTION), "It belongs to the lot",
         lambda m: (m.view["lot"], m.view["phase"]) == (["red 1", "blue 2"], "flipping"), flip("red", "blue 2")),
    Case("surplus", at("mercator", "red 1", "red 2", "red 3", "red 4"), "Back on the pile",
         lambda m: len(m.view["lot"]) == 3 and m.log[-1].verb == "decide"),
    Case("button", at("mercator", *AUCTION), "Undo", lambda m: m.view["phase"] == "flipping"),
    Case("soon", at("mercator", *AUCTION), "Show the table", lambda m: m.view["phase"] == "fists"),
    Case("soon", at("mercator", *AUCTION), "Reveal here", lambda m: m.view["phase"] == "bidding"),
    Case("soon", at("mercator", flip("red", "red 1"), {"event": "auction", "seat": "red"}, finger=True),
         "Show the table", lambda m: m.view["phase"] == "fists"),
    Case("late", up("mercator", *AUCTION, blue=900), "Close the fists again", lambda m: m.view["phase"] == "fists"),
    Case("last", at("mercator", *AUCTION, {"event": "reveal"}, {"event": "bid", "seat": "red", "chips": 5}),
         "Correct this move", lambda m: m.view["bids"] == {"blue": 5}, {"event": "bid", "seat": "blue", "chips": 5}),
    # Prokonsul
    Case("refused", at("prokonsul", *PLEA, "red flag"), "red", lambda m: m.view["chosen"] == ["red"], choose("red 8")),
    Case("refused", at("prokonsul", *PLEA, "04FFFF"), "green", lambda m: m.view["chosen"] == ["green"],
         choose("green 8")),
    Case("refused", at("prokonsul", *PLEA, "yellow 1"), "blue", lambda m: m.view["chosen"] == ["blue"],
         choose("blue 8")),
    Case("answer", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER, ("blue", 100)), "blue",
         lambda m: (m.view["phase"], m.view["pleader"]) == ("pleading", "red")),
    Case("answer", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER, ("blue", 700)), "blue",
         lambda m: m.view["phase"] == "province"),
    Case("button", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER, ("blue", 700)), "Undo",
         lambda m: m.view["phase"] == "answering"),
    Case("last", at("prokonsul", *ASKED, {"event": "reveal"}, OFFER), "Correct this move",
         lambda m: m.view["offer"]["to"] == "green", {"event": "offer", "seat": "red", "to": "green", "chips": 3}),
    # Spartacus
    Case("refused", at("spartacus", "red 9", "green 4"), "Pass",
         lambda m: (m.view["passed"], m.view["turn"]) == (["blue"], "green")),
    Case("refused", at("spartacus", "red 9", ("blue", 100), "blue 7"), "blue",
         lambda m: len(m.view["trick"]) == 2 and not m.view["passed"], play("blue 7")),
    Case("refused", at("spartacus", "red 9", "blue 10"), "blue",
         lambda m: len(m.view["trick"]) == 2, play("blue 7")),
    Case("refused", at("spartacus", "red 9", "blue 7", "green 5", "red 9"), "It was another card before",
         lambda m: m.view["trick"][0]["card"] == "red 8", play("red 8")),
    Case("refused", at("spartacus", "04FFFF"), "red", lambda m: len(m.view["trick"]) == 1, play("red 8")),
    Case("misread", at("spartacus", "red 9", "blue 7"), "red 9",
         lambda m: m.view["trick"][0]["card"] == "red 8", play("red 8")),
    Case("misread", at("spartacus", "red 9", "blue 7"), "Undo", lambda m: len(m.view["trick"]) == 1),
    Case("misread", at("spartacus", play("red 9"), finger=True), "red 9",
         lambda m: m.view["trick"][0]["card"] == "red 8", play("red 8")),
    Case("early", at("spartacus", "red 9"), "The table decides", lambda m: m.log[-1].verb == "decide"),
    Case("unreadable", at("spartacus", "red 9"), "blue", lambda m: len(m.view["trick"]) == 2, play("blue 7")),
    Case("button", at("spartacus", "red 9", ("blue", 100)), "Undo", lambda m: m.view["turn"] == "blue"),
    Case("button", at("spartacus", "red 9", ("blue", 100), "green 3"), "Correct this move",
         lambda m: [card["card"] for card in m.view["trick"]] == ["red 9", "blue 7", "green 3"], play("blue 7")),
    # Caesar
    Case("last", at("caesar", *PLACED[:3]), "Correct this move", lambda m: "e5" in m.view["board"],
         place("green", "e5")),
    Case("refused", at("caesar", *DUEL, "green 5"), "blue", lambda m: m.view["chosen"] == ["blue"], choose("blue 8")),
    # Hannibal
    Case("last", at("hannibal", {"event": "move", "seat": "blue", "piece": "legion", "from": "rome", "to": "gallia"}),
         "Correct this move", lambda m: m.view["regions"]["cannae"]["blue"] == 1,
         {"event": "move", "seat": "blue", "piece": "legion", "from": "rome", "to": "cannae"}),
    Case("refused", at("hannibal", *SEA, "blue 9"), "blue", lambda m: m.view["chosen"] == ["blue"], choose("blue 2")),
]  # fmt: skip


def waits(m: Any) -> bool:
    """Return whether all cards are face down."""
    return m.view["phase"] == "choosing" and not m.view["waiting"]


def again(m: Any) -> bool:
    """Return whether all cards have been taken up."""
    return m.view["phase"] == "choosing" and not m.view["chosen"]


def revealed(m: Any) -> bool:
    return m.view["phase"] != "choosing" or again(m)


def lies(card: str) -> After:
    """Return a check that the card lies face down."""
    return lambda m: m.private(seat_of(card))["choice"] == card


def stands(card: str) -> After:
    """Return a check that an act with this card stands."""
    return lambda m: card in [event_data(act.event).get("card") for act in m.session.acts if act.event]


def sealed(game: str, steps: Sequence[Any], was: str, now: str) -> Sequence[Case]:
    """Return the cases of what can happen where cards are chosen face down."""
    seat, last = seat_of(was), str(steps[-1])
    return [
        Case("face_down", at(game, *steps), seat, lies(now), choose(now)),
        Case("early", at(game, *steps), seat, lies(now), choose(now)),
        Case("early", at(game, *steps), "Everybody chooses again", again),
        Case("early", at(game), "The table decides", lambda m: m.log[-1].verb == "decide"),
        Case("changed", up(game, *steps), seat, stands(now), choose(now)),
        Case("late", up(game, *steps, **{seat: 900}), "Everybody chooses again", again),
        Case("soon", at(game, *steps), "Show the table", waits),
        Case("soon", at(game, *steps), "Reveal here", revealed),
        Case("unreadable", at(game, *steps[:-1]), seat_of(last), waits, choose(last)),
    ]


CASES += [case for game, of in SEALED.items() for case in sealed(game, *of)]

MOMENTS: Mapping[str, Sequence[Any]] = {
    "mercator": ("red 1",),
    "prokonsul": PLEA,
    "spartacus": ("red 9",),
    "caesar": DUEL,
    "hannibal": SEA,
}
"""A moment of each game."""
OWN = (("mercator", "chips"), ("prokonsul", "chips"), ("prokonsul", "hand"), ("caesar", "hand"), ("hannibal", "hand"))
"""The games with purses or hands that can be put right."""
