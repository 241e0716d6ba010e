"""Orders about rounds: who sits where, what is planned, and what changes in a round that is seated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from typing import Annotated

from companion.games import NAMES, game
from companion.hall._changes import changes
from companion.hall._evening import HallEvening, Round, SeatedTable, colours, round_of, table_data, table_of
from companion.hall._people import HallPlayer, as_it_is
from companion.hall._reporting import seating, seats
from companion.hall._rounds import TABLE, Wanted, planned, seated
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.hall.request import NOTED, WHY, Act, Argument, Order, OrderContext, of_round
from companion.rules import N_
from companion.rules.message import Message

SEEDS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seating(Order):
    """What a round is to be like."""

    slow = True

    games: Annotated[Sequence[str] | None, Argument(
        "what is played (default: as in the last round); several times: the tables take them in turn",
        "GAME", "--game", choices=NAMES,
    )] = None  # fmt: skip
    options: Annotated[Mapping[str, str | bool | int] | None, Argument(
        "an option of the game", "NAME=VALUE", "--option"
    )] = None  # fmt: skip
    tables: Annotated[Sequence[str] | None, Argument(
        "as 1-12 or 1,2,blue (default: all that are here)", "TABLES", "--tables", most=1000, commas=True
    )] = None  # fmt: skip
    size: Annotated[int | None, Argument(
        "players at a table, if possible (default 4)", "N", "--size", least=2, most=7
    )] = None  # fmt: skip
    swiss: Annotated[bool | None, Argument("tables of one strength, by the standings", flag="--swiss")] = None
    seed: Annotated[int | None, Argument("the same seed seats the same", "S", "--seed")] = None

    @property
    def _wanted(self) -> Wanted:
        return Wanted(self.games or (), self.options or {}, self.tables or (), self.size or None, bool(self.swiss))

    def _seed(self, at: datetime, number: int) -> int:
        """Return the seed that is given, else another one for each round and each time it is seated."""
        return self.seed if self.seed is not None else (int(at.timestamp()) * 100 + number) % SEEDS


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRound(_Seating):
    """Seat the next round."""

    do = "round"
    example = "round --game mercator --option halves=down"
    log = N_("round {round} seated")

    again: Annotated[bool | None, Argument(
        "seat the last round anew: nobody has begun it yet", flag="--again"
    )] = None  # fmt: skip
    withdraw: bool | None = None
    """True means `WithdrawRound`, as an earlier version worded it."""
    round: Annotated[int | None, of_round("the last")] = None

    def act(self, desk: OrderContext) -> Act:
        if self.withdraw:
            return WithdrawRound(round=self.round, reason=self.reason).act(desk)
        _open(desk)
        now, wanted = desk.now, self._wanted
        last = max((one.number for one in now.evening.rounds), default=0)
        if self.again:
            if not last or any(of.round == last and of.state != "missing" for of in now.outcomes):
                raise ValueError(Message("There is no round that is seated and not begun."))
            wanted = replace(wanted, tables=wanted.tables or now.evening.rounds[-1].offered, anew=True)
        number = last if self.again else last + 1
        return dict(seated(now, wanted, number, self._seed(desk.at, number)))

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        rounds = tuple(one for one in evening.rounds if one.number != act["round"])
        ahead = tuple(one for one in evening.planned if one.number > act["round"])
        return replace(evening, rounds=(*rounds, round_of(act)), planned=ahead)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        here = {row.table: row.here for row in after.tables}
        number, tables = act["round"], [of["table"] for of in act["tables"]]
        was = next((one for one in desk.now.evening.planned if one.number == number), None)
        anew = was and [of.seats for of in was.tables] != [dict(of["seats"]) for of in act["tables"]]
        return [
            *([Message("Seated otherwise than planned: somebody has come or gone.")] if anew else []),
            *seating(after.evening, number),
            *_mixed(after.evening),
            *(
                Message("Table {table} is away.", table=as_it_is(table)) if table in here else silent(table)
                for table in tables
                if not here.get(table)
            ),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRounds(_Seating):
    """Plan rounds ahead: `round` then seats one after the other."""

    do = "plan"
    example = "plan 5 --game mercator"
    log = N_("rounds planned")

    rounds: Annotated[int, Argument("how many rounds", "N")]

    def act(self, desk: OrderContext) -> Act:
        _open(desk)
        first = max((one.number for one in desk.now.evening.rounds), default=0) + 1
        acts = planned(desk.now, self._wanted, self.rounds, first, self._seed(desk.at, first))
        return {"act": "plan", "rounds": acts}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, planned=tuple(round_of({**one, "at": act["at"]}) for one in act["rounds"]))

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        lines = (line for one in after.evening.planned for line in seats(after.evening, one))
        return [*lines, Message("To seat them one after the other: {tabularium} hall round")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _InRound(Order):
    """Something that changes in a round that is seated."""

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        one = evening.round(act["round"])
        assert one
        return evening.with_round(cls._changed(one, act))

    @classmethod
    def _changed(cls, one: Round, act: Payload) -> Round:
        raise NotImplementedError

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [*changes(desk.now, after), *_begun(after, act["round"])] or [NOTED]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRound(_InRound):
    """Let a round count for nothing, also while it is played."""

    do = "withdraw"
    log = N_("round {round} withdrawn: {reason}")
    needs_reason = "always"

    round: Annotated[int | None, of_round("the last")] = None

    def act(self, desk: OrderContext) -> Act:
        return {"act": "withdraw", "round": desk.round(self.round).number, "reason": self.why}

    @classmethod
    def _changed(cls, one: Round, act: Payload) -> Round:
        return replace(one, withdrawn=act["reason"])


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapPlayers(_InRound):
    """Swap two players of a round, or the seats of two."""

    do = "swap"
    example = "swap Anna Ben"
    log = N_("round {round}, swapped: {names}")
    needs_reason = "results"

    players: Annotated[Sequence[str], Argument("a player, or a seat as 3:red", "PLAYER", least=2, most=2)]
    round: Annotated[int | None, of_round("the last")] = None
    reason: Annotated[str | None, WHY] = None

    def act(self, desk: OrderContext) -> Act:
        one = desk.round(self.round)
        first, second = (_at(desk, one, word) for word in self.players)
        if first.id == second.id:
            raise ValueError(Message("Two players are swapped, or the seats of two."))
        return {"act": "swap", "round": one.number, "players": [first.id, second.id], **self.its_reason}

    @classmethod
    def _changed(cls, one: Round, act: Payload) -> Round:
        first, second = act["players"]
        other = {first: second, second: first}
        tables = tuple(
            replace(of, seats={seat: other.get(player, player) for seat, player in of.seats.items()})
            for of in one.tables
        )
        return replace(one, tables=tables, byes=tuple(sorted(other.get(player, player) for player in one.byes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkAbsent(_InRound):
    """A player has not come: another takes the seat, or the table plays with one fewer."""

    do = "absent"
    example = "absent Ben"
    log = N_("round {round}, absent: {name}")
    needs_reason = "results"

    player: Annotated[str, Argument(metavar="PLAYER", most=2000)]
    stand_in: Annotated[str | None, Argument("who takes the seat", "PLAYER", "--for", most=2000)] = None
    round: Annotated[int | None, of_round("the last")] = None
    reason: Annotated[str | None, WHY] = None

    def act(self, desk: OrderContext) -> Act:
        one, player = desk.round(self.round), desk.player(self.player)
        if player.id not in one.everybody:
            raise ValueError(Message("{name} is not seated in round {round}.", name=player.called, round=one.number))
        at = one.seat_of(player.id)
        stand_in = desk.player(self.stand_in) if self.stand_in else None
        if stand_in and one.seat_of(stand_in.id):
            raise ValueError(Message("{name} sits at a table of that round already.", name=stand_in.called))
        took = stand_in.id if stand_in else None
        act = {"act": "absent", "round": one.number, "player": player.id, "stand_in": took, **self.its_reason}
        if at is None:
            return {**act, "stand_in": None, "table": None}
        table = at[0]
        its = _without(table, player.id) if stand_in is None else replace(
            table, seats={seat: stand_in.id if sits == player.id else sits for seat, sits in table.seats.items()}
        )  # fmt: skip
        if its is None:
            waiting = tuple(desk.now.evening.people[bye].called for bye in one.byes) or (as_it_is("–"),)
            raise ValueError(Message(
                "Table {table} would have too few players: say who takes the seat (byes: {names}), or seat the round"
                " anew.",
                table=table.table, names=waiting,
            ))  # fmt: skip
        return {**act, "table": table_data(its)}

    @classmethod
    def _changed(cls, one: Round, act: Payload) -> Round:
        byes = tuple(player for player in one.byes if player not in (act["player"], act["stand_in"]))
        table = table_of(act["table"]) if act["table"] else None
        tables = tuple(table if table and of.table == table.table else of for of in one.tables)
        return replace(one, tables=tables, byes=byes, absent=(*one.absent, act["player"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceDevice(Order):
    """A table's device has died: another one goes on in its place."""

    do = "spare"
    example = 'spare 3 12 --reason "no power"'
    log = N_("table {table} goes on at {to}: {reason}")
    needs_reason = "always"

    table: Annotated[str, Argument("the table whose device has died", "TABLE", most=2000)]
    to: Annotated[str, Argument("the machine that takes its place, by its own name", "TABLE", most=2000)]
    round: Annotated[int | None, of_round("the first that is open there")] = None
    reason: Annotated[str | None, WHY] = None

    def act(self, desk: OrderContext) -> Act:
        table, to = self.table, self.to
        placed = [of for of in desk.now.outcomes if of.seated.table == table and of.state != "withdrawn"]
        its = [of for of in placed if of.open and self.round in (None, of.round)]
        if not its:
            raise ValueError(Message("Nothing is open at table {table}.", table=as_it_is(table)))
        if not TABLE.fullmatch(to):
            raise ValueError(Message("No table can be called {table}: a to z, 0 to 9 and -.", table=as_it_is(to)))
        for one in desk.now.evening.rounds:
            if one.number >= its[0].round and one.table(table) and one.table(to):
                raise ValueError(Message("Table {table} has players of its own in round {round}.", table=to,
                                         round=one.number))  # fmt: skip
        return {"act": "spare", "round": its[0].round, "table": table, "to": to, "reason": self.why}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        later = [one for one in evening.rounds if one.number >= act["round"] and one.table(act["table"])]
        return reduce(lambda so_far, one: so_far.with_round(_moved(one, act)), later, evening)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [*changes(desk.now, after), *_dead(after, act["to"])]


