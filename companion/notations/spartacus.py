"""Spartacus written down: whose turn it is, the trick, who is out, what was taken, the hands; and what lies where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.cards import DECK, Card
from companion.games.spartacus import Cards, State, ranks, strongest
from companion.games.spartacus import setup as opening
from companion.layout import CARD, Layout, counted
from companion.message import Message
from companion.mistakes import Where
from companion.notation import Notation
from companion.notations.reading import Reading
from companion.rules import Options, Setup
from companion.views import SpartacusView

KEYS = ("turn", "trick", "passed", "taken", "hand")


def write(s: State) -> Mapping[str, Any]:
    return {"turn": s.turn, "trick": s.trick, "passed": s.passed, "taken": s.taken, "hand": s.hands}


def read(setup: Setup, written: Mapping[str, Any]) -> State:
    """The state that a position describes. Raises Mistakes."""
    r, full = Reading(written, KEYS, setup.seats), opening(setup)
    deck = {card for hand in full.hands.values() for card in hand}
    turn = r.seat(("turn",), r.get("turn"))
    trick = r.cards(("trick",), r.get("trick"), deck)
    passed = [r.seat(("passed", at), seat) for at, seat in enumerate(r.items(("passed",), r.get("passed")))]

    def tricks(at: Where, value: Any) -> tuple[Cards, ...]:
        found = [r.cards((*at, index), one, deck) for index, one in enumerate(r.items(at, value))]
        for index, one in enumerate(found):
            r.check(one, Message("a trick has at least one card"), *at, index)
        return tuple(found)

    taken = r.by_seat("taken", tricks)
    hands = r.hands(full.hands)
    r.end()
    s = State(setup, turn, hands, taken, trick, tuple(passed))
    _everywhere_once(r, s)
    _trick(r, s)
    r.end(s)
    return s


def _everywhere_once(r: Reading, s: State) -> None:
    """Every card is in its hand, in the trick or taken; only flags of a last trick that nobody took are gone."""
    seen = Counter([*s.trick, *(card for tricks in s.taken.values() for trick in tricks for card in trick)])
    for card, count in seen.items():
        r.check(count == 1, Message("{card} is there {count} times", card=card, count=count), "taken")
    empty = sum(not hand for hand in s.hands.values())
    r.check(empty <= 1, Message("only one hand can be empty: the game ends with it"), "hand")
    for seat in s.seats:
        for card in (Card(seat, rank) for rank in ranks(s.setup.options)):
            lies = DECK[str(card)] in seen
            if card in s.hands[seat]:
                r.check(not lies, Message("{card} has been played", card=card), "hand", seat)
            elif not lies:
                gone = s.over and not card.rank and s.flags == "double"
                r.check(gone, Message("{card} is nowhere", card=card), "hand", seat)


def _trick(r: Reading, s: State) -> None:
    """S-2 to S-6: numbers go down, nobody is out before one lies, and the trick does not wait to be taken."""
    numbers = [card.rank for card in s.trick if card.rank]
    falls = numbers == sorted(set(numbers), reverse=True)
    down = r.check(falls, Message("each number is lower than those before it"), "trick")
    r.check(len(set(s.passed)) == len(s.passed), Message("a seat is there twice"), "passed")
    r.check(not s.passed or numbers, Message("nobody is out before a number lies"), "passed")
    if s.over:
        r.check(not s.trick, Message("the game is over: the last trick is taken"), "trick")
        return
    card = strongest(s) if down else None
    r.check(s.turn not in s.passed, Message("{seat} is out of this trick", seat=s.turn), "turn")
    r.check(not card or card.colour not in s.passed, Message("the strongest card's owner is not out"), "passed")
    back = Message("the trick would be {seat:of}: the turn is back", seat=s.turn)
    r.check(not card or card.colour != s.turn, back, "turn")


def layout(view: SpartacusView, options: Options) -> Layout:
    """Cards in the hands, open in the trick, and face down with those who took them, who keep them apart by tricks."""
    trick = [lying["card"] for lying in view["trick"]]
    whole = len(view["hand_sizes"]) * len(ranks(options))
    held = sum(view["hand_sizes"].values())
    return counted({
        **{f"hand {seat}": {CARD: size} for seat, size in view["hand_sizes"].items()},
        "trick": dict.fromkeys(trick, 1),
        "taken": {CARD: whole - held - len(trick)},
    })  # fmt: skip


NOTATION: Notation[State, SpartacusView] = Notation(write, read, ("hand",), layout)
