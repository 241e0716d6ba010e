"""The shape of an event: its verb, and what its keys are and hold; a transcript is written and read by it."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from companion.rules import Event
from companion.rules.cards import Card


def verb(event: type[Event]) -> str:
    """`NoDecision` is "no_decision"."""
    return _lowered(event.__name__)


@cache  # a screen asks for it once for every act of the game
def _lowered(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def shape_of(event: type[Event]) -> tuple[tuple[str, str, bool], ...]:
    """For each field of an event: its key, the kind of its value, and whether it must be there."""
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
    """`from_` is "from" on the page."""
    return name.rstrip("_")
