"""`tabularium` without a command: store, evening, hardware and screen put together."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from signal import SIGINT, signal
from typing import TYPE_CHECKING, Any

from companion import __version__, games
from companion.cli.common import STORE, fail, settings_of
from companion.cli.hall_client import way_to_hall
from companion.cli.hour import HourSession, hands_of
from companion.cli.open_devices import OpenDevices, usual
from companion.cli.phones import TablePhones
from companion.cli.report import reporter
from companion.cli.setup_session import SetUpSession, unset
from companion.cli.traces import Recording
from companion.cli.virtual import VirtualDock, virtual_cards
from companion.record.preferences import is_language, is_number, remembered

if TYPE_CHECKING:
    from companion.dialogues.services import Services
    from companion.hardware.doctor import Finding
    from companion.hardware.settings import Settings
    from companion.play.evening import Evening
    from companion.record.store import Store
    from companion.rules.message import Message
    from companion.system.service import Machine, Service
    from companion.system.updates import Updates


def open_table(args: argparse.Namespace) -> int:
    import faulthandler

    from companion.hardware import settings as config
    from companion.record.boards import BoardFileError
    from companion.rules.mistakes import ConfigError
    from companion.system.logs import kept, writing

    if sys.__stderr__:  # systemd ends a program that hangs by SIGABRT: the journal then says where the main loop stood
        # the stacks of other threads are read while they run, which can itself end in a segmentation fault
        faulthandler.enable(sys.__stderr__, all_threads=False)
    log = writing("table")
    try:
        fresh = unset(args)
        settings = fresh or settings_of(args)
        with kept(settings.data, args.verbose):
            log.info("Tabularium %s on Python %s, %s", __version__, sys.version.split()[0], sys.platform)
            log.info("config: %s; hardware: %s", config.find(args.config) or "none", settings.hardware)
            return _play(settings, args, first=fresh is not None)
    except (ConfigError, BoardFileError) as error:
        return fail(*error.lines)


def _machine(settings: Settings, service: Service) -> Machine:
    """Return the computer below the window. It can be switched off here if it runs this program as a service."""
    from companion.system.service import Machine
    from drivers.backlight import Backlight
    from drivers.power import asking

    light = Backlight().light
    light(True)  # it may have been left dark
    if not service.there:
        return Machine(light, service=service)
    return Machine(light, asking("poweroff"), asking("reboot"), settings.power.lamp is not None, service)


def _await_display(service: Service) -> None:
    """Wait for a display if a service manager has started the program: the user may be away.

    The store stays closed meanwhile. A user at a terminal is told at once instead.
    """
    from companion.system.logs import writing
    from ui.console import await_display

    told: list[str] = []

    def tell(what: str) -> None:
        if told[-1:] != [what]:
            told.append(what)
            writing("table").warning("waiting for %s", what)
            print(f"waiting for {what}", file=sys.stderr, flush=True)
        service.waiting(what)
        service.beat()

    if service.there:
        await_display(tell)
    if told:
        service.loading()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C: in the middle of an import Kivy may swallow it."""
    came: list[int] = []
    before = signal(SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal(SIGINT, before)
    if came:
        raise KeyboardInterrupt


def _evening(settings: Settings, store: Store, services: Callable[[], Services]) -> Evening:
    from companion.deck import known
    from companion.ear import AudioSeatFactory
    from companion.play.evening import Evening
    from companion.rules.readings import now

    if settings.hardware == "virtual":
        virtual_cards(store)  # enrolled at the first start
    tags = {tag: of.card for tag, of in known(store.enrolled()).items()}
    return Evening(
        store,
        tags,
        lang=remembered(store, "language", is_language) or settings.language,
        reveal=settings.reveal_mode,
        fair_ms=settings.reveal.fair_ms,
        no_ms=settings.press.no_ms,
        long_ms=settings.press.long_ms,
        exports=settings.data / "exports",
        clock=now,
        listening=AudioSeatFactory(services),
    )


def _updates(settings: Settings, evening: Evening, store: Store) -> Updates | None:
    """Return the channel for updates, where there is one.

    The start page announces the outcome of the last update once.
    """
    from companion.system.updates import Updates

    updates = Updates(address=settings.update.address or "")
    if not updates.there:
        return None
    evening.playing = updates.playing
    number, told = updates.last() or (0, None)
    if number != (remembered(store, "update", is_number) or 0):
        evening.note = evening.note or told
        store.keep("update", number)
    return updates


def _play(settings: Settings, args: argparse.Namespace, first: bool) -> int:
    """Run store, evening, hardware and screen, and close them in the opposite order. Raises BoardFileError."""
    from companion.dialogues.services import Services
    from companion.hardware.trace.recorder import Recorder
    from companion.play.lamps import lit
    from companion.record.boards import check
    from companion.record.store import Store, StoreInUse, StoreTooNew
    from companion.rules.readings import Health
    from companion.system.service import Service
    from companion.voice.live import Live
    from ui.console import aim
    from ui.display import faults

    service = Service()
    _await_display(service)
    aim()
    if found := faults():
        return fail(*found)
    with undisturbed():
        from ui.app import run
    try:
        store = Store(settings.data / STORE)
    except (StoreInUse, StoreTooNew) as error:
        return fail(str(error))
    evening, recorder = _evening(settings, store, lambda: services), Recorder()
    live = Live(
        store, lambda: evening.lang, usual(settings), no_ms=settings.press.no_ms, long_ms=settings.press.long_ms
    )
    hardware = OpenDevices(evening, store, recorder.tap, live, hubs=args.virtual == "hub")

    def connect() -> Generator[None, None, VirtualDock | None]:
        """Read the boards and open the hardware, behind the first frame: it takes as long as the window itself."""
        for name in games.NAMES:
            check(games.game(name))
            yield
        evening.port.subscribe(lit(hardware.show, lambda: evening.approvals))
        evening.be_heard(live)
        evening.earphones = hardware
        phones.resume()
        return None if set_up.desk else hardware.open(settings)

    def doctor() -> list[Finding]:
        return [
            *hardware.findings(set_up.settings),
            *recording.findings(),
            *phones.findings(),
            *(way.findings() if way else ()),
        ]

    def hour() -> HourSession | None:
        rig, wired = hardware.rig, set_up.settings
        return HourSession(wired, rig, recorder, hands_of(wired, rig)) if rig else None

    way = way_to_hall(settings.hall, evening, store, settings.reveal.fair_ms) if settings.hall else None

    def silent(why: Message) -> None:
        evening.devices.inbox.put(Health("recording", False, why))

    recording = Recording(settings, recorder, lambda: hardware.rig, args.record, tell=silent)
    set_up = SetUpSession(args, settings, hardware.close, hardware.open, first=first)
    phones = TablePhones(evening, store, settings.phones.port, lambda: services)
    services = Services(
        _machine(settings, service),
        _updates(settings, evening, store),
        doctor,
        reporter(args, evening, set_up, hardware, recording, findings=doctor),
        live,
        phones,
    )
    try:
        run(evening, connect, settings.screen, services, set_up=set_up, hour=hour)
    finally:
        services.machine.service.stopping()
        services.machine.light(True)
        evening.playing(False)
        ending: list[Any] = [recording, set_up, phones, hardware, *([way] if way else []), store]
        for part in ending:
            part.close()
    return fail(store.trouble) if store.trouble else 0
