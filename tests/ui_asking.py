"""Asks the table everything it may be asked, by finger, in a window: `python -m tests.ui_asking`. Ends with 0 if all
went well."""

from typing import Any

from companion.guide import guide_of
from tests.ui_play import SIZE, release
from ui import pictures


def touch_at(app: Any, pos: tuple[float, float]) -> None:
    """A finger on a place of the window, where no widget is meant."""
    from kivy.uix.widget import Widget

    release(app, press_at(app, Widget(center=pos)))
    pictures.settle(app, 3)


def press_at(app: Any, widget: Any) -> Any:
    from tests.ui_play import press

    return press(app, widget)


def begin(app: Any, game: str, **table: Any) -> None:
    seats = ["red", "blue", "green"]
    app.evening.begin({"tabularium": 1, "game": game, "seats": seats, **table})
    app.go("table")
    pictures.settle(app, 3)


def act(app: Any, **event: Any) -> None:
    assert app.act(event) == ""
    pictures.settle(app, 3)


def a_number(app: Any) -> None:
    """The number under a finger opens the page for itself; a control beside it is still a control."""
    from ui.widgets.asked import asked, asks

    begin(app, "spartacus")
    act(app, event="play", seat="red", card="red 7")
    board = app.page.board
    word = next(iter(guide_of("spartacus").numbers), "points")
    asks(board, word, "red")
    assert asked(app.page.middle, board.center) == (word, "red")
    asks(board, "")
    assert asked(app.page.middle, board.center) is None


def main() -> None:
    app = pictures.stage(SIZE)
    pictures.settle(app)
    for part in (a_number,):
        part(app)


if __name__ == "__main__":
    main()
