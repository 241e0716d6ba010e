"""The way of a card, from the tag on the chip to the widget that shows it, as it is really called.

`python -m tools.way` plays one card on the virtual table, draws what was called as docs/way.svg and prints how long the
way is; `--check` draws nothing and ends with 1 where the drawing shows another way.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import TYPE_CHECKING

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from ui.app import TableApp

DRAWING = ROOT / "docs" / "way.svg"
OURS = tuple(str(ROOT / package) + os.sep for package in ("companion", "drivers", "ui"))
CARD = "red 7"
FRAMES = 1000
"""After this many frames, a place that has not been passed is no longer on the way."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A function on the way."""

    file: str
    name: str


Stack = tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A point on the way: a function called in this lane; `when` looks at what it is called with."""

    lane: str
    what: str
    file: str
    name: str
    when: Callable[[Mapping[str, object]], bool] = lambda _: True


def comes(given: Mapping[str, object]) -> bool:
    return getattr(given["word"], "present", False)


def acted(given: Mapping[str, object]) -> bool:
    return bool(getattr(given["shown"], "receipts", ()))


DRIVER, MAIN, WRITER = "driver thread", "main thread", "writer thread"
PLACES = (
    Place(DRIVER, "the tag is found", "drivers/rc522/search.py", "TagSearch._read_id"),
    Place(DRIVER, "its word is put into the queue", "companion/system/inbox.py", "Inbox.put", comes),
    Place(MAIN, "the rules apply", "companion/games/spartacus/rules.py", "apply"),
    Place(MAIN, "the journal takes it", "companion/record/store/store.py", "Store.append"),
    Place(WRITER, "it is on disk", "companion/record/store/database.py", "Database.write"),
    Place(MAIN, "the port says so", "companion/play/port.py", "Port.say", acted),
    Place(MAIN, "its widget shows it", "ui/widgets/shape.py", "CardFace.show", lambda given: given["card"] == CARD),
)


class Record:
    """The stacks of our own functions at each place, when it is first passed."""

    def __init__(self) -> None:
        self.on = False
        self.stacks: dict[Place, Stack] = {}
        self._places = {(str(ROOT / place.file), place.name): place for place in PLACES}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Keep the stack at a place that is first passed; Python calls this for every call of every thread."""
        if not self.on or event != "call":
            return
        place = self._places.get((frame.f_code.co_filename, frame.f_code.co_qualname))
        if place and place not in self.stacks and place.when(frame.f_locals):
            self.stacks[place] = tuple(stack(frame))[::-1]

    @property
    def legs(self) -> Mapping[Place, Stack]:
        """Return the stacks in the order of the way. Raises LookupError for a place that was not passed."""
        missed = [f"{place.file} {place.name}" for place in PLACES if place not in self.stacks]
        if missed:
            raise LookupError(f"The way no longer leads through {', '.join(missed)}.")
        return {place: self.stacks[place] for place in PLACES}

    @property
    def whole(self) -> bool:
        return len(self.stacks) == len(PLACES)


def stack(frame: FrameType | None) -> Iterator[Hop]:
    """Yield our own functions that are being called, the innermost first."""
    while frame:
        code = frame.f_code
        if code.co_filename.startswith(OURS):
            yield Hop(Path(code.co_filename).relative_to(ROOT).as_posix(), code.co_qualname.replace(".<locals>", ""))
        frame = frame.f_back


def recorded(folder: Path) -> Mapping[Place, Stack]:
    """Play one card in a new window; return the stack at each place."""
    record = Record()
    threading.setprofile(record)  # before the threads begin
    from ui import window

    window.configure(window.Screen(width=800, height=480))
    from kivy.clock import Clock

    from companion.cli.virtual import VirtualDock, virtual_deck
    from companion.play.evening import Evening
    from companion.record.store import Store
    from companion.rules.cards import DECK, PAWNS
    from drivers.virtual.rig import VirtualRig
    from ui.app import TableApp

    deck, store = virtual_deck(), Store(folder / "store.sqlite3")
    evening = Evening(store, {tag: DECK[card] for card, tag in deck.items()})
    rig = VirtualRig(PAWNS, evening.devices.inbox.put)
    app = TableApp(evening, VirtualDock(rig, deck))
    steps = played(record, app, partial(rig.lay, "centre", deck[CARD]))
    Clock.schedule_interval(lambda _: next(steps, None), 0)
    app.run()
    rig.close()
    store.close()
    return record.legs


