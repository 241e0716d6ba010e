"""Everything public about the evening at one moment: what all view-models are made from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion.match import Match
from companion.outline import Outline
from companion.rules import AnyGame
from companion.session import Receipt
from companion.table import Health
from companion.words import name, tr


@dataclass(frozen=True)
class Moment:
    """A snapshot of what may be shown; `board` is the board's data, None where a game has none."""

    game: AnyGame
    seats: Sequence[str]
    view: Any  # until each face names its own
    lang: str = "en"
    players: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    board: Mapping[str, Any] | None = None
    reveal: str = "fists"
    log: Sequence[Receipt] = ()
    closed: Collection[str] = frozenset()
    called: bool = False
    fists: Sequence[str] = ()
    health: Mapping[str, Health] = field(default_factory=dict)
    outlines: Sequence[Outline] = ()
    """What can be done by finger now, for the default board."""

    def say(self, text: str, **facts: Any) -> str:
        """A text of the screen in the language chosen."""
        return tr(text, self.lang, **facts)

    def name(self, value: str) -> str:
        """A seat's colour, a place or a card, as words."""
        return name(value, self.lang)

    @cached_property
    def acts(self) -> Sequence[Receipt]:
        """The accepted acts that stand, oldest first: without those that were taken back."""
        standing: list[Receipt] = []
        for receipt in self.log:
            if receipt.verb == "undo" and receipt.ok:
                standing = standing[:-1]
            elif receipt.number:
                standing.append(receipt)
        return standing

    @property
    def choosing(self) -> bool:
        """Cards are chosen face down now."""
        return self.view["phase"] == "choosing" or any(outline.verb == "choose" for outline in self.outlines)


def moment(match: Match, health: Mapping[str, Health], lang: str = "en") -> Moment:
    """What is shown of a game now."""
    header = match.header
    return Moment(
        game=header.game,
        seats=header.seats,
        view=match.view,
        lang=lang,
        players=header.players,
        options=header.options,
        board=header.board,
        reveal=header.reveal,
        log=tuple(match.log),
        closed=match.closed,
        called=match.called,
        fists=tuple(match.fists),
        health=dict(health),
        outlines=tuple(match.outlines),
    )
