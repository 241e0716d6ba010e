"""Asks the table everything it may be asked, by finger, in a window: `python -m tests.ui.windows.window_asking`. Ends with 0 if all
went well."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from companion import games
from companion.games import guide_of
from companion.games.spartacus import guide, prompts
from companion.record.transcript import event_data
from companion.rules.readings import Health, Press
from tests.support import toy_guide
from tests.support.states import travel
from tests.ui.windows.window_geometry import visible
from tests.ui.windows.window_play import SIZE, press, release, swipe, tap, taps, touch
from tools import pictures
from ui.app import CALL, ESCAPE
from ui.pages import answer_items
from ui.pages.why_page import LinkRow
from ui.table import frame
from ui.widgets.annotations import asked, asks, seen
from ui.widgets.text import Text


def words(root: Any) -> set[str]:
    return {widget.text for widget, _ in visible(root) if isinstance(widget, Text)}


def showing(root: Any, text: str) -> Any:
    """The one piece of text that says this."""
    (found,) = [widget for widget, _ in visible(root) if isinstance(widget, Text) and widget.text == text]
    return found


def act(app: Any, verb: str, seat: str, **event: Any) -> None:
    assert app.act({"event": verb, "seat": seat, **event}) == ""
    pictures.settle(app, 3)


def a_first_game(app: Any) -> None:
    """From the start page, with help: the set-up, then each lesson beside its seat until it is put away."""
    tap(app, "New game")
    tap(app, "Spartacus")
    for colour in ("Red", "Blue", "Green"):
        tap(app, colour)
    tap(app, "Begin, with help")
    assert app.page.name == "setup"
    assert {"Take few tricks.", "Red: ten cards.\nBlue: ten cards.\nGreen: ten cards."} <= words(app.root)
    tap(app, "All laid out: begin")
    assert app.page.name == "table"
    assert "Red, lead!" in words(app.root)
    page = app.page
    assert page.lesson.parent is page.slot and page.hand.parent is page.said, "a lesson leaves the line to the hand"
    act(app, "play", "red", card="red 9")
    assert "Red, lead!" not in words(app.root), "it has been done"
    assert "Play below that." in words(app.root)
    touch(app, page.lesson)
    assert "Who passes is out." in words(app.root)
    act(app, "play", "blue", card="blue 8")
    for seat, rank in (("green", 7), ("red", 6), ("blue", 5), ("green", 4), ("red", 3), ("blue", 2)):
        act(app, "play", seat, card=f"{seat} {rank}")
        assert page.hand.parent is page.said, "where the board is full, a lesson waits"
    for _ in range(7):
        assert app.act({"event": "undo"}) == ""
    pictures.settle(app, 3)
    tap(app, "All in place")
    tap(app, "Menu")
    tap(app, "Lessons: on")
    tap(app, "Continue")
    assert not app.page.lesson.parent
    tap(app, "Menu")
    tap(app, "Set-up")
    assert {"Set-up", "Red", "10 cards"} <= words(app.root) and "Lay this out, 1 of 1" not in words(app.root)
    tap(app, "Continue")
    tap(app, "Menu")
    assert not app.page.teach.chosen
    tap(app, "Lessons: off")
    assert app.page.teach.chosen
    tap(app, "Continue")
    assert "Who passes is out." not in words(app.root)  # it has been told


def a_press_that_answers(app: Any) -> None:
    """While Blue's button is down the screen shows what letting go means; then the ruling is back."""
    app.evening.devices.inbox.put(Press("blue", True, 1000))
    pictures.settle(app, 3)
    assert {"yes", "no"} <= words(app.page.press)
    assert app.page.press.parent and not app.page.hand.parent
    app.evening.devices.inbox.put(Press("blue", False, 1100))
    pictures.settle(app, 3)
    assert app.page.hand.parent and not app.page.press.parent
    assert app.match.view["passed"] == ["blue"]


def a_refusal_stays(app: Any) -> None:
    """What was refused stands in the line until a touch or the next act; the hand comes back then."""
    page = app.page
    ends: list[Callable[[], object]] = [
        partial(touch, app, page.line), partial(touch, app, page.band), partial(act, app, "pass", "green")
    ]  # fmt: skip
    for end in ends:
        assert app.act({"event": "play", "seat": "green", "card": "blue 9"})
        pictures.settle(app, 3)
        assert page.line.parent and not page._put_off.is_triggered, "no clock takes it away"
        end()
        pictures.settle(app, 3)
        assert page.hand.parent or app.match.log[-1].ok
    assert app.act({"event": "undo"}) == ""
    pictures.settle(app, 3)
    tap(app, "All in place")


