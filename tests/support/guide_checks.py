"""What the tests of the games' guides share: games at random, and every text said in every language."""

import ast
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from companion import games
from companion.answers.guide import known, now
from companion.cli.simulate import play, table
from companion.games import guide_of
from companion.rules.guide import Known
from companion.rules.words import LANGUAGES, Tongue, clauses
from companion.session import Session
from tests.support.paths import ROOT


def moments(game: str, seats: int, options: Mapping[str, Any], seed: int = 1) -> Iterator[Known[Any, Any]]:
    """Yield what everybody may know at every moment of a random game."""
    header = table(games.game(game), seats, dict(options))
    yield known(header, Session(header.game, header.setup))
    for session, _ in play(header, Random(seed)):
        yield known(header, session)


def answered(game: str, at: Known[Any, Any]) -> None:
    """Check that the answer names every possible move, cites the game's clauses and can be said in every language."""
    answer, rules = now(games.game(game), at), clauses(games.game(game).clauses)
    assert {can.verb for can in answer.can} == {outline.verb for outline in at.outlines} or at.view["over"]
    for saying in (*(can.says for can in answer.can), *answer.cannot):
        assert saying.rule in rules
        assert all("{" not in Tongue(lang).tr(saying.text, **saying.facts) for lang in LANGUAGES), saying


def codes(game: str) -> set[str]:
    """Return the codes of all rulings and refusals in a game's module."""
    tree = ast.parse((ROOT / "companion" / "games" / game / "rules.py").read_text(encoding="utf-8"))
    found: set[str] = set()
    for part in ast.walk(tree):
        match part:
            case ast.Call(ast.Name("ruled"), [ast.Constant(str(code)), *_]):
                found.add(code)
            case ast.Call(ast.Name("require"), [_, ast.Constant(str(code)), *_]):
                found.add(code)
    return found


def lessons(game: str, ats: Iterator[Known[Any, Any]]) -> list[str]:
    """Return the keys of the lessons in the order they are told, each once; check that seats of the game hear them."""
    told: list[str] = []
    for at in ats:
        for lesson in guide_of(game).lessons:
            if lesson.key not in told and not at.view["over"] and lesson.matters(at):
                assert set(lesson.to(at)) <= set(at.seats), lesson.key
                told.append(lesson.key)
    return told
