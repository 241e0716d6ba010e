"""The set-up on the screen. While it looks and listens, the table's own hardware is released."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.common import settings_of
from companion.rules.mistakes import ConfigError

if TYPE_CHECKING:
    from companion.cli.virtual import VirtualDock
    from companion.hardware.settings import Settings
    from companion.hardware.wizard.session import WizardSession
    from drivers.arrivals import Arrival, Arrivals
    from drivers.search import SearchTarget
    from drivers.virtual.setup_hardware import VirtualSetupHardware

Open = Callable[["Settings"], "VirtualDock | None"]


def unset(args: argparse.Namespace, root: Path = Path("/")) -> Settings | None:
    """Return the settings of a Pi that has never been set up; None for any other computer, or with a config.yaml."""
    from dataclasses import replace

    from companion.hardware.settings import Settings
    from companion.hardware.wizard import place

    if args.virtual or not place.first(args.config):
        return None
    from drivers import machine  # which takes a while to load

    if not machine.machine(root).model:
        return None
    plain = Settings(hardware="pi")
    return replace(plain, screen=replace(plain.screen, fullscreen=True))


class SetUpSession:
    """The set-up of an open table.

    `opened` opens the hardware of some settings and `closed` closes it; `ground` is the place to search, by default
    this computer. `first` says that the set-up comes before all else, as nothing has been set up yet.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        settings: Settings,
        closed: Callable[[], object],
        opened: Open,
        *,
        first: bool,
        ground: SearchTarget | None = None,
    ) -> None:
        self.first = first
        self.desk: WizardSession | None = None
        self.hand: VirtualSetupHardware | None = None
        """The hands on emulated hardware, in a rehearsal."""
        self._args, self.settings, self._closed, self._opened = args, settings, closed, opened
        self._ground = ground
        self._arrivals: Arrivals | None = None

    @property
    def keys(self) -> Mapping[int, str]:
        """Return the seat of each key that comes through the window."""
        from companion.cli.rigs import window_keys

        return window_keys(self.settings) if any(of.window for of in self.settings.controllers.values()) else {}

    def arrived(self) -> frozenset[Arrival]:
        """Return the devices plugged in since the program began, where the table has no devices yet."""
        if self.settings.hardware != "virtual" or self._args.virtual:
            return frozenset()
        if self._arrivals is None:
            from drivers.arrivals import Arrivals

            self._arrivals = Arrivals(self._ground.root) if self._ground else Arrivals()
        return self._arrivals.new()

    def begin(self, rehearse: bool = False) -> WizardSession:
        """Begin a set-up; a rehearsal has emulated devices and writes nothing."""
        from companion.cli.setup import before
        from companion.hardware.wizard.session import WizardSession

        self.close()
        self._closed()
        ground: Any
        if rehearse or self._args.virtual:
            from drivers.virtual.setup_hardware import VirtualSetupHardware

            self.hand = VirtualSetupHardware()
            ground = self.hand.ground
        else:
            from drivers.search import SearchTarget

            ground = self._ground or SearchTarget(debounce_ms=self.settings.press.debounce_ms)
        try:
            base, path, fresh = before(self._args)
        except ConfigError:  # no place for a file: the set-up can still be tried
            base, path, fresh = self.settings, None, True
        self.desk = WizardSession(ground, base, None if self.hand else path, fresh, window=not self.hand)
        return self.desk

    def end(self) -> VirtualDock | None:
        """Reopen the table's hardware, as config.yaml says by now."""
        self.close()
        self.first = False
        with suppress(ConfigError):  # the file was edited by hand meanwhile
            self.settings = unset(self._args) or settings_of(self._args)
        return self._opened(self.settings)

    def close(self) -> None:
        """Release the devices of the set-up; harmless a second time."""
        desk, hand, self.desk, self.hand = self.desk, self.hand, None, None
        if desk:
            desk.close()
        if hand:
            hand.close()
