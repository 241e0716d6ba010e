"""The evening as the organiser's page shows it, beyond what is public.

It has all names, every result with each seat's approval, what needs the organiser, and the orders. It is published
under a topic that only the organiser reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from companion.games import NAMES, game
from companion.hall._durations import Pace, pace_of
from companion.hall._evening import Round, SeatedTable, line, scored
from companion.hall._needs import URGENCY, FirstSeen, Need, needs, table_faults
from companion.hall._reporting import faulty
from companion.hall._results import Outcome
from companion.hall._stand import Stand
from companion.hall.records import Payload, TableRow
from companion.hall.request import described
from companion.hall.store import HallStore
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.views import Result
from companion.rules.words import Tongue

ORDERS = 30
"""The most orders shown, the newest."""


def desk_state(
    now: Stand,
    store: HallStore,
    ill: Sequence[Message] = (),
    seen: FirstSeen | None = None,
    *,
    at: datetime | None = None,
    heard: Mapping[str, str] = {},
) -> Data:
    """Return the evening's state for the organiser's page (docs/hall/schemas/state.json).

    Its time `at` is to the minute, so that a hall where nothing happens publishes it once a minute. The page's clock
    may be off by more: it compares its own with it. `heard` says when each device was heard of last.
    """
    tongue = Tongue(now.evening.lang)
    at = at or datetime.now().astimezone()
    minute = at.replace(second=0, microsecond=0).isoformat(timespec="seconds")
    acts = store.said()
    stands = line(acts)
    pace = pace_of(now, store.last_moves())
    return {
        "at": minute,
        "evening": _evening(now),
        "named": any(act["act"] == "evening" and "name" in act for act in stands.done),
        "round": now.round,
        "state": now.state,
        "players": [
            {"id": of.id, "name": of.name, "here": of.here, "came": of.came, "at": _fixed(now, of.id)}
            for of in now.evening.people.values()
        ],
        "rounds": [_round(now, one, pace, tongue) for one in now.evening.rounds if _matters(now, one)],
        "planned": [_planned(one) for one in now.evening.planned],
        "devices": [_device(now, row, heard, tongue) for row in now.tables],
        "games": [{"game": name, "seats": [game(name).seats[0], game(name).seats[-1]]} for name in NAMES],
        "pace": dict(pace.minutes),
        "needs": _needs(now, ill, seen or FirstSeen(), at, tongue),
        "faults": [{"table": table, "text": tongue.phrase(text)} for table, text in faulty(now, store.faults())],
        "orders": [_order(now, act, tongue) for act in acts[-ORDERS:]],
        "undo": stands.done[-1]["number"] if stands.done else None,
        "redo": stands.undone[-1]["number"] if stands.undone else None,
    }


def _needs(now: Stand, ill: Sequence[Message], seen: FirstSeen, at: datetime, tongue: Tongue) -> list[Data]:
    """Return what needs the organiser, the most urgent first, then what has lasted longest."""
    found = [*(Need("hall", [text]) for text in ill), *needs(now)]
    since = seen.note(found, at.isoformat(timespec="seconds"))
    return [
        {
            "kind": need.kind, "alarm": need.alarm, "since": since[need.key], "table": need.table, "round": need.round,
            "player": need.player, "said": [tongue.phrase(line) for line in need.said],
        }
        for need in sorted(found, key=lambda need: (URGENCY[need.kind], since[need.key]))
    ]  # fmt: skip


def _evening(now: Stand) -> Data:
    of = now.evening
    return {"name": of.name, "lang": of.lang, "names": of.names, "over": of.over, "line": of.line, **scored(of)}


def _device(now: Stand, row: TableRow, heard: Mapping[str, str], tongue: Tongue) -> Data:
    """Return a device: the table it is on, whether it is a spare or replaced, and what is wrong with it."""
    table, evening = now.evening.table_on(row.table), now.evening
    return {
        "device": row.table,
        "table": table,
        "kind": "table" if table else "replaced" if row.table in evening.devices else "spare",
        "here": row.here,
        "version": (row.status or {}).get("version"),
        "heard": heard.get(row.table),
        "warnings": [tongue.phrase(line) for need in table_faults(row, (), table) for line in need.said],
    }


def _fixed(now: Stand, player: int) -> list[str | None] | None:
    at = now.evening.fixed.get(player)
    return list(at) if at else None


def _planned(one: Round) -> Data:
    """Return a planned round: who would sit where."""
    tables = [
        {"table": of.table, "game": of.game, "seats": [[seat, player] for seat, player in of.seats.items()]}
        for of in one.tables
    ]
    return {"round": one.number, "tables": tables, "byes": list(one.byes)}


def _matters(now: Stand, one: Round) -> bool:
    """Return whether a round is played, is just over or to come, or has an open game; the rest is public already."""
    return one.number >= now.round - 1 or any(of.open for of in now.outcomes if of.round == one.number)


def _round(now: Stand, one: Round, pace: Pace, tongue: Tongue) -> Data:
    its = {of.seated.table: of for of in now.outcomes if of.round == one.number}
    return {
        "round": one.number,
        "withdrawn": one.withdrawn,
        "begun": any(of.state != "missing" for of in its.values()),
        "byes": list(one.byes),
        "absent": list(one.absent),
        "tables": [{**_table(of, its[of.table], pace, tongue), "device": one.device(of.table)} for of in one.tables],
    }


def _table(of: SeatedTable, outcome: Outcome, pace: Pace, tongue: Tongue) -> Data:
    played = outcome.played
    begun, last = pace.times.get(outcome.key, (None, None))
    said = played.approvals if played else {}
    return {
        "table": of.table,
        "game": of.game,
        "seats": [{"seat": seat, "id": player} for seat, player in of.seats.items()],
        "state": outcome.state,
        "why": tongue.phrase(outcome.why) if outcome.why else "",
        "counts": None if outcome.open else _scores(outcome.result),
        "told": _scores(played.result) if played else None,
        "against": [seat for seat in of.seats if said.get(seat) is False],
        "lacking": list(outcome.lacking),
        "begun": begun,
        "last": last,
        "moves": played.number if played else 0,
    }


def _scores(result: Result | Payload | None) -> Data | None:
    return dict(result["scores"]) if result else None


def _order(now: Stand, act: Payload, tongue: Tongue) -> Data:
    what = tongue.phrase(described(now.evening, act))
    return {"number": act["number"], "at": act["at"], "who": act.get("who", ""), "text": what}
