"""Plays by mouse and keyboard in a separate window: `python -m tests.ui.windows.window_play`. Ends with 0 if all went well."""

from collections.abc import Callable, Iterator
from math import inf
from threading import Event
from time import monotonic
from typing import Any
from unittest.mock import patch

from tests.support.timeouts import waiting
from tools import pictures
from ui import theme
from ui.table import frame as table

SIZE = (800, 480)


def touch(app: Any, widget: Any) -> None:
    """A finger on the middle of a widget, through the whole tree as Kivy sends it."""
    release(app, press(app, widget))
    pictures.settle(app, 3)


def press(app: Any, widget: Any, to: Any = None) -> Any:
    from kivy.input.providers.mouse import MouseMotionEvent
    from kivy.tests.common import UTMotionEvent

    assert MouseMotionEvent
    x, y = widget.to_window(*widget.center)
    finger = UTMotionEvent("unittest", 1, {"x": x / SIZE[0], "y": y / SIZE[1]})
    finger.scale_for_screen(*SIZE)
    app.shell._turned = -1.0  # a page that has just turned takes no touch; here time stands still
    if isinstance(acted := getattr(widget, "_acted", None), float) and acted != inf:
        widget._acted = -1.0  # nor is the second of two quick touches a ghost
    app._touched()  # as the window says first: whatever moves is where it ends
    finger.grab_exclusive_class = None
    app.shell.dispatch("on_touch_down", finger)
    if to is not None:
        finger.x, finger.y = to.to_window(*to.center)
        finger.pos = finger.x, finger.y
        _grabbed(finger, "on_touch_move")
    return finger


def swipe(app: Any, widget: Any, up: float, right: float = 0) -> None:
    """A finger that goes so many dp up and to the right, from the middle of a widget."""
    from kivy.metrics import dp

    finger = press(app, widget)
    finger.x, finger.y = finger.pos = finger.x + dp(right), finger.y + dp(up)
    app.shell.dispatch("on_touch_move", finger)
    _grabbed(finger, "on_touch_move")
    release(app, finger)
    pictures.settle(app, 3)


def release(app: Any, finger: Any) -> None:
    app.shell.dispatch("on_touch_up", finger)
    _grabbed(finger, "on_touch_up")


def _grabbed(finger: Any, event: str) -> None:
    for held in list(finger.grab_list):
        widget = held()
        if widget:
            finger.grab_current = widget
            widget.dispatch(event, finger)
            finger.grab_current = None


def taps(root: Any) -> Iterator[Any]:
    from tests.ui.windows.window_geometry import visible
    from ui.widgets.spine import SpineSlot
    from ui.widgets.tap import Tap

    yield from (widget for widget, _ in visible(root) if isinstance(widget, Tap | SpineSlot))


def tap(app: Any, words: str) -> None:
    """Touches the button that says this, where it has come to lie; however soon after the last time, it is no ghost."""
    pictures.settle(app, 3)
    while app.page.name in ("back", "undo") and not app.page.read and words not in ("Back", "Done"):
        stepped = getattr(app.page, "stepped", False)
        if stepped and words != "All in place":
            break
        way_on = app.page.done if stepped else app.page.take
        touch(app, way_on)  # to the last leaf: only then it is done
        way_on._acted = -1.0
    found = [widget for widget in taps(app.root) if widget.words.text == words]
    assert len(found) == 1, (words, [widget.words.text for widget in taps(app.root)])
    found[0]._acted = -1.0
    touch(app, found[0])


def point(app: Any, place: str) -> None:
    """A finger on the board, where it shows this place."""
    from ui.widgets.annotations import seen

    app.page.board._acted = -1.0
    touch(app, next(widget for widget in seen(app.page.board, "lies_at") if place in widget.lies_at))


def choose(app: Any, whose: str) -> None:
    """A seat by its shape, or what is called so, in the line or on the page of the place."""
    within = getattr(app.page, "pane", None) or app.page.said
    touch(app, next(one for one in taps(within) if whose in (one.words.text, one.shape.seat)))


def phase(app: Any) -> str:
    return str(app.match.view["phase"])


def new_game(app: Any) -> None:
    """From the start page to the table, by finger alone."""
    tap(app, "New game")
    tap(app, "Prokonsul")
    for colour in ("Red", "Blue", "Green"):
        tap(app, colour)
    tap(app, "Begin as printed")
    assert app.page.name == "table"
    assert phase(app) == "pawns"


