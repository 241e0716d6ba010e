"""Hypothesis on a busy machine, and the windows that are measured while other tests run."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.tables import EVERYTHING, times

# No deadlines: speed is measured in the benchmarks and nowhere else.
settings.register_profile(
    "tabularium", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=times(25, 250)
)
settings.load_profile("tabularium")

Window = subprocess.Popen[str]
ROOT = Path(__file__).parent.parent
Look = tuple[str, str, str]
"""A size, a language and how large the letters are."""
LOOKS: list[Look] = [("480x800", "de", "normal"), ("800x480", "ja", "normal"), ("800x480", "de", "large")]
"""Each size, and what needs most room: what fits the smallest windows in longer words than English fits the others."""
EVERY_LOOK: list[Look] = [
    *product(("800x480", "480x800"), ("en", "de", "ja", "long"), ("normal", "large")),
    *product(("1280x720", "720x1280"), ("de", "ja"), ("normal",)),
]


def geometry(look: Look) -> list[str]:
    """The window that goes through every page and says what does not fit."""
    size, lang, text = look
    return ["tests.ui_geometry", *size.split("x"), lang, text]


RUNS = {" ".join(look): geometry(look) for look in (EVERY_LOOK if EVERYTHING else LOOKS)}
RUNS |= {f"any {size}": ["tests.ui_any", *size.split("x")] for size in ("800x480", "480x800")[: times(1, 2)]}
PLAYED = {
    "play": ["tests.ui_play"],
    "asking": ["tests.ui_asking"],
    "checking": ["tests.ui_checking"],
    "secrets": ["tests.ui_secrets", str(times(1, 12))],
    "editor": ["tests.ui_editor", "800", "480"],
    "wrong": ["tests.ui_wrong"],
    "ear": ["tests.ui_ear"],
    "hall": ["tests.ui_in_hall"],
}
PLAYED |= {f"games {size}": ["tests.ui_games", *size.split("x")] for size in ("480x800", "800x480")[: times(1, 2)]}

GAME = ROOT / "tests" / "goldens" / "prokonsul-hardware.jsonl"


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home and working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The user's home while the game by hardware is played."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def windows(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, home: Path
) -> Iterator[Mapping[str, Window]]:
    """Every window that a test waits for, as a process of its own; they share the machine's cores."""
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    commands = RUNS | PLAYED
    commands |= {
        "a game by hardware": ["tests.window_game", str(GAME), str(tmp_path_factory.mktemp("game") / "store.sqlite3")],
        "start": ["tests.ui_start", str(tmp_path_factory.mktemp("start"))],
        "wake": ["tests.ui_wake", str(tmp_path_factory.mktemp("wake"))],
        "service": ["tests.ui_service", str(tmp_path_factory.mktemp("service"))],
        "way": ["tests.way", "--check"],
        "sitting": ["tests.ui_sitting", str(tmp_path_factory.mktemp("saved"))],
        "set up de": ["tests.ui_set_up", str(tmp_path_factory.mktemp("de")), "800x480", "de"],
        "set up ja": ["tests.ui_set_up", str(tmp_path_factory.mktemp("ja")), "480x800", "ja", "large"],
    }
    homes = {"a game by hardware": {"HOME": str(home)}}
    started = {
        name: subprocess.Popen(
            ["nice", sys.executable, "-m", *args],  # what is tested meanwhile comes first
            cwd=ROOT,
            env=env | homes.get(name, {}),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for name, args in commands.items()
        if name in {wanted(item) for item in request.session.items}
    }
    yield started
    for process in started.values():
        process.kill()
        process.communicate()


@pytest.fixture
def window(request: pytest.FixtureRequest, windows: Mapping[str, Window]) -> Window:
    """The window that `@pytest.mark.window(name)` names. Wait for it without a limit of your own: how long it takes
    depends on what else the machine does, and pytest's limit ends what hangs."""
    return windows[wanted(request.node)]


def wanted(item: pytest.Item) -> str:
    """The window that a test waits for, "" for none."""
    mark = item.get_closest_marker("window")
    return str(mark.args[0]) if mark else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who waits for a window comes last: everything else is done meanwhile."""
    items.sort(key=lambda item: bool(wanted(item)))


@pytest.fixture(scope="session", autouse=True)
def early(request: pytest.FixtureRequest) -> None:
    """The windows start with the first test, so that they are done when their own tests come."""
    if any(map(wanted, request.session.items)):
        request.getfixturevalue("windows")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was left out, and for want of what, a line each."""
    reasons = Counter(str(report.longrepr[-1]) for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"left out: {count} tests ({reason.removeprefix('Skipped: ')})")
