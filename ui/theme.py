"""The looks of everything: two palettes, one type scale, one spacing scale, a shape for every colour. No Kivy in
here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import cos, hypot, pi, sin
from typing import TypeVar

T = TypeVar("T")
Rgba = tuple[float, float, float, float]


class TextSize(IntEnum):
    """The six sizes of type: a text takes one of them, never a size between."""

    LABEL = 0
    """Words under icons, captions, names of regions and provinces."""
    TEXT = 1
    """Sentences, names, clauses, buttons."""
    HEAD = 2
    """The band, numbers in the rail, the one primary button."""
    CARD = 3
    """Bids, small cards, places and totals."""
    FIGURE = 4
    """Cards in play, totals of a duel."""
    NUMBER = 5
    """The one number of the moment."""
    REST = 6
    """That number while the table rests; nothing else is so large."""


STEPS = {"normal": (16, 20, 28, 40, 64, 96, 220), "large": (20, 25, 34, 44, 64, 96, 220)}
"""The six sizes in dp, and the one at rest, by the text size chosen."""

# Sizes in dp: a dp is a 480th of the window's shorter side, so the same design fills every screen.
DESIGN = 480
TEXTS = {"normal": 1.0, "large": 18 / 14}
"""The growth of what holds words, by the text size chosen."""
GAP, PAD, EDGE = 6, 10, 16
"""The spacing scale."""
LINE = 1.23
"""From line to line, in sizes of its letters."""
TOUCH = 48
"""The least a finger hits, each way."""
ROUND = 6
"""The corners of panels and controls."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Limestone and ink. Colour belongs to the players: no accent looks like a seat. Text reaches 4.5:1."""

    stone: str
    panel: str
    sunk: str
    line: str
    ink: str
    muted: str
    accent: str
    """Bronze: rings around touchable and counting items, and the numbers of clauses."""
    seal: str
    """Basalt: the ground of the one thing to do next."""
    on_seal: str
    rim: str
    """The edge of basalt: in the dark it is hardly seen without one."""
    amber: str
    """The ring around what has just changed; letters on it are the card's."""
    wax: str
    """The ground of the latest change."""
    sea: str
    land: str
    coast: str
    """The map."""
    stop: str
    """Refusals and faults, and nothing else; always beside a sign or words."""
    good: str
    card: str
    card_ink: str


LIGHT = Palette(
    stone="E9E2D3",
    panel="FBF7EC",
    sunk="D9CFBA",
    line="B9AD96",
    ink="26211D",
    muted="574E44",
    accent="7F4A00",
    seal="332B26",
    on_seal="FFF6E6",
    rim="332B26",
    amber="F2B53C",
    wax="FFE9B0",
    sea="BFD0CF",
    land="F6ECD2",
    coast="A98F62",
    stop="9C1F1B",
    good="2F6231",
    card="FFFDF7",
    card_ink="26211D",
)
DARK = Palette(
    stone="1B1816",
    panel="2C2622",
    sunk="120F0E",
    line="564C43",
    ink="F4EDDF",
    muted="C0B4A2",
    accent="F0BC63",
    seal="3B322C",
    on_seal="FFF6E6",
    rim="F0BC63",
    amber="E0A02B",
    wax="4A3A18",
    sea="22312F",
    land="4A4235",
    coast="8A764F",
    stop="FF9A8A",
    good="8CC98A",
    card="F7F3E9",
    card_ink="26211D",
)

SEATS = {
    "red": "B52F27",
    "blue": "2B5C9E",
    "green": "3B7D3A",
    "yellow": "DFA81C",
    "purple": "7C4394",
    "black": "2B2724",
    "white": "FBF9F4",
}
"""The looks of each colour, on both palettes; its outline is always drawn in ink besides."""


def _polygon(points: int, turn: float = 90, inner: float | None = None) -> tuple[tuple[float, float], ...]:
    """Return the corners of a regular polygon, or of a star with `inner` radius, in a circle of radius 1."""
    corners = points * 2 if inner else points
    return tuple(
        ((inner if inner and i % 2 else 1) * cos(a), (inner if inner and i % 2 else 1) * sin(a))
        for i in range(corners)
        for a in [turn * pi / 180 + i * 2 * pi / corners]
    )


