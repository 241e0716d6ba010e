"""What the organiser says, at the terminal or elsewhere, and what the hall answers: each order becomes an act that is
kept, or a sentence that says why not. Any order can be tried first: then nothing is kept."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.hall import _orders as orders
from companion.hall._changes import changes, scores
from companion.hall._evening import HallEvening
from companion.hall._export import packed
from companion.hall._orders import ORDERS, STRANGE, WITH_REASON, Desk
from companion.hall._people import as_it_is
from companion.hall._reporting import described, left_seated, seating, seats, standings, status, told, why_of
from companion.hall._standings import Ledger
from companion.hall._why import why
from companion.hall._wire import hold
from companion.hall.kept import Payload
from companion.hall.shown import REASON, Stand, stand
from companion.hall.store import HallStore
from companion.rules.message import Message
from companion.rules.mistakes import Mistakes
from companion.rules.words import LANGUAGES, Tongue
from companion.system import files
from companion.system.uptime import Up, uptime

PLAIN = "{text}"
SLOW = {"round", "plan"}
"""Orders that search for a seating."""


@dataclass(slots=True)
class Organiser:
    """Answers orders, one after the other, in the thread to which the store belongs."""

    store: HallStore
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    ill: Callable[[], Sequence[Message]] = tuple
    """What is wrong with the hall itself: its broker, its disk."""
    up: Callable[[], Up] = uptime
    terminal: bool = True
    """Who asks types commands: where nobody does, sentences about them are left out."""

    def prepared(self, order: Payload) -> Callable[[], Made] | None:
        """Return what takes long about an order, to be worked out in any thread; None for one that takes no time."""
        if order.get("do") not in SLOW:
            return None
        desk = self._desk(stand(self.store))

        def work() -> Made:
            try:
                hold("order", order)
                return Made(desk.last, ORDERS[order["do"]](desk, order))
            except (ValueError, LookupError, TypeError):  # is found again, and said, when it is answered
                return Made(desk.last, None)

        return work

    def fits(self, made: object) -> bool:
        """Tell whether no other order has come since that was worked out."""
        return isinstance(made, Made) and made.last == self._desk(stand(self.store)).last

    def _desk(self, now: Stand) -> Desk:
        return Desk(now, self.store.said(), self.now(), self.up())

    def answer(self, order: Payload, made: object = None) -> Payload:
        """Carries out an order: {"do": …}, as docs/hall/schemas/order.json has it; with "try" it is only said what it
        would do. Answers {"ok": …, "said": […]}, in the order's language or the evening's; "order" is the number under
        which it is kept, and "as_of" the last one when it was tried. An order that is given as of another one than the
        last is refused, and tried anew: two who look at one evening never both change it. `made` is what `prepared`
        has worked out, if it still fits."""
        now = stand(self.store)
        lang = order.get("lang") if order.get("lang") in LANGUAGES else now.evening.lang
        kept: dict[str, int] = {}
        ok = True
        try:
            said, kept = self._done(now, order, made if isinstance(made, Made) else None)
        except _Overtaken as overtaken:
            again = self.answer({**order, "try": True})
            lines = again["said"][1:] if again["ok"] else again["said"]  # but for that nothing has been changed
            return {"ok": False, "said": [Tongue(str(lang)).phrase(overtaken.said), *lines], "as_of": overtaken.last}
        except (ValueError, LookupError, OSError, TypeError) as error:
            said, ok = _why(error), False
        except sqlite3.Error as error:
            said = [
                Message("The hall's disk cannot be written ({error}): nothing has changed.", error=as_it_is(str(error)))
            ]
            ok = False
        tongue = Tongue(str(lang))
        if not self.terminal:
            said = [line for line in said if "{tabularium}" not in line.template]
        return {"ok": ok, "said": [tongue.phrase(line) for line in said], **kept}

    def _done(self, now: Stand, order: Payload, made: Made | None) -> tuple[Sequence[Message], dict[str, int]]:
        try:
            hold("order", order)
        except Mistakes:
            raise ValueError(Message(STRANGE)) from None
        if order["do"] in ORDERS:
            return self._ordered(now, order, made)
        return self._asked(now, order), {}

    # -- orders --------------------------------------------------------------------------------------------------

    def _ordered(self, now: Stand, order: Payload, made: Made | None) -> tuple[Sequence[Message], dict[str, int]]:
        desk = self._desk(now)
        known = order.get("id")
        if known and (before := next((act for act in desk.acts if act.get("id") == known), None)):
            return [Message("That has been ordered already.")], {"order": before["number"]}
        last = desk.last
        if not order.get("try") and order.get("as_of") not in (None, last):
            raise _Overtaken(last, described(now.evening, desk.acts[-1]) if last else NOTHING)
        fit = made.act if made and made.last == last else None
        act = (fit or ORDERS[order["do"]](desk, order)) | {"at": desk.at.isoformat(timespec="seconds")}
        after = desk.after(act)
        lines = _answered(desk, act, after)
        lacks = _lacking(now, act, after)
        if order.get("try"):
            return [
                Message("Nothing has been changed yet. It would be so:"),
                *lines,
                *_tried(now, act, after),
                *lacks,
            ], {"as_of": last}
        if lacks:
            raise ValueError(*lacks)
        who = {key: order[key] for key in ("who", "id") if order.get(key)}
        return lines, {"order": self._say({**act, **who})}

    def _say(self, act: Payload) -> int:
        """Keeps an act; the first of an evening has its mark, by which tables know it from any other."""
        mark = {} if self.store.said() else {"mark": secrets.token_hex(8), "rules": 2}
        return self.store.say({**mark, **act})

    # -- questions -----------------------------------------------------------------------------------------------

    def _asked(self, now: Stand, order: Payload) -> Sequence[Message]:
        match order["do"]:
            case "status":
                wrong = [*self.ill(), *self._unread()]
                return [*wrong, *status(now, self.store.faults(), order.get("table"))]
            case "standings":
                return standings(now)
            case "why":
                player = Desk(now, (), self.now()).player(order["player"])
                if not player.came:
                    raise ValueError(Message("{name} has not come.", name=player.called))
                return why_of(now, why(Ledger(now.evening, now.outcomes), now.standings, player.id))
            case "log":
                return told(now.evening, self.store.said())
            case "export":
                return self._export(now, Path(order["file"]))
        raise ValueError(Message(STRANGE))

    def _unread(self) -> Sequence[Message]:
        """What the disk has done to the hall's store."""
        lost = [Message("{file} was empty when the hall began: what was in it is lost.", file=str(self.store.path))]
        spoilt = [Message("Cannot be read any more: {what}.", what=as_it_is(what)) for what in self.store.spoilt]
        return [*(lost if self.store.emptied else []), *spoilt]

    def _export(self, now: Stand, path: Path) -> Sequence[Message]:
        data = packed(now, self.store)
        try:
            files.save(path, data)
        except OSError as error:  # of the file beside it, which nobody knows
            raise OSError(error.errno, error.strerror, str(path)) from None
        return [Message("Saved as {file}", file=str(path))]


