"""Playing by ear: how soon a press is heard, through disk, teller, engine and aplay; seconds and presses an act.

Beside these stand the touches that a move takes by phone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from companion import games
from companion.cli.simulate import play, table
from companion.ear import LISTENING, _ear
from companion.ear.seats import AudioSeats
from companion.offers.table_menu import going_on
from companion.phone.view import moves
from companion.play.evening import Evening
from companion.play.table import NO_MS
from companion.record.store import Store
from companion.record.transcript import event_data
from companion.rules import Event, Seat
from companion.rules.menu import Choice, Do, Number, Then, made
from companion.rules.outline import verb
from companion.rules.readings import Press
from companion.voice.live import Live
from companion.voice.spoken_language import Spoken
from drivers.voice.cache import SpeechCache
from drivers.voice.engines import Engines, there
from drivers.voice.interruptible import patiently
from drivers.voice.sanitize import plain
from drivers.voice.sinks import Aplay
from drivers.voice.voice import Voice

Row = tuple[str, str, str]
TIMES = 30
SHORT, HELD = 0.15, NO_MS / 1000 + 0.1
"""Seconds that a press takes, from deciding on it to letting go."""
WALKS = 400
"""Random choices of each game's acts."""
BIDS = 40
"""Amounts that are chosen, from none to so many chips."""
TARGETS = {"choose": "6 s", "play": "6 s", "bid": "8 s", "province": "8 s"}
ALSA = """</usr/share/alsa/alsa.conf>
pcm.heard {{ type file slave.pcm "null" file "{file}" format "raw" }}
"""


def rows() -> Iterator[Row]:
    if not there("espeak-ng"):
        yield "by ear", "not measured", "espeak-ng is not installed"
        return
    with TemporaryDirectory() as folder:
        yield from _latency(Path(folder))
    for name in games.NAMES:
        yield from _acts(name)


# -- how soon ---------------------------------------------------------------------------------------------------


def _latency(folder: Path) -> Iterator[Row]:
    """Yield the times from a button's release, and from another player's act, to the first sample.

    The sample is taken at ALSA's file device.
    """
    heard, config = folder / "heard.raw", folder / "alsa.conf"
    config.write_text(ALSA.format(file=heard))
    before = os.environ.get("ALSA_CONFIG_PATH")
    os.environ["ALSA_CONFIG_PATH"] = str(config)
    store = Store(folder / "tabularium.sqlite3")
    evening = Evening(store, clock=lambda: 0, listening=LISTENING)
    evening.ears = ("red",)
    live = Live(store, lambda: "en")
    voice = Voice({"red": Aplay("heard")}, Engines, lambda _: None, SpeechCache(folder))
    live.open(voice)
    evening.port.subscribe(live.hear)
    try:
        people = {"red": "Anna", "blue": "Bert", "green": "Chiara"}
        evening.begin({"tabularium": 1, "game": "spartacus", "seats": [*people], "players": people})
        _first(evening, heard, lambda: None, 3)
        t = 0

        def press() -> None:
            nonlocal t
            t += 5_000
            evening.devices.inbox.put(Press("red", True, t))
            evening.drain()
            evening.devices.inbox.put(Press("red", False, t + 90))

        pressed = [_first(evening, heard, press, 2) for _ in range(TIMES)]
        yield "a press, to the first sample of its entry", text(pressed), "target: 95 of 100 within 200 ms"
        match, acted = evening.match, list[float]()
        assert match
        robot = Random(1)
        while len(acted) < TIMES:
            moves = match.session.legal()
            event = robot.choice(moves).pick(robot.choice)
            acted.append(_first(evening, heard, lambda event=event: match.act(event_data(event)), 6))  # type: ignore[misc]
            if match.session.view()["over"]:
                break
        yield "an act, written, told with names", text(acted), "target: 95 of 100 within 600 ms"
    finally:
        voice.close()
        store.close()
        if before is None:
            del os.environ["ALSA_CONFIG_PATH"]
        else:
            os.environ["ALSA_CONFIG_PATH"] = before


def _first(evening: Evening, heard: Path, act: Callable[[], object], most: float) -> float:
    """Act, and return the ms until the first sample, or 0 where none comes within `most` seconds.

    Returns once it is quiet again.
    """
    heard.unlink(missing_ok=True)
    began = perf_counter()
    act()
    late = 0.0
    while perf_counter() - began < most:
        evening.drain()
        if heard.exists() and heard.stat().st_size:
            late = (perf_counter() - began) * 1e3
            break
        sleep(0.0005)
    size = -1
    while heard.exists() and heard.stat().st_size != size:  # all of it
        size = heard.stat().st_size
        sleep(0.25)
    return late


def text(late: Sequence[float]) -> str:
    ordered = sorted(each for each in late if each)
    return (
        f"{ordered[len(ordered) // 2]:.0f} ms, 95 of 100 in {ordered[len(ordered) * 95 // 100]:.0f} ms ({len(ordered)})"
    )


# -- how long ---------------------------------------------------------------------------------------------------


