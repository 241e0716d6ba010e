"""The evening as a fold over the organiser's acts: players, rounds, and results that were settled by hand.

A hall that crashes restarts with the same evening, for nothing else makes an evening. The seating that a search found
is part of the act that seats the round, so the search is never repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from companion.games import game
from companion.hall._clock import HallClock
from companion.hall._people import People, as_it_is
from companion.hall._seating import Chair
from companion.hall.records import Payload
from companion.rules import Options, Seat
from companion.rules.data import Data
from companion.rules.views import Result
from companion.rules.words import Words

Names = Literal["full", "first", "none"]
"""How players are named to everybody: in full, by the first word, or not at all."""
By = Literal["scores", "wins", "places"]
"""What counts: the games' scores, games won, or places as points."""
Tie = Literal["wins", "shares", "best", "opponents"]
"""A tie-break: games won, places as points, the best single game, or the mean score of the opponents met."""
Share = Literal["half", "nothing", "full"]
"""A player's points for a round without a game: half of the most possible, none, or all."""
TIES: Mapping[By, tuple[Tie, ...]] = {
    "scores": ("wins", "best", "opponents"),
    "wins": ("shares", "opponents"),
    "places": ("wins", "opponents"),
}
"""The default tie-breaks."""
SPARE = "spare"
"""How the name of a spare device begins."""
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
    def players(self) -> tuple[int, ...]:
        """Return the players at this table, in the order of the table."""
        return tuple(self.seats.values())

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """Return the chairs that the search uses for the seats."""
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
    absent: tuple[int, ...] = ()
    """Seated players who did not come: the round brings them nothing."""
    withdrawn: str | None = None
    """The reason for not counting it; None if it counts."""
    moved: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Dead devices, each with its replacement and the reason."""
    devices: Mapping[str, str] = field(default_factory=dict)
    """The device of each table that a spare has taken over; any other table is on the device of the same name."""

    @property
    def everybody(self) -> tuple[int, ...]:
        """Return all who sit at one of its tables or have a bye."""
        return (*(player for of in self.tables for player in of.players), *self.byes)

    def table(self, name: str) -> SeatedTable | None:
        """Return the table of this name, or None if nobody is seated there."""
        return next((of for of in self.tables if of.table == name), None)

    def device(self, table: str) -> str:
        """Return the device that a table is on."""
        return self.devices.get(table, table)

    def table_on(self, device: str) -> SeatedTable | None:
        """Return the table that is on this device, None where nobody is seated there."""
        return next((of for of in self.tables if self.device(of.table) == device), None)

    def seat_of(self, player: int) -> tuple[SeatedTable, Seat] | None:
        """Return the table and seat of a player, None for a bye."""
        return next(((of, seat) for of in self.tables for seat, sits in of.seats.items() if sits == player), None)


@dataclass(frozen=True, slots=True)
class Settled:
    """A result by the organiser's word, None for a game that counts for nobody; `corrects` one that counted before.

    `game` and `crc` are what the table had reported by then, None where it had not. `reopened` takes back the result
    that counted: then the table's own result counts once its players approve it, but not that of `crc`.
    """

    result: Result | None
    reason: str
    at: str
    corrects: bool
    game: int | None = None
    crc: int | None = None
    before: Result | None = None
    """What counted until then."""
    reopened: bool = False


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that somebody loses, or is given back where they are below zero."""

    player: int
    points: Fraction
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Scoring:
    """How an evening is scored, fixed with its first round; what the organiser has not said is as it stands here."""

    by: By | None = None
    """None: by what the first round plays."""
    ties: tuple[Tie, ...] | None = None
    """The tie-breaks in order; with () tied players share the place, None stands for the default (`TIES`)."""
    byes: Share = "half"
    voids: Share = "half"
    late: Share = "nothing"
    """For each round before somebody came."""
    leavers: Literal["stay", "last"] = "stay"
    """Whether players keep their places by points after leaving, or rank behind everybody present."""


