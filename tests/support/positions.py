"""Positions as data: garbled, and after moves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from companion.rules.cards import DECK
from companion.rules.layout import Layout, Move
from companion.rules.vocabulary import BANK, CARD


def jsoned(value: Any) -> Any:
    return json.loads(json.dumps(value))


def garble(written: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return a copy in which something somewhere is something else."""
    copy: dict[str, Any] = jsoned(written)
    at: Any = copy
    for _ in range(rng.randrange(1, 4)):
        keys = list(at) if isinstance(at, dict) else list(range(len(at))) if isinstance(at, list) else []
        if not keys:
            break
        key = rng.choice(keys)
        if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.6:
            at = at[key]
            continue
        strange = [
            None,
            True,
            -1,
            0,
            3,
            7,
            200,
            2.5,
            "red",
            "red 7",
            "blue flag",
            "x",
            "over",
            [],
            {},
            ["red"],
            {"red": 1},
        ]
        at[key] = rng.choice(strange)
        return copy
    copy[rng.choice(["zeal", *written])] = rng.choice([None, 1, "x", [], {}])
    return copy


def pieces(layout: Layout) -> Counter[str]:
    """Return how many pieces of each kind there are; a card is a card, open or not."""
    found: Counter[str] = Counter()
    for at in layout.values():
        for piece, count in at.items():
            assert count > 0
            found[CARD if piece in DECK else piece] += count
    return found


def after_moves(layout: Layout, told: list[Move]) -> Mapping[str, Counter[str]]:
    """Return the layout after these moves, cards being cards; moves from and to the bank are left out."""
    at = {place: pieces({place: of}) for place, of in layout.items()}
    for move in told:
        if BANK in (move.from_, move.to):
            continue
        kind = CARD if move.piece in DECK else move.piece
        at.setdefault(move.from_, Counter())[kind] -= move.count
        at.setdefault(move.to, Counter())[kind] += move.count
        assert at[move.from_][kind] >= 0, move
    return {place: +of for place, of in at.items() if +of}
