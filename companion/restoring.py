"""What goes where on the real table when the game turns to another line of acts (T-11): pieces, chips, cards seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.cards import DECK, Card
from companion.layout import BANK, Layout, Move, Payment, moves
from companion.notation import layout, notation
from companion.receipt import Receipt, acts, fork
from companion.rules import N_, AnyGame, Ruling, Setup, ruled
from companion.views import View


@dataclass(frozen=True, slots=True)
class Restored:
    """Pieces that move, chips that were announced when they moved and now move again, and cards everybody has seen."""

    moves: Sequence[Move]
    chips: Sequence[Payment] = ()
    seen: Sequence[Card] = ()

    def ruling(self, code: str, rule: str, text: str, **facts: Any) -> Ruling:
        """The ruling that tells it: what was done, then what goes where."""
        told = {"moves": self.moves, "chips": self.chips, "seen": self.seen}
        facts |= {name: fact for name, fact in told.items() if fact or name == "moves"}
        said = ruled(code, rule, text, **facts)
        for name, more in MORE.items():
            if told[name]:
                said = ruled(code, rule, more, **facts, said=said)
        return said


MORE = {
    "moves": N_("{said} On the table: {moves}."),
    "chips": N_("{said} Chips: {chips}."),
    "seen": N_("{said} Everybody has seen: {seen}."),
}


def restored(game: AnyGame, setup: Setup, opening: Any, before: Receipt | None, after: Receipt | None) -> Restored:
    """What goes where when the line that ended with the one act is left for the line that ends with the other."""
    start = _view(game, opening, before), _view(game, opening, after)
    last, now = (layout(game, view, setup.options) for view in start)
    common = fork(before, after)
    gone, come = acts(before, common), acts(after, common)
    layouts = [last, *(layout(game, act.view, setup.options) for act in gone)]
    return Restored((*moves(last, now), *_public_chips(*start)), _chips(game, gone, come), _seen(layouts, now))


def changed(game: AnyGame, setup: Setup, before: View, after: View) -> Restored:
    """What goes where when a decision changes the position."""
    last, now = layout(game, before, setup.options), layout(game, after, setup.options)
    return Restored((*moves(last, now), *_public_chips(before, after)), (), _seen([last], now))


def _view(game: AnyGame, opening: Any, act: Receipt | None) -> View:
    view: View = act.view if act else game.view(opening)
    return view


def _public_chips(before: View, after: View) -> Sequence[Move]:
    """Chips that everybody may count, as Hannibal's: they come from the bank and go back there."""
    had: Mapping[str, int] = before.get("chips") or {}  # type: ignore[assignment]
    has: Mapping[str, int] = after.get("chips") or {}  # type: ignore[assignment]
    found: list[Move] = []
    for seat in dict.fromkeys((*had, *has)):
        more = has.get(seat, 0) - had.get(seat, 0)
        if more:
            found.append(Move("chip", abs(more), *((BANK, seat) if more > 0 else (seat, BANK))))
    return found


def _chips(game: AnyGame, gone: Sequence[Receipt], come: Sequence[Receipt]) -> Sequence[Payment]:
    """The sum of what was announced: backwards for the acts that go, forwards for those that come."""
    total: dict[tuple[str, str], int | Fraction] = {}
    for line, sign in ((gone, -1), (come, 1)):
        for payment in (paid for act in line for ruling in act.public for paid in notation(game.name).paid(ruling)):
            ends, count = (payment.from_, payment.to), sign * payment.count
            if ends[::-1] in total:
                ends, count = ends[::-1], -count
            total[ends] = total.get(ends, 0) + count
    return [
        Payment(count, *ends) if count > 0 else Payment(-count, *ends[::-1]) for ends, count in total.items() if count
    ]


def _seen(before: Sequence[Layout], after: Layout) -> Sequence[Card]:
    """Cards that lay open before and do not now: everybody has seen them."""
    open_now = {piece for pieces in after.values() for piece in pieces}
    was_open = dict.fromkeys(piece for layout in before for pieces in layout.values() for piece in pieces)
    return [DECK[piece] for piece in was_open if piece in DECK and piece not in open_now]
