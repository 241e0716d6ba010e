"""The board's page as browsers get it: what is shipped, and what each game brings to it."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion import games
from companion.system import files

SHIPPED = Path(__file__).with_name("board")
GAMES = "<!-- games -->"
"""Where the page names the scripts of the games."""


def lay_out(folder: Path) -> None:
    """Puts the page into the folder, in place of an earlier one. Raises OSError."""
    files.folder(folder)
    scripts = {f"game-{name}.js": path for name in games.NAMES if (path := games.FOLDER / name / "board.js").is_file()}
    shipped = {path.name: path for path in SHIPPED.iterdir() if path.is_file()}
    for name, path in (shipped | scripts).items():
        shutil.copyfile(path, folder / name)
    page = (SHIPPED / "index.html").read_text(encoding="utf-8")
    named = "\n".join(f'<script defer src="{name}"></script>' for name in scripts)
    (folder / "index.html").write_text(page.replace(GAMES, named), encoding="utf-8")
    for old in {path.name for path in folder.iterdir()} - {*shipped, *scripts}:
        (folder / old).unlink()
