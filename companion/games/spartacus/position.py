"""Positions of Spartacus: reading, writing and checking them, and the layout of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.spartacus.rules import Cards as Trick
from companion.games.spartacus.rules import State, ranks, strongest
from companion.games.spartacus.rules import setup as opening
from companion.games.spartacus.view import SpartacusView
from companion.rules import N_, Options, Setup
from companion.rules.cards import DECK, Card
from companion.rules.data import Data
from companion.rules.layout import Layout, Spot, by_seat, counted, in_order
from companion.rules.message import Message
from companion.rules.mistakes import Where
from companion.rules.position import Position
from companion.rules.position_parts import CARDS, Cards, Field, One, Part, Path, Some, Written, alone, dealt
from companion.rules.position_reader import PositionReader
from companion.rules.vocabulary import CARD

KEYS = ("turn", "trick", "passed", "taken", "hand")


def write(s: State) -> Data:
    return {"turn": s.turn, "trick": s.trick, "passed": s.passed, "taken": s.taken, "hand": s.hands}


def read(setup: Setup, written: Data) -> State:
    """Return the state that a position describes. Raises Mistakes."""
    r, full = PositionReader(written, KEYS, setup.seats), opening(setup)
    deck = {card for hand in full.hands.values() for card in hand}
    turn = r.seat(("turn",), r.get("turn"))
    trick = r.cards(("trick",), r.get("trick"), deck)
    passed = [r.seat(("passed", at), seat) for at, seat in enumerate(r.items(("passed",), r.get("passed")))]

    def tricks(at: Where, value: object) -> tuple[Trick, ...]:
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


def _everywhere_once(r: PositionReader, s: State) -> None:
    """Check that every card is in one place: a hand, the trick or a taken trick.

    Only the flags of a last trick that nobody took are in none.
    """
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


def _trick(r: PositionReader, s: State) -> None:
    """Check that numbers fall, that nobody is out too early, and that the trick is not already won (S-2 to S-6)."""
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
    back = Message("the trick would be {seat:of}: the turn has come back", seat=s.turn)
    r.check(not card or card.colour != s.turn, back, "turn")


def layout(view: SpartacusView, options: Options) -> Layout:
    """Lay out the cards in hand, open in the trick, and taken.

    Taken cards lie face down before the players, who keep their tricks apart.
    """
    trick = [lying["card"] for lying in view["trick"]]
    whole = len(view["hand_sizes"]) * len(ranks(options))
    held = sum(view["hand_sizes"].values())
    return counted({
        **{f"hand {seat}": {CARD: size} for seat, size in view["hand_sizes"].items()},
        "trick": dict.fromkeys(trick, 1),
        "taken": {CARD: whole - held - len(trick)},
    })  # fmt: skip


# -- what people change, part by part --------------------------------------------------------------------------------

FOLLOWS = ("hand",)
"""A card that is neither in the trick nor taken is in its hand."""


def parts(setup: Setup, written: Written) -> Sequence[Part]:
    hands = dealt(setup, opening)
    deck = Cards([card for seat in setup.seats for card in hands[seat]])
    taken = written.get("taken") or {}
    covered = setup.options["points"] == "covered"
    return [
        alone("turn", N_("Whose turn"), One(setup.seats)),
        alone("passed", N_("Out of the trick"), Some(setup.seats)),
        alone("trick", N_("The trick, in order"), deck, CARDS, places=("trick",)),
        *(
            Part(("taken", seat, at), text, seat, (Field("", deck),), CARDS, covered=covered,
                 places=("taken", f"taken {seat}", f"seat {seat}"))
            for seat in setup.seats
            for at, text in enumerate([*[N_("A trick {of} took")] * len(taken.get(seat) or ()),
                                       N_("Another trick for {of}")])
        ),
    ]  # fmt: skip


def follow(setup: Setup, written: Written) -> Written:
    """Derive the hands from the cards already played (`FOLLOWS`)."""
    tricks = [trick for tricks in (written.get("taken") or {}).values() for trick in tricks]
    seen = {card for trick in (written.get("trick") or (), *tricks) for card in trick}
    hands = dealt(setup, opening)
    return {"hand": {seat: [card for card in hands[seat] if card not in seen] for seat in setup.seats}}


# -- what people compare, place by place -----------------------------------------------------------------------------


def places(setup: Setup) -> Sequence[Spot]:
    hands = dealt(setup, opening)
    deck = [card for seat in setup.seats for card in hands[seat]]
    return [*by_seat(setup.seats, ("hand",)), Spot("trick", deck), Spot("taken", (CARD,), 65)]


def rebuilt(view: SpartacusView, laid: Layout) -> Layout:
    """Return the layout with each player's taken tricks (S-7)."""
    return {**laid, **{f"tricks {seat}": {"trick": count} for seat, count in view["tricks"].items() if count}}


def entered(written: Written, place: str, pieces: Mapping[str, int]) -> tuple[Path, Any] | None:
    return (("trick",), in_order(written.get("trick") or (), pieces)) if place == "trick" else None


POSITION: Position[State, SpartacusView] = Position(
    write,
    read,
    ("hand",),
    layout,
    parts=parts,
    follow=follow,
    follows=FOLLOWS,
    places=places,
    rebuilt=rebuilt,
    entered=entered,
)
