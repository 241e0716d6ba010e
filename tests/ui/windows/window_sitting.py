"""Several games in one window, one after the other: `python -m tests.ui.windows.window_sitting FOLDER`. Ends with 0 if all went well."""

import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

import segno

from companion.record.transcript import event_data
from tests.ui.windows.window_geometry import visible
from tests.ui.windows.window_play import SIZE, choose, phase, point, press, release, tap, taps, touch
from tools import pictures
from ui.games.face import face_of
from ui.lazy import late
from ui.table.band import BandWidget
from ui.widgets.text import Text


def words(root: Any) -> set[str]:
    """Every text that is seen; who is awaited and what for is one sentence."""
    seen = [widget for widget, _ in visible(root)]
    bands = {f"{each.who.text} {each.what.text}".strip() for each in seen if isinstance(each, BandWidget)}
    return bands | {widget.text for widget in seen if isinstance(widget, Text)}


def begin(app: Any, game: str, *players: str) -> None:
    """From the start page to the table, with people the table knows."""
    app.go("start")
    tap(app, "New game")
    tap(app, game)
    for player in players:
        if player not in app.page.draft.players.values():
            for widget in taps(app.page.known):
                widget._acted = -1.0  # the names close up: the next stands where the last one was
            tap(app, player)
    tap(app, "Begin as printed")
    assert app.page.name == "table"


def prokonsul(app: Any) -> None:
    begin(app, "Prokonsul", "Anna", "Bert", "Chiara")
    app.act({"event": "pawns", "order": ["red", "blue", "green"]})
    app.act({"event": "province", "province": "asia"})
    pictures.settle(app)
    touch(app, app.page.hand.cards[8])  # red 9, laid on the reader
    assert app.match.view["chosen"] == ["red"]
    assert app.page.hand.seat == "blue"
    app.go("choose", seat="blue")
    tap(app, "I am Bert: show my cards")
    assert shown(app.page) == [f"blue {rank}" for rank in (*range(1, 10), 12)]


def shown(pad: Any) -> list[str]:
    """The cards on a private pad."""
    faces = [card.face for card in pad.cards if card.parent and card.face.opacity]
    return [f"{face.shape.seat} {face.number.text}" for face in faces]


def caesar(app: Any) -> None:
    """After Prokonsul: its own board, its own hands on the dock, its own pads."""
    begin(app, "Caesar", "Anna", "Bert", "Chiara")
    assert app.match.header.game.name == "caesar"
    assert type(app.page.board) is late(face_of("caesar").board)
    assert len(app.page.rail.tiles) == len(app.match.header.seats)
    assert [tile.shape.seat for tile in app.page.rail.tiles] == list(app.match.header.seats)
    assert "Asia" not in words(app.root)
    robot = Random(34)
    while phase(app) != "choosing":
        moves = app.match.session.legal()
        app.act(event_data(robot.choice(moves).pick(robot.choice)))
        app.evening.drain()
    app.paint()
    pictures.settle(app)
    seat = app.match.view["waiting"][0]
    app.go("choose", seat=seat)
    tap(app, f"I am {app.match.header.players[seat]}: show my cards")
    assert shown(app.page) == list(app.match.private(seat)["hand"])
    card = next(widget for widget in app.page.cards if widget.parent and widget.face.opacity)
    touch(app, card)
    assert seat in app.match.view["chosen"]


def fewer_seats(app: Any) -> None:
    """The chart of a game for two has no lines left from a game with more seats."""
    for seats in (["red", "blue", "green", "yellow"], ["red", "blue", "green"]):
        app.evening.begin({"tabularium": 1, "game": "spartacus", "seats": seats})
        robot = Random(30)
        while moves := app.match.session.legal():
            app.act(event_data(robot.choice(moves).pick(robot.choice)))
        app.evening.drain()
        app.go("end")
        app.go("course")
        pictures.settle(app)
        drawn = [shape.seat for _, _, line, shape, _ in app.page.lines._lines if line.points]
        assert drawn == seats
        assert {seat for *_, shape, _ in app.page.lines._lines if (seat := shape.seat)} == set(seats)
    app.go("end")


