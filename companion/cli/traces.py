"""`tabularium record`, `trace` and `replay` of a trace: the hardware's behaviour, recorded and replayed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from companion.cli.common import fail, settings_of
from companion.rules.message import Message, system_error
from companion.system.terminal import line

if TYPE_CHECKING:
    from companion.hardware.doctor import Finding
    from companion.hardware.settings import Settings
    from companion.hardware.trace import Line
    from companion.hardware.trace.parts import Mask
    from companion.hardware.trace.recorder import Recorder
    from drivers.trace.replay import Replayed, Word

PACKAGES = ("mfrc522", "spidev", "rpi-lgpio", "lgpio", "gpiozero", "pyserial", "kivy")
"""The packages with their versions in a trace."""


A_YEAR = 3e7
"""The longest recording, in seconds."""

# -- recording ---------------------------------------------------------------------------------------------------------


def head_of(settings: Settings, rig: Any) -> Line:
    """Return the header of a trace: what is wired, and what drives it. Any: a rig of any kind."""
    from platform import python_version, release

    from companion import __version__
    from companion.hardware.trace.keeping import header
    from drivers import machine

    packages = machine.packages()
    return header(
        datetime.now().astimezone(),
        program=__version__,
        python=python_version(),
        packages={name: packages[name] for name in PACKAGES if name in packages},
        model=machine.machine().model or "no Raspberry Pi",
        kernel=release(),
        **({"config": config_of(settings, rig), "chips": _chips(rig)} if rig else {}),
    )


def config_of(settings: Settings, rig: Any) -> Line:
    """Return what is wired, as a replay needs it: nothing of people, files or ports."""
    from dataclasses import asdict

    fitted = getattr(rig, "fitted", None)
    if fitted is None:
        found = settings.readers.items()
        fitted = {str(name): {"kind": of.kind.name, **_plain(asdict(of.settings))} for name, of in found}
    wiring = rig.wiring
    controllers = wiring.controllers.values()
    return {
        "readers": {name: dict(of) for name, of in fitted.items()},
        "buttons": dict(wiring.buttons) | {seat: code for of in controllers for seat, code in of.buttons.items()},
        "lamps": dict(wiring.lamps),
        "hubs": {name: {"seats": list(hub.seats), "dtr": hub.dtr} for name, hub in wiring.hubs.items()},
        "debounce_ms": wiring.release_ms,
        "poll_ms": round(1000 * wiring.interval),
    }


def _plain(settings: Line) -> Line:
    """Return the numbers among a kind's settings: a text may be a path."""
    return {name: value for name, value in settings.items() if isinstance(value, int)}


def _chips(rig: Any) -> Line:
    readers = {seen.name: f"{seen.version:02X}" for seen in rig.polls() if seen.version is not None}
    greeted = {name: worker.link.hello for name, worker in rig.hubs.items()}
    return {**readers, **{f"hub {name}": hello.firmware for name, hello in greeted.items() if hello}}


def mask_of(ids: bool) -> Mask:
    """Return the mask for the ids of tags: it keeps them if `ids` is set, else it replaces them."""

    def mask(lines: Callable[[], Iterable[Line]]) -> Iterator[Line]:
        from drivers.trace.masks import masked  # what is written needs it, and not the first frame

        return masked(lines)

    return (lambda lines: iter(lines())) if ids else mask


def run_record(args: argparse.Namespace) -> int:
    from companion.record.store import StoreInUse
    from companion.rules.mistakes import ConfigError
    from companion.rules.words import message

    try:
        settings = settings_of(args)
        return _record(args, settings)
    except ConfigError as error:
        return fail(*error.lines)
    except StoreInUse as error:
        return fail(f"{error}; to record during a game, start the table with: tabularium --record")
    except OSError as error:
        return fail(f"{error.filename or 'the recording'}: {message(system_error(error))}")


