"""One button does everything: every act that is legal can be heard and taken, and nothing else is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion import games
from companion.answers.guide import known
from companion.cli.replay import seated
from companion.cli.simulate import LIMIT, play, table
from companion.ear._ear import Came
from companion.ear.seats import AudioSeats
from companion.offers import change
from companion.offers.acts import Acts
from companion.offers.table_menu import own
from companion.record.transcript import Header
from companion.rules import Decide, Event, Ruling
from companion.rules.menu import Choice, Do, Then, made
from companion.rules.readings import Press
from companion.session import Session
from companion.voice.telling import Teller
from tests.support.audio_players import Room
from tests.support.leaves import leaves
from tests.support.tables import EVERYTHING, FEW, TABLES, times


def offered(header: Header, session: Session, seat: str) -> set[Event]:
    acts = Acts(session.game, session.state, known(header, session), seat)
    own = {end for moves in session.legal() if "chips" in moves.values and moves.values.get("seat", (seat,))[0] == seat
           for end in (moves.values["chips"][0], moves.values["chips"][-1])}  # fmt: skip
    return {event for entry in acts.entries() for event in leaves(entry.then, own)}


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_every_legal_act_can_be_taken_by_ear_and_no_other(game: str, seats: int, options: dict[str, Any]) -> None:
    header, rng, seen = table(games.game(game), seats, options), Random(f"{game} {seats} {options}"), 0
    for session, receipt in play(header, rng):
        phase = (receipt.view["phase"], len(receipt.view["waiting"]))
        if receipt.view["over"] or rng.random() > (0.5 if seen < 3 else 0.04):
            continue
        seen += 1
        by = {seat: offered(header, session, seat) for seat in header.seats}
        for moves in session.legal():
            for event in {moves.pick(rng.choice) for _ in range(5)}:
                if "chips" in moves.values:
                    continue
                assert event in set().union(*by.values()), (phase, event)
            if "chips" in moves.values:
                ends = {moves.values["chips"][0], moves.values["chips"][-1]}
                own = by[moves.values["seat"][0]]
                assert ends <= {getattr(event, "chips", None) for event in own if type(event) is moves.event}
        for seat, events in by.items():
            for event in events:
                if hasattr(event, "chips"):  # a ring goes round all amounts, whatever purses hold
                    continue
                assert any(event in moves for moves in session.legal()), (seat, event)


class ByEar:
    """A table at which everybody has an ear."""

    def __init__(self, header: Header) -> None:
        self.header = replace(header, ears=header.seats)
        self.table = seated(self.header)
        self.teller = Teller(self.header, "en", ears=self.header.ears)
        self.at = self.table.session.state, known(self.header, self.table.session)

    def press(self, seat: str, down: bool, t: int) -> Sequence[tuple[str, str, str | None]]:
        receipts = self.table.feed(Press(seat, down, t))
        session = self.table.session
        assert all(receipt.ok or receipt.rulings for receipt in receipts)
        if self.at[0] is not session.state:
            self.at = session.state, known(self.header, session)
        return [(line.to or "all", line.say, line.sound) for line in self.teller.tell(receipts, self.at[1])]


@pytest.mark.parametrize(("game", "seats", "options"), TABLES if EVERYTHING else FEW[1::3])
def test_players_who_only_hear_play_a_game_to_its_end(game: str, seats: int, options: dict[str, Any]) -> None:
    """And the journal is the one that fingers would have made."""
    by_ear = ByEar(table(games.game(game), seats, options))
    room = Room(by_ear.header.seats, by_ear.press, Random(f"{game} {seats} {options}"))
    session = by_ear.table.session
    for _ in range(times(3, 15) * LIMIT):  # who plays at random may negotiate long
        if session.view()["over"]:
            break
        room.step()
    assert session.view()["over"]
    finger = seated(replace(by_ear.header, ears=()))
    for act in session.acts:
        assert act.event
        assert finger.touch(act.event, "touch")[0].ok
    assert finger.session.state == session.state


class Walker:
    """Walks through all lists of an ear as a finger does: a fresh ear for each way, pressed from the top."""

    def __init__(self, session: Session, header: Header, seat: str) -> None:
        self.session, self.header, self.seat = session, replace(header, ears=header.seats), seat
        self.ends = 0

    def at(self, way: Sequence[str]) -> tuple[AudioSeats, Came]:
        """The ear after it has taken these entries, one list after the other."""
        hands, came = AudioSeats(self.session, self.header), Came()
        for label in way:
            first = came.heard[-1] if came.heard and came.event is None else None
            for _ in range(200):
                if first is not None and _label(first) == label:
                    break
                first = hands.press(self.seat, 1_000, 90, (), changed=False).heard[-1]
            assert first and _label(first) == label, f"{label} is never reached by {way}"
            came = hands.press(self.seat, 1_000, 700, (), changed=False)
        return hands, came

    def walk(self, then: Then, way: tuple[str, ...] = ()) -> None:
        if sum(label.startswith(change.PART) for label in way) > 1:
            return  # a position can be changed for ever
        below = made(then)
        below = made(below.then) if isinstance(below, Do) else below
        if not isinstance(below, Choice) or (way and way[-1].startswith(change.SO_IT_LIES)):
            _, came = self.at(way)
            assert came.event is not None or came.heard or "withdraws" in way[-1] or "leave it" in way[-1], way
            self.ends += 1
            return
        entries = [*below.entries[:3], *below.entries[3:][-2:]]
        for entry in entries:
            self.walk(entry.then, (*way, _label(Ruling("", "", entry.text, entry.facts))))


def _label(ruling: Ruling) -> str:
    return f"{ruling.text} {sorted(ruling.facts.items())!r}"


@pytest.mark.parametrize("name", games.NAMES)
def test_every_entry_of_every_list_leads_to_its_end(name: str) -> None:
    header, rng = table(games.game(name), games.game(name).seats[0], {}), Random(name)
    session = Session(header.game, header.setup)
    for _ in range(7):
        session.receive(rng.choice(session.legal()).pick(rng.choice))
    seat = header.seats[0]
    walker = Walker(session, header, seat)
    walker.walk(AudioSeats(session, replace(header, ears=header.seats))._top(seat))
    assert walker.ends > 15


@pytest.mark.parametrize("name", games.NAMES)
def test_nobody_is_awaited_once_the_game_is_over(name: str) -> None:
    header = table(games.game(name), games.game(name).seats[0])
    *_, (session, _) = play(header, Random(name))
    assert session.view()["over"]
    for seat in header.seats:
        acts = Acts(session.game, session.state, known(header, session), seat)
        holds = acts.speech.holds(acts.at, seat, session.view(seat)["private"])
        assert list(own(acts)) == list(holds), "what it holds, and nothing of a turn"


def test_what_the_table_decides_can_be_put_and_agreed_to_by_ear() -> None:
    header = table(games.game("spartacus"), 3, {})
    session = Session(header.game, header.setup)
    hands = AudioSeats(session, replace(header, ears=header.seats))
    heard = []
    for label in ("The table.", "The table decides.", "Propose: {words}", "All have said yes."):
        for _ in range(20):
            came = hands.press("red", 0, 90, (), changed=False)
            if came.heard[-1].text == label:
                break
        came = hands.press("red", 0, 700, (), changed=False)
        heard += [ruling.code for ruling in came.heard]
    assert heard.count("put") == 1 and came.event == Decide("What was said stands.")
