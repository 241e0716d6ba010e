"""The store's part of the soak: killed, and garbled, a thousand times; what is counted must be 0 where it says "lost".

The kills use the children of the crash tests: one goes on with a journal, the other plays a game and shows it.
A garbled store is one of an evening, closed or killed, with bytes changed, a piece missing, or a piece of something
else in it. It is opened, looked through and played on as people would; what was readable before is nobody's loss.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from threading import Event, excepthook
from time import monotonic
from traceback import extract_tb

from companion import games
from companion.cli import main as tabularium
from companion.cli.common import STORE
from companion.deck import known
from companion.evening import Evening
from companion.mistakes import Mistakes
from companion.simulate import play, table
from companion.store import Store
from companion.store.database import FILES
from companion.transcript import event_data, header_data
from tests import test_evening_crash, test_store_crash
from ui.pages import history


def soon(news: Event, _: float) -> None:
    """Patience: tries again almost at once."""
    news.wait(0.005)


# -- killed -----------------------------------------------------------------------------------------------------


def soak_kills(count: int, seed: int) -> str:
    """Kills that many children, half of them writing and half of them playing. Raises AssertionError for a loss."""
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
    """A journal of 2,000 events, begun anew when it is full."""
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
    """What became of the garbled stores."""

    ended: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)


def soak_garbled(count: int, seed: int) -> str:
    """Garbles that many stores. Raises AssertionError if any of them ended in a traceback or a silent loss."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        stores = list(_evenings(Path(folder)))
        idle = getrusage(RUSAGE_SELF).ru_maxrss
        for at in range(count):
            chance = Random(f"garbled {seed} {at}")
            home = Path(folder) / "home"
            shutil.copytree(chance.choice(stores), home)
            how = garble(home / STORE, chance)
            began = monotonic()
            with _counted(tally, f"{at} {how}"):
                tally.ended[_use(home)] += 1
            tally.slowest = max(tally.slowest, monotonic() - began)
            shutil.rmtree(home)
    more = (getrusage(RUSAGE_SELF).ru_maxrss - idle) // 1024
    told = ", ".join(f"{end}: {times}" for end, times in tally.ended.most_common())
    said = f"{count} garbled stores ({told}); the slowest {tally.slowest:.2f} s, {more} MB more"
    assert not tally.faults, f"{said}\n" + "\n".join(f"{n} × {what}" for what, n in tally.faults.most_common())
    return said


@contextmanager
def _counted(tally: Tally, what: str) -> Iterator[None]:
    """Counts what is raised, also in a thread, by where it comes from."""
    import threading

    def note(error: BaseException) -> None:
        ours = [
            frame
            for frame in extract_tb(error.__traceback__)
            if "companion" in frame.filename or "/ui/" in frame.filename
        ]
        at = ours[-1] if ours else extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(at.filename).name}:{at.lineno} ({str(error)[:80]})"
        if where not in tally.faults:
            print(f"{what}: {where}", flush=True)
        tally.faults[where] += 1

    threading.excepthook = lambda args: note(args.exc_value) if args.exc_value else None
    try:
        yield
    except Exception as error:
        note(error)
    finally:
        threading.excepthook = excepthook


def _evenings(folder: Path) -> Iterator[Path]:
    """Folders with a store that was closed, and one whose last acts are still in its log."""
    home = folder / "closed"
    with closing(Store(home / STORE)) as store:
        for at, name in enumerate(games.NAMES):
            _play(Evening(store), name, Random(at), 60)
        for at in range(40):
            store.enrol(f"04A1B2C3D4{at:02X}", f"red {at % 9 + 1}", "box")
        store.keep("language", "de")
    yield home
    killed = folder / "killed"
    with closing(Store(home / STORE)) as store:
        store.take_up(store.load(1))
        _play(Evening(store), "prokonsul", Random(99), 40)
        shutil.copytree(home, killed)
    yield killed


