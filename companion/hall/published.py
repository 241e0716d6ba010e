"""The hall's public messages: payloads as docs/hall/schemas have them, with names as they may be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from companion.hall._clock import Instant, clock_data
from companion.hall._evening import HallEvening, Round, SeatedTable
from companion.hall._people import as_it_is
from companion.hall._results import Outcome, OutcomeMemo
from companion.hall._stand import CLOCK_S, Stand
from companion.hall._standings import rounded
from companion.hall.orders import fold
from companion.hall.records import Payload, Which
from companion.hall.request import REASON
from companion.hall.store import HallStore
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.views import Result
from companion.rules.words import Tongue

NO_REQUESTS: Data = {"taking": False, "requests": []}
"""Requests where no hall is open to take any."""
MOVED = N_("this game continued on device {device}: {reason}")


def stand(store: HallStore, before: Stand | None = None) -> Stand:
    """Return how the evening stands, from the store; `before` is how it stood a moment ago, which saves work."""
    evening = fold(store.said())
    memo = before.memo if before else OutcomeMemo()
    return Stand(evening, (), store.tables(), store.games(), memo).with_evening(evening).like(before)


def published(
    now: Stand, board: Data | None = None, at: Instant | None = None, requests: Data = NO_REQUESTS
) -> Mapping[str, Data]:
    """Return what stands under `hall/…`, by its last word: evening, seating, standings, rounds, clock and requests.

    `settled` is added for `have`. The clock is as of `at`, or of now. `board` is where the board is
    (`companion.hall.page.code_of`), `requests` how the players' requests were answered.
    """
    told = {"evening": _evening(now, board), "seating": _seating(now), "standings": _standings(now)}
    told["rounds"] = _rounds(now)
    clock = clock_data(now.clock, at or Instant.now())
    return {**told, "clock": clock, "requests": requests, "settled": settled(now)}


def settled(now: Stand) -> Mapping[str, Sequence[tuple[Which, Payload]]]:
    """Return, by table, which games and results are settled, and what `have` says of each."""
    found: dict[str, list[tuple[Which, Payload]]] = {}
    for of in now.outcomes:
        if of.played and not of.open:  # of a round that was withdrawn too: its tables are told
            which = (of.played.game, of.played.begun, of.played.crc)
            found.setdefault(of.played.table, []).append((which, of.verdict))
    for game in now.games:
        one = now.evening.round(game.round) if game.round else None
        if one and game.table in one.moved:  # for the old device, in case it comes back
            to, why = one.moved[game.table]
            text = Tongue(now.evening.lang).phrase(Message(MOVED, device=as_it_is(to), reason=as_it_is(why)))
            verdict = {"settled": "nobody", "reason": text[:REASON]}
            found.setdefault(game.table, []).append(((game.game, game.begun, game.crc), verdict))
    return found


def called(evening: HallEvening, player: int) -> str | None:
    """Return a player's public name, None where names are not shown; equal first names get a number."""
    name = evening.people[player].name
    if evening.names != "first":
        return name if evening.names == "full" else None
    first = name.split()[0]
    alike = [other for other in evening.people.values() if other.name.split()[0].casefold() == first.casefold()]
    return f"{first} {player}" if len(alike) > 1 else first


def _evening(now: Stand, board: Data | None) -> Data:
    evening = now.evening
    unseated = [row.table for row in now.tables if evening.table_on(row.table) is None]
    return {
        "name": evening.name,
        "at": evening.at,
        "round": now.round,
        "state": now.state,
        "lang": evening.lang,
        "names": evening.names,
        "games": list(evening.games),
        "by": evening.by,
        "line": evening.line,
        "clocks": {row.table: row.off for row in now.tables if row.off is not None and abs(row.off) > CLOCK_S},
        **({"board": board} if board else {}),
        **({"unseated": unseated} if unseated else {}),
    }


def _seating(now: Stand) -> Data:
    """Return the round that is played, those seated after it, and those before with an open game."""
    rounds = {
        outcome.round for outcome in now.outcomes
        if outcome.open or (outcome.round >= now.round and outcome.state != "withdrawn")
    }  # fmt: skip
    seating = {"rounds": [_round(now.evening, one) for one in now.evening.rounds if one.number in rounds]}
    return seating | ({"evening": now.evening.mark} if now.evening.mark else {})


def _rounds(now: Stand) -> Data:
    """Return every round with what counts so far, oldest first; names are in the seating and the standings."""
    its = {of.key: of for of in now.outcomes}
    return {
        "rounds": [
            {
                "round": one.number,
                "withdrawn": one.withdrawn is not None,
                "byes": list(one.byes),
                "tables": [
                    {
                        "table": of.table,
                        "game": of.game,
                        "seats": [[seat, player] for seat, player in of.seats.items()],
                        "state": _counted(its[one.number, of.table]),
                        "scores": _counting(its[one.number, of.table]),
                    }
                    for of in one.tables
                ],
            }
            for one in now.evening.rounds
        ]
    }


def _counted(of: Outcome) -> Literal["open", "counts", "void"]:
    return "open" if of.open else "counts" if of.state == "counts" else "void"


def _counting(of: Outcome) -> list[int | float]:
    """Return the scores that count, by seat; [] while none do."""
    if of.state != "counts" or not of.result:
        return []
    return [of.result["scores"].get(seat, 0) for seat in of.seated.seats]


def _round(evening: HallEvening, one: Round) -> Data:
    return {
        "round": one.number,
        "tables": [_table(evening, one, seated) for seated in one.tables],
        "byes": [{"id": player, "name": called(evening, player)} for player in one.byes],
    }


def _table(evening: HallEvening, one: Round, seated: SeatedTable) -> Data:
    device = one.devices.get(seated.table)
    return {
        **({"device": device} if device else {}),
        "table": seated.table,
        "game": seated.game,
        "options": dict(seated.options),
        "seats": [
            {"seat": seat, "id": player, "name": called(evening, player)} for seat, player in seated.seats.items()
        ],
    }


def _standings(now: Stand) -> Data:
    evening, table = now.evening, now.standings
    rows = [
        {
            "id": row.id,
            "name": called(evening, row.id),
            "place": row.place,
            "score": rounded(row.score),
            "games": row.games,
            "wins": row.wins,
            "byes": row.byes,
            "left": not evening.people[row.id].here,
            "ties": [rounded(tie) for tie in row.ties],
        }
        for row in table.rows
    ]
    told = {"by": table.by, "after": table.after, "open": table.open, "ties": list(table.ties)}
    return {**told, "rows": rows, "corrected": corrected(evening)}


def corrected(evening: HallEvening) -> list[Data]:
    """Return the results that were corrected after they had counted, with what counted before and since."""
    return [
        {"round": one.number, "table": of.table, "game": word.game or 0, "reason": word.reason, "at": word.at,
         "before": _scores(evening, of, word.before), "after": _scores(evening, of, word.result)}
        for one in evening.rounds
        for of in one.tables
        for word in evening.settled.get((one.number, of.table), ())
        if word.corrects
    ]  # fmt: skip


def _scores(evening: HallEvening, of: SeatedTable, result: Result | None) -> list[Data] | None:
    """Return each player's score by a result, None for a game that counts for nobody."""
    if result is None:
        return None
    return [
        {"id": player, "name": called(evening, player), "score": result["scores"].get(seat, 0)}
        for seat, player in of.seats.items()
    ]
