"""The organiser's orders: what each of them keeps as an act. None of them keeps anything itself: `Organiser` does, so
that an order can be tried before it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from companion.hall import _people as people
from companion.hall._clock import LONGEST_S, Clock, Instant
from companion.hall._evening import HallEvening, OrderLine, Round, SeatedTable, colours, fold, line, table_data
from companion.hall._people import HallPlayer, as_it_is
from companion.hall._results import Outcome
from companion.hall._rounds import TABLE, planned, seated
from companion.hall._settling import meant, points, result_of
from companion.hall.kept import Payload
from companion.hall.shown import REASON, Stand
from companion.rules import N_
from companion.rules.message import Message
from companion.system.uptime import Up

LINE = 120
"""Characters of what is said to everybody."""
SEEDS = 1_000_000_000
STRANGE = N_("The hall does not know this order; is it of another version?")
SCORED = ("by", "ties", "byes", "voids", "late", "leavers")
"""What an evening says of how it is scored."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What an order finds: how the evening stands, all that was ordered so far, and the time."""

    now: Stand
    acts: Sequence[Payload]
    at: datetime
    up: Up = ("", 0.0)
    """The computer's uptime."""

    @property
    def instant(self) -> Instant:
        return Instant(self.at, self.up)

    @property
    def last(self) -> int:
        """The number of the last order, 0 before any."""
        number: int = self.acts[-1]["number"] if self.acts else 0
        return number

    @property
    def line(self) -> OrderLine:
        """The orders that stand, and those that could be given again."""
        return line(self.acts)

    def after(self, act: Payload) -> Stand:
        """How the evening would stand with one more act."""
        number = self.acts[-1]["number"] + 1 if self.acts else 1
        return self.now.with_evening(fold([*self.acts, {"number": number, **act}]))

    def player(self, word: object) -> HallPlayer:
        return people.find(self.now.evening.people, str(word))

    def round(self, order: Payload) -> Round:
        """The round an order means: the one it names, else the last that counts. Raises ValueError."""
        asked = order.get("round")
        counting = [one for one in self.now.evening.rounds if one.withdrawn is None]
        found = [one for one in counting if asked in (None, one.number)]
        if not found:
            raise ValueError(
                Message("No round has been seated.")
                if asked is None
                else Message("There is no round {round}.", round=asked)
            )
        return found[-1]


Act = dict[str, Any]
Order = Callable[[Desk, Payload], Act]


def reason_of(order: Payload) -> str:
    """Why something is ordered. Raises ValueError where nothing is said."""
    why = " ".join(str(order.get("reason") or "").split())
    if not 0 < len(why) <= REASON:
        raise ValueError(Message("A reason of 1 to {most} characters is needed: it is kept.", most=REASON))
    return why


def scored(evening: HallEvening) -> Act:
    """How the evening is scored, with what follows where nothing is said."""
    its = {key: getattr(evening.scoring, key) for key in SCORED}
    return its | {"by": evening.by, "ties": list(evening.ties)}


# -- the evening ---------------------------------------------------------------------------------------------------


def evening(desk: Desk, order: Payload) -> Act:
    told = {key: order[key] for key in ("name", "lang", "names", *SCORED) if order.get(key) is not None}
    now = desk.now.evening
    scoring = scored(now)
    if now.rounds and any(told.get(key, scoring[key]) != scoring[key] for key in SCORED):
        raise ValueError(Message("How the evening is scored is fixed once a round has been seated."))
    if "name" in told:
        told["name"] = people.named(told["name"])
    return {"act": "evening", **told}


def end(desk: Desk, _: Payload) -> Act:
    """Rounds that nobody has begun count for nothing."""
    begun = {of.round for of in desk.now.outcomes if of.state != "missing"}
    return {"act": "end", "dropped": [one.number for one in desk.now.evening.rounds if one.number not in begun]}


def say(_desk: Desk, order: Payload) -> Act:
    """One line that everybody reads, "" for none any more. Raises ValueError for what is no line."""
    text = " ".join(order["text"].split())
    if len(text) > LINE or (text and not text.isprintable()):
        raise ValueError(Message("What is said to everybody has at most {most} characters, on one line.", most=LINE))
    return {"act": "say", "text": text}


