"""Orders about rounds: seating, planning, and changes in a seated round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from random import Random
from typing import Annotated

from companion.games import NAMES, game
from companion.hall._changes import changes
from companion.hall._evening import HallEvening, Round, SeatedTable, colours, round_of, table_data, table_of
from companion.hall._people import HallPlayer, as_it_is
from companion.hall._reporting import seating, seats
from companion.hall._rounds import TABLE, Wanted, planned, seated, tables_of
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.hall.request import NOTED, WHY, Act, Argument, Order, OrderContext, of_round
from companion.rules import N_
from companion.rules.message import Message

SEEDS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seating(Order):
    """The settings of a round to be seated or planned."""

    games: Annotated[Sequence[str] | None, Argument(
        "the game (default: as in the last round); repeat it to spread several games over the tables",
        "GAME", "--game", choices=NAMES,
    )] = None  # fmt: skip
    options: Annotated[Mapping[str, str | bool | int] | None, Argument(
        "an option of the game", "NAME=VALUE", "--option"
    )] = None  # fmt: skip
    tables: Annotated[Sequence[str] | None, Argument(
        "the tables, such as 1-12 or 1,2,blue (default: all that are connected)",
        "TABLES", "--tables", most=1000, commas=True,
    )] = None  # fmt: skip
    size: Annotated[int | None, Argument(
        "players per table, where possible (default: 4)", "N", "--size", least=2, most=7
    )] = None  # fmt: skip
    swiss: Annotated[bool | None, Argument("group players of similar strength, by the standings", flag="--swiss")] = (
        None
    )
    seed: Annotated[
        int | None, Argument("a number for the draw: the same number gives the same seating", "S", "--seed")
    ] = None

    @property
    def _settings(self) -> Wanted:
        return Wanted(self.games or (), self.options or {}, self.tables or (), self.size or None, bool(self.swiss))

    def _seed(self, desk: OrderContext) -> int:
        """Return the given seed, else one that differs for each seating but not between a preview and its order."""
        if self.seed is not None:
            return self.seed
        seatings = sum(act["act"] in (SeatRound.do, PlanRounds.do) for act in desk.acts)
        return Random(f"{desk.now.evening.mark} {seatings}").randrange(SEEDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRound(_Seating):
    """Seat the next round."""

    do = "round"
    example = "round --game mercator --option halves=down"
    log = N_("round {round} seated")

    again: Annotated[bool | None, Argument(
        "reseat the last round, if nobody has begun it", flag="--again"
    )] = None  # fmt: skip
    withdraw: bool | None = None
    """True means `WithdrawRound`: an earlier version worded it so."""
    round: Annotated[int | None, of_round("the last")] = None

    def act(self, desk: OrderContext) -> Act:
        if self.withdraw:
            return WithdrawRound(round=self.round, reason=self.reason).act(desk)
        _require_open(desk)
        now, wanted = desk.now, self._settings
        last = max((one.number for one in now.evening.rounds), default=0)
        if self.again:
            if not last or any(of.round == last and of.state != "missing" for of in now.outcomes):
                raise ValueError(Message("No round is seated that has not begun."))
            offered = tables_of(now.evening, now.evening.rounds[-1].offered)
            wanted = replace(wanted, tables=wanted.tables or offered, anew=True)
        number = last if self.again else last + 1
        return dict(seated(now, wanted, number, self._seed(desk), search=desk.search))

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        rounds = tuple(one for one in evening.rounds if one.number != act["round"])
        ahead = tuple(one for one in evening.planned if one.number > act["round"])
        return replace(evening, rounds=(*rounds, round_of(act, evening.devices)), planned=ahead)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        here = {after.evening.table_on(row.table): row.here for row in after.tables}
        number, tables = act["round"], [of["table"] for of in act["tables"]]
        was = next((one for one in desk.now.evening.planned if one.number == number), None)
        anew = was and [of.seats for of in was.tables] != [dict(of["seats"]) for of in act["tables"]]
        return [
            *([Message("Seated differently than planned, because players have come or left.")] if anew else []),
            *seating(after.evening, number),
            *_mixed_scores(after.evening),
            *(
                Message("Table {table} is not connected.", table=as_it_is(table)) if table in here else silent(table)
                for table in tables
                if not here.get(table)
            ),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRounds(_Seating):
    """Plan rounds ahead; `round` then seats them one by one."""

    do = "plan"
    example = "plan 5 --game mercator"
    log = N_("rounds planned")

    rounds: Annotated[int, Argument("the number of rounds", "N")]

    def act(self, desk: OrderContext) -> Act:
        _require_open(desk)
        first = max((one.number for one in desk.now.evening.rounds), default=0) + 1
        acts = planned(desk.now, self._settings, self.rounds, first, self._seed(desk), search=desk.search)
        return {"act": "plan", "rounds": acts}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, planned=tuple(round_of({**one, "at": act["at"]}) for one in act["rounds"]))

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        lines = (line for one in after.evening.planned for line in seats(after.evening, one))
        return [*lines, Message("To seat them one by one: {tabularium} hall round")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _InRound(Order):
    """A change in a seated round."""

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
        return [*changes(desk.now, after), *_already_playing(after, act["round"])] or [NOTED]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRound(_InRound):
    """Declare a round void, even while it is being played."""

    do = "withdraw"
    log = N_("round {round} declared void: {reason}")
    needs_reason = "always"

    round: Annotated[int | None, of_round("the last")] = None

    def act(self, desk: OrderContext) -> Act:
        return {"act": "withdraw", "round": desk.round(self.round).number, "reason": self.why}

    @classmethod
    def _changed(cls, one: Round, act: Payload) -> Round:
        return replace(one, withdrawn=act["reason"])


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapPlayers(_InRound):
    """Swap two players of a round, or two seats."""

    do = "swap"
    example = "swap Anna Ben"
    log = N_("round {round}, swapped: {names}")
    needs_reason = "results"

    players: Annotated[Sequence[str], Argument("a player, or a seat such as 3:red", "PLAYER", least=2, most=2)]
    round: Annotated[int | None, of_round("the last")] = None
    reason: Annotated[str | None, WHY] = None

    def act(self, desk: OrderContext) -> Act:
        one = desk.round(self.round)
        first, second = (_player_at(desk, one, word) for word in self.players)
        if first.id == second.id:
            raise ValueError(Message("Name two players to swap, or two seats."))
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
    """Mark a player as absent: a substitute takes the seat, or the table plays short-handed."""

    do = "absent"
    example = "absent Ben"
    log = N_("round {round}, absent: {name}")
    needs_reason = "results"

    player: Annotated[str, Argument("the absent player, or a seat such as 3:red", "PLAYER", most=2000)]
    stand_in: Annotated[
        str | None, Argument("the substitute (default: play short-handed)", "PLAYER", "--for", most=2000)
    ] = None
    round: Annotated[int | None, of_round("the last")] = None
    reason: Annotated[str | None, WHY] = None

    def act(self, desk: OrderContext) -> Act:
        one, player = desk.round(self.round), desk.player(self.player)
        if player.id not in one.everybody:
            raise ValueError(Message("{name} is not seated in round {round}.", name=player.called, round=one.number))
        at = one.seat_of(player.id)
        stand_in = desk.player(self.stand_in) if self.stand_in else None
        if stand_in and one.seat_of(stand_in.id):
            raise ValueError(Message("{name} is already seated in that round.", name=stand_in.called))
        took = stand_in.id if stand_in else None
        act = {"act": "absent", "round": one.number, "player": player.id, "stand_in": took, **self.its_reason}
        if at is None:
            return {**act, "stand_in": None, "table": None}
        table = at[0]
        its = _without_player(table, player.id) if stand_in is None else replace(
            table, seats={seat: stand_in.id if sits == player.id else sits for seat, sits in table.seats.items()}
        )  # fmt: skip
        if its is None:
            waiting = tuple(desk.now.evening.people[bye].called for bye in one.byes) or (Message("none"),)
            raise ValueError(Message(
                "Table {table} would have too few players: name a substitute (byes: {names}), or reseat the round.",
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
    """Replace a table's device by a spare, which takes over the table's name."""

    do = "spare"
    example = 'spare 3 12 --reason "no power"'
    log = N_("table {table} continues on device {to}: {reason}")
    needs_reason = "always"

    table: Annotated[str, Argument("the table whose device is dead", "TABLE", most=2000)]
    to: Annotated[str, Argument("the name of the replacing device", "DEVICE", most=2000)]
    round: Annotated[int | None, of_round("the first that is open there")] = None
    reason: Annotated[str | None, WHY] = None

    def act(self, desk: OrderContext) -> Act:
        table, to, evening = self.table, self.to, desk.now.evening
        placed = [of for of in desk.now.outcomes if of.seated.table == table and of.state != "withdrawn"]
        its = [of.round for of in placed if of.open and self.round in (None, of.round)]
        known = self.round is None and (placed or table in {evening.table_on(row.table) for row in desk.now.tables})
        if not its and not known:
            raise ValueError(Message("No game is open at table {table}.", table=as_it_is(table)))
        if not TABLE.fullmatch(to):
            raise ValueError(
                Message("{table} cannot be the name of a table: use a to z, 0 to 9 and -.", table=as_it_is(to))
            )
        number = its[0] if its else max((one.number for one in evening.rounds), default=0) + 1
        used = {of.table for one in evening.rounds if one.number >= number if (of := one.table_on(to))}
        used |= {name for name, device in evening.devices.items() if device == to}
        if used:
            raise ValueError(
                Message("Device {device} is in use at table {table}.", device=as_it_is(to), table=as_it_is(min(used)))
            )
        return {"act": "spare", "round": number, "table": table, "to": to, "reason": self.why}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        later = [one for one in evening.rounds if one.number >= act["round"] and _meant(one, act)]
        so_far = reduce(lambda so_far, one: so_far.with_round(_moved(one, act)), later, evening)
        table = _meant(later[0], act) if later else act["table"]
        return replace(so_far, devices=_devices(evening.devices, table, act["to"]))

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [*changes(desk.now, after), *_remedies(after, act["to"])]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveDevices(Order):
    """Keep devices as spares, where nobody is ever seated. Those whose names begin with spare already are."""

    do = "reserve"
    example = "reserve 13 14"
    log = N_("spares: {devices}")

    devices: Annotated[Sequence[str], Argument("a device", "DEVICE", least=1, most=1000)]
    off: Annotated[bool | None, Argument("seat players there again", flag="--off")] = None

    def act(self, desk: OrderContext) -> Act:
        evening = desk.now.evening
        for device in self.devices:
            if not TABLE.fullmatch(device):
                raise ValueError(
                    Message("{table} cannot be the name of a table: use a to z, 0 to 9 and -.", table=as_it_is(device))
                )
            used = {
                of.seated.table
                for one in evening.rounds
                for of in desk.now.outcomes
                if of.round == one.number and of.open and one.device(of.seated.table) == device
            }
            used |= {name for name, its in evening.devices.items() if its == device}
            if used and not self.off:
                raise ValueError(
                    Message(
                        "Device {device} is in use at table {table}.",
                        device=as_it_is(device),
                        table=as_it_is(min(used)),
                    )
                )
        return {"act": "reserve", "devices": list(self.devices), "off": bool(self.off)}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, reserved={**evening.reserved, **dict.fromkeys(act["devices"], not act["off"])})

    @classmethod
    def describe(cls, evening: HallEvening, act: Payload) -> Message:
        text = N_("no longer spares: {devices}") if act["off"] else cls.log
        return Message(text, devices=tuple(map(as_it_is, act["devices"])))


def silent(table: str) -> Message:
    """Return the message that a table has never reported."""
    return Message("Table {table} has not reported yet.", table=as_it_is(table))


def _require_open(desk: OrderContext) -> None:
    if desk.now.evening.over:
        raise ValueError(Message("The evening is over. Use evening to resume it."))


def _player_at(desk: OrderContext, one: Round, word: str) -> HallPlayer:
    """Return the player meant by a name, or by a seat such as 3:red. Raises ValueError and LookupError."""
    name, _, seat = word.partition(":")
    table = one.table(name.strip())
    if seat and table:
        if seat not in table.seats:
            there = as_it_is(", ".join(table.seats))
            raise ValueError(Message("The seats at table {table} are {seats}.", table=table.table, seats=there))
        return desk.now.evening.people[table.seats[seat]]
    player = desk.player(word)
    if player.id not in one.everybody:
        raise ValueError(Message("{name} is not seated in round {round}.", name=player.called, round=one.number))
    return player


def _without_player(table: SeatedTable, player: int) -> SeatedTable | None:
    """Return the table with one player fewer, in the same order; None where the game does not allow it."""
    left = [sits for sits in table.players if sits != player]
    if len(left) not in game(table.game).seats:
        return None
    return replace(table, seats=dict(zip(colours(table.game, len(left)), left, strict=True)))


def _meant(one: Round, act: Payload) -> str:
    """Return the table whose device is replaced, "" for none: earlier versions named a replaced table by its device."""
    found = one.table(act["table"]) or one.table_on(act["table"])
    return found.table if found else ""


def _moved(one: Round, act: Payload) -> Round:
    """Return the round with a table on another device."""
    table = _meant(one, act)
    moved = {**one.moved, one.device(table): (act["to"], act["reason"])}
    moved.pop(act["to"], None)  # the device works again
    return replace(one, devices=_devices(one.devices, table, act["to"]), moved=moved)


def _devices(devices: Mapping[str, str], table: str, to: str) -> Mapping[str, str]:
    """Return the devices of tables with this one's replaced."""
    others = {name: device for name, device in devices.items() if name != table}
    return others if to == table else {**others, table: to}