def silent(table: str) -> Message:
    """Return the message that a table has never reported."""
    return Message("Nothing has been heard of table {table} yet.", table=as_it_is(table))


def _open(desk: OrderContext) -> None:
    if desk.now.evening.over:
        raise ValueError(Message("The evening is over; to go on all the same, say evening."))


def _at(desk: OrderContext, one: Round, word: str) -> HallPlayer:
    """Return the player meant by a name, or by a seat as 3:red. Raises ValueError and LookupError."""
    name, _, seat = word.partition(":")
    table = one.table(name.strip())
    if seat and table:
        if seat not in table.seats:
            there = as_it_is(", ".join(table.seats))
            raise ValueError(Message("At table {table} there are the seats {seats}.", table=table.table, seats=there))
        return desk.now.evening.people[table.seats[seat]]
    player = desk.player(word)
    if player.id not in one.everybody:
        raise ValueError(Message("{name} is not seated in round {round}.", name=player.called, round=one.number))
    return player


def _without(table: SeatedTable, player: int) -> SeatedTable | None:
    """Return the table with one player fewer, in the same order; None where the game does not allow it."""
    left = [sits for sits in table.players if sits != player]
    if len(left) not in game(table.game).seats:
        return None
    return replace(table, seats=dict(zip(colours(table.game, len(left)), left, strict=True)))


