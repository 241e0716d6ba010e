"""`tabularium setup`: finds what is wired, asks who has what, and writes config.yaml; the screen's set-up as prompts.

Ctrl-C leaves everything as it was. Without a terminal on both sides it asks and writes nothing: it prints the resulting
file, and the findings on standard error.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from typing import Any

from companion.cli.common import STORE, fail
from companion.hardware import settings as config
from companion.hardware.doctor.search_findings import findings
from companion.hardware.settings import Settings
from companion.hardware.wizard import place
from companion.hardware.wizard.said import help_with, question, table
from companion.hardware.wizard.session import WizardSession
from companion.hardware.wizard.walk import Walk
from companion.record.store import Store, StoreInUse
from companion.rules import N_
from companion.rules.cards import PAWNS
from companion.rules.message import reason, system_error
from companion.rules.mistakes import ConfigError
from companion.rules.readings import CENTRE
from companion.rules.words import comma, device, message, name, phrase, tr
from drivers.kinds import KINDS

MARKS = {"pass": "+", "warn": "?", "fail": "!"}
HINTS: Mapping[str, str] = {
    "seats": N_("(Enter: agree; a colour adds or removes it; q: stop)"),
    "button": N_("(s: skip; n: nobody else has one; b: back; q: stop)"),
    "hold": N_("(s: skip; b: back; q: stop)"),
    "reader": N_("(s: skip; n: nobody else has one; b: back; q: stop)"),
    "lamps": N_("(y: yes; n: no; b: back; q: stop)"),
}
WELL = N_("OK")
LOOK_S = 0.5
"""How long Ctrl-C may wait, in s."""
HELD_S = 0.3
"""How long the virtual hand holds a button, or leaves a card."""


def run_setup(args: argparse.Namespace) -> int:
    try:
        base, path, fresh = before(args)
        with _alone(base), _ground(bool(args.virtual)) as (ground, hand), second_bus(args, base):
            queue: SimpleQueue[Any] = SimpleQueue()
            into = None if args.virtual or args.dry_run else path
            with closing(WizardSession(ground, base, into, fresh, partial(queue.put, NEWS))) as desk:
                return _Prompts(desk, queue, args.lang or base.language, hand).run()
    except ConfigError as error:
        return fail(*error.lines)
    except StoreInUse as error:
        return fail(str(error))


def before(args: argparse.Namespace) -> tuple[Settings, Path, bool]:
    """Return the settings so far, the file to write, and whether there are none yet. Raises ConfigError.

    A file with mistakes counts as none; they are printed, and it is put aside like any other.
    """
    path = place.place(args.config)
    found = config.find(args.config)
    if found is None or not found.exists():
        return config.Settings(), path, True
    try:
        return config.load(found, KINDS), path, False
    except ConfigError as error:
        fail(*error.lines, "Nothing of this file is kept: a new one is written, and this one is moved aside.")
        return config.Settings(), path, True


@contextmanager
def _alone(base: Settings) -> Iterator[None]:
    """Lock out another Tabularium from the devices meanwhile. Raises StoreInUse if it has them already."""
    store = base.data / STORE
    with closing(Store(store)) if store.exists() else nullcontext():
        yield


@contextmanager
def _ground(virtual: bool) -> Iterator[tuple[Any, Any]]:
    """Yield the place to search; and the hand, where it is emulated."""
    if not virtual:
        from drivers.search import SearchTarget

        yield SearchTarget(), None
        return
    from drivers.virtual.setup_hardware import VirtualSetupHardware

    with closing(VirtualSetupHardware()) as table:
        yield table.ground, table


@contextmanager
def second_bus(
    args: argparse.Namespace, base: Settings, overlay: Any = None, ask: Callable[[str], str] = input
) -> Iterator[None]:
    """Switch the Pi's second bus on meanwhile, if the user agrees.

    Readers there are found before the Pi has been started with it. Any: an Overlay of drivers/.
    """
    from drivers.machine import machine

    if args.virtual or not (overlay or machine().model) or not sys.stdin.isatty():
        yield
        return
    if overlay is None:
        from drivers.rc522.overlay import Overlay
        from drivers.rig import pi_pins

        overlay = Overlay(pi_pins)
    lang = args.lang or base.language
    used = [pin for wires in base.seats.values() for pin in (wires.button, wires.lamp, wires.back) if pin is not None]
    used += [pin for pin in (base.power.button, base.power.lamp) if pin is not None]
    if not overlay.off(used):
        yield
        return
    if not overlay.allowed:
        print(tr(BY_HAND, lang))
        yield
        return
    if ask(f"{tr(SECOND, lang)} ").strip().casefold() not in YES:
        yield
        return
    with ExitStack() as on:
        try:
            on.enter_context(overlay.on())
        except OSError as error:
            print(f"  ! {message(reason(error), lang)}")
        yield


SECOND = N_(
    "Readers may also be on the second bus, SPI1, which is off. Switch it on while you look? It drives GPIO 16 to 21:"
    " say yes only if nothing but readers is wired there. (y: yes, n: no)"
)
BY_HAND = N_(
    "The second bus, SPI1, is off. If readers are there, and nothing else on GPIO 16 to 21: sudo dtoverlay spi1-3cs,"
    " then start this again; afterwards sudo dtoverlay -r spi1-3cs."
)
YES, NO = ("y", "yes", "j", "ja", "はい"), ("n", "no", "nein", "いいえ")
NEWS = object()
"""The hardware has said something."""


class _End(Exception):  # noqa: N818 - somebody has had enough
    """The end of the questions, at the user's request."""