def what_now(app: Any) -> None:
    tap(app, "Help")
    assert {"Green: play a card.", "Press: yes · hold for half a second: no"} <= words(app.root)
    swipe(app, showing(app.root, "S-5"), 50)
    assert app.page.name == "now", "a swipe asks nothing"
    app.page.flow.turn_to(0)
    pictures.settle(app, 3)
    touch(app, showing(app.root, "S-5"))  # a clause leads to the rules, and back
    assert app.page.name == "rules"
    assert "S-5" in words(app.root) and "S-1" not in words(app.root)
    tap(app, "Back")
    assert app.page.name == "now"
    tap(app, "Back")


def why(app: Any) -> None:
    """A trick that is taken: the reason first, then the chain, of which every link can be opened."""
    act(app, "play", "green", card="green 7")
    act(app, "pass", "red")
    tap(app, "Why?")
    assert app.page.name == "why"
    text = app.page.flow.items[0].text
    row = next(widget for widget, _ in visible(app.root) if isinstance(widget, LinkRow) and not widget.item.chosen)
    other = row.item.text
    touch(app, row)
    assert app.page.flow.items[0].text == other != text
    tap(app, "Back")
    assert app.page.name == "table"


def a_number(app: Any) -> None:
    """The number under a finger opens the page for itself, unless a control is there."""
    board = app.page.board
    number = asks(board.caption, "cards", "red")
    assert asked(app.page, number.center) == ("cards", "red")
    assert asked(app.page, (number.x - SIZE[0], number.y)) is None
    touch(app, number)
    assert app.page.name == "why"
    assert app.page.head.text == "Where Red's cards went"
    tap(app, "Back")
    tile = next(each for each in app.page.rail.tiles if each.figure.about)
    touch(app, tile.figure)
    assert app.page.name == "why" and app.page.number == tile.figure.about
    tap(app, "Back")
    touch(app, tile.shape)
    assert app.page.name == "table"  # all else of a tile is its seat's
    asks(number, "")
    touch(app, number)
    assert app.page.name == "table"
    menu = next(widget for widget in taps(app.page) if widget.words.text == "Menu")
    asks(menu.words, "cards", "red")
    release(app, press(app, menu))
    pictures.settle(app, 3)
    assert app.page.name == "menu"  # a control is a control
    asks(menu.words, "")


def rules(app: Any) -> None:
    """From the menu those of the game that is played, from the start page any; a heading leads to its section."""
    tap(app, "Rules")
    assert app.page.head.text == "Rules: Spartacus"
    tap(app, "Back")
    assert app.page.name == "menu"
    app.go("start")
    tap(app, "Menu")
    tap(app, "Rules")
    tap(app, "Mercator")
    tap(app, "The end")
    assert "The end" in words(app.page.flow) and "M-1" not in words(app.root)
    tap(app, "Back")
    assert app.page.head.text == "Rules: which game?"
    tap(app, "Back")
    assert app.page.name == "more"


