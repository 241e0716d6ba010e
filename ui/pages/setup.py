"""Before a first game: what it is about, and what lies where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.guide import guide_of
from companion.rules import N_
from ui.pages.answers import Heading, Sentence
from ui.pages.now import said
from ui.table.moment import Moment

ELSE = N_("Everything else is explained when it first matters.")


def lines(m: Moment, begins: bool = True) -> Sequence[Any]:
    """The aim, then a line for everything that people lay out, in their order."""
    guide = guide_of(m.game.name)
    layout = [said(m, saying) for saying in guide.layout(m.seats, m.options)]
    return [
        *([Heading(m.say(N_("What it is about"))), Sentence(m.say(guide.aim))] if guide.aim else []),
        *([Heading(m.say(N_("Lay this out"))), *layout] if layout else []),
        *(
            [Sentence(m.say(N_("Everything else is explained when it first matters.")), weight="muted")]
            if begins
            else []
        ),
    ]
