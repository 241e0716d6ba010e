"""What may go wrong before the first frame: no home, no screen, a finger on Ctrl-C."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from ctypes import CDLL
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.cli.table import _evening
from companion.dialogues.services import Services
from companion.hardware.settings import Settings, find, load
from companion.play.evening import Evening
from companion.record.approvals import approved
from companion.record.store import Store
from companion.rules.mistakes import ConfigError
from companion.system.home import folder, home, written
from drivers.kinds import KINDS
from tests.support.paths import ROOT
from tests.support.tables import times
from tests.support.timeouts import SECONDS
from ui import display
from ui.display import SdlVideo, unseen

TABLE = [sys.executable, "-m", "companion"]

# -- home -------------------------------------------------------------------------------------------------------


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither HOME nor the system knows a home."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # raises KeyError, as it does
    return tmp_path


def test_without_a_home_it_says_what_to_set(homeless: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["games"], ["export", "last"], ["deck", "list"], ["doctor"], []):
        assert main(words) == 2
        said = "there is no home directory to keep games in: set HOME, or data in config.yaml\n"
        assert capsys.readouterr().err == said
    assert find(None) is None and home() is None


def test_without_a_home_a_place_that_is_named_is_enough(homeless: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (homeless / "config.yaml").write_text("data: games\n")
    assert load(Path("config.yaml"), KINDS).data == homeless / "games"
    assert main(["games"]) == 0
    (homeless / "config.yaml").write_text("language: de\n")
    with pytest.raises(ConfigError, match="set HOME"):
        load(Path("config.yaml"), KINDS)
    monkeypatch.setenv("XDG_DATA_HOME", str(homeless / "here"))
    assert Settings().data == homeless / "here" / "tabularium"
    assert folder("XDG_CONFIG_HOME", ".config") is None


def test_a_replay_needs_no_home() -> None:
    golden = ROOT / "tests" / "goldens" / "spartacus.jsonl"
    code = "import pwd, sys; pwd.getpwuid = {}.__getitem__; from companion.cli import main; sys.exit(main())"
    for words, status in ((["replay", "-"], 0), (["games"], 2), ([], 2)):
        command = [sys.executable, "-c", code, *words]
        run = subprocess.run(
            command, input=golden.read_bytes(), check=False, capture_output=True, cwd="/", env={"PYTHONPATH": str(ROOT)}
        )
        assert run.returncode == status and b"Traceback" not in run.stderr


@pytest.mark.parametrize("text", ["~stick/x.db", "a\0b", "\0", "", "  ", "\ud800", "~\0", "~stick\ud800"])
def test_a_path_that_no_file_can_have_is_an_error_of_the_system(text: str) -> None:
    with pytest.raises(OSError):
        written(text)


def test_a_path_may_begin_at_home(monkeypatch: pytest.MonkeyPatch, homeless: Path) -> None:
    with pytest.raises(OSError, match="there is no such home directory"):
        written("~/x.db")
    monkeypatch.setenv("HOME", "/home/anna")
    assert written("~/x.db") == Path("/home/anna/x.db") and written("x ~.db") == Path("x ~.db")


# -- the screen -------------------------------------------------------------------------------------------------

DRIVERS = ("x11", "KMSDRM", "offscreen", "dummy", "evdev")


def without(*names: str) -> Callable[[str], object]:
    """Opens every library but these."""

    def load(name: str) -> object:
        if name in names:
            raise OSError(f"{name}: cannot open shared object file: No such file or directory")
        return object()

    return load


@pytest.mark.parametrize(
    ("tried", "env", "missing", "says"),
    [
        (SdlVideo(DRIVERS, "x11"), {"DISPLAY": ":0"}, (), []),
        (SdlVideo(DRIVERS, "KMSDRM"), {}, (), []),
        (SdlVideo(DRIVERS, "offscreen"), {"SDL_VIDEODRIVER": "offscreen"}, (), []),
        (SdlVideo(DRIVERS, "offscreen"), {}, (), ["no screen", "DISPLAY is not set. Start it on the desktop"]),
        (SdlVideo(DRIVERS, "offscreen"), {"DISPLAY": ":9"}, (), ["no screen", "No X server answers at DISPLAY=':9'"]),
        (SdlVideo(DRIVERS, "offscreen"), {"DISPLAY": ":0"}, ("libX11.so.6",), ["no screen", "sudo apt install libx11-6"]),
        (SdlVideo(DRIVERS, "offscreen"), {"WAYLAND_DISPLAY": "wayland-0"}, (), ["no screen", "apt install xwayland"]),
        (SdlVideo(DRIVERS, "", "No available video device"), {}, (), ["no screen", "DISPLAY is not set"]),
        (SdlVideo(DRIVERS, "", "x"), {"SDL_VIDEODRIVER": "x12"}, (), ["'x12', which is no driver of Kivy's SDL; there are x11, KMSDRM, offscreen, dummy, evdev; did you mean 'x11'?"]),
        (SdlVideo(DRIVERS, "", "x"), {"SDL_VIDEODRIVER": "wayland"}, (), ["'wayland', which is no driver"]),
        (SdlVideo(DRIVERS, "", "x11 not available"), {"SDL_VIDEODRIVER": "x11"}, (), ["SDL_VIDEODRIVER=x11: x11 not available", "DISPLAY is not set"]),
        (SdlVideo(DRIVERS, "", "x11 not available"), {"SDL_VIDEODRIVER": "X11", "DISPLAY": ":9"}, (), ["not available", "No X server answers"]),
        (SdlVideo(DRIVERS, "x11"), {"SDL_VIDEODRIVER": "wayland,x11", "DISPLAY": ":0"}, (), []),
        (SdlVideo(DRIVERS, "dummy"), {"SDL_VIDEODRIVER": "dummy"}, (), ["nothing can be drawn"]),
        (SdlVideo(DRIVERS, "evdev"), {"SDL_VIDEODRIVER": "evdev"}, (), ["nothing can be drawn"]),
    ],
)  # fmt: skip
def test_a_screen_nobody_sees_is_an_error(
    tried: SdlVideo, env: dict[str, str], missing: tuple[str, ...], says: list[str]
) -> None:
    lines = [line for line in unseen(tried, env, without(*missing)) if "/dev/dri" not in line]
    assert len(lines) == len(says)
    assert all(said in line for said, line in zip(says, lines, strict=True))


def test_without_a_desktop_the_graphics_card_must_be_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no" in next(iter(display._console_faults(tmp_path)))
    (tmp_path / "card0").touch()
    assert not list(display._console_faults(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "usermod -aG video,render" in next(iter(display._console_faults(tmp_path)))


@pytest.mark.parametrize(
    ("library", "package"), [("libGL.so.1", "libgl1"), ("libEGL.so.1", "libegl1"), ("libweird.so.1", "libgl1 ")]
)
def test_a_missing_library_is_named_with_its_package(library: str, package: str) -> None:
    said = list(display.missing(library, without(library)))
    assert len(said) == 1 and library in said[0] and f"sudo apt install {package}" in said[0]
    assert not list(display.missing(library, without()))


def test_kivys_own_drawing_is_tried_before_kivy_is() -> None:
    """Where libGL is missing its backend cannot be loaded, and Kivy would end in a segmentation fault."""
    kivy = display._kivy_folder()
    assert kivy
    backends = [str(path) for path in kivy.glob("graphics/cgl_backend/cgl_gl.*so")]

    def load(name: str) -> object:
        if name in backends:
            raise OSError("libGL.so.1: cannot open shared object file: No such file or directory")
        return CDLL(name)

    env = {"SDL_VIDEODRIVER": "offscreen"}
    assert backends and any("sudo apt install libgl1" in line for line in display.faults(env, load))
    assert not any("libgl1" in line for line in display.faults(env | {"KIVY_GL_BACKEND": "sdl2"}, load))


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({}, "There is no screen to open the table on.\nDISPLAY is not set."),
        ({"DISPLAY": ":93"}, "No X server answers at DISPLAY=':93'"),
        ({"SDL_VIDEODRIVER": "nonsense"}, "SDL_VIDEODRIVER names 'nonsense'"),
        ({"SDL_VIDEODRIVER": "dummy"}, "nothing can be drawn with this driver"),
    ],
)
def test_the_table_does_not_open_where_nobody_sees_it(env: dict[str, str], says: str, tmp_path: Path) -> None:
    ours = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    }
    ours |= {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)}
    run = subprocess.run(TABLE, env=ours | env, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 2 and says in run.stderr and "Traceback" not in run.stderr
    assert not list(tmp_path.glob("**/*.sqlite3")), "nothing was begun"


def test_as_a_service_it_waits_for_a_display_and_says_so(tmp_path: Path) -> None:
    """On a card that no computer has: it is up, alive, says for what it waits, and has begun nothing when it is ended."""
    address = str(tmp_path / "notify")
    env = os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path), "SDL_VIDEODRIVER": "kmsdrm"}
    env |= {"SDL_KMSDRM_DEVICE_INDEX": "99", "NOTIFY_SOCKET": address, "WATCHDOG_USEC": "100000"}
    env.pop("WATCHDOG_PID", None)
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
        manager.bind(address)
        manager.settimeout(SECONDS)
        with subprocess.Popen(TABLE, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as table:
            try:
                heard = [manager.recv(4096).decode() for _ in range(3)]
            finally:
                table.terminate()
            told = table.communicate()[1]
    assert re.fullmatch("STATUS=waiting for a (graphics card|display)\nREADY=1", heard[0])
    assert heard[1:] == ["WATCHDOG=1"] * 2, "and does not end"
    assert told.count("waiting for a ") == 1 and table.returncode == -signal.SIGTERM
    assert not list(tmp_path.glob("**/*.sqlite3")), "nothing was begun"


# -- Ctrl-C -----------------------------------------------------------------------------------------------------

PRESSED = """
import os, signal, sys

