"""The game rebuilt from public information only, with placeholder purses and hands.

What is hidden is replaced by what anybody could have made up: full purses, cards that were shown later or any others,
any card for one that lies face down. Everything worked out from a twin is the same for every game that looks alike (law
2), so it may be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games import position_of
from companion.rules import AnyGame, Choose, Decide, Event, Ruling, Seat, Setup, judge
from companion.rules.data import SEALED
from companion.rules.mistakes import Mistakes
from companion.session import Session, deciding
from companion.session.receipt import Receipt, unseen

RICH = 1_000_000
"""More chips than anybody ever pays."""

Shown = Mapping[Seat, Sequence[str]]
"""The cards shown by every seat, in their order."""


@dataclass(frozen=True, slots=True)
class ReplayedAct:
    """An act of the line as everybody heard it, the twin before it and the twin after."""

    act: Receipt
    event: Event | None
    """None for a card never seen by anybody."""
    before: Any  # its game alone knows what a state is
    after: Any
    hidden: bool = False
    """Its card lies face down, or was never turned up."""


def twin(game: AnyGame, setup: Setup, state: object, shown: Shown) -> Any:
    """Return a state that looks like this one, made from public information only.

    Of a hand, the cards that are `shown` later come first. Returns None where the game cannot be written, or where no
    such hands are found.
    """
    try:
        written = position_of(game.name).written(state)
        made = {key: _placeholders(game, setup, state, shown, written[key]) for key in position_of(game.name).secret
                if key != SEALED and written.get(key)}  # fmt: skip
        if written.get(SEALED):
            made[SEALED] = {seat: made["hand"][seat][0] for seat in written[SEALED]}
        return position_of(game.name).read(setup, position_of(game.name).followed(setup, {**written, **made}))
    except Mistakes:
        return None


def _placeholders(
    game: AnyGame, setup: Setup, state: object, shown: Shown, of: Mapping[Seat, Any]
) -> Mapping[Seat, Any]:
    """Return, by seat, a placeholder purse, or a placeholder hand as large as the real one."""
    there = {
        piece for pieces in position_of(game.name).layout(game.view(state), setup.options).values() for piece in pieces
    }
    found: dict[Seat, Any] = {}
    for seat, held in of.items():
        if not isinstance(held, list):
            found[seat] = RICH
            continue
        cards = [card for card in map(str, game.cards(setup.options, seat)) if card not in there]
        first = [card for card in shown.get(seat, ()) if card in cards]
        found[seat] = list(dict.fromkeys((*first, *cards)))[: len(held)]
    return found


def line(session: Session, wanted: Sequence[str] = ()) -> Iterator[ReplayedAct]:
    """Yield the acts that stand, oldest first, each between its twins; `wanted` cards are said to lie open."""
    game, setup, acts = session.game, session.setup, session.acts
    hidden = {number for numbers in unseen(acts) for number in numbers}
    state = twin(game, setup, session.opening, later(acts, hidden, wanted))
    for at, act in enumerate(acts):
        event, after = _public_event(game, state, act, act.number in hidden), state
        if event and state is not None:
            after = judged(game, setup, state, event)[1]
        if after is None or game.view(after) != act.view:
            after = twin(game, setup, act.state, later(acts[at + 1 :], hidden, wanted))
        yield ReplayedAct(act, event, state, after, act.number in hidden)
        state = after


def later(acts: Sequence[Receipt], hidden: set[int], wanted: Sequence[str]) -> Shown:
    """Return the cards that everybody saw in these acts, by the seat that showed them, then the wanted cards."""
    found: dict[Seat, list[str]] = {}
    for act in acts:
        card, seat = getattr(act.event, "card", None), getattr(act.event, "seat", None)
        if card and seat and act.number not in hidden:
            found.setdefault(seat, []).append(str(card))
    for name in wanted:
        found.setdefault(name.split()[0], []).append(name)
    return found


def _public_event(game: AnyGame, state: object, act: Receipt, hidden: bool) -> Event | None:
    """Return the event as everybody heard it: some card for one face down, and nothing of a purse or a hand."""
    match act.event:
        case Choose(seat) if hidden:
            return None if state is None else some_choice(game, state, seat)
        case Decide(_, change) if change is not None:
            secret = position_of(game.name).secret
            return replace(act.event, change={key: value for key, value in change.items() if key not in secret})
    return act.event


def some_choice(game: AnyGame, state: object, seat: Seat) -> Choose | None:
    """Return a choice of any card for the seat to lay face down; None where it lays none now."""
    found = (moves for moves in game.legal(state) if moves.event is Choose and seat in moves.values["seat"])
    return next((Choose(seat, moves.values["card"][0]) for moves in found if moves.values["card"]), None)


def judged(game: AnyGame, setup: Setup, state: object, event: Event) -> tuple[bool, Any, Sequence[Ruling]]:
    """Judge an act of the line over twins; return the same as `judge`."""
    if isinstance(event, Decide):
        return deciding.decide(game, setup, state, event)
    return judge(game, state, event)
