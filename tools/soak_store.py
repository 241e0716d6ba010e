"""The store's part of the soak: killed, and garbled, a thousand times; what is counted must be 0 where it says "lost".

The kills use the children of the crash tests: one goes on with a journal, the other plays a game and shows it.
A garbled store is one of an evening, closed or killed, with bytes changed, a piece missing, or a piece of something
else in it. It is opened, looked through and played on as people would; what was readable before is nobody's loss.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from threading import Event
from time import monotonic
from traceback import extract_tb

from companion import games
from companion.cli import main as tabularium
from companion.cli.common import STORE
from companion.cli.simulate import play, table
from companion.deck import known
from companion.play.evening import Evening
from companion.record.store import Store, history
from companion.record.store.database import FILES
from companion.record.transcript import event_data, header_data
from companion.rules.mistakes import Mistakes
from tests.record import test_evening_crash, test_store_crash
from ui.pages import history as pages


def soon(news: Event, _: float) -> None:
    """Wait for news for 5 ms at most, so that the store tries again almost at once."""
    news.wait(0.005)


# -- killed -----------------------------------------------------------------------------------------------------


def soak_kills(count: int, seed: int) -> str:
    """Kill that many children, half of them writing and half of them playing. Raises AssertionError for a loss."""
    chance = Random(f"kills {seed}")
    began, shown = monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        shown += _kill_writers(Path(folder), count - count // 2, chance)
        for kill in range(count // 2):
            home = Path(folder) / f"evening {kill}"
            home.mkdir()
            shown += test_evening_crash.pull_the_plug(home, chance.randrange(1, 90))
            shutil.rmtree(home)
    return f"{count} kills, {shown} acts shown: none lost ({monotonic() - began:.0f} s)"


def _kill_writers(folder: Path, count: int, chance: Random) -> int:
    """Kill children that write a journal of 2,000 events, begun anew when it is full; return the acts shown."""
    events = [f'{{"event": "pass", "seat": "red", "n": {n}, "promise": "{"ü" * (n % 90)}"}}' for n in range(2000)]
    script = folder / "script.jsonl"
    script.write_text("\n".join(events), encoding="utf-8")
    path, last, shown = folder / "0.sqlite3", 0, 0
    for kill in range(count):
        if last > len(events) - 200:
            path, last = folder / f"{kill}.sqlite3", 0
        said = max(last, test_store_crash.play_and_kill(path, script, after=chance.randrange(1, 60)))
        found = test_store_crash.journal(path)
        assert found == events[: len(found)], f"kill {kill}: a prefix, byte for byte"
        assert len(found) >= said, f"kill {kill}: {said} were shown, {len(found)} are there"
        shown, last = shown + said - last, len(found)
    return shown


# -- garbled ----------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """The outcome of the garbled stores."""

    ended: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0


def soak_garbled(count: int, seed: int) -> str:
    """Garble that many stores. Raises AssertionError if one ended in a traceback or an unreported loss."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        stores = [(home, _acts(home / STORE)) for home in _evenings(Path(folder))]
        for at in range(-5, count):  # the first few are there to have everything loaded
            if at == 0:
                tally, idle = Tally(), getrusage(RUSAGE_SELF).ru_maxrss
            chance = Random(f"garbled {seed} {at}")
            (whole, acts), home = chance.choice(stores), Path(folder) / "home"
            shutil.copytree(whole, home)
            how = garble(home / STORE, chance)
            with _counted(tally, f"store {at}: {how}"):
                tally.ended[_use(home, acts, tally)] += 1
            shutil.rmtree(home)
    more = (getrusage(RUSAGE_SELF).ru_maxrss - idle) // 1024
    ends = ", ".join(f"{end} {times}" for end, times in sorted(tally.ended.items()))
    said = f"{count} garbled stores: {ends}; {tally.faults.total()} tracebacks and losses without a word"
    said += f"; the slowest open {tally.slowest:.2f} s, {more} MB more"
    assert not tally.faults, f"{said}\n" + "\n".join(f"{n} × {what}" for what, n in tally.faults.most_common())
    return said


@contextmanager
def _counted(tally: Tally, what: str) -> Iterator[None]:
    """Count what is raised, in threads too, by where it comes from."""

    def note(error: BaseException) -> None:
        frames = extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "companion" in frame.filename or "/ui/" in frame.filename] or frames
        where = f"{type(error).__name__} in {Path(ours[-1].filename).name}:{ours[-1].lineno} ({str(error)[:120]})"
        if where not in tally.faults:
            print(f"{what}: {where}", flush=True)
        tally.faults[where] += 1

    before = threading.excepthook
    threading.excepthook = lambda thrown: note(thrown.exc_value) if thrown.exc_value else None
    try:
        yield
    except Exception as error:
        note(error)
    finally:
        threading.excepthook = before


def _evenings(folder: Path) -> Iterator[Path]:
    """Yield folders with a store that was closed, and with one whose last acts are still in its log."""
    home, killed = folder / "closed", folder / "killed"
    with closing(Store(home / STORE)) as store:
        for at, name in enumerate(games.NAMES):
            _play(Evening(store), name, Random(at), 60)
        for at in range(40):
            store.enrol(f"04A1B2C3D4{at:02X}", f"red {at % 9 + 1}", "box")
        store.keep("language", "de")
    yield home
    with closing(Store(home / STORE)) as store:
        _play(Evening(store), "prokonsul", Random(99), 40)
        shutil.copytree(home, killed)
    yield killed