def _record(args: argparse.Namespace, settings: Settings) -> int:
    """Record from before anything is opened until the time is over, the recording fails or Ctrl-C."""
    from companion.cli.rigs import alone
    from companion.hardware.trace import LAYERS, SPI
    from companion.hardware.trace.parts import finish_all, parts
    from companion.hardware.trace.recorder import Recorder

    recorder = Recorder((*LAYERS, SPI) if args.spi else LAYERS)
    rigs: list[Any] = []
    over = Event()
    with alone(settings):
        spool = spool_of(
            args.file, args.ids, settings, lambda: rigs[0] if rigs else None, recorder, died=lambda _: over.set()
        )
        for path in finish_all(parts(spool.path.parent), mask_of(ids=False)):
            print(f"An earlier recording was interrupted; it is saved as {line(str(path))}.", file=sys.stderr)
        print(f"Recording to {line(str(spool.path))}; lay cards and press buttons. Ctrl-C stops.", file=sys.stderr)
        with closing(rig_of(settings, args.virtual == "hub", recorder)) as rig:
            rigs.append(rig)
            with suppress(KeyboardInterrupt):
                over.wait(args.seconds if args.seconds is not None else A_YEAR)
            return ended(spool)


def rig_of(settings: Settings, hubs: bool, recorder: Recorder) -> Any:
    """Return the table's open hardware, which reports to the recorder alone."""
    from companion.cli.rigs import real
    from companion.rules.cards import PAWNS

    if settings.hardware != "virtual":
        return real(settings, lambda _: None, recorder.tap)
    if hubs:
        from drivers.virtual.hub.rig import HubRig

        return HubRig(PAWNS, lambda _: None, taps=recorder.tap)
    from drivers.virtual.rig import VirtualRig

    return VirtualRig(PAWNS, lambda _: None, taps=recorder.tap)


def spool_of(
    file: Path | None,
    ids: bool,
    settings: Settings,
    rig: Any,
    recorder: Any,
    *,
    died: Callable[[str], object] = lambda _: None,
) -> Any:
    """Start a recording and return it. Raises OSError."""
    from companion.hardware.trace import SUFFIX
    from companion.hardware.trace.keeping import FOLDER, stamp
    from companion.hardware.trace.spool import Spool
    from companion.system import files

    named = f"recording-{stamp(datetime.now().astimezone())}{SUFFIX}"
    path = file or files.folder(settings.data / FOLDER) / named
    tags = "real" if ids else "made up"
    return Spool(recorder, path, lambda: {**head_of(settings, rig()), "tags": tags}, mask_of(ids), died=died)


class Recording:
    """The recordings of an open table: its last minute, kept when a device fails, and all of it if asked for."""

    def __init__(
        self,
        settings: Settings,
        recorder: Recorder,
        rig: Callable[[], Any],
        file: Path | None,
        *,
        tell: Callable[[Message], object] = lambda _: None,
    ) -> None:
        """Start to record. `tell` is called at once where nothing is recorded, or no more."""
        from companion.hardware.trace.keeping import FOLDER, LastMinute

        def head() -> Line:
            return {**head_of(settings, rig()), "tags": "made up"}

        self._keeper = LastMinute(recorder, settings.data / FOLDER, head, mask_of(ids=False))
        self._spool: Any = None
        self._trouble = ""
        if file is not None:
            try:
                place = None if file == Path() else file
                self._spool = spool_of(place, False, settings, rig, recorder, died=lambda why: tell(_over(why)))
            except OSError as error:  # the game continues without a recording
                self._trouble = Message("Recording failed: {why}", why=system_error(error))
                tell(self._trouble)

    def findings(self) -> list[Finding]:
        """Return the doctor's findings about the recordings."""
        from companion.hardware.trace.keeping import findings

        trouble = self._trouble or (self._spool.trouble if self._spool else "")
        return list(findings(self._keeper.folder, trouble) if trouble else self._keeper.findings())

    def minute(self) -> tuple[list[bytes], list[bytes]]:
        """Return the last minute with made-up ids, and its faults alone, as lines of files."""
        from companion.hardware.trace import written

        lines, faults = self._keeper.minute()
        return list(written(lines)), list(written(faults))

    def close(self) -> None:
        self._keeper.close()
        if self._spool:
            ended(self._spool)


