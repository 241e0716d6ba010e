"""A game's rules to read: its clauses under their headings, numbered, each with its mark in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.answers.why import mark
from companion.games import guide_of
from companion.rules import N_, AnyGame
from companion.rules.words import Clause, Tongue, clauses, shared_clauses
from ui.pages.answer_items import Cited, Heading, Sentence


def pages(game: AnyGame, tongue: Tongue) -> Sequence[Any]:
    """Return the aim, the game's clauses, and the clauses for every game, under headings."""
    return list(_all_items(game, tongue))


def _all_items(game: AnyGame, tongue: Tongue) -> Iterator[Any]:
    if aim := guide_of(game.name).aim:
        yield from (Heading(tongue.tr(N_("What it is about"))), Sentence(tongue.tr(aim)))
    yield from _sections(clauses(game.clauses).values(), tongue, N_("How it is played"))
    yield from _sections(shared_clauses().values(), tongue, N_("In every game"))


def _sections(found: Iterable[Clause], tongue: Tongue, untitled: str) -> Iterator[Any]:
    section = None
    for clause in found:
        if clause.section != section:
            section = clause.section
            yield Heading(tongue.tr(section or untitled))
        yield cited(clause, tongue)


def cited(clause: Clause, tongue: Tongue) -> Cited:
    return Cited(clause.rule, tongue.tr(clause.text), mark(clause, tongue))


def headings(items: Sequence[Any]) -> Sequence[tuple[int, str]]:
    """Return the position and the text of each section's heading."""
    return [(at, item.text) for at, item in enumerate(items) if isinstance(item, Heading)]


def place(items: Sequence[Any], rule: str) -> int:
    """Return the position of a clause; 0 if it is not there."""
    return next((at for at, item in enumerate(items) if isinstance(item, Cited) and item.rule == rule), 0)