def _play(evening: Evening, name: str, chance: Random, acts: int) -> None:
    game, news = games.game(name), Event()
    evening.woken = news.set
    header = table(game, game.seats[0], {})
    players = dict(zip(header.seats, ("Anna", "Böb", "千代", "=D", "E"), strict=False))
    match = evening.begin(header_data(header) | {"players": players})
    for _, (_, receipt) in zip(range(acts), play(header, chance), strict=False):
        assert receipt.event
        match.act(event_data(receipt.event))
    evening.drain()
    while evening.waiting:
        news.wait()
        news.clear()
        evening.drain()


def _acts(path: Path) -> int:
    """Return how many acts there are in all its journals."""
    ((found,),) = history.rows(path, "SELECT count(*) FROM events")
    return int(found)


HARMS = ("byte", "byte", "header", "bytes", "zeros", "noise", "cut", "gone", "text")


def garble(path: Path, chance: Random) -> str:
    """Spoil one of the store's files, or take it away; return how."""
    file = chance.choice([file for end in FILES if (file := Path(f"{path}{end}")).exists()])
    how, spoilt = chance.choice(HARMS), bytearray(file.read_bytes())
    at, size = chance.randrange(len(spoilt)), chance.choice((16, 512, 4096))
    match how:
        case "byte":
            spoilt[at] = chance.randrange(256)
        case "header":
            spoilt[at % 100] = chance.randrange(256)
        case "bytes":
            for _ in range(chance.randrange(2, 200)):
                spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        case "zeros" | "noise":
            size = min(size, len(spoilt) - at)
            spoilt[at : at + size] = bytes(size) if how == "zeros" else chance.randbytes(size)
        case "cut":
            del spoilt[at:]
        case "text":  # bytes of what was written, not of SQLite's own
            written = [place for place, byte in enumerate(spoilt) if byte in b'{}[]",:0123456789abc']
            for place in chance.sample(written, min(len(written), chance.randrange(1, 30))):
                spoilt[place] = chance.choice(b'{}[]",:0129nul \xff\x00')
    if how == "gone":
        file.unlink()
    else:
        file.write_bytes(spoilt)
    return f"{file.name} {how}"


def _use(home: Path, acts: int, tally: Tally) -> str:
    """Use the store as people would; return how it ended."""
    config = home / "config.yaml"
    config.write_text("data: .\nhardware: virtual\n", encoding="utf-8")
    for words in (["games"], ["export", "last"], ["export", "1", "--referee"]):
        _command(config, *words)
    began = monotonic()
    with closing(Store(home / STORE, patience=soon)) as store:
        evening = Evening(store, {tag: of.card for tag, of in known(store.enrolled()).items()})
        tally.slowest = max(tally.slowest, monotonic() - began)
        assert not store.trouble, store.trouble
        found, spoilt = _look(evening)
        told = "with a word" if store.note else "said of a game" if spoilt else "whole"
        assert found >= acts or told != "whole", f"a loss without a word: {acts - found} acts"
        number = _go_on(evening)
        assert not store.trouble, store.trouble
    with closing(Store(home / STORE)) as store:
        assert len(store.load(number).events) == 1, "what was shown is there"
        assert store.note is None or "left out" in str(store.note), store.note  # until they are entered again
    for words in (["deck", "list"], ["games"]):
        _command(config, *words)
    return told


def _command(config: Path, *words: str) -> None:
    with redirect_stdout(TextIOWrapper(BytesIO())), redirect_stderr(TextIOWrapper(BytesIO())):
        tabularium(["--config", str(config), *words])


def _look(evening: Evening) -> tuple[int, bool]:
    """Read the start page and every game of the history; return the acts, and whether a game is damaged."""
    assert all(isinstance(name, str) for name in evening.regulars.names)
    listed = evening.history()
    pages.rows(listed, {}, "de")
    found, damaged = 0, False
    for row in listed:
        try:
            stored = evening.store.load(row.number)
            found, damaged = found + len(stored.events), damaged or stored.note is not None
            look = evening.look(row.number)
            for move in (0, len(look.receipts)):
                pages.scene(look, move, "ja")
        except Mistakes:
            damaged = True
    return found, damaged


def _go_on(evening: Evening) -> int:
    """Resume the unfinished game, if it can be, and begin another one; return its number."""
    news = Event()
    evening.woken = news.set
    if evening.unfinished:
        with suppress(Mistakes):
            evening.resume().act({"event": "undo"})
    match = evening.begin({"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]})
    match.act({"event": "place", "seat": "red", "square": "a1"})
    evening.drain()
    while evening.waiting:
        assert news.wait(30)
        news.clear()
        evening.drain()
    return match.number


def figures(kills: int, garbled: int, seed: int) -> Iterator[str]:
    """Yield the lines of the report."""
    if kills:
        yield soak_kills(kills, seed)
    if garbled:
        yield soak_garbled(garbled, seed)
