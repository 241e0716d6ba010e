"""The start page's texts: the games that wait to be continued, and the table that played last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion import games
from companion.dialogues import table_draft
from companion.record.store.history import GameRow
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.dates import day_and_time
from companion.rules.words import Tongue, title

if TYPE_CHECKING:
    from companion.play.evening import Evening


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that can be continued."""

    number: int
    game: str
    who: str
    when: str
    day: str
    seats: Sequence[str]
    line: str
    """All of it in a sentence."""


def waiting(row: GameRow, lang: str) -> OpenGame:
    """Return an unfinished game as the store lists it."""
    header = row.table
    tongue = Tongue(lang, header["players"])
    day, clock = day_and_time(row.at, lang)
    game = title(games.game(header["game"]), lang) if header["game"] in games.NAMES else header["game"]
    facts = {"count": row.events, "day": day, "clock": clock}
    return OpenGame(
        row.number,
        game,
        tongue.phrase(header["seats"]),
        tongue.tr(N_("Move {count}, {day} {clock}"), **facts),
        day,
        header["seats"],
        tongue.tr(N_("{game}: {who} – move {count}, started {day} {clock}"), game=game, who=header["seats"], **facts),
    )


@dataclass(frozen=True, slots=True)
class LastTable:
    """The table that played last, with one touch to begin once more; `header` is that of its next game."""

    header: Data
    text: str
    who: str


def last_table(evening: Evening, lang: str) -> LastTable | None:
    """Return the table that played last, if it can play the same game again."""
    last = evening.regulars.last_table
    if not last:
        return None
    game = games.game(last["game"])  # the others need not be loaded for it
    header = evening.sitting.next_table(game.name) or table_draft.again(game, last)
    draft = table_draft.draft([game], last)
    if not header:
        return None
    tongue = Tongue(lang, draft.players)
    varied = N_("{players}: with variants") if table_draft.varied(draft) else N_("{players}: as printed")
    return LastTable(
        header, tongue.tr(N_("{game} again"), game=title(game, lang)), tongue.tr(varied, players=list(draft.seats))
    )


ARRIVED: Mapping[str, str] = {
    "reader": N_("A card reader was plugged in: use it?"),
    "buttons": N_("Buttons were plugged in: use them?"),
    "board": N_("A board was plugged in: use it?"),
}
SEVERAL = N_("New devices were plugged in: use them?")


def plugged(arrived: Collection[str]) -> str:
    """Return the question about newly plugged-in devices; "" for none."""
    found = [text for sort, text in ARRIVED.items() if sort in arrived]
    return SEVERAL if len(found) > 1 else found[0] if found else ""
