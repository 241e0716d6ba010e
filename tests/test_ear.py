"""One button does everything: every act that is legal can be heard and taken, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion import games
from companion.ear.acts import Acts
from companion.ear.lists import Choice, Number, Then, made
from companion.guide import known
from companion.rules import Event
from companion.session import Session
from companion.simulate import play, table
from companion.transcript import Header
from tests.tables import TABLES

FEW = 6
"""A number is tried at so many places."""


def leaves(then: Then) -> Iterator[Event]:
    """Every event that can be reached from here."""
    match made(then):
        case Choice(_, entries):
            assert len({(entry.text, repr(entry.facts)) for entry in entries}) == len(entries)
            for entry in entries:
                yield from leaves(entry.then)
        case Number(_, least, most, goes_on):
            for number in sorted({least, most, *range(least, most, max(1, (most - least) // FEW))}):
                yield from leaves(goes_on(number))
        case tuple() | list():
            return
        case event:
            yield event  # type: ignore[misc]


def offered(header: Header, session: Session, seat: str) -> set[Event]:
    acts = Acts(session.game, session.state, known(header, session), seat)
    return {event for entry in acts.entries() for event in leaves(entry.then)}


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
                theirs = getattr(event, "seat", seat) not in (seat, None) and hasattr(event, "chips")
                assert theirs or any(event in moves for moves in session.legal()), (seat, event)