@dataclass(frozen=True, slots=True)
class HallEvening:
    """The evening that the organiser's acts make. Reports from the tables stand beside it (`_results`)."""

    name: str = "Tabularium"
    mark: str | None = None
    """A token unique to this evening, also known to tables; None if an earlier version began it."""
    at: str = ""
    lang: str = "en"
    names: Names = "full"
    people: People = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    dropped: tuple[Round, ...] = ()
    """Seated rounds still not begun at the end of the evening."""
    settled: Mapping[Key, tuple[Settled, ...]] = field(default_factory=dict)
    over: bool = False
    scoring: Scoring = Scoring()
    numbers: int = 0
    """The highest number given to a player."""
    line: str = ""
    """What the organiser says to everybody, "" for nothing."""
    penalties: tuple[Penalty, ...] = ()
    fixed: Mapping[int, tuple[str, Seat | None]] = field(default_factory=dict)
    """Players with a fixed table, and there perhaps a fixed seat: for an audio seat, for a wheelchair."""
    planned: tuple[Round, ...] = ()
    """Rounds planned but not yet seated."""
    tie_breaks: bool = False
    """Whether tie-breaks apply; in an evening begun by an earlier version, tied players share the place."""
    clock: HallClock | None = None
    """The time of a round."""
    aside: str = ""
    """Faults up to this time have been put aside."""
    devices: Mapping[str, str] = field(default_factory=dict)
    """The device of each table that a spare has taken over, from the next round on."""
    reserved: Mapping[str, bool] = field(default_factory=dict)
    """The devices that the organiser keeps as spares (True) or seats as tables (False)."""

    @property
    def by(self) -> By:
        """Return how the evening is scored, fixed when it begins.

        The organiser's choice counts, else what the first round plays: one game counts by its own rules for a series,
        several by places.
        """
        if self.scoring.by or not self.rounds:
            return self.scoring.by or "wins"
        first = {seated.game for seated in self.rounds[0].tables}
        if len(first) > 1:
            return "places"
        return "scores" if all(game(name).series == "scores" for name in first) else "wins"

    @property
    def latest(self) -> Round | None:
        """Return the round that was seated last, also a withdrawn or dropped one: the next one is like it."""
        return next(reversed(self.rounds or self.dropped), None)

    @property
    def games(self) -> tuple[str, ...]:
        """Return the games that have been seated so far, each once."""
        return tuple(dict.fromkeys(seated.game for one in self.rounds for seated in one.tables))

    @property
    def ties(self) -> tuple[Tie, ...]:
        """Return the tie-breaks in order.

        In an evening of an earlier version, tied players share the place.
        """
        if self.scoring.ties is not None or not self.tie_breaks:
            return self.scoring.ties or ()
        return TIES[self.by]

    def device(self, table: str) -> str:
        """Return the device that a table is on from the next round on."""
        return self.devices.get(table, table)

    def table_on(self, device: str) -> str | None:
        """Return the table that is on this device from the next round on, None for a spare and a replaced device."""
        taken_over = next((table for table, to in self.devices.items() if to == device), None)
        return taken_over or (None if device in self.devices or self.is_spare(device) else device)

    def is_spare(self, device: str) -> bool:
        """Return whether a device is kept as a spare: by its name, unless the organiser has said otherwise."""
        return self.reserved.get(device, device.startswith(SPARE))

    def round(self, number: int) -> Round | None:
        """Return the round of this number, None if there is none."""
        return next((one for one in self.rounds if one.number == number), None)

    def with_round(self, one: Round) -> HallEvening:
        """Return the evening with this round in place of the one with its number."""
        return replace(self, rounds=tuple(one if each.number == one.number else each for each in self.rounds))


def name_of(evening: HallEvening, player: int) -> Words:
    """Return the player's name with the number, also for a player who is no longer on the list."""
    known = evening.people.get(player)
    return known.called if known else as_it_is(f"#{player}")


def chairs(name: str, players: int) -> tuple[Chair, ...]:
    """Return the chairs at a table: the sides in a game that has some, else the places in the order of play."""
    fixed = game(name).fixed
    return tuple(f"{name} {side}" for side in fixed) if fixed else tuple(range(players))


def colours(name: str, players: int) -> tuple[Seat, ...]:
    """Return the seats at a table of so many players."""
    of = game(name)
    return of.fixed or of.colours[:players]


def scored(evening: HallEvening) -> Data:
    """Return how the evening is scored, with the defaults filled in."""
    of = evening.scoring
    its = {"byes": of.byes, "voids": of.voids, "late": of.late, "leavers": of.leavers}
    return {"by": evening.by, "ties": list(evening.ties), **its}


def mark_of(acts: Sequence[Payload]) -> str | None:
    """Return the mark of the evening that these acts make; None before the first, and for an earlier version."""
    mark: str | None = acts[0].get("mark") if acts else None
    return mark


@dataclass(frozen=True, slots=True)
class OrderLine:
    """The organiser's acts that stand, in order, and those that were undone and could be redone, the next one last."""

    done: tuple[Payload, ...] = ()
    undone: tuple[Payload, ...] = ()


def line(acts: Iterable[Payload]) -> OrderLine:
    """Return the acts that stand and those that can be redone.

    An undo takes back the last act. A redo brings it again unless another act has come since.
    """
    done: list[Payload] = []
    undone: list[Payload] = []
    for act in acts:
        if act["act"] == "undo":
            undone += [of for of in done if of.get("number") == act["of"]]
            done = [of for of in done if of.get("number") != act["of"]]
        elif act["act"] == "redo":
            done += [of for of in undone if of.get("number") == act["of"]]
            undone = [of for of in undone if of.get("number") != act["of"]]
        else:
            done.append(act)
            undone.clear()
    return OrderLine(tuple(done), tuple(undone))


def round_of(act: Payload, devices: Mapping[str, str] = {}) -> Round:
    """Build a round from its act; `devices` are those of the tables that a spare has taken over."""
    tables = tuple(table_of(of) for of in act["tables"])
    its = {of.table: devices[of.table] for of in tables if of.table in devices}
    return Round(act["round"], act["at"], act["seed"], tables, tuple(act["byes"]), tuple(act["offered"]), devices=its)


def table_of(of: Payload) -> SeatedTable:
    """Build a seated table from its data in an act."""
    return SeatedTable(of["table"], of["game"], of["options"], dict(of["seats"]))


def table_data(of: SeatedTable) -> Payload:
    """Return a seated table as an act keeps it."""
    seats = list(map(list, of.seats.items()))
    return {"table": of.table, "game": of.game, "options": dict(of.options), "seats": seats}


def round_act(
    number: int, seed: int, tables: Sequence[SeatedTable], byes: Sequence[int], offered: Sequence[str]
) -> Payload:
    """Return the act that seats a round; its time is added when it is kept."""
    told = {"act": "round", "round": number, "seed": seed, "tables": [*map(table_data, tables)], "byes": list(byes)}
    return {**told, "offered": list(offered)}
