"""The board's page as browsers get it: the files shipped, and the part that each game adds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from companion import games
from companion.hall.orders import ORDERS
from companion.rules.browser import MARKED, NACL, shared_files
from companion.rules.cards import PAWNS
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.words import LANGUAGES, Tongue, catalogue, name
from companion.system import files

SHIPPED = Path(__file__).with_name("board")
DESK = Path(__file__).with_name("desk")
"""The organiser's page; it is made of parts of the board too."""
GAMES = "<!-- games -->"
"""Where the page names the scripts of the games."""
WEBSOCKETS = 'content="0"'
"""Where the page says how far above its own port the broker's websockets are."""
BY_PHONE = '<meta name="phone" content="no">'
"""Where the organiser's page says whether it is for phones, which seal what they send."""
PHONE_PAGE = "desk/index.html"
"""The organiser's page for phones, below the board's address."""


def catalogue_of(scripts: Iterable[str]) -> str:
    """Return the script with the translations of the texts that these scripts mark.

    It also has the names of games, places and colours, and which orders need a reason (always, or for results).
    """
    marked = sorted({json.loads(text) for script in scripts for text in re.findall(MARKED, script)})
    said = {lang: {text: catalogue(lang)(text) for text in marked if lang != "en"} for lang in LANGUAGES}
    named: dict[str, object] = {
        "GAMES": {name: _in_each(Message(games.game(name).title)) for name in games.NAMES},
        "PLACES": {place: _in_each(place) for name in games.NAMES for place in games.RECORDS[name].names},
        "COLOURS": {colour: _in_each(colour) for colour in PAWNS},
    }
    named["WITH_REASON"] = {do: order.needs_reason for do, order in ORDERS.items() if order.needs_reason != "never"}
    lines = (f"const {name} = {json.dumps(what, ensure_ascii=False)};\n" for name, what in named.items())
    return f"const CATALOGUE = {json.dumps(said, ensure_ascii=False)};\n" + "".join(lines)


def _in_each(word: str) -> list[str]:
    return [Tongue(lang).phrase(word) if isinstance(word, Message) else name(word, lang) for lang in LANGUAGES]


def code_of(address: str) -> Data:
    """Return the board's address, and its QR code by rows, 1 for dark, as the hall publishes them."""
    import segno

    rows = segno.make_qr(address, error="m").matrix
    return {"address": address, "code": ["".join(map(str, row)) for row in rows]}


def lay_out_both(folder: Path, apart: int) -> None:
    """Write the board's page and the organiser's into the hall's folder, that one for phones too. Raises OSError."""
    lay_out(folder / "board", apart=apart)
    lay_out(folder / "desk", apart=apart, page="desk")
    lay_out(folder / "board" / "desk", apart=apart, page="phone")


def lay_out(folder: Path, page: Literal["board", "desk", "phone"] = "board", apart: int = 0) -> None:
    """Write the board's page, the organiser's, or that one for phones into the folder, in place of an earlier one.

    Files that are the same stay untouched, so that a full disk costs nothing. `apart` is how far above the page's port
    its websockets are. Raises OSError.
    """
    files.own(files.folder(folder), folder.parent)
    scripts = {f"game-{of}.js": path for of in games.NAMES if (path := games.FOLDER / of / "board.js").is_file()}
    places = [SHIPPED] if page == "board" else [SHIPPED, DESK]
    shipped = {path.name: path for place in places for path in place.iterdir() if path.is_file()}
    sealing = {} if page == "board" else {NACL.name: NACL}
    found = {**shared_files(), **shipped, **scripts, **sealing}
    parts = {of: path.read_text(encoding="utf-8") for of, path in found.items()}
    named = "\n".join(f'<script defer src="{script}"></script>' for script in scripts)
    parts["index.html"] = parts["index.html"].replace(GAMES, named).replace(WEBSOCKETS, f'content="{apart}"')
    if page == "phone":
        parts["index.html"] = parts["index.html"].replace(BY_PHONE, BY_PHONE.replace("no", "yes"))
    parts["catalogue.js"] = catalogue_of(parts.values())
    for part, text in parts.items():
        path = folder / part
        if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
            files.written(path, text)
    for path in folder.iterdir():
        if path.name not in parts and path.is_file():
            path.unlink()
