"""`tabularium play … --ears`: a game without a window.

Buttons and cards come as a transcript's hardware lines on standard input. Spoken lines go out as JSON, one per line,
each with the seat whose ear it is for, or "all".
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any

from companion import games
from companion.cli.aloud import line_data
from companion.cli.common import STORE, fail, settings_of
from companion.cli.hall_client import way_to_hall
from companion.cli.hand import lines
from companion.cli.simulate import table
from companion.cli.transcripts import option
from companion.deck import known as enrolled
from companion.ear import LISTENING
from companion.play.audio_seats import Mute
from companion.play.evening import Evening
from companion.play.fists import HoldTimer
from companion.play.port import Shown
from companion.record.transcript import Header, header_data, parse, read_header, read_line
from companion.rules import Ruling
from companion.rules.cards import PAWNS
from companion.rules.line import Line, shared
from companion.rules.mistakes import ConfigError, Mistakes, nearest
from companion.rules.readings import BACK, Press, Reading
from companion.system.limits import NAME
from companion.voice.explanations import Explanations
from companion.voice.live import known
from companion.voice.spoken_language import Spoken
from companion.voice.telling import Teller, spelled_out


class ScriptClock:
    """The clock of the input: it stands at the last line's `t`, and runs while the next line is awaited."""

    def __init__(self) -> None:
        self._t, self._since = 0, 0.0

    def __call__(self) -> int:
        return self._t + (round(1000 * (monotonic() - self._since)) if self._since else 0)

    def go(self) -> None:
        self._since = monotonic()

    def stop(self, t: int | None = None) -> None:
        """Stop the clock, at this time or at the one it has reached."""
        self._t, self._since = self() if t is None else t, 0.0


class Printer(Mute):
    """The printer of all speech, with the number of the input line that each spoken line follows."""

    def __init__(self, evening: Evening, words: Any) -> None:
        super().__init__()
        self.number, self.spoken = 0, False
        self._evening, self._words, self._lang = evening, words, evening.lang
        self._teller: Teller | None = None
        self._header: Header | None = None
        self._explanations = Explanations(evening.store)
        evening.be_heard(self)

    def hear(self, shown: Shown) -> None:
        """Print what is newly said about the game."""
        self.spoken = True
        if self._teller is None or shown.header is not self._header or self._lang != self._evening.lang:
            self._header, self._lang = shown.header, self._evening.lang
            self._teller = Teller(shown.header, self._lang, self._words, shown.header.ears, self._explanations)
        self._print(self._teller.tell(shown.receipts, known(shown)))

    def aside(self, rulings: Sequence[Ruling]) -> None:
        """Print what ears are told while no game is played."""
        tongue = Spoken(self._evening.lang)
        told = [spelled_out(ruling, self._explanations) for ruling in rulings]
        self._print([Line(tongue.tr(ruling.text, **ruling.facts), ruling.seat) for ruling in told])

    def _print(self, said: Sequence[Line]) -> None:
        for line in shared(said, self._header.ears if self._header else ()):
            print(json.dumps(line_data(line, self.number), ensure_ascii=False), flush=True)


def run_play(args: argparse.Namespace) -> int:
    """Play until the input ends; the game can then be continued."""
    from companion.record.store import Store, StoreInUse, StoreTooNew

    try:
        settings = settings_of(args)
        store = Store(settings.data / STORE)
    except ConfigError as error:
        return fail(*error.lines)
    except (StoreInUse, StoreTooNew) as error:
        return fail(str(error))
    press, clock = settings.press, ScriptClock()
    evening = Evening(
        store,
        {tag: of.card for tag, of in enrolled(store.enrolled()).items()},
        lang=args.lang,
        fair_ms=settings.reveal.fair_ms,
        no_ms=press.no_ms,
        long_ms=press.long_ms,
        reveal="fists",
        clock=clock,
        listening=LISTENING,
    )
    way = way_to_hall(settings.hall, evening, store, settings.reveal.fair_ms) if settings.hall else None
    try:
        return _play(evening, clock, args)
    except Mistakes as mistakes:
        return fail(*(mistake.what for mistake in mistakes.found))
    finally:
        if way:
            way.close()
        store.close()


