"""Cards that lie face down and that everybody can follow: put aside, taken, or out of the game since all saw them.

They are found from public information alone: the views of the acts that stand, and the cards they turned up.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import position_of
from companion.rules import AnyGame, Choose, Decide, Reveal, Setup
from companion.rules.cards import DECK, Card
from companion.rules.layout import Layout, Lying, Move, is_hand, owner, whose
from companion.rules.vocabulary import CARD
from companion.session.receipt import Receipt, acts, backwards, chosen, sealed, unseen

KEPT = "_followed"
"""The key under which an act caches its result: a line is gone through once."""


def followed(game: AnyGame, setup: Setup, opening: Layout, last: Receipt | None) -> Lying:
    """Return where such cards lie after this act, `opening` being the layout before the first."""
    line: list[Receipt] = []
    for act in backwards(last):
        if KEPT in act.__dict__:
            break
        line.append(act)
    for act in reversed(line):
        before = act.before
        lay = position_of(game.name).layout(before.view, setup.options) if before else opening
        known: Lying = before.__dict__[KEPT] if before else {}
        act.__dict__[KEPT] = _cards_after(act, known, lay, position_of(game.name).layout(act.view, setup.options))
    return last.__dict__[KEPT] if last else {}


def _cards_after(act: Receipt, known: Lying, before: Layout, after: Layout) -> Lying:
    fewer = {at for at in before if after.get(at, {}).get(CARD, 0) < before[at].get(CARD, 0)}
    now = {card: place for card, place in known.items() if place not in fewer}  # nobody knows which have gone
    lying_open = {piece for pieces in after.values() for piece in pieces if piece in DECK}
    if isinstance(act.event, Decide):
        _follow_decision(now, act, after)
    else:
        was_open = [piece for pieces in before.values() for piece in pieces if piece in DECK]
        for card in (card for card in (*was_open, *map(str, turned(act))) if card not in lying_open):
            if place := _new_place(card, before, after):
                now[card] = place
            else:
                now.pop(card, None)
    return {card: place for card, place in now.items() if card not in lying_open}


def _new_place(card: str, before: Layout, after: Layout) -> str | None:
    """Return where a card lies that lay open and does so no more, None where nobody can tell.

    That is a place where more lie face down than before, except a hand or the pile.
    """
    grown = [
        at
        for at in after
        if after[at].get(CARD, 0) > before.get(at, {}).get(CARD, 0) and whose(at) in (owner(card), None)
    ]
    return next((at for at in grown if not _is_home(at)), None)


def _is_home(place: str) -> bool:
    """Return whether a place is a hand or the pile, where nobody can tell one card from the others."""
    return is_hand(place) or place == "pile"


def _follow_decision(now: dict[str, str], act: Receipt, after: Layout) -> None:
    """Follow the cards that a decision moves by name."""
    moves: Sequence[Move] = [move for ruling in act.public for move in ruling.facts.get("moves") or ()]
    for move in moves:
        if move.piece in DECK and CARD in after.get(move.to, {}) and not _is_home(move.to):
            now[move.piece] = move.to


def turned(act: Receipt) -> Sequence[Card]:
    """Return the cards that an act turned up, at any place they lie after it."""
    match act.event:
        case Reveal():
            return tuple(chosen(act.before).values())
        case Choose():
            return ()
    card = getattr(act.event, "card", None)
    return (card,) if isinstance(card, Card) else ()


def seen_in(other: Receipt | None, last: Receipt | None) -> Lying:
    """Return the cards face down after `last` that everybody has seen in the line of the other act.

    There they were turned up. Nobody has seen cards that were replaced there before a reveal.
    """
    line = acts(other)
    hidden = {number for numbers in unseen(line) for number in numbers}
    shown = {(act.number, act.event) for act in line if isinstance(act.event, Choose) and act.number not in hidden}
    return {
        str(card): f"sealed {seat}"
        for seat, (number, card) in sealed(last).items()
        if (number, Choose(seat, card)) in shown
    }
