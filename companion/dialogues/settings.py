"""Settings: what is chosen once and for more than a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.record.preferences import Keeper, remembered
from companion.rules import N_
from companion.rules.menu import Choice, Dialogue, Do, Entry, Setting
from companion.rules.words import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.play.evening import Evening

LANGUAGE = N_("Language")
NAMES = {"en": N_("English"), "de": N_("German"), "ja": N_("Japanese")}
"""The names of languages in another language."""
ON_OFF = {"on": N_("on"), "off": N_("off")}
SCREEN: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "text": (N_("Text size"), {"normal": N_("normal"), "large": N_("large")}),
    "look": (N_("Dark colours"), {"light": N_("never"), "evening": N_("in the evening"), "dark": N_("always")}),
    "side": (N_("First player’s seat"), {"left": N_("left"), "right": N_("right")}),
    "motion": (N_("Animations"), ON_OFF),
    "rest": (N_("Idle screen"), ON_OFF),
}
"""Settings of the screen, by their key in the store: name and values. The letters' size; light or dark; where the first
seat sits, as seen from the screen; whether pieces are seen moving; whether a table that nobody touches shows what
matters in the largest letters."""


class Appearance:
    """How the screen looks, by key: as it was chosen here, or as `usual` has it. `changed` is told a key."""

    def __init__(self, store: Callable[[], Keeper], usual: Mapping[str, str], changed: Callable[[str], object]) -> None:
        self._store, self._usual, self._changed = store, usual, changed

    def __getitem__(self, key: str) -> str:
        known = SCREEN[key][1]
        return str(remembered(self._store(), key, lambda value: value in known) or self._usual[key])

    def choose(self, key: str, value: str) -> None:
        """Apply a value from now on, and keep it."""
        self._store().keep(key, value)
        self._changed(key)


class SettingsDialogue(Dialogue):
    """The language, and how the screen looks; `rows` are the settings of the screen that do something here."""

    title = N_("Settings")

    def __init__(self, evening: Evening, screen: Appearance, rows: Callable[[], Sequence[str]]) -> None:
        self._evening, self._screen, self._rows = evening, screen, rows

    def menu(self) -> Choice:
        body = [language(self._evening, own=True), *map(self._setting, self._rows())]
        return Choice(None, [], title=self.title, body=body)

    def _setting(self, key: str) -> Setting:
        name, known = SCREEN[key]
        values = [Entry(text, {}, Do(partial(self._choose, key, value))) for value, text in known.items()]
        return Setting(name, values, list(known).index(self._screen[key]))

    def _choose(self, key: str, value: str) -> tuple[()]:
        self._screen.choose(key, value)
        return ()


def language(evening: Evening, own: bool = False) -> Setting:
    """Return the setting for the table's language; on a screen each language has its `own` name."""

    def speak(lang: str) -> tuple[()]:
        evening.lang = lang
        return ()

    values = [
        Entry("{words}" if own else name, {"words": Words(LANGUAGES[lang])} if own else {}, Do(partial(speak, lang)))
        for lang, name in NAMES.items()
    ]
    now = list(NAMES).index(evening.lang) if evening.lang in NAMES else -1
    return Setting(LANGUAGE, values, now, sign="globe")
