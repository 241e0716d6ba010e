"""A table without soldering: whole games with the real pcscd as the one reader and an encoder's buttons.

With `TABULARIUM_GAMES` all five games are played to their ends (a few minutes).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion import games
from companion.rules.cards import PAWNS
from companion.rules.readings import CENTRE
from drivers.controllers.listed import Plug
from drivers.controllers.worker import Controller
from drivers.pcsc.reader import PcscReader
from drivers.rig import Rig, Wiring
from drivers.virtual.evdev import VirtualEvdev, VirtualInput
from drivers.worker import Put
from tests.hub_table import PlayedTable, script
from tests.pcscd import Pcscd

GAMES = games.NAMES if os.environ.get("TABULARIUM_GAMES") else ("caesar",)
FIRST_KEY = 288


class UsbHands:
    """Cards on a virtual reader of the real pcscd, fingers on a virtual encoder."""

    def __init__(self, pcscd: Pcscd, kernel: VirtualEvdev, put: Put) -> None:
        self._pcscd, self.kernel = pcscd, kernel
        keys = {seat: FIRST_KEY + at for at, seat in enumerate(PAWNS)}
        self.box = VirtualInput("DragonRise Inc. Generic USB Joystick", "0079:0006", range(FIRST_KEY, FIRST_KEY + 12))
        kernel.plug(self.box)
        self._keys = keys
        self._on: list[str] = []
        wired = Wiring(
            {CENTRE: lambda: PcscReader("Virtual PCD")},
            controllers={"box": Controller(Plug("0079:0006"), keys)},
            kernel=kernel,
            root=kernel.root,
            interval=0.02,
        )
        self._rig = Rig(wired, put)
        while not self.box.opened:  # what is pressed before somebody listens is a level
            pass

    def hold(self, seat: str) -> None:
        self.box.press(self._keys[seat])

    def let_go(self, seat: str) -> None:
        self.box.let_go(self._keys[seat])

    def lay(self, reader: str, tag: str) -> None:
        assert reader == CENTRE
        self._on = [tag]
        self._pcscd.lay(0, tag)

    def lift(self, reader: str, tag: str) -> None:
        assert reader == CENTRE
        self._on.remove(tag)
        self._pcscd.lift(0)

    def tags_on(self, reader: str) -> list[str]:
        assert reader == CENTRE
        return list(self._on)

    def close(self) -> None:
        self._rig.close()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.timeout(900)
def test_a_whole_game_with_one_reader_and_an_encoder(game: str, pcscd: Pcscd, tmp_path: Path) -> None:
    """Every event comes out as it would by finger: what is journaled differs in who did it and when alone."""
    kernel = VirtualEvdev(tmp_path)
    table = PlayedTable(lambda put: UsbHands(pcscd, kernel, put), centre=True)
    try:
        table.play(*script(game, 3))
        acts = [receipt for receipt in table.match.log if receipt.number]
        assert {receipt.by for receipt in acts} >= {"nfc", "button"}
    finally:
        table.close()
        pcscd.lift(0)
