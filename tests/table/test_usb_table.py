"""A table without soldering, from the box to the end of a game: the real pcscd with two readers, and an encoder.

There is no config.yaml: the set-up finds what is plugged in, five seats press and hold, a card is laid, a deck is
enrolled, and games are played. With `TABULARIUM_GAMES` all cards are enrolled and all five games are played to their
ends (a few minutes).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from companion import games
from companion.cli.rigs import wired
from companion.deck.enrol import Enrolment, enrolment
from companion.hardware import settings as config
from companion.hardware.settings import Settings
from companion.hardware.wizard.session import WizardSession
from companion.hardware.wizard.walk import FINGER_MS
from companion.play.evening import Evening
from companion.record.transcript import event_data, header_data
from companion.rules.cards import DECK, PAWNS
from companion.rules.readings import CENTRE, Health, Press, Reading, now
from drivers import kinds
from drivers.controllers.listed import Plug
from drivers.kinds import KINDS
from drivers.pcsc import lite
from drivers.pcsc.lite import LiteContext
from drivers.pcsc.reader import PcscReader
from drivers.rig import Rig, Wiring
from drivers.search import SearchTarget
from drivers.worker import Put
from tests.support.evdev import VirtualEvdev, VirtualInput
from tests.support.hub_table import TAGS, PlayedTable, script
from tests.support.pcscd import NAMES, Pcscd
from tests.support.playing import match_of
from tools.scenes.rehearsal import Memory

ALL = bool(os.environ.get("TABULARIUM_GAMES"))
GAMES = games.NAMES if ALL else ("caesar",)
FIRST_KEY = 288
KEYS = {seat: FIRST_KEY + at for at, seat in enumerate(PAWNS[:5])}
PATIENCE = 150
"""Seconds for what takes one or two."""


class PartlyUnplugged(LiteContext):
    """The service as if some readers had been pulled out: vpcd's cannot be."""

    def __init__(self, out: set[str]) -> None:
        super().__init__()
        self._out = out

    def readers(self) -> Sequence[str]:
        return [name for name in super().readers() if name not in self._out]

    def status(self, reader: str) -> int:
        return lite.UNKNOWN | lite.UNAVAILABLE if reader in self._out else super().status(reader)


@dataclass
class Plugged:
    """All that is plugged in, and the hands at it. `out` names the readers that have been pulled out."""

    pcscd: Pcscd
    kernel: VirtualEvdev
    box: VirtualInput
    settings: Settings
    out: set[str]

    @property
    def slot(self) -> int:
        """The reader that cards are laid on."""
        return int(NAMES[0] in self.out)

    @property
    def wiring(self) -> Wiring:
        """As config.yaml says, with this kernel and this service."""
        (at,) = (reader.settings for reader in self.settings.readers.values())
        reader = partial(PcscReader, at.reader, at.number, partial(PartlyUnplugged, self.out))
        made: Wiring = wired(self.settings)
        return replace(made, readers={CENTRE: reader}, kernel=self.kernel, root=self.kernel.root)


class UsbHands:
    def __init__(self, plugged: Plugged, put: Put) -> None:
        self._plugged = plugged
        self._on: list[str] = []
        self._rig = Rig(plugged.wiring, put)
        while not plugged.box.opened:  # what is pressed before somebody listens is a level
            pass

    def hold(self, seat: str) -> None:
        self._plugged.box.press(KEYS[seat])

    def let_go(self, seat: str) -> None:
        self._plugged.box.let_go(KEYS[seat])

    def lay(self, reader: str, tag: str) -> None:
        assert reader == CENTRE
        self._on = [tag]
        self._plugged.pcscd.lay(self._plugged.slot, tag)

    def lift(self, reader: str, tag: str) -> None:
        assert reader == CENTRE
        self._on.remove(tag)
        self._plugged.pcscd.lift(self._plugged.slot)

    def tags_on(self, reader: str) -> list[str]:
        assert reader == CENTRE
        return list(self._on)

    def pull_the_reader_out(self) -> None:
        """What lies on it is laid on the other one."""
        for tag in self._on:
            self._plugged.pcscd.lay(1, tag)
        self._plugged.out.add(NAMES[0])

    def close(self) -> None:
        self._rig.close()


def set_up(pcscd: Pcscd, kernel: VirtualEvdev, box: VirtualInput, path: Path) -> None:
    """Finds everything, lets everybody press, hold and lay a card, and writes config.yaml."""
    ground = SearchTarget(
        kinds=lambda: [kinds.kind("pcsc")],
        ports=list,
        root=kernel.root,
        model=lambda _: "",
        kernel=kernel,
        allowed=lambda _: True,
    )
    news = SimpleQueue[None]()
    with closing(WizardSession(ground, Settings(), path, wake=partial(news.put, None))) as desk:
        desk.look()
        assert [reader.at.place for reader in desk.walk.found.readers] == [*NAMES]
        assert [of.name for of in desk.walk.found.controllers] == ["buttons"]
        desk.listen()
        while not box.opened:
            pass

        def until(done: Callable[[], object]) -> None:
            while not done():
                news.get(timeout=PATIENCE)
                desk.drain()

        desk.walk = desk.walk.skip()  # the five colours it proposes
        for at, code in enumerate(KEYS.values(), start=1):
            box.press(code)
            box.let_go(code, at=now() + FINGER_MS)
            until(lambda at=at: len(desk.walk.answers.buttons) == at)  # type: ignore[misc]
        assert desk.walk.step.kind == "hold"
        box.press(*KEYS.values())
        until(lambda: desk.walk.step.kind == "reader")
        box.let_go(*KEYS.values())
        for at, tag in enumerate([*TAGS.values()][:2], start=1):  # two on one reader: it is everybody's
            pcscd.lay(0, tag)
            until(lambda at=at: len(desk.walk.answers.readers) == at)  # type: ignore[misc]
        pcscd.lift(0)
        desk.walk = desk.walk.skip_all()
        assert desk.walk.step.kind == "done"
        desk.write("en")


