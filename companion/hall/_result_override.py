"""A result by the organiser's word: the game that is meant, and its scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from companion.games import game
from companion.hall import _people as people
from companion.hall._evening import HallEvening
from companion.hall._people import as_it_is
from companion.hall._results import Outcome
from companion.hall._stand import Stand
from companion.rules import number, result
from companion.rules.message import Message
from companion.rules.views import Result


def meant(now: Stand, table: str, asked: int | None, corrects: bool) -> Outcome:
    """Return the game an order means: that of the round it names, else the first that is open.

    Where none is open, or where the order corrects a result, the last that is not open is meant. A round that has not
    begun yet is meant only where it is named. Raises ValueError.
    """
    its = [of for of in now.outcomes if of.seated.table == table and of.state != "withdrawn"]
    found = [of for of in its if (of.round <= now.round if asked is None else of.round == asked)]
    if not found:
        raise ValueError(Message("Nobody was seated at table {table} in that round.", table=as_it_is(table)))
    fitting = [of for of in found if of.open != corrects]
    if corrects:
        return (fitting or found)[-1]
    return (fitting or found[-1:])[0]


def result_of(
    evening: HallEvening, outcome: Outcome, said: Mapping[str, str | float], winners: Sequence[str]
) -> Result:
    """Return the result that the organiser gives, or the one the table reports. Raises ValueError and LookupError."""
    seats = outcome.seated.seats
    won = tuple(_seat(evening, outcome, who) for who in winners)
    told = {_seat(evening, outcome, who): points(score) for who, score in said.items()}
    if not told and not won:
        played = outcome.played
        reported: Result | None = played.result if played else None  # type: ignore[assignment]  # as the schema has it
        if not reported or {*reported["places"]} != {*seats}:
            raise ValueError(Message("The table has reported no result for these players: enter the scores."))
        return reported
    if not told and game(outcome.seated.game).series == "scores":
        raise ValueError(Message("This game adds up scores: enter those of all players."))
    scores: Mapping[str, Fraction] = told or {at: Fraction(at in won) for at in seats}
    missing = tuple(as_it_is(evening.people[player].name) for at, player in seats.items() if at not in scores)
    if missing:
        raise ValueError(Message("Scores are missing: {names}.", names=missing))
    return result({at: scores[at] for at in seats}, won or None)


def _seat(evening: HallEvening, outcome: Outcome, who: str) -> str:
    """Return the seat meant by its colour or by its player's name. Raises ValueError and LookupError."""
    if who in outcome.seated.seats:
        return who
    player = people.find(evening.people, who)
    for at, seated in outcome.seated.seats.items():
        if seated == player.id:
            return at
    raise ValueError(Message("{name} does not sit at that table.", name=as_it_is(player.name)))


def points(text: object) -> Fraction:
    """Return a number of points, whole or half. Raises ValueError."""
    try:
        score = Fraction(str(text))
        if abs(score) > 10**9 or (2 * score).denominator != 1:
            raise ValueError
    except (ValueError, ZeroDivisionError):
        raise ValueError(Message("{score} is not a score.", score=as_it_is(str(text)))) from None
    return Fraction(number(score))