def _already_playing(after: Stand, number: int) -> Iterator[Message]:
    """Yield a warning for each table that already plays a game whose seating has just changed."""
    for of in after.outcomes:
        if of.round != number or not of.played or of.played.result:
            continue
        if of.state == "withdrawn":
            yield Message(
                "Table {table} is already playing; its screen says that the game does not count.", table=of.seated.table
            )
        elif of.why:
            yield Message("Table {table} is already playing with a different seating: begin again there, or enter its"
                          " result.",
                          table=of.seated.table)  # fmt: skip


def _remedies(after: Stand, to: str) -> Sequence[Message]:
    """Return the two ways to continue a dead device's game, the better one first."""
    return [
        *([] if to in {row.table for row in after.tables} else [silent(to)]),
        Message(
            "If the old card can still be read, or there is a backup of it: undo this order, put the card into the"
            " other device or restore the backup there, and the game continues as it was."
        ),
        Message(
            "Otherwise device {device} continues from what everybody has seen; face-down cards are chosen again. A "
            "game that was entered halfway must be set up there by hand (“Already begun”).",
            device=as_it_is(to),
        ),
    ]


def _mixed_scores(evening: HallEvening) -> Sequence[Message]:
    """Return a warning if scores of different games are added up."""
    if evening.by != "scores" or len(evening.games) == 1:
        return []
    return [
        Message("This evening adds up scores, but now mixes different games."),
        Message("Better next time: {tabularium} hall evening --by places"),
    ]
