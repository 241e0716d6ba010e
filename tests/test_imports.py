"""Who may import whom: the house stays as it was drawn."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("companion", "drivers", "ui")
SCREEN_AND_HARDWARE = ("kivy", "gpiozero", "serial", "mfrc522", "spidev", "RPi", "lgpio")
STANDARD_FREE = ("companion.cards", "companion.contest", "companion.rules", "companion.mistakes", "companion.views")
KIND = ("companion.kind", "companion.fitting", "companion.header", "companion.typed", "companion.tap")
"""What a kind of reader is written in."""


def modules(package: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path


def imports(path: Path) -> Iterator[str]:
    """Everything a file imports, as "package.module" or "package.module.name"."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


ALL = [(name, path) for package in OURS for name, path in modules(package)]


@pytest.mark.parametrize(("name", "path"), ALL, ids=[name for name, _ in ALL])
def test_imports_point_the_right_way(name: str, path: Path) -> None:
    for used in imports(path):
        if name.startswith("companion.games."):
            assert within(used, STANDARD_FREE) or not within(used, OURS), used
            assert not within(used, (*SCREEN_AND_HARDWARE, "yaml")), used
        if name.startswith("companion") and not within(name, ("companion.cli",)):
            assert not within(used, ("drivers", "ui", *SCREEN_AND_HARDWARE)), used
        if name.startswith("drivers"):
            words = ("companion.table", "companion.message", "companion.doctor", "companion.voice.line", *KIND)
            assert not within(used, OURS) or within(used, (*words, "drivers")), used
        if name.startswith("ui"):
            assert not within(used, ("companion.games", "companion.settings", "drivers")), used
            assert not within(used, ("companion.store",)) or within(used, ("companion.store.history",)), used


HALL = ("companion.hall", "companion.bgstats", "companion.spreadsheet", "companion.store.history")
"""What the hall is made of, and how it reads a table's store."""
RULES = (
    "cards",
    "games",
    "rules",
    "views",
    "contest",
    "receipt",
    "amending",
    "notation",
    "session",
    "transcript",
    "series",
)
WORDS = (
    "approvals",
    "at_hall",
    "message",
    "mistakes",
    "limits",
    "files",
    "logs",
    "terminal",
    "words",
    "port",
    "look",
    "doctor",
)


def test_the_hall_is_a_neighbour() -> None:
    """The table's code does not know it, and it knows of the table no more than the port, the formats and the words."""
    may = (*HALL, *(f"companion.{module}" for module in (*RULES, *WORDS)))
    for name, path in ALL:
        for used in imports(path):
            if within(name, ("companion.hall",)) and within(used, OURS):
                assert within(used, may) or used == "companion.__version__", f"{name} imports {used}"
            if within(used, ("companion.hall",)):
                assert within(name, ("companion.hall", "companion.cli")), f"{name} imports {used}"


# -- the screen: games, parts, widgets --------------------------------------------------------------------------

SCREEN = [(name, path) for name, path in modules("ui") if name != "ui.pictures"]
"""All of it but the choice of pictures for the README."""
SHARED = ("any", "parts")


def home(module: str) -> str:
    """The game whose folder a module of the screen stands in, "" for none."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["ui", "games"] and len(parts) > 2 and parts[2] in GAMES else ""


GAMES = {path.parent.name for _, path in modules("ui/games") if path.name == "__init__.py"} - {"games", *SHARED}
"""The games with a folder of their own."""


def test_each_game_is_known_to_its_own_folder_alone() -> None:
    from companion.games import NAMES

    assert set(NAMES) >= GAMES
    for name, path in SCREEN:
        for used in imports(path):
            assert home(used) in ("", home(name)), f"{name} imports {used}"
            assert not within(used, ("ui.games.any",)) or within(name, ("ui.games.any",)), f"{name} imports {used}"


@pytest.mark.parametrize(("name", "path"), SCREEN, ids=[name for name, _ in SCREEN])
def test_no_game_is_named_outside_its_folder(name: str, path: Path) -> None:
    """Not in a text, attribute or argument; `face_of` finds a game's folder by the name it is given."""
    for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match part:
            case ast.Constant(str(text)) | ast.Name(text) | ast.Attribute(attr=text) | ast.arg(text):
                named = set(re.findall(r"[a-z]+", text)) & (GAMES - {home(name)})
                assert not named, f"{name} names {named} in {text!r}"


def test_games_stand_on_parts_and_parts_on_widgets_and_the_moment() -> None:
    below = ("ui.games.parts", "ui.widgets", "ui.table.moment", "ui.theme", "ui.page", "ui.late", "ui.rehearsal")
    for name, path in SCREEN:
        for used in imports(path):
            if not within(used, ("ui",)):
                continue
            if within(name, ("ui.games",)) and name != "ui.games.face":  # some pads and pages of parts ask the face
                own = ".".join(name.split(".")[:3])
                assert within(used, (*below, "ui.games.face", own)), f"{name} imports {used}"
            if within(name, ("ui.widgets",)):
                assert within(used, ("ui.widgets", "ui.theme", "ui.fonts")), f"{name} imports {used}"


@pytest.mark.parametrize("game", [*sorted(GAMES), "any"])
def test_every_board_shows_what_its_face_makes(game: str) -> None:
    """Kivy's classes are without types, so that the checker takes any board for one of any game."""
    from ui.games.face import face_of

    face = face_of(game)
    module, _, widget = face.board.rpartition(".")
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    (board,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == widget)
    (show,) = (node for node in board.body if isinstance(node, ast.FunctionDef) and node.name == "show")
    assert [ast.unparse(arg.annotation) for arg in show.args.args[1:] if arg.annotation] == [
        face.centre.__annotations__["return"]
    ]


def test_replay_loads_no_screen_and_no_config() -> None:
    """`replay` must start fast: neither Kivy nor YAML nor the drivers are loaded for it."""
    import subprocess
    import sys

    golden = ROOT / "tests" / "goldens" / "prokonsul.jsonl"
    script = (
        "import sys; from companion.cli import main; status = main(['replay', sys.argv[1]]);"
        "print(status, [m for m in ('kivy', 'yaml', 'gpiozero', 'rich', 'sqlite3') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script, golden], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "0 []"
