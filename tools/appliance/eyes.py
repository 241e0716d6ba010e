"""Reads the screen as a person does: finds words in a picture (tesseract) and compares pictures."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path

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


def words(picture: Path) -> list[Word]:
    """Return the words in a picture, panel by panel and line by line."""
    return list(_words(picture.read_bytes()))


def _words(picture: bytes) -> Iterator[Word]:
    for panel in reversed(panels(picture)):  # buttons before the page they are on
        yield from _in_panel(picture, panel)


def panels(picture: bytes) -> list[Panel]:
    """Return the areas of one colour that are large enough for a button, the largest first: x, y, width, height."""
    words = ["convert", "png:-", "-define", "connected-components:verbose=true",
             "-define", f"connected-components:area-threshold={SMALLEST}", "-connected-components", "4", "null:"]  # fmt: skip
    done = subprocess.run(words, input=picture, check=True, capture_output=True)
    boxes = re.findall(r"^ *\d+: (\d+)x(\d+)\+(\d+)\+(\d+)", done.stdout.decode(), re.M)
    found = [(int(x), int(y), int(width), int(height)) for width, height, x, y in boxes]
    return [(x, y, width, height) for x, y, width, height in found if width > EDGE * 8 and height > EDGE * 5]


def _in_panel(picture: bytes, panel: Panel) -> Iterator[Word]:
    """Yield the words within a panel: tesseract reads one panel, cut to its ink, better than a whole page."""
    x, y, width, height = panel[0] + EDGE, panel[1] + EDGE, panel[2] - 2 * EDGE, panel[3] - 2 * EDGE
    cut = ["convert", "png:-", "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-depth", "8", "gray:-"]
    pixels = subprocess.run(cut, input=picture, check=True, capture_output=True).stdout
    rows = [pixels[at : at + width] for at in range(0, width * height, width)]
    ground = max(set(pixels[::7]), key=pixels[::7].count)
    inked = [at for at, row in enumerate(rows) if _inked(row, ground)]
    columns = [at for at in range(width) if _inked(pixels[at::width], ground)]
    if not inked or not columns:
        return
    left, top, wide = columns[0], inked[0], columns[-1] + 1 - columns[0]
    ink = b"".join(row[left : left + wide] for row in rows[top : inked[-1] + 1])
    for text, at_x, at_y, w, h, line in _text_of(ink, wide, ground):
        yield Word(text, x + left + at_x, y + top + at_y, w, h, (str(panel), *line))


def _inked(pixels: bytes, ground: int) -> bool:
    return max(pixels) - ground > FAINT or ground - min(pixels) > FAINT


@lru_cache(maxsize=512)
def _text_of(ink: bytes, wide: int, ground: int) -> tuple[tuple[str, float, float, float, float, tuple[str, ...]], ...]:
    """Return the words of a grey picture with their boxes; much of a screen is the same as a moment ago."""
    way = ["-negate"] if ground < 128 else []  # it reads dark letters on light
    larger = ["convert", "-size", f"{wide}x{len(ink) // wide}", "-depth", "8", "gray:-", *way, "-resize", f"{ENLARGED}%",
              "-bordercolor", "white", "-border", f"{MARGIN}", "png:-"]  # fmt: skip
    large = subprocess.run(larger, input=ink, check=True, capture_output=True).stdout
    done = subprocess.run(["tesseract", "-", "-", "--psm", "6", "tsv"], input=large, check=True, capture_output=True,
                          env=os.environ | {"OMP_THREAD_LIMIT": "1"})  # fmt: skip
    found = []
    for row in done.stdout.decode().splitlines()[1:]:
        _, page, block, part, line, _, left, top, width, height, sure, text = row.split("\t")
        if float(sure) > SURE and text.strip():
            at = [(int(value) - MARGIN) * 100 / ENLARGED for value in (left, top)]
            size = [int(value) * 100 / ENLARGED for value in (width, height)]
            found.append((text.strip(), at[0], at[1], size[0], size[1], (page, block, part, line)))
    return tuple(found)


def read(picture: Path) -> str:
    """Return all text of a picture, a line for each of its lines."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for word in words(picture):
        lines.setdefault(word.line, []).append(word.text)
    return "\n".join(" ".join(line) for line in lines.values())


def find(picture: Path, text: str) -> tuple[float, float] | None:
    """Return the middle of the first place where a text stands, None if it does not. Spaces are not compared."""
    wanted = _letters(text)
    for _, line in groupby(_words(picture.read_bytes()), key=lambda word: word.line):
        words = list(line)
        at = _letters("".join(word.text for word in words)).find(wanted)
        if at < 0:
            continue
        over, part = 0, []
        for word in words:
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
