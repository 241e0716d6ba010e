"""What decides the game on the boards of Prokonsul and Mercator, in a separate window: `python -m tests.ui.windows.window_boards WIDTH HEIGHT LANG TEXT`. Ends with "played" if all went well."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tools import pictures
from tools.scenes.games import mercator, prokonsul
from ui import theme
from ui.games.mercator.track import Pawn
from ui.theme import TextSize
from ui.widgets.motion import motions


def within(part: Any, whole: Any) -> bool:
    return bool(whole.x - 1 <= part.x and part.right <= whole.right + 1 and whole.y <= part.y and part.top <= whole.top)


def tiles(app: Any, unit: float) -> None:
    """A tile is 78 x 84 where the board is wide enough; its name is told in full words, on two lines at most."""
    wide = 78 if (app.upright, theme.letters) == (False, 1) else 62
    for tile in app.page.board.provinces.tiles:
        assert tile.width >= wide * unit and tile.height >= 84 * unit - 0.5, (tile.id, tile.size)
        assert not tile.name.is_shortened and len(tile.name.lines()) <= 2, tile.name.shown
        assert tile.name.font_size >= theme.size(TextSize.LABEL) * unit - 0.1
        assert tile.value.font_size >= theme.size(TextSize.HEAD) * unit - 0.1, tile.value.text
    if (wide, app.lang) == (78, "ja"):
        assert app.page.board.provinces.tiles[2].name.lines() == ["近", "ヒスパニア"]
    elif wide == 78:
        assert app.page.board.provinces.tiles[2].name.lines() == ["Hispania", "Citerior"]


def counters(app: Any, unit: float) -> None:
    """Counters are 18 large, also five of them; a governor's colour fills the tile."""
    board = app.page.board.provinces
    tile, shown = board.tiles[4], app.page.board.centre.provinces.tiles[4]
    tile.show(replace(shown, candidates=app.match.header.seats, governor=""))
    for shape in tile.candidates:
        assert shape.seat and min(shape.size) >= 18 * unit - 0.1 and within(shape, tile)
    tile.show(replace(shown, candidates=(), governor="red", fresh=0))
    assert tile.governor.seat == "red" and within(tile.governor, tile)
    assert tile.back.plate._look[0] == theme.SEATS["red"]
    tile.show(shown)


def target(app: Any, unit: float) -> None:
    """The target's line crosses no card: a card steps aside for it, or lies over it where both sides are narrow."""
    bar = app.page.board.part.bar
    order: Sequence[Any] = bar.children  # the uppermost first
    assert order.index(bar.faces) < order.index(bar.goal) < order.index(bar.slices)
    left, right = bar._goal.pos[0], bar._goal.pos[0] + bar._goal.size[0]
    crossed = [face for face in bar.faces.children if face.opacity and face.x < right - 1 and left + 1 < face.right]
    for face in crossed:
        piece = next(piece for piece in bar._slices if piece.face is face)
        assert max(left - piece.x, piece.right - right) < 36 * unit, "there was room beside it"


def ships(app: Any, unit: float) -> None:
    """Every ship's cargo, which is the place of its pawn, is in the size of a head; who may not bid has dark ground."""
    board = app.page.board
    assert all(row.cargo.font_size >= theme.size(TextSize.HEAD) * unit - 0.1 for row in board.rows)
    for row, ship in zip(board.rows, board.centre.ships, strict=True):
        grounds = (theme.now.sunk, theme.now.wax) if ship.faint else (theme.now.panel, theme.now.wax)
        assert row.back.plate._look[0] in grounds
    assert [tile.tile.out for tile in app.page.rail.tiles] == [ship.faint for ship in board.centre.ships]


def fewer_seats(app: Any) -> None:
    """A track that showed a large table shows a smaller one's pawns alone, as the small board does in the next game."""
    track, seats = app.page.board.track, app.match.header.seats
    shown = dict.fromkeys(seats[:2], 3)
    track.show(shown, 60, {})
    assert track._pawns.keys() == shown.keys()
    assert {pawn.seat for pawn in track.children if isinstance(pawn, Pawn)} == shown.keys()
    app.paint()


def pawns_stand_on_their_spaces(app: Any) -> None:
    """However many share a space or stand beside each other, each stands over its own and is seen."""
    track, seats = app.page.board.track, app.match.header.seats
    for spaces in ((12, 14, 12), (3,) * len(seats), range(len(seats))):
        track.show(dict(zip(seats, spaces, strict=False)), 60, {})
        motions.end()
        pawns = [pawn for pawn in track.children if isinstance(pawn, Pawn)]
        assert {pawn.seat: round(pawn.center_x - track._x(pawn.at), 3) for pawn in pawns} == dict.fromkeys(
            track._track, 0
        )
        assert all(within(pawn, track) for pawn in pawns)
        assert len({tuple(pawn.pos) for pawn in pawns}) == len(pawns)
    app.paint()


def main(wide: str, high: str, lang: str, text: str) -> None:
    app = pictures.stage((int(wide), int(high)), lang=lang, text=text)
    unit = min(int(wide), int(high)) / theme.DESIGN
    for _ in prokonsul.free(app):
        if app.page.name == "table":
            pictures.settle(app, 4)
            tiles(app, unit)
            counters(app, unit)
    for name in prokonsul.last(app):
        if app.page.name == "table" and app.match.view["phase"] != "over":
            pictures.settle(app, 4)
            assert name != "half" or app.page.board.stays
            tiles(app, unit)
            target(app, unit)
    out = 0
    for _ in mercator.scenes(app, next(game for game in app.evening.games if game.name == "mercator")):
        if app.page.name == "table":
            pictures.settle(app, 4)
            ships(app, unit)
            out += sum(ship.faint for ship in app.page.board.centre.ships)
    assert out, "no ship was without room"
    app.go("table")
    fewer_seats(app)
    pawns_stand_on_their_spaces(app)
    print("played")


if __name__ == "__main__":
    main(*sys.argv[1:])
