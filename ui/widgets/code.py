"""A QR code: what a telephone reads off the screen."""

from __future__ import annotations

from collections.abc import Sequence

import segno
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

QUIET = 4
"""The width of the white border, in modules. Source: ISO/IEC 18004, "Quiet zone"."""
LEAST = 3
"""A module has at least so many pixels a side; cameras lose smaller ones."""

Rows = Sequence[bytes]
"""A code with its border from the top down, a byte a module: 0 is dark, 255 light."""


def rows(text: str) -> Rows:
    """Return the smallest code that holds the text, none where no code does; spare room goes to error correction."""
    try:
        code = segno.make_qr(text, error="l")
    except segno.DataOverflowError:
        return ()
    return [bytes(0 if dark else 255 for dark in line) for line in code.matrix_iter(border=QUIET)]


def module(found: Rows, width: float, height: float) -> int:
    """Return how many pixels a module has in that space, 0 where they would be too few."""
    side = int(min(width, height) // len(found)) if found else 0
    return side if side >= LEAST else 0


class Code(Widget):
    """The code of a text, as large as there is room for in whole pixels; nothing where it does not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Rows = ()
        with self.canvas:
            Color(1, 1, 1)
            self.drawn = Rectangle(size=(0, 0))
        self.bind(pos=self._draw, size=self._draw)

    def show(self, text: str) -> None:
        """Show the code of this text, none for ""."""
        self.rows = rows(text) if text else ()
        if self.rows:
            texture = Texture.create(size=(len(self.rows), len(self.rows)), colorfmt="luminance")
            texture.min_filter = texture.mag_filter = "nearest"
            texture.blit_buffer(b"".join(reversed(self.rows)), colorfmt="luminance")
            self.drawn.texture = texture
        self._draw()

    @property
    def fits(self) -> bool:
        return module(self.rows, *self.size) > 0

    def _draw(self, *_: object) -> None:
        side = module(self.rows, *self.size) * len(self.rows)
        self.drawn.size = side, side
        self.drawn.pos = int(self.center_x - side / 2), int(self.center_y - side / 2)
