"""The evening as the organiser's page shows it, beyond what is public.

It has all names, every result with each seat's approval, what needs the organiser, and the orders. It is published
under a topic that only the organiser reads.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import NAMES, game
from companion.hall._evening import Round, SeatedTable, line, scored
from companion.hall._reporting import faulty, needs
from companion.hall._results import Outcome
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.hall.request import described
from companion.hall.store import HallStore
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.views import Result
from companion.rules.words import Tongue

ORDERS = 30
"""The most orders shown, the newest."""


def desk_state(now: Stand, store: HallStore, ill: Sequence[Message] = ()) -> Data:
    """Return the evening's state for the organiser's page (docs/hall/schemas/state.json)."""
    tongue = Tongue(now.evening.lang)
    acts = store.said()
    stands = line(acts)
    return {
        "evening": _evening(now),
        "round": now.round,
        "state": now.state,
        "players": [
            {"id": of.id, "name": of.name, "here": of.here, "came": of.came, "at": _fixed(now, of.id)}
            for of in now.evening.people.values()
        ],
        "rounds": [_round(now, one, tongue) for one in now.evening.rounds if _matters(now, one)],
        "planned": [_planned(one) for one in now.evening.planned],
        "tables": [{"table": row.table, "here": row.here} for row in now.tables],
        "games": [{"game": name, "seats": [game(name).seats[0], game(name).seats[-1]]} for name in NAMES],
        "needs": [tongue.phrase(text) for text in (*ill, *needs(now))],
        "faults": [tongue.phrase(text) for text in faulty(now, store.faults())],
        "orders": [_order(now, act, tongue) for act in acts[-ORDERS:]],
        "undo": stands.done[-1]["number"] if stands.done else None,
        "redo": stands.undone[-1]["number"] if stands.undone else None,
    }


def _evening(now: Stand) -> Data:
    of = now.evening
    return {"name": of.name, "lang": of.lang, "names": of.names, "over": of.over, "line": of.line, **scored(of)}


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


def _round(now: Stand, one: Round, tongue: Tongue) -> Data:
    its = {of.seated.table: of for of in now.outcomes if of.round == one.number}
    return {
        "round": one.number,
        "withdrawn": one.withdrawn,
        "begun": any(of.state != "missing" for of in its.values()),
        "byes": list(one.byes),
        "absent": list(one.absent),
        "tables": [_table(of, its[of.table], tongue) for of in one.tables],
    }


def _table(of: SeatedTable, outcome: Outcome, tongue: Tongue) -> Data:
    played = outcome.played
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
    }


def _scores(result: Result | Payload | None) -> Data | None:
    return dict(result["scores"]) if result else None


def _order(now: Stand, act: Payload, tongue: Tongue) -> Data:
    what = tongue.phrase(described(now.evening, act))
    return {"number": act["number"], "at": act["at"], "who": act.get("who", ""), "text": what}
