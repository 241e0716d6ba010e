"""Every situation in which something goes wrong, in a window: `python -m tests.ui.windows.window_wrong WIDTH HEIGHT [GAME …]`.
Ends with 0 if all went well.

Cards are laid on a reader and buttons are held; from there on all is done by finger: the table's control, the row, its
way, and what is asked there. At the end once more through the virtual table's own chip and pins.
"""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from companion.play.equipment import Equipment
from companion.rules.cards import PAWNS
from companion.rules.readings import Reading
from tests.support.mistake_cases import CASES, MOMENTS, OWN, Case, Event, Start
from tests.support.tables import times
from tests.ui.windows import window_play as ui_play
from tests.ui.windows.window_games import card, controls, digits, frame, says, shows, touch
from tests.ui.windows.window_geometry import visible
from tests.ui.windows.window_play import settled
from tools import pictures
from ui.games.parts.actions import Action
from ui.pages.mistakes_page import MistakeRow


def begun(app: Any, start: Start) -> None:
    """The game up to where it goes wrong."""
    seats = ["blue", "red"] if start.game == "hannibal" else ["red", "blue", "green"]
    app.evening.devices.equipment = Equipment() if start.finger else Equipment(("centre",), PAWNS)
    app.evening.begin({"tabularium": 1, "game": start.game, "seats": seats})
    app.go("table")
    for step in start.steps:
        match step:
            case str():
                lay(app, step)
            case (seat, int(ms)):
                app.dock.hold(seat)
                app.dock.t += ms
                app.dock.let_go(seat)
            case _:
                assert all(receipt.ok for receipt in app.match.act(step)), step
        app.evening.drain()
    if start.late is not None:
        open_late(app, start.late)
    frame(app)


def lay(app: Any, name: str) -> None:
    """A card that is laid on the reader and lifted again; of a deck that has it, or not."""
    if tag := app.dock.deck.get(name):
        app.dock.lay("centre", tag)
        app.dock.lift("centre", tag)
    else:
        for present in (True, False):
            app.evening.devices.inbox.put(Reading("centre", name, present, app.dock.t))


def open_late(app: Any, late: Any) -> None:
    """All fists are held, and let go one after the other."""
    seats = sorted(app.match.fists, key=lambda seat: late.get(seat, 0))
    for seat in seats:
        app.dock.hold(seat)
    app.evening.drain()
    for seat in seats:
        app.dock.t += late.get(seat, 0)
        app.dock.let_go(seat)
    app.evening.drain()


def row(app: Any, key: str) -> Any:
    """The page with the row of this key chosen, wherever in the list it stands."""
    while True:
        for one in [one for one, _ in visible(app.page) if isinstance(one, MistakeRow)]:
            if one.item and one.item.key == key:
                if app.page.chosen != key:
                    touch(app, one)
                return app.page
        touch(app, says(app, "Down"))


def taken(app: Any, case: Case) -> None:
    """By finger: the control on the table, the row's way."""
    touch(app, says(app, "Mistake"))
    found = row(app, case.key)
    (way,) = [tap for tap in found.taps if tap.parent and case.touched in (tap.words.text, tap.shape.seat)][:1]
    touch(app, way)


def entered(app: Any, then: Event | None) -> None:
    """What is asked on the pages that follow, until the table is there again."""
    for _ in range(12):
        frame(app)
        match app.page.name:
            case "table":
                return
            case "otherwise":
                assert then
                touch(app, one_of(app, then))
            case "choose":
                assert then
                if shows(app, mine := f"I am {then['seat'].capitalize()}: show my cards"):  # unless it lay open
                    touch(app, says(app, mine))
                card(app, then["card"])
            case "act":
                assert then
                answer(app, then[app.page.asked.key])
            case "back":
                touch(app, app.page.take)
            case "decide":
                touch(app, app.page.done)
            case "goes":
                touch(app, app.page.lies)
    raise AssertionError(app.page.name)