def the_row_and_the_province(app: Any) -> None:
    for colour in ("Green", "Red"):  # then the last is known
        tap(app, colour)
    tap(app, "Set this row")
    assert app.match.view["row"] == ["green", "red", "blue"]
    touch(app, app.page.board.provinces.tiles[2])
    assert phase(app) == "choosing"


def cards_through_the_dock(app: Any) -> None:
    hand = app.page.hand
    with patch("ui.table.hand_bar.monotonic", return_value=monotonic()):
        touch(app, hand.cards[8])  # red 9
        assert app.match.view["chosen"] == ["red"]
        assert hand.seat == "blue"
        touch(app, hand.cards[8])
        assert app.match.view["chosen"] == ["red"], "a double tap plays no card of the next player"
    card = hand.cards[7]
    finger = press(app, card, to=hand.plate)  # blue 8 is dragged onto the reader
    release(app, finger)
    pictures.settle(app, 3)
    assert app.match.view["chosen"] == ["red", "blue"]
    assert app.dock.tags_on("centre") == {app.dock.deck["blue 8"]}, "the first one made room"
    assert band(app) == "Green: choose a virtual card below", "nothing has to be taken off by hand"
    touch(app, hand.plate)
    assert not app.dock.tags_on("centre")


def band(app: Any) -> str:
    return str(table.band(app.moment()).sentence)


def a_private_pad(app: Any) -> None:
    """At one's own tile: what everybody knows, and never which card lies there; what it has shown is gone when it
    closes. Behind the cover: one's own hand."""
    from tests.ui.windows.window_geometry import visible
    from ui.widgets.text import Text

    touch(app, app.page.rail.tiles[2])
    pad, seen = app.page, [widget.text for widget, _ in visible(app.root) if isinstance(widget, Text)]
    touch(app, pad.cards[4])  # green 5
    assert app.page.name == "table"
    assert not any(card.face.number.text for card in pad.cards)
    assert not any(card.act for card in pad.cards)
    assert app.match.private("green")["choice"] == "green 5"
    touch(app, app.page.rail.tiles[2])
    edges = {card.face.back.plate._look for card in pad.cards if card.parent}
    assert len(edges) == 1, "none of them is marked"
    assert seen == [widget.text for widget, _ in visible(app.root) if isinstance(widget, Text)]
    app.go("choose", seat="green")
    assert not any("12" in widget.text for widget, _ in visible(app.root) if isinstance(widget, Text))
    tap(app, "I am Green: show my cards")
    touch(app, pad.cards[4])
    assert not any(card.face.number.text for card in pad.cards)


def keyboard(event: str, key: str) -> None:
    from kivy.core.window import Window

    Window.dispatch(event, ord(key), 0, *([key, []] if event == "on_key_down" else []))


def elsewhere(app: Any, held: tuple[str, ...], let_go: str) -> None:
    """Another window takes the keyboard while all fists are closed; one of them is let go of meanwhile. As SDL has it:
    all keys go up before the focus is lost, and those that are held go down again after it is back."""
    from kivy.core.window import Window

    before, seats = app.match.session.accepted, set(app.match.closed)
    for key in (*held, let_go):
        keyboard("on_key_up", key)
    Window._focus = False
    pictures.settle(app, 3)
    assert set(app.match.closed) == seats and app.match.called and app.match.session.accepted == before
    assert "lost the keyboard" in app.evening.devices.health["keyboard"].detail
    Window._focus = True
    for key in held:
        keyboard("on_key_down", key)
    pictures.settle(app, 3)
    assert len(app.match.closed) == len(held) and app.match.session.accepted == before
    assert "keyboard" not in app.evening.devices.health or app.evening.devices.health["keyboard"].well


def fists_by_key(app: Any) -> None:
    """The hand is gone; what holds all buttons stands beside the last ruling."""
    hand = app.page.hand
    assert not hand.parent and hand.act.parent and app.page.line.parent
    for key in ("1", "2", "3"):
        keyboard("on_key_down", key)
        keyboard("on_key_down", key)  # a held key repeats
    pictures.settle(app, 3)
    assert app.match.called
    elsewhere(app, ("1", "2"), "3")
    for key in ("1", "2"):
        keyboard("on_key_up", key)
    pictures.settle(app, 3)
    pictures.settle(app, 3)
    assert phase(app) == "pleading"


def ask(app: Any, held: str) -> None:
    """Touches whom to ask, by what its cards come to."""
    (tile,) = [tile for tile in app.page.board.part.asks if tile.parent and tile.words.text.startswith(held)]
    touch(app, tile)


