"""What was said, to be heard again by ear: from the acts alone, for whoever it was said to."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers.guide import known
from companion.answers.snapshot import parts
from companion.cli.simulate import play, table
from companion.games import guide_of
from companion.games.spartacus.rules import Play
from companion.offers.acts import Acts
from companion.offers.history import history
from companion.rules import Amend, Redo, Reveal, Undo
from companion.rules.guide import Saying
from companion.rules.menu import Entry, made
from companion.session import Session
from companion.session.receipt import Receipt
from companion.voice.spoken_language import Spoken
from tests.support.states import disguises, travel
from tests.support.tables import FEW, TABLES


def heard(header: Any, session: Session, log: list[Receipt], seat: str) -> list[tuple[str, list[str]]]:
    """Each entry, and what is said when it is taken."""
    tongue = Spoken("en", header.players)

    def say(of: Saying | Entry) -> str:
        return tongue.tr(of.text, **of.facts)

    entries = history(Acts(session.game, session.state, known(header, session), seat), log, session.acts).entries
    return [(say(entry), [say(saying) for saying in made(entry.then)]) for entry in entries]  # type: ignore[union-attr]


def some_game(name: str, seats: int, options: dict[str, Any]) -> tuple[Any, Session, list[Receipt]]:
    header, log = table(games.game(name), seats, options), []
    found: Session | None = None
    for session, receipt in play(header, Random(name)):
        log.append(receipt)
        found = session
    assert found
    return header, found, log


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_each_line_is_heard_again_and_none_that_was_for_somebody_else(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    header, session, log = some_game(name, seats, options)
    for seat in header.seats:
        said = heard(header, session, log, seat)
        keys = [(entry.text, repr(entry.facts)) for entry in history(
            Acts(session.game, session.state, known(header, session), seat), log, session.acts).entries]  # fmt: skip
        assert len(set(keys)) == len(keys) > len(log) // 3
        assert all(lines and all(lines) for _, lines in said)
    whispers = {of.text for act in log for of in act.rulings if of.seat not in (None, header.seats[0])}
    mine = {of.text for act in log for of in act.rulings if of.seat == header.seats[0]}
    acts = Acts(session.game, session.state, known(header, session), header.seats[0])
    told = {entry.facts["said"].text for entry in history(acts, log, session.acts).entries if "said" in entry.facts}
    assert not told & (whispers - mine - {of.text for act in log for of in act.public})


def test_undone_moves_stay_in_the_spoken_history() -> None:
    header, session, log = some_game("spartacus", 3, {})
    last = log[-1]
    before = heard(header, session, log, "red")
    log.append(session.receive(Undo()))
    newest = heard(header, session, log, "red")
    gone = [said for said, _ in newest if said.endswith("That was taken back.")]
    assert len(gone) >= len(last.public) - 1 > 0
    log.append(session.receive(Redo()))
    assert not any("That was taken back." in said for said, _ in heard(header, session, log, "red"))
    assert len(heard(header, session, log, "red")) > len(before)


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_every_game_ends_in_parts_that_have_names(name: str, seats: int, options: dict[str, Any]) -> None:
    _, session, _ = some_game(name, seats, options)
    found = parts(name, session.acts)
    assert [act for part in found for act in part.acts] == list(session.acts)
    named = [part.name for part in found if part.name]
    assert (named or not guide_of(name).ends) and len({(name.template, repr(name.facts)) for name in named}) == len(
        named
    )
    assert not named or all(part.name for part in found[:-1])


def test_an_amendment_says_what_came_out_otherwise() -> None:
    """S-10: a lower card in a trick that has been taken makes it worth less."""
    header = table(games.game("spartacus"), 3, {})
    log: list[Receipt] = []
    session = Session(header.game, header.setup)
    for session, receipt in play(header, Random(4)):  # noqa: B007 - the one it breaks off with
        log.append(receipt)
        if any(ruling.code == "taken" for ruling in receipt.public):
            break
    acts = [act for act in session.acts if act.verb == "play"]
    changed: list[str] = []
    for act in acts:
        for card in session.game.cards(header.options, act.event.seat):  # type: ignore[union-attr]
            amended = session.preview(Amend(act.number, Play(act.event.seat, card)))  # type: ignore[union-attr]
            if amended.ok and not amended.public[0].facts["fallen"]:
                log.append(session.receive(Amend(act.number, Play(act.event.seat, card))))  # type: ignore[union-attr]
                changed = [said for said, _ in heard(header, session, log, "red") if said.startswith("Now it is: ")]
                break
        if changed:
            break
    assert any("doubled: " in said or "worth" in said for said in changed), changed
    assert not any("takes the trick" in said for said in changed), "that is as it was"


SEALED = [case for case in FEW if games.game(case.values[0]).sealed]


@pytest.mark.parametrize(("name", "seats", "options"), SEALED)
def test_spoken_history_contains_nothing_hidden_from_its_seat(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, states = travel(name, seats, options)
    tried = 0
    for state, event in zip(states, events, strict=False):
        for other in disguises(header.game, state) if not isinstance(event, Reveal) and tried < 30 else ():
            said = []
            for each in (state, other):
                session = Session(header.game, header.setup)
                session.opening = each
                log = [session.receive(event)]
                blind = [seat for seat in header.seats if seat not in state.choices]
                said.append([line for seat in blind if log[0].ok for line in heard(header, session, log, seat)])
            assert said[0] == said[1]
            tried += bool(said[0])
    assert tried
