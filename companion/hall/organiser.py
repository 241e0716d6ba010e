"""What the organiser says at the terminal, and what the hall answers: each order becomes an act that is kept, or a
sentence that says why not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from companion import files
from companion.games import NAMES, game
from companion.hall import people
from companion.hall.evening import Evening, Seated, colours, round_act
from companion.hall.export import packed
from companion.hall.kept import Payload
from companion.hall.people import as_it_is
from companion.hall.reporting import seating, status
from companion.hall.results import Outcome
from companion.hall.seating import USUAL, seat, sizes
from companion.hall.shown import Stand, stand
from companion.hall.store import HallStore
from companion.message import Message, reason
from companion.mistakes import Mistakes
from companion.rules import N_, Options, number, result
from companion.transcript import read_header
from companion.views import Result
from companion.words import LANGUAGES, Tongue

TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""What a table can be called: a level of a topic."""
REASON = 200
"""Characters of a reason."""
SEEDS = 1_000_000_000
PLAIN = "{text}"
STRANGE = N_("The hall does not know this order; is it of another version?")


class Refusal(ValueError):  # noqa: N818 - said as it is
    """Why an order cannot be carried out."""


@dataclass(slots=True)
class Organiser:
    """Answers orders, one after the other, in the thread to which the store belongs."""

    store: HallStore
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()

    def answer(self, order: Payload) -> Payload:
        """Carries out an order: {"do": …}; answers {"ok": …, "said": […]}, in the order's language or the evening's."""
        now = stand(self.store)
        lang = order.get("lang") if order.get("lang") in LANGUAGES else now.evening.lang
        try:
            said, ok = self._done(now, order), True
        except (ValueError, LookupError, OSError, TypeError) as error:
            said, ok = [_why(error)], False
        tongue = Tongue(str(lang))
        return {"ok": ok, "said": [tongue.phrase(line) for line in said]}

    def _done(self, now: Stand, order: Payload) -> Sequence[Message]:
        match order.get("do"):
            case "evening":
                return self._evening(order)
            case "join":
                return self._join(now, order["names"])
            case "leave":
                return self._leave(now, order["names"])
            case "round":
                return self._round(now, order)
            case "result" | "amend":
                return self._settle(now, order)
            case "end":
                self._say(act="end")
                return [Message("The evening is over.")]
            case "status":
                return status(now, self.store.faults(), self.store.games())
            case "export":
                return self._export(now, Path(order["file"]))
        raise Refusal(Message(STRANGE))

    def _say(self, **act: Any) -> None:
        self.store.say({"at": self.now().isoformat(timespec="seconds"), **act})

    # -- players -------------------------------------------------------------------------------------------------

    def _evening(self, order: Payload) -> Sequence[Message]:
        told = {key: order[key] for key in ("name", "lang", "names") if order.get(key) is not None}
        if "name" in told:
            told["name"] = people.named(told["name"])
        if told.get("lang", "en") not in LANGUAGES or told.get("names", "full") not in ("full", "first", "none"):
            raise Refusal(Message(STRANGE))
        self._say(act="evening", **told)
        return [Message("Noted.")]

    def _join(self, now: Stand, names: Sequence[str]) -> Sequence[Message]:
        wanted = [people.named(name) for name in names]
        taken = {player.name.casefold() for player in now.evening.people.values() if player.here}
        for name in wanted:
            if name.casefold() in taken:
                raise Refusal(Message("There is a {name} already: add an initial.", name=as_it_is(name)))
            taken.add(name.casefold())
        self._say(act="join", names=wanted)
        return [Message("Players who are here: {count}.", count=len(taken))]

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
        evening = now.evening
        last = max((one.number for one in evening.rounds), default=0)
        again = bool(order.get("again"))
        number = last if again else last + 1
        if again and (not last or any(of.round == last and of.state != "missing" for of in now.outcomes)):
            raise Refusal(Message("There is no round that is seated and not begun."))
        tables = _tables(now, order.get("tables"))
        played = _played(evening, order, len(tables))
        here = people.here(evening.people)
        size = int(order.get("size") or USUAL)
        plan = sizes(len(here), [_allowed(name) for name, _ in played], size)
        if not plan:
            raise Refusal(Message("Too few players for a table: {count}.", count=len(here)))
        seed = int(order["seed"]) if order.get("seed") is not None else self._seed(number)
        act = _seated(evening, number, plan, list(zip(tables, played, strict=True)), seed)
        self._say(**act)
        return seating(stand(self.store).evening, number)

    def _seed(self, number: int) -> int:
        """Another one for each round and each time it is seated; it is kept with the round."""
        return (int(self.now().timestamp()) * 100 + number) % SEEDS

    # -- results -------------------------------------------------------------------------------------------------

    def _settle(self, now: Stand, order: Payload) -> Sequence[Message]:
        corrects = order["do"] == "amend"
        outcome = _meant(now, order, corrects)
        if not corrects and not outcome.open:
            raise Refusal(Message("That result counts already; to correct it, say amend."))
        if corrects and outcome.open:
            raise Refusal(Message("That result does not count yet; to settle it, say result."))
        why = " ".join(str(order.get("reason") or "").split())
        if not 0 < len(why) <= REASON:
            raise Refusal(Message("A reason of 1 to {most} characters is needed: it is kept.", most=REASON))
        found = None if order.get("void") else _result(now.evening, outcome, order)
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
        files.save(path, packed(now, self.store))
        return [Message("Saved as {file}", file=str(path))]


