"""Every face at every position: what it shows needs no more than the position has, and no face takes the window with it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import table
from companion.games import position_of
from companion.play.equipment import Equipment
from companion.play.evening import Evening
from companion.record.transcript import event_data
from companion.session import Session
from tests.conftest import Window
from tests.support.playing import match_of, moment_of
from tests.support.tables import FEW, times
from tools.scenes.rehearsal import Memory
from ui.games.face import face_of
from ui.table import frame


def positions(name: str, seats: int, options: dict[str, Any], rng: Random) -> Iterator[tuple[dict[str, Any], Session]]:
    """Yield a header that begins in the middle for every moment of a random game, and the game itself there."""
    of = table(games.game(name), seats, options)
    session = Session(of.game, of.setup)
    while moves := session.legal():
        head = {"tabularium": 1, "game": name, "seats": list(of.seats), "options": dict(of.options), "reveal": "auto"}
        yield {**head, "position": position_of(of.game.name).written(session.state)}, session
        session.receive(rng.choice(moves).pick(rng.choice))


def drawn(evening: Evening) -> None:
    """Make all that the table, the pause and the end show of a game."""
    evening.drain()
    m = moment_of(evening)
    face = face_of(m.game.name)
    frame.band(m), frame.rail(m), frame.ruling_line(m)
    face.centre(m), face.resting(m), face.chart(m), face.laying(m)
    for seat in m.seats:
        face.tapped(m, seat)
        if m.view["over"]:
            face.parts(m, seat), face.breakdown(m, seat)
    for ruling in m.acts[-1].public if m.acts else ():
        face.summed(m, ruling)


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_a_face_shows_what_comes_after_any_position(name: str, seats: int, options: dict[str, Any]) -> None:
    rng = Random(f"{name} {seats} {options}")
    for head, session in positions(name, seats, options, rng):
        if rng.random() > times(25, 100) / 100:
            continue
        evening = Evening(Memory())
        evening.devices.equipment = Equipment(("centre",), tuple(head["seats"]))
        evening.begin(head)
        drawn(evening)
        match_of(evening).act(event_data(rng.choice(session.legal()).pick(rng.choice)))
        drawn(evening)
        match_of(evening).act({"event": "undo"})
        drawn(evening)


def test_a_round_that_ends_by_the_first_act_after_a_position_is_shown() -> None:
    of = table(games.game("prokonsul"), 3, {})
    session = Session(of.game, of.setup)
    rng = Random(11)
    ended = 0
    for _ in range(4):
        for head, session in positions("prokonsul", 3, {}, rng):
            for move in session.legal():
                data = event_data(move.pick(rng.choice))
                if data["event"] not in ("answer", "reveal"):
                    continue
                evening = Evening(Memory())
                evening.begin(head)
                match_of(evening).act(data | ({"accept": True} if "accept" in data else {}))
                drawn(evening)
                codes = {ruling.code for act in match_of(evening).session.acts for ruling in act.public}
                ended += bool(codes & {"reached", "alone"})
    assert ended


@pytest.mark.window("failing")
def test_a_face_that_raises_leaves_the_window_open_and_the_facts_in_it(window: Window) -> None:
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert "The board cannot be drawn" in out
