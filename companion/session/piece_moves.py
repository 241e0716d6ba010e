"""Moves of pieces, chips and shown cards on the real table when the game turns to another line of acts (T-11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.games import position_of
from companion.rules import N_, Amend, AnyGame, Decide, Redo, Ruling, Setup, Undo, ruled
from companion.rules.cards import DECK, Card
from companion.rules.layout import Layout, Lying, Move, Payment, moves, open_cards
from companion.rules.views import View
from companion.rules.vocabulary import BANK, CARD
from companion.session._followed_cards import followed, seen_in, turned
from companion.session.receipt import Receipt, acts, fork


@dataclass(frozen=True, slots=True)
class Restored:
    """Pieces that move, chips that were announced when they moved and now move again, and cards everybody has seen."""

    moves: Sequence[Move]
    chips: Sequence[Payment] = ()
    seen: Sequence[Card] = ()
    counted: Sequence[Payment] = ()
    """Payments that do not move, as the purses have been counted since."""

    def ruling(self, code: str, rule: str, text: str, **facts: object) -> Ruling:
        """Return the ruling that says what was done, then what goes where."""
        told = {"moves": self.moves, "chips": self.chips, "seen": self.seen}
        facts |= {name: fact for name, fact in told.items() if fact or name == "moves"}
        said = ruled(code, rule, text, **facts)
        for name, more in GOES.items():
            if told[name]:
                said = ruled(code, rule, more, **facts, said=said)
        return said


NO_CARDS: Mapping[str, str] = {}
GOES = {
    "moves": N_("{said} On the table: {moves}."),
    "chips": N_("{said} Chips: {chips}."),
    "seen": N_("{said} Everybody has seen: {seen}."),
}
"""The facts of what goes where, and how each is told."""


def restored(game: AnyGame, setup: Setup, opening: object, before: Receipt | None, after: Receipt | None) -> Restored:
    """Return what goes where when the line that ends with `before` is left for the line that ends with `after`."""
    start = _public_view(game, opening, before), _public_view(game, opening, after)
    last, now = (position_of(game.name).layout(view, setup.options) for view in start)
    first = position_of(game.name).layout(game.view(opening), setup.options)
    was = {**followed(game, setup, first, before), **seen_in(after, before)}
    lies = {**followed(game, setup, first, after), **seen_in(before, after)}
    common = fork(before, after)
    gone, come = acts(before, common), acts(after, common)
    shown = (card for act in _without_unchanged(gone, come) for card in (*act.open, *map(str, turned(act))))
    seen = _shown_cards([*open_cards(last), *shown], now)
    return Restored((*moves(last, now, was, lies), *_public_chips(*start)), _announced_chips(game, gone, come), seen)


def changed(game: AnyGame, setup: Setup, before: View, after: View, was: Lying) -> Restored:
    """Return the moves of pieces, chips and open cards that bring the real table to the position it has decided (T-9).

    `was` says where cards lay that all can follow.
    """
    of = position_of(game.name)
    last, now = of.layout(before, setup.options), of.layout(after, setup.options)
    return Restored((*moves(last, now, was), *_public_chips(before, after)), (), _shown_cards(open_cards(last), now))


def told(turn: Receipt, mistaken: Mapping[str, str] = NO_CARDS) -> Restored:
    """Return what a turn to another line says of the real table.

    A card recorded by mistake, by this turn or before, is left out: nobody has seen it, and the right one has lain in
    its place all along.
    """
    mistaken = {**mistaken, **_mistaken_cards(turn.public)}
    seen = tuple(card for card in _facts_named(turn, "seen") if str(card) not in mistaken)
    moved = _without_swaps(_facts_named(turn, "moves"), mistaken)
    return Restored(moved, tuple(_facts_named(turn, "chips")), seen)


def hands_move(ruling: Ruling) -> Sequence[Move]:
    """Return the moves that the ruling of a turn to another line asks for, without a card recorded by mistake."""
    return _without_swaps(ruling.facts.get("moves", ()), _mistaken_cards([ruling]))


def mistaken_cards(line: Iterable[Receipt]) -> Mapping[str, str]:
    """Return each card recorded by mistake in these acts, with the card it was."""
    found: dict[str, str] = {}
    for act in line:
        again = _mistaken_cards(act.public)
        found = {**{was: again.get(now, now) for was, now in found.items()}, **again}
    return found


def _mistaken_cards(rulings: Iterable[Ruling]) -> Mapping[str, str]:
    """Return each card that a correction replaces, with the card it was."""
    both = [(ruling.facts.get("was") or {}, ruling.facts.get("now") or {}) for ruling in rulings]
    return {was["card"]: now.get("card", "") for was, now in both if "card" in was}


def _without_swaps(found: Sequence[Any], mistaken: Mapping[str, str]) -> Sequence[Any]:
    """Return the moves on a table where the right card lies in place of each mistaken one, also face down."""
    back = {(move.piece, move.to, move.from_) for move in found if move.piece == CARD}
    moved = [move for move in found if (move.piece, move.from_, move.to) not in back]
    for was, now in mistaken.items():
        away = next((move for move in moved if move.piece == was), None)
        there = next((move for move in moved if move.piece == now), None)
        # one of the two may have no name: it goes to, or comes from, a place where it lies face down
        away = away or (there and _unseen(moved, to=there.from_))
        there = there or (away and _unseen(moved, from_=away.to))
        if away and there and away is not there and away.to == there.from_:
            at = moved.index(there)
            moved[at : at + 1] = [Move(now, 1, away.from_, there.to)] if away.from_ != there.to else []
            moved.remove(away)
    return tuple(moved)


def _unseen(moved: Sequence[Move], *, from_: str = "", to: str = "") -> Move | None:
    """Return the move of a single card without a name from or to this place."""
    found = (move for move in moved if move.piece == CARD and move.count == 1)
    return next((move for move in found if move.from_ == from_ or move.to == to), None)


def together(
    game: AnyGame, setup: Setup, views: tuple[View, View], turns: Sequence[Receipt], mistaken: Mapping[str, str]
) -> Restored:
    """Return what leads the real table from the first view to the second, after these turns and moves in between.

    What one brings and another takes away again is left out. No chips are among it: see `netted`.
    """
    then, now = (position_of(game.name).layout(view, setup.options) for view in views)
    unseen = {*open_cards(now), *mistaken}
    seen = dict.fromkeys(card for turn in turns for card in told(turn).seen if str(card) not in unseen)
    named = [move for turn in turns for move in _facts_named(turn, "moves") if move.piece in DECK]
    was = {move.piece: move.from_ for move in reversed(named)}
    return Restored((*_without_swaps(moves(then, now, was), mistaken), *_public_chips(*views)), (), tuple(seen))


def announced(game: AnyGame, act: Receipt) -> Sequence[Payment]:
    """Return the payments that a move tells."""
    return [payment for ruling in act.public for payment in position_of(game.name).paid(ruling)]


def due(game: AnyGame, before: Receipt | None, after: Receipt | None) -> tuple[Sequence[Payment], Sequence[Payment]]:
    """Return the chips that move when the line that ends with `before` is left for the line that ends with `after`.

    That is what was announced, but for payments before a count of the purses that stands in both lines: what was
    counted holds. Such payments come second.
    """
    common = fork(before, after)
    gone, come = acts(before, common), acts(after, common)
    both = {act.number for act in gone} & {act.number for act in come if isinstance(act.event, Decide)}
    found, held = list[Payment](), list[Payment]()
    for line, sign in ((gone, -1), (come, 1)):
        counted = {BANK}
        for act in reversed(line):
            if act.number in both:
                counted |= {*recounted(act)}
            for of in announced(game, act):
                into = held if {of.from_, of.to} <= counted else found
                into.append(Payment(sign * of.count, of.from_, of.to))
    return netted(found), netted(held)


def recounted(act: Receipt) -> Sequence[str]:
    """Return the seats whose secret purses a decision of the table sets."""
    if act.game is None or not isinstance(act.event, Decide) or "chips" not in position_of(act.game.name).secret:
        return ()
    return tuple((act.event.change or {}).get("chips") or ())


def turns_line(act: Receipt) -> bool:
    """Return whether it turns to another line, or changes the position, and says itself what goes where."""
    return isinstance(act.event, Undo | Redo | Amend | Decide)


def _facts_named(turn: Receipt, name: str) -> Sequence[Any]:
    return [fact for ruling in turn.public for fact in ruling.facts.get(name) or ()]


def _public_view(game: AnyGame, opening: object, act: Receipt | None) -> View:
    view: View = act.view if act else game.view(opening)
    return view


def _public_chips(before: View, after: View) -> Sequence[Move]:
    """Return the moves of chips that everybody may count, as Hannibal's: they come from the bank and go back there."""
    had: Mapping[str, int] = before.get("chips") or {}  # type: ignore[assignment]
    has: Mapping[str, int] = after.get("chips") or {}  # type: ignore[assignment]
    gained = {seat: has.get(seat, 0) - had.get(seat, 0) for seat in dict.fromkeys((*had, *has))}
    return [
        Move("chip", abs(more), *((BANK, seat) if more > 0 else (seat, BANK))) for seat, more in gained.items() if more
    ]


