"""The real table compared by finger, and what explains a difference: `python -m tests.ui.windows.window_checking`. Ends with 0 if all
went well."""

from typing import Any

from tests.support.timeouts import waiting
from tests.ui.windows.window_geometry import visible
from tests.ui.windows.window_play import SIZE, choose, point, tap, taps, touch
from tests.ui.windows.window_sitting import words
from tools import pictures
from ui.widgets.annotations import seen as shown
from ui.widgets.tap import Touchable

SEATS = ["red", "blue", "green"]


def begin(app: Any, *squares: str) -> None:
    """A game of Caesar with a counter on each of these squares, set in turn."""
    app.evening.begin({"tabularium": 1, "game": "caesar", "seats": SEATS})
    app.go("table")
    for at, square in enumerate(squares):
        assert not app.act({"event": "place", "seat": SEATS[at % 3], "square": square})
    pictures.settle(app)


def look(app: Any) -> None:
    """From the menu to the board's side of the table."""
    app.go("menu")
    pictures.settle(app)
    tap(app, "Check the table")
    assert app.page.name == "check"


def lies(app: Any, square: str, whose: str) -> None:
    """On that square stands this player's counter."""
    point(app, f"square {square}")
    choose(app, whose)
    tap(app, "This lies there")
    assert app.page.name == "explain"
    for _ in waiting(lambda: app.page.done):
        pictures.settle(app, 1)
    pictures.settle(app)


def reasons(app: Any) -> list[Any]:
    return [widget for widget, _ in visible(app.root) if type(widget).__name__ == "ReasonRow"]


def all_of_it_does(app: Any) -> None:
    """Where all is well it is one touch."""
    begin(app, "a1", "b2")
    look(app)
    tap(app, "Everything is right")
    assert app.page.name == "table"


def seat_by_seat(app: Any) -> None:
    """A touch on a seat's tile asks about what it has; one more says that all of it is right."""
    begin(app, "a1", "b2")
    look(app)
    for seat in SEATS:
        point(app, f"seat {seat}")
        assert any(text.startswith("hand\n10 cards") for text in words(app.root))
        tap(app, "All correct")
    assert app.page.checked.agreed == {*SEATS}
    tap(app, "Everything is right")
    assert app.page.name == "table"


def an_act_that_was_not_reported(app: Any) -> None:
    begin(app, "a1", "b2")
    look(app)
    lies(app, "c3", "green")
    first = reasons(app)[0]
    assert first.kind.text == "Never entered" and first.text.text.startswith("Green places a counter on c3")
    touch(app, first)
    assert app.match.view["board"]["c3"]["owner"] == "green"
    assert app.page.name == "check" and not app.page.checked.said


def an_act_that_was_reported_wrongly(app: Any) -> None:
    """Two places differ, one act explains both; looked at first, then so, and nothing is left to be carried."""
    begin(app, "a1", "b2", "c3")
    look(app)
    lies(app, "b2", "none")
    tap(app, "Something else is different")
    lies(app, "d4", "blue")
    first = reasons(app)[0]
    assert first.kind.text == "Reported wrongly"
    touch(app, first)
    assert app.page.name == "back" and "b2" in app.match.view["board"], "nothing is done yet"
    tap(app, "Correct it")
    assert app.page.name == "check" and set(app.match.view["board"]) == {"a1", "d4", "c3"}
    assert not app.match.turned.goes.moves, "it lies there already"
    tap(app, "Everything is right")


def a_place_is_marked_once(app: Any) -> None:
    """What differs has one edge and its names, and no button of the table can be seen under it."""
    app.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": SEATS, "reveal": "auto"})
    app.act({"event": "pawns", "order": SEATS})
    app.act({"event": "province", "province": "asia"})
    for seat, rank in zip(SEATS, (9, 8, 7), strict=True):
        app.act({"event": "choose", "seat": seat, "card": f"{seat} {rank}"})
    app.evening.drain()
    assert app.match.view["phase"] == "pleading"
    look(app)
    point(app, "province asia")
    offers = {one.words.text for one in taps(app.page.said)}
    assert offers == {"Counters on Asia\nthe black pawn", "Governor of Asia\nnobody"}
    checked = app.page.checked.say("province asia", {"red counter": 1}).say("governor asia", {"blue counter": 1})
    app.go("check", checked=checked)
    pictures.settle(app)
    assert [mark.label.text for mark in app.page.board._marks] == ["Counters on Asia · Governor of Asia"]
    seen = [widget for widget, _ in visible(app.page.board.board) if isinstance(widget, Touchable)]
    assert seen and all(any(shown(widget, "lies_at")) for widget in seen)


def the_best_explanation_is_the_first_row(app: Any) -> None:
    begin(app, "a1", "b2", "c3", "d4", "e5")
    look(app)
    lies(app, "b2", "none")
    rows = app.page.flow.items
    assert len(rows) > 1 and rows[0].of is app.page.search.best[0]


def nothing_explains_it(app: Any) -> None:
    """The editor opens with what was said, and the table decides."""
    begin(app, "a1", "b2", "c3")
    look(app)
    lies(app, "a1", "green")
    assert not reasons(app)
    tap(app, "Change it")
    assert app.page.name == "editor"
    assert app.page.draft.open["board"]["a1"] == {"owner": "green", "size": 1}
    point(app, "square c3")
    choose(app, "red")
    tap(app, "This lies there")
    tap(app, "Show what will move")
    tap(app, "Decide it")
    assert app.match.log[-1].verb == "decide" and app.match.view["board"]["a1"]["owner"] == "green"
    assert app.page.name == "check"


def a_card_that_is_asked_for(app: Any) -> None:
    """What nobody may know is asked for on its pad, behind the cover."""
    app.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": SEATS})
    app.act({"event": "pawns", "order": SEATS})
    app.act({"event": "province", "province": "asia"})
    look(app)
    point(app, "seat blue")
    tap(app, "face down\nnothing")
    tap(app, "+")
    tap(app, "This lies there")
    for _ in waiting(lambda: app.page.done):
        pictures.settle(app, 1)
    pictures.settle(app)
    touch(app, next(found for found in reasons(app) if found.text.text == "Blue: Choose a card"))
    tap(app, "I am Blue: show my cards")
    app.go("table")


def after_a_pause(app: Any) -> None:
    """The strip beside the board asks; a touch on it looks, and one touch more puts it away."""
    begin(app, "a1", "b2")
    number = app.match.number
    begin(app)
    app.evening.resume(number)
    app.go("table")
    pictures.settle(app)
    assert app.page.goes.parent
    touch(app, app.page.goes.children[-1])
    assert app.page.name == "check"
    tap(app, "Everything is right")
    assert app.page.name == "table" and not app.page.goes.parent


def main() -> None:
    app = pictures.stage(SIZE)
    pictures.settle(app)
    for step in (
        all_of_it_does,
        seat_by_seat,
        an_act_that_was_not_reported,
        an_act_that_was_reported_wrongly,
        a_place_is_marked_once,
        the_best_explanation_is_the_first_row,
        nothing_explains_it,
        a_card_that_is_asked_for,
        after_a_pause,
    ):
        step(app)
    print("played")


if __name__ == "__main__":
    main()
