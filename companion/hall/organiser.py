"""What the organiser says at the terminal, and what the hall answers: each order becomes an act that is kept, or a
sentence that says why not."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.hall import _people as people
from companion.hall._evening import HallEvening
from companion.hall._export import packed
from companion.hall._people import as_it_is
from companion.hall._reporting import BY, seating, status
from companion.hall._rounds import seated
from companion.hall._settling import meant, result_of
from companion.hall.kept import Payload
from companion.hall.shown import Stand, stand
from companion.hall.store import HallStore
from companion.rules import N_
from companion.rules.message import Message, reason
from companion.rules.mistakes import Mistakes
from companion.rules.words import LANGUAGES, Tongue
from companion.system import files

REASON = 200
"""Characters of a reason."""
SEEDS = 1_000_000_000
PLAIN = "{text}"
STRANGE = N_("The hall does not know this order; is it of another version?")


@dataclass(slots=True)
class Organiser:
    """Answers orders, one after the other, in the thread to which the store belongs."""

    store: HallStore
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    ill: Callable[[], Sequence[Message]] = tuple
    """What is wrong with the hall itself: its broker, its disk."""

    def answer(self, order: Payload) -> Payload:
        """Carries out an order: {"do": …}; answers {"ok": …, "said": […]}, in the order's language or the evening's."""
        now = stand(self.store)
        lang = order.get("lang") if order.get("lang") in LANGUAGES else now.evening.lang
        try:
            said, ok = self._done(now, order), True
        except (ValueError, LookupError, OSError, TypeError) as error:
            said, ok = [_why(error)], False
        except sqlite3.Error as error:
            said = [
                Message("The hall's disk cannot be written ({error}): nothing has changed.", error=as_it_is(str(error)))
            ]
            ok = False
        tongue = Tongue(str(lang))
        return {"ok": ok, "said": [tongue.phrase(line) for line in said]}

    def _done(self, now: Stand, order: Payload) -> Sequence[Message]:
        match order.get("do"):
            case "evening":
                return self._evening(now, order)
            case "join":
                return self._join(now, order["names"])
            case "leave":
                return self._leave(now, order["names"])
            case "round":
                return self._round(now, order)
            case "result" | "amend":
                return self._settle(now, order)
            case "end":
                return self._end(now)
            case "status":
                wrong = [*self.ill(), *self._unread()]
                return [*wrong, *status(now, self.store.faults(), self.store.games())]
            case "export":
                return self._export(now, Path(order["file"]))
        raise ValueError(Message(STRANGE))

    def _unread(self) -> Sequence[Message]:
        """What the disk has done to the hall's store."""
        lost = [Message("{file} was empty when the hall began: what was in it is lost.", file=str(self.store.path))]
        spoilt = [Message("Cannot be read any more: {what}.", what=as_it_is(what)) for what in self.store.spoilt]
        return [*(lost if self.store.emptied else []), *spoilt]

    def _say(self, **act: object) -> None:
        """Keeps an act; the first of an evening has its mark, by which tables know it from any other."""
        mark = {} if self.store.said() else {"mark": secrets.token_hex(8)}
        self.store.say({"at": self.now().isoformat(timespec="seconds"), **mark, **act})

    # -- players -------------------------------------------------------------------------------------------------

    def _evening(self, now: Stand, order: Payload) -> Sequence[Message]:
        told = {key: order[key] for key in ("name", "lang", "names", "by") if order.get(key) is not None}
        if "by" in told and told["by"] not in BY:
            raise ValueError(Message(STRANGE))
        if told.get("by", now.evening.by) != now.evening.by and now.evening.rounds:
            raise ValueError(Message("How the evening is scored is fixed once a round has been seated."))
        if "name" in told:
            told["name"] = people.named(told["name"])
        if told.get("lang", "en") not in LANGUAGES or told.get("names", "full") not in ("full", "first", "none"):
            raise ValueError(Message(STRANGE))
        self._say(act="evening", **told)
        return [Message("Noted.")]

    def _join(self, now: Stand, names: Sequence[str]) -> Sequence[Message]:
        wanted = [people.named(name) for name in names]
        taken = {player.name.casefold() for player in now.evening.people.values() if player.here}
        for name in wanted:
            if name.casefold() in taken:
                raise ValueError(Message("{name} is here already: add an initial.", name=as_it_is(name)))
            taken.add(name.casefold())
        self._say(act="join", names=wanted)
        here = Message("Players who are here: {count}.", count=len(taken))
        if now.evening.names != "none":
            return [here]
        return [here, *(  # who shows no names knows people by these
            Message("{name} is player {id}.", name=as_it_is(player.name), id=player.id)
            for player in stand(self.store).evening.people.values() if player.name in wanted
        )]  # fmt: skip

    def _leave(self, now: Stand, names: Sequence[str]) -> Sequence[Message]:
        gone = [people.find(now.evening.people, name) for name in names]
        self._say(act="leave", players=[player.id for player in gone])
        awaited = [
            of for of in now.outcomes if of.open and {player.id for player in gone} & {*of.seated.seats.values()}
        ]
        left = Message(
            "Not seated from the next round on: {names}", names=tuple(as_it_is(player.name) for player in gone)
        )
        return [left, *(
            Message("Table {table} still waits for a result of round {round}.", table=of.seated.table, round=of.round)
            for of in awaited
        )]  # fmt: skip

    # -- rounds --------------------------------------------------------------------------------------------------

    def _round(self, now: Stand, order: Payload) -> Sequence[Message]:
        if now.evening.over:
            raise ValueError(Message("The evening is over; to go on all the same, say evening."))
        last, again = max((one.number for one in now.evening.rounds), default=0), bool(order.get("again"))
        if again and (not last or any(of.round == last and of.state != "missing" for of in now.outcomes)):
            raise ValueError(Message("There is no round that is seated and not begun."))
        number = last if again else last + 1
        seed = int(order["seed"]) if order.get("seed") is not None else self._seed(number)
        if again and not order.get("tables"):
            order = {**order, "tables": now.evening.rounds[-1].offered}
        self._say(**seated(now, order, number, seed))
        after = stand(self.store)
        heard = {row.table for row in after.tables}
        silent = [of.table for of in after.evening.rounds[-1].tables if of.table not in heard]
        return [*seating(after.evening, number), *_mixed(after.evening), *(
            Message("Nothing has been heard of table {table} yet.", table=as_it_is(table)) for table in silent
        )]  # fmt: skip

    def _end(self, now: Stand) -> Sequence[Message]:
        """Rounds that nobody has begun count for nothing."""
        begun = {of.round for of in now.outcomes if of.state != "missing"}
        dropped = [one.number for one in now.evening.rounds if one.number not in begun]
        self._say(act="end", dropped=dropped)
        return [
            Message("The evening is over."),
            *(Message("Round {round} was not begun, and is dropped.", round=number) for number in dropped),
        ]

    def _seed(self, number: int) -> int:
        """Another one for each round and each time it is seated; it is kept with the round."""
        return (int(self.now().timestamp()) * 100 + number) % SEEDS

    # -- results -------------------------------------------------------------------------------------------------

    def _settle(self, now: Stand, order: Payload) -> Sequence[Message]:
        corrects = order["do"] == "amend"
        outcome = meant(now, order, corrects)
        if not corrects and not outcome.open:
            raise ValueError(Message("That result counts already; to correct it, say amend."))
        if corrects and outcome.open:
            raise ValueError(Message("That result does not count yet; to settle it, say result."))
        why = " ".join(str(order.get("reason") or "").split())
        if not 0 < len(why) <= REASON:
            raise ValueError(Message("A reason of 1 to {most} characters is needed: it is kept.", most=REASON))
        found = None if order.get("void") else result_of(now.evening, outcome, order)
        played = outcome.played
        self._say(
            act=order["do"],
            round=outcome.round,
            table=outcome.seated.table,
            result=found,
            reason=why,
            game=played.game if played else None,
            crc=played.crc if played else None,
        )
        told: dict[str, Any] = {"round": outcome.round, "table": outcome.seated.table}
        if found is None:
            return [Message("Round {round}, table {table}: the game counts for nobody.", **told)]
        scores = tuple(
            Message("{name} {score}", name=as_it_is(now.evening.people[player].name), score=found["scores"][at])
            for at, player in outcome.seated.seats.items()
        )
        return [Message("Round {round}, table {table}: {scores}.", scores=scores, **told)]

    # -- afterwards ----------------------------------------------------------------------------------------------

    def _export(self, now: Stand, path: Path) -> Sequence[Message]:
        data = packed(now, self.store)
        try:
            files.save(path, data)
        except OSError as error:  # of the file beside it, which nobody knows
            raise OSError(error.errno, error.strerror, str(path)) from None
        return [Message("Saved as {file}", file=str(path))]


def _mixed(evening: HallEvening) -> Sequence[Message]:
    """What the organiser is to know where scores of different games are added up."""
    if evening.by != "scores" or len(evening.games) == 1:
        return []
    return [
        Message("This evening adds up scores, now of different games. Next time: tabularium hall evening --by places")
    ]


def _why(error: Exception) -> Message:
    """An error as a sentence."""
    if isinstance(error, Mistakes):
        return Message(PLAIN, text=as_it_is(str(error)))
    if isinstance(error, OSError):
        place = f"{error.filename or ''}: {error.strerror or error}"
        return Message("That did not work: {error}", error=as_it_is(place))
    said = reason(error)
    return said if isinstance(said, Message) else Message(STRANGE)
