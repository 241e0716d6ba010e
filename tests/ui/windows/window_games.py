"""Whole games by touches alone, in a separate window: `python -m tests.ui.windows.window_games WIDTH HEIGHT [GAME …]`.

A robot chooses among the legal acts, and each is done with a finger on what the screen shows. Ends with 0 if every
act became exactly the event the robot meant, up to the end of each game and its page of results.
"""

import sys
from functools import partial
from random import Random
from typing import Any

from companion import games
from companion.play.equipment import Equipment
from companion.record.transcript import event_data
from companion.rules.cards import COLOURS
from tests.ui.windows import window_play as ui_play
from tests.ui.windows.window_geometry import visible
from tools import pictures
from ui.games.parts.actions import Action
from ui.widgets.tap import Touchable

TABLES: dict[str, tuple[str, dict[str, Any], int]] = {
    "mercator": ("red blue black", {}, 2),
    "prokonsul": ("red blue green", {"game": "short"}, 3),
    "spartacus": ("red blue green", {}, 1),
    "caesar": ("red blue green", {}, 34),
    "hannibal": ("blue red", {}, 10),
}
"""Seats, options and a robot whose game is soon over."""


TOUCHES: dict[str, dict[str, int]] = {
    "mercator": {"flip": 2, "auction": 1, "reveal": 1, "bid": 3, "an auction": 6},
    "prokonsul": {"pawns": 3, "province": 1, "choose": 2, "reveal": 1, "offer": 4, "answer": 1, "a plea": 3},
    "spartacus": {"play": 2, "pass": 1},
    "caesar": {"place": 1, "ally": 2, "attack": 2, "choose": 2, "reveal": 1, "pass": 1},
    "hannibal": {"move": 3, "choose": 2, "defend": 1, "an exchange": 4},
}
"""The most touches that an act takes, by game and verb, and the fewest of an auction of three, of a plea and of a
battle's exchange without buttons: none of them rises. A digit of an amount is a touch, too."""
BARE = "hannibal"
"""Played at a table without any devices; the others have readers and buttons."""
touched = [0]


def frame(app: Any) -> None:
    """What follows a touch, without waiting for pieces on their way."""
    from kivy.clock import Clock

    app._tick(0)
    Clock.tick()
    Clock.tick_draw()


def touch(app: Any, widget: Any) -> None:
    touched[0] += 1
    widget._acted = -1.0  # here time stands still: a second touch is meant
    ui_play.release(app, ui_play.press(app, widget))
    frame(app)


def controls(app: Any) -> list[Any]:
    """Everything on the page that a finger can act on now."""
    return [one for one, _ in visible(app.page) if isinstance(one, Touchable) and one.act and not one.disabled]


def shows(app: Any, words: str) -> bool:
    """There is something with these words that can be touched."""
    return any(getattr(one, "words", None) and one.words.text == words for one in controls(app))


def says(app: Any, words: str) -> Any:
    (found,) = [one for one in controls(app) if getattr(one, "words", None) and one.words.text == words]
    return found


def action(app: Any, event: dict[str, Any]) -> Any:
    """The control of this act: of the verb, and of what the control settles."""
    for one in controls(app):
        match one.act:
            case partial(args=(Action() as its,)) if its.verb == event["event"]:
                if all(event.get(key) == value for key, value in its.picked.items()):
                    return one
    raise AssertionError((event, [one.act for one in controls(app)]))


def digits(app: Any, chips: int) -> None:
    for digit in str(chips):
        touch(app, says(app, digit))


def card(app: Any, name: str) -> None:
    """A card on the pad that is open."""
    (face,) = [one for one in controls(app) if (face := getattr(one, "face", None)) and label(face) == name]
    touch(app, face)


def label(face: Any) -> str:
    return f"{face.shape.seat} {face.number.text}"


# -- one act ----------------------------------------------------------------------------------------------------


def choose(app: Any, event: dict[str, Any]) -> None:
    """At the seat's own tile; the next one is passed the screen."""
    if app.page.name == "choose":
        touch(app, says(app, f"I am {event['seat'].capitalize()}: show my cards"))
    else:
        touch(app, app.page.rail.tiles[app.match.header.seats.index(event["seat"])])
    card(app, event["card"])


def places(app: Any, event: dict[str, Any]) -> None:
    """On a drawn board: where it begins, where it leads, and with which piece if there are several."""
    field = app.page.board.field
    for key in ("square", "from", "to"):
        if key in event:
            field._acted.clear()
            touch(app, field.spots[event[key]])
    if getattr(app.page.board, "asked", ()):
        touch(app, action(app, event))


def by_pad(app: Any, event: dict[str, Any]) -> None:
    """A control, and what it leaves to be asked."""
    touch(app, action(app, event))
    if app.page.name == "act" and "card" in event:
        card(app, event["card"])
    elif app.page.name == "act":
        digits(app, event["chips"])
        touch(app, says(app, "This many"))


def amount(app: Any, event: dict[str, Any]) -> None:
    """All amounts are named on one page: a seat, unless it is asked already, and a number."""
    if app.page.name == "table":
        touch(app, action(app, event))
    (line,) = [line for line in app.page.lines if line.parent and line.shape.seat == event["seat"]]
    if app.page.shown.seat != event["seat"]:
        touch(app, line)
    touch(app, says(app, str(event["chips"])))


def pawns(app: Any, event: dict[str, Any]) -> None:
    for seat in event["order"][:-1]:  # then the last is known
        touch(app, says(app, seat.capitalize()))
    touch(app, says(app, "Set this row"))


