"""The boards of Caesar and Hannibal by finger in a separate window: `python -m tests.ui.windows.window_caesar_hannibal WIDTH HEIGHT`.

Prints what did not fit.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from tests.ui.windows import window_geometry as ui_geometry
from tests.ui.windows import window_play as ui_play
from tools import pictures
from ui import theme
from ui.games.hannibal.model import apart


def touch(app: Any, place: str) -> None:
    app.page.board.field._acted.clear()  # here time stands still: a second touch is meant
    ui_play.touch(app, app.page.board.field.spots[place])


def begin(app: Any, name: str, seats: str, **more: Any) -> None:
    app.evening.begin({"tabularium": 1, "game": name, "seats": seats.split(), "reveal": "auto", **more})
    app.go("table")
    pictures.settle(app)


def fight(app: Any, *cards: str) -> None:
    for card in cards:
        app.act({"event": "choose", "seat": card.split()[0], "card": card})
    pictures.settle(app)


def unveiled(app: Any, *cards: str) -> None:
    """A reveal comes in steps: backs, cards, what they come to, and who has won; a touch ends it."""
    from ui.widgets.motion import PAUSE, RESULT, motions

    for card in cards:
        app.act({"event": "choose", "seat": card.split()[0], "card": card})
    app.evening.drain()
    app.paint()
    sides, line = app.page.board.duel.sides, app.page.line.text.text
    ranks, totals = [card.split()[1] for card in cards], ["8", "4"]

    def at(seconds: float) -> tuple[list[str], list[str], bool]:
        motions.hold(seconds / (PAUSE + RESULT))
        return [of.card.number.text for of in sides], [of.total.text for of in sides], bool(app.page.board.centre.duel)

    assert at(0.2)[:2] == (["", ""], ["", ""]), "a card shows nothing before its time"
    assert at(0.3)[:2] == (["", ""], ["", ""]), "nor while it turns away"
    assert at(0.5)[:2] == (ranks, ["", ""])
    assert at(1.0)[:2] == (ranks, totals)
    assert app.page.line.text.text == line and not any(tile.tile.awaited for tile in app.page.rail.tiles)
    motions.go()
    pictures.settle(app)
    assert app.page.line.text.text != line and not motions.moving


def signs(app: Any) -> dict[str, str]:
    return {
        place: spot.sign.kind
        for place, spot in app.page.board.field.spots.items()
        if spot.sign.kind not in ("", "begin")
    }


def asked(app: Any, what: Any, number: tuple[str, str | None]) -> None:
    """A touch on a widget, or on a place where nothing can be done, asks about this number."""
    (touch if isinstance(what, str) else ui_play.touch)(app, what)
    assert app.page.number == number
    app.go("table")
    pictures.settle(app)


def begins(app: Any) -> set[str]:
    return {place for place, spot in app.page.board.field.spots.items() if app.page.board.sign(place) == "begin"}


def chosen_first(app: Any) -> None:
    """A touch on "attack" lights the groups that can attack, then only whom they can attack; another group ends it."""
    board, way = app.page.board, app.page.board.ways.taps["attack"]
    every, able = begins(app), set(board.centre.able("attack"))
    assert able < every
    ui_play.touch(app, way)
    assert (board.way, begins(app)) == ("attack", able)
    touch(app, "b2")
    assert signs(app) == {"b2": "start", "a2": "fight", "c2": "fight"}
    touch(app, "b1")
    assert (board.way, board.start) == ("", "b1"), "a group that cannot attack is taken up for what it can do"
    touch(app, "b1")
    ui_play.touch(app, way)
    way._acted = 0
    ui_play.touch(app, way)
    assert (board.way, begins(app)) == ("", every)


def stays_put(app: Any) -> None:
    """What the group adds keeps its place at every total."""
    from dataclasses import replace

    duel, shown = app.page.board.duel, app.page.board.centre.duel
    places = set()
    for total in ("", "8", "10"):
        duel.show(replace(shown, sides=[replace(side, total=total) for side in shown.sides]))
        places.add(tuple(tuple(side.group.pos) for side in duel.sides))
    assert len(places) == 1, "the plus has moved"
    duel.show(shown)


def caesar_by_finger(app: Any) -> Iterator[str]:
    begin(app, "caesar", "red blue")
    for red, blue in zip(("a1", "b1", "c1", "d1", "b2"), ("a2", "c2", "d2", "e2", "e3"), strict=True):
        touch(app, red)
        touch(app, blue)
    assert app.match.view["phase"] == "turn"
    yield "turn"
    board = app.page.board
    chosen_first(app)
    touch(app, "b2")
    lit = {"b2": "start", "a2": "fight", "c2": "fight", "b1": "join", "b3": "join"}
    assert signs(app) == lit
    yield "touched"
    touch(app, "e5")
    assert "share neither a row nor a column" in app.page.line.text.text
    assert signs(app) == lit, "after a refusal the group is still in hand"
    touch(app, "a1")
    assert board.start == "a1", "another group of one's own is taken up instead"
    touch(app, "a1")
    assert not signs(app)
    touch(app, "b2")
    touch(app, "a2")
    assert app.match.view["duel"] == {"attacker": "red", "defender": "blue", "from": "b2", "to": "a2"}
    yield "duel"
    asked(app, "e3", ("group", "e3"))
    unveiled(app, "red 7", "blue 3")
    assert [side.total.text for side in board.duel.sides] == ["8", "4"]
    assert [side.card.number.text for side in board.duel.sides] == ["7", "3"]
    stays_put(app)
    yield "fought"
    asked(app, board.duel.sides[0], ("duel", None))
    touch(app, "c2")
    assert board.start == "c2" and not board.duel.parent, "a touch puts the duel away and begins an act"
    app.page.show()
    assert not board.centre.duel, "and it stays away"
    touch(app, "c2")
    pictures.settle(app)
    app.act({"event": "ally", "seat": "blue", "from": "c2", "to": "d2"})
    app._tick(0)
    assert board.field.mover.opacity == 1, "a group is on its way"
    pictures.settle(app)
    assert board.field.mover.opacity == 0, "and has arrived"


def hannibal_by_finger(app: Any) -> Iterator[str]:
    begin(app, "hannibal", "blue red", options={"core_control": True})
    yield "begin"
    touch(app, "rome")
    assert signs(app) == {"rome": "start", "gallia": "go", "cannae": "go", "corsica": "go"}
    touch(app, "zama")
    assert "From Rome a legion can now reach" in app.page.line.text.text
    touch(app, "corsica")
    touch(app, "carthago")
    yield "touched"
    touch(app, "zama")
    assert app.match.view["turn"] == "red", "Hannibal or a legion is still to be said"
    yield "which"
    ui_play.tap(app, "Hannibal")
    assert app.match.view["regions"]["zama"]["hannibal"]
    touch(app, "rome-corsica")
    assert signs(app)["sardinia-carthago"] == "fight"
    touch(app, "sardinia-carthago")
    assert app.match.view["battle"]["place"] == "sardinia-carthago"
    yield "battle"
    fight(app, "blue 5", "red 2")
    fight(app, "blue 4", "red 1")
    assert [played.card.number.text for played in app.page.board.sides[0].cards][:2] == ["5", "4"]
    yield "exchanges"
    fight(app, "blue 1", "red 3")
    board = app.page.board
    assert [panel.there.text for panel in board.sides] == ["0", "1"] and board.sides[0].there.parent, "the battle stays"
    yield "fought"
    touch(app, "carthago")
    assert board.sides[0].goals[0].parent and not board.sides[0].there.parent, "until a touch"
    yield "put away"


def look(app: Any, unit: float) -> list[str]:
    """What does not fit, places too near for a finger, and work that goes on while nothing happens."""
    from ui.widgets.motion import motions

    board = app.page.board
    found = [*ui_geometry.problems(app.root, unit), *ui_geometry.number(app)]
    spots = board.field.spots
    centres = [spot.center for spot in spots.values()]
    near = min(apart(one, other) for at, one in enumerate(centres) for other in centres[:at])
    if board.centre.begins and near < 46 * unit:
        found.append(f"only {near / unit:.0f} dp between two places")
    outside = [place for place, spot in spots.items() if not board.field.collide_point(*spot.center)]
    return [*found, *outside, *(["something still moves"] if motions.moving else [])]


def main(wide: str, high: str) -> None:
    ui_play.SIZE = int(wide), int(high)
    app = pictures.stage(ui_play.SIZE)
    found = {}
    for play in (caesar_by_finger, hannibal_by_finger):
        for name in play(app):
            found[f"{play.__name__}: {name}"] = look(app, min(ui_play.SIZE) / theme.DESIGN)
    print(json.dumps({name: wrong for name, wrong in found.items() if wrong}, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