@dataclass(frozen=True, slots=True)
class Made:
    """An act that was worked out when `last` was the number of the last order; None where it came to nothing."""

    last: int
    act: orders.Act | None


class _Overtaken(Exception):  # noqa: N818 - no error: it is answered with how things stand now
    """Another order, the `last`, has come since the one that an order was looked at with."""

    def __init__(self, last: int, what: Message) -> None:
        super().__init__(last)
        self.last = last
        self.said = Message(
            "Nothing has been changed: order {number} has come meanwhile ({what}). Now it would be so:",
            number=last,
            what=what,
        )


NOTHING = Message("nothing")


# -- what is said to an order --------------------------------------------------------------------------------------


def _answered(desk: Desk, act: Payload, after: Stand) -> Sequence[Message]:
    match act["act"]:
        case "join":
            return _joined(act, after)
        case "leave":
            return _left(desk.now, act)
        case "know":
            return [Message("Players who are known: {count}.", count=len(after.evening.people))]
        case "round":
            return _seated(desk.now, act, after)
        case "plan":
            return [
                *(line for one in after.evening.planned for line in seats(after.evening, one)),
                Message("To seat them one after the other: {tabularium} hall round"),
            ]
        case "fix":
            player = after.evening.people[act["player"]].called
            if act["table"] is None:
                return [Message("{name} is seated anywhere again.", name=player)]
            return [Message("{name} sits at table {table} from the next round on.", name=player, table=act["table"])]
        case "result" | "amend":
            return _settled(after, act)
        case "end":
            return [
                Message("The evening is over."),
                *(Message("Round {round} was not begun, and is dropped.", round=of) for of in act["dropped"]),
            ]
        case "undo":
            (undone,) = (of for of in desk.line.done if of["number"] == act["of"])
            back = Message(
                "Taken back: order {number}, {what}", number=act["of"], what=described(desk.now.evening, undone)
            )
            return [back, *changes(desk.now, after)]
        case "redo":
            (again,) = (of for of in desk.line.undone if of["number"] == act["of"])
            given = Message(
                "Given again: order {number}, {what}", number=act["of"], what=described(after.evening, again)
            )
            return [given, *changes(desk.now, after)]
        case "evening" | "aside":
            return [Message("Noted.")]
        case "spare":
            return [*changes(desk.now, after), *_dead(after, act)]
    return [*changes(desk.now, after), *_begun(after, act)] or [Message("Noted.")]


def _lacking(now: Stand, act: Payload, after: Stand) -> Sequence[Message]:
    """What is missing where results hang on what is changed, and nothing is said of why."""
    if act["act"] not in WITH_REASON or "reason" in act or not orders.hangs(now, after):
        return []
    return [Message("Results hang on it: say why, with a reason of 1 to {most} characters.", most=REASON)]


