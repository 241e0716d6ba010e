"""Positions changed by hand, part by part."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.answers.editing import Draft, draft, held, toggled
from companion.rules import AnyGame
from companion.rules.mistakes import Mistakes
from companion.rules.position_parts import Cards, Count, Field, One, Part, Some


def drafted(game: AnyGame, setup: Any, state: Any) -> Draft:
    try:
        return draft(game, setup, state)
    except Mistakes:
        pytest.skip("its positions cannot be written yet")


def touch(found: Draft, part: Part, field: Field, rng: Random) -> Draft:
    """Return the draft after a touch on one value of a part."""
    value = held(field, found.own(part, part.of) if part.secret else found.get(part))
    match field.kind:
        case One(values):
            return found.fill(part, field, rng.choice(values))
        case Count(_, least, most, flag):
            count = min(most, max(least, int(value) + rng.choice([-1, 1])))
            return found.fill(part, field, bool(count) if flag else count)
        case Some(values) | Cards(values):
            return found.fill(part, field, toggled(value, rng.choice(values)))
