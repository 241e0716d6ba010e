"""Orders about players: joining and leaving, names, fixed seats and penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

from companion.hall import _people as people
from companion.hall._evening import HallEvening, Penalty
from companion.hall._needs import left_seated
from companion.hall._people import HallPlayer, People, as_it_is
from companion.hall._result_override import points
from companion.hall._rounds import TABLE
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.hall.request import PLAYER, WHY, Act, Argument, Order, OrderContext
from companion.rules import N_
from companion.rules.cards import PAWNS
from companion.rules.message import Message

PLAYERS = replace(PLAYER, least=1, most=2000)
"""The argument for one or more players."""
NAME = Argument("the player's name", "NAME", most=2000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Order):
    """Add players, or let players who had left rejoin."""

    do = "join"
    example = 'join Anna Ben "Chiara B."'
    log = N_("joined: {names}")

    names: Annotated[Sequence[str], Argument(
        "a player's name, or the number of a known player, such as #7", "NAME", least=1, most=2000, optional=True
    )]  # fmt: skip

    def act(self, desk: OrderContext) -> Act:
        known = desk.now.evening.people
        wanted = [_coming(known, name) for name in self.names]
        taken = {player.name.casefold() for player in known.values() if player.here}
        for name in wanted:
            if name.casefold() in taken:
                raise ValueError(Message("{name} is already here: add an initial.", name=as_it_is(name)))
            taken.add(name.casefold())
        return {"act": "join", "names": wanted}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return _with(evening, people.joined(evening.people, act["names"], evening.numbers))

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        everybody = after.evening.people.values()
        new = {name.casefold() for name in act["names"]}
        names = tuple(player.called for player in everybody if player.name.casefold() in new)
        count = Message("Players here: {count}.", count=sum(player.here for player in everybody))
        return [count, Message("Now here: {names}", names=names)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckIn(Join):
    """Check in players who had left, so that they are seated again."""

    do = "back"
    example = "back Ben"

    names: Annotated[Sequence[str], PLAYERS]

    def act(self, desk: OrderContext) -> Act:
        found = [desk.player(name) for name in self.names]
        for player in found:
            if player.here:
                raise ValueError(Message("{name} is already here.", name=player.called))
        return {"act": "join", "names": [player.name for player in found]}


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player of another evening, who keeps their number."""

    id: Annotated[int, Argument(least=1, most=1_000_000)]
    name: Annotated[str, Argument(most=2000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlayers(Order):
    """Import the players of another evening."""

    do = "know"
    log = N_("players imported from another evening")

    players: Annotated[Sequence[KnownPlayer], Argument(most=5000)]

    def act(self, desk: OrderContext) -> Act:
        if desk.now.evening.people:
            raise ValueError(Message("Players of another evening can only be imported before anybody has joined."))
        return {"act": "know", "players": [{"id": of.id, "name": people.named(of.name)} for of in self.players]}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        known = {of["id"]: HallPlayer(of["id"], of["name"], here=False, came=False) for of in act["players"]}
        return _with(evening, {**known, **evening.people})

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [Message("Known players: {count}.", count=len(after.evening.people))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Order):
    """Check out players who leave; their results stay."""

    do = "leave"
    example = "leave Ben"
    log = N_("left: {names}")

    names: Annotated[Sequence[str], PLAYERS]

    def act(self, desk: OrderContext) -> Act:
        found = [desk.player(name) for name in self.names]
        for player in found:
            if not player.here:
                raise ValueError(Message("{name} has already left.", name=player.called))
        return {"act": "leave", "players": [player.id for player in found]}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, people=people.left(evening.people, act["players"]))

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        now, gone = desk.now, {*act["players"]}
        awaited = [of for of in now.outcomes if of.open and of.state != "missing" and gone & {*of.seated.players}]
        names = tuple(now.evening.people[player].called for player in act["players"])
        return [
            Message("No longer seated from the next round on: {names}", names=names),
            *(
                Message("Round {round}: table {table} still has no result.", table=of.seated.table, round=of.round)
                for of in awaited
            ),
            *(line for need in left_seated(now, gone) for line in need.said),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove(Order):
    """Remove players who were entered by mistake."""

    do = "remove"
    example = "remove Ben"
    log = N_("removed: {names}")

    names: Annotated[Sequence[str], PLAYERS]

    def act(self, desk: OrderContext) -> Act:
        found = [desk.player(name) for name in self.names]
        for player in found:
            for one in desk.now.evening.rounds:
                if player.id in (*one.everybody, *one.absent):
                    raise ValueError(Message(
                        "{name} was seated in round {round} and stays on the list; use leave to stop seating them.",
                        name=player.called, round=one.number,
                    ))  # fmt: skip
        return {"act": "remove", "players": [player.id for player in found]}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        kept = {player.id: player for player in evening.people.values() if player.id not in act["players"]}
        return replace(evening, people=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(Order):
    """Correct a player's name."""

    do = "rename"
    example = "rename Bne Ben"
    log = N_("{name} renamed")

    player: Annotated[str, PLAYER]
    name: Annotated[str, NAME]

    def act(self, desk: OrderContext) -> Act:
        player, name = desk.player(self.player), people.named(self.name)
        for other in desk.now.evening.people.values():
            if other.id != player.id and other.name.casefold() == name.casefold():
                raise ValueError(Message("There is already a player called {name}: add an initial.", name=other.called))
        return {"act": "rename", "player": player.id, "name": name}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        named = replace(evening.people[act["player"]], name=act["name"])
        return replace(evening, people={**evening.people, named.id: named})


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalise(Order):
    """Deduct points from a player; a negative number gives them back."""

    do = "penalty"
    example = 'penalty Ben 2 --reason "late"'
    log = N_("penalty of {points} for {name}: {reason}")
    needs_reason = "always"

    player: Annotated[str, PLAYER]
    points: Annotated[str | float, Argument("the points to deduct", "POINTS")]
    reason: Annotated[str | None, WHY] = None

    def act(self, desk: OrderContext) -> Act:
        player, lost = desk.player(self.player), points(self.points)
        if not lost:
            raise ValueError(
                Message("A penalty cannot be 0: positive points are deducted, negative points given back.")
            )
        return {"act": "penalty", "player": player.id, "points": str(lost), "reason": self.why}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        penalty = Penalty(act["player"], Fraction(act["points"]), act["reason"], act["at"])
        return replace(evening, penalties=(*evening.penalties, penalty))


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignSeat(Order):
    """Fix a player's table or seat, from the next round on."""

    do = "fix"
    example = "fix Ben --table 3"
    log = N_("fixed seat changed")

    player: Annotated[str, PLAYER]
    table: Annotated[
        str | None, Argument("the table (default: free the player to sit anywhere)", "TABLE", "--table", most=2000)
    ] = None
    seat: Annotated[str | None, Argument("the seat at that table", "SEAT", "--seat", choices=PAWNS)] = None

    def act(self, desk: OrderContext) -> Act:
        player, table = desk.player(self.player), self.table or None
        if table is None and player.id not in desk.now.evening.fixed:
            raise ValueError(Message("{name} has no fixed seat.", name=player.called))
        if table and not TABLE.fullmatch(table):
            raise ValueError(
                Message("{table} cannot be the name of a table: use a to z, 0 to 9 and -.", table=as_it_is(table))
            )
        for other, at in desk.now.evening.fixed.items():
            if self.seat and other != player.id and at == (table, self.seat):
                sits = desk.now.evening.people[other].called
                raise ValueError(Message("That seat is already fixed for {name}.", name=sits))
        return {"act": "fix", "player": player.id, "table": table, "seat": self.seat if table else None}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        fixed = {player: at for player, at in evening.fixed.items() if player != act["player"]}
        if act["table"]:
            fixed[act["player"]] = act["table"], act["seat"]
        return replace(evening, fixed=fixed)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        player = after.evening.people[act["player"]].called
        if act["table"] is None:
            return [Message("{name} may sit anywhere again.", name=player)]
        return [Message("{name} sits at table {table} from the next round on.", name=player, table=act["table"])]


def _coming(known: People, word: str) -> str:
    """Return the name of a joining player; #7 is a player who was here, or is known from another evening."""
    if word.strip().startswith("#"):
        return people.find(known, word).name
    return people.named(word)


def _with(evening: HallEvening, everybody: People) -> HallEvening:
    return replace(evening, people=everybody, numbers=max([evening.numbers, *everybody]))
