"""Whole games on the virtual hub table: plugs that come and go, a real MicroPython, fists across hubs.

`TABULARIUM_REPLUGS` sets how often a cable comes out of a running game and goes in again (ten thousand take two or
three minutes), `TABULARIUM_FISTS` how many reveals a host that stalls is to judge; with `TABULARIUM_GAMES` all five
games are played to their ends under MicroPython (half a minute).
"""

import os
from collections.abc import Iterator
from itertools import count, permutations, takewhile
from random import Random
from threading import Event
from time import monotonic

import pytest

from companion import games
from companion.record.transcript import event_data, header_data
from companion.rules import Reveal
from drivers.hub.worker import micros
from drivers.virtual.hub.rig import HubCable
from tests.support.hub_table import HubTable, script, without_hardware
from tests.support.playing import opened
from tools.needs import needs_micropython

REPLUGS = int(os.environ.get("TABULARIUM_REPLUGS", "60"))
FISTS = int(os.environ.get("TABULARIUM_FISTS", "3"))
GAMES = games.NAMES if os.environ.get("TABULARIUM_GAMES") else ("caesar",)
SHORT = {"game": "short"}


@pytest.fixture
def table() -> Iterator[HubTable]:
    table = HubTable(micropython=False)
    yield table
    table.close()


# -- plugs -------------------------------------------------------------------------------------------------------------


class Plugs:
    """Cables that come out and go in again at any moment; a port that appears wakes its worker, as nobody can wait."""

    def __init__(self, table: HubTable, seed: int) -> None:
        self.chance, self.table = Random(seed), table
        self.cycles = 0
        self.due = dict.fromkeys(table.rig.cables.values(), 0.0)
        table.meanwhile = self

    def __call__(self) -> float:
        now = monotonic()
        for cable in [cable for cable, due in self.due.items() if due <= now]:
            self.due[cable] = now + self._change(cable)
        for name, cable in self.table.rig.cables.items():
            if cable.plugged and not self.table.rig.hubs[name].link.settled:
                self.table.rig.hubs[name].wake()
        return max(0.0, min(self.due.values()) - now)

    def _change(self, cable: HubCable) -> float:
        """Out or in; returns for how long. Often so briefly that the host has not even said hello."""
        if cable.plugged:
            self.cycles += 1
            cable.unplug()
            return self.chance.choice((0.0, 0.002, 0.02)) * self.chance.random()
        cable.plug()
        return self.chance.choice((0.004, 0.03, 0.1)) * self.chance.random()


@pytest.mark.timeout(600 + REPLUGS // 10)
def test_a_game_goes_on_while_cables_come_out_and_go_in(table: HubTable) -> None:
    plugs = Plugs(table, seed=5)
    for seed in count():
        header, events = script("prokonsul", seed, seats=5, options=SHORT)
        table.play(header, takewhile(lambda _: plugs.cycles < REPLUGS, events))
        if plugs.cycles >= REPLUGS:
            break


# -- MicroPython -------------------------------------------------------------------------------------------------------


def test_a_game_at_hubs_under_micropython_is_the_game_without_them() -> None:
    needs_micropython()
    table = HubTable(micropython=True)
    for name in GAMES:
        header, events = script(name, SHORTEST[name])
        table.play(header, events)
        alone = without_hardware(header, events)
        assert alone.view()["over"]
        assert table.match.session.view() == alone.view()
        assert table.match.session.state == alone.state
    table.close()


SHORTEST = {"mercator": 8, "prokonsul": 0, "spartacus": 3, "caesar": 57, "hannibal": 4}
"""Seeds of short games."""


# -- fists across hubs -------------------------------------------------------------------------------------------------


@pytest.mark.timeout(600 + FISTS)
def test_late_fists_are_found_across_hubs_on_a_busy_host(table: HubTable) -> None:
    cable = table.rig.cables["B"]
    cable.unplug()
    cable.hub.power_off()
    cable.hub.power_on()
    cable.plug()
    header, events = script("prokonsul", 7, seats=5, options=SHORT)
    table.evening.begin(header_data(header))
    for event in takewhile(lambda event: not isinstance(event, Reveal), events):
        table.match.act(event_data(event))
    chance = Random(3)
    worst = 0.0
    for _ in range(FISTS):
        before = unsure_of(table)
        let_go = stalled_reveal(table, chance)
        reported = opened(table.match.log[-1]) or {}
        assert set(reported) == set(header.seats)
        unsure = max(before, unsure_of(table))  # a ping on the way may have made the times surer since
        for one, other in permutations(header.seats, 2):
            least = (let_go[other][0] - let_go[one][1]) / 1000
            most = (let_go[other][1] - let_go[one][0]) / 1000
            error = max(least - (reported[other] - reported[one]), reported[other] - reported[one] - most, 0.0)
            worst = max(worst, error)
            assert error < unsure / 1000 + 2, "ms, of which one is rounding"
        table.match.act({"event": "undo"})
    print(f"{FISTS} reveals, the worst of all pairs {worst:.1f} ms")


def unsure_of(table: HubTable) -> int:
    """How far off the times of two hubs may be from each other, in µs."""
    return sum(hub.link.clock.uncertainty(micros()) or 0 for hub in table.rig.hubs.values())


def stalled_reveal(table: HubTable, chance: Random) -> dict[str, tuple[int, int]]:
    """Five fists open while the host stands still; returns between which moments each did, in µs."""
    fists = table.match.session.fists()
    before = table.match.session.accepted
    for seat in fists:
        table.hold(seat)
    table.until(lambda: table.match.called)
    table.runs.clear()
    let_go = {}
    for seat in chance.sample(fists, len(fists)):
        begun = micros()
        table.hold(seat, False)
        let_go[seat] = begun, micros()
        Event().wait(chance.choice((0, 0.01, 0.1)) * chance.random())
    Event().wait(chance.random() / 10)
    table.runs.set()
    table.until(lambda: table.match.session.accepted > before)
    return let_go
