"""The layout: before a first game with its aim and how to lay it out, later as it should lie now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games import guide_of, position_of
from companion.rules import N_
from ui.pages.answers import Heading, Sentence, Weighed
from ui.pages.possible_moves import said
from ui.table.moment import Moment


def lines(m: Moment, begins: bool = True) -> Sequence[Any]:
    """Return every place with its contents.

    `begins` puts the aim before it, and a line for everything that players lay out.
    """
    guide, where = guide_of(m.game.name), list(lying(m))
    how = [said(m, saying) for saying in guide.layout(m.seats, m.options)] if begins or not where else []
    return [
        *([Heading(m.say(N_("What it is about"))), Sentence(m.say(guide.aim))] if begins and guide.aim else []),
        *([Heading(m.say(N_("Lay this out"))), *how] if how else []),
        *([Heading(m.say(N_("What lies where"))), *where] if where else []),
        *([Sentence(m.say(N_("Everything else is explained when it first matters.")), weight="muted")] * begins),
    ]


def lying(m: Moment) -> Iterator[Weighed]:
    """Yield every place and the pieces there, as everybody may know."""
    for place, pieces in position_of(m.game.name).layout(m.view, m.options).items():
        here = m.tongue.listed([m.tongue.piece(piece, count) for piece, count in pieces.items()])
        name = m.tongue.place(place)
        yield Weighed(name[:1].upper() + name[1:], here)
