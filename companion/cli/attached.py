"""The hardware of an open table: opened behind the first frame, let go of for a set-up, and opened again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.cli.hardware import examined, real
from companion.cli.virtual import VirtualDock, virtual_cards, virtual_table

if TYPE_CHECKING:
    from companion.doctor import Finding
    from companion.evening import Evening
    from companion.lamps import Mode
    from companion.settings import Settings
    from companion.store import Store
    from companion.tap import Taps
    from drivers.rig import Rig
    from drivers.virtual.hub.rig import HubRig
    from drivers.virtual.rig import VirtualRig


class Attached:
    """Real devices, or the virtual table's; `rig` is None while nothing is open."""

    def __init__(self, evening: Evening, store: Store, taps: Taps, *, hubs: bool) -> None:
        self.rig: Rig | VirtualRig | HubRig | None = None
        self._evening, self._store, self._taps, self._hubs = evening, store, taps, hubs

    def open(self, settings: Settings) -> VirtualDock | None:
        """Opens what the settings name; a virtual table's dock comes back."""
        evening, put, dock = self._evening, self._evening.inbox.put, None
        if settings.hardware == "virtual":
            self.rig, dock = virtual_table(evening, virtual_cards(self._store), self._hubs, self._taps)
        else:
            self.rig = real(settings, put, self._taps)
        evening.equipment = dock.equipment if dock else settings.equipment
        evening.errors, evening.reveal = self.rig.errors, settings.reveal_mode
        return dock

    def close(self) -> None:
        """Lets go of every device; harmless a second time."""
        if self.rig:
            self.rig.close()
        self.rig = None
        self._evening.health.clear()

    def show(self, modes: Mapping[str, Mode]) -> None:
        """The lamps, while there are any."""
        if self.rig:
            self.rig.show(modes)

    def findings(self, settings: Settings) -> list[Finding]:
        """What the doctor says of it."""
        return examined(settings, running=self.rig.polls, working=self.rig.hubs) if self.rig else []
