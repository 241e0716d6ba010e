"""The acts that are possible now, as everybody at the table may know them: for pads that work with any game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from companion.rules import AnyGame, Event
from companion.rules.cards import Card

HIDDEN = ("card", "chips", "text", "opened")
"""Kinds whose legal values would give away what a hand or a purse holds, or are free anyway."""


@dataclass(frozen=True, slots=True)
class Outline:
    """One kind of act: its verb, and for each key of its event the kind of value and the values that are legal.

    Values are None where anything may be tried (a card, an amount, words): the rules refuse what does not fit.
    """

    verb: str
    keys: Mapping[str, tuple[str, Sequence[Any] | None]]


def outlines(game: AnyGame, state: Any) -> list[Outline]:
    """Return the outlines of all legal acts, and of blind acts offered beside one; none depends on what is hidden."""
    found: list[Outline] = []
    for moves in game.legal(state):
        names = [field.name for field in fields(moves.event)]
        keys: dict[str, tuple[str, Sequence[Any] | None]] = {}
        for name, (key, kind, _) in zip(names, shape_of(moves.event), strict=True):
            free = kind in HIDDEN or name not in moves.values
            keys[key] = kind, None if free else tuple(moves.values[name])
        outline = Outline(verb(moves.event), keys)
        if outline not in found:
            found.append(outline)
    for act, beside in game.blind.items():
        if any(outline.verb == beside for outline in found):
            found = [*_for_awaited_seats(game, state, act), *(outline for outline in found if outline.verb != act)]
    return found


def _for_awaited_seats(game: AnyGame, state: Any, act: str) -> Iterator[Outline]:
    """Yield the act for every seat awaited, without looking at what the seat holds."""
    (event,) = (event for event in game.events if verb(event) == act)
    for seat in game.view(state)["waiting"]:
        others = tuple(other for other in state.setup.seats if other != seat)
        seats = {"seat": (seat,), "to": others}
        yield Outline(act, {key: (kind, seats.get(key)) for key, kind, _ in shape_of(event)})


# -- The shape of an event: its verb, its keys and what they hold, by which a transcript is written and read -------


def verb(event: type[Event]) -> str:
    """Return an event's verb: `NoDecision` is "no_decision"."""
    return _snake_case(event.__name__)


@cache  # a screen asks for it once for every act of the game
def _snake_case(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def shape_of(event: type[Event]) -> tuple[tuple[str, str, bool], ...]:
    """Return, for each field of an event, its key, the kind of its value, and whether it is required."""
    if event not in _SHAPES:
        hints = get_type_hints(event, include_extras=True)
        _SHAPES[event] = tuple((key_of(f.name), *_kind(hints[f.name])) for f in fields(event))
    return _SHAPES[event]


_SHAPES: dict[type[Event], tuple[tuple[str, str, bool], ...]] = {}


def _kind(hint: Any) -> tuple[str, bool]:
    if get_origin(hint) is UnionType or NoneType in get_args(hint):
        return _kind(next(arg for arg in get_args(hint) if arg is not NoneType))[0], False
    if hasattr(hint, "__metadata__"):
        return str(hint.__metadata__[0]), True
    if get_origin(hint) is tuple:
        return "seats", True
    return {Card: "card", bool: "bool", str: "text", int: "number"}[hint], True


def key_of(name: str) -> str:
    """Return a field's key on the page: `from_` is "from" there."""
    return name.rstrip("_")
