"""The table has the last word: undo to, redo, amend and decide, over all games, beside an independent reading."""

from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import table
from companion.games import position_of
from companion.record.transcript import dump_event, parse, read_event
from companion.rules import Amend, AnyGame, Choose, Redo, Reveal, Undo, as_json
from companion.session import Session
from companion.session.deciding import merge
from companion.session.receipt import acts, fork
from tests.support.amending import other, some_event
from tests.support.tables import FEW
from tests.support.transcript_oracle import Reading, patched


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_a_game_with_all_of_it_agrees_with_an_independent_reading(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    header = table(games.game(name), seats, options)
    session, rng = Session(header.game, header.setup), Random(f"{name} {seats} {options}")
    reading = Reading(header.game, header.setup, session.opening)
    accepted = 0
    for _ in range(60):
        event = some_event(session, rng)
        read = read_event(header, parse(dump_event(event))).event
        assert read == event
        before = session.mark()
        receipt = session.receive(event)
        assert receipt.ok == reading.take(event), (event, receipt.rulings)
        accepted += receipt.ok
        assert [act.number for act in session.acts] == [number for number, _ in reading.line]
        assert session.state == reading.state
        assert (receipt.number or None) == (accepted if receipt.ok else None)
        assert receipt.standing == session.standing == len(session.acts)
        if not receipt.ok:
            assert session.mark() == before and receipt.rulings
    assert accepted > 25


@pytest.mark.parametrize("name", games.NAMES)
def test_a_journal_with_all_of_it_resumes_to_the_same(name: str) -> None:
    header = table(games.game(name), games.game(name).seats[0])
    session, rng = Session(header.game, header.setup), Random(name)
    kept = [event for event in (some_event(session, rng) for _ in range(70)) if session.receive(event).ok]
    again = Session(header.game, header.setup)
    assert all(again.receive(read_event(header, parse(dump_event(event))).event).ok for event in kept)
    assert again.state == session.state
    for _ in range(80):
        step = Undo() if rng.random() < 0.7 else Redo()
        one, other = session.receive(step), again.receive(step)
        assert one.ok == other.ok and session.state == again.state


@pytest.mark.parametrize(
    ("target", "patch"),
    [
        ({"a": "b"}, {"a": "c"}), ({"a": "b"}, {"b": "c"}), ({"a": "b"}, {"a": None}), ({"a": ["b"]}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}), ({"a": [{"b": "c"}]}, {"a": [1]}), ({"e": None}, {"a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}),
    ],
)  # fmt: skip
def test_a_change_is_a_merge_patch(target: Any, patch: Any) -> None:
    """RFC 7396, appendix A."""
    assert merge(target, patch) == patched(target, patch)


def hidden_facts(game: AnyGame, event: Choose) -> str:
    return str(as_json(event.card))


@pytest.mark.parametrize("name", ["prokonsul", "caesar", "hannibal"])
def test_a_sealed_card_is_never_told_by_an_amendment(name: str) -> None:
    """Law 2: whatever is amended while cards lie face down, none of them is named."""
    header = table(games.game(name), games.game(name).seats[0])
    session, rng = Session(header.game, header.setup), Random(4)
    tried = 0
    for _ in range(150):
        moves = session.legal()
        if not moves:
            break
        session.receive(rng.choice(moves).pick(rng.choice))
        sealed: list[Choose] = []
        for act in session.acts:
            sealed = [] if isinstance(act.event, Reveal) else sealed
            sealed += [act.event] if isinstance(act.event, Choose) else []
        others = [act for act in session.acts if not isinstance(act.event, Choose)]
        if not sealed or not others:
            continue
        mark = session.mark()
        receipt = session.receive(Amend(rng.choice(others[-6:]).number, other(session, rng)))
        if receipt.ok:
            tried += 1
            cards = {hidden_facts(header.game, event) for event in sealed}
            told = str([(ruling.facts, ruling.text) for ruling in receipt.public])
            event = session.acts and receipt.event
            assert isinstance(event, Amend)
            named = {str(event.as_.card)} if isinstance(event.as_, Choose) else set()
            common = fork(mark[0].last, session.last)  # what lay open on either line everybody has seen
            lines = [*acts(mark[0].last, common), *acts(session.last, common)]
            named |= {
                card
                for act in lines
                for at in position_of(header.game.name).layout(act.view, header.options).values()
                for card in at
            }
            assert not any(f"'{card}'" in told for card in cards - named)
        session.back_to(mark)
    assert tried
