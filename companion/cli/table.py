"""`tabularium` without a command: store, evening, hardware and screen put together."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from signal import SIGINT, signal
from typing import TYPE_CHECKING

from companion import __version__, games
from companion.cli.common import STORE, fail, settings_of
from companion.cli.hardware import examined, real
from companion.cli.hour import Hour, hands_of
from companion.cli.virtual import VirtualDock, virtual_cards, virtual_table

if TYPE_CHECKING:
    from companion.doctor import Finding
    from companion.settings import Settings
    from drivers.rig import Rig
    from drivers.virtual.hub.rig import HubRig
    from drivers.virtual.rig import VirtualRig


def open_table(args: argparse.Namespace) -> int:
    from companion import settings as config
    from companion.boards import BoardFileError
    from companion.logs import kept, writing
    from companion.mistakes import ConfigError

    log = writing("table")
    try:
        settings = settings_of(args)
        with kept(settings.data, args.verbose):
            log.info("Tabularium %s on Python %s, %s", __version__, sys.version.split()[0], sys.platform)
            log.info("config: %s; hardware: %s", config.find(args.config) or "none", settings.hardware)
            return _play(settings, args)
    except (ConfigError, BoardFileError) as error:
        return fail(*error.lines)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits: in the middle of an import Kivy may swallow it."""
    came: list[int] = []
    before = signal(SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal(SIGINT, before)
    if came:
        raise KeyboardInterrupt


def _play(settings: Settings, args: argparse.Namespace) -> int:
    """Store, evening, hardware and screen; they end in the opposite order. Raises BoardFileError."""
    from companion.boards import check
    from companion.cli.traces import Recording
    from companion.deck import known
    from companion.evening import Evening
    from companion.lamps import lit
    from companion.store import Store, StoreInUse, StoreTooNew
    from companion.table import now
    from companion.trace.recorder import Recorder
    from ui.display import faults

    if found := faults():
        return fail(*found)
    with undisturbed():
        from ui.app import run
    try:
        store = Store(settings.data / STORE)
    except (StoreInUse, StoreTooNew) as error:
        return fail(str(error))
    deck = virtual_cards(store) if settings.hardware == "virtual" else {}
    tags = {tag: of.card for tag, of in known(store.enrolled()).items()}
    evening = Evening(
        store,
        tags,
        lang=store.kept("language") or settings.language,
        reveal=settings.reveal_mode,
        fair_ms=settings.reveal.fair_ms,
        no_ms=settings.press.no_ms,
        exports=settings.data / "exports",
        clock=now,
    )
    rig: Rig | VirtualRig | HubRig | None = None
    recorder = Recorder()

    def connect() -> Generator[None, None, VirtualDock | None]:
        """Reads the boards and opens the hardware, behind the first frame: it takes as long as the window itself."""
        nonlocal rig
        for name in games.NAMES:
            check(games.game(name))
            yield
        put, taps, hubs = evening.inbox.put, recorder.tap, args.virtual == "hub"
        rig, dock = virtual_table(evening, deck, hubs, taps) if deck else (real(settings, put, taps), None)
        evening.equipment = dock.equipment if dock else settings.equipment
        evening.errors = rig.errors
        evening.port.subscribe(lit(rig.show))
        return dock

    def doctor() -> list[Finding]:
        found = examined(settings, running=rig.polls, working=rig.hubs) if rig else []
        return [*found, *recording.findings()]

    def hour() -> Hour | None:
        return Hour(settings, rig, recorder, hands_of(settings, rig)) if rig else None

    recording = Recording(settings, recorder, lambda: rig, args.record)
    try:
        run(evening, connect, settings.screen, doctor, hour)
    finally:
        recording.close()
        if rig:
            rig.close()
        store.close()
    return fail(store.trouble) if store.trouble else 0
