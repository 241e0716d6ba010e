"""Traces of what is plugged in: a PN532's answers, a service's states and an encoder's keys play again to the same words."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.hardware.trace import Line, line
from companion.hardware.trace.reading import read
from companion.hardware.trace.recorder import Recorder
from drivers.controllers.listed import Plug
from drivers.controllers.worker import Controller, ControllerWorker
from drivers.pcsc.lite import RESET_CARD
from drivers.pcsc.reader import PcscReader
from drivers.pn532.reader import Pn532
from drivers.rig import heard
from drivers.trace.masks import masked
from drivers.trace.replay import Replayed, replay
from drivers.virtual.clock import VirtualClock
from drivers.worker import ReaderWorker
from tests.support.evdev import VirtualEvdev, VirtualInput
from tests.support.pcsc import ACR, FakeService
from tests.support.pn532 import Pn532Chip, Pn532Faults, Pn532Wire
from tools.traces_made import ROLL, head

Trace = tuple[Line, list[Line]]


class Recording:
    """A recorder on a virtual clock."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.recorder = Recorder(clock=lambda: round(1e9 * self.clock.now))
        self._notes: list[Any] = []
        self.recorder.listen(self._notes.append)
        self.put = heard(lambda _: None, self.recorder.tap("words", ""))

    def reader(self, opener: Callable[[Any], Any], acts: Callable[[int], object], kind: str) -> Trace:
        """A reader for 600 turns; `acts` is told the number of each before it."""
        tap = self.recorder.tap("reader", "centre")
        worker = ReaderWorker("centre", lambda: opener(tap), self.put, self.clock.ms, 0.02, tap=tap)
        for turn in range(600):
            acts(turn)
            self.clock.sleep(max(0.02, worker.turn()))
        worker.shut()
        return head(readers={"centre": {"kind": kind}}, debounce_ms=12), self.lines

    @property
    def lines(self) -> list[Line]:
        found: list[Line] = json.loads(json.dumps([*map(line, self._notes)]))
        return found


def pn532(seed: int, **faults: Any) -> Trace:
    recording, random = Recording(), Random(seed)
    chip = Pn532Chip(Pn532Faults(**faults))
    wire = Pn532Wire(chip, recording.clock)

    def acts(turn: int) -> None:
        if turn % 20 == 0:  # no two at once: who of them is named first depends on their ids
            tag = random.choice(ROLL[:5])
            (chip.lift if tag in chip.tags or len(chip.tags) > 1 else chip.lay)(tag)

    return recording.reader(lambda tap: Pn532(wire, recording.clock.monotonic, tap), acts, "pn532")


def pcsc(seed: int) -> Trace:
    recording, random = Recording(), Random(seed)
    service = FakeService(ACR)

    def acts(turn: int) -> None:
        if turn % 20 == 0:
            if ACR in service.cards:
                service.lift(ACR)
            elif random.random() < 0.8:
                service.lay(ACR, random.choice(ROLL[:5]))
        if turn % 70 == 50 and ACR in service.cards:
            service.cards[ACR] = random.choice(ROLL[:5])  # a swap without an event
        if turn % 110 == 100:
            service.fails.append(random.choice((RESET_CARD, 0x8010001D)))

    def opener(tap: Any) -> PcscReader:
        return PcscReader("", 1, service.connect, recording.clock.monotonic, tap=tap)

    return recording.reader(opener, acts, "pcsc")


def encoder(folder: Path) -> Trace:
    recording, kernel = Recording(), VirtualEvdev(folder)
    box = VirtualInput("Encoder", "0079:0006", range(288, 300), clock=recording.clock.ms)
    kernel.plug(box)
    worker = ControllerWorker(
        "box", Controller(Plug("0079:0006"), {"red": 288}), recording.put, 12, kernel=kernel, clock=recording.clock.ms,
        root=kernel.root, taps=recording.recorder.tap,
    )  # fmt: skip
    worker.turn()
    for gap, down in ((0.1, True), (0.2, False), (0.005, True), (0.3, False), (0.5, True), (0.7, False)):
        recording.clock.sleep(gap)
        box.press(288, down=down)
        worker.turn()
    recording.clock.sleep(0.1)
    worker.turn()
    worker.shut()
    return head(buttons={"red": 288}, debounce_ms=12), recording.lines


def played(trace: Trace) -> Sequence[Replayed]:
    """Every layer must give the words that were recorded, and nothing be asked that nobody asked."""
    found = list(replay(*trace))
    for each in found:
        assert each.same and each.recorded and not each.otherwise, each
    return found


@pytest.mark.parametrize("faults", [{}, {"unheard": 0.02}, {"half": 0.02}, {"sees_four": True}])
def test_a_pn532_answers_as_it_did(faults: dict[str, Any]) -> None:
    assert [each.layer for each in played(pn532(1, **faults))] == ["polls", "reader"]


@pytest.mark.parametrize("seed", range(4))
def test_a_service_says_what_it_said(seed: int) -> None:
    assert [each.layer for each in played(pcsc(seed))] == ["polls", "reader"]


def test_an_encoders_presses_are_made_of_its_edges(tmp_path: Path) -> None:
    (pins,) = played(encoder(tmp_path))
    assert pins.layer == "pins" and len(pins.recorded) == 4


@pytest.mark.parametrize("trace", [pn532(2), pcsc(2)], ids=["pn532", "pcsc"])
def test_with_made_up_ids_it_plays_the_same_and_none_of_the_real_ones_is_in_it(trace: Trace, tmp_path: Path) -> None:
    header, lines = trace
    made = [*masked(lambda: lines)]
    assert [each.layer for each in played((header, made))] == ["polls", "reader"]
    text = json.dumps(made)
    assert any(tag in json.dumps(lines) for tag in ROLL) and not any(tag in text for tag in ROLL)
    path = tmp_path / "made.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in (header, *made)), encoding="utf-8")
    _, back = read(path)
    assert [{"device": "", **each} for each in back] == [{"device": "", **each} for each in made]
