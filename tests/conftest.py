"""Settings for Hypothesis on a busy machine, and fixtures for windows, which run as separate processes."""

import atexit
import gc
import os
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import chain, product
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import pytest
from hypothesis import HealthCheck, settings

from tests.support.paths import ROOT
from tests.support.pcscd import Pcscd
from tests.support.tables import EVERYTHING, times

PCSCD = Path(gettempdir()) / f"tabularium-tests-{os.getpid()}.comm"
"""The socket of the tests' own pcscd, if there is one. It is set before libpcsclite looks, which it does once; so the
computer's own readers take no part in any test."""
os.environ["PCSCLITE_CSOCK_NAME"] = str(PCSCD)

NOBODYS = TemporaryDirectory(prefix="tabularium-tests-")
os.environ["XDG_CONFIG_HOME"] = NOBODYS.name
"""The settings of the person who runs the tests have nothing to do with them either."""

UNTOUCHED = TemporaryDirectory(prefix="tabularium-tests-")
os.environ["PATH"] = f"{UNTOUCHED.name}:{os.environ['PATH']}"
"""No test changes this computer: one that means a scratch root, and reaches this computer's apt, fails instead."""
for name in ("apt-get", "apt-mark"):
    (refusing := Path(UNTOUCHED.name, name)).write_text(
        f'#!/bin/sh\necho "a test must not use {name}: $*" >&2; exit 100\n'
    )
    refusing.chmod(0o755)

for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)  # a `make` that a test runs must not inherit those of `make test`

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background of a shell: children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadlines: speed is measured in the benchmarks and nowhere else.
settings.register_profile(
    "tabularium", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=times(25, 250)
)
settings.load_profile("tabularium")


def pytest_collection_finish() -> None:
    """Freeze what has been loaded: the garbage collector need not search it again and again, nor at the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 1_000)
    atexit.register(gc.freeze)


Window = subprocess.Popen[str]
Look = tuple[str, str, str]
"""A size, a language and how large the letters are."""
LOOKS: list[Look] = [("480x800", "de", "normal"), ("800x480", "ja", "normal"), ("800x480", "de", "large")]
"""Each size, and what needs most room: what fits the smallest windows in longer words than English fits the others."""
EVERY_LOOK: list[Look] = [
    *product(("800x480", "480x800"), ("en", "de", "ja", "long"), ("normal", "large")),
    *product(("1280x720", "720x1280", "1280x800"), ("de", "ja"), ("normal",)),
]


def geometry(look: Look) -> list[str]:
    """Return the arguments of the window that goes through every page and tells what does not fit."""
    size, lang, text = look
    return ["tests.ui.windows.window_geometry", *size.split("x"), lang, text]


RUNS = {" ".join(look): geometry(look) for look in (EVERY_LOOK if EVERYTHING else LOOKS)}
RUNS |= {
    f"any {size}": ["tests.ui.windows.window_any", *size.split("x")] for size in ("800x480", "480x800")[: times(1, 2)]
}
PLAYED = {
    "play": ["tests.ui.windows.window_play"],
    "begin": ["tests.ui.windows.window_begin"],
    "asking": ["tests.ui.windows.window_asking"],
    "checking": ["tests.ui.windows.window_checking"],
    "secrets": ["tests.ui.windows.window_secrets", str(times(2, 12))],
    "editor": ["tests.ui.windows.window_editor", "800", "480"],
    "wrong": ["tests.ui.windows.window_wrong"],
    "ear": ["tests.ui.windows.window_ear"],
    "hall": ["tests.ui.windows.window_in_hall"],
}
PLAYED |= {
    f"boards {' '.join(look)}": ["tests.ui.windows.window_boards", *look[0].split("x"), *look[1:]]
    for look in (("800x480", "ja", "normal"), ("480x800", "ja", "large"))
}
PLAYED |= {
    f"games {size}": ["tests.ui.windows.window_games", *size.split("x")]
    for size in ("480x800", "800x480")[: times(1, 2)]
}

STARTING = {"subprocess", "broker", "mosquitto", "browser", "Chromium"}
"""Names in a test module that show that it starts programs."""

GAME = ROOT / "tests" / "goldens" / "prokonsul-hardware.jsonl"


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set an empty home and working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the user's home while the game by hardware is played."""
    return tmp_path_factory.mktemp("home")