def an_offer_and_a_ghost(app: Any) -> None:
    assert app.match.view["pleader"] == "red"
    ask(app, "+ 5 =")
    pad = app.page
    more = next(widget for widget in taps(pad) if widget.words.text == "+")
    touch(app, more)
    more._acted = inf  # a moment ago, however long this machine takes
    touch(app, more)
    assert pad.digits.value == 1
    tap(app, "Make the offer")
    assert phase(app) == "answering"
    tap(app, "Yes")
    assert phase(app) == "province"


def undo_over_the_reveal(app: Any) -> None:
    acts = len(app.moment().acts)
    tap(app, "Undo")
    for words in ("Undo", "Undo", "Undo", "Yes, undo it"):
        tap(app, words)
    assert phase(app) == "choosing"
    assert len(app.moment().acts) == acts - 3
    tap(app, "All in place")
    assert app.page.name == "table"


def a_refusal_keeps_the_pad_open(app: Any) -> None:
    for seat in ("red", "blue", "green"):
        app.dock.hold(seat)
    pictures.settle(app, 3)
    for seat in ("red", "blue", "green"):
        app.dock.let_go(seat)
    pictures.settle(app, 3)
    ask(app, "+ 8 =")
    pad = app.page
    pad.digits.put(500)
    tap(app, "Make the offer")
    assert app.page is pad
    assert pad.refused.text.startswith("Red cannot pay 500")
    pad.digits.put(5)
    assert not pad.refused.text  # mended
    tap(app, "Back")


def no_idle_work(app: Any) -> None:
    """An idle table paints nothing."""
    painted: list[str] = []
    app.page.show = lambda: painted.append(app.page.name)
    pictures.settle(app, 20)
    del app.page.show
    assert not painted


def a_cable_is_pulled_and_plugged_in_again(app: Any) -> None:
    """The virtual hub table has a cable a hub to play with."""
    from contextlib import closing

    from drivers.virtual.hub.rig import HubRig

    with closing(HubRig(("red",), app.evening.devices.inbox.put, micropython=False)) as rig:
        app.dock.cables = rig.cables
        app.go("hardware")
        tap(app, "Unplug hub A")
        settled(app, lambda: not seat(app, "red").well)
        tap(app, "Plug in hub A")
        settled(app, lambda: seat(app, "red").well)
    app.go("table")


def settled(app: Any, done: Callable[[], bool]) -> None:
    """Frames go by until it is done, however long this machine takes."""
    for _ in waiting(done):
        Event().wait(0.005)
        pictures.settle(app, 1)


def seat(app: Any, seat: str) -> Any:
    return next(panel for panel in table.rail(app.moment()) if panel.seat == seat)


def nothing_is_drawn_twice_or_in_vain(app: Any) -> None:
    """The same words share their letters, whatever their colour; what has no colour takes no pixels."""
    from ui.widgets.shape import Stroke
    from ui.widgets.text import Backdrop, Text

    texts = [Text("Carthago", size=(200, 40), ink=ink) for ink in (theme.now.ink, theme.now.accent)]
    box, stroke = Backdrop(texts[0], theme.now.panel), Stroke(2)
    pictures.settle(app, 1)
    assert texts[0]._letters.texture is texts[1]._letters.texture
    assert texts[0]._ink.rgba != texts[1]._ink.rgba
    assert box.plate.size == (200, 40)
    box.paint(None)
    assert box.plate.size == (0, 0)
    assert not stroke.children
    stroke.paint(theme.now.accent)
    assert all(line in stroke.children for line in stroke.lines)
    stroke.paint(None)
    assert not stroke.children


def a_card_from_the_game_before(app: Any) -> None:
    """It is named before the first act, and the first touch lifts it; where no card is laid at first, the hand does."""
    for game in ("spartacus", "prokonsul"):
        app.dock.lay("centre", app.dock.deck["red 7"])
        app.evening.drain()
        app.evening.begin({"tabularium": 1, "game": game, "seats": ["red", "blue", "green"]})
        app.go("table")
        pictures.settle(app, 3)
        if game == "spartacus":
            touch(app, app.page.hand.plate)
        assert not app.dock.tags_on("centre") and not app.moment().acts


def deals_at_a_table_that_negotiates_freely(app: Any) -> None:
    """Each control of the negotiations leads to its pad."""
    seats = ["red", "blue", "green"]
    options = {"negotiation": "free"}
    app.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": seats, "options": options, "reveal": "auto"})
    app.go("table")
    app.act({"event": "province", "province": "asia"})
    for at, colour in enumerate(seats):
        app.act({"event": "choose", "seat": colour, "card": f"{colour} {at + 5}"})
    settled(app, lambda: phase(app) == "negotiating")
    for words, pad in (("Name a coalition", "prokonsul.coalition"), ("Hand over chips", "prokonsul.transfer")):
        pictures.settle(app, 3)
        tap(app, words)
        assert app.page.name == pad
        app.go("table")
    app.act({"event": "coalition", "seat": "red", "members": seats})
    the_last_round_stays_until_it_is_touched(app)


