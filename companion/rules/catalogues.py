"""Catalogues as translators write them (.po), made into what gettext loads (.mo): GNU gettext's manual, section 10.3.

`python -m companion.rules.catalogues` writes every language's; where that has not been done, or a catalogue has been
translated since, it is made in memory at the start.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "locale"
KEYWORD = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d\])? )?(".*")')
MAGIC = 0x950412DE


def written(lang: str) -> Path:
    """Return the path of a language's catalogue as translators write it (.po)."""
    return FOLDER / lang / "LC_MESSAGES" / "tabularium.po"


def loaded(lang: str) -> bytes:
    """Return a language's catalogue as gettext loads it (.mo). Raises OSError where there is none."""
    po = written(lang)
    mo = po.with_suffix(".mo")
    if mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime:
        return mo.read_bytes()
    return compiled(po.read_text(encoding="utf-8"))


def compiled(text: str) -> bytes:
    """Compile a catalogue's text, without its fuzzy entries."""
    texts = sorted((key.encode(), said.encode()) for key, said in _entries(text))
    head, table = struct.calcsize("7I"), struct.calcsize("2I") * len(texts)
    at, places, body = head + 2 * table, [list[int](), list[int]()], b""
    for column, place in enumerate(places):
        for pair in texts:
            place += [len(pair[column]), at + len(body)]
            body += pair[column] + b"\0"
    numbers = (MAGIC, 0, len(texts), head, head + table, 0, 0)
    return struct.pack(f"<7I{4 * len(texts)}I", *numbers, *places[0], *places[1]) + body


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield each text and its translation, the catalogue's own header first.

    A text has its context before it, if any, and the forms of a plural are joined by a zero byte.
    """
    for block in text.split("\n\n"):
        parts: list[tuple[str, str]] = []
        for line in block.splitlines():
            if found := KEYWORD.fullmatch(line):
                word, more = found[1], json.loads(found[2])
                parts += [(word, more)] if word else []
                if not word and parts:
                    parts[-1] = parts[-1][0], parts[-1][1] + more
        texts, said = ([more for word, more in parts if word.startswith(of)] for of in ("msgid", "msgstr"))
        fuzzy = re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE) and texts != [""]
        context = "".join(f"{more}\4" for word, more in parts if word == "msgctxt")
        if said and all(said) and not fuzzy:
            yield context + "\0".join(texts), "\0".join(said)


def compile_all() -> None:
    """Compile every catalogue to a .mo file beside it. Raises OSError."""
    for path in sorted(FOLDER.glob("*/LC_MESSAGES/*.po")):
        beside = path.with_suffix(".new")  # a half-written catalogue would crash every start
        beside.write_bytes(compiled(path.read_text(encoding="utf-8")))
        beside.replace(path.with_suffix(".mo"))


if __name__ == "__main__":
    compile_all()
