"""Reads the screen as a person does: finds words in a picture (tesseract) and compares pictures."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

ENLARGED = 300
"""Per cent: tesseract reads letters of 30 pixels and more."""
SURE = 30.0
FAINT = 40
"""Grey levels, of 256, between the ink and its ground: less is no text."""
SMALLEST, EDGE, MARGIN = 1200, 4, 20
"""Pixels: the smallest panel that is read, what its frame takes, and the white around it once it is enlarged."""
Panel = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word in a picture, with its box in pixels."""

    text: str
    x: float
    y: float
    width: float
    height: float
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ink:
    """What is written on a panel: grey pixels, their width, the grey of their ground, and where they are in the picture."""

    pixels: bytes
    width: int
    ground: int
    x: int = field(compare=False)
    y: int = field(compare=False)


_read: dict[Ink, list[tuple[str, float, float, float, float, tuple[str, ...]]]] = {}
"""What has been read: much of a screen is the same as a moment ago."""


def words(picture: Path) -> Sequence[Word]:
    """Return the words in a picture, panel by panel and line by line."""
    return _words(picture.read_bytes())


@lru_cache(maxsize=8)
def _words(picture: bytes) -> Sequence[Word]:
    done = subprocess.run(["identify", "-format", "%w", "-"], input=picture, check=True, capture_output=True)
    wide = int(done.stdout)
    grey = ["convert", "png:-", "-depth", "8", "gray:-"]
    pixels = subprocess.run(grey, input=picture, check=True, capture_output=True).stdout
    cut = [(panel, ink) for panel in reversed(panels(picture)) if (ink := _ink(pixels, wide, panel))]
    _learn([ink for _, ink in cut if ink not in _read])
    return [  # buttons before the page they are on
        Word(text, ink.x + x, ink.y + y, width, height, (str(panel), *line))
        for panel, ink in cut
        for text, x, y, width, height, line in _read[ink]
    ]


def panels(picture: bytes) -> list[Panel]:
    """Return the areas of one colour that are large enough for a button, the largest first: x, y, width, height."""
    words = ["convert", "png:-", "-define", "connected-components:verbose=true",
             "-define", f"connected-components:area-threshold={SMALLEST}", "-connected-components", "4", "null:"]  # fmt: skip
    done = subprocess.run(words, input=picture, check=True, capture_output=True)
    boxes = re.findall(r"^ *\d+: (\d+)x(\d+)\+(\d+)\+(\d+)", done.stdout.decode(), re.M)
    found = [(int(x), int(y), int(width), int(height)) for width, height, x, y in boxes]
    return [(x, y, width, height) for x, y, width, height in found if width > EDGE * 8 and height > EDGE * 5]


def _ink(page: bytes, wide: int, panel: Panel) -> Ink | None:
    """Return what is written on a panel of a grey page, None for nothing."""
    x, y, width, height = panel[0] + EDGE, panel[1] + EDGE, panel[2] - 2 * EDGE, panel[3] - 2 * EDGE
    rows = [page[at + x : at + x + width] for at in range(y * wide, (y + height) * wide, wide)]
    pixels = b"".join(rows)
    ground = max(set(pixels[::7]), key=pixels[::7].count)
    inked = [at for at, row in enumerate(rows) if _inked(row, ground)]
    columns = [at for at in range(width) if _inked(pixels[at::width], ground)]
    if not inked or not columns:
        return None
    left, top, across = columns[0], inked[0], columns[-1] + 1 - columns[0]
    ink = b"".join(row[left : left + across] for row in rows[top : inked[-1] + 1])
    return Ink(ink, across, ground, x + left, y + top)


def _inked(pixels: bytes, ground: int) -> bool:
    return max(pixels) - ground > FAINT or ground - min(pixels) > FAINT


def _learn(inks: Sequence[Ink]) -> None:
    """Read what has not been read yet, all of it in one run of tesseract: its start takes longer than its reading."""
    if not inks:
        return
    with TemporaryDirectory() as folder:
        words, pages = ["convert"], []
        for number, ink in enumerate(inks):
            grey, page = Path(folder, f"{number}.gray"), Path(folder, f"{number}.png")
            grey.write_bytes(ink.pixels)
            pages.append(str(page))
            way = ["-negate"] if ink.ground < 128 else []  # it reads dark letters on light
            words += ["(", "-size", f"{ink.width}x{len(ink.pixels) // ink.width}", "-depth", "8", str(grey), *way, "-resize",
                      f"{ENLARGED}%", "-bordercolor", "white", "-border", str(MARGIN), "-write", str(page), "+delete", ")"]  # fmt: skip
        subprocess.run([*words, "null:"], check=False, capture_output=True)  # it misses an image to end with
        listed = Path(folder, "pages")
        listed.write_text("\n".join(pages), encoding="utf-8")
        done = subprocess.run(["tesseract", listed, "-", "--psm", "6", "tsv"], check=True, capture_output=True,
                              env=os.environ | {"OMP_THREAD_LIMIT": "1"})  # fmt: skip
    found: list[list[tuple[str, float, float, float, float, tuple[str, ...]]]] = [[] for _ in inks]
    for row in done.stdout.decode().splitlines()[1:]:
        _, page_number, block, part, line, _, left, top, width, height, sure, text = row.split("\t")
        if float(sure) > SURE and text.strip():
            at = [(int(value) - MARGIN) * 100 / ENLARGED for value in (left, top)]
            size = [int(value) * 100 / ENLARGED for value in (width, height)]
            found[int(page_number) - 1].append((text.strip(), *at, *size, (block, part, line)))  # type: ignore[arg-type]
    _read.update(zip(inks, found, strict=True))


def read(picture: Path) -> str:
    """Return all text of a picture, a line for each of its lines."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for word in words(picture):
        lines.setdefault(word.line, []).append(word.text)
    return "\n".join(" ".join(line) for line in lines.values())


def find(picture: Path, text: str) -> tuple[float, float] | None:
    """Return the middle of the first place where a text stands, None if it does not. Spaces are not compared."""
    wanted = _letters(text)
    for _, line in groupby(words(picture), key=lambda word: word.line):
        in_line = list(line)
        at = _letters("".join(word.text for word in in_line)).find(wanted)
        if at < 0:
            continue
        over, part = 0, []
        for word in in_line:
            if over < at + len(wanted) and over + len(_letters(word.text)) > at:
                part.append(word)
            over += len(_letters(word.text))
        return (part[0].x + part[-1].x + part[-1].width) / 2, part[0].y + part[0].height / 2
    return None


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def colours(picture: Path) -> int:
    """Return the number of colours in a picture: 1 for a black screen."""
    done = subprocess.run(["identify", "-format", "%k", picture], check=True, capture_output=True, text=True)
    return int(done.stdout)


def difference(one: Path, other: Path) -> float:
    """Return the share of pixels that differ by more than a font's edges do, 0.0 to 1.0; 1.0 for other sizes."""
    words: list[str | Path] = ["compare", "-metric", "AE", "-fuzz", "25%", one, other, "null:"]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    size = subprocess.run(
        ["identify", "-format", "%w %h", one], check=True, capture_output=True, text=True
    ).stdout.split()
    if done.returncode > 1:
        return 1.0
    return float(done.stderr.split()[0]) / (int(size[0]) * int(size[1]))
