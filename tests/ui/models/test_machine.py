"""A match as a machine of states: whatever is done at a table, in any order, the laws hold (laws 2, 3 and 4).

Hypothesis plays cards, presses, acts by finger, undo, redo, amendments and decisions, pulls the plug and loses a
device; what fails is shrunk to the shortest evening that does.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion import games
from companion.cli.simulate import table
from companion.record.transcript import event_data
from companion.rules import Amend, Decide, Event, Redo, Undo
from companion.rules.cards import DECK
from companion.rules.readings import CENTRE, Health, Press, Reading
from tests.support.amending import other
from tests.support.evenings import TAGS, Desk
from tests.support.states import disguises
from tests.support.tables import FEW, times

TABLES: list[Any] = [case.values for case in FEW]
TAG_OF = {str(card): tag for tag, card in TAGS.items()}
SEEDS = st.integers(0, 2**32 - 1)


class Table(RuleBasedStateMachine):
    """One game at a desk over a real store."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        self.desk = Desk(self.folder / "store.sqlite3")
        self.clock = 0
        self.journal: list[str] = []
        self.states: list[Any] = []

    def teardown(self) -> None:
        self.desk.store.close()
        rmtree(self.folder)

    @initialize(case=st.sampled_from(TABLES))
    def begin(self, case: Any) -> None:
        name, seats, options = case
        header = table(games.game(name), seats, options)
        self.desk.evening.begin({"tabularium": 1, "game": name, "seats": list(header.seats), "options": options})
        self.desk.settle()

    def now(self) -> int:
        self.clock += 700
        return self.clock

    def act(self, event: Event) -> bool:
        ok = all(receipt.ok for receipt in self.desk.match.act(event_data(event)))
        self.desk.settle()
        return ok

    # -- what people do ------------------------------------------------------------------------------------------

    @precondition(lambda self: self.desk.match.session.legal())
    @rule(seed=SEEDS)
    def somebody_acts(self, seed: int) -> None:
        rng = Random(seed)
        assert self.act(rng.choice(self.desk.match.session.legal()).pick(rng.choice)), "what is legal is accepted"

    @rule(card=st.sampled_from(sorted(DECK)), whose=SEEDS)
    def a_card_is_laid(self, card: str, whose: int) -> None:
        reader = Random(whose).choice([CENTRE, *self.desk.match.header.seats])
        self.desk.hear(
            Reading(reader, TAG_OF[card], True, self.now()), Reading(reader, TAG_OF[card], False, self.now())
        )

    @rule(seat=SEEDS, down=st.booleans())
    def a_button_moves(self, seat: int, down: bool) -> None:
        self.desk.hear(Press(Random(seat).choice(self.desk.match.header.seats), down, self.now()))

    @precondition(lambda self: self.desk.match.session.acts)
    @rule(seed=SEEDS, far=st.booleans())
    def a_step_is_taken_back(self, seed: int, far: bool) -> None:
        """Law 4: undo keeps the old state."""
        back = Random(seed).choice(self.desk.match.session.acts)
        if self.act(Undo(back.before.number if back.before else 0) if far else Undo()):
            state = self.desk.match.session.state
            assert state == back.before.state if far and back.before else state in self.states

    @rule()
    def it_is_brought_back(self) -> None:
        self.act(Redo())

    @precondition(lambda self: self.desk.match.session.acts)
    @rule(seed=SEEDS)
    def an_act_was_another(self, seed: int) -> None:
        session = self.desk.match.session
        self.act(Amend(Random(seed).choice(session.acts).number, other(session, Random(seed))))
        self.states += [
            act.state for act in session.acts
        ]  # of the line it has become, in which each is a step once again

    @rule(up=st.booleans())
    def the_table_decides(self, up: bool) -> None:
        self.act(Decide("So be it.", {} if up else None))

    # -- what happens to the box ---------------------------------------------------------------------------------

    @rule(well=st.booleans())
    def a_device_is_lost_or_comes_back(self, well: bool) -> None:
        """Law 5: the game goes on."""
        self.desk.hear(Health("reader centre", well, "" if well else "No answer."))

    @rule()
    def the_plug_is_pulled(self) -> None:
        before, state = self.desk.match.view, self.desk.match.session.state
        self.desk.store.close()
        self.desk = Desk(self.folder / "store.sqlite3")
        self.desk.evening.resume(self.number())
        self.desk.settle()
        assert self.desk.match.view == before and self.desk.match.session.state == state

    def number(self) -> int:
        (game,) = self.desk.evening.history()
        return game.number

    # -- what always holds ---------------------------------------------------------------------------------------

    @invariant()
    def what_is_shown_is_safe_and_nothing_on_disk_changes(self) -> None:
        """Law 3."""
        if not self.desk.evening.match:
            return
        with closing(sqlite3.connect(f"file:{self.folder}/store.sqlite3?mode=ro", uri=True)) as db:
            written = [row[0] for row in db.execute("SELECT event FROM events ORDER BY number")]
        shown = [receipt.event for receipt in self.desk.match.log if receipt.number or isinstance(receipt.event, Undo)]
        assert len(written) >= len([event for event in shown if event and not isinstance(event, Redo)])
        assert written[: len(self.journal)] == self.journal, "a journal only grows"
        self.journal = written
        assert all(json.loads(line)["event"] for line in written)

    @invariant()
    def nothing_hidden_is_seen(self) -> None:
        """Law 2."""
        if not self.desk.evening.match:
            return
        match = self.desk.match
        game, state = match.header.game, match.session.state
        self.states.append(state)
        assert match.view == game.view(state), "what is shown is the public view"
        assert all(game.view(twin) == match.view for twin in disguises(game, state) if game.view(twin)["phase"])


Table.TestCase.settings = settings(max_examples=times(12, 200), stateful_step_count=times(25, 60), deadline=None)
TestTable = Table.TestCase