def export(app: Any, folder: Path) -> None:
    from kivy.base import EventLoop

    app.evening.exports.folder = folder
    pictures.settle(app)
    EventLoop.idle()  # paints
    tap(app, "Export")
    EventLoop.idle()
    assert app.page.name == "where"
    a_code(app)
    tap(app, "On this device")
    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join()
    pictures.settle(app)
    stem = f"spartacus-{app.match.number}"
    assert {path.name for path in folder.iterdir()} == {
        f"{stem}{suffix}" for suffix in (".jsonl", ".csv", ".bgstats.json", ".bgstats.html", ".png")
    }
    assert any(stem in text for text in words(app.root))
    from kivy.core.image import Image

    wide, high = Image(str(folder / f"{stem}.png")).size
    page = app.pages["end"]
    assert wide == int(page.titled.width) and high < SIZE[1] - page.first.height, "the result, and no control"
    stick = folder / "stick"
    stick.mkdir()
    app.evening.exports.sticks = lambda: (stick,)
    tap(app, "Export")
    EventLoop.idle()
    assert app.page.name == "where"
    tap(app, "USB stick “stick”")
    assert app.page.name == "end"
    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join()
    pictures.settle(app)
    assert len([*stick.iterdir()]) == 5
    assert any(str(stick / stem) in text for text in words(app.root))


def a_code(app: Any) -> None:
    """The link of the play, dot for dot as segno makes it; where it is too long, a word and no code."""
    page = app.page
    pictures.settle(app)
    assert page.link.startswith("https://app.bgstatsapp.com/")
    made = segno.make_qr(page.link, error="l")
    assert drawn(app, len(made.matrix) + 8) == [[not dark for dark in line] for line in made.matrix_iter(border=4)]
    assert "BG Stats: scan the code with your phone." in words(app.root)
    for link in (page.link + "x" * 1500, page.link + "x" * 3000):
        app.go("where", save=page.save, back="end", link=link)
        pictures.settle(app)
        assert page.code.drawn.size == (0, 0)
        assert "Too long for a QR code on this screen." in words(app.root)


def drawn(app: Any, count: int) -> list[list[bool]]:
    """What lies in the middle of each module on the screen: light or dark, and nothing between."""
    texture, code = app.root.export_as_image().texture, app.page.code.drawn
    pixels = texture.pixels  # a copy of the whole window each time it is asked for
    side = code.size[0] / count
    assert side == int(side) >= 3
    middles = [side / 2 + side * at for at in range(count)]
    left, top = code.pos[0], texture.height - code.pos[1] - code.size[1]  # rows are stored from the top down
    starts = [[(int(top + y) * texture.width + int(left + x)) * 4 for x in middles] for y in middles]
    found = [[pixels[at : at + 3] for at in line] for line in starts]
    assert {colour for line in found for colour in line} == {bytes(3), b"\xff" * 3}
    return [[colour == b"\xff" * 3 for colour in line] for line in found]


def elsewhere(app: Any, folder: Path) -> None:
    """A stick that is plugged in is offered; what became of saving there is said once it is known."""
    stick = folder / "stick"
    app.go("save")
    pictures.settle(app)
    tap(app, "USB stick “stick”")
    assert str(stick / "tabularium.db") in words(app.root)
    tap(app, "Save here")
    pictures.settle(app)
    full = f"The disk is full: make room for {stick / 'tabularium.db'}, or save elsewhere."
    assert full in words(app.root) and "Saving …" not in words(app.root)
    tap(app, "Another place")
    app.page.text = "~nobody-here/x.db"
    tap(app, "Done")
    assert any("there is no such home directory" in text for text in words(app.root))
    tap(app, "Not now")
    assert "Another place" in words(app.root)
    app.evening.exports.sticks = app.evening.exports.unwritable = lambda: ()
    app.paint()
    pictures.settle(app)
    assert "No USB stick is plugged in." in words(app.root)
    app.evening.exports.unwritable = lambda: (stick,)
    app.paint()
    pictures.settle(app)
    assert "USB stick “stick” can only be read. Eject it safely from Windows, or unlock it." in words(app.root)
    assert "No USB stick is plugged in." not in words(app.root)
    app.go("end")


def series(app: Any) -> None:
    touch(app, app.page.why)
    tap(app, "Series")
    assert "The series after 2 games" in words(app.root)
    tap(app, "Next game in the series")
    assert app.page.name == "table"
    assert app.match.header.seats == ("blue", "green", "red")


def history(app: Any) -> None:
    """A game of the history is seen, moved through, and cannot be played."""
    app.go("start")
    tap(app, "Menu")
    tap(app, "History")
    before = app.match.log[:], app.match.view
    row = next(line for line in app.page.list.rows if line.parent and line.title.text == "Caesar")
    touch(app, row)
    page = app.page
    assert page.name == "look"
    assert type(page.board) is late(face_of("caesar").board)
    last = page.move
    slide(app, page)
    assert 0 < page.move < last
    for widget in [widget for widget, _ in visible(page.glass) if hasattr(widget, "act")]:
        touch(app, widget)
        assert app.page is page
    tap(app, "Earlier")
    acts = page.move
    assert f"{acts} of {last}" in words(app.root)
    touch(app, page.line)
    assert page.list.parent
    touch(app, next(row for row in page.list.rows if row.parent))
    assert app.page.name == "why" and app.page.found
    tap(app, "Back")
    assert (app.page, page.move, page.listed) == (page, acts, True)
    tap(app, "Table")
    page.move_to(last)
    the_result_of_a_stored_game(app)
    tap(app, "Back")
    assert app.page.name == "history"
    deleted_and_brought_back(app)
    assert (app.match.log[:], app.match.view) == before


