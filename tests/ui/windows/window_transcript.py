"""Plays a transcript on the screen in a separate window: `python -m tests.ui.windows.window_transcript TRANSCRIPT STORE`.

Its hardware lines go through virtual tags and fists, the drivers and the queue, with the transcript's own times;
its event lines are done by finger. Prints the resulting journal.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cli.virtual import VirtualDock
from companion.play.evening import Evening
from companion.play.lamps import lit
from companion.play.match import Match
from companion.record.store import Store
from companion.record.transcript import parse
from companion.rules.cards import DECK, PAWNS
from companion.rules.readings import Press, Reading
from drivers.buttons import RELEASE_MS
from drivers.virtual.rig import VirtualRig
from tests.support.playing import match_of


class ScriptPlayer:
    """Acts line by line; each once the one before has been heard, written and shown."""

    def __init__(self, transcript: Path, store: Path) -> None:
        texts = transcript.read_text(encoding="utf-8").splitlines()
        self.header, *self.lines = [parse(text) for text in texts if text and not text.startswith("#")]
        self.store = Store(store)
        tags = {tag: DECK[card] for tag, card in self.header["tags"].items()}
        self.evening = Evening(self.store, tags)
        self.t = 0
        self.heard: list[Any] = []
        self.rig = VirtualRig(PAWNS, self._hear, clock=lambda: self.t)
        self.dock = VirtualDock(self.rig, {str(card): tag for tag, card in tags.items()})
        self.evening.begin(self.header)

    @property
    def match(self) -> Match:
        return match_of(self.evening)

    def _hear(self, word: Any) -> None:
        self.evening.devices.inbox.put(word)
        self.heard.append(word)

    def play(self) -> Iterator[None]:
        """Yields until the next line may be done."""
        for line in self.lines:
            done, word = len(self.match.log), self._do(line)
            while word is not None and word not in self.heard:
                yield
            while (
                self.evening.devices.inbox.qsize()
                or self.evening.waiting
                or (word is None and len(self.match.log) == done)
            ):
                yield
            yield  # a frame with it on the screen

    def _do(self, line: dict[str, Any]) -> Any:
        """Does what a line says; returns the word of the hardware to wait for."""
        if "event" in line:
            assert all(receipt.ok for receipt in self.match.act(line))
            return None
        self.t = line["t"]
        if "reader" in line:
            reader, tag, present = line["reader"], line["tag"], line["present"]
            (self.dock.lay if present else self.dock.lift)(reader, tag)
            return Reading(reader, tag, present, self.t)
        seat, t = line["button"], self.t
        (self.dock.hold if line["down"] else self.dock.let_go)(seat)
        self.t = t + RELEASE_MS  # a release is certain only then
        return Press(seat, line["down"], t)


def main(transcript: Path, store: Path) -> None:
    from ui import window

    window.configure(window.read({"width": 800, "height": 480}))
    from kivy.clock import Clock
    from kivy.config import Config

    from ui.app import TableApp

    Config.set("graphics", "maxfps", "0")  # nobody watches: no pause between frames
    player = ScriptPlayer(transcript, store)
    app = TableApp(player.evening, player.dock)
    player.evening.port.subscribe(lit(player.rig.show))
    steps = player.play()

    def step(_: float) -> None:
        if app.page.name != "table":
            app.go("table")
        if next(steps, "over") == "over":
            app.stop()

    Clock.schedule_interval(step, 0)
    app.run()
    player.rig.close()
    lines = [(event, by) for event, by, _ in player.store.load(1).events]
    player.store.close()
    print(json.dumps({"events": lines, "view": player.match.view, "lamps": len(player.heard)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