def every_number(app: Any) -> None:
    """Wherever a number stands on a board and its plates, a finger finds how it came about."""
    met = set[str]()
    for name in games.NAMES:
        header, events, _ = travel(name, games.game(name).seats[0], dict(games.game(name).defaults))
        table = {"seats": list(header.seats), "options": dict(header.options), "board": header.board}
        app.evening.begin({"tabularium": 1, "game": name, **table})
        for at, event in enumerate(events):
            assert not app.act(event_data(event)), event
            app.evening.drain()
            if at % (len(events) // 4) == 0:
                met |= numbers(app)
        if name != "hannibal":  # which is won or lost, without a score
            the_final_table(app)
    assert met >= {
        "lot",
        "cargo",
        "pile",
        "chips",
        "total",
        "target",
        "row",
        "worth",
        "cards",
        "duel",
        "battle",
        "regions",
    }, met


def the_final_table(app: Any) -> None:
    """Why the game ended as it did: each score leads to what it is made of, and back."""
    over = next(ruling for ruling in app.match.log[-1].public if ruling.code == "over")
    for at in range(len(app.match.header.seats)):
        app.go("why", ruling=over)
        pictures.settle(app, 3)
        numbers = guide_of(app.match.game.name).numbers
        number = [each for each in seen(app.page, "about") if each.about[0] in numbers][at]
        heading = answer_items.title(app.moment(), number.about)
        touch(app, number)
        assert app.page.head.text == heading
        tap(app, "Back")
        assert app.page.name == "why" and app.page.ruling is over


def numbers(app: Any) -> set[str]:
    """The numbers that can be asked about now, each touched."""
    app.go("table")
    pictures.settle(app, 3)
    shown = {widget.about: widget for widget in seen(app.page, "about")}
    for about, widget in shown.items():
        assert asked(app.page, widget.center) == about
        app.page.tell(*about)
        pictures.settle(app, 2)
        assert app.page.name == "why"
        assert words(app.root) > {"Back", app.page.head.text}, (about, words(app.root))
        app.go("table")
    return {word for word, _ in shown}


def the_key_that_leads_back(app: Any) -> None:
    """Escape does what Back does, and nothing where there is no Back."""
    app.go("log")
    pictures.settle(app, 3)
    for name in ("table", "table"):
        app.pressed(ESCAPE)
        assert app.page.name == name


def the_key_that_lets_phones_join(app: Any) -> None:
    """F2 means the same everywhere, also on a dark screen: somebody who does not see it has no other way."""
    before = app.services.phones
    done: list[str] = []
    app.services.phones = SimpleNamespace(start=partial(done.append, "start"), read_aloud=partial(done.append, "read"))
    app.blank._darken()
    assert app.pressed(CALL) and app.pressed(CALL) and done == ["start", "read"], "a held key repeats"
    app.let_go(CALL)
    assert app.pressed(CALL) and len(done) == 4
    app.let_go(CALL)
    app.services.phones = before
    app.blank.stir()


def at_rest(app: Any) -> None:
    """A table rests where nobody does anything, also a virtual one; a touch brings it back and does nothing else, and
    so does any news. The table does not rest after a refusal, or where the setting is off."""
    dock, app.dock = app.dock, None
    app.pages.pop("table", None)
    app.evening.begin({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]})
    app.go("table")
    pictures.settle(app)
    app.page._turn_to_rest()
    assert app.page.name == "rest" and "Red" in words(app.root)
    acts = len(app.match.log)
    touch(app, app.page)
    assert app.page.name == "table" and len(app.match.log) == acts
    app.page._turn_to_rest()
    act(app, "play", "red", card="red 9")
    assert app.page.name == "table", "something is new"
    app.page._turn_to_rest()
    assert app.page.name == "rest" and {"Blue", "9"} <= words(app.root)
    app.rebuild()
    assert app.page.name == "table", "another size of the window"
    app.page._turn_to_rest()
    app.evening.devices.health["button blue"] = Health("button blue", False)
    app.paint()
    assert app.page.name == "table", "a device is ill"
    app.evening.devices.health.clear()
    app.act({"event": "play", "seat": "blue", "card": "blue 10"})
    pictures.settle(app, 3)
    app.page._turn_to_rest()
    assert app.page.name == "table", "something was refused"
    act(app, "play", "blue", card="blue 7")
    app.settings.choose("rest", "off")
    app.page._turn_to_rest()
    assert app.page.name == "table"
    app.go("settings")
    app.settings.choose("rest", "on")
    assert app.page.name == "rest", "the setting shows it"
    touch(app, app.page)
    assert app.page.name == "settings"
    app.dock = dock
    app.pages.pop("table")


def at_rest_on_a_virtual_table(app: Any) -> None:
    """A virtual table rests in time, though it is painted again meanwhile, and says whose move it is and how it
    stands."""
    from kivy.metrics import dp

    app.go("table")
    pictures.settle(app)
    before = app.page._idle.timeout
    assert app.page.hand.parent
    app.paint()
    assert app.page._idle.timeout == before and app.page._idle.is_triggered, "nothing is new: it rests in time"
    app.page._turn_to_rest()
    assert app.page.name == "rest"
    pictures.settle(app)
    whose = app.page.whose
    tall = whose.shapes[0].top - whose.name.y
    assert tall >= 250 * dp(1), "the awaited player is seen from across the room"
    figures = {tile.figure for tile in frame.rail(app.moment())}
    assert figures <= words(app.page.standing), "how it stands"
    app.go("table")


def why_on_a_lesson(app: Any) -> None:
    """Beside a lesson, Why leads to the rule that it cites, and Back to the lesson."""
    dock, app.dock = app.dock, None
    app.pages.pop("table")
    app.evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]}, teach=True)
    app.go("table")
    pictures.settle(app, 3)
    assert app.page.lesson.parent is app.page.said
    tap(app, "Why?")
    assert app.page.name == "rules" and "M-3" in words(app.root)
    tap(app, "Back")
    assert app.page.name == "table" and app.page.lesson.parent is app.page.said
    app.dock = dock
    app.pages.pop("table")


def main() -> None:
    app = pictures.stage(SIZE)
    pictures.settle(app)
    real, guide.GUIDE, prompts.PROMPTS = (guide.GUIDE, prompts.PROMPTS), toy_guide.small(), toy_guide.prompts()
    for part in (a_first_game, a_press_that_answers, a_refusal_stays, what_now, why, a_number, rules):
        part(app)
    guide.GUIDE, prompts.PROMPTS = real
    every_number(app)
    the_key_that_leads_back(app)
    the_key_that_lets_phones_join(app)
    why_on_a_lesson(app)
    at_rest(app)
    at_rest_on_a_virtual_table(app)
    print("played")


if __name__ == "__main__":
    main()