def one_of(app: Any, then: Event) -> Any:
    """The control of that act among all that could be done then."""
    for tap in controls(app):
        match tap.act:
            case partial(args=(Action() as action, _)) if action.verb == then["event"]:
                if all(then.get(key) == value for key, value in action.picked.items()):
                    return tap
    raise AssertionError(then)


def answer(app: Any, value: Any) -> None:
    """One question of the pad for any act."""
    kind = app.page.asked.kind
    if kind == "card":
        touch(app, app.page.faces[value])
    elif kind == "chips":
        digits(app, value)
        touch(app, says(app, "This many"))
    elif kind == "seat":
        touch(app, next(tap for tap in app.page.seats.taps if tap.parent and tap.shape.seat == value))
    else:
        touch(app, next(one for one in controls(app) if isinstance(one.act, partial) and value in one.act.args))


def leaving(app: Any, game: str) -> None:
    """From the menu: somebody has to leave, the others play on, and somebody is back."""
    begun(app, Start(game, MOMENTS[game]))
    seat = app.match.view["waiting"][-1]
    away(app, "leaves", seat)
    plate = next(tile for tile in app.page.rail.tiles if tile.shape.seat == seat)
    assert plate.name.text == f"({seat.capitalize()})" and plate.status.text.startswith("away")
    if app.moment().choosing:
        touch(app, plate)
        card(app, str(app.match.private(seat)["hand"][0]))
        assert seat in app.match.view["chosen"]
    away(app, "returns", seat)
    assert plate.name.text == seat.capitalize() and not app.match.absent


def away(app: Any, key: str, seat: str) -> None:
    listed(app)
    touch(app, next(tap for tap in row(app, key).taps if tap.parent and tap.shape.seat == seat))
    assert app.page.name == "decide"
    touch(app, says(app, "Decide it"))
    frame(app)
    assert app.page.name == "table"


def listed(app: Any) -> None:
    """The list."""
    touch(app, says(app, "Mistake"))


def own(app: Any, game: str, key: str) -> None:
    """A purse or a hand is looked at by its owner, behind the cover, and put right."""
    begun(app, Start(game, MOMENTS[game]))
    before = dict(app.match.private("red"))
    listed(app)
    touch(app, next(tap for tap in row(app, key).taps if tap.parent and tap.shape.seat == "red"))
    assert app.page.name == "editor" and app.page.pane is None, "behind its cover"
    touch(app, says(app, "Red's purse" if key == "chips" else "Red's hand"))
    if key == "chips":
        touch(app, says(app, "7"))
    touch(app, says(app, "Keep and hide"))
    told = app.page.comes.text
    assert told.startswith("To be decided:") and "as Red has entered it." in told
    touch(app, says(app, "Decide it"))
    assert app.page.name == "table" and app.match.log[-1].verb == "decide"
    assert app.match.private("red") == {**before, **({"chips": 7} if key == "chips" else {})}
    if key == "chips":
        corrected(app)
    else:
        app.go("otherwise", number=app.match.session.accepted)
        assert app.page.name == "write", "nothing has changed but the words"


def bid_in_the_log(app: Any) -> None:
    """A bid is corrected from its line at once; the line of the outcome leads to all bids for the lot."""
    bids = [{"event": "bid", "seat": seat, "chips": 2} for seat in ("red", "blue", "green")]
    begun(app, Start("mercator", (
        {"event": "flip", "seat": "red", "card": "green 4"}, {"event": "auction", "seat": "red"}, {"event": "reveal"},
        *bids,
    )))  # fmt: skip
    acts = app.moment().acts
    for number, ruling, page in ((acts[-3].number, 0, "act"), (acts[-1].number, 1, "otherwise")):
        (act,) = [act for act in acts if act.number == number]
        app.go("log", number=number, ruling=act.public[ruling])
        frame(app)
        touch(app, says(app, "Correct"))
        assert app.page.name == page, (app.page.name, page)
    app.go("log")
    frame(app)
    fold = next(entry for entry, _ in app.page.list.items if entry.folded)
    app.page.choose(fold)
    frame(app)
    chosen = app.page.chosen
    assert chosen.act is fold.act and any(entry == chosen for entry, lit in app.page.list.seen if lit)
    for words, name in (("Go back to here", "back"), ("Check", "check")):
        touch(app, says(app, words))
        assert app.page.name == name
        app.page.close()
        frame(app)
        assert (app.page.name, app.page.chosen) == ("log", chosen)
    app.go("table")