@pytest.fixture
def plugged(pcscd: Pcscd, tmp_path: Path) -> Iterator[Plugged]:
    """A table as the set-up has left it."""
    kernel = VirtualEvdev(tmp_path)
    box = VirtualInput("DragonRise Inc. Generic USB Joystick", "0079:0006", range(FIRST_KEY, FIRST_KEY + 12))
    kernel.plug(box)
    path = tmp_path / "config.yaml"
    set_up(pcscd, kernel, box, path)
    settings = config.load(path, KINDS)
    assert settings.hardware == "usb" and settings.reveal_mode == "fists"
    assert settings.controllers["buttons"].together == 5 and [*settings.readers] == [CENTRE]
    assert controller(settings) == (Plug("0079:0006"), KEYS)
    yield Plugged(pcscd, kernel, box, settings, set())


def controller(settings: Settings) -> tuple[Plug, dict[str, int]]:
    made = wired(settings).controllers["buttons"]
    return made.plug, dict(made.buttons)


def heard(state: Enrolment, said: SimpleQueue[Reading | Press | Health], present: bool) -> Enrolment:
    """Tell the enrolment what is said, until a tag has come or gone."""
    while True:
        word = said.get(timeout=PATIENCE)
        assert isinstance(word, Reading)
        state = state.hear(word)
        if word.present == present:
            return state


@pytest.mark.timeout(900)
def test_a_deck_is_enrolled_on_one_reader_by_laying_card_after_card(plugged: Plugged) -> None:
    """No touch between them, and none is lifted before the next is laid; a mistake is taken back."""
    said = SimpleQueue[Reading | Press | Health]()
    cards = [*TAGS.items()][: None if ALL else 6]
    state = enrolment({}, "Box")
    with closing(Rig(plugged.wiring, said.put)):
        while len(state.tags) < len(cards):
            plugged.pcscd.lay(0, TAGS[str(state.asked)])
            state = heard(state, said, present=True)
            assert state.ruling and state.ruling.code in ("enrolled", "changed"), state.ruling
            if state.ruling.code == "changed":  # the computer was so busy that it noticed both changes at once: it asks
                plugged.pcscd.lift(0)  # to lift the card, and may ask for the one before again
                state = heard(state, said, present=False)
    assert {str(of.card): tag for tag, of in state.tags.items()} == dict(cards)
    again = state.undo()
    assert len(again.tags) == len(cards) - 1 and str(again.asked) == cards[-1][0]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.timeout(900)
def test_a_whole_game_with_one_reader_and_an_encoder(game: str, plugged: Plugged) -> None:
    """The encoder goes and comes back, the second reader takes over when the first is pulled out; and the journal is
    that of the same game by finger, but for who did it and when."""
    table = PlayedTable(partial(UsbHands, plugged), centre=True)
    health = table.evening.devices.health

    def ill(prefix: str) -> list[str]:
        return [device for device, word in health.items() if device.startswith(prefix) and not word.well]

    def accidents(events: Sequence[Any]) -> Iterator[Any]:
        for at, event in enumerate(events):
            if at == len(events) // 3:
                table.until(table.heard)
                plugged.kernel.unplug(plugged.box)
                table.until(lambda: len(ill("button")) == 5)
                plugged.kernel.plug(plugged.box)
                table.until(lambda: not ill("button"))
            if at == len(events) // 2:
                table.until(table.heard)
                table.hands.pull_the_reader_out()  # type: ignore[attr-defined]
                table.until(lambda: ill("reader"))
                table.until(lambda: not ill("reader"))
            yield event

    header, events = script(game, 3)
    try:
        table.play(header, accidents(events))
        assert plugged.slot == 1
        acts = [receipt for receipt in table.match.log if receipt.number]
        assert {receipt.by for receipt in acts} >= {"nfc", "button"}
    finally:
        table.close()
        for slot in (0, 1):
            plugged.pcscd.lift(slot)
    by_finger = Evening(Memory(), {tag: DECK[card] for card, tag in TAGS.items()})
    by_finger.begin(header_data(header))
    for event in events:
        match_of(by_finger).act(event_data(event))
    assert journal(table.evening) == journal(by_finger)


def journal(evening: Evening) -> list[Any]:
    """The transcript without who did what, and when."""
    store: Any = evening.store
    lines = [json.loads(line) for line, *_ in store.events[1]]
    return [{key: value for key, value in line.items() if key not in ("at", "by", "opened")} for line in lines]