def _why(error: Exception) -> Message:
    """An error as a sentence."""
    if isinstance(error, Mistakes):
        return Message(PLAIN, text=as_it_is(str(error)))
    if isinstance(error, OSError):
        place = f"{error.filename or ''}: {error.strerror or error}"
        return Message("That did not work: {error}", error=as_it_is(place))
    said = reason(error)
    return said if isinstance(said, Message) else Message(STRANGE)


def _tables(now: Stand, asked: Sequence[str] | None) -> Sequence[str]:
    """The tables to be seated: those named, else those that are here, else those of the round before."""
    last = [table for one in now.evening.rounds[-1:] for table in one.offered]
    found = list(dict.fromkeys(asked or [row.table for row in now.tables if row.here] or last))
    for table in found:
        if not TABLE.fullmatch(table):
            raise Refusal(Message("No table can be called {table}: a to z, 0 to 9 and -.", table=as_it_is(table)))
    if not found:
        raise Refusal(Message("No table has reported: name the tables, such as --tables 1,2,3."))
    return found if asked else sorted(found, key=lambda table: (len(re.sub(r"\D", "", table)), table))


def _played(evening: Evening, order: Payload, tables: int) -> Sequence[tuple[str, Options]]:
    """What is played at each of so many tables, which take the games in turn: those named, or the last round's."""
    named: Sequence[str] = order.get("games") or ()
    options: Options = order.get("options") or {}
    for name in named:
        if name not in NAMES:
            raise Refusal(
                Message(
                    "There is no game {game}; there are {games}.", game=as_it_is(name), games=as_it_is(", ".join(NAMES))
                )
            )
    if named:
        known = {option.name for name in named for option in game(name).options}
        for option in options.keys() - known:
            raise Refusal(Message("None of these games has an option {option}.", option=as_it_is(option)))
        games = [(name, _options(name, options)) for name in named]
    else:
        last = [(seated.game, seated.options) for one in evening.rounds[-1:] for seated in one.tables]
        games = list({name: (name, told) for name, told in last}.values())
    if not games:
        raise Refusal(Message("Say what is played, such as --game mercator."))
    return [games[at % len(games)] for at in range(tables)]


def _options(name: str, wanted: Options) -> Options:
    """Every option of a game with its value. Raises Mistakes for values that cannot be."""
    own = {option.name for option in game(name).options}
    seats = list(colours(name, game(name).seats[0]))
    asked = {option: value for option, value in wanted.items() if option in own}
    header = read_header({"tabularium": 1, "game": name, "seats": seats, "options": asked})
    return header.options


def _allowed(name: str) -> range:
    return game(name).seats


def _seated(
    evening: Evening, number: int, plan: Sequence[int], tables: Sequence[tuple[str, tuple[str, Options]]], seed: int
) -> Payload:
    """The act that seats a round of these sizes: what the search has found."""
    here = people.here(evening.people)
    blank = [
        Seated(table, name, options, dict.fromkeys(colours(name, size), 0))
        for size, (table, (name, options)) in zip(plan, tables, strict=False)
    ]
    found = seat(here, [of.chairs for of in blank], evening.history(number), seed)
    filled = [
        Seated(of.table, of.game, of.options, dict(zip(of.seats, players, strict=True)))
        for of, players in zip(blank, found.tables, strict=True)
    ]
    return round_act(number, seed, filled, found.byes, [table for table, _ in tables])


def _meant(now: Stand, order: Payload, corrects: bool) -> Outcome:
    """The game an order means: that of the round it names, else the first that is open, or the last that is not."""
    table, asked = str(order["table"]), order.get("round")
    found = [of for of in now.outcomes if of.seated.table == table and asked in (None, of.round)]
    if not found:
        raise Refusal(Message("Nobody was seated at table {table} then.", table=as_it_is(table)))
    fitting = [of for of in found if of.open != corrects]
    if corrects:
        return (fitting or found)[-1]
    return (fitting or found[-1:])[0]


def _result(evening: Evening, outcome: Outcome, order: Payload) -> Result:
    """The result that is said, or the one the table reports."""
    seats = outcome.seated.seats
    won = tuple(_seat(evening, outcome, who) for who in order.get("won") or ())
    told = {_seat(evening, outcome, who): _score(score) for who, score in (order.get("scores") or {}).items()}
    if not told and not won:
        played = outcome.played
        reported: Result | None = played.result if played else None  # type: ignore[assignment]  # as the schema has it
        if not reported or {*reported["places"]} != {*seats}:
            raise Refusal(Message("The table has reported no result of these players: say the scores."))
        return reported
    if not told and game(outcome.seated.game).series == "scores":
        raise Refusal(Message("In this game the scores are added up: say those of all players."))
    scores: Mapping[str, Fraction] = told or {at: Fraction(at in won) for at in seats}
    missing = tuple(as_it_is(evening.people[player].name) for at, player in seats.items() if at not in scores)
    if missing:
        raise Refusal(Message("The score is missing of: {names}.", names=missing))
    return result({at: scores[at] for at in seats}, won or None)


def _seat(evening: Evening, outcome: Outcome, who: str) -> str:
    """The seat meant by its colour or by its player's name."""
    if who in outcome.seated.seats:
        return who
    player = people.find(evening.people, who)
    for at, seated in outcome.seated.seats.items():
        if seated == player.id:
            return at
    raise Refusal(Message("{name} does not sit at that table.", name=as_it_is(player.name)))


def _score(text: Any) -> Fraction:
    try:
        score = Fraction(str(text))
        if abs(score) > 10**9 or (2 * score).denominator != 1:
            raise ValueError
    except (ValueError, ZeroDivisionError):
        raise Refusal(Message("{score} is no score.", score=as_it_is(str(text)))) from None
    return Fraction(number(score))
