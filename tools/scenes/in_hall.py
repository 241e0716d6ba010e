"""Pictures of a table that belongs to a hall: a round seated here, and a result that everybody approves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.play.hall_status import SeatedGame, Verdict
from companion.play.round_clock import FIVE, UP, RoundClock
from companion.rules.message import Message
from tools.scenes.rehearsal import PLAYERS, Hall, to_the_end

if TYPE_CHECKING:
    from companion.rules import AnyGame, Seat
    from ui.page import App

LONG = "{} Maria Sophie von Hohenfels"
REASON = "counted again together with everybody who sat at the table, and seen by the referee"
SEVEN = {**PLAYERS, "black": "Friederike", "white": "Giovanni"}
NOBLE = {seat: LONG.format(name) for seat, name in SEVEN.items()}
"""Names as long as may be."""


def in_hall(app: App) -> Iterator[str]:
    """Show all that is seen in a hall and nowhere else; afterwards the table belongs to none."""
    hall = Hall(board="http://tabularium.local:9001/")
    app.evening.join(hall)
    games = app.evening.games
    many, few = max(games, key=lambda game: game.seats[-1]), min(games, key=lambda game: game.seats[-1])
    yield from seated(app, hall, many)
    yield from timed(app, hall, many)
    yield from approved(app, hall, many, few)
    hall.state = "away"
    app.go("hardware")
    yield "hall-hardware"
    app.evening.hall = app.evening.approving = app.evening.match = None
    app.pages.clear()
    app.go("start")


def seated(app: App, hall: Hall, game: AnyGame) -> Iterator[str]:
    """Show a round on the start page and on that of a new game: taken, changed, begun; with the longest names."""
    four, option = dict(list(PLAYERS.items())[:4]), game.options[0]
    third = hall.seated = SeatedGame(3, game.name, {option.name: option.values[-1]}, four)
    evening: Any = app.evening  # whose games wait only for the second picture
    evening.match = None
    paused, evening.paused = evening.paused, list
    app.go("start")
    yield "hall-start"
    evening.paused = paused
    app.go("start")
    yield "hall-start-continue"
    app.pages.pop("new", None)
    app.go("new")
    yield "hall-new"
    app.page._take_seated_round()
    yield "hall-new-taken"
    app.page.stand("red")
    yield "hall-new-differs"
    app.go("options", draft=app.page.draft)
    yield "hall-options-differs"
    hall.seated = SeatedGame(4, game.name, {}, NOBLE)
    app.go("start")
    yield "hall-start-long"
    app.go("new")
    yield "hall-new-long"
    app.page._take_seated_round()
    yield "hall-new-long-taken"
    hall.seated = SeatedGame(5, game.name, {}, dict.fromkeys(four, ""))
    app.paint()
    yield "hall-new-no-names"
    hall.seated = third
    app.evening.begin(third.table)
    app.pages.pop("new")
    app.go("new")
    yield "hall-new-begun"


def timed(app: App, hall: Hall, game: AnyGame) -> Iterator[str]:
    """Show the clock of a round: time that is left, the last five minutes, and the end."""
    hall.seated = SeatedGame(3, game.name, {}, dict(list(PLAYERS.items())[:4]))
    five, up = FIVE["act"], UP["round"]
    hall.clock = RoundClock(3, "paused", 1500, 3600, "act", 0.0)
    app.evening.begin(hall.seated.table)
    app.go("table")
    yield "hall-time"
    hall.clock, app.evening.called = RoundClock(3, "paused", 300, 3600, "act", 0.0), Message(five)
    app.paint()
    yield "hall-time-five"
    hall.clock, app.evening.called = RoundClock(3, "up", 0, 3600, "round", 0.0), Message(up)
    app.paint()
    yield "hall-time-up"
    hall.clock = app.evening.called = None


def approved(app: App, hall: Hall, many: AnyGame, few: AnyGame) -> Iterator[str]:
    """Show a game of four from its end to the hall's word; then one of two, and one of seven with long names."""
    hall.seated = SeatedGame(3, many.name, {}, dict(list(PLAYERS.items())[:4]))
    to_the_end(app.evening, hall.seated.table)
    yield from both(app, "hall-nobody")
    say(app, ["red", "yellow"])
    yield from both(app, "hall-some")
    say(app, ["blue"], right=False)
    yield from both(app, "hall-contested")
    hall.state = "away"
    say(app, ["blue", "green"])
    yield from both(app, "hall-away")
    hall.state, hall.verdicts = "kept", {app.match.number: Verdict("all")}
    hall.seated = replace(hall.seated, round=4)
    yield from both(app, "hall-counts")
    hall.verdicts = {app.match.number: Verdict("nobody", "")}
    app.go("approve")
    yield "hall-void"
    duel = {seat: PLAYERS[seat] for seat in few.fixed or few.colours[:2]}
    hall.seated, hall.state, hall.verdicts = SeatedGame(1, few.name, {}, duel), "sending", {}
    to_the_end(app.evening, hall.seated.table)
    yield from both(app, "hall-two")
    hall.seated = SeatedGame(2, many.name, {}, SEVEN)
    to_the_end(app.evening, hall.seated.table)
    yield from both(app, "hall-seven")
    say(app, list(SEVEN)[:3])
    hall.verdicts = {app.match.number: Verdict("organiser", REASON)}
    yield from both(app, "hall-settled")
    to_the_end(app.evening, {**hall.seated.table, "players": NOBLE}, seed=5)
    hall.verdicts = {}
    yield from both(app, "hall-long")


def both(app: App, name: str) -> Iterator[str]:
    """Show the page of the end, and the one it leads to."""
    app.go("end")
    yield f"{name}-end"
    app.go("approve")
    yield name


def say(app: App, seats: Sequence[Seat], right: bool = True) -> None:
    assert app.evening.approving
    for seat in seats:
        app.evening.approving.say(app.match, seat, right)
    app.evening.drain()
