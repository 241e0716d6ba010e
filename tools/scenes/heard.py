"""Pictures of a table with a voice, and of a seat with an ear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.dialogues.voice import NIGHT
from companion.rules.message import Message
from companion.rules.readings import Health
from tools.scenes.rehearsal import PLAYERS, some_way_on, voice

if TYPE_CHECKING:
    from ui.page import App

EAR = "red"


def heard(app: App) -> Iterator[str]:
    """Show the page of the voice without one and with one, who sits where, and the table, heard and muted."""
    before = app.services.voice
    app.services.voice = None
    app.pages.pop("voice", None)
    app.go("voice")
    yield "voice-none"
    app.services.voice = voice(EAR, "blue")
    app.pages.pop("voice")
    lost = Message("Plug in the earphone again: until then this ear is silent.")
    app.evening.devices.health["ear blue"] = Health("ear blue", False, lost)
    app.go("voice")
    yield "voice"
    app.services.voice.choose(replace(app.services.voice.choices, muted=True, quiet=NIGHT))
    app.paint()
    yield "voice-muted"
    app.evening.devices.health.clear()
    app.evening.ears = (EAR,)
    app.go("new")
    yield "new-ear"
    some_way_on(app, next(game for game in app.evening.games if game.sealed and game.owned), len(PLAYERS))
    app.go("table")
    yield "voice-table-muted"
    app.services.voice.choose(replace(app.services.voice.choices, muted=False))
    app.paint()
    yield "voice-table"
    app.go("now")
    yield "voice-now"
    app.go("menu")
    yield "voice-menu"
    app.evening.ears, app.services.voice = (), before
    app.pages.pop("voice")
    app.evening.match = None
    app.go("start")
