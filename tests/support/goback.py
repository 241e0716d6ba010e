"""Games in which somebody goes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion import games
from companion.play.evening import Evening
from tests.support.playing import match_of
from tools.scenes.rehearsal import Memory

SEATS = ["red", "blue", "green"]


def game(name: str, *events: Mapping[str, Any], **table: Any) -> Evening:
    evening = Evening(Memory())
    seats = list(games.game(name).fixed or SEATS)
    evening.begin({"tabularium": 1, "game": name, "seats": seats, **table})
    done(evening, *events)
    return evening


def done(evening: Evening, *events: Mapping[str, Any]) -> None:
    for event in events:
        assert all(receipt.ok for receipt in match_of(evening).act(event)), event
    evening.drain()
