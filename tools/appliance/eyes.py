"""Reads the screen as a person does: finds words in a picture (tesseract) and compares pictures."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

ENLARGED = 300
"""Per cent: tesseract reads letters of 30 pixels and more."""
SURE = 30.0


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
    """Return the words in a picture, line by line."""
    large = picture.with_suffix(".large.png")
    subprocess.run(["convert", picture, "-resize", f"{ENLARGED}%", "-colorspace", "Gray", large], check=True)
    done = subprocess.run(["tesseract", large, "-", "--psm", "11", "tsv"], check=True, capture_output=True, text=True)
    large.unlink()
    found = []
    for row in done.stdout.splitlines()[1:]:
        _, page, block, part, line, _, x, y, width, height, sure, text = row.split("\t")
        if float(sure) > SURE and text.strip():
            left, top, wide, high = (int(value) * 100 / ENLARGED for value in (x, y, width, height))
            found.append(Word(text.strip(), left, top, wide, high, (page, block, part, line)))
    return found


def read(picture: Path) -> str:
    """Return all text of a picture, a line for each of its lines."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for word in words(picture):
        lines.setdefault(word.line, []).append(word.text)
    return "\n".join(" ".join(line) for line in lines.values())


def find(picture: Path, text: str) -> tuple[float, float] | None:
    """Return the middle of the first place where a text stands, None if it does not."""
    wanted, there = text.split(), words(picture)
    for at in range(len(there) - len(wanted) + 1):
        part = there[at : at + len(wanted)]
        if [word.text.strip("….,:") for word in part] == [word.strip("….,:") for word in wanted]:
            right = part[-1].x + part[-1].width
            return (part[0].x + right) / 2, part[0].y + part[0].height / 2
    return None


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
