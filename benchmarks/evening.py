"""Evenings at the virtual table in a window: cards and fists, random legal play by finger, two thousand events."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from benchmarks.window import SETTLED, Frames, Watched, report
from companion import games
from companion.record.transcript import event_data

EVENTS = 120
"""Acts of each game."""
EVERY = 0.1
"""Seconds from one act to the next."""
DOWN = 0.05
"""How long a finger stays on the glass, in s."""
LONG = 2000
"""Events of a long evening."""
GAME = 100
"""Events after which another game is taken out: with undos random play goes on for ever."""


def header(game: str) -> Mapping[str, Any]:
    """Return the header of a table with all the seats the game has."""
    one = games.game(game)
    return {"tabularium": 1, "game": game, "seats": list(one.fixed or one.colours[: one.seats[-1]])}


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 95th percentile and the longest."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[len(ordered) * 95 // 100], ordered[-1]


# -- by finger --------------------------------------------------------------------------------------------------


class Finger:
    """A source of touches for Kivy: one every tenth of a second, at any moment of a frame, each down for a while.

    Plays any legal event: by a touch on its control where the board has one, else as a pad would do it. A control
    acts when the finger is lifted: that is when the wait begins.
    """

    def __init__(self, watched: Watched, game: str) -> None:
        self.watched, self.game, self.robot = watched, game, Random(1)
        self.late: list[float] = []
        """From the touch to the pixels that show it, in ms."""
        self.touches: list[bool] = []
        self.lifts: list[float] = []
        self.chosen: Mapping[str, Any] = {}
        self.touch: Any = None
        self.done = 0
        Thread(target=self._tap, daemon=True).start()

    def _tap(self) -> None:
        while True:
            time.sleep(EVERY - DOWN + self.robot.uniform(-0.015, 0.015))
            self.touches.append(True)
            time.sleep(DOWN)
            self.lifts.append(time.perf_counter())

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def update(self, dispatch_fn: Any) -> None:  # noqa: ARG002 - Kivy names it
        """Press or lift the finger when that is due; Kivy calls this once a frame."""
        evening, app = self.watched.evening, self.watched.app
        if self.touch and self.lifts:
            self._lift(self.lifts[0])
        elif not self.touch and self.touches and evening.match and app.page.name == "table" and not evening.waiting:
            self.touches.clear()
            self.lifts.clear()
            if moves := app.match.session.legal():
                self._press(event_data(self.robot.choice(moves).pick(self.robot.choice)))

    def _press(self, event: Mapping[str, Any]) -> None:
        """Press the control that does this, or the band, which does nothing, where there is none."""
        from kivy.base import EventLoop
        from kivy.core.window import Window
        from kivy.input.providers.mouse import MouseMotionEvent

        acts = getattr(self.watched.app.page.board, "acts", None)
        taps = [tap for tap in acts.taps if tap.parent and tap.act.args[0].event == event] if acts else []
        x, y = taps[0].to_window(*taps[0].center) if taps else (1, Window.height - 1)
        place = x / Window.width, y / Window.height, "left"
        self.chosen = event
        self.touch = MouseMotionEvent("finger", "finger", place, is_touch=True, type_id="touch")
        EventLoop.post_dispatch_input("begin", self.touch)

    def _lift(self, when: float) -> None:
        from kivy.base import EventLoop

        evening, app, touch = self.watched.evening, self.watched.app, self.touch
        self.touch = None
        EventLoop.post_dispatch_input("end", touch)
        if not evening.waiting:
            self.watched.app.act(self.chosen)
        if evening.waiting:
            self.done += 1
            self._wait(when, len(app.match.log) + app.match.waiting)

    def _wait(self, when: float, count: int) -> None:
        match = self.watched.app.match
        self.watched.awaited.append((lambda: len(match.log) >= count, lambda now: self.late.append((now - when) * 1e3)))


def play(folder: Path, game: str) -> None:
    """Play random legal acts, ten a second; begin another game when one ends."""
    watched = Watched(folder)
    finger = Finger(watched, game)
    from kivy.base import EventLoop

    EventLoop.add_input_provider(finger)
    begun: list[int] = []

    def step() -> None:
        evening, app = watched.evening, watched.app
        if finger.done >= EVENTS:
            app.stop()
        elif not evening.match or (not evening.waiting and app.match.view["over"]):
            begun.append(len(watched.work))
            evening.begin(header(game))
            app.go("table")
            finger.touches.clear()

    watched.run(step)
    turns = {frame + more for frame in begun for more in range(4)}  # the page turns
    work = [ms for at, ms in enumerate(watched.work) if at not in turns and at > begun[0]]
    over = sum(ms > 50 for ms in work)
    drawn = spread(watched.drawn[4:])
    report(late=spread(finger.late), work=spread(work), drawn=drawn, over=over, frames=len(work))


def label(_: Path) -> None:
    """Change the only label of a bare window ten times a second, at any moment of a frame."""
    from kivy.app import App
    from kivy.uix.label import Label

    words, robot, late = Label(font_size=40), Random(1), list[float]()
    app = App()
    app.build = lambda: words
    frames = Frames(app)
    due = time.perf_counter() + 1

    def step() -> None:
        nonlocal due
        if len(late) == EVENTS:
            app.stop()
        elif not frames.awaited and time.perf_counter() >= due:
            words.text, when = str(len(late)), due
            frames.awaited.append((lambda: True, lambda now: late.append((now - when) * 1e3)))
            due = when + EVERY + robot.uniform(-0.015, 0.015)

    frames.run(step)
    report(late=spread(late), work=spread(frames.work), drawn=spread(frames.drawn), frames=len(frames.work),
           over=sum(ms > 50 for ms in frames.work))  # fmt: skip


# -- by card ----------------------------------------------------------------------------------------------------


def cards(folder: Path, delay: str) -> None:
    """Lay cards on the virtual reader and open fists for ten rounds, with a disk whose writes take `delay` seconds."""
    from companion.record.store.database import Database

    write = Database.write

    def slowly(db: Database, works: Any) -> None:
        time.sleep(float(delay))
        write(db, works)

    Database.write = slowly  # type: ignore[method-assign, assignment]
    watched = Watched(folder)
    waits: dict[str, list[float]] = {"card": [], "button": [], "heard": []}
    steps = _rounds(watched, waits)

    def step() -> None:
        if next(steps, "over") == "over":
            watched.app.stop()

    watched.run(step)
    report(work=spread(watched.work[SETTLED + 8 :]), whole=spread([*waits["card"], *waits["button"]]),
         **{name: spread(times) for name, times in waits.items()})  # fmt: skip


def _rounds(watched: Watched, waits: Mapping[str, list[float]]) -> Iterator[None]:
    """Play ten rounds without a decision, so that every card of three hands is laid; yield once a frame."""
    dock, seats = watched.dock, ("red", "blue", "green")
    options = {"negotiation": "free", "no_decision": True}
    match = watched.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": list(seats), "options": options})
    watched.app.go("table")
    match.act({"event": "province", "province": "asia"})
    while match.view["phase"] != "choosing":
        yield

    robot = Random(1)

    def until(shown: Callable[[], object], what: str, do: Callable[..., object], *args: str) -> Iterator[None]:
        """Act, and wait until a frame shows it; note the ms since the act, and since the hardware reported it."""
        pause = time.perf_counter() + robot.uniform(EVERY, 2 * EVERY)
        while time.perf_counter() < pause:  # at any moment of a poll and a frame, when the last card is known to be off
            yield
        began, done = time.perf_counter(), list[float]()
        do(*args)
        watched.awaited.append((shown, done.append))
        while not done:
            yield
        waits[what].append((done[0] - began) * 1e3)
        waits["heard"].append((done[0] - watched.heard) * 1e3)

    for rank in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12):
        for seat in seats:
            tag = dock.deck[f"{seat} {rank}"]
            yield from until(lambda seat=seat: seat in match.view["chosen"], "card", dock.lay, "centre", tag)  # type: ignore[misc]
            dock.lift("centre", tag)
        for seat in seats:
            yield from until(lambda seat=seat: seat in match.closed, "button", dock.hold, seat)  # type: ignore[misc]
        for seat in seats:
            dock.let_go(seat)
        while match.view["phase"] == "choosing":
            yield
        match.act({"event": "no_decision"})
        while match.view["chosen"] or match.view["phase"] != "choosing":
            yield


# -- a long evening ---------------------------------------------------------------------------------------------


def long(folder: Path) -> None:
    """Play all the games in turn, an event a frame, as fast as possible; report the memory after each eighth."""
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")
    watched = Watched(folder)
    robot, memory, names = Random(1), list[float](), iter(games.NAMES * LONG)
    done = begun = 0

    def step() -> None:
        nonlocal done, begun
        evening, app = watched.evening, watched.app
        if evening.match and (evening.waiting or evening.devices.inbox.qsize()):
            return
        moves = app.match.session.legal() if evening.match else ()
        if not moves or done - begun == GAME:
            begun = done
            evening.begin(header(next(names)))
            app.go("table")
            return
        app.act(event_data(robot.choice(moves).pick(robot.choice)))
        done += 1
        if done % (LONG // 8) == 0:
            memory.append(_resident())
        if done == LONG:
            app.stop()

    watched.run(step)
    report(memory=memory, most=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _resident() -> float:
    """Return the memory that is in use now, in MiB."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