def _announced_chips(game: AnyGame, gone: Sequence[Receipt], come: Sequence[Receipt]) -> Sequence[Payment]:
    """Return the sum of what was announced: backwards for the acts that go, forwards for those that come."""
    return netted(
        Payment(sign * payment.count, payment.from_, payment.to)
        for line, sign in ((gone, -1), (come, 1))
        for act in line
        for payment in announced(game, act)
    )


def netted(payments: Iterable[Payment]) -> Sequence[Payment]:
    """Return one net payment between every two; a negative payment went the other way."""
    total: dict[tuple[str, str], int | Fraction] = {}
    for payment in payments:
        ends, count = (payment.from_, payment.to), payment.count
        if ends[::-1] in total:
            ends, count = ends[::-1], -count
        total[ends] = total.get(ends, 0) + count
    return [
        Payment(count, *ends) if count > 0 else Payment(-count, *ends[::-1]) for ends, count in total.items() if count
    ]


def _without_unchanged(gone: Sequence[Receipt], come: Sequence[Receipt]) -> Sequence[Receipt]:
    """Return the acts that do not come again just as they were.

    What the other acts turned up, they turn up again.
    """
    again = {act.number: (act.event, act.public) for act in come}
    return [act for act in gone if again.get(act.number) != (act.event, act.public)]


def _shown_cards(before: Iterable[str], after: Layout) -> Sequence[Card]:
    """Return the cards that lay open before and do not now: everybody has seen them."""
    still = open_cards(after)
    return [DECK[card] for card in dict.fromkeys(before) if card not in still]


def bare(ruling: Ruling) -> Ruling:
    """Return the ruling without what it had people do on the table."""
    while isinstance(said := ruling.facts.get("said"), Ruling):
        ruling = said
    return ruling
