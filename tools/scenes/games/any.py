"""Pictures of any game: a robot plays it by legal acts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from companion.record.transcript import event_data
from companion.rules import AnyGame
from tools.scenes.rehearsal import PLAYERS
from ui.games.face import face_of
from ui.games.parts.actions import actions

if TYPE_CHECKING:
    from ui.page import App


def scenes(app: App, game: AnyGame) -> Iterator[str]:
    """Play a game that nobody has chosen a seed for."""
    return played(app, game, seed=1, middle=30)


def played(app: App, game: AnyGame, seed: int, middle: int) -> Iterator[str]:
    """Show every phase, each of its pads, the moment after `middle` acts, and the end."""
    seats = list(game.fixed or game.colours[: game.seats[-1]])
    players = dict(zip(seats, [*PLAYERS.values(), "Friederike", "Giovanni"], strict=False))
    app.evening.begin({"tabularium": 1, "game": game.name, "seats": seats, "players": players})
    app.go("table")
    yield f"{game.name}-table"
    robot, seen, revealed = Random(seed), set(), False
    while moves := app.match.session.legal():
        phase = app.match.view["phase"]
        if phase not in seen:
            seen.add(phase)
            app.paint()
            yield f"{game.name}-{phase}"
            yield from pads(app, game)
        app.act(event_data(robot.choice(moves).pick(robot.choice)))
        app.evening.drain()
        last = app.moment().acts[-1]
        if not revealed and any(ruling.code in face_of(game.name).reveals for ruling in last.public):
            revealed = True
            app.paint()
            yield from moving(f"{game.name}-reveal")
        if last.standing == middle - 1:
            app.paint()  # the next act is seen beginning from here
        if last.standing == middle:
            app.paint()
            yield from moving(f"{game.name}-moving")
            yield f"{game.name}-middle"
            yield from at_rest(app, game.name)
    app.paint()
    yield f"{game.name}-over"
    app.go("end")
    yield f"{game.name}-end"
    app.page.lit = True
    app.paint()
    yield f"{game.name}-end-touched"


def moving(name: str) -> Iterator[str]:
    """Show four frames of what moves now, the first and the last among them; nothing where nothing moves."""
    from ui.widgets.motion import motions

    if motions.moving:
        for at, part in enumerate((0.0, 0.3, 0.6, 1.0)):
            motions.hold(part)
            yield f"{name}-{at}"
        motions.go()


def at_rest(app: Any, game: str) -> Iterator[str]:
    """Show the same on a table of real pieces that nobody has touched for a while.

    Any: its virtual table is put aside meanwhile.
    """
    dock, app.dock = app.dock, None
    app.go("rest")
    if app.page.name == "rest":
        yield f"{game}-rest"
    app.dock = dock
    app.go("table")


def pads(app: App, game: AnyGame) -> Iterator[str]:
    """Show what is asked by finger now: the first pad of each verb, and the private one behind its cover."""
    found = actions(app.moment(), face_of(game.name).terms)
    for action in {action.verb: action for action in found if not action.event}.values():
        if action.verb == "choose":
            app.go("choose", seat=action.picked["seat"])
            app.page.uncover()
        else:
            app.go("act", verb=action.verb, picked=action.picked)
        yield f"{game.name}-pad-{action.verb}"
    app.go("table")
