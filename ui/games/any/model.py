"""The default board's model for any game: whose move it is, cards, places, and a row for every seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ui.games.parts import facts
from ui.games.parts import headline as big
from ui.games.parts.actions import Action, Terms, actions, taps
from ui.games.parts.facts import SeatRow, Strip
from ui.games.parts.headline import Headline
from ui.games.parts.places import Tile, about, tiles
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Anything:
    """All that the default board shows."""

    big: Headline
    strips: Sequence[Strip]
    facts: str
    heads: Sequence[str]
    rows: Sequence[SeatRow]
    tiles: Sequence[Sequence[Tile]]
    taps: Mapping[tuple[str, str], Action | None]
    """The action of a tap on a place after one on another, "" for none; None where an act only begins."""
    actions: Sequence[Action]


def centre(m: Moment) -> Anything:
    """Return what the default board shows at this moment."""
    return Anything(
        big.call(m) or big.whose(m),
        facts.strips(m),
        facts.rest(m),
        [facts.caption(m, key) for key in facts.columns(m)],
        facts.rows(m),
        tiles(m, about(m)),
        taps(m.outlines),
        actions(m, Terms()),
    )
