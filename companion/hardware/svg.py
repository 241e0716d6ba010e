"""The few elements that the drawings of a table are made of, and their colours; the screen shows the same ones."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

COLOURS = {
    "3.3V": "#d1495b", "GND": "#3b3f46", "SCK": "#2e86ab", "MOSI": "#3d9a50", "MISO": "#b5862c", "SDA": "#7b4fa6",
    "RST": "#c2589b", "red": "#c8392f", "blue": "#2c62b4", "green": "#35853b", "yellow": "#c79a12",
    "purple": "#8449a6", "black": "#26292e", "white": "#8d949e",
}  # fmt: skip

Say = Callable[[str], str]
"""Puts a message into a language."""


def sheet(width: int, height: int) -> str:
    """The beginning of a drawing of this size, in px, on paper; `</svg>` ends it."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    paper = f'<rect width="{width}" height="{height}" fill="#fbfaf7"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="DejaVu Sans, Arial, sans-serif">\n{paper}'


def text(x: int, y: int, words: str, size: int, ink: str, *, weight: str = "normal") -> str:
    """Words around x, standing on y."""
    look = f'font-size="{size}" fill="{ink}" text-anchor="middle" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(words)}</text>'