def clock(desk: Desk, order: Payload) -> Act:
    """The round that is played has so many minutes, or some more; or its clock stands, goes on, or is no more."""
    runs = desk.now.clock
    if order.get("minutes") is not None:
        if not desk.now.round or desk.now.evening.over:
            raise ValueError(Message("No round is played that could have a clock."))
        whole = order["minutes"] * 60
        return Clock(desk.now.round, order.get("then") or "act", whole, None, whole).going(desk.instant).act
    if runs is None:
        raise ValueError(Message("There is no clock."), Message("{tabularium} hall clock 60 starts one of 60 minutes."))
    if order.get("more") is not None:
        longer = runs.longer(timedelta(minutes=order["more"]), desk.instant)
        if longer.seconds(desk.instant) > LONGEST_S:
            raise ValueError(Message("A clock runs for {most} hours at most.", most=LONGEST_S // 3600))
        return replace(longer, then=order.get("then") or runs.then).act
    match order.get("set"):
        case "off":
            return {"act": "clock", "round": None}
        case "pause" if runs.ends is None:
            raise ValueError(Message("The clock stands already."))
        case "pause" if not runs.seconds(desk.instant):
            raise ValueError(
                Message("The time is up."), Message("{tabularium} hall clock --more 10 gives ten minutes more.")
            )
        case "pause":
            return runs.paused(desk.instant).act
        case "on" if runs.ends:
            raise ValueError(Message("The clock runs already."))
        case "on":
            return runs.going(desk.instant).act
    return replace(runs, then=order.get("then") or runs.then).act


def aside(_desk: Desk, _order: Payload) -> Act:
    return {"act": "aside"}


# -- players -------------------------------------------------------------------------------------------------------


def join(desk: Desk, order: Payload) -> Act:
    known = desk.now.evening.people
    wanted = [_coming(known, name) for name in order["names"]]
    taken = {player.name.casefold() for player in known.values() if player.here}
    for name in wanted:
        if name.casefold() in taken:
            raise ValueError(Message("{name} is here already: add an initial.", name=as_it_is(name)))
        taken.add(name.casefold())
    return {"act": "join", "names": wanted}


def _coming(known: people.People, word: str) -> str:
    """The name of somebody who comes; #7 is somebody who has been here, or is known from another evening."""
    if word.strip().startswith("#"):
        return people.find(known, word).name
    return people.named(word)


def back(desk: Desk, order: Payload) -> Act:
    found = [desk.player(name) for name in order["names"]]
    for player in found:
        if player.here:
            raise ValueError(Message("{name} is here.", name=player.called))
    return {"act": "join", "names": [player.name for player in found]}


def know(desk: Desk, order: Payload) -> Act:
    """Players of another evening, by their numbers. Raises ValueError once somebody has come."""
    if desk.now.evening.people:
        raise ValueError(Message("Players of another evening can be made known only before anybody has come."))
    return {"act": "know", "players": [{"id": of["id"], "name": people.named(of["name"])} for of in order["players"]]}


def leave(desk: Desk, order: Payload) -> Act:
    found = [desk.player(name) for name in order["names"]]
    for player in found:
        if not player.here:
            raise ValueError(Message("{name} has left already.", name=player.called))
    return {"act": "leave", "players": [player.id for player in found]}


def rename(desk: Desk, order: Payload) -> Act:
    player, name = desk.player(order["player"]), people.named(order["name"])
    for other in desk.now.evening.people.values():
        if other.id != player.id and other.name.casefold() == name.casefold():
            raise ValueError(Message("{name} is somebody else already: add an initial.", name=other.called))
    return {"act": "rename", "player": player.id, "name": name}


def remove(desk: Desk, order: Payload) -> Act:
    found = [desk.player(name) for name in order["names"]]
    for player in found:
        for one in desk.now.evening.rounds:
            if player.id in (*one.everybody, *one.absent):
                raise ValueError(Message(
                    "{name} was seated in round {round}, and stays on the list; “leave” seats them no more.",
                    name=player.called, round=one.number,
                ))  # fmt: skip
    return {"act": "remove", "players": [player.id for player in found]}


def penalty(desk: Desk, order: Payload) -> Act:
    player, lost = desk.player(order["player"]), points(order["points"])
    if not lost:
        raise ValueError(Message("A penalty takes points away; below zero it gives them back."))
    return {"act": "penalty", "player": player.id, "points": str(lost), "reason": reason_of(order)}


def fix(desk: Desk, order: Payload) -> Act:
    player, seat = desk.player(order["player"]), order.get("seat")
    table = order.get("table") or None
    if table is None and player.id not in desk.now.evening.fixed:
        raise ValueError(Message("{name} has no seat of their own.", name=player.called))
    if table and not TABLE.fullmatch(table):
        raise ValueError(Message("No table can be called {table}: a to z, 0 to 9 and -.", table=as_it_is(table)))
    for other, at in desk.now.evening.fixed.items():
        if seat and other != player.id and at == (table, seat):
            sits = desk.now.evening.people[other].called
            raise ValueError(Message("{name} has that seat already.", name=sits))
    return {"act": "fix", "player": player.id, "table": table, "seat": seat if table else None}


# -- rounds --------------------------------------------------------------------------------------------------------


def _open(desk: Desk) -> None:
    if desk.now.evening.over:
        raise ValueError(Message("The evening is over; to go on all the same, say evening."))


def round_(desk: Desk, order: Payload) -> Act:
    if order.get("withdraw"):
        return withdraw(desk, order)
    _open(desk)
    now, again = desk.now, bool(order.get("again"))
    last = max((one.number for one in now.evening.rounds), default=0)
    if again and (not last or any(of.round == last and of.state != "missing" for of in now.outcomes)):
        raise ValueError(Message("There is no round that is seated and not begun."))
    number = last if again else last + 1
    seed = int(order["seed"]) if order.get("seed") is not None else seed_of(desk.at, number)
    if again and not order.get("tables"):
        order = {**order, "tables": now.evening.rounds[-1].offered}
    return dict(seated(now, order, number, seed))


def plan(desk: Desk, order: Payload) -> Act:
    _open(desk)
    first = max((one.number for one in desk.now.evening.rounds), default=0) + 1
    seed = int(order["seed"]) if order.get("seed") is not None else seed_of(desk.at, first)
    return {"act": "plan", "rounds": planned(desk.now, order, first, seed)}


def seed_of(at: datetime, number: int) -> int:
    """Another one for each round and each time it is seated; it is kept with the round."""
    return (int(at.timestamp()) * 100 + number) % SEEDS


def withdraw(desk: Desk, order: Payload) -> Act:
    return {"act": "withdraw", "round": desk.round(order).number, "reason": reason_of(order)}


def swap(desk: Desk, order: Payload) -> Act:
    one = desk.round(order)
    first, second = (_at(desk, one, word) for word in order["players"])
    if first.id == second.id:
        raise ValueError(Message("Two players are swapped, or the seats of two."))
    return {"act": "swap", "round": one.number, "players": [first.id, second.id], **_why(order)}


def _at(desk: Desk, one: Round, word: str) -> HallPlayer:
    """Who is meant by a name, or by a seat as 3:red."""
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


def absent(desk: Desk, order: Payload) -> Act:
    """Somebody who was seated has not come: another takes the seat, or the table plays with one fewer."""
    one, player = desk.round(order), desk.player(order["player"])
    if player.id not in one.everybody:
        raise ValueError(Message("{name} is not seated in round {round}.", name=player.called, round=one.number))
    at = one.seat_of(player.id)
    stand_in = desk.player(order["stand_in"]) if order.get("stand_in") else None
    if stand_in and one.seat_of(stand_in.id):
        raise ValueError(Message("{name} sits at a table of that round already.", name=stand_in.called))
    took = stand_in.id if stand_in else None
    act = {"act": "absent", "round": one.number, "player": player.id, "stand_in": took, **_why(order)}
    if at is None:
        return {**act, "stand_in": None, "table": None}
    table = at[0]
    its = _without(table, player.id) if stand_in is None else replace(
        table, seats={seat: stand_in.id if sits == player.id else sits for seat, sits in table.seats.items()}
    )  # fmt: skip
    if its is None:
        waiting = tuple(desk.now.evening.people[bye].called for bye in one.byes) or (as_it_is("–"),)
        raise ValueError(Message(
            "Table {table} would have too few players: say who takes the seat (byes: {names}), or seat the round anew.",
            table=table.table, names=waiting,
        ))  # fmt: skip
    return {**act, "table": table_data(its)}


def _without(table: SeatedTable, player: int) -> SeatedTable | None:
    """The table with one player fewer, in the same order; None where the game does not allow it."""
    from companion.games import game

    left = [sits for sits in table.players if sits != player]
    if len(left) not in game(table.game).seats:
        return None
    return replace(table, seats=dict(zip(colours(table.game, len(left)), left, strict=True)))


def spare(desk: Desk, order: Payload) -> Act:
    """A table's device has died: another one, which keeps its own name, goes on in its place from this round on."""
    table, to = order["table"], order["to"]
    seated = [of for of in desk.now.outcomes if of.seated.table == table and of.state != "withdrawn"]
    its = [of for of in seated if of.open and order.get("round") in (None, of.round)]
    if not its:
        raise ValueError(Message("Nothing is open at table {table}.", table=as_it_is(table)))
    if not TABLE.fullmatch(to):
        raise ValueError(Message("No table can be called {table}: a to z, 0 to 9 and -.", table=as_it_is(to)))
    for one in desk.now.evening.rounds:
        if one.number >= its[0].round and one.table(table) and one.table(to):
            raise ValueError(Message("Table {table} has players of its own in round {round}.", table=to,
                                     round=one.number))  # fmt: skip
    return {"act": "spare", "round": its[0].round, "table": table, "to": to, "reason": reason_of(order)}


# -- results -------------------------------------------------------------------------------------------------------


def settle(desk: Desk, order: Payload) -> Act:
    corrects = order["do"] == "amend"
    outcome = meant(desk.now, order, corrects)
    if not corrects and not outcome.open:
        raise ValueError(Message("That result counts already; to correct it, say amend."))
    if corrects and outcome.open:
        raise ValueError(Message("That result does not count yet; to settle it, say result."))
    why = reason_of(order)
    found = None if order.get("void") else result_of(desk.now.evening, outcome, order)
    return {"act": order["do"], **_of(outcome), "result": found, "reason": why}


def reopen(desk: Desk, order: Payload) -> Act:
    """What counted does so no longer: the table's own word counts if its players approve another one, or the
    organiser's."""
    outcome = meant(desk.now, order, corrects=True)
    if outcome.open:
        raise ValueError(Message("That result does not count yet; to settle it, say result."))
    told = _of(outcome)
    played = outcome.played
    approved = played is not None and all(played.approvals.get(seat) for seat in outcome.seated.seats)
    return {"act": "reopen", **told, "crc": told["crc"] if approved else None, "reason": reason_of(order)}


def _of(outcome: Outcome) -> Act:
    """Which game a word is about, and what was reported and counted before it."""
    played = outcome.played
    return {
        "round": outcome.round,
        "table": outcome.seated.table,
        "game": played.game if played else None,
        "crc": played.crc if played else None,
        "before": None if outcome.open else outcome.result,
    }


# -- back and forth ------------------------------------------------------------------------------------------------


def undo(desk: Desk, order: Payload) -> Act:
    """Takes back the last order. Raises ValueError where there is none, or another than is meant."""
    done = desk.line.done
    if not done:
        raise ValueError(Message("There is nothing to take back."))
    return {"act": "undo", "of": _last(done[-1], order), **_why(order)}


def redo(desk: Desk, order: Payload) -> Act:
    """Gives again what was taken back last. Raises ValueError where there is none, or another than is meant."""
    undone = desk.line.undone
    if not undone:
        raise ValueError(Message("There is nothing that was taken back, or something else has been ordered since."))
    return {"act": "redo", "of": _last(undone[-1], order), **_why(order)}


def _last(act: Payload, order: Payload) -> int:
    number: int = act["number"]
    asked = order.get("of")
    if asked not in (None, number):
        raise ValueError(Message("Another order has come since: now it would be order {number}.", number=number))
    return number


def _why(order: Payload) -> Act:
    return {"reason": reason_of(order)} if order.get("reason") else {}


ORDERS: Mapping[str, Order] = {
    "evening": evening,
    "end": end,
    "say": say,
    "clock": clock,
    "aside": aside,
    "join": join,
    "back": back,
    "know": know,
    "leave": leave,
    "rename": rename,
    "remove": remove,
    "penalty": penalty,
    "fix": fix,
    "round": round_,
    "plan": plan,
    "withdraw": withdraw,
    "swap": swap,
    "absent": absent,
    "spare": spare,
    "result": settle,
    "amend": settle,
    "reopen": reopen,
    "undo": undo,
    "redo": redo,
}
"""What can be ordered, by the order's own word."""
WITH_REASON = ("undo", "redo", "swap", "absent")
"""These want a reason where results hang on what they change."""


def hangs(before: Stand, after: Stand) -> bool:
    """Whether something that was played, or a result, is another one afterwards."""
    then = {of.key: of for of in after.outcomes}
    return any(
        of.state != "missing" and (other := then.get(of.key)) != of
        and (other is None or (other.state, other.result, other.seated.seats) != (of.state, of.result, of.seated.seats))
        for of in before.outcomes
    )  # fmt: skip
