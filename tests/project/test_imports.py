"""Who may import whom: the house stays as it was drawn."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from tests.support.imports import OURS, modules, trees, within
from tests.support.paths import ROOT

SCREEN_AND_HARDWARE = ("kivy", "gpiozero", "serial", "mfrc522", "spidev", "RPi", "lgpio")
ROOMS = ("rules", "system", "games", "session", "record", "answers", "deck", "play", "voice", "hardware", "dialogues",
         "offers", "ear", "phone", "hall", "cli")  # fmt: skip
"""The companion's, from the ground up: a room stands on those before it, and never on one after it."""
LOOSE = ("__init__", "__main__", "locale")
WORDS = ("companion.rules.cards", "companion.rules.contest", "companion.rules.contract", "companion.rules.mistakes",
         "companion.rules.views")  # fmt: skip
"""What rules are written in."""


def imports(tree: ast.AST) -> Iterator[str]:
    """Everything a file imports, as "package.module" or "package.module.name"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import of {node.module}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(name: str) -> str:
    """The companion's room that a module stands in, or a name of it; "" for none."""
    package, _, rest = name.partition(".")
    return rest.partition(".")[0] if package == "companion" else ""


@cache
def uses() -> Sequence[tuple[str, str]]:
    """Each module with each thing that it imports."""
    return [(name, used) for name, tree in trees().items() for used in imports(tree)]


def test_the_companion_has_these_rooms() -> None:
    assert {path.stem for path in (ROOT / "companion").iterdir() if path.name != "__pycache__"} == {*ROOMS, *LOOSE}


def test_a_room_stands_on_those_before_it() -> None:
    order = {name: at for at, name in enumerate(ROOMS)}
    wrong = [(name, used) for name, used in uses() if order.get(room(used), -1) > order.get(room(name), len(ROOMS))]
    assert not wrong


def test_rules_are_pure_and_a_game_knows_the_words_it_is_written_in() -> None:
    for name, used in uses():
        parts = name.split(".")
        if parts[:2] != ["companion", "games"] or len(parts) < 3:
            continue
        own = ".".join(parts[:3])
        assert within(used, ("companion.rules", own)) or not within(used, OURS), f"{name} imports {used}"
        assert not within(used, (*SCREEN_AND_HARDWARE, "yaml")), f"{name} imports {used}"
        if parts[3:] == ["rules"]:
            pure = (*WORDS, f"{own}.view") if used.count(".") > 2 else ("companion.rules",)
            assert within(used, pure) or not within(used, OURS), f"{name} imports {used}"


def test_the_companion_knows_neither_hardware_nor_screen() -> None:
    for name, used in uses():
        if name.startswith("companion") and room(name) != "cli":
            assert not within(used, ("drivers", "ui", *SCREEN_AND_HARDWARE)), f"{name} imports {used}"


def test_drivers_know_the_words_of_rules_play_and_hardware() -> None:
    words = ("companion.rules", "companion.play.table", "companion.hardware", "companion.system")
    for name, used in uses():
        if name.startswith("drivers"):
            assert within(used, (*words, "drivers")) or not within(used, OURS), f"{name} imports {used}"


def test_the_screen_knows_no_rules_no_settings_and_no_drivers() -> None:
    for name, used in uses():
        if name.startswith("ui"):
            assert not within(used, ("companion.hardware.settings", "drivers")), f"{name} imports {used}"
            assert not re.match(r"companion[.]games[.]\w+[.](rules|position|guide|voice)", used), (
                f"{name} imports {used}"
            )
            store = "companion.record.store"
            assert not within(used, (store,)) or within(used, (f"{store}.history",)), f"{name} imports {used}"


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Not late either, nor for types alone."""
    needs: dict[str, set[str]] = {name: set() for name in trees()}
    for name, used in uses():
        module = used if used in needs else used.rpartition(".")[0]
        needs[name] |= {module} & needs.keys() - {name}
    while free := {name for name, used in needs.items() if not used}:
        needs = {name: used - free for name, used in needs.items() if name not in free}
    assert not needs


def test_nothing_that_is_shipped_knows_what_is_for_developing() -> None:
    for package in (*OURS, "pi"):
        for name, path in modules(package):
            for used in imports(ast.parse(path.read_text(encoding="utf-8"))):
                assert not within(used, ("tools", "tests", "benchmarks")), f"{name} imports {used}"


def test_the_hall_is_a_neighbour() -> None:
    """The table's code does not know it, and it knows of the table no more than the port, the formats and the words."""
    may = ("rules", "system", "games", "session", "record", "hall")
    besides = (
        "companion.play.port",
        "companion.play.hall_status",
        "companion.play.series",
        "companion.hardware.doctor",
    )
    for name, used in uses():
        if room(name) == "hall" and within(used, OURS) and used != "companion.__version__":
            assert room(used) in may or within(used, besides), f"{name} imports {used}"
        if room(used) == "hall":
            assert room(name) in ("hall", "cli"), f"{name} imports {used}"


# -- the screen: games, parts, widgets --------------------------------------------------------------------------

SHARED = ("any", "parts")
GAMES = {path.parent.name for path in (ROOT / "companion" / "games").glob("*/__init__.py")}
FACES = {path.parent.name for path in (ROOT / "ui" / "games").glob("*/__init__.py")} - {*SHARED}
"""The games with a folder of their own on the screen."""


def home(module: str) -> str:
    """The game in one of whose folders a module stands, "" for none."""
    package, _, rest = module.partition(".games.")
    game = rest.partition(".")[0] if package in ("companion", "ui") else ""
    return game if game in GAMES else ""


def test_each_game_is_known_to_its_own_folders_alone() -> None:
    assert GAMES >= FACES
    for name, used in uses():
        assert home(used) in ("", home(name)), f"{name} imports {used}"
        assert not within(used, ("ui.games.any",)) or within(name, ("ui.games.any",)), f"{name} imports {used}"


def test_no_game_is_named_outside_its_folders() -> None:
    """Not in a text, attribute or argument, but for examples of what to type: a game's record says all that others know."""
    for name, tree in trees().items():
        for part in ast.walk(tree):
            match part:
                case ast.Constant(str(text)) | ast.Name(text) | ast.Attribute(attr=text) | ast.arg(text):
                    sentence = " " in text and name.startswith("companion")
                    named = set() if sentence else set(re.findall(r"[a-z]+", text)) & (GAMES - {home(name)})
                    assert not named, f"{name} names {named} in {text!r}"


def test_games_stand_on_parts_and_parts_on_widgets_and_the_moment() -> None:
    below = (
        "ui.games.parts",
        "ui.widgets",
        "ui.table.moment",
        "ui.theme",
        "ui.layout",
        "ui.page",
        "ui.lazy",
    )
    for name, used in uses():
        if not (within(used, ("ui",)) and within(name, ("ui",))):
            continue
        if within(name, ("ui.games",)) and name != "ui.games.face":  # some pads and pages of parts ask the face
            own = ".".join(name.split(".")[:3])
            assert within(used, (*below, "ui.games.face", own)), f"{name} imports {used}"
        if within(name, ("ui.widgets",)):
            assert within(used, ("ui.widgets", "ui.theme", "ui.fonts", "ui.layout")), f"{name} imports {used}"


@pytest.mark.parametrize("game", [*sorted(FACES), "any"])
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
