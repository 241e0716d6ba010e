"""Everything public about the evening at one moment: what all view-models are made from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion.outline import Outline
from companion.rules import AnyGame
from companion.session import Receipt
from companion.table import Health
from companion.words import name, title, tr


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

    @property
    def title(self) -> str:
        """What the game is called."""
        return title(self.game, self.lang)

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


def moment(evening: Any, lang: str = "en") -> Moment:
    """What `evening` shows now. Needs a game."""
    header = evening.header
    return Moment(
        game=header.game,
        seats=header.seats,
        view=evening.view,
        lang=lang,
        players=header.players,
        options=header.options,
        board=header.board,
        reveal=header.reveal,
        log=tuple(evening.log),
        closed=evening.closed,
        called=evening.called,
        fists=tuple(evening.fists),
        health=dict(evening.health),
        outlines=tuple(evening.outlines),
    )
