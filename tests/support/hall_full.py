"""A hall in the middle of a round: some tables play, some wait for approvals, some are contested, one has gone away."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from companion import __version__
from companion.hall._stand import Stand
from companion.hall.records import checksum
from companion.hall.store import HallStore
from companion.rules import result
from tests.support.hall_two_ways import Evening

NAMES = (
    "Anna Weber", "Ben Okafor", "Chihiro 千尋", "Dana Petrović", "Émile Dubois", "Farid", "Greta Lind", "Hiro Tanaka", "Ines",
    "Jonas Albrecht-Hohenstein", "Katarzyna Wiśniewska", "Luca Bianchi", "Mei-Ling Chen", "Nils", "佐藤 美咲",
)  # fmt: skip
GAMES = ("mercator", "caesar", "spartacus", "prokonsul")


def connect(hall: Evening, tables: int) -> list[str]:
    """Have that many tables report; return their names."""
    names = [str(number) for number in range(1, tables + 1)]

    def report(store: HallStore) -> None:
        for name in names:
            store.take("status", name, {"here": True, "version": __version__})

    hall.service.call(report)
    return names


def fill(hall: Evening, tables: int) -> None:
    """Seat four players at each table, and have the tables report as tables do in the middle of a round."""
    hall.ask("evening", name="Open of Saturday")
    many = [f"{name} {times}" if times else name for times in range(tables * 4 // len(NAMES) + 1) for name in NAMES]
    hall.ask("join", names=many[: tables * 4])
    names = connect(hall, tables)
    answer = hall.service.order({"do": "round", "games": list(GAMES), "tables": names, "size": 4, "seed": 1})
    assert answer["ok"], answer
    now = hall.now
    hall.service.call(lambda store: _report(store, now, names))


def _report(store: HallStore, stand: Stand, names: list[str]) -> None:
    """Tell of each game by its place: the seventh has not begun, the third and fifth are contested, the last is away."""
    random, now = Random(3), datetime.now().astimezone()
    for at, of in enumerate(stand.outcomes):
        if at % 7 == 6:
            continue
        table, seats = of.seated.table, list(of.seated.seats)
        began = now - timedelta(minutes=(22, 31, 44, 75)[at % 4])
        key = {"game": 1, "begun": began.isoformat(timespec="seconds")}
        header = {"tabularium": 1, "game": of.seated.game, "seats": seats, "options": dict(of.seated.options),
                  "evening": stand.evening.mark, "ids": dict(of.seated.seats)}  # fmt: skip
        store.take("header", table, {**key, "header": header, "round": 1})
        for number in range(1, at + 11):
            moved = (began + timedelta(minutes=number / 2)).isoformat(timespec="seconds")
            store.take(
                "event", table, {**key, "number": number, "event": {"event": "pass", "seat": seats[0]}, "at": moved}
            )
        if at % 4 not in (0, 1) and at != 2:
            continue
        told = result(dict(zip(seats, random.sample(range(40), len(seats)), strict=True)))
        store.take("result", table, {**key, "number": at + 10, "result": told, "crc": checksum(told)})
        for seat in seats[1:] if at % 4 == 1 and at > 1 else seats:
            approves = at not in (2, 4) or seat != seats[0]
            store.take("approval", table, {**key, "seat": seat, "crc": checksum(told), "approves": approves})
    store.take("status", names[-1], {"here": False, "version": __version__})
