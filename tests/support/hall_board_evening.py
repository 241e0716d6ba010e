"""An evening in a hall as its topics say it, made from real games played at random: what the board is tested with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Any
from zlib import crc32

from companion import games
from companion.cli import simulate
from companion.hall.page import code_of
from companion.record.transcript import Header, header_data

JSON = Mapping[str, Any]

NAMES = (
    "Anna Weber", "Ben Okafor", "Chihiro 千尋", "Dana Petrović", "Émile Dubois", "Farid نجفی", "Greta Lind", "Hiro Tanaka",
    "Ines", "Jonas Albrecht-Hohenstein", "Katarzyna Wiśniewska", "Luca Bianchi", "Mei-Ling Chen", "Nils", "Olu Adeyemi",
    "Paula", "Quentin", "Rosa", "佐藤 美咲", "Theo", "Uta", "Viktor", "Wanda", "Xenia", "Yusuf", "Zoë van der Meer",
)  # fmt: skip
NASTY = (
    "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "W" * 80, "\u202eמאיה 3 right to left", "{table} $& &amp; %s",
    "Zalgo" + "\u0310\u0489" * 30,
)  # fmt: skip
PLAYED: tuple[tuple[str, int, dict[str, object], float], ...] = (  # game, seats, options, how far it has got
    ("mercator", 5, {}, 0.55), ("prokonsul", 5, {}, 0.48), ("spartacus", 4, {}, 0.4), ("caesar", 3, {}, 0.6),
    ("hannibal", 2, {}, 0.5), ("mercator", 7, {"colour_bonus": True}, 0.9), ("prokonsul", 5, {}, 1.0),
    ("spartacus", 4, {"points": "covered"}, 1.0), ("caesar", 2, {}, 0.1), ("hannibal", 2, {"core_control": True}, 0.7),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """What a table publishes of a game that has got so far."""

    id: str
    header: Header
    views: Sequence[JSON]
    ids: Sequence[int]
    names: Sequence[str]
    begun: str = "2026-11-22T18:00:00+00:00"
    number: int = 1

    @property
    def which(self) -> JSON:
        return {"game": self.number, "begun": self.begun}

    @property
    def result(self) -> JSON | None:
        result: JSON | None = self.views[-1]["result"]
        return result

    def header_payload(self, names: str, round_: int) -> JSON:
        data = {
            key: value for key, value in header_data(self.header).items() if key not in ("tags", "position", "ears")
        }
        data["players"] = dict(zip(self.header.seats, self.names, strict=True))
        if names != "full":
            del data["players"]
        return {**self.which, "header": data, "round": round_}

    def view(self, at: int = -1) -> JSON:
        number = at % len(self.views)
        return {**self.which, "number": number, "view": self.views[number]}

    def result_payload(self) -> JSON:
        canonical = json.dumps(self.result, sort_keys=True, separators=(",", ":"))
        return {**self.which, "number": len(self.views), "result": self.result, "crc": crc32(canonical.encode())}


@dataclass(frozen=True, slots=True)
class Hall:
    """An evening: its tables, and what the hall says of them."""

    name: str = "friday"
    at: str = "2026-11-22T18:00:00+00:00"
    title: str = "Club evening at the Forum"
    tables: Sequence[Table] = ()
    names: str = "full"
    lang: str = "en"
    round: int = 2
    line: str = ""
    state: str = "playing"
    clock: JSON = field(default_factory=lambda: {"round": 0, "state": "none", "left": 0, "whole": 0, "then": "nothing"})
    away: Sequence[str] = ()
    approvals: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    settled: Mapping[str, JSON] = field(default_factory=dict)
    """What the hall adds for a table: `settled`, and a reason."""

    def messages(self) -> Iterator[tuple[str, str]]:
        """Yield every topic with its payload; the evening comes last."""
        for topic, payload in self._said():
            yield f"tabularium/2/{self.name}/{topic}", json.dumps(payload, ensure_ascii=False)

    def _said(self) -> Iterator[tuple[str, JSON]]:
        for table in self.tables:
            at = f"table/{table.id}"
            yield f"{at}/status", {"here": table.id not in self.away, "version": "0.9"}
            yield f"{at}/header", table.header_payload(self.names, self.round)
            yield f"{at}/view", table.view()
            yield f"{at}/health", {"ill": [], "clock": table.begun}
            have: dict[str, Any] = {"number": len(table.views), "result": None, "approvals": {}}
            if table.result:
                result = table.result_payload()
                yield f"{at}/result", result
                have |= {"result": result["crc"], "approvals": self.approvals.get(table.id, {})}
            yield f"hall/have/{table.id}", {**table.which, **have, **self.settled.get(table.id, {})}
        yield "hall/clock", self.clock
        yield "hall/rounds", {"rounds": self._played()}
        yield "hall/seating", {"rounds": [self._round(self.round, 0), self._round(self.round + 1, 3)]}
        yield "hall/standings", self._standings()
        yield "hall/evening", {
            "name": self.title, "at": self.at, "round": self.round, "state": self.state, "lang": self.lang,
            "names": self.names, "by": "places", "line": self.line,
            "board": code_of("http://tabularium.local:9001/"),
        }  # fmt: skip

    def _shown(self, name: str) -> str | None:
        return {"full": name, "first": name.split(" ", maxsplit=1)[0], "none": None}[self.names]

    def _people(self) -> Mapping[int, str]:
        return {id_: name for table in self.tables for id_, name in zip(table.ids, table.names, strict=True)}

    def _round(self, number: int, shift: int) -> JSON:
        people = list(self._people().items())
        moved = iter(people[shift:] + people[:shift])
        tables = [
            {
                "table": table.id, "game": table.header.game.name, "options": dict(table.header.options),
                "seats": [
                    {"seat": seat, "id": id_, "name": self._shown(name)}
                    for seat, (id_, name) in zip(table.header.seats, moved, strict=False)
                ],
            }
            for table in self.tables
        ]  # fmt: skip
        byes = [{"id": 900 + number, "name": self._shown("Balthasar Bye")}] if shift else []
        return {"round": number, "tables": tables, "byes": byes}

    def _played(self) -> list[JSON]:
        """Return the round before, with the results that count."""
        return [{"round": self.round - 1, "withdrawn": False, "byes": [900], "tables": [
            {"table": table.id, "game": table.header.game.name, "state": "counts" if at else "void",
             "seats": [[seat, id_] for seat, id_ in zip(table.header.seats, table.ids, strict=True)],
             "scores": [9 - one for one in range(len(table.ids))] if at else []}
            for at, table in enumerate(self.tables)
        ]}]  # fmt: skip

    def _standings(self) -> JSON:
        rows = [
            {
                "id": id_, "name": self._shown(name), "place": at // 2 * 2 + 1, "score": 30.5 - at // 2, "games": 2,
                "wins": int(at < 9), "byes": int(at == 5), "left": at == 7,
                "ties": [int(at < 9), 0.5],
            }
            for at, (id_, name) in enumerate(self._people().items())
        ]  # fmt: skip
        reason = "Two ships were counted twice"
        corrected = [
            {
                "round": 1,
                "table": table.id,
                "game": table.number,
                "reason": reason,
                "at": table.begun,
                "before": None,
                "after": [
                    {"id": id_, "name": self._shown(name), "score": 7}
                    for id_, name in zip(table.ids, table.names, strict=True)
                ],
            }
            for table in self.tables[6:7]
        ]
        ties = ["wins", "opponents"]
        return {"by": "places", "after": self.round - 1, "open": 2, "ties": ties, "rows": rows, "corrected": corrected}


@cache
def played(
    name: str, seats: int, options: tuple[tuple[str, object], ...], far: float, seed: str
) -> tuple[Header, Sequence[JSON]]:
    """Return a game's header, and its public views from the opening as far as it has got."""
    header = simulate.table(games.game(name), seats, dict(options))
    views: list[JSON] = [header.game.view(header.game.setup(header.setup))]
    views += [receipt.view for _, receipt in simulate.play(header, Random(seed))]
    return header, views[: max(1, round(len(views) * far))]


def evening(
    tables: int = 10, first: int = 0, people: Sequence[str] = NAMES, seed: str = "hall", **rest: Any
) -> Hall:  # fields of Hall
    """Return a hall with this many tables in all games.

    The seventh waits for approvals, the eighth has all of them, and the fourth is away.
    """
    known = [
        played(name, seats, tuple(options.items()), far, f"{seed} {at}")
        for at, (name, seats, options, far) in enumerate(PLAYED)
    ]
    names, found, ids = cycle(people), [], iter(range(1, 100_000))
    for at in range(tables):
        header, views = known[(first + at) % len(known)]
        count = len(header.seats)
        found.append(Table(f"table-{at + 1}", header, views, list(islice(ids, count)), list(islice(names, count))))
    approvals = {
        table.id: dict.fromkeys(list(table.header.seats)[: 2 if (first + at) % 10 == 6 else None], True)
        for at, table in enumerate(found)
    }
    away = [table.id for at, table in enumerate(found) if (first + at) % 10 == 3]
    return Hall(tables=found, away=away, approvals=approvals, **rest)