class Finger:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever is begun in the background inherits that it is ignored
sys.meta_path.insert(0, Finger())
del sys.argv[2:]
from companion.cli import main
status = main({words!r})
assert not any(isinstance(finger, Finger) for finger in sys.meta_path), "was never pressed"
sys.exit(status)
"""
"""Presses Ctrl-C when the module named is looked for."""


@pytest.mark.parametrize(
    "module",
    ["companion.system.terminal", "companion.cli.arguments", "argparse", "companion.hardware.settings", "drivers.kinds", "companion.cli.table",
     "companion.play.evening", "companion.record.store", "sqlite3", "ui", "ui.display", "ctypes", "ui.app", "kivy", "kivy.logger", "kivy.clock",
     "kivy._clock", "kivy.app", "kivy.graphics.cgl", "kivy.core.window", "kivy.core.window.window_sdl2", "ui.shell",
     "ui.pages.start_page", "ui.table.page"][:: times(3, 1)],
)  # fmt: skip
def test_ctrl_c_ends_quietly_while_modules_load(module: str, tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path), "SDL_VIDEODRIVER": "offscreen"}
    code = PRESSED.format(words=[])
    run = subprocess.run(
        [sys.executable, "-c", code, module], env=env, check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


@pytest.mark.parametrize("module", ["companion.cli.replay", "json", "companion.games.spartacus.rules", "gettext"])
def test_ctrl_c_ends_any_command_quietly(module: str, tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    code = PRESSED.format(words=["replay", str(ROOT / "tests/goldens/spartacus.jsonl"), "--lang", "de"])
    run = subprocess.run(
        [sys.executable, "-c", code, module], env=env, check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert (run.returncode, run.stderr) == (130, "")


# -- what the store remembers -----------------------------------------------------------------------------------

SPOILT: dict[str, tuple[Any, ...]] = {
    "language": (5, "xx", [], {}), "text": ("nprmal", 5, []), "last_table": (5, [], {"game": "mercator"}, {"game": 5},
    {"game": "caesar", "seats": ["red"], "options": {}, "players": {}, "reveal": "fists"}), "voice": (5, {"rate": "x"}),
    "lessons": (5, {"game": "x"}, {"game": 1, "told": 5}), "rounds": (5, {"evening": 5}, {"evening": "", "games": 5}),
    "hall": (5, {"hall": 5}), "deck": (5, []), "board prokonsul": (5, [], {"provinces": 5}), "approvals 1": (5, {"red": 5}),
}  # fmt: skip


@pytest.mark.parametrize("key", SPOILT)
def test_no_start_ends_for_what_a_disk_has_made_of_a_setting(tmp_path: Path, key: str) -> None:
    """The table opens as if nothing had been kept there, and can be played at."""
    table = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"]}
    for value in SPOILT[key]:
        path = tmp_path / "store.sqlite3"
        path.unlink(missing_ok=True)
        with closing(Store(path)) as store:
            Evening(store).begin(table).act({"event": "pawns", "order": ["red", "blue", "green"]})
            store.keep(key, value)
        with closing(Store(path)) as store:
            evening = _evening(Settings(), store, Services)
            assert evening.lang in ("en", "de", "ja")
            assert evening.regulars.last_table is None or evening.regulars.last_table["game"] == "prokonsul"
            match = evening.resume()
            assert match.act({"event": "province", "province": "sicilia"})[0].ok
            assert approved(store, 1, {"winners": [], "scores": {}, "places": {}, "unconfirmed_board": False}) == {}
            evening.begin({"tabularium": 1, **(evening.regulars.last_table or table)})


def test_the_window_opens_with_letters_of_no_known_size(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "tabularium.sqlite3")) as store:
        for key in SPOILT:
            store.keep(key, SPOILT[key][0])
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    run = subprocess.run(
        [sys.executable, "-m", "tests.ui.windows.window_start", str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
    )
    assert run.returncode == 0 and json.loads(run.stdout.splitlines()[-1])["status"] == 0, run.stderr
