"""How often each seat has heard an explanation: after a few times the short form is enough."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any

from companion.record.preferences import Keeper, are_explained, remembered
from companion.rules import Ruling, Seat
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.speech import Explained

TIMES = 3
"""How often a seat hears an explanation unasked."""
KEY = "explained"
"""What the store calls the counts."""


class Explanations:
    """The counts of what each seat has been told, from one evening to the next; without a store for one game."""

    def __init__(self, store: Keeper | None = None) -> None:
        self._store = store
        self._heard: Mapping[Seat, Mapping[str, int]] = (store and remembered(store, KEY, are_explained)) or {}

    def text(self, seat: Seat, text: str, facts: Data) -> str:
        """Return the template that this seat hears, and count an explanation in it."""
        if not isinstance(text, Explained):
            return text
        counts, key = self._heard.get(seat, {}), explanation(text, facts)
        if counts.get(key, 0) >= TIMES:
            return text
        self._heard = {**self._heard, seat: {**counts, key: counts.get(key, 0) + 1}}
        if self._store:
            self._store.keep(KEY, self._heard)
        return text.full


def explanation(text: Explained, facts: Data) -> str:
    """Return the key of an explanation: its template, with the texts of the facts that it alone names."""
    named = [facts[name] for name in _named(text.full) if name not in _named(text)]
    return " ".join([text.full, *map(_text, named)])


def _text(fact: Any) -> str:
    match fact:
        case Message():
            return fact.template
        case Ruling():
            return fact.text
    return str(fact)


def _named(text: str) -> list[str]:
    return [field for _, field, _, _ in Formatter().parse(text) if field]