def the_result_of_a_stored_game(app: Any) -> None:
    """The table's own control leads to it, and so does the one at the side."""
    pictures.settle(app, 3)
    for control in [one for one in taps(app.root) if one.words.text == "The result"]:
        control._acted = -1.0
        touch(app, control)
        assert app.page.name == "result"
        tap(app, "Back")
        assert app.page.name == "look"


def deleted_and_brought_back(app: Any) -> None:
    """A game leaves the list for one of its own, and comes back."""

    def listed() -> list[Any]:
        pictures.settle(app)
        return [line for line in app.page.list.rows if line.parent]

    before = [line.number for line in listed()]
    assert "Deleted" not in words(app.root)
    row = next(line for line in listed() if line.title.text == "Caesar")
    number = row.number
    touch(app, row.out)
    assert number not in [line.number for line in listed()]
    tap(app, "Deleted")
    (row,) = listed()
    assert row.number == number and not row.out.parent
    touch(app, row.again)
    assert [line.number for line in listed()] == before
    assert "Deleted" not in words(app.root)


def the_table_decides(app: Any) -> None:
    """Words alone by two touches; a purse on its pad, which nobody sees before or after."""
    app.evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
    app.go("menu")
    pictures.settle(app)
    tap(app, "The table decides")
    tap(app, "That does not count.")
    tap(app, "Decide it")
    assert app.page.name == "table" and app.match.log[-1].verb == "decide"
    app.go("decide", words="Red miscounted.")
    pictures.settle(app)
    tap(app, "Something is different …")
    point(app, "seat red")
    touch(app, next(tile for tile in app.page.taps if tile.parent and tile.caption.text == "Red's purse"))
    assert "30" not in words(app.root)
    tap(app, "Red's purse")
    tap(app, "7")
    pad = app.page.pane
    tap(app, "Keep and hide")
    assert app.page.pane is None and pad.parent is None and "7" not in words(app.root)
    tap(app, "Show what will move")
    tap(app, "Decide it")
    assert app.page.name == "table" and app.match.private("red")["chips"] == 7
    app.go("editor", draft=app.match.draft(), done=str, back=str, word="")
    app.page.turn_to(next(part for part in app.page.draft.parts if part.secret))
    app.page.uncover()
    assert "7" in words(app.root)
    app.go("table")
    assert app.pages["editor"].pane is None and not app.pages["editor"].stage.children


def begun_already(app: Any) -> None:
    """A game begun in the middle from the options, paused for another, and continued from the start page."""
    app.go("start")
    tap(app, "New game")
    tap(app, "Caesar")
    tap(app, "Variants …")
    tap(app, "Already begun")
    point(app, "square c3")
    first, second, *_ = app.page.draft.setup.seats
    choose(app, first)
    assert app.page.draft.open["turn"] == second, "whose turn it is follows"
    tap(app, "This lies there")
    tap(app, "Begin here")
    assert app.page.name == "table" and app.match.view["turn"] == second
    board, number = app.match.view["board"], app.match.number
    assert board == {"c3": {"owner": first, "size": 1}}
    begin(app, "Caesar")
    app.go("start")
    pictures.settle(app)
    assert app.page.list.items[0].number == number
    touch(app, app.page.list.rows[0])
    assert app.page.name == "table" and app.match.number == number
    assert app.match.view["board"] == board


def a_full_board(app: Any) -> None:
    """Caesar with five, every square taken: a colour is chosen once and painted, in thirty touches; the first turn
    follows."""
    app.go("start")
    tap(app, "New game")
    tap(app, "Caesar")
    seats = ("red", "blue", "green", "yellow", "purple")
    for seat in seats:
        if seat not in app.page.draft.seats:
            app.page.sit(seat)
    tap(app, "Variants …")
    tap(app, "Already begun")
    touches = 0
    for at, seat in enumerate(seats):
        for row in range(1, 6):
            point(app, f"square {'abcde'[at]}{row}")
            touches += 1
            if row == 1:
                choose(app, seat)
                touches += 1
    board = app.page.draft.open["board"]
    assert [board[f"{column}3"]["owner"] for column in "abcde"] == [*seats] and touches == 30
    assert (app.page.draft.open["phase"], app.page.draft.open["turn"]) == ("turn", app.page.draft.setup.seats[0])
    tap(app, "This lies there")
    tap(app, "Begin here")
    assert app.page.name == "table" and len(app.match.view["board"]) == 25