def _tried(now: Stand, act: Payload, after: Stand) -> Sequence[Message]:
    """What else there is to say of an order that is only tried."""
    match act["act"]:
        case "undo":
            return [Message("To take it back: {tabularium} hall undo {number}", number=act["of"])]
        case "redo":
            return [Message("To give it again: {tabularium} hall redo {number}", number=act["of"])]
        case "result" | "amend" | "end" | "evening":
            return changes(now, after)
    return []


def _joined(act: Payload, after: Stand) -> Sequence[Message]:
    everybody = after.evening.people.values()
    new = {name.casefold() for name in act["names"]}
    count = Message("Players who are here: {count}.", count=sum(player.here for player in everybody))
    names = tuple(player.called for player in everybody if player.name.casefold() in new)
    return [count, Message("Now here: {names}", names=names)]


def _left(now: Stand, act: Payload) -> Sequence[Message]:
    gone = {*act["players"]}
    awaited = [of for of in now.outcomes if of.open and of.state != "missing" and gone & {*of.seated.players}]
    names = tuple(now.evening.people[player].called for player in act["players"])
    return [
        Message("Not seated from the next round on: {names}", names=names),
        *(
            Message("Table {table} still waits for a result of round {round}.", table=of.seated.table, round=of.round)
            for of in awaited
        ),
        *left_seated(now, gone),
    ]


def _seated(now: Stand, act: Payload, after: Stand) -> Sequence[Message]:
    here = {row.table: row.here for row in after.tables}
    number, tables = act["round"], [of["table"] for of in act["tables"]]
    was = next((one for one in now.evening.planned if one.number == number), None)
    anew = was and [of.seats for of in was.tables] != [dict(of["seats"]) for of in act["tables"]]
    return [
        *([Message("Seated otherwise than planned: somebody has come or gone.")] if anew else []),
        *seating(after.evening, number),
        *_mixed(after.evening),
        *(
            Message("Table {table} is away.", table=as_it_is(table))
            if table in here
            else Message("Nothing has been heard of table {table} yet.", table=as_it_is(table))
            for table in tables
            if not here.get(table)
        ),
    ]


def _begun(after: Stand, act: Payload) -> Sequence[Message]:
    """Tables that play already what has been changed under them."""
    if act["act"] not in ("swap", "absent", "withdraw"):
        return []
    its = [of for of in after.outcomes if of.round == act["round"] and of.played and not of.played.result]
    playing = [of for of in its if of.why or of.state == "withdrawn"]
    return [
        Message("Table {table} plays already: it reads that its game does not count.", table=of.seated.table)
        if of.state == "withdrawn" else
        Message("Table {table} plays already, and otherwise: it begins anew, or you settle its result.",
                table=of.seated.table)
        for of in playing
    ]  # fmt: skip


def _dead(after: Stand, act: Payload) -> Sequence[Message]:
    """What there is to do where a device has died, the better way first."""
    heard = {row.table for row in after.tables}
    silent = (
        []
        if act["to"] in heard
        else [Message("Nothing has been heard of table {table} yet.", table=as_it_is(act["to"]))]
    )
    return [
        *silent,
        Message(
            "If the old card can still be read, or there is a backup of it: take the order back, put the card into the "
            "other machine or restore the backup there, and its game goes on as it was."
        ),
        Message(
            "Else table {table} goes on from what everybody has seen, and cards that lay face down are chosen anew. A "
            "game that did not begin at its opening is set up there by hand (“Already begun”).",
            table=as_it_is(act["to"]),
        ),
    ]  # fmt: skip


def _settled(after: Stand, act: Payload) -> Sequence[Message]:
    at: dict[str, Any] = {"round": act["round"], "table": act["table"]}
    if act["result"] is None:
        return [Message("Round {round}, table {table}: the game counts for nobody.", **at)]
    (of,) = (of for of in after.outcomes if of.key == (act["round"], act["table"]))
    return [Message("Round {round}, table {table}: {scores}.", scores=scores(after.evening, of, act["result"]), **at)]


def _mixed(evening: HallEvening) -> Sequence[Message]:
    """What the organiser is to know where scores of different games are added up."""
    if evening.by != "scores" or len(evening.games) == 1:
        return []
    return [
        Message("This evening adds up scores, now of different games."),
        Message("Next time: {tabularium} hall evening --by places"),
    ]


def _why(error: Exception) -> Sequence[Message]:
    """Return an error as sentences."""
    if isinstance(error, Mistakes):
        return [Message(PLAIN, text=as_it_is(str(error)))]
    if isinstance(error, OSError):
        place = f"{error.filename or ''}: {error.strerror or error}"
        return [Message("That did not work: {error}", error=as_it_is(place))]
    return [each for each in error.args if isinstance(each, Message)] or [Message(STRANGE)]