def _over(why: str) -> Message:
    return Message("The recording has ended: {why}", why=why)


def ended(spool: Any) -> int:
    """End a recording and print where it is; exit status 2 where it could not be kept."""
    from companion.rules.words import message

    try:
        path = spool.close()
    except OSError as error:
        return fail(f"{spool.path}: {message(spool.trouble or system_error(error))}")
    print(f"Recorded: {line(str(path))} (readable only by you, because it contains face-down cards)", file=sys.stderr)
    return fail(message(spool.trouble)) if spool.trouble else 0


# -- reading -----------------------------------------------------------------------------------------------------------


def words(args: argparse.Namespace) -> int:
    """Print the words of a trace as a transcript."""
    from companion.hardware.trace.reading import USUAL, TraceError, read, transcript

    try:
        header = _header(args.header) if args.header else USUAL
        _, lines = read(args.file)
    except (TraceError, OSError) as error:
        return fail(*getattr(error, "lines", [f"{args.header}: {getattr(error, 'strerror', error)}"]))
    for text in transcript(lines, header):
        print(text)
    return 0


def _header(path: Path) -> str:
    """Return the header line of a transcript. Raises OSError."""
    from companion.system import limits

    found = limits.content(path, limits.TRANSCRIPT).decode("utf-8", "replace").split("\n", 1)[0]
    if "tabularium" not in found:
        raise OSError(None, "a transcript begins with its header", str(path))
    return found


def replayed(args: argparse.Namespace) -> int:
    """Play a trace through the drivers; exit status 1 if the words differ from those recorded."""
    from companion.hardware.trace.reading import TraceError, read
    from drivers.trace.replay import replay

    try:
        header, lines = read(args.file)
    except TraceError as error:
        return fail(*error.lines)
    found = [played for played in replay(header, lines) if args.layer in (None, played.layer)]
    if not found:
        return fail(f"{args.file}: it contains nothing to replay")
    if args.json:
        print(json.dumps([_data(played) for played in found], indent=2))
    else:
        for played in found:
            print(_account(played))
            for text in _differences(played):
                print(f"    {text}")
    return 1 if any(not played.same and not played.missing for played in found) else 0


def _data(played: Replayed) -> Line:
    return {
        "layer": played.layer,
        "device": played.device,
        "same": played.same,
        "recorded": len(played.recorded),
        "played": len(played.played),
        "otherwise": played.otherwise,
        "missing": played.missing,
    }


def _account(played: Replayed) -> str:
    said = f"{played.layer:7} {line(played.device)}: "
    if played.missing:
        return f"{said}not played: {played.missing}"
    asked = f"; {played.otherwise} questions were not asked that day" if played.otherwise else ""
    if played.same:
        return f"{said}the same {len(played.recorded)} words{asked}"
    return f"{said}OTHER WORDS: {len(played.recorded)} were recorded, {len(played.played)} came out{asked}"


def _differences(played: Replayed) -> Iterator[str]:
    """Yield where the words begin to differ. Cards are numbered, to hide which tag lay face down."""
    if played.same or played.missing:
        return
    pairs = zip(played.recorded, played.played, strict=False)
    at = next((at for at, (was, now) in enumerate(pairs) if was != now), min(len(played.recorded), len(played.played)))
    numbers: dict[str, int] = {}
    for name, heard in (("recorded", played.recorded), ("now", played.played)):
        yield f"{name}: {_word(heard[at], numbers) if at < len(heard) else 'nothing more'}"


def _word(word: Word, numbers: dict[str, int]) -> str:
    from companion.rules.readings import Press, Reading

    match word:
        case Reading(reader, tag, present, t):
            number = numbers.setdefault(tag, len(numbers) + 1)
            return f"{t} ms, {line(reader)}: card {number} {'laid' if present else 'lifted'}"
        case Press(seat, down, t, edge):
            return f"{t} ms, {line(seat)}: {'down' if down else 'up'}{'' if edge else ' (a level)'}"
    return line(f"{word.device}: {'well' if word.well else 'ill'} {word.detail}")
