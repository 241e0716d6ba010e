"""The board's page as browsers get it: what is shipped, and what each game brings to it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from companion import games
from companion.rules.data import Data
from companion.system import files

SHIPPED = Path(__file__).with_name("board")
DESK = Path(__file__).with_name("desk")
"""The organiser's page; it is made of parts of the board too."""
GAMES = "<!-- games -->"
"""Where the page names the scripts of the games."""
WEBSOCKETS = 'content="0"'
"""Where the page says how far above its own port the broker's websockets are."""


def code_of(address: str) -> Data:
    """Where the board is, as the hall publishes it: the address, and its QR code by rows, 1 for dark."""
    import segno

    rows = segno.make_qr(address, error="m").matrix
    return {"address": address, "code": ["".join(map(str, row)) for row in rows]}


def lay_out_both(folder: Path, apart: int) -> None:
    """Puts the board's page and the organiser's into the hall's folder. Raises OSError."""
    lay_out(folder / "board", apart=apart)
    lay_out(folder / "desk", apart=apart, page="desk")


def lay_out(folder: Path, page: Literal["board", "desk"] = "board", apart: int = 0) -> None:
    """Puts the board's page or the organiser's into the folder, in place of an earlier one; what is the same stays
    untouched, so that a full disk costs nothing. `apart` is how far above the page's port its websockets are.
    Raises OSError."""
    files.own(files.folder(folder), folder.parent)
    scripts = {f"game-{name}.js": path for name in games.NAMES if (path := games.FOLDER / name / "board.js").is_file()}
    places = [SHIPPED] if page == "board" else [SHIPPED, DESK]
    shipped = {path.name: path for place in places for path in place.iterdir() if path.is_file()}
    parts = {name: path.read_text(encoding="utf-8") for name, path in (shipped | scripts).items()}
    named = "\n".join(f'<script defer src="{name}"></script>' for name in scripts)
    parts["index.html"] = parts["index.html"].replace(GAMES, named).replace(WEBSOCKETS, f'content="{apart}"')
    for name, text in parts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
            files.written(path, text)
    for path in folder.iterdir():
        if path.name not in parts and path.is_file():
            path.unlink()