def board_data(app: Any) -> None:
    """The start page and the menu lead to the board data of one game, and its page to those of the others."""
    for page in ("more", "menu"):
        app.go(page)
        pictures.settle(app)
        tap(app, "Settings")
        tap(app, "Board data")
        assert app.page.name == "prokonsul.data"
        tap(app, "Hannibal gegen Rom")
        assert app.page.name == "hannibal.data"
        tap(app, "Prokonsul")
        assert app.page.name == "prokonsul.data"


def back_to_the_settings(app: Any) -> None:
    """Whatever the settings lead to leads back to them, also by way of a page of its own; from elsewhere it does not."""
    app.services.doctor = list
    for begins, home in (("menu", "table"), ("more", "start")):
        app.go(home)
        for page in ("voice", "hardware", "deck", "prokonsul.data", "about"):
            app.go(begins)
            app.go("settings")
            app.go(page)
            app.page.close()
            assert app.page.name == "settings", page
        app.go("hardware")
        app.go("doctor")
        app.page.close()
        app.page.close()
        assert app.page.name == "settings"
        app.page.close()
        app.go(home)
        app.go("hardware")
        app.page.close()
        assert app.page.name == home


def whose_hand(app: Any) -> None:
    """The hand in the line is that of the first who is awaited, also when the table has turned back and in another game;
    until then it stays with the seat whose button was held."""
    seats = ["red", "blue", "green"]
    for _ in range(2):
        app.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": seats, "reveal": "auto"})
        app.go("table")
        app.act({"event": "pawns", "order": seats})
        app.act({"event": "province", "province": "asia"})
        hand = app.page.hand
        pictures.settle(app)
        assert hand.seat == "red"
        hand.hold("green", True)
        hand.hold("green", False)
        assert hand.seat == "green"
        app.act({"event": "choose", "seat": "blue", "card": "blue 4"})
        pictures.settle(app)
        assert hand.seat == "green"
        app.act({"event": "amend", "act": 2, "as": {"event": "province", "province": "africa"}})
        pictures.settle(app)
        assert hand.seat == "red"
        app.match.turned.put_away()  # the black pawn has been moved
        hand.hold("green", True)
        hand.hold("green", False)
        for card in ("blue 1", "red 12", "green 1"):
            app.act({"event": "choose", "seat": card.split()[0], "card": card})
        pictures.settle(app)
        app.act({"event": "province", "seat": "red", "province": "asia"})
        pictures.settle(app)
        assert hand.seat == hand.flap.shape.seat == "red", "a new round begins with the first again"
        assert hand.flap.name.text == "Red"
        hand.hold("green", True)
        hand.hold("green", False)
        assert hand.seat == hand.flap.shape.seat == "green"
        number = app.match.number
        app.evening.begin({"tabularium": 1, "game": "mercator", "seats": seats})
        app.evening.resume(number)
        app.go("table")
        pictures.settle(app)
        assert app.page.hand.seat == "red", "as after a break"


def slide(app: Any, page: Any) -> None:
    """A finger on the slider's middle."""
    finger = press(app, page.slide)
    release(app, finger)
    pictures.settle(app, 3)


def fists_opened_on_the_screen(app: Any) -> None:
    """Buttons that were all held by one touch are let go when the fists are opened on the screen instead: the next
    auction does not begin with closed fists."""
    app.evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
    app.go("table")
    pictures.settle(app, 5)
    for event in ({"event": "flip", "seat": "red", "card": "red 5"}, {"event": "auction", "seat": "red"}):
        assert app.act(event) == ""
    pictures.settle(app, 5)
    tap(app, "Hold virtual buttons")
    pictures.settle(app, 5)
    assert set(app.match.closed) == {"red", "blue", "green"}
    assert app.act({"event": "reveal"}) == ""
    pictures.settle(app, 5)
    assert not app.match.closed


def main(folder: str) -> None:
    app = pictures.stage(SIZE)
    pictures.settle(app)
    prokonsul(app)
    caesar(app)
    fewer_seats(app)
    export(app, Path(folder))
    elsewhere(app, Path(folder))
    series(app)
    history(app)
    the_table_decides(app)
    begun_already(app)
    a_full_board(app)
    board_data(app)
    back_to_the_settings(app)
    whose_hand(app)
    fists_opened_on_the_screen(app)
    assert taps(app.root)
    print("played")


if __name__ == "__main__":
    main(sys.argv[1])
