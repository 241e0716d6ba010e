"""The script for pictures and for tests: every page of every game, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from companion.message import Message
from companion.table import Health
from companion.transcript import event_data
from ui.rehearsal import HEADER, PLAYERS


def scenes(app: Any) -> Iterator[str]:
    """Yields the name of a picture whenever there is one to take."""
    yield from before(app)
    app.evening.begin(HEADER)
    app.go("table")
    yield from first_round(app)
    yield from around(app)
    yield from two_way(app)
    yield from free(app)
    yield from last(app)
    for game in app.evening.games:
        if game.name != "prokonsul":
            yield from other(app, game)
    yield from after(app)


def before(app: Any) -> Iterator[str]:
    app.go("start")
    yield "start"
    facts = {"file": "/home/pi/.local/share/tabularium/tabularium.sqlite3", "error": "file is not a database"}
    app.evening.note = Message(DAMAGED, **facts, aside="tabularium.sqlite3.damaged-20261121-200000")
    app.paint()
    yield "start-damaged"
    app.evening.note = None
    app.go("new")
    app.page._play(next(game for game in app.evening.games if game.name == "prokonsul"))
    yield "new-empty"
    for seat, player in PLAYERS.items():
        app.page.change(_seated(app.page.draft, seat, player))
    yield "new-game"
    app.page.name_player("red")
    yield "write"
    app.go("rules", draft=app.pages["new"].draft)
    yield "rules"
    app.page.choose("negotiation", "free")
    yield "rules-free"
    for game in app.evening.games:
        app.go("new")
        app.page._play(game)
        yield f"new-{game.name}"
        app.go("rules", draft=app.page.draft)
        yield f"rules-{game.name}"
    app.go("language")
    yield "language"
    app.go("board")
    yield "board"
    for device in ("reader centre", "button red", "button blue", "button green"):
        app.evening.health[device] = Health(device, True)
    told = "No answer on /dev/spidev0.0. Check the ribbon cable and that SPI is on (raspi-config)."
    app.evening.health["reader centre"] = Health("reader centre", False, told)
    app.go("hardware")
    yield "hardware"
    app.go("map")
    yield "map"
    app.page._tap("rome")
    yield "map-rome"
    app.go("deck")
    yield "deck"
    app.go("about")
    yield "about"


def _seated(draft: Any, seat: str, player: str) -> Any:
    from ui.pages import new_game

    return new_game.call(new_game.sit(draft, seat), seat, player)


def first_round(app: Any) -> Iterator[str]:
    act, dock = app.act, app.dock
    yield "pawns"
    act({"event": "pawns", "order": list(PLAYERS)})
    yield "province"
    act({"event": "province", "province": "sicilia"})
    yield "choosing"
    for card in ("red 9", "blue 9", "green 5"):
        dock.lay("centre", dock.deck[card])
    yield "choosing-some"
    app.go("choose", seat="yellow")
    yield "cover"
    app.page._uncover()
    yield "hand"
    app.go("table")
    for card in ("yellow 7", "purple 12"):
        act({"event": "choose", "seat": card.split()[0], "card": card})
    yield "fists"
    for seat in PLAYERS:
        dock.hold(seat)
    yield "open"
    for seat in PLAYERS:
        dock.let_go(seat)
    yield "plea"
    app.go("offer", to="green")
    yield "offer"
    app.go("table")
    promise = "I shall help you in Africa next round, and never stand against you in Asia"
    act({"event": "offer", "seat": "purple", "to": "green", "chips": 3, "promise": promise})
    yield "answer"
    act({"event": "answer", "seat": "green", "accept": True})
    yield "bought"
    for seat in ("red", "blue", "yellow"):
        act({"event": "offer", "seat": "purple", "to": seat, "chips": 2})
        act({"event": "answer", "seat": seat, "accept": False})
    yield "tie"


FULL = "The disk is full: make room for {file}, or save elsewhere."
DAMAGED = "{file} was damaged ({error}); it is kept as {aside}, and a new one was begun."


def around(app: Any) -> Iterator[str]:
    app.go("why")
    yield "why"
    app.go("log")
    yield "log"
    app.go("undo")
    yield "undo"
    app.go("menu")
    yield "menu"
    app.go("save")
    app.page._save()
    yield "save"
    app.go("table")
    app.act({"event": "offer", "seat": "red", "to": "green", "chips": 1})
    yield "refused"
    app.evening.store.trouble = Message(FULL, file="/media/stick/tabularium.sqlite3")
    app.paint()
    yield "trouble"
    app.evening.store.trouble = None
    app.paint()
    app.act({"event": "offer", "seat": "red", "to": "purple", "chips": 9})
    app.act({"event": "answer", "seat": "purple", "accept": True})
    yield "won"


def two_way(app: Any) -> Iterator[str]:
    """Three players, a reader each."""
    everybody, app.dock.readers = app.dock.readers, ("centre", "red", "blue", "green")
    app.dock.on |= {seat: set() for seat in app.dock.readers[1:]}
    seats = list(PLAYERS)[:3]
    table = {"seats": seats, "players": {}, "options": {"negotiation": "two_way"}, "reveal": "auto"}
    app.evening.begin(HEADER | table)
    app.go("table")
    app.act({"event": "pawns", "order": seats})
    app.act({"event": "province", "province": "asia"})
    app.dock.lay("red", app.dock.deck["red 9"])
    yield "three-choosing"
    _choose(app, {"blue": 8, "green": 7})
    yield "three-plea"
    app.act({"event": "offer", "seat": "red", "to": "blue", "chips": 3})
    yield "two-way"
    app.dock.readers = everybody


def free(app: Any) -> Iterator[str]:
    app.evening.begin({**HEADER, "options": {"negotiation": "free", "no_decision": True}, "reveal": "auto"})
    app.go("table")
    app.act({"event": "province", "province": "asia"})
    _choose(app, {"red": 9, "blue": 9, "green": 5, "yellow": 7, "purple": 12})
    yield "negotiating"
    app.go("coalition")
    for seat in ("red", "purple"):
        app.page._member(seat)
    yield "coalition"
    app.go("transfer")
    yield "transfer"


def last(app: Any) -> Iterator[str]:
    app.evening.begin({**HEADER, "options": {"game": "short", "negotiation": "free"}, "reveal": "auto"})
    app.go("table")
    provinces = list(app.evening.view["provinces"])
    app.act({"event": "province", "province": provinces[0]})
    for at, winner in enumerate(("red", "blue", "purple", "red", "green", "blue", "red")):
        _choose(app, dict(zip(PLAYERS, ((seat + at) % 7 + 1 for seat in range(5)), strict=True)))
        app.act({"event": "coalition", "seat": winner, "members": list(PLAYERS)})
        if at == 3:
            yield "half"
        if at < 5:
            app.act({"event": "province", "seat": winner, "province": provinces[at + 1]})
    yield "over"
    app.go("end")
    yield "end"
    app.go("series")
    yield "series"


def other(app: Any, game: Any) -> Iterator[str]:
    """A game that a robot plays by legal acts: a picture of every phase, of each of its pads, and of its end."""
    from ui.games.any.sentences import told

    seats = list(game.fixed or game.colours[: game.seats[-1]])
    players = dict(zip(seats, [*PLAYERS.values(), "Friederike", "Giovanni"], strict=False))
    app.evening.begin({"tabularium": 1, "game": game.name, "seats": seats, "players": players})
    app.go("table")
    yield f"{game.name}-table"
    seed, middle = ROBOT[game.name]
    robot, seen = Random(seed), set()
    while moves := app.evening.session.legal():
        view = app.evening.view
        if view["phase"] not in seen:
            seen.add(view["phase"])
            app.paint()
            yield f"{game.name}-{view['phase']}"
            yield from _pads(app, game.name, told(app.moment()).deeds)
        app.act(event_data(robot.choice(moves).pick(robot.choice)))
        app.evening.drain()
        if len(app.moment().acts) == middle:
            app.paint()
            yield f"{game.name}-middle"
    app.paint()
    yield f"{game.name}-over"
    app.go("end")
    yield f"{game.name}-end"


ROBOT = {"mercator": (20, 155), "spartacus": (30, 36), "caesar": (34, 70), "hannibal": (1, 28)}
"""Seeds of games that show every phase and are soon over, and how many acts lead to a moment with much to see."""


def _pads(app: Any, game: str, deeds: Any) -> Iterator[str]:
    """What is asked by finger now: the first pad of each verb, and the private one behind its cover."""
    for deed in {deed.verb: deed for deed in deeds if not deed.event}.values():
        if deed.verb == "choose":
            app.go("choose", seat=deed.picked["seat"])
            app.page._uncover()
        else:
            app.go("act", verb=deed.verb, picked=deed.picked)
        yield f"{game}-pad-{deed.verb}"
    app.go("table")


def after(app: Any) -> Iterator[str]:
    """What can be looked at once games have been played."""
    app.page._next()
    app.go("start")
    yield "start-after"
    app.go("history")
    yield "history"
    for row in app.evening.history()[1:6]:  # one of each game
        app.go("look", look=app.evening.look(row.number))
        yield f"look-{row.number}"
        app.page._move(len(app.page.look.receipts) // 2)
        yield f"look-{row.number}-half"
    app.page._list()
    yield "look-rulings"


def _choose(app: Any, ranks: Mapping[str, int]) -> None:
    for seat, rank in ranks.items():
        app.act({"event": "choose", "seat": seat, "card": f"{seat} {rank}"})
