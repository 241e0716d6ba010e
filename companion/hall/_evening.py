"""The evening as a fold over what the organiser has said: players, rounds, and results that were settled by hand.

A hall that dies comes back the same, for nothing else makes an evening. What a round's search found is part of the
act that seats it, so it is never searched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Literal, cast

from companion.games import game
from companion.hall import _people as people
from companion.hall._people import People
from companion.hall._seating import Chair, History, Seating, history
from companion.hall.kept import Payload
from companion.rules import Options, Seat
from companion.rules.views import Result

Names = Literal["full", "first", "none"]
"""How players are named to everybody: in full, by the first word, or not at all."""
By = Literal["scores", "wins", "places"]
"""What counts: the games' scores, games won, or places as points."""
Key = tuple[int, str]
"""A game of the evening: its round and its table."""


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of a round: what is played, and who sits where, by seat in the order of the table."""

    table: str
    game: str
    options: Options
    seats: Mapping[Seat, int]

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """What the search calls its seats."""
        return chairs(self.game, len(self.seats))


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it was seated, the seed of the search, and the tables there were, also those that stayed empty."""

    number: int
    at: str
    seed: int
    tables: tuple[SeatedTable, ...]
    byes: tuple[int, ...]
    offered: tuple[str, ...]

    @property
    def seating(self) -> Seating:
        """The same as the search has it."""
        return Seating(tuple(tuple(of.seats.values()) for of in self.tables), self.byes)


@dataclass(frozen=True, slots=True)
class Settled:
    """A result by the organiser's word, None for a game that counts for nobody; `corrects` one that counted before.

    `game` and `crc` are what the table had reported by then, None where it had not.
    """

    result: Result | None
    reason: str
    at: str
    corrects: bool
    game: int | None = None
    crc: int | None = None


@dataclass(frozen=True, slots=True)
class HallEvening:
    """What the organiser has said, all of it: what tables sent stands beside it (`results`)."""

    name: str = "Tabularium"
    mark: str | None = None
    """What tells it from any other, for tables too; None for one that was begun by an earlier version."""
    at: str = ""
    lang: str = "en"
    names: Names = "full"
    people: People = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    dropped: tuple[Round, ...] = ()
    """Rounds that were seated and that nobody had begun when the evening was over."""
    settled: Mapping[Key, tuple[Settled, ...]] = field(default_factory=dict)
    over: bool = False
    scored: By | None = None
    """How it is scored, where the organiser has said so."""

    @property
    def by(self) -> By:
        """How it is scored, fixed when it begins: as the organiser has said, else by what the first round plays. One
        game counts by its own rules for a series, several by places."""
        if self.scored or not self.rounds:
            return self.scored or "wins"
        first = {seated.game for seated in self.rounds[0].tables}
        if len(first) > 1:
            return "places"
        return "scores" if all(game(name).series == "scores" for name in first) else "wins"

    @property
    def latest(self) -> Round | None:
        """The round that was seated last, whatever became of it: the next one is like it."""
        return next(reversed(self.rounds or self.dropped), None)

    @property
    def games(self) -> tuple[str, ...]:
        """What has been seated so far, each game once."""
        return tuple(dict.fromkeys(seated.game for one in self.rounds for seated in one.tables))

    def history(self, before: int) -> History:
        """Who met whom, and sat and paused where, in the rounds before this one."""
        return history((one.seating, [of.chairs for of in one.tables]) for one in self.rounds if one.number < before)


def chairs(name: str, players: int) -> tuple[Chair, ...]:
    """The chairs at a table: the sides in a game that has some, else the places in the order of play."""
    fixed = game(name).fixed
    return tuple(f"{name} {side}" for side in fixed) if fixed else tuple(range(players))


def colours(name: str, players: int) -> tuple[Seat, ...]:
    """The seats at a table of so many."""
    of = game(name)
    return of.fixed or of.colours[:players]


def fold(acts: Iterable[Payload]) -> HallEvening:
    """The evening after these acts."""
    return reduce(step, acts, HallEvening())


def mark_of(acts: Sequence[Payload]) -> str | None:
    """The mark of the evening that these acts make; None before the first, and for one of an earlier version."""
    mark: str | None = acts[0].get("mark") if acts else None
    return mark


def step(evening: HallEvening, act: Payload) -> HallEvening:
    """The evening after one more act; the first one has its mark."""
    if "mark" in act:
        evening = replace(evening, mark=act["mark"])
    match act["act"]:
        case "evening":
            told = {key: act[key] for key in ("name", "lang", "names") if key in act}
            told |= {"scored": act["by"]} if "by" in act else {}
            return replace(evening, at=evening.at or act["at"], over=False, **told)
        case "join":
            return replace(evening, people=people.joined(evening.people, act["names"]))
        case "leave":
            return replace(evening, people=people.left(evening.people, act["players"]))
        case "round":
            rounds = tuple(one for one in evening.rounds if one.number != act["round"])
            return replace(evening, rounds=(*rounds, _round(act)))
        case "result" | "amend":
            return _settled(evening, act)
        case "end":  # rounds that nobody has begun are dropped
            gone = act.get("dropped", ())
            rounds = tuple(one for one in evening.rounds if one.number not in gone)
            dropped = tuple(one for one in evening.rounds if one.number in gone)
            return replace(evening, over=True, rounds=rounds, dropped=dropped)
    raise ValueError(act["act"])


def _round(act: Payload) -> Round:
    tables = tuple(SeatedTable(of["table"], of["game"], of["options"], dict(of["seats"])) for of in act["tables"])
    return Round(act["round"], act["at"], act["seed"], tables, tuple(act["byes"]), tuple(act["offered"]))


def round_act(
    number: int, seed: int, tables: Sequence[SeatedTable], byes: Sequence[int], offered: Sequence[str]
) -> Payload:
    """The act that seats a round; when, is added as it is said."""
    seated = [
        {"table": of.table, "game": of.game, "options": dict(of.options), "seats": list(map(list, of.seats.items()))}
        for of in tables
    ]
    told = {"act": "round", "round": number, "seed": seed, "tables": seated, "byes": list(byes)}
    return {**told, "offered": list(offered)}


def _settled(evening: HallEvening, act: Payload) -> HallEvening:
    key = (act["round"], act["table"])
    result, corrects = cast("Result | None", act["result"]), act["act"] == "amend"
    word = Settled(result, act["reason"], act["at"], corrects, act["game"], act["crc"])
    return replace(evening, settled={**evening.settled, key: (*evening.settled.get(key, ()), word)})
