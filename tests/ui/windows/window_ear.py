"""A table that is heard, in a window: `python -m tests.ui.windows.window_ear`. Ends with 0 if all went well.

Mute and "Again" by finger, the page of the voice; and law 2 for a seat with an ear: whatever its button asks and hears,
the screen and the log show no more than before.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from companion.play.fists import COUNT_MS, HoldTimer
from companion.play.port import Shown
from companion.play.table import LONG_MS, NO_MS
from companion.rules.guide import Known
from companion.rules.menu import Choice, Do, Entry, Note, Setting
from companion.rules.readings import Health
from companion.rules.words import tr
from companion.system.logs import TOP
from companion.voice.choices import Quiet
from companion.voice.telling import Teller
from tests.ui.windows.window_deck import lay
from tests.ui.windows.window_geometry import problems, visible
from tests.ui.windows.window_play import SIZE, tap, touch
from tests.ui.windows.window_secrets import picture
from tests.ui.windows.window_sitting import words
from tools import pictures
from tools.scenes.rehearsal import voice
from ui import pages, theme
from ui.pages import dialogue_page
from ui.pages.dialogue_page import DialoguePage
from ui.pages.setting_row import SettingRow
from ui.table.press_bar import PressBar
from ui.widgets.tap import Tap

SEATS = ["red", "blue", "green"]
PAGES = ("table", "log", "now", "why", "wrong", "undo")


def begin(app: Any, *ears: str, game: str = "prokonsul") -> None:
    app.evening.ears = ears
    app.evening.begin({"tabularium": 1, "game": game, "seats": SEATS, "reveal": "fists"})
    app.go("table")
    if game == "prokonsul":
        app.act({"event": "pawns", "order": SEATS})
        app.act({"event": "province", "province": "sicilia"})
    pictures.settle(app)


# -- by finger ----------------------------------------------------------------------------------------------------


def silence_and_once_more(app: Any) -> None:
    app.services.voice = None
    begin(app)
    app.go("menu")
    assert "Mute" not in words(app.root) and "Say it again" not in words(app.root)
    app.services.voice = heard = voice()
    app.pages.pop("menu")
    app.go("menu")
    pictures.settle(app)
    tap(app, "Say it again")
    assert heard.done == ["again all"]
    touch(app, app.page.mute)
    assert heard.choices.muted and "Muted" in words(app.root) and app.page.again.disabled
    app.page.mute._acted = -1.0  # no ghost
    touch(app, app.page.mute)
    assert not heard.choices.muted and not app.page.again.disabled
    heard.choose(replace(heard.choices, words="off", sounds=False))
    app.paint()
    pictures.settle(app)
    assert not app.page.mute.parent and not app.page.again.parent


def everything_is_chosen(app: Any) -> None:
    app.pages.pop("voice", None)
    app.services.voice = heard = voice("red", "blue")
    app.evening.devices.health["ear blue"] = Health("ear blue", False, "Plug it in.")
    app.go("voice")
    pictures.settle(app)
    assert "Blue's earphone has no sound: Plug it in." in words(app.root)
    tap(app, "brief")
    step(app, "Sounds", "off")
    step(app, "Volume", "−")
    step(app, "Speed", "+")
    step(app, "Quiet hours", "on")
    step(app, "Quiet from", "+")
    c = heard.choices
    assert (c.words, c.sounds, c.volume, c.rate, c.quiet) == ("brief", False, 90, 110, Quiet.read("22:30-07:00"))
    tap(app, "Try it")
    tap(app, "Try Red's earphone")
    assert heard.done == ["test all", "test red"]
    app.evening.devices.health.clear()


def step(app: Any, name: str, control: str) -> None:
    """Touches a control of the setting of this name, on whichever leaf it is."""
    while not (rows := [of for of, _ in visible(app.root) if isinstance(of, SettingRow) and of.name.text == name]):
        tap(app, "Down")
    (found,) = (of for of in rows[0].children if isinstance(of, Tap) and of.words.text == control)
    touch(app, found)
    pictures.settle(app)


def a_deck_by_ear(app: Any) -> None:
    """Nothing is said before it is on disk and shown."""
    app.services.voice = heard = voice()
    app.go("deck", named="Box")
    pictures.settle(app, 2)
    app.evening.store.safe = -1
    lay(app, "04AA00000000FF")
    assert [line.say for line in heard.said] == ["Lay the red one."]
    app.evening.store.safe = 0
    pictures.settle(app, 2)
    touch(app, app.page.undo)
    assert [line.say for line in heard.said[1:]] == [
        "Red one is read.",
        "Lay the red two.",
        "Taken back: red one.",
        "Lay the red one.",
    ]
    assert {line.to for line in heard.said} == {None}
    app.go("deck_check", named="Box")
    pictures.settle(app, 2)
    lay(app, "04AA00000000FE")
    assert [line.say for line in heard.said[-2:]] == [
        "Lay all cards, one after the other.",
        "An unknown tag: put this card aside.",
    ]


# -- by ear -------------------------------------------------------------------------------------------------------


class Ear:
    """What is said into one seat's ear, and its button."""

    def __init__(self, app: Any, seat: str) -> None:
        self.app, self.seat = app, seat
        self.heard: list[str] = []
        self.all: list[str] = []
        header = app.match.header
        self._teller = Teller(header, "en", ears=header.ears)
        self.stop = app.evening.port.subscribe(self._listen)

    def _listen(self, shown: Shown) -> None:
        header = shown.header
        at: Known[Any, Any] = Known(header.seats, header.options, shown.view, shown.derived, (), header.reveal)
        for line in self._teller.tell(shown.receipts, at):
            (self.heard if line.to == self.seat else self.all).append(line.say)

    def press(self, ms: int, meanwhile: Any = lambda: None) -> None:
        self.app.dock.hold(self.seat)
        pictures.settle(self.app, 2)
        meanwhile()
        self.app.dock._later(ms)
        self.app.dock.let_go(self.seat)
        pictures.settle(self.app, 2)

    def take(self, wanted: str) -> None:
        """Steps on until this is heard, and takes it."""
        steps = 0
        while not steps or wanted not in self.heard[-1]:
            assert steps < 40, self.heard
            self.press(90)
            steps += 1
        self.press(NO_MS + 100)


