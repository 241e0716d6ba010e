"""The games that were played here, and one of them looked at move by move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.record.look import Look
from companion.record.store.history import GameRow
from companion.rules import N_, Ruling
from companion.rules.dates import day_and_time
from companion.rules.words import Tongue, message
from ui.pages.rulings import LogEntry
from ui.table.frame import LastRuling, listed, named
from ui.table.moment import Moment
from ui.table.outcome import told


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game in the history."""

    number: int
    title: str
    day: str
    when: str
    text: str
    winners: Sequence[str]
    open: bool = False
    """Whether it can be continued."""


def rows(stored: Sequence[GameRow], titles: Mapping[str, str], lang: str) -> Sequence[PastGame]:
    """Return the games as the store lists them, without games in which nothing was ever done."""
    return [_past_game(row, titles, lang) for row in stored if row.events or row.table.get("position")]


def _past_game(row: GameRow, titles: Mapping[str, str], lang: str) -> PastGame:
    header, result = row.table, row.outcome
    tongue = Tongue(lang, header.get("players") or {})
    winners = result.get("winners", [])
    won = N_("{who}. Won by {winners}.") if winners else N_("{who}. A draw.")
    if not result:
        won = N_("{who}. Not finished; moves: {count}.")
    text = tongue.tr(won, who=header["seats"], winners=winners, count=row.events)
    day, clock = day_and_time(row.at, lang)
    called = titles.get(header["game"], header["game"])
    return PastGame(row.number, called, day, f"{day} {clock}", text, winners, not result)


@dataclass(frozen=True, slots=True)
class Scene:
    """One point of a game looked at: `last` is how many points there are after the opening."""

    moment: Moment
    move: int
    last: int
    where: str
    line: LastRuling
    rulings: Sequence[LogEntry]


def scene(look: Look, move: int, lang: str) -> Scene:
    """Return the game after `move` acts, with the rulings of the last of them."""
    move = max(0, min(move, len(look.receipts)))
    header = look.header
    moment = Moment(
        game=header.game,
        seats=header.seats,
        view=look.view(move),
        derived=look.derived(move),
        lang=lang,
        players=header.players,
        options=header.options,
        board=header.board,
        reveal=header.reveal,
        log=look.receipts[:move],
    )
    said = moment.log[-1].public if move else ()
    line = _outcome(moment, said)
    if look.note and move == len(look.receipts):
        line = LastRuling(message(look.note, lang), True, ())
    where = moment.say(N_("{move} of {last}"), move=move, last=len(look.receipts))
    return Scene(moment, move, len(look.receipts), where, line, _all_rulings(moment, said))


def _outcome(m: Moment, said: Sequence[Ruling]) -> LastRuling:
    """Return the outcome of the act, as the line below the board shows it."""
    if not said:
        return LastRuling("" if m.log else m.say(N_("The start: nothing has happened yet.")), False, ())
    ruling = told(m, said)
    return LastRuling(m.tongue.say(ruling), False, listed(ruling, m.seats))


def _all_rulings(m: Moment, said: Sequence[Ruling]) -> Sequence[LogEntry]:
    """Return every ruling of the act, as the log shows them."""
    return [
        LogEntry(m.tongue.say(ruling), ruling.rule, False, named(ruling, m.seats), ruling, m.log[-1]) for ruling in said
    ]
