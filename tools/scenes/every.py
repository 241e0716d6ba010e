"""The script for pictures and for tests: every page, and every game as its own scenes show it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from companion.dialogues import table_draft
from companion.dialogues.services import Services
from companion.dialogues.table_draft import play, stand
from companion.games import guide_of
from companion.hardware.doctor.hour import STEPS
from companion.hardware.report import CONTENTS
from companion.record.transcript import event_data
from companion.rules import AnyGame, Choose
from companion.rules.message import Message
from companion.rules.readings import Health
from companion.system.service import Machine
from companion.system.updates import Updates
from drivers.hub.faults import AGAIN
from drivers.rc522.package import no_answer
from tools.scenes.checked import checked
from tools.scenes.edited import edited
from tools.scenes.games import scenes_of
from tools.scenes.gone_wrong import gone_wrong
from tools.scenes.heard import heard
from tools.scenes.in_hall import in_hall
from tools.scenes.phones import phones
from tools.scenes.rehearsal import PLAYERS, Rehearsal, pictured
from tools.scenes.updated import updated
from ui.games.face import with_data
from ui.pages.write import layers

if TYPE_CHECKING:
    from companion.dialogues.table_draft import TableDraft
    from ui.page import App


def scenes(app: App, name: str = "", pages: slice = slice(None)) -> Iterator[str]:
    """Yield the name of a picture whenever there is one to take; of the games, play only the one of this `name`.

    `pages` says for which of the games the pages about them are gone through.
    """
    games = [game for game in app.evening.games if name in ("", game.name)]
    yield from before(app)
    for game in games:
        yield from scenes_of(game)(app, game)
    yield from after(app)
    games = games[pages]
    for game in games:
        yield from asked(app, game)
    for game in games:
        yield from edited(app, game)
        yield from checked(app, game)
    for game in games:
        yield from gone_wrong(app, game)
    yield from in_hall(app)


DAMAGED = "{file} was damaged ({error}). It has been kept as {aside}, and a new file started."


def before(app: App) -> Iterator[str]:
    yield from start(app)
    facts = {"file": "/home/pi/.local/share/tabularium/tabularium.sqlite3", "error": Message("file is not a database")}
    app.evening.note = Message(DAMAGED, **facts, aside="tabularium.sqlite3.damaged-20261121-200000")
    app.paint()
    yield "start-damaged"
    app.evening.note = None
    app.go("new")
    yield "new-empty"
    for seat, player in PLAYERS.items():
        app.page.change(_seated(app.page.draft, seat, player))
    yield "new-game"
    draft = app.page.draft
    for game in (game for game in app.evening.games if guide_of(game.name).spare):
        full = play(draft, game)
        app.page.change(stand(full, full.seats[-1]))
        yield f"new-{game.name}-spare"
    app.page.change(draft)
    app.page.name_player("red")
    yield "write"
    for at, _ in enumerate(layers(app.lang)[1:], start=2):
        app.page.next_layer()
        yield f"write-{at}"
    app.go("options", draft=app.pages["new"].draft)
    yield "options"
    for game in app.evening.games:
        yield from options(app, game)
    app.go("more")
    yield "more"
    app.go("rules")
    yield "rules"
    app.go("settings")
    yield "settings"
    for name in with_data([game.name for game in app.evening.games]):
        app.go(f"{name}.data")
        yield f"{name}-data"
    for device in ("reader centre", "button red", "button blue", "button green"):
        app.evening.devices.health[device] = Health(device, True)
    told = Message("{why}. {remedy}", why=no_answer("spidev0.0", 0), remedy=AGAIN)
    app.evening.devices.health["reader centre"] = Health("reader centre", False, told)
    app.go("hardware")
    yield "hardware"
    low = Message("The voltage is too low: use the Pi's own power supply. Until then cards may be missed.")
    app.evening.devices.health["supply"] = Health("supply", False, low)
    app.paint()
    yield "hardware-low"
    app.evening.devices.health.clear()
    yield from first_hour(app)
    yield from power(app)
    yield from updated(app)
    yield from phones(app)
    yield from reported(app)
    app.go("deck")
    yield "deck"
    yield from heard(app)
    app.go("about")
    yield "about"


def start(app: App) -> Iterator[str]:
    """Show the very first page, and the start: nothing waits, with the table that played last, with many games."""
    evening, players = app.evening, dict([*PLAYERS.items()][:4])
    store: Any = evening.store  # one in memory
    chosen, store.settings = store.settings, {}
    app.go("language")
    yield "language"
    store.settings = chosen
    table = {"game": "prokonsul", "seats": [*players], "players": players, "options": {}, "reveal": "fists"}
    waiting, store.pictured = store.pictured, []
    app.go("start")
    yield "start-new"
    evening.regulars.last_table = table
    app.go("start")
    yield "start-again"
    names = [game.name for game in evening.games]
    store.pictured = [pictured(names[day % len(names)], 20 - day) for day in range(6)]
    app.go("start")
    yield "start-unfinished"
    evening.regulars.last_table, store.pictured = None, waiting
    app.go("start")
    yield "start"


def first_hour(app: App) -> Iterator[str]:
    """Show the steps of the first hour, each as it asks and with what was found, and the report."""
    app.pages.pop("hardware")
    app.hour = Rehearsal
    app.services.doctor = tuple
    app.go("hardware")
    yield "hour-hardware"
    app.go("hour")
    page = app.page
    for step in STEPS:
        yield f"hour-{step.name}"
        page.found(page.hour.measure(step))
        app.paint()
        yield f"hour-{step.name}-found"
        page.first.act()
    yield "hour-done"
    app.go("start")
    app.services.doctor = app.hour = None
    for name in ("hardware", "hour"):
        app.pages.pop(name)


def reported(app: App) -> Iterator[str]:
    """Show a report, what is in it and where it was saved, and the way to it, beside all others."""
    names = [name for name in CONTENTS if name != "faults.jsonl"]
    app.services.doctor, app.hour = tuple, Rehearsal
    sizes = (1, 1, 1, 120, 310, 3, 1)  # kB
    app.services.report = lambda: dict(zip(names, (bytes(1000 * size) for size in sizes), strict=True))
    app.services.updates = Updates()
    app.pages.pop("hardware", None)
    app.go("hardware")
    yield "report-hardware"
    app.go("report")
    app.page.dialogue.job.wait()
    app.paint()
    yield "report"
    app.page.dialogue.told(Message("Saved as {file}", file="/media/sda1/tabularium-report-20261201-201500.zip"))
    app.paint()
    yield "report-saved"
    app.services, app.hour = Services(), None
    app.go("start")
    for name in ("hardware", "report"):
        app.pages.pop(name)


def power(app: App) -> Iterator[str]:
    """Show switching off: on a laptop, and on a computer that the program may switch off."""
    app.go("power")
    yield "power-quit"
    app.services.machine = Machine(off=lambda: "", restart=lambda: "")
    for page in ("power", "start"):
        app.pages.pop(page)
    app.go("start")
    yield "start-off"
    app.go("power")
    yield "power"
    app.services.machine = Machine()
    for page in ("power", "start"):
        app.pages.pop(page)


def options(app: App, game: AnyGame) -> Iterator[str]:
    """Show a new table of this game, its options, and those that only another makes possible."""
    app.go("new")
    app.page.play(game)
    yield f"new-{game.name}"
    app.go("options", draft=app.page.draft)
    yield f"options-{game.name}"
    for option, value in dict.fromkeys(option.needs for option in game.options if option.needs):
        app.page.choose(option, value)
        yield f"options-{game.name}-{value}"


def asked(app: App, game: AnyGame) -> Iterator[str]:
    """Show a first game: its rules, the set-up, a lesson, what may be done in every phase, and why."""
    seats = list(game.fixed or game.colours[: min(5, game.seats[-1])])
    players = {seat: PLAYERS[seat] for seat in seats}
    app.evening.begin({"tabularium": 1, "game": game.name, "seats": seats, "players": players}, teach=True)
    app.go("rules", game=game)
    yield f"{game.name}-rules"
    app.go("setup")
    yield f"{game.name}-setup"
    while app.page.steps.after:
        app.page.steps.turn_on()
        yield f"{game.name}-setup-{app.page.steps.at + 1}"
    app.go("setup", begins=False)
    yield f"{game.name}-lies"
    app.go("table")
    yield f"{game.name}-lesson"
    robot, seen = Random(5), set()
    while moves := app.match.session.legal():
        phase = app.match.view["phase"]
        if phase not in seen:
            seen.add(phase)
            app.go("now")
            yield f"{game.name}-now-{phase}"
            app.go("table")
            yield f"{game.name}-lesson-{phase}"
        app.act(event_data(robot.choice(moves).pick(robot.choice)))
        app.evening.drain()
        weighed = {ruling.code for ruling in app.match.log[-1].public if {"contest", "conditions"} & set(ruling.facts)}
        if weighed - seen:
            seen |= weighed
            app.go("why")
            yield f"{game.name}-why-{min(weighed)}"
    yield from numbers(app, game)
    yield from gone_back(app, game)


def gone_back(app: App, game: AnyGame) -> Iterator[str]:
    """Show an act in the middle gone back to and amended; then what goes where, until it lies there."""
    app.evening.lessons = None
    acts = app.moment().acts
    middle = next(act for act in acts[len(acts) // 2 :] if not isinstance(act.event, Choose))
    app.go("log")
    yield f"{game.name}-log"
    app.go("log", number=middle.number, ruling=middle.public[0])
    yield f"{game.name}-deed"
    app.go("otherwise", number=middle.number)
    yield f"{game.name}-otherwise"
    for was in reversed(acts):
        amend = {"event": "amend", "act": was.number, "as": {"event": "decide", "words": "As agreed"}}
        found = app.match.preview(amend)
        if found.ok and found.public[0].facts["kept"] and found.public[0].facts["moves"]:
            app.go("back", event=amend)
            yield f"{game.name}-amend"
            break
    app.act({"event": "decide", "words": "The card with the coffee on it counts as a seven"})
    app.act({"event": "undo"})
    app.act({"event": "undo", "to": middle.number})
    app.evening.drain()
    app.go("goes")
    if app.page.name == "goes":  # pieces move in every game that is written down
        yield f"{game.name}-goes"
    app.go("table")
    if not app.upright:  # upright a dock takes the room that ships and pads need beside it
        yield f"{game.name}-table-goes"
    app.match.turned.put_away()
    app.act({"event": "redo"})
    app.evening.drain()
    app.go("undo", stepped=True)
    yield f"{game.name}-redo"
    app.act({"event": "decide", "words": "We shall play this one again"})
    app.evening.drain()
    app.match.turned.put_away()
    app.go("end")
    yield f"{game.name}-end-decided"
    app.page._show_marks()
    yield f"{game.name}-said"


def numbers(app: App, game: AnyGame) -> Iterator[str]:
    """Show every number that this game can be asked about."""
    for word, counted in guide_of(game.name).numbers.items():
        app.go("why", number=(word, app.match.header.seats[0] if counted.by else None))
        yield f"{game.name}-number-{word}"


def _seated(draft: TableDraft, seat: str, player: str) -> TableDraft:

    return table_draft.call(table_draft.sit(draft, seat), seat, player)


def after(app: App) -> Iterator[str]:
    """Show what can be looked at once games have been played."""
    app.go("menu")
    yield "menu-over"
    app.go("end")
    app.page.next_game()
    app.go("start")
    yield "start-after"
    app.go("history")
    yield "history"
    app.page.delete(app.page.rows[0].number)
    app.page.choose("gone")
    yield "history-deleted"
    app.page.bring_back(app.page.rows[0].number)
    last = {row.table["game"]: row.number for row in reversed(app.evening.history()) if row.outcome}
    for game, number in last.items():
        app.go("look", look=app.evening.look(number))
        yield f"look-{game}"
        app.page._show_result()
        yield f"result-{game}"
        app.page.close()
        app.page.move_to(len(app.page.look.receipts) // 2)
        yield f"look-{game}-half"
    app.page.list_rulings()
    yield "look-rulings"
