"""The changes that an order makes.

They come from comparing the evening before and after an order that is tried, undone or given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from companion.hall._clock import told
from companion.hall._evening import HallEvening, Round
from companion.hall._people import as_it_is
from companion.hall._results import Outcome
from companion.hall._stand import Stand
from companion.hall._standings import rounded
from companion.rules import N_
from companion.rules.message import Message
from companion.rules.views import Result
from companion.rules.words import Words

MOST = 12
"""The most changed places listed, the highest first."""


def changes(before: Stand, after: Stand) -> Sequence[Message]:
    """Return a message for each difference between the two states; [] where there is none."""
    return [
        *_people(before.evening, after.evening),
        *_rounds(before.evening, after.evening),
        *_results(before, after),
        *_evening(before.evening, after.evening),
        *_places(before, after),
    ]


def _people(before: HallEvening, after: HallEvening) -> Iterator[Message]:
    for number in sorted({*before.people, *after.people}):
        was, now = before.people.get(number), after.people.get(number)
        if was is None and now and now.came:
            yield Message("{name} is on the list.", name=now.called)
        elif was and now is None:
            yield Message("{name} is no longer on the list.", name=was.called)
        elif was and now:
            if was.name != now.name:
                yield Message("{before} is now called {after}.", before=was.called, after=now.called)
            if was.here != now.here:
                text = N_("{name} is seated again.") if now.here else N_("{name} is no longer seated.")
                yield Message(text, name=now.called)


def _rounds(before: HallEvening, after: HallEvening) -> Iterator[Message]:
    for number in sorted({one.number for one in (*before.rounds, *after.rounds)}):
        was, now = before.round(number), after.round(number)
        if was is None:
            yield Message("Round {round} is seated.", round=number)
        elif now is None:
            yield Message("Round {round} is no longer seated.", round=number)
        elif (was.withdrawn is None) != (now.withdrawn is None):
            again = now.withdrawn is None
            text = N_("Round {round} counts again.") if again else N_("Round {round} is void.")
            yield Message(text, round=number)
        else:
            yield from _seats(after, was, now)
    if len(before.planned) != len(after.planned):
        yield Message("Planned rounds: {after} (before: {before}).", after=len(after.planned),
                      before=len(before.planned))  # fmt: skip


def _seats(evening: HallEvening, was: Round, now: Round) -> Iterator[Message]:
    """Yield the tables and byes that have other players now, and the tables that are on another device."""
    for of in now.tables:
        if was.table(of.table) and was.device(of.table) != now.device(of.table):
            yield Message("Round {round}: table {table} continues on device {to}.", round=now.number,
                          table=as_it_is(of.table), to=as_it_is(now.device(of.table)))  # fmt: skip
    for of in now.tables:
        if was.table(of.table) not in (of, None):
            names = tuple(evening.people[player].called for player in of.players)
            yield Message("Round {round}, table {table}: now {names}", round=now.number, table=of.table, names=names)
    if was.byes != now.byes:
        names = tuple(evening.people[player].called for player in now.byes)
        text = N_("Round {round}: now a bye for {names}") if names else N_("Round {round}: no more byes")
        yield Message(text, round=now.number, names=names)


def _results(before: Stand, after: Stand) -> Iterator[Message]:
    was = {of.key: of for of in before.outcomes}
    for of in after.outcomes:
        old = was.get(of.key)
        if old is of:  # nor have the names changed, else it would have been made again
            continue
        if old and (counted(before.evening, old), old.seated) != (counted(after.evening, of), old.seated):
            at: dict[str, Any] = {"round": of.round, "table": of.seated.table}
            yield Message("Round {round}, table {table}: {after} (before: {before}).",
                          after=counted(after.evening, of), before=counted(before.evening, old), **at)  # fmt: skip


def counted(evening: HallEvening, of: Outcome) -> Message:
    """Return what a game counts: its scores, nothing, or nothing yet."""
    if of.state == "counts" and of.result:
        return scores(evening, of, of.result)
    return Message("the game is void") if not of.open else Message("does not count yet")


def scores(evening: HallEvening, of: Outcome, result: Result) -> Message:
    """Return each player's score by a result: "Anna #1 12, Ben #2 9"."""
    told = tuple(
        Message("{name} {score}", name=evening.people[player].called, score=result["scores"].get(seat, 0))
        for seat, player in of.seated.seats.items()
    )
    return Message("{scores}", scores=told)


def _evening(before: HallEvening, after: HallEvening) -> Iterator[Message]:
    if before.name != after.name:
        yield Message("The evening is called {name}.", name=as_it_is(after.name))
    if before.line != after.line:
        text = N_("Announcement: {text}") if after.line else N_("The announcement is removed.")
        yield Message(text, text=as_it_is(after.line))
    if before.clock != after.clock:
        yield told(after.clock) if after.clock else Message("There is no clock.")
    if before.over != after.over:
        yield Message("The evening is over.") if after.over else Message("The evening continues.")
    if before.penalties != after.penalties:
        yield Message(
            "Penalties: {after} (before: {before}).", after=len(after.penalties), before=len(before.penalties)
        )
    for device in sorted({*before.reserved, *after.reserved}):
        if before.is_spare(device) != after.is_spare(device):
            text = (
                N_("Device {device} is kept as a spare.")
                if after.is_spare(device)
                else N_("Device {device} is a table.")
            )
            yield Message(text, device=as_it_is(device))
    for table in sorted({*before.devices, *after.devices}):
        if before.device(table) != after.device(table):
            yield Message("From the next round on, table {table} is on device {to}.", table=as_it_is(table),
                          to=as_it_is(after.device(table)))  # fmt: skip
    others = ("lang", "names", "scoring", "fixed", "aside")
    if any(getattr(before, what) != getattr(after, what) for what in others):
        yield Message("The evening's settings have changed.")


def _places(before: Stand, after: Stand) -> Iterator[Message]:
    """Yield the players whose place or score has changed."""
    was = {row.id: (row.place, row.score) for row in before.standings.rows}
    moved = [row for row in after.standings.rows if row.id in was and was[row.id] != (row.place, row.score)]
    for row in moved[:MOST]:
        place, score = was[row.id]
        yield Message(
            "{name}: place {after} with {now} (before: place {before} with {was}).",
            name=after.evening.people[row.id].called, after=row.place, now=figure(row.score),
            before=place, was=figure(score),
        )  # fmt: skip
    if len(moved) > MOST:
        yield Message("… and {count} more.", count=len(moved) - MOST)


def figure(score: Fraction) -> Words:
    """Return a score as people read it."""
    return as_it_is(f"{rounded(score):g}")