def looks(app: Any) -> Sequence[bytes]:
    """Every page as it is seen now, and the table again."""
    seen = []
    for page in (*PAGES, "table"):
        app.go(page)
        pictures.settle(app, 3)
        seen.append(picture(app))
    return seen


class Notes(logging.Handler):
    """All that the program writes about itself."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        TOP.addHandler(self)
        TOP.setLevel(logging.DEBUG)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def what_an_ear_asks_stays_in_it(app: Any) -> None:
    """It steps through its lists, asks what is going on, and looks round its hand: nothing else changes."""
    begin(app, "red")
    ear, notes = Ear(app, "red"), Notes()
    before, shown, written = looks(app), len(app.match.log), len(notes.lines)

    def held() -> None:
        assert not any(isinstance(widget, PressBar) for widget, _ in visible(app.root))
        assert picture(app) == before[-1]

    for ms in (90, 90, LONG_MS + 100, 90, NO_MS + 50, 90, 90, 90, 90):
        ear.press(ms, held)
        assert picture(app) == before[-1], ear.heard[-1]
    assert len(ear.heard) > 8 and looks(app) == before
    assert len(app.match.log) == shown and len(notes.lines) == written
    ear.stop()


def a_card_chosen_by_ear_is_anybodys_guess(app: Any) -> None:
    """Two cards, taken by one button: the same pictures, and the same words for all."""
    seen: list[Any] = []
    for card in ("two", "nine"):
        begin(app, "red")
        ear = Ear(app, "red")
        ear.take("Choose")
        ear.take(f"{card.title()}.")
        app.evening.drain()
        assert app.match.view["chosen"] == ["red"] and str(app.match.session.acts[-1].event.card) in ("red 2", "red 9")
        assert f"{card.title()}, face down." in ear.heard
        assert not any(card in line.lower() for line in ear.all)
        seen.append((looks(app), ear.all))
        ear.stop()
    assert seen[0] == seen[1]


def the_voice_counts(app: Any) -> None:
    """All hold on until "open" has been said."""
    for seat, card in (("blue", "blue 3"), ("green", "green 4")):
        app.act({"event": "choose", "seat": seat, "card": card})
    for seat in SEATS:
        app.dock.hold(seat)
        pictures.settle(app, 2)
    assert app.match.counts and not app.match.called
    assert "Everybody: hold on until the voice says “open”" in words(app.root) and "Open!" not in words(app.root)
    assert not list(problems(app.root, min(SIZE) / theme.DESIGN))
    app.evening.devices.inbox.put(HoldTimer(app.dock._later(COUNT_MS)))
    pictures.settle(app)
    assert app.match.called and not app.match.counts and "Open!" in words(app.root)
    for seat in SEATS:
        app.dock.let_go(seat)
    pictures.settle(app)
    assert app.match.session.acts[-1].verb == "reveal"


# -- another page -------------------------------------------------------------------------------------------------


class Lamplight:
    """A dialogue that the program does not know."""

    title = "Lamplight"

    def __init__(self) -> None:
        self.on = False

    def begin(self) -> None:
        pass

    def end(self) -> None:
        pass

    def menu(self) -> Choice:
        values = [Entry("bright", {}, Do(partial(self._be, True))), Entry("dim", {}, Do(partial(self._be, False)))]
        body: list[Note | Setting] = [
            Note("Oil is low.", weight="warning"),
            Setting("Wick", values, 0 if self.on else 1),
        ]
        return Choice(None, [Entry("Trim it", {}, Do(partial(self._be, True)))], title=self.title, body=body)

    def _be(self, on: bool) -> tuple[()]:
        self.on = on
        return ()


class LamplightPage(DialoguePage):
    title = Lamplight.title

    def make(self) -> Lamplight:
        return Lamplight()


def another_page_is_a_dialogue_a_name_and_what_leads_there(app: Any) -> None:
    """Screen and ear know nothing else of it; taken away, it is gone."""
    pages.PAGES["lamplight"] = f"{__name__}.{LamplightPage.__name__}"
    before, dialogue_page.LEADS = dialogue_page.LEADS, (*dialogue_page.LEADS, (Lamplight.title, "lamplight"))
    app.pages.pop("settings", None)
    app.go("settings")
    pictures.settle(app)
    tap(app, Lamplight.title)
    pictures.settle(app)
    assert {"Oil is low.", "Wick", "bright", "dim", "Trim it"} <= set(words(app.root))
    tap(app, "bright")
    assert app.page.dialogue.on
    app.page.escape()
    assert app.page.name == "settings", "which led there"
    heard = [tr(of.text, "en", **of.facts) for of in app.pages["lamplight"].dialogue.menu().steps]
    assert heard == ["Oil is low.", "Wick: bright.", "Trim it"]
    del pages.PAGES["lamplight"]
    dialogue_page.LEADS = before
    app.pages.clear()
    app.go("settings")
    assert Lamplight.title not in words(app.root)


def a_language_chosen_by_ear_is_seen_at_once(app: Any) -> None:
    app.go("settings")
    app.evening.lang = "de"
    app.paint()
    pictures.settle(app)
    assert "Einstellungen" in words(app.root) and app.page.name == "settings"
    app.evening.lang = "en"
    app.paint()


def main() -> None:
    app = pictures.stage(SIZE)
    evening: Any = app.evening
    dock: Any = app.dock
    evening._times = replace(evening._times, clock=lambda: dock.t)
    pictures.settle(app)
    silence_and_once_more(app)
    everything_is_chosen(app)
    a_deck_by_ear(app)
    another_page_is_a_dialogue_a_name_and_what_leads_there(app)
    a_language_chosen_by_ear_is_seen_at_once(app)
    app.services.voice = voice("red")
    what_an_ear_asks_stays_in_it(app)
    a_card_chosen_by_ear_is_anybodys_guess(app)
    the_voice_counts(app)
    print("played")


if __name__ == "__main__":
    main()
