"""A game without a board of its own: what is expected, and everything public in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules import N_
from companion.words import phrase
from ui.models.moment import Moment

FRAME = ("game", "phase", "turn", "waiting", "over", "result")
"""What the table's frame tells already."""


def expected(m: Moment) -> str:
    """One sentence: who is awaited."""
    if m.view["over"]:
        return m.say(N_("The game is over: {seats} wins."), seats=m.view["result"]["winners"])
    if m.fists:
        return m.say(
            N_("Everybody: open your fists – now!") if m.called else N_("Everybody: hold your button until all hold.")
        )
    return m.say(N_("{seats}: it is your move."), seats=m.view["waiting"])


def awaited(m: Moment) -> Sequence[str]:
    """The seats something is still to come from."""
    return m.fists or m.view["waiting"]


def told(m: Moment) -> Sequence[tuple[str, str]]:
    """The public view, a line a key."""
    return [
        (key.replace("_", " "), _words(value, m.lang)) for key, value in m.view.items() if key not in FRAME and value
    ]


def _words(value: Any, lang: str) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{phrase(key, lang)} {_words(item, lang)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_words(item, lang) for item in value) or "–"
    return phrase(value, lang)
