"""The hardware of an open table: opened behind the first frame, let go of for a set-up, and opened again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion.cli.hardware import examined, heard, real
from companion.cli.virtual import VirtualDock, virtual_cards, virtual_table

if TYPE_CHECKING:
    from companion.hardware.doctor import Finding
    from companion.hardware.settings import Settings
    from companion.hardware.tap import Taps
    from companion.play.devices import Word
    from companion.play.evening import Evening
    from companion.play.lamps import Mode
    from companion.record.store import Store
    from companion.voice.choices import Choices
    from companion.voice.live import Live
    from drivers.rig import Rig
    from drivers.virtual.hub.rig import HubRig
    from drivers.virtual.rig import VirtualRig
    from drivers.voice.voice import Voice


class Attached:
    """Real devices, or the virtual table's, and what makes the sound; `rig` is None while nothing is open."""

    def __init__(self, evening: Evening, store: Store, taps: Taps, live: Live, *, hubs: bool) -> None:
        self.rig: Rig | VirtualRig | HubRig | None = None
        self._evening, self._store, self._taps, self._hubs, self._live = evening, store, taps, hubs, live

    def open(self, settings: Settings) -> VirtualDock | None:
        """Opens what the settings name; a virtual table's dock comes back."""
        evening, put, dock = self._evening, self._evening.devices.inbox.put, None
        if settings.hardware == "virtual":
            self.rig, dock = virtual_table(evening, virtual_cards(self._store), self._hubs, self._taps)
        else:
            self.rig = real(settings, put, self._taps)
        evening.devices.equipment = dock.equipment if dock else settings.equipment
        evening.devices.errors, evening.regulars.reveal = self.rig.errors, settings.reveal_mode
        evening.ears = tuple(settings.ears)
        self._live.open(voice(settings, put))
        return dock

    def close(self) -> None:
        """Lets go of every device; harmless a second time."""
        self._live.close()
        if self.rig:
            self.rig.close()
        self.rig = None
        self._evening.devices.health.clear()

    def show(self, modes: Mapping[str, Mode]) -> None:
        """The lamps, while there are any."""
        if self.rig:
            self.rig.show(modes)

    def findings(self, settings: Settings) -> list[Finding]:
        """What the doctor says of it."""
        if not self.rig:
            return []
        found = examined(settings, running=self.rig.polls, working=self.rig.hubs)
        return [*found, *heard(settings, self._live.choices.wanted)]


def voice(settings: Settings, put: Callable[[Word], object]) -> Voice:
    """What config.yaml says is heard with; it opens no device before there is something to say."""
    from drivers.voice.voice import opened

    of, folder = settings.voice, settings.data / "voice"
    return opened(put, of.engine, of.model, loudspeaker=of.device, ears=settings.ears, folder=folder)


def usual(settings: Settings) -> Choices:
    """What config.yaml says about the voice, until something else is chosen."""
    from companion.voice.choices import Choices, Quiet

    of = settings.voice
    quiet = Quiet.read(of.quiet) if of.quiet else None
    return Choices(of.words, of.sounds, rate=of.rate, volume=of.volume, quiet=quiet)