def corrected(app: Any) -> None:
    """The number that the decision changed is corrected where it was entered: on its owner's pad, from the log."""
    number = app.match.session.accepted
    app.go("otherwise", number=number)
    frame(app)
    touch(app, says(app, "What it changed"))
    touch(app, says(app, "Red's purse"))
    touch(app, says(app, "8"))
    touch(app, says(app, "Keep and hide"))
    touch(app, says(app, "Correct it"))
    frame(app)
    assert (app.page.name, app.match.private("red")["chips"]) == ("log", 8)
    app.go("otherwise", number=number)
    frame(app)
    touch(app, says(app, "The words"))
    touch(app, says(app, "Done"))
    assert app.page.name == "back" and not app.page.possible
    assert [item.text for item in app.page.flow.items] == ["That is what was entered."]
    app.go("table")


def through_the_chip(app: Any) -> None:
    """The virtual table's own reader and buttons: a pass that nobody entered, and a button pressed by mistake."""
    from companion.cli.virtual import VirtualDock
    from drivers.virtual.rig import VirtualRig

    hand, app.dock = app.dock, None
    rig = VirtualRig(PAWNS, app.evening.devices.inbox.put)
    try:
        app.dock = VirtualDock(rig, hand.deck)
        app.pages.pop("table")
        begun(app, Start("spartacus", ()))
        put(app, "red 9", lambda: app.match.view["turn"] == "blue")
        put(app, "green 4", lambda: not app.match.log[-1].ok)
        touch(app, says(app, "Mistake"))
        touch(app, next(tap for tap in row(app, "refused").taps if tap.parent and tap.words.text == "Pass"))
        put(app, "green 4", lambda: len(app.match.view["trick"]) == 2)
        app.dock.hold("red")
        settled(app, lambda: "red" in app.match.closed)
        app.dock.let_go("red")
        settled(app, lambda: app.match.log[-1].verb == "pass" and app.match.log[-1].by == "button")
        touch(app, says(app, "Mistake"))
        touch(app, next(tap for tap in row(app, "button").taps if tap.parent and tap.words.text == "Undo"))
        entered(app, None)
        assert app.match.view["turn"] == "red" and len(app.match.view["trick"]) == 2
    finally:
        rig.close()
        app.dock = hand
        app.pages.pop("table")


def put(app: Any, name: str, heard: Callable[[], bool]) -> None:
    """A card on the real driver's reader until it is heard."""
    app.dock.lay("centre", app.dock.deck[name])
    settled(app, heard)
    app.dock.lift("centre", app.dock.deck[name])
    settled(app, lambda: not app.match.lying)


def main(wide: str = "800", high: str = "480", *names: str) -> None:
    ui_play.SIZE = int(wide), int(high)
    app = pictures.stage(ui_play.SIZE)
    frame(app)
    for case in CASES[:: times(3, 1)]:
        if case.start.game in (names or [case.start.game]):
            begun(app, case.start)
            taken(app, case)
            entered(app, case.then)
            assert case.after(app.match), (str(case), app.match.view)
    for game in names or MOMENTS:
        leaving(app, game)
    for game, key in OWN:
        own(app, game, key)
    bid_in_the_log(app)
    through_the_chip(app)
    print("played")


if __name__ == "__main__":
    main(*sys.argv[1:])