def _moved(one: Round, act: Payload) -> Round:
    """Return the round with another device in a table's place."""
    tables = tuple(replace(of, table=act["to"]) if of.table == act["table"] else of for of in one.tables)
    moved = {**one.moved, act["table"]: (act["to"], act["reason"])}
    moved.pop(act["to"], None)  # the device works again
    return replace(one, tables=tables, moved=moved)


def _begun(after: Stand, number: int) -> Iterator[Message]:
    """Yield the tables that already play a game which has been changed under them."""
    for of in after.outcomes:
        if of.round != number or not of.played or of.played.result:
            continue
        if of.state == "withdrawn":
            yield Message("Table {table} plays already: it reads that its game does not count.", table=of.seated.table)
        elif of.why:
            yield Message("Table {table} plays already, and otherwise: it begins anew, or you settle its result.",
                          table=of.seated.table)  # fmt: skip


def _dead(after: Stand, to: str) -> Sequence[Message]:
    """Return what there is to do where a device has died, the better way first."""
    return [
        *([] if to in {row.table for row in after.tables} else [silent(to)]),
        Message(
            "If the old card can still be read, or there is a backup of it: take the order back, put the card into the "
            "other machine or restore the backup there, and its game goes on as it was."
        ),
        Message(
            "Else table {table} goes on from what everybody has seen, and cards that lay face down are chosen anew. A "
            "game that did not begin at its opening is set up there by hand (“Already begun”).",
            table=as_it_is(to),
        ),
    ]


def _mixed(evening: HallEvening) -> Sequence[Message]:
    """Return what the organiser is to know where scores of different games are added up."""
    if evening.by != "scores" or len(evening.games) == 1:
        return []
    return [
        Message("This evening adds up scores, now of different games."),
        Message("Next time: {tabularium} hall evening --by places"),
    ]