def province(app: Any, event: dict[str, Any]) -> None:
    (tile,) = [tile for tile in app.page.board.provinces.tiles if tile.id == event["province"]]
    touch(app, tile)


def offer(app: Any, event: dict[str, Any]) -> None:
    touch(app, app.page.rail.tiles[app.match.header.seats.index(event["to"])])
    digits(app, event["chips"])
    touch(app, says(app, "Make the offer"))


def answer(app: Any, event: dict[str, Any]) -> None:
    touch(app, says(app, "Yes" if event["accept"] else "No"))


def reveal(app: Any, event: dict[str, Any]) -> None:
    touch(app, says(app, "Reveal the cards") if app.match.header.game.name != "mercator" else action(app, event))


WAYS: dict[str, Any] = {
    "choose": choose, "place": places, "ally": places, "attack": places, "move": places, "pawns": pawns,
    "province": province, "offer": offer, "answer": answer, "reveal": reveal,
    "bid": amount, "sold": amount,
}  # fmt: skip
"""How each verb is done; any other by its control."""


def play(app: Any, game: str) -> int:
    """A whole game; returns how many acts it took."""
    few = games.game(game).seats[0]
    seats, options, seed = TABLES.get(game, (" ".join(COLOURS[:few]), {}, 1))
    header = {"game": game, "seats": seats.split(), "options": options, "reveal": "auto" if game == BARE else "fists"}
    if game == BARE:
        app.evening.devices.equipment = Equipment()
    app.evening.begin({"tabularium": 1, **header})
    app.go("table")
    frame(app)
    robot, acts, since, counted = Random(seed), 0, 0, dict[str, int]()
    while moves := app.match.session.legal():
        event = event_data(robot.choice(moves).pick(robot.choice))
        while app.page.name == "choose" and event.get("seat") != app.page.seat:  # the screen is passed to this one
            event = event_data(robot.choice(moves).pick(robot.choice))
        touched[0], before = 0, len(app.match.log)
        WAYS.get(event["event"], by_pad)(app, event)
        counted[event["event"]] = max(counted.get(event["event"], 0), touched[0])
        if event["event"] == "offer":
            counted["a plea"] = min(counted.get("a plea", touched[0]), touched[0])
        done, came = app.match.log[before], {ruling.code for act in app.match.log[before:] for ruling in act.public}
        since = {"auction": touched[0], "move": 0}.get(event["event"], since + touched[0])
        for codes, what in (({"sold", "unsold"}, "an auction"), ({"exchange"}, "an exchange")):
            if codes & came and game in ("mercator", BARE):
                counted[what], since = min(counted.get(what, since), since), 0
        assert (done.ok, event_data(done.event)) == (True, event), (event, done)
        amounts = event["event"] == "bid" and app.match.view["phase"] == "bidding"
        passed = game == BARE and event["event"] == "choose" and "exchange" not in came
        assert app.page.name == ("mercator.bids" if amounts else "choose" if passed else "table"), event
        acts += 1
    if game in TOUCHES:
        assert counted == TOUCHES[game], counted
    else:
        print(game, counted)
    if game == "prokonsul":  # how its last round was won stays in sight until it is touched
        touch(app, app.page.board.part.panel)
    touch(app, says(app, "The result"))
    assert app.page.name == "end"
    return acts


def correct_an_answer(app: Any) -> None:
    """A yes was heard as a no, and a no as a yes: four touches until the table shows what is right."""
    seats = TABLES["prokonsul"][0].split()
    app.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": seats, "reveal": "auto"})
    for event in (
        {"event": "pawns", "order": seats},
        {"event": "province", "province": "sicilia"},
        *(
            {"event": "choose", "seat": seat, "card": f"{seat} {rank}"}
            for seat, rank in zip(seats, (9, 5, 4), strict=True)
        ),
        {"event": "offer", "seat": "red", "to": "blue", "chips": 3},
        {"event": "answer", "seat": "blue", "accept": False},
    ):
        app.act(event)
    for phase, now in (("province", "Blue said yes to Red"), ("pleading", "Blue said no to Red")):
        app.go("table")
        frame(app)
        touched[0] = 0
        touch(app, says(app, "Mistake"))
        (row,) = [one for one in controls(app) if getattr(getattr(one, "item", None), "key", "") == "answer"]
        touch(app, row)
        for words in (now, "Correct it"):
            touch(app, says(app, words))
        assert (app.match.view["phase"], touched[0]) == (phase, 4), (app.page.name, touched)


def first_act(app: Any) -> None:
    """From the start to the first act of the next game, with the table that played last: no more than four touches."""
    app.go("start")
    frame(app)
    touched[0] = 0
    touch(app, app.page.last if app.page.last.parent else app.page.again)
    event = event_data(app.match.session.legal()[0].pick(lambda of: of[0]))
    WAYS.get(event["event"], by_pad)(app, event)
    assert app.match.log[-1].ok and touched[0] <= 4, touched


def main(wide: str, high: str, *names: str) -> None:
    ui_play.SIZE = int(wide), int(high)
    app = pictures.stage(ui_play.SIZE)
    frame(app)
    for game in names or TABLES:
        print(game, play(app, game))
        first_act(app)
    if "prokonsul" in (names or TABLES):
        correct_an_answer(app)
    print("played")


if __name__ == "__main__":
    main(*sys.argv[1:])