def what_the_bank_pays_stays_until_it_has_been_paid(app: Any) -> None:
    """The hand for the last round comes only after a touch, and no clock takes the payment away."""
    seats, options = ["red", "blue", "green"], {"negotiation": "free", "game": "short"}
    app.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": seats, "options": options, "reveal": "auto"})
    app.go("table")
    names = list(app.moment().view["provinces"])
    app.act({"event": "province", "province": names[0]})
    for at in range(1, 7):
        for colour in seats:
            app.act({"event": "choose", "seat": colour, "card": f"{colour} {at}"})
        pictures.settle(app, 3)
        app.act({"event": "coalition", "seat": "red", "members": seats})
        if at < 6:
            app.act({"event": "province", "seat": "red", "province": names[at]})
    settled(app, lambda: phase(app) == "choosing")
    pictures.settle(app, 3)
    page = app.page
    assert "the bank pays 25 + 5 chips" in page.line.text.text
    assert page.line.parent and not page.hand.parent and not page._put_off.is_triggered
    tap(app, "Done")
    assert page.hand.parent and not page.line.parent and not page.done.parent
    app.act({"event": "undo"})
    pictures.settle(app, 3)
    assert page.goes.parent
    app.act({"event": "coalition", "seat": "red", "members": seats})
    pictures.settle(app, 3)
    assert app.page.name == "goes" and phase(app) == "negotiating", "the list comes first"
    tap(app, "All in place")
    assert app.page is page and phase(app) == "choosing"
    assert page.line.parent and page.done.parent and not page.goes.parent
    assert "First do what it says below" in (page.band.who.text, page.band.what.text)


def a_press_before_the_list_was_put_away(app: Any) -> None:
    """Whether the list was carried out before is asked, as nobody but the players can know."""
    seats = ["red", "blue", "green"]
    app.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": seats, "reveal": "auto"})
    app.go("table")
    app.act({"event": "pawns", "order": seats})
    app.act({"event": "province", "province": "asia"})
    for colour, rank in zip(seats, (5, 9, 12), strict=True):
        app.act({"event": "choose", "seat": colour, "card": f"{colour} {rank}"})
    settled(app, lambda: phase(app) == "pleading")
    app.act({"event": "offer", "seat": "green", "to": "red", "chips": 3})
    app.act({"event": "answer", "seat": "red", "accept": True})
    for answer in ("No", "Yes"):
        app.act({"event": "undo"})
        app.match.act({"event": "answer", "seat": "red", "accept": False}, by="button")
        pictures.settle(app, 3)
        assert app.page.goes.text.text.startswith("Did you still do this before? 3 chips from Red to Green")
        tap(app, answer)
        assert bool(app.page.goes.parent) == (answer == "No")
        if answer == "No":
            assert app.page.goes.text.text.startswith("3 chips from Red to Green")
            tap(app, "All in place")
            app.act({"event": "undo"})
            app.act({"event": "answer", "seat": "red", "accept": True})


def the_last_round_stays_until_it_is_touched(app: Any) -> None:
    pictures.settle(app, 3)
    board = app.page.board
    assert board.number.value.text == str(app.match.log[-2].view["target"])
    assert [tile.cards[0].opacity for tile in app.page.rail.tiles] == [1, 1, 1]
    touch(app, board.part.panel)
    pictures.settle(app, 3)
    assert (board.number.value.text, board.number.beside.text) == ("7", "of seven")
    app.go("log")
    app.go("table")
    pictures.settle(app, 3)
    assert board.number.value.text == "7"  # it does not come back
    app.act({"event": "undo"})
    pictures.settle(app, 3)
    assert (phase(app), board.number.value.text) == ("negotiating", str(app.match.view["target"]))


def a_pile_turns_up_its_cards(app: Any) -> None:
    """One touch a card, through the reader; what is taken back is on top again."""
    app.evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
    app.go("table")
    pictures.settle(app, 3)
    tap(app, "Turn a virtual card")
    (first,) = app.match.view["lot"]
    app.act({"event": "undo"})
    pictures.settle(app, 3)
    for _ in range(3):
        tap(app, "Turn a virtual card")
    assert app.match.view["lot"][0] == first and len(set(app.match.view["lot"])) == 3
    assert not app.dock.tags_on("centre"), "each lies on the table once it has been read"
    assert len(app.match.view["lot"]) == 3 and phase(app) == "fists"
    assert "Turn a virtual card" not in [each.words.text for each in taps(app.root)]


