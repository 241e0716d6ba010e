"""A first game: what is told now, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.guide import Lesson
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Told:
    """A lesson as a sentence, and the seats it matters to; none for everybody."""

    text: str
    seats: Sequence[str]


def told(m: Moment, lesson: Lesson[Any, Any]) -> Told:
    """What the lesson says at this moment."""
    text = m.tongue.tr(lesson.text, **lesson.said(m.known))
    return Told(text, tuple(seat for seat in m.seats if seat in lesson.to(m.known)))
