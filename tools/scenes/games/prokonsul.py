"""Pictures of Prokonsul: a round with everything around it, each way of negotiating, a short game to its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.play.equipment import Equipment
from companion.rules import AnyGame
from companion.rules.message import Message
from companion.rules.readings import Health
from tools.scenes.games.any import at_rest
from tools.scenes.rehearsal import PLAYERS

HEADER = {"tabularium": 1, "game": "prokonsul", "seats": list(PLAYERS), "players": PLAYERS}
FULL = "The disk is full: make room for {file}, or save elsewhere."


def scenes(app: Any, _: AnyGame) -> Iterator[str]:
    """Show every phase, every pad, and the pages that are turned to from the table."""
    app.evening.begin(HEADER)
    app.go("table")
    yield from first_round(app)
    yield from around(app)
    yield from two_way(app)
    yield from free(app)
    yield from last(app)


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
    away = Message("Hub {hub} is not connected. Retrying automatically; until then play on the screen.", hub="A")
    for device in ("hub A", "box red", "box blue"):
        app.evening.devices.health[device] = Health(device, False, away)
    app.paint()
    yield "unplugged"
    app.evening.devices.health.clear()
    app.go("choose", seat="yellow")
    yield "cover"
    app.page.uncover()
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
    yield from at_rest(app, "prokonsul")
    app.go("prokonsul.offer", to="green")
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


def around(app: Any) -> Iterator[str]:
    app.go("why")
    yield "why"
    app.go("log")
    yield "log"
    app.go("undo")
    yield "undo"
    app.go("menu")
    yield "menu"
    sticks = app.evening.exports.sticks
    app.evening.exports.sticks = lambda: (Path("/media/pi/USB DISK"), Path("/media/pi/GAMES"))
    app.go("save")
    yield "save"
    app.page.choose("USB stick {name}")
    yield "save-sure"
    app.go("where", save=lambda _: None, back="menu", link="https:" + 1_100 * "x")
    yield "where"
    app.evening.exports.sticks = sticks
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
    """Play a table of three players, a reader each."""
    everybody, app.dock.readers = app.dock.readers, ("centre", "red", "blue", "green")
    shared, app.evening.devices.equipment = app.evening.devices.equipment, Equipment(app.dock.readers, PLAYERS)
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
    app.dock.readers, app.evening.devices.equipment = everybody, shared


def free(app: Any) -> Iterator[str]:
    app.evening.begin({**HEADER, "options": {"negotiation": "free", "no_decision": True}, "reveal": "auto"})
    app.go("table")
    app.act({"event": "province", "province": "asia"})
    _choose(app, {"red": 9, "blue": 9, "green": 5, "yellow": 7, "purple": 12})
    yield "negotiating"
    app.go("prokonsul.coalition")
    for seat in ("red", "purple"):
        app.page._toggle_member(seat)
    yield "coalition"
    app.go("prokonsul.transfer")
    yield "transfer"


def last(app: Any) -> Iterator[str]:
    app.evening.begin({**HEADER, "options": {"game": "short", "negotiation": "free"}, "reveal": "auto"})
    app.go("table")
    provinces = list(app.moment().view["provinces"])
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


def _choose(app: Any, ranks: Mapping[str, int]) -> None:
    for seat, rank in ranks.items():
        app.act({"event": "choose", "seat": seat, "card": f"{seat} {rank}"})
