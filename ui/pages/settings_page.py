"""Settings: what is chosen once and for more than a game, a row each; below them the pages that lead further."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.rules import N_
from companion.rules.words import LANGUAGES
from ui import theme
from ui.fonts import japanese
from ui.page import Sheet
from ui.pages.start_page import DATA, turn
from ui.slots import BETWEEN
from ui.theme import Step
from ui.widgets.box import wide
from ui.widgets.icon import Sign
from ui.widgets.pages import Paged
from ui.widgets.tap import Tap
from ui.widgets.text import Backdrop, Text

LEADS = (
    (N_("Voice"), "voice"),
    (N_("Hardware"), "hardware"),
    (N_("Deck"), "deck"),
    (N_("Board data"), DATA),
    (N_("Save elsewhere"), "save"),
    (N_("About"), "about"),
)
"""The pages that settings lead to."""
ROW = 52
"""How high a setting is, in dp."""
NO_FONT = N_("No font with Japanese characters is installed: sudo apt install fonts-ipafont-gothic")
MOST = 3
"""Among how many values a setting chooses at most."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is chosen, among what, and what is chosen now; `choose` is told the value."""

    name: str
    values: Sequence[tuple[str, str]]
    """Each with its words."""
    now: str
    choose: Callable[[str], object]
    sign: str = ""
    """What tells whoever cannot read the language which setting it is."""


class SettingRow(BoxLayout):
    """A setting and its values side by side; or two pages that it leads to."""

    def __init__(self, upright: bool) -> None:
        super().__init__(spacing=dp(BETWEEN), padding=(dp(theme.PAD), dp(1), 0, dp(1)))
        self.back = Backdrop(self, theme.now.panel)
        self.sign, self.name = wide(Sign("", 2), 30), Text(most=Step.TEXT)
        self.taps = [wide(Tap("", most=Step.TEXT), theme.either(96, 104) if upright else 136) for _ in range(MOST)]

    def show(self, item: Setting | Sequence[Tap]) -> None:
        parts = self._setting(item) if isinstance(item, Setting) else list(item)
        self.back.paint(theme.now.panel if isinstance(item, Setting) else None)
        self.padding = (dp(theme.PAD), dp(1), 0, dp(1)) if isinstance(item, Setting) else (0, dp(1))
        if self.children[::-1] != parts:
            self.clear_widgets()
            for part in parts:
                if part.parent:
                    part.parent.remove_widget(part)
                self.add_widget(part)

    def _setting(self, item: Setting) -> list[BoxLayout]:
        self.name.show(item.name)
        self.sign.show(item.sign, theme.now.ink)
        for tap, (value, words) in zip(self.taps, item.values, strict=False):
            tap.show(words, chosen=value == item.now)
            tap.act = partial(item.choose, value)
            font = japanese() if words == LANGUAGES["ja"] else None
            if font:
                tap.words.font_name = str(font)
            elif words == LANGUAGES["ja"]:
                tap.words.show("Japanese")
        return [*([self.sign] if item.sign else []), self.name, *self.taps[: len(item.values)]]


class SettingsPage(Sheet):
    """Language by its own name, text, light, the seats' side, motion and rest; then whatever has a page of its own."""

    title = N_("Settings")

    def fill(self) -> None:
        self.list = Paged(partial(SettingRow, self.app.upright), self.say, ROW)
        self.leads = [Tap(self.say(text), partial(turn, self.app, page), most=Step.TEXT) for text, page in LEADS]
        self.body.add_widget(self.list)

    def show(self) -> None:
        abreast = 2 if self.app.upright else 3
        leads = [self.leads[at : at + abreast] for at in range(0, len(self.leads), abreast)]
        self.list.show([*self.settings(), *leads])

    def settings(self) -> Sequence[Setting]:
        """Every setting that is made here."""
        say, app = self.say, self.app
        onoff = [("on", say(N_("on"))), ("off", say(N_("off")))]
        sizes = [("normal", say(N_("Normal"))), ("large", say(N_("Large")))]
        looks = [("light", say(N_("never"))), ("evening", say(N_("in the evening"))), ("dark", say(N_("always")))]
        return [
            Setting("" if japanese() else say(NO_FONT), list(LANGUAGES.items()), app.lang, self._speak, "globe"),
            Setting(say(N_("Text")), sizes, app.text, self._size),
            Setting(say(N_("Dark screen")), looks, app.look, self._look),
            Setting(say(N_("The first seat")), [("left", say(N_("left"))), ("right", say(N_("right")))],
                    "right" if app.screen.first_seat_side == "right" else "left", self._side),
            Setting(say(N_("Motion")), onoff, "on" if app.moves else "off", self._move),
            *self._at_rest(onoff),
        ]  # fmt: skip

    def _at_rest(self, onoff: Sequence[tuple[str, str]]) -> Iterator[Setting]:
        """Yield the setting where it does something: a virtual table is played on the screen, which never rests."""
        if self.app.dock is None:
            yield Setting(self.say(N_("Table at rest")), onoff, "on" if self.app.rests else "off", self._rest)

    def _speak(self, lang: str) -> None:
        self.app.evening.lang = lang
        self.app.rebuild()

    def _size(self, text: str) -> None:
        self.app.text = text
        self.app.rebuild()

    def _look(self, look: str) -> None:
        self.app.look = look
        self.app.rebuild()

    def _side(self, side: str) -> None:
        self.app.screen = replace(self.app.screen, first_seat_side=side)
        self.app.evening.store.keep("side", side)
        self.app.rebuild()

    def _move(self, to: str) -> None:
        self.app.moves = to == "on"
        self.show()

    def _rest(self, to: str) -> None:
        self.app.rests = to == "on"
        self.show()

    def close(self) -> None:
        self.app.go("menu" if self.app.home == "table" else self.app.home)