def _play(evening: Evening, name: str, chance: Random, acts: int) -> None:
    game = games.game(name)
    header = table(game, game.seats[0], {})
    match = evening.begin(
        header_data(header) | {"players": dict(zip(header.seats, ("Anna", "Böb", "千代", "D", "E"), strict=False))}
    )
    for _, (_, receipt) in zip(range(acts), play(header, chance), strict=False):
        assert receipt.event
        match.act(event_data(receipt.event))
    while evening.store.safe < match._ticket:
        pass


def garble(path: Path, chance: Random) -> str:
    """Spoils one of the store's files, or takes it away; returns how."""
    files = [file for end in FILES if (file := Path(f"{path}{end}")).exists()]
    file = chance.choice(files)
    whole = file.read_bytes()
    how = chance.choice(("byte", "byte", "byte", "header", "bytes", "zeros", "cut", "foreign", "gone", "text"))
    spoilt = bytearray(whole)
    match how:
        case "byte" if whole:
            spoilt[chance.randrange(len(whole))] = chance.randrange(256)
        case "header" if whole:
            spoilt[chance.randrange(min(100, len(whole)))] = chance.randrange(256)
        case "bytes" if whole:
            for _ in range(chance.randrange(2, 200)):
                spoilt[chance.randrange(len(whole))] = chance.randrange(256)
        case "zeros" | "foreign" if whole:
            at = chance.randrange(len(whole))
            size = chance.choice((16, 512, 4096))
            spoilt[at : at + size] = bytes(size) if how == "zeros" else chance.randbytes(size)
        case "cut":
            spoilt = spoilt[: chance.randrange(len(whole) + 1)]
        case "text":  # a byte of what was written, not of SQLite's own
            found = [at for at in range(len(whole)) if whole[at : at + 1] in b'{}[]",:0123456789abc']
            for at in chance.choices(found, k=chance.randrange(1, 30)) if found else ():
                spoilt[at] = chance.choice(b'{}[]",:0129nul \xff\x00')
        case "gone":
            file.unlink()
            return f"{file.name} {how}"
    file.write_bytes(spoilt)
    return f"{file.name} {how}"


def _use(home: Path) -> str:
    """What people do with what is there: the command line, the start page, history, going on. Returns how it ended."""
    config = home / "config.yaml"
    config.write_text("data: .\nhardware: virtual\n", encoding="utf-8")
    for words in (["games"], ["export", "last"], ["export", "1"], ["deck", "list"]):
        with redirect_stdout(TextIOWrapper(BytesIO())), redirect_stderr(TextIOWrapper(BytesIO())):
            tabularium(["--config", str(config), *words])
    woken = Event()
    with closing(Store(home / STORE, patience=soon)) as store:
        evening = Evening(store, {tag: of.card for tag, of in known(store.enrolled()).items()})
        evening.woken = woken.set
        _look(evening)
        how = "as before"
        if evening.unfinished:
            try:
                match = evening.resume()
            except (LookupError, Mistakes):
                how = "not to be resumed"
            else:
                how = "resumed"
                match.act({"event": "undo"})
        match = evening.begin({"tabularium": 1, "game": "caesar", "seats": ["red", "blue"]})
        match.act({"event": "place", "seat": "red", "square": "a1"})
        while evening.waiting:
            woken.wait(10)
            woken.clear()
            evening.drain()
        assert not store.trouble, store.trouble
        said = store.note
        number = match.number
    with closing(Store(home / STORE)) as store:
        assert len(store.load(number).events) == 1, "what was shown is there"
    return f"{how}, {'with a word' if said else 'no word'}"


def _look(evening: Evening) -> None:
    """The start page, and every game of the history from its first act to its last."""
    evening.players(), evening.colours, evening.last_table
    rows = evening.history()
    history.rows(rows, {}, "de")
    for row in rows:
        try:
            look = evening.look(row.number)
        except (LookupError, Mistakes):
            continue
        for move in (0, len(look.receipts)):
            history.scene(look, move, "ja")


def figures(kills: int, garbled: int, seed: int) -> Iterator[str]:
    """The lines of the report."""
    if kills:
        yield soak_kills(kills, seed)
    if garbled:
        yield soak_garbled(garbled, seed)