def _acts(name: str) -> Iterator[Row]:
    """Yield the seconds and presses of every verb, from the top of the list to its event, and the length of the recap.

    Each entry is as likely as any other. The recap is what is said without a request: the current prompt, and what the
    seat holds.
    """
    game, rng = games.game(name), Random(name)
    header = replace(table(game, game.seats[0], {}), players={})
    header = replace(header, ears=header.seats)
    took: dict[str, list[tuple[float, int]]] = {}
    touched: list[int] = []
    recap: list[float] = []
    tongue = Spoken("en", header.players)
    for session, _ in play(header, rng):
        seats = [seat for seat in session.view()["waiting"] if seat in header.seats]
        if not seats or len(recap) * 12 > WALKS:
            continue
        hands = AudioSeats(session, header)
        seat: Seat = rng.choice(seats)
        recap.append(sum(_spoken(tongue.tr(of.text, **of.facts)) for of in going_on(hands._acts(seat))))
        acts = Choice(None, hands._acts(seat).entries())
        read = Choice(None, moves(replace(hands._acts(seat), read=True))[1])
        for _ in range(12):
            if found := _walk(acts, tongue, rng):
                event, seconds, presses = found
                took.setdefault(verb(type(event)), []).append((seconds, presses))
            if count := _touches(read, rng):
                touched.append(count)
    for of, each in took.items():
        seconds, presses = (sum(part) / len(each) for part in zip(*each, strict=True))
        yield f"{name}, by ear: {of}", f"{seconds:.1f} s, {presses:.1f} presses", _target(of)
    pressed = [presses for each in took.values() for _, presses in each]
    by_ear, by_phone = sum(pressed) / len(pressed), sum(touched) / len(touched)
    beside = f"{by_ear:.1f} presses by ear, {by_ear / by_phone:.2f} times as many; aim: 3 times"
    yield f"{name}, by phone: a move", f"{by_phone:.2f} touches", beside
    yield (
        f"{name}, by ear: how things stand",
        f"{sum(recap) / len(recap):.1f} s, most {max(recap):.1f} s",
        "target: 8 s",
    )


def _target(of: str) -> str:
    return f"target: {TARGETS[of]}" if of in TARGETS else ""


def _walk(then: Then, tongue: Spoken, rng: Random) -> tuple[Event, float, int] | None:
    """Walk down to some event; return it with its seconds and presses, or None where there is none."""
    seconds, presses = 0.0, 0
    while True:
        match made(then):
            case Choice(ask, entries, private):
                if not entries:
                    return None
                said = [tongue.tr(entry.text, **entry.facts) for entry in entries]
                at, first = rng.randrange(len(entries)), rng.randrange(len(entries)) if private else 0
                steps = (at - first) % len(entries)
                seconds += _spoken(tongue.tr(ask.text, **ask.facts)) if ask else 0.0
                seconds += sum(_apart(said, (first + step) % len(said)) for step in range(steps + 1))
                seconds += SHORT * (steps + (not presses)) + HELD
                presses += steps + 1 + (not presses)  # the first one of all begins the list
                then = entries[at].then
            case Number(ask, least, most, goes_on, private) as number:
                value = rng.randint(least, min(most, least + BIDS))
                begins = rng.randint(least, most) if private else max(least, number.begins)
                way, count = min(_runs(begins, value, least, most, private=private))
                seconds += (_spoken(tongue.tr(ask.text, **ask.facts)) if ask else 0.0) + way + HELD
                presses += count + 1
                then = goes_on(value)
            case Do() | list() | tuple():
                return None
            case event:
                return event, seconds, presses  # type: ignore[return-value] # the only kind that is left


def _touches(then: Then, rng: Random) -> int:
    """Walk down a phone's lists to some event; return the touches, 0 where there is none."""
    touches = 0
    while True:
        match made(then):
            case Choice(_, []) | Do() | list() | tuple():
                return 0
            case Choice(_, entries):
                then = rng.choice(entries).then
            case Number(_, least, most, goes_on):
                then = goes_on(rng.randint(least, min(most, least + BIDS)))
            case _:
                return touches
        touches += 1


def _runs(begins: int, value: int, least: int, most: int, *, private: bool) -> Iterator[tuple[float, int]]:
    """Yield seconds and presses of each way to a number: by ones, or by tens and then ones; either way round a ring."""
    around = most - least + 1
    for by, extra in ((1, 1), (-1, 2)):
        far = (value - begins) * by
        far = far % around if private else far
        if far < 0:
            continue
        yield SHORT * extra + 0.5 * extra + _held(far), extra + bool(far)
        tens, ones = divmod(far, 10)
        if tens:
            yield SHORT * (extra + 4) + 0.5 * (extra + 4) + _held(tens) + _held(ones), extra + 4 + 2


@cache
def _held(steps: int) -> float:
    """Return the seconds that the button is held until that many steps have run, plus the number spoken then."""
    if not steps:
        return 0.0
    ms = next(ms for ms in range(0, 60_000, 10) if _ear.steps(ms) >= steps)
    return (NO_MS + ms) / 1000 + 0.6


def _apart(said: Sequence[str], at: int) -> float:
    """Return the seconds until the word has been said that tells this entry from all others."""
    words = said[at].split()
    others = [other for place, other in enumerate(said) if place != at]
    for count in range(1, len(words) + 1):
        part = " ".join(words[:count])
        if not any(re.match(re.escape(part) + r"\b", other) for other in others):
            return _spoken(part)
    return _spoken(said[at])


@cache
def _spoken(text: str) -> float:
    """Return the seconds that espeak-ng takes to say a text at its usual pace."""
    if not text.strip():
        return 0.0
    with closing(Engines()) as engines:
        engine = engines.of("en")
        assert engine
        return sum(piece.seconds for piece in engine.speak(plain(text, "en"), "en", 100, patiently))