def row_of(app: Any, number: int) -> Any:
    """The log's line of that act."""
    return next(line for line in app.page.list.rows if line.parent and line.item.number == number)


def it_was_otherwise(app: Any) -> None:
    """From the log: another card was flipped. Looked at, done, and what goes where until it lies there."""
    first, second, third = app.match.view["lot"]
    other = next(card for card in ("red 1", "red 2", "blue 1", "blue 2") if card not in (first, second, third))
    tap(app, "Log")
    number = next(act.number for act in app.moment().acts if str(getattr(act.event, "card", "")) == second)
    while not [line for line in app.page.list.rows if line.parent and line.item.number == number]:
        tap(app, "Down")
    touch(app, row_of(app, number))
    assert app.page.name == "log" and app.page.chosen.number == number
    tap(app, "Correct")
    if app.page.name == "otherwise":
        tap(app, "Flip a card")
    assert app.page.name == "act" and app.page.faces[second].face.back
    touch(app, app.page.faces[other])
    assert app.page.name == "back" and app.match.view["lot"][1] == second, "nothing is done yet"
    tap(app, "Correct it")
    assert app.match.view["lot"] == [first, other, third]
    assert app.page.name == "table" and not app.page.goes.parent, "the right card has lain there all along"


def leaves_turn_by_finger(app: Any) -> None:
    """Up is on, down is back; no row takes it for a touch."""
    app.go("log")
    pictures.settle(app, 3)
    leaf = app.page.list
    assert leaf.page == 0 and leaf.after
    for way, page in ((50, 1), (-50, 0), (-50, 0)):
        row = next(line for line in leaf.rows if line.parent)
        swipe(app, row, way)
        assert (app.page.name, leaf.page, row.state) == ("log", page, "normal")
    touch(app, leaf.rows[2])
    tap(app, "Down")
    assert app.page.chosen == leaf.rows[0].item, "what stands beside the list is in sight"
    for up, right in ((20, 0), (10, 60)):
        app.go("log")
        pictures.settle(app, 3)
        row = next(line for line in leaf.rows if line.parent)
        row._acted = -1.0
        swipe(app, row, up, right)
        assert app.page.chosen == row.item, "a finger that slips a little, or goes sideways, touches"
    app.go("rules", rule="M-4")
    pictures.settle(app, 3)
    flow = app.page.flow
    first = flow.first
    swipe(app, flow, 50)
    assert app.page.name == "rules" and flow.first > first
    swipe(app, flow, -50)
    assert flow.first == first
    app.go("table")


def back_and_forth(app: Any) -> None:
    """Undo and redo side by side: the one list is empty again once all has come back."""
    lot = app.match.view["lot"]
    for _ in range(3):  # to the page, the correction, and a card
        tap(app, "Undo")
    assert app.match.view["lot"] != lot and app.page.head.text == "Undone"
    undone = app.match.view["lot"]
    tap(app, "Redo")
    assert app.match.view["lot"] != undone and app.page.head.text == "Redone", "redo acts as undo does: at once"
    tap(app, "Undo")
    assert app.match.view["lot"] == undone and app.page.head.text == "Undone"
    tap(app, "Show the table")
    app.go("goes")
    for _ in range(2):
        tap(app, "Redo")
        assert app.page.name == "undo" and app.page.head.text == "Redone"
    assert app.match.view["lot"] == lot
    tap(app, "Done")
    assert app.page.name == "table" and not app.page.goes.parent


def main() -> None:
    app = pictures.stage(SIZE)
    pictures.settle(app)
    for step in (
        new_game,
        the_row_and_the_province,
        cards_through_the_dock,
        a_private_pad,
        fists_by_key,
        an_offer_and_a_ghost,
        undo_over_the_reveal,
        a_refusal_keeps_the_pad_open,
        no_idle_work,
        a_cable_is_pulled_and_plugged_in_again,
        nothing_is_drawn_twice_or_in_vain,
        a_card_from_the_game_before,
        deals_at_a_table_that_negotiates_freely,
        what_the_bank_pays_stays_until_it_has_been_paid,
        a_press_before_the_list_was_put_away,
        a_pile_turns_up_its_cards,
        it_was_otherwise,
        leaves_turn_by_finger,
        back_and_forth,
    ):
        step(app)
    print("played")


if __name__ == "__main__":
    main()
