"""Rounded rectangles that are drawn as one small picture, stretched in its middle."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import Any

from kivy.graphics import BorderImage, Color, InstructionGroup
from kivy.graphics.texture import Texture
from kivy.metrics import dp

from ui import theme


class Plate(InstructionGroup):
    """A rounded rectangle and its edge, `radius` dp at the corners, taken out of the canvas while it has no colour.

    Kivy's own rounded rectangle is a fan of slivers from its middle, and an edge would be another one behind it:
    without a graphics card those take six times as long as this. Made outside of any `with canvas`, and added to one.
    """

    def __init__(self, radius: float) -> None:
        super().__init__()
        self._radius, self._box = dp(radius), (0, 0, 0, 0)
        self._look: tuple[str, str, int] | None = None
        self._ink, self._image = Color(), BorderImage()

    @property
    def size(self) -> tuple[float, float]:
        """Return the size in whole pixels; (0, 0) where nothing is seen."""
        return self._image.size if self.children else (0, 0)

    @property
    def look(self) -> tuple[str, str, int] | None:
        """Return the colours of ground and edge and its width in pixels; None where nothing is seen."""
        return self._look

    def paint(self, fill: str | None, edge: str | None = None, width: float = 1) -> None:
        """Change the colours, and the edge's width in dp; None is none at all, an edge alone lies on the ground."""
        ground = fill or theme.now.stone
        look = (ground, edge or ground, max(1, round(dp(width))) if edge else 0) if fill or edge else None
        if look != self._look:
            self._look = look
            self._draw()

    def fade(self, seen: float) -> None:
        """Set the opacity, from 0 to 1."""
        self._ink.a = seen

    def lay(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Cover the pixels whose middles lie in the box."""
        (x, y), (wide, high) = pos, size
        box = round(x), round(y), round(x + wide), round(y + high)
        if box != self._box:
            self._box = box
            self._draw()

    def _draw(self) -> None:
        left, low, right, top = self._box
        wide, high = right - left, top - low
        if (seen := bool(self._look and wide > 0 and high > 0)) != bool(self.children):
            self.clear()
            for part in (self._ink, self._image) if seen else ():
                self.add(part)
        if self._look and seen:
            fill, edge, width = self._look
            half = min(wide, high) // 2
            radius = min(round(self._radius), half)
            corner = min(max(radius, width), half)
            self._image.texture = picture(fill, edge, width, radius, corner)
            self._image.border = (corner,) * 4
            self._image.pos, self._image.size = (left, low), (wide, high)


@lru_cache(maxsize=512)
def picture(fill: str, edge: str, width: int, radius: int, corner: int) -> Any:
    """Return a texture of four corners of so many pixels, and one pixel between them to be stretched."""
    colours = {name: bytes(round(255 * part) for part in theme.rgba(name)) for name in (fill, edge)}

    def texel(across: int, up: int) -> bytes:
        dx, dy = (max(0.0, radius - at - 0.5) for at in (across, up))
        depth = radius - hypot(dx, dy) if dx and dy else min(across, up) + 0.5
        return colours[edge if depth < width else fill] if depth >= 0 else bytes(4)

    quarter = [*range(corner + 1), *range(corner - 1, -1, -1)]
    texture = Texture.create(size=(len(quarter), len(quarter)))
    texture.blit_buffer(b"".join(texel(x, y) for y in quarter for x in quarter), colorfmt="rgba")
    return sharp(texture)


def sharp(texture: Any) -> Any:
    """Set the texture to be drawn pixel by pixel and return it: without a graphics card mixing takes twice as long."""
    texture.min_filter = texture.mag_filter = "nearest"
    return texture
