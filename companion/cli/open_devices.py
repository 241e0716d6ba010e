"""The hardware of an open table: opened behind the first frame, released for a set-up, and opened again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.cli.hardware import examined, heard
from companion.cli.rigs import real
from companion.cli.virtual import VirtualDock, virtual_cards, virtual_table
from companion.record.preferences import is_ears, remembered
from companion.rules import Ruling
from companion.rules.line import Line
from companion.voice.spoken_language import Spoken

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


EARS = "ears"
"""The store's key for the ears found by listening: a sound card by seat."""
TRIAL = "trial"
"""The listener on the sound card under test."""


class OpenDevices:
    """The real or virtual devices, and the voice; `rig` is None while nothing is open."""

    def __init__(self, evening: Evening, store: Store, taps: Taps, live: Live, *, hubs: bool) -> None:
        self.rig: Rig | VirtualRig | HubRig | None = None
        self._evening, self._store, self._taps, self._hubs, self._live = evening, store, taps, hubs, live
        self._settings: Settings | None = None  # those that were opened
        self._trial: Voice | None = None  # what speaks on a sound card that is being tried

    def open(self, settings: Settings) -> VirtualDock | None:
        """Open the hardware that the settings name; return the dock of a virtual table."""
        evening, put, dock = self._evening, self._evening.devices.inbox.put, None
        if settings.hardware == "virtual":
            self.rig, dock = virtual_table(evening, virtual_cards(self._store), self._hubs, self._taps)
        else:
            self.rig = real(settings, put, self._taps)
        evening.devices.equipment = dock.equipment if dock else settings.equipment
        evening.devices.errors, evening.regulars.reveal = self.rig.errors, settings.reveal_mode
        evening.regulars.is_set = settings.reveal.mode is not None
        self._settings = settings
        self._listen()
        evening.greet()
        return dock

    def _listen(self) -> None:
        """Open the loudspeaker and every ear: those of config.yaml, and those that were found by hearing."""
        assert self._settings
        kept: Mapping[str, str] = remembered(self._store, EARS, is_ears) or {}
        ears = {**kept, **self._settings.ears}
        self._evening.ears = tuple(ears)
        self._live.open(voice(self._settings, self._evening.devices.inbox.put, ears))

    # -- ears that are found by hearing --------------------------------------------------------------------------

    def cards(self) -> Sequence[str]:
        """Return the sound cards that are neither the loudspeaker nor an ear."""
        from companion.hardware.settings import card
        from drivers.voice.cards import cards

        assert self._settings
        used = {card(name) for name in (self._settings.voice.device, *self._settings.ears.values())}
        return [name for name in cards() if card(name) not in used]

    def try_out(self, card: str, said: Ruling) -> None:
        """Say the ruling on this sound card alone."""
        assert self._settings
        tongue = Spoken(self._evening.lang, {})
        if self._trial:
            self._trial.close()
        self._trial = voice(self._settings, self._evening.devices.inbox.put, {TRIAL: card})
        self._trial.tune(self._evening.lang)
        self._trial.say([Line(tongue.tr(said.text, **said.facts), TRIAL)])

    def give(self, seat: str, card: str) -> None:
        """Give the sound card to the seat as its ear, also for the next evening."""
        kept: Mapping[str, str] = remembered(self._store, EARS, is_ears) or {}
        self._store.keep(EARS, {**{other: name for other, name in kept.items() if name != card}, seat: card})
        self._listen()

    def close(self) -> None:
        """Release every device; harmless a second time."""
        self._live.close()
        if self._trial:
            self._trial.close()
        if self.rig:
            self.rig.close()
        self.rig = None
        self._evening.devices.health.clear()

    def show(self, modes: Mapping[str, Mode]) -> None:
        """Show these modes on the lamps, while a rig is open."""
        if self.rig:
            self.rig.show(modes)

    def findings(self, settings: Settings) -> list[Finding]:
        """Return the doctor's findings about the devices and the voice."""
        if not self.rig:
            return []
        found = examined(settings, running=self.rig.polls, working=self.rig.hubs)
        return [*found, *heard(settings, self._live.choices.wanted)]


def voice(settings: Settings, put: Callable[[Word], object], ears: Mapping[str, str]) -> Voice:
    """Return the voice. It opens no device before there is something to say."""
    from drivers.voice.voice import opened

    of, folder = settings.voice, settings.data / "voice"
    return opened(put, of.engine, of.model, loudspeaker=of.device, ears=ears, folder=folder, lead_ms=of.lead_ms)


def usual(settings: Settings) -> Choices:
    """Return config.yaml's settings of the voice, which apply until something else is chosen."""
    from companion.voice.choices import Choices, Quiet

    of = settings.voice
    quiet = Quiet.read(of.quiet) if of.quiet else None
    return Choices(of.words, of.sounds, rate=of.rate, volume=of.volume, quiet=quiet)