def played(record: Record, app: TableApp, lay: Callable[[], object]) -> Iterator[None]:
    """Play a card, yielding once a frame; the card is laid when nothing else happens."""
    app.evening.begin({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"], "reveal": "auto"})
    app.go("table")
    for _ in range(60):  # until the work after the first frames is done
        yield
    record.on = True
    sys.setprofile(record)
    lay()
    for _ in range(FRAMES):
        if record.whole:
            break
        yield
    sys.setprofile(None)
    app.stop()


# -- the drawing ------------------------------------------------------------------------------------------------

WIDE, TALL, STEP, GAP, TOP, LEFT = 270, 30, 38, 84, 60, 40
FONT = "font-family='sans-serif'"


@dataclass(frozen=True, slots=True)
class Box:
    """A function in its lane: where it is drawn, by which box it is called and how deep, and what happens there."""

    hop: Hop
    x: int
    y: int
    caller: int | None
    depth: int
    what: str = ""


def boxes(legs: Mapping[Place, Stack]) -> Sequence[Box]:
    """Return a box for each function; a lane begins beside what it is waiting for."""
    found: dict[tuple[str, Stack], int] = {}
    made: list[Box] = []
    lows = {DRIVER: TOP, MAIN: TOP, WRITER: 0}
    for place, hops in legs.items():
        x = LEFT + (DRIVER, MAIN, WRITER).index(place.lane) * (WIDE + GAP)
        lows[place.lane] = lows[place.lane] or made[-1].y
        for depth in range(1, len(hops) + 1):
            key = place.lane, hops[:depth]
            if key not in found:
                caller = found.get((place.lane, hops[: depth - 1]))
                what = place.what if depth == len(hops) else ""
                found[key] = len(made)
                made.append(Box(hops[depth - 1], x, lows[place.lane], caller, depth - 1, what))
                lows[place.lane] += STEP + (18 if what else 0)
    return made


def drawn(made: Sequence[Box]) -> str:
    """Return the picture, as SVG."""
    high = max(box.y for box in made) + STEP + 36
    wide = 2 * LEFT + 3 * WIDE + 2 * GAP
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide} {high}' width='{wide}' height='{high}'>",
        f"<rect width='{wide}' height='{high}' fill='#fbf8f1'/>",
        "<defs><marker id='to' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>"
        "<path d='M0 0 8 4 0 8z' fill='#8c2f1f'/></marker></defs>",
    ]
    for at, lane in enumerate((DRIVER, MAIN, WRITER)):
        x = LEFT + at * (WIDE + GAP)
        lines.append(f"<text x='{x}' y='36' {FONT} font-size='18' font-weight='bold' fill='#2b2622'>{lane}</text>")
    for box in made:
        lines += [*_call(made, box), *_box(box)]
    lines += _crossings(made)
    return "\n".join([*lines, "</svg>", ""])


def _box(box: Box) -> Iterator[str]:
    edge = "#8c2f1f" if box.what else "#b8ab97"
    yield f"<rect x='{box.x}' y='{box.y}' width='{WIDE}' height='{TALL}' rx='4' fill='#fffdf8' stroke='{edge}'/>"
    yield (
        f"<text x='{box.x + 8}' y='{box.y + 13}' {FONT} font-size='12' font-weight='bold' fill='#2b2622'>"
        f"{escape(box.hop.name)}</text>"
    )
    yield f"<text x='{box.x + 8}' y='{box.y + 25}' {FONT} font-size='10' fill='#6f665b'>{box.hop.file}</text>"
    if box.what:
        yield (
            f"<text x='{box.x + 8}' y='{box.y + TALL + 14}' {FONT} font-size='12' font-style='italic' fill='#8c2f1f'>"
            f"{box.what}</text>"
        )


def _call(made: Sequence[Box], box: Box) -> Iterator[str]:
    """Yield a line from the caller: straight down to the next box, round the side to any other, outer calls outside."""
    if box.caller is None:
        return
    caller = made[box.caller]
    if box.y - caller.y == STEP:
        yield f"<path d='M{box.x + 20} {caller.y + TALL}V{box.y}' stroke='#b8ab97' fill='none'/>"
    else:
        out = max(10, 30 - 8 * caller.depth)
        yield (
            f"<path d='M{box.x} {caller.y + TALL // 2}h-{out}V{box.y + TALL // 2}h{out}' stroke='#b8ab97' fill='none'/>"
        )


def _crossings(made: Sequence[Box]) -> Iterator[str]:
    """Yield the lines from thread to thread: the queue, the journal, and the answer of the disk."""
    ends, starts = {box.what: box for box in made}, {box.hop.name: box for box in made}
    for end, start in (
        ("its word is put into the queue", "Devices.hear"),
        ("the journal takes it", "Store._write_until_closed"),
        ("it is on disk", "Match.show"),
    ):
        one, other = ends[end], starts[start]
        ahead = other.x > one.x
        x, to = (one.x + WIDE, other.x) if ahead else (one.x, other.x + WIDE)
        yield (
            f"<path d='M{x} {one.y + TALL // 2}h{20 if ahead else -20}V{other.y + TALL // 2}H{to}' stroke='#8c2f1f'"
            " stroke-width='1.6' fill='none' marker-end='url(#to)'/>"
        )


def main(*args: str) -> int:
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    with TemporaryDirectory() as folder:
        made = boxes(recorded(Path(folder)))
    picture = drawn(made)
    if "--check" not in args:
        DRAWING.write_text(picture, encoding="utf-8")
    print(f"{len(made)} functions in {len({box.hop.file for box in made})} files")
    if DRAWING.read_text(encoding="utf-8") == picture:
        return 0
    print(
        "docs/way.svg shows another way than this: make docs",
        *(f"{box.hop.name} {box.hop.file}" for box in made),
        sep="\n",
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
