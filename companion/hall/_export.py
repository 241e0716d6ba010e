"""The export of an evening: one zip file.

It holds all games, the seating, the results and the standings, and plays for BG Stats. The tables are CSV with a header
line, written for the hall's language (`companion.record.spreadsheet`).
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from companion.games import game
from companion.hall._results import Outcome
from companion.hall._stand import Stand
from companion.hall._standings import rounded
from companion.hall.public import transcript
from companion.hall.records import HallGame, Payload
from companion.hall.store import HallStore
from companion.record import bgstats
from companion.record.spreadsheet import table
from companion.record.transcript import began, dump, play_id
from companion.rules.words import name
from companion.system.files import zipped
from companion.system.logs import trace, writing

log = writing("hall")


def packed(now: Stand, store: HallStore) -> bytes:
    """Return the zip file; a game that cannot be read is in it as its table sent it."""
    plays = list(_plays(now))
    inside: dict[str, bytes | str] = {
        f"{stem}.csv": table(rows(now), now.evening.lang)
        for stem, rows in (
            ("standings", standings),
            ("seating", seating),
            ("results", results),
            ("penalties", penalties),
        )
    }
    inside["bgstats.json"] = json.dumps([bgstats.data(play) for play in plays], ensure_ascii=False, indent=1)
    inside["bgstats.html"] = _links_page(now, plays)
    for row in store.games():
        if row.header:
            events = store.events(row.table, row.game, row.begun)
            inside[f"games/{_stem(row)}.jsonl"] = _lines(row, events)
    return zipped(inside)


def _lines(row: HallGame, events: Sequence[Payload]) -> str:
    """Return a game's public transcript, or its raw payloads where that cannot be made."""
    assert row.header
    header = row.header["header"]
    try:
        lines = list(transcript(header, events))
    except Exception as error:  # a table of another version, or a stranger, may have sent anything
        log.warning("game %s of table %s is no transcript\n%s", row.game, row.table, trace(error))
        lines = [dump(header), *map(dump, events)]
    return "".join(f"{line}\n" for line in lines)


def _stem(row: HallGame) -> str:
    """Return a unique name for a game: a store that was set back has two games of one number."""
    began = "".join(sign for sign in row.begun or "" if sign.isdigit())[:14]
    whole = f"table-{row.table}-game-{row.game}" + (f"-{began}" if began else "")
    return whole if row.round is None else f"round-{row.round}-{whole}"


# -- tables -----------------------------------------------------------------------------------------------------


def standings(now: Stand) -> Iterator[Sequence[object]]:
    yield "place", "id", "player", "score", "by", "games", "wins", "byes", "left"
    by = now.standings.by
    for row in now.standings.rows:
        player = now.evening.people[row.id]
        yield row.place, row.id, player.name, rounded(row.score), by, row.games, row.wins, row.byes, not player.here


def seating(now: Stand) -> Iterator[Sequence[object]]:
    """Yield a line per player and round; a bye has no table."""
    yield "round", "table", "game", "seat", "chair", "id", "player"
    for one in now.evening.rounds:
        for seated in one.tables:
            for chair, (seat, player) in enumerate(seated.seats.items(), 1):
                yield one.number, seated.table, seated.game, seat, chair, player, now.evening.people[player].name
        for player in one.byes:
            yield one.number, "", "", "", "", player, now.evening.people[player].name


def results(now: Stand) -> Iterator[Sequence[object]]:
    """Yield a line per player and game; `by` is the source of the result, the table or the organiser."""
    yield "round", "table", "game", "seat", "id", "player", "score", "place", "won", "state", "by", "reason", "play"
    for of in now.outcomes:
        by = "organiser" if of.settled else "table" if of.result else ""
        reason, play = of.settled.reason if of.settled else "", _play(now, of)
        for seat, player in of.seated.seats.items():
            yield (
                *(of.round, of.seated.table, of.seated.game, seat, player, now.evening.people[player].name),
                *(*_result_cells(of, seat), of.state, by, reason, play),
            )


def penalties(now: Stand) -> Iterator[Sequence[object]]:
    """Yield a line per penalty: a score in the standings is what games and byes brought, less these points."""
    yield "id", "player", "points", "reason", "at"
    for lost in now.evening.penalties:
        yield lost.player, now.evening.people[lost.player].name, rounded(lost.points), lost.reason, lost.at


def _result_cells(outcome: Outcome, seat: str) -> Sequence[object]:
    result = outcome.result
    if not result or seat not in result["places"]:
        return "", "", ""
    return result["scores"][seat], result["places"][seat], seat in result["winners"]


# -- BG Stats ---------------------------------------------------------------------------------------------------


def _plays(now: Stand) -> Iterator[bgstats.BgPlay]:
    """Yield each game that counts, as a play."""
    evening = now.evening
    for of in now.outcomes:
        if of.state != "counts" or not of.result:
            continue
        seated = of.seated
        yield bgstats.BgPlay(
            _play(now, of),
            game(seated.game),
            ", ".join(f"{name}: {value}" for name, value in seated.options.items()),
            tuple(seated.seats),
            {seat: evening.people[player].name for seat, player in seated.seats.items()},
            {seat: name(seat, evening.lang) for seat in seated.seats},
            of.result,
            _began(now, of),
        )


def _play(now: Stand, of: Outcome) -> str:
    """Return the play's id as its table has it too, or one made from its round if no table has reported it."""
    if of.played and of.played.header:
        return play_id(of.played.header["header"])
    seated = of.seated
    ids, at = dict(seated.seats), f"{now.evening.mark or now.evening.at} {of.round} {seated.table}"
    return play_id({"game": seated.game, "seats": list(seated.seats), "ids": ids, "at": at})


def _began(now: Stand, of: Outcome) -> datetime:
    """Return when the game was begun, as far as the table knew; else when its round was seated."""
    seated = next(one.at for one in now.evening.rounds if one.number == of.round)
    return began(of.played.begun if of.played else None) or datetime.fromisoformat(seated)


def _links_page(now: Stand, plays: Sequence[bgstats.BgPlay]) -> str:
    """Return a page with a link for each game, because BG Stats imports plays only by links."""
    title = html.escape(now.evening.name)
    links = "".join(
        f'<li><a href="{bgstats.link(bgstats.data(play))}">{html.escape(play.game.title)}:'
        f" {html.escape(', '.join(play.called.values()))}</a></li>\n"
        for play in plays
    )
    return f'<!doctype html>\n<meta charset="utf-8">\n<title>{title}</title>\n<h1>{title}</h1>\n<ol>\n{links}</ol>\n'