class _Prompts:
    """The walk in a terminal: one queue holds both typed words and reports of the hardware."""

    def __init__(self, desk: WizardSession, queue: SimpleQueue[Any], lang: str, hand: Any) -> None:
        self.desk, self.lang, self._queue, self._hand = desk, lang, queue, hand
        self.say, self.phrase, self.name = partial(tr, lang=lang), partial(phrase, lang=lang), partial(name, lang=lang)

    def run(self) -> int:
        asks = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
        told = sys.stdout if asks else sys.stderr
        print(self.say(N_("Looking for readers, hubs and displays …")), file=told, flush=True)
        self.desk.look()
        for line in self._report():
            print(line, file=told)
        if not asks:
            self.desk.walk = self.desk.walk.unasked()
            print(self.desk.text(self.lang), end="")
            return 0
        Thread(target=self._listen, name="standard input", daemon=True).start()
        try:
            self.desk.listen()
            while self.desk.walk.step.kind != "done":
                self._print_question()
            return self._finish()
        except _End:
            print(self.say(N_("Nothing has been written.")))
            return 0

    def _report(self) -> Iterator[str]:
        for finding in findings(self.desk.walk.found):
            text = f"{device(finding.part, self.lang)}: {message(finding.what, self.lang)}"
            more = f" ({message(finding.next, self.lang)})" if finding.next else ""
            yield f"  {MARKS[finding.verdict]} {text}{more}"

    def _listen(self) -> None:
        for line in sys.stdin:
            self._queue.put(line.strip())
        self._queue.put(None)

    # -- one question --------------------------------------------------------------------------------------------

    def _print_question(self) -> None:
        """Ask a question, and process words until it is answered or another one is due."""
        walk = self.desk.walk
        print(f"\n{self.phrase(question(walk))}\n  {self.phrase(help_with(walk))}")
        if walk.step.kind == "seats":
            print(f"  {comma(self.lang).join(map(self.name, walk.answers.seats))}")
        self._hint()
        while (self.desk.walk.step, self.desk.walk.answers.seats) == (walk.step, walk.answers.seats):
            self._handle_word(self._next())

    def _next(self) -> Any:
        """Return the next word.

        Ctrl-C that comes just before a wait is noticed only once the wait has ended, so waits are short.
        """
        while True:
            with suppress(Empty):
                return self._queue.get(timeout=LOOK_S)

    def _hint(self) -> None:
        print(f"  {self.say(HINTS[self.desk.walk.step.kind])}", flush=True)

    def _handle_word(self, word: Any) -> None:
        if word in (None, "q", "Q"):
            raise _End
        before = self.desk.walk
        if word is NEWS:
            self.desk.drain()
            self._print_answer(before)
        elif (after := self._handle_typed(word.casefold())) is not None:
            self.desk.walk = after
        elif not (self._hand and self._moved(word.casefold())):
            self._hint()

    def _print_answer(self, before: Walk) -> None:
        """Print the response to a word, and which device has failed or recovered."""
        walk = self.desk.walk
        if walk.told and walk.told is not before.told:
            print(f"  {self.phrase(walk.told)}", flush=True)
        for part, why in walk.ill.items():
            if before.ill.get(part) != why:
                print(f"  ! {device(part, self.lang)}: {message(why, self.lang)}", flush=True)
        for part in before.ill.keys() - walk.ill.keys():
            print(f"  {device(part, self.lang)}: {self.say(WELL)}", flush=True)

    def _handle_typed(self, word: str) -> Walk | None:
        """Return the walk after a typed word; None if the word means nothing here."""
        walk = self.desk.walk
        match walk.step.kind, word:
            case _, "b":
                return walk.back()
            case "lamps", _ if word in (*YES, *NO):
                return walk.light(word in YES)
            case "seats", "":
                return walk.skip()
            case "seats", _:
                seat = next((seat for seat in PAWNS if word in (seat, self.name(seat).casefold())), None)
                return walk.sit(seat) if seat else None
            case "button" | "hold" | "reader", "s":
                return walk.skip()
            case "button" | "reader", "n":
                return walk.skip_all()
        return None

    def _moved(self, word: str) -> bool:
        """Move the hand of the virtual table: "press gpio 5", "lay spi0.0"; return whether it did."""
        act, _, of = word.partition(" ")
        buttons, readers = self._hand.sources
        source = next((source for source in (*buttons, *readers) if source.casefold() == of), "")
        if act == "press" and source in buttons:
            self._hand.hold(source)
            Timer(HELD_S, partial(self._hand.let_go, source)).start()
        elif act == "lay" and source in readers:
            self._hand.lay(source)
            Timer(HELD_S, partial(self._hand.lift, source)).start()
        return bool(source) and act in ("press", "lay")

    # -- the end -------------------------------------------------------------------------------------------------

    def _finish(self) -> int:
        desk = self.desk
        print()
        for seat, plays in table(desk.walk):
            called = device(CENTRE, self.lang) if seat == CENTRE else self.name(seat)
            print(f"  {called}: {self.phrase(plays)}")
        if desk.path is None:
            print(f"\n{desk.text(self.lang)}", end="")
            return 0
        asks = N_("Write {file}? (y: yes, n: no, b: back)")
        print("", self.say(asks, file=str(desk.path)), sep="\n", flush=True)
        while (typed := self._next()) is NEWS:
            desk.drain()
        if typed == "b":
            desk.walk = desk.walk.back()
            return self._again()
        if typed is None or typed.casefold() not in YES:
            raise _End
        return self._write()

    def _again(self) -> int:
        while self.desk.walk.step.kind != "done":
            self._print_question()
        return self._finish()

    def _write(self) -> int:
        try:
            aside = self.desk.write(self.lang)
        except OSError as error:
            print(f"\n{self.desk.text(self.lang)}", end="")
            why = self.say(N_("That did not work: {error}"), error=system_error(error))
            return fail(why, self.say(N_("The file stands above: save it as {file} yourself."), file=self.desk.path))
        print(self.say(N_("Written: {file}"), file=str(self.desk.path)))
        if aside:
            print(self.say(N_("The file that was there is now {file}"), file=str(aside)))
        print(self.say(N_("Now check everything: {tabularium} doctor")))
        return 0