Came = tuple[int, bytes] | None
"""A line of the input and its number; None at its end."""
NEWS = 0, b""
"""A wake-up for other events: something was written, or a time has come."""


def _play(evening: Evening, clock: ScriptClock, args: argparse.Namespace) -> int:
    written, came = Event(), SimpleQueue[Came]()

    def wake() -> None:
        written.set()
        came.put(NEWS)

    evening.woken = wake
    evening.ears = PAWNS if args.ears == "all" else tuple(args.ears.split(","))
    printer = Printer(evening, args.words)
    wrong = [seat for seat in evening.ears if seat not in PAWNS]
    if wrong:
        return fail(*(f"--ears: {seat} is no seat{nearest(seat, PAWNS)}" for seat in wrong))
    if args.game:
        evening.begin(_table(args))
    evening.greet()
    _settle(evening, written)
    # a game is shown once it is on disk
    while evening.match and not printer.spoken and not evening.trouble:
        written.wait(1.0)
        _settle(evening, written)
    Thread(target=_read, args=(came,), daemon=True).start()
    bad = 0
    while line := _next(came, clock):
        number, raw = line
        printer.number = number or printer.number
        for what in _process_line(evening, clock, raw, number):
            bad += fail(what) > 0
        _settle(evening, written)
    return 2 if bad else 0


def _read(came: SimpleQueue[Came]) -> None:
    for line in enumerate(lines(), start=1):
        came.put(line)
    came.put(None)


def _next(came: SimpleQueue[Came], clock: ScriptClock) -> Came:
    """Return the next line of input. The clock runs while none comes."""
    clock.go()
    try:
        return came.get()
    finally:
        clock.stop()


def _table(args: argparse.Namespace) -> dict[str, Any]:
    """Return the new game as header data."""
    game = games.game(args.game)
    options = dict(map(option, args.option))
    names = [name.strip() for name in args.players.split(",")] if args.players else []
    header = table(game, len(names) or args.seats or game.seats[0], options)
    players = {seat: name[:NAME] for seat, name in zip(header.seats, names, strict=False) if name}
    return {key: value for key, value in header_data(header).items() if key != "at"} | {"players": players}


def _process_line(evening: Evening, clock: ScriptClock, raw: bytes, number: int) -> Iterator[str]:
    """Process a line of the hardware; yield what is wrong with it.

    Speech that is due by the line's time is said before it.
    """
    text = raw.strip()
    if not text or text.startswith(b"#"):
        return
    try:
        word = _read_line(parse(text), _header(evening))
    except Mistakes as mistakes:
        yield from (f"-:{number}: {mistake.what}" for mistake in mistakes.found)
        return
    if isinstance(word, Reading | Press):
        clock.stop(word.t)
        evening.devices.inbox.put(HoldTimer(word.t))
        evening.devices.inbox.put(word)
    else:
        yield f'-:{number}: here come buttons and cards, such as {{"button": "red", "down": true, "t": 0}}'


def _read_line(data: Any, header: Header) -> Any:
    """Return what a line of the hardware means; a seat's second button has its driver's name: "back red"."""
    button = data.get("button") if isinstance(data, dict) else None
    if not isinstance(button, str) or not button.startswith(BACK):
        return read_line(data, header)
    press = read_line({**data, "button": button.removeprefix(BACK)}, header)
    return replace(press, seat=button) if isinstance(press, Press) else press


def _header(evening: Evening) -> Header:
    """Return the header of the game; before there is one, a header with every seat."""
    if evening.match:
        return evening.match.header
    return read_header({"tabularium": 1, "game": games.NAMES[0], "seats": list(PAWNS)})


def _settle(evening: Evening, written: Event) -> None:
    """Wait until all that has happened is on disk and said."""
    while True:
        written.clear()
        evening.drain()
        if not evening.waiting and not evening.devices.inbox.qsize():
            return
        written.wait(10)
