"""A player with one earphone and one button, who finds everything by what is said, in any language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from companion.dialogues.services import Services
from companion.ear import AudioSeatFactory
from companion.play.evening import Evening
from companion.play.table import LONG_MS, NO_MS
from companion.record.store import Store
from companion.rules.line import Line
from companion.rules.readings import Press, Reading
from companion.rules.speech import Explained
from companion.rules.words import catalogue
from companion.voice.live import Live
from tests.support.evenings import settle
from tests.support.mouths import Mouths

SHORT, HELD, LONG = 90, NO_MS + 100, LONG_MS + 100
MANY = 120
"""Presses after which a search fails."""


class OneEar:
    """An evening on disk, without a screen and with a silent loudspeaker; red wears the ear."""

    def __init__(self, folder: Path, lang: str = "en") -> None:
        self.store = Store(folder / "tabularium.sqlite3")
        self.t = 0
        self.services = Services()
        ears = AudioSeatFactory(lambda: self.services)
        self.evening = Evening(self.store, lang=lang, reveal="auto", clock=lambda: self.t, listening=ears)
        self.evening.ears = ("red",)
        self.live = self.services.voice = Live(self.store, lambda: self.evening.lang)
        self.mouths = Mouths()
        self.live.open(self.mouths)
        self.evening.be_heard(self.live)
        self.heard: list[str] = []
        """All that was said into the ear."""

    def close(self) -> None:
        self.store.close()

    def settle(self) -> list[str]:
        """Wait until everything is on disk and shown; return what is newly heard."""
        settle(self.evening)
        lines: Sequence[Line] = self.mouths.take()
        assert all(line.to in (None, "red") and (line.to or not line.say) for line in lines), (
            "the loudspeaker is silent"
        )
        said = [line.say for line in lines if line.to == "red" and line.say]
        self.heard += said
        return said

    def press(self, ms: int = SHORT) -> list[str]:
        self.t += 5_000
        for down, t in ((True, self.t), (False, self.t + ms)):
            self.evening.devices.inbox.put(Press("red", down, t))
        self.t += ms
        return self.settle()

    def lay(self, tag: str) -> list[str]:
        """Lay a card on the reader and take it off; return what is heard."""
        self.t += 3_000
        for there, t in ((True, self.t), (False, self.t + 1_000)):
            self.evening.devices.inbox.put(Reading("centre", tag, there, t))
        self.t += 1_000
        return self.settle()

    def step_to(self, text: str, **facts: str) -> str:
        """Press short until this is heard, unless it was heard last; return what was said.

        Raises AssertionError after `MANY` presses.
        """
        wanted = self.sounds_like(text, **facts)
        said = self.heard[-1:]
        if said and wanted.fullmatch(said[-1]):
            return said[-1]
        for _ in range(MANY):
            said += self.press()
            if said and wanted.fullmatch(said[-1]):
                return said[-1]
        raise AssertionError((wanted.pattern, list(dict.fromkeys(said))))

    def take(self, text: str, **facts: str) -> list[str]:
        """Step to this entry and hold the button; return what is heard of it."""
        self.step_to(text, **facts)
        return self.press(HELD)

    def home(self) -> list[str]:
        return self.press(LONG)

    def sounds_like(self, text: str, **facts: str) -> re.Pattern[str]:
        """Return a pattern of how such a template can sound, with these facts or any, explained or not."""
        if isinstance(text, Explained):
            short, full = self.sounds_like(str(text), **facts), self.sounds_like(text.full, **facts)
            return re.compile(f"{short.pattern}|{full.pattern}", re.IGNORECASE)
        said = re.split(r"\{(\w+)(?::\w+)?\}", catalogue(self.evening.lang)(text).replace("：", "。"))
        parts = [re.escape(part) if at % 2 == 0 else re.escape(facts[part]) if part in facts else ".+"
                 for at, part in enumerate(said)]  # fmt: skip
        return re.compile("".join(parts), re.IGNORECASE)
