"""The files shared by all pages in a browser: how a game is drawn, its texts, and the look.

The hall's board, the organiser's page and the phones' page are made of them; a game adds its own `board.js`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

MARKED = r'\bN_\(("(?:[^"\\]|\\.)*")\)'
"""A text marked for the catalogues in a script."""
KEYED = re.compile(r"(\w+): " + MARKED)


NACL = Path(__file__).with_name("vendored") / "nacl-fast.min.js"
"""TweetNaCl 1.0.3, as npm has it: what a page seals with (`companion.system.sealing`). Public domain (Unlicense)."""


def shared_files() -> Mapping[str, Path]:
    """Return the files by the names under which the pages load them."""
    return {path.name: path for path in sorted(Path(__file__).parent.iterdir()) if path.suffix in (".js", ".css")}


def keyed_texts(*scripts: str) -> Mapping[str, str]:
    """Return the English texts that these scripts mark, by their keys."""
    return {key: json.loads(text) for script in scripts for key, text in KEYED.findall(script)}
