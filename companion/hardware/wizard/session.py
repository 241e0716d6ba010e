"""The set-up session: the devices it listens to, the walk so far, and the resulting file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from companion.hardware.doctor.search_findings import SearchResults
from companion.hardware.settings import Settings
from companion.hardware.wizard import _plan as plan
from companion.hardware.wizard import place
from companion.hardware.wizard.text import text
from companion.hardware.wizard.walk import Walk
from companion.rules.message import Message
from companion.rules.readings import Health, Press, Reading
from companion.rules.words import message
from companion.system.inbox import Inbox
from companion.system.logs import trace, writing

log = writing("set up")

Word = Press | Reading | Health


class WizardListener(Protocol):
    def close(self) -> None: ...


class WizardHardware(Protocol):
    """The place that is searched and listened to."""

    def look(self) -> SearchResults: ...
    def listen(self, found: SearchResults, put: Callable[[Word], object]) -> WizardListener: ...


class WizardSession:
    """One set-up session.

    `path` is the file it writes, None for a rehearsal, which writes none; `base` what was set before, and `fresh` says
    that nothing was: then the screen is set too. `window` says that there is one, whose keys can be heard.
    """

    def __init__(
        self,
        ground: WizardHardware,
        base: Settings,
        path: Path | None,
        fresh: bool = True,
        wake: Callable[[], object] = lambda: None,
        *,
        window: bool = False,
    ) -> None:
        self.path, self.walk = path, Walk(SearchResults())
        self.looked = False
        self._ground, self._base, self._fresh, self._window = ground, base, fresh, window
        self.inbox: Inbox[Word] = Inbox(wake)
        self._listening: WizardListener | None = None

    def look(self) -> None:
        """Search for devices, which takes a while, and restart the questions. Nothing is listened to meanwhile."""
        self.close()
        try:
            found = self._ground.look()
        except Exception as error:  # a device may disappear at any point, and the page waits for a result
            log.error("the search ended early\n%s", trace(error))
            found = SearchResults(fault=Message("A device was unplugged during the search: look again."))
        found = replace(found, window=self._window and bool(found.denied))
        self.walk = Walk(plan.without(found, self._base.power))
        self.looked = True

    def listen(self) -> None:
        """Start to listen to the devices; harmless a second time."""
        if not self._listening:
            self._listening = self._ground.listen(self.walk.found, self.inbox.put)

    def drain(self) -> bool:
        """Process what the devices have reported; return whether anything has changed."""
        before = self.walk
        while self.inbox.qsize():
            self.walk = self.walk.hear(self.inbox.get_nowait())
        return self.walk is not before

    def close(self) -> None:
        """Release all devices; harmless a second time."""
        listening, self._listening = self._listening, None
        if listening:
            listening.close()

    # -- what comes of it ----------------------------------------------------------------------------------------

    def settings(self, lang: str) -> Settings:
        base = replace(self._base, language=lang)  # type: ignore[arg-type]
        found, answers = self.walk.found, self.walk.answers
        return plan.settings(found, answers, plan.shown(found, base) if self._fresh else base)

    def text(self, lang: str) -> str:
        return text(self.settings(lang), self.walk.found)

    def drawing(self, lang: str) -> str:
        """Return the wiring as a drawing (SVG); "" where nothing is wired or plugged in."""
        from companion.hardware.wiring import drawing

        made = self.settings(lang)
        wired = made.readers or made.hubs or made.controllers or any(of.button or of.lamp for of in made.seats.values())
        return drawing(made, partial(message, lang=lang)) if wired else ""

    def write(self, lang: str) -> Path | None:
        """Write the file; return where the previous one is now, None if there was none. Raises OSError."""
        assert self.path, "a rehearsal writes nothing"
        return place.save(self.path, self.text(lang))