def command(name: str, folder: Path) -> list[str]:
    """Return the module and arguments that start the window of that name, which may write into this folder."""
    return {
        "a game by hardware": ["tests.ui.windows.window_transcript", str(GAME), str(folder / "store.sqlite3")],
        "start": ["tests.ui.windows.window_start", str(folder)],
        "wake": ["tests.ui.windows.window_wake", str(folder)],
        "failing": ["tests.ui.windows.window_failing"],
        "service": ["tests.ui.windows.window_service", str(folder)],
        "way": ["tools.way", "--check"],
        "sitting": ["tests.ui.windows.window_sitting", str(folder)],
        "plugged": ["tests.ui.windows.window_plugged", str(folder)],
        "set up de": ["tests.ui.windows.window_set_up", str(folder), "800x480", "de"],
        "set up ja": ["tests.ui.windows.window_set_up", str(folder), "480x800", "ja", "large"],
        **RUNS,
        **PLAYED,
    }[name]


@pytest.fixture
def window(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> Iterator[Window]:
    """Yield the window that `@pytest.mark.window(name)` names, a separate process that begins with its test.

    Wait for it without a time limit: how long it takes depends on what else the machine does, and pytest's limit ends a
    window that hangs.
    """
    name = wanted(request.node)
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    env |= {"HOME": str(home)} if name == "a game by hardware" else {}
    process = subprocess.Popen(
        [sys.executable, "-m", *command(name, tmp_path)],
        cwd=ROOT,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    yield process
    process.kill()
    process.communicate()


def wanted(item: pytest.Item) -> str:
    """Return the window that a test waits for, "" for none."""
    mark = item.get_closest_marker("window")
    return str(mark.args[0]) if mark else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put windows first, and mark modules that start programs as slow.

    Windows take longest; the tests that are left are shared out at the end.
    """
    items.sort(key=lambda item: not wanted(item))
    for item in items:
        if not STARTING.isdisjoint(vars(getattr(item, "module", None) or item)):
            item.add_marker("slow")


_spent = 0.0
"""Seconds of processor time of this process and its ended children up to the last report."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note the processor time with every report; with the first one, the time spent on loading and collecting."""
    global _spent
    report = yield
    before, _spent = _spent, sum(os.times()[:4])
    report.user_properties = [*report.user_properties, ("processor" if before else "collecting", _spent - before)]
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests were skipped for which reason, a line each, and which modules took the processor time."""
    reasons = Counter(str(report.longrepr[-1]) for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"left out: {count} tests ({reason.removeprefix('Skipped: ')})")
    spent: dict[str, float] = defaultdict(float)
    for report in chain.from_iterable(terminalreporter.stats.values()):
        for name, seconds in getattr(report, "user_properties", ()):
            if name in ("processor", "collecting"):
                spent[Path(report.location[0]).stem if name == "processor" else name] += float(str(seconds))
    dearest = ", ".join(
        f"{name} {seconds:.0f}" for name, seconds in sorted(spent.items(), key=lambda one: -one[1])[:12]
    )
    terminalreporter.write_line(f"processor time: {sum(spent.values()):.0f} s; of it {dearest}")


@pytest.fixture(scope="session")
def pcscd_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pcscd]:
    """Yield one service for all tests: libpcsclite asks only once in a process where the service is."""
    with closing(Pcscd(tmp_path_factory.mktemp("pcscd"))) as running:
        PCSCD.symlink_to(running.socket)
        yield running
        PCSCD.unlink()


@pytest.fixture
def pcscd(pcscd_of_all: Pcscd) -> Iterator[Pcscd]:
    """Yield the real service, with two readers on which nothing lies."""
    yield pcscd_of_all
    for slot in (0, 1):
        pcscd_of_all.lift(slot)
