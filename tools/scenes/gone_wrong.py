"""The scenes in which something goes wrong: what can have happened, a card that is refused, and a player who leaves."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from companion.record.transcript import event_data
from companion.rules import AnyGame, Choose
from companion.rules.readings import Reading
from companion.session.absent_players import LEFT
from tools.scenes.rehearsal import PLAYERS

if TYPE_CHECKING:
    from ui.page import App

ACTS = 60


def gone_wrong(app: App, game: AnyGame) -> Iterator[str]:
    """Show the list in every phase, page by page; then a refusal, and the table without one of the players."""
    seats = list(game.fixed or game.colours[: min(5, game.seats[-1])])
    players = {seat: PLAYERS[seat] for seat in seats}
    app.evening.begin({"tabularium": 1, "game": game.name, "seats": seats, "players": players})
    robot, seen = Random(3), set[str]()
    for _ in range(ACTS):
        moves = app.match.session.legal()
        phase = app.match.view["phase"]
        if phase not in seen and len(app.match.session.acts) > len(seen):
            seen.add(phase)
            yield from listed(app, f"{game.name}-wrong-{phase}")
        if not moves:
            break
        app.act(event_data(robot.choice(moves).pick(robot.choice)))
        app.evening.drain()
    yield from without(app, game)


LONGEST = 3
"""More ways than this stand in two columns: every such list is looked at."""


def listed(app: App, name: str) -> Iterator[str]:
    """Show every page of the list."""
    app.go("wrong")
    yield name
    for each in app.page.list.items[1:]:
        app.page._choose(each[0])
        if len(each[0].ways) > LONGEST:
            yield f"{name}-{each[0].key}"


def without(app: App, game: AnyGame) -> Iterator[str]:
    """Show what was refused, a player who has left, and the pad in that player's place."""
    seat = app.match.header.seats[-1]
    for present in (True, False):
        app.evening.devices.inbox.put(Reading("centre", "04FFFFFFFFFFFF", present, 0))
    app.evening.drain()
    app.go("table")
    yield f"{game.name}-refused"
    app.go("wrong")
    yield f"{game.name}-wrong-refused"
    app.act({"event": "decide", "words": app.moment().say(LEFT, seat=seat)})
    app.evening.drain()
    app.go("table")
    yield f"{game.name}-left"
    if app.moment().choosing or Choose in game.events:
        app.go("choose", seat=seat)
        yield f"{game.name}-left-pad"