def inset(corners: Sequence[tuple[float, float]], depth: float) -> list[tuple[float, float]]:
    """Return the same shape with every side moved inwards by `depth`; corners go round anticlockwise."""
    moved = []
    for at, (x, y) in enumerate(corners):
        (x0, y0), (x1, y1) = corners[at - 1], corners[(at + 1) % len(corners)]
        before, after = hypot(x - x0, y - y0), hypot(x1 - x, y1 - y)
        nx, ny = (y0 - y) / before, (x - x0) / before  # inward normals of the two sides that meet here
        mx, my = (y - y1) / after, (x1 - x) / after
        reach = depth / (1 + nx * mx + ny * my)
        moved.append((x + (nx + mx) * reach, y + (ny + my) * reach))
    return moved


_B, _S = 0.92, 0.34  # a cross: how far its arms reach, how wide they are

SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "red": _polygon(36),
    "blue": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "green": ((-0.96, -0.76), (0.96, -0.76), (0, 0.96)),
    "yellow": _polygon(5, inner=0.5),
    "purple": ((0, -1.0), (0.82, 0), (0, 1.0), (-0.82, 0)),
    "black": _polygon(6, turn=0),
    "white": (
        *((-_S, -_B), (_S, -_B), (_S, -_S), (_B, -_S), (_B, _S), (_S, _S)),
        *((_S, _B), (-_S, _B), (-_S, _S), (-_B, _S), (-_B, -_S), (-_S, -_S)),
    ),
}
"""The shape of each colour, as corners in a square from -1 to 1 that can be filled as a fan from the middle."""

SHAPE_NAMES = {
    "red": "circle",
    "blue": "square",
    "green": "triangle",
    "yellow": "star",
    "purple": "diamond",
    "black": "hexagon",
    "white": "cross",
}

now = LIGHT
"""The palette in use; widgets read it when they are built."""
letters = TEXTS["normal"]
"""The growth of what holds words against normal text."""


def use(name: str, text: str = "normal") -> None:
    """Choose "light" or "dark", and "normal" or "large" text, for everything built from now on."""
    global now, letters
    now, letters = DARK if name == "dark" else LIGHT, TEXTS[text]


def either(normal: T, large: T) -> T:
    """Return the value for the text size in use, `normal` or `large`: most often a length in dp."""
    return normal if letters == TEXTS["normal"] else large


def grown(length: float) -> float:
    """Return a length in dp that holds words, scaled with the text size."""
    return length * letters


def size(step: TextSize) -> int:
    """Return a step of the type scale in dp, in the text size chosen."""
    return STEPS["large" if letters > 1 else "normal"][step]


SELECTED = 2
"""The width of a selected item's edge, in dp."""


def selected() -> tuple[str, str, float]:
    """Return the ground, the edge and its width, in dp, of everything selected: a value, a row, a tile.

    The words on it are bold ink; basalt is for the one thing to do next.
    """
    return now.wax, now.accent, SELECTED


def above(step: TextSize, lines: float = 1) -> float:
    """Return the height of so many lines of this step, in dp."""
    return lines * LINE * size(step)


def rgba(colour: str, alpha: float = 1) -> Rgba:
    """Return a palette's colour as Kivy takes it."""
    return int(colour[0:2], 16) / 255, int(colour[2:4], 16) / 255, int(colour[4:6], 16) / 255, alpha


ON_SEAT = "FFF8EF"
"""Letters and shapes on a seat's colour, but for yellow and white."""


def on_seat(seat: str) -> str:
    """Return the colour for writing and drawing on the colour of this seat."""
    return LIGHT.card_ink if seat in ("yellow", "white") else ON_SEAT


def on(colour: str) -> str:
    """Return ink or paper, the one that is easier to read on this colour."""
    return max((LIGHT.ink, LIGHT.card), key=lambda text: contrast(text, colour))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2: from 1 to 21; 4.5 is enough for text."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba(colour)[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
