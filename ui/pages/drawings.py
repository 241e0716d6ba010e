"""Drawings for pages of few words: the steps of the first hour, an update, a stick, a plug."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, radians, sin

from ui import theme

WIDE, HIGH = 300, 220
"""The size of a drawing, in its own units."""
CARD = (92, 128)
"""The size of a card seen from above."""

Point = tuple[float, float]


def drawing(name: str) -> str:
    """Return the drawing with this name as SVG; "" if there is none."""
    if name not in DRAWINGS:
        return ""
    parts = "".join(DRAWINGS[name]())
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}">{parts}</svg>'


def _rect(at: Point, size: Point, fill: str, edge: str = "", rx: float = 6) -> str:
    (x, y), (wide, high) = at, size
    stroke = f' stroke="#{edge}"' if edge else ""
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="{rx}" fill="#{fill}"{stroke}/>'


def _disc(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="#{fill}" stroke="#{theme.now.ink}"/>'


def _line(points: Sequence[Point], ink: str, width: float = 3) -> str:
    (first, *rest) = (f"{x} {y}" for x, y in points)
    return f'<path d="M {first}{"".join(f" L {point}" for point in rest)}" stroke="#{ink}" stroke-width="{width}"/>'


def _arrow(x: float, low: float, high: float) -> list[str]:
    ink, tip = theme.now.accent, 10 if high < low else -10
    return [
        _line([(x, low), (x, high)], ink, 5),
        _line([(x - 10, high + tip), (x, high), (x + 10, high + tip)], ink, 5),
    ]


def _text(x: float, y: float, words: str, size: float, ink: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="bold" fill="#{ink}">{words}</text>'


def _reader() -> list[str]:
    """Return the reader from above: the board, the antenna's loops and the chip."""
    look = theme.now
    loops = [_rect((92 + by, 26 + by), (168 - 2 * by, 168 - 2 * by), look.panel, look.coast, 10) for by in (0, 7, 14)]
    pins = [_line([(x, 176 + y), (x, 182 + y)], look.muted, 2) for x in range(158, 196, 8) for y in (-1, 27)]
    board, chip = _rect((76, 10), (200, 204), look.panel, look.ink, 12), _rect((152, 181), (46, 21), look.seal, rx=3)
    return [board, *loops, *pins, chip]


def _card(x: float, y: float, number: str = "7", seat: str = "blue") -> list[str]:
    look, (wide, high) = theme.now, CARD
    middle = x + wide / 2
    return [
        _rect((x, y), (wide, high), look.card, look.card_ink, 9),
        _text(middle, y + 56, number, 44, look.card_ink),
        _disc(middle, y + 92, 17, theme.SEATS[seat]),
    ]


def _aside(cards: Sequence[Point]) -> list[str]:
    """Return the reader from the side with cards at these places above it."""
    look = theme.now
    plate = [_rect((50, 184), (200, 20), look.panel, look.ink, 4), _rect((70, 189), (160, 4), look.coast, rx=2)]
    return plate + [_rect((x, y), (120, 9), look.card, look.ink, 3) for x, y in cards]


def _chip() -> list[str]:
    return [
        *_reader(),
        _rect((144, 173), (62, 37), theme.now.amber, theme.now.accent),
        _rect((152, 181), (46, 21), theme.LIGHT.seal),
    ]


def _gain() -> list[str]:
    waves = [
        _line([(x, 60), (x + way * 12, 80), (x + way * 16, 105), (x + way * 12, 130), (x, 150)], theme.now.accent, 4)
        for way, edge in ((1, 232), (-1, 120))
        for x in (edge, edge + way * 22, edge + way * 44)
    ]
    return [*_reader(), *_card(130, 42), *waves]


def _lift() -> list[str]:
    return [
        *_aside([(90, 96)]),
        *_arrow(150, 84, 30),
        *(_line([(x, 118), (x, 176)], theme.now.muted, 2) for x in (104, 196)),
    ]


def _hand() -> list[str]:
    ink = theme.now.accent
    ends = [_line([(x - 8, y), (x + 8, y)], ink, 4) for x in (236,) for y in (62, 183)]
    return [
        *_aside([(70, 50)]),
        _line([(236, 62), (236, 183)], ink, 4),
        *ends,
        _text(270, 130, "8 cm", 22, theme.now.ink),
    ]


def _buttons() -> list[str]:
    look, buttons = theme.now, ((60, "red"), (150, "blue"), (240, "green"))
    caps = [
        part for x, seat in buttons for part in (_disc(x, 140, 36, look.sunk), _disc(x, 140, 26, theme.SEATS[seat]))
    ]
    return [*caps, *_arrow(60, 24, 92), _text(106, 66, "5 ×", 30, look.ink)]


def _lamps() -> list[str]:
    look = theme.now
    ways = [(0, 1), (0.7, 0.7), (1, 0), (0.7, -0.7), (0, -1), (-0.7, -0.7), (-1, 0), (-0.7, 0.7)]
    lit = [_line([(150 + x * r, 110 + y * r) for r in (52, 70)], look.accent, 5) for x, y in ways]
    return [_disc(40, 110, 30, look.sunk), _disc(260, 110, 30, look.sunk), _disc(150, 110, 38, look.amber), *lit]


def _report() -> list[str]:
    look = theme.now
    lines = [_line([(102, y), (198 - 30 * (y % 3), y)], look.coast, 5) for y in range(56, 190, 22)]
    return [_rect((80, 12), (140, 200), look.card, look.ink), *lines]


def _update() -> list[str]:
    look = theme.now
    parts = [_rect((70, 120), (160, 84), look.panel, look.ink), _rect((60, 104), (180, 26), look.sunk, look.ink)]
    return [*parts, *_arrow(150, 12, 92)]


def _stick() -> list[str]:
    look = theme.now
    holes = [_rect((x, 26), (14, 16), look.ink, rx=2) for x in (128, 158)]
    body = _rect((100, 66), (100, 144), look.seal, look.rim, 12)
    return [_rect((114, 8), (72, 62), look.sunk, look.ink, 3), *holes, body, *_arrow(150, 96, 180)]


def _power() -> list[str]:
    ink, around = theme.now.accent, [radians(at) for at in range(-60, 241, 12)]
    ring = [(round(150 + 78 * cos(at), 1), round(122 + 78 * sin(at), 1)) for at in around]
    return [_line(ring, ink, 10), _line([(150, 24), (150, 112)], ink, 10)]


def _voice() -> list[str]:
    look = theme.now
    horn = [
        _rect((60, 80), (50, 60), look.seal, look.rim),
        _line([(112, 84), (160, 40), (160, 180), (112, 136)], look.ink, 6),
    ]
    waves = [_line([(x, 110 - r), (x + r / 3, 110), (x, 110 + r)], look.accent, 6) for x, r in ((185, 28), (210, 48))]
    return [*horn, *waves, _line([(40, 200), (260, 20)], look.stop, 8)]


DRAWINGS: Mapping[str, Callable[[], Sequence[str]]] = {
    "chip": _chip,
    "one": lambda: [*_reader(), *_card(130, 42)],
    "gain": _gain,
    "two": lambda: [*_reader(), *_card(122, 34), *_card(146, 56, "4", "red")],
    "lift": _lift,
    "hand": _hand,
    "buttons": _buttons,
    "lamps": _lamps,
    "report": _report,
    "update": _update,
    "save": _stick,
    "power": _power,
    "voice": _voice,
}
"""The drawings by the name of the step of the first hour, or of the page."""
