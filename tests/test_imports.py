"""Who may import whom: the house stays as it was drawn."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("companion", "drivers", "ui")
SCREEN_AND_HARDWARE = ("kivy", "gpiozero", "serial", "mfrc522", "spidev", "RPi", "lgpio")
STANDARD_FREE = ("companion.cards", "companion.rules", "companion.mistakes", "companion.views")
KIND = ("companion.kind", "companion.header", "companion.typed")
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
            words = ("companion.table", "companion.message", "companion.doctor", *KIND)
            assert not within(used, OURS) or within(used, (*words, "drivers")), used
        if name.startswith("ui"):
            assert not within(used, ("companion.games", "companion.store", "companion.settings", "drivers")), used


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
