"""Every game on any game's board, in a separate window: `python -m tests.ui.windows.window_any WIDTH HEIGHT`.

Prints what does not fit. So a sixth game can be played before it has a board of its own.
"""

import json
import sys
from random import Random
from typing import Any

from companion.record.transcript import event_data
from tests.ui.windows import window_geometry as ui_geometry
from tests.ui.windows import window_play as ui_play
from tools import pictures
from tools.scenes.rehearsal import PLAYERS
from ui import theme
from ui.games.any import FACE
from ui.games.parts.actions import Action

SEEDS = {"mercator": 20, "prokonsul": 3, "spartacus": 30, "caesar": 34, "hannibal": 1}


def begin(app: Any, game: Any) -> None:
    """Any game's board in the place of its own, with as many seats as there may be."""
    seats = list(game.fixed or game.colours[: game.seats[-1]])
    players = {seat: name for seat, name in PLAYERS.items() if seat in seats}
    app.evening.begin({"tabularium": 1, "game": game.name, "seats": seats, "players": players, "reveal": "auto"})
    app.go("table")
    app.page.wear(FACE)
    app.paint()


def touched(app: Any, actions: Any) -> None:
    """Each control does what it says: it acts, or it opens the pad that asks for the rest."""
    for action in actions:
        if action.verb == "choose" or not action.event:
            app.page.board.do(action)
            assert app.page.name in ("act", "choose"), action
            app.go("table")


def look(app: Any, unit: float) -> list[str]:
    """What does not fit; a place that leads nowhere needs no room for a finger, and the seats' tiles are not the
    board's."""
    pictures.settle(app)
    board = app.page.board
    spared = [f"too small: {ui_geometry.words(tile)}" for tile in board.grid.tiles if tile.disabled]
    spared += [
        f"{said}: {text!r}"
        for tile in app.page.rail.tiles
        for said, text in (("cut off", tile.status.text), ("cut short", tile.status.shown))
    ]
    if app.upright:  # where seven seats act at once, there is room for the shapes and one word
        spared += [f"cut short: {tap.words.shown!r}" for tap in board.controls.taps]
    wrong = [*ui_geometry.problems(app.root, unit), *ui_geometry.number(app)]
    return [one for one in wrong if not one.startswith(tuple(spared))]


def play(app: Any, game: Any, unit: float) -> dict[str, list[str]]:
    """A whole game by a robot; what does not fit, by the phase it was seen in."""
    begin(app, game)
    robot, seen, found = Random(SEEDS[game.name]), set[str](), {}
    while moves := app.match.session.legal():
        phase = ui_play.phase(app)
        if phase not in seen:
            seen.add(phase)
            app.paint()
            found[f"{game.name} {phase}"] = look(app, unit)
            touched(app, FACE.centre(app.moment()).actions)
        assert not app.act(event_data(robot.choice(moves).pick(robot.choice)))
        app.evening.drain()
    app.paint()
    found[f"{game.name} over"] = look(app, unit)
    app.page.board.do(Action("end", "", ""))
    assert app.page.name == "end"
    return found


def main(wide: str, high: str) -> None:
    ui_play.SIZE = int(wide), int(high)
    app = pictures.stage(ui_play.SIZE)
    unit = min(ui_play.SIZE) / theme.DESIGN
    found: dict[str, list[str]] = {}
    for game in app.evening.games:
        found |= play(app, game, unit)
    print(json.dumps({name: wrong for name, wrong in found.items() if wrong}, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
