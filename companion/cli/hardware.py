"""The commands that check what is wired: `wiring`, `doctor`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.cli.common import fail, settings_of
from companion.cli.rigs import alone, wired

if TYPE_CHECKING:
    from pathlib import Path

    from companion.hardware.doctor import Finding
    from companion.hardware.settings import Settings


# -- commands --------------------------------------------------------------------------------------------------


def draw_wiring(args: argparse.Namespace) -> int:
    from companion.hardware.wiring import drawing
    from companion.rules.mistakes import ConfigError

    try:
        settings = settings_of(args)
    except ConfigError as error:
        return fail(*error.lines)
    if settings.hardware == "virtual":
        return fail("config.yaml says hardware: virtual, so nothing is wired; examples are in firmware_notes/examples")
    switch = any(pin is not None for pin in (settings.power.button, settings.power.lamp))
    if not (settings.seats or settings.readers or settings.hubs or settings.controllers or switch):
        return fail("config.yaml has no devices: see firmware_notes/examples, or firmware_notes/tonight.md")
    print(drawing(settings), end="")
    return 0


def run_doctor(args: argparse.Namespace) -> int:
    """Run the doctor. Exit status 0 if nothing fails, 1 if something does."""
    if args.first_hour:
        from companion.cli.hour import run_first_hour

        return run_first_hour(args)
    from dataclasses import replace

    from companion.hardware import doctor
    from companion.record.store import StoreInUse
    from companion.rules.mistakes import ConfigError
    from companion.rules.words import message

    if args.polls < 1:
        return fail("--polls must be a whole number, at least 1")
    try:
        settings = settings_of(args)
        with alone(settings):
            found = [*_settings(args.config), *examined(settings, polls=args.polls, watch=_watch), *_window()]
            found += [*heard(settings), *_hall(settings)]
    except ConfigError as error:
        return fail(*error.lines)
    except StoreInUse as error:
        return fail(str(error))
    findings = [replace(f, what=message(f.what, args.lang), next=message(f.next, args.lang)) for f in found]
    if args.json:
        print(doctor.as_json(findings))
    else:
        doctor.table(findings)
    return doctor.status(findings)


def _settings(explicit: Path | None) -> Iterator[Finding]:
    """Yield which config.yaml is in use, and which others exist and are not."""
    from companion.hardware import settings as config
    from companion.hardware.doctor.computer import settings

    there = config.there()
    used = explicit or next(iter(there), None)
    others = [path for path in there if not used or path.resolve() != used.resolve()]
    yield from settings(used, {path: config.shipped(path) for path in others})


def _window() -> Iterator[Finding]:
    """Yield whether the table could be drawn, where it is not open yet."""
    from companion.hardware.doctor.computer import window
    from ui.display import drawn, lacking

    wanting = lacking()
    return window(wanting, *(("", "") if wanting else drawn()))


def examined(settings: Settings, **given: Any) -> list[Finding]:  # given to a bench as it is
    """Return the doctor's findings about the hardware; `given` is how to examine it."""
    from companion.cli.needs import boot
    from companion.rules.cards import PAWNS
    from drivers.probe import Bench, examine
    from drivers.virtual.bench import bench

    given |= dict(data=settings.data, debounce_ms=settings.press.debounce_ms)
    if settings.hardware == "virtual":
        return list(examine(bench(() if given.get("working") else PAWNS, **given)))
    fitted = {str(name): reader for name, reader in settings.readers.items() if not reader.kind.virtual}
    wiring = wired(settings)
    on_header = wiring.buttons or wiring.lamps or any(reader.kind.pi for reader in fitted.values())
    pi = bool(on_header or not (wiring.hubs or fitted or settings.controllers))  # a table on USB alone needs no Pi
    plugs = bool(settings.controllers)
    return list(examine(Bench(wiring, pi=pi, plugs=plugs, fitted=fitted, boot=tuple(boot(settings)), **given)))


def heard(settings: Settings, wanted: bool | None = None) -> list[Finding]:
    """Return the doctor's findings about the voice.

    `wanted` says whether the loudspeaker is used, None to go by config.yaml.
    """
    from drivers.voice.engines import Engines
    from drivers.voice.probe import examine

    of = settings.voice
    loud = wanted if wanted is not None else of.words != "off" or of.sounds
    if not (loud or settings.ears):
        return []
    loudspeaker = of.device if loud else None
    return list(examine(Engines(of.engine, of.model), settings.language, loudspeaker, settings.ears))


def _hall(settings: Settings) -> list[Finding]:
    """Return the findings about the connection to the hall, where the table has one."""
    if settings.hall is None:
        return []
    from companion.cli.hall_client import seen
    from companion.hardware.doctor.hall import way, wireless
    from drivers.installed import asleep

    return [*way(seen(settings.hall)), *wireless(asleep())]


def _watch() -> None:
    """Wait while the buttons are pressed, if somebody is at the terminal."""
    import time

    if sys.stderr.isatty():
        print("Press and release every button once; then watch the lamps blink, one after another.", file=sys.stderr)
        time.sleep(10)
