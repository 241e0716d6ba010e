"""The map of Hannibal gegen Rom: coasts that follow the board's own links, regions, and routes over the sea."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import hypot, inf

from kivy.graphics import Color, InstructionGroup, Line, Point
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.hannibal.model import HIGH, WIDE, OnMap, Spot
from ui.games.hannibal.model import Point as MapPoint
from ui.games.hannibal.sentences import CAPITAL, CARTHAGE, ROME
from ui.games.parts.field import PieceField, Sign, edge
from ui.theme import TextSize
from ui.widgets.annotations import lies
from ui.widgets.fresh import Ring
from ui.widgets.plate import Plate
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text, broad, long

PLATE, LARGE, PILL, BOTH = (100, 52), (116, 60), (54, 32), 92
"""A region in normal and in large text, a route, and how wide that is while both sides are there, in dp."""
SIDE = 9
"""The least side of a piece, in dp."""
SEEN = 15
"""A region is as broad as all its pieces with shapes of this side, in dp; beside large letters there is no room."""
LAND, COAST, FRAME = 22, 2.5, 8
"""Half the width of a strip of land, how broad its coast is, and how far that keeps from the frame, in dp."""
STEPS = sorted(product(range(-36, 37, 3), repeat=2), key=lambda step: hypot(*step))
"""The ways a route may step aside for a region, the shortest first, in dp."""


@lru_cache(256)  # the same few, whenever a fleet comes or goes
def clear_point(at: MapPoint, size: tuple[float, float], lands: Sequence[tuple[float, ...]], pixels: float) -> MapPoint:
    """Return the point nearest to `at` where something of this size lies on none of the `lands`, or least on one.

    A land is its centre and its size, all in pixels; a dp has so many `pixels`.
    """
    best, least = at, inf
    for aside, up in STEPS:
        x, y = at[0] + aside * pixels, at[1] + up * pixels
        covered = 0.0
        for middle_x, middle_y, wide, high in lands:
            by = min((size[0] + wide) / 2 - abs(x - middle_x), (size[1] + high) / 2 - abs(y - middle_y))
            covered = max(covered, by)
        if covered < least:
            best, least = (x, y), covered
        if not covered:
            break
    return best


class Pieces(Widget):
    """The pieces at a place: a shape and a number for each side; Hannibal is a shape with an H."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes = [Shape() for _ in range(3)]
        self.texts = [Text(most=TextSize.HEAD, lines=1, bold=True) for _ in range(2)]
        self.hannibal = Text("H", most=TextSize.TEXT, lines=1, bold=True, align="center",
                             ink=theme.on(theme.SEATS[CARTHAGE]))  # fmt: skip
        for child in (*self.shapes, *self.texts, self.hannibal):
            self.add_widget(child)
        self._counts: Sequence[int] = ()
        self._hannibal = False
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, counts: Sequence[int], hannibal: bool) -> None:
        self._counts, self._hannibal = counts, hannibal
        for shape, seat, there in zip(self.shapes, (ROME, CARTHAGE, CARTHAGE), (*counts, hannibal), strict=True):
            shape.seat = seat if there else ""
        for text, count in zip(self.texts, counts, strict=True):
            text.show(str(count) if count else "")
        self.hannibal.opacity = 1 if hannibal else 0
        self._line_up()

    @property
    def any(self) -> bool:
        """Return whether any piece stands here."""
        return self._hannibal or any(self._counts)

    @property
    def least(self) -> float:
        """Return the least width of all pieces together, in pixels."""
        return self._width_of(dp(SEEN))

    def _line_up(self, *_: object) -> None:
        """Place blue with its number, red with its number and Hannibal from the left, centred as a whole."""
        side = next(filter(lambda side: self._width_of(side) <= self.width, self._sides()), dp(SIDE))
        left = self.x + (self.width - self._width_of(side)) / 2
        for shape, text, count in zip(self.shapes, self.texts, self._counts, strict=False):
            if count:
                room = self._number_width(count, side)
                shape.pos, shape.size = (left, self.y + (self.height - side) / 2), (side, side)
                text.pos, text.size = (left + side, self.y), (room, max(1, self.height))
                left += side + room
        if self._hannibal:
            room = self._letter_width(side)
            for widget in (self.shapes[2], self.hannibal):
                widget.size = room, room
                widget.pos = left, self.y + (self.height - room) / 2

    def _sides(self) -> Iterator[float]:
        """Yield the possible sizes of a shape, the largest first."""
        side = float(min(self.height, self.width / 2.4))
        while side > dp(SIDE):
            yield side
            side -= 1

    def _width_of(self, side: float) -> float:
        """Return the width of all pieces together with shapes of this size."""
        numbers = (side + self._number_width(count, side) for count in self._counts if count)
        return sum(numbers) + self._hannibal * self._letter_width(side)

    def _number_width(self, count: int, side: float) -> float:
        """Return the width of a number, which stays legible where its shape is smaller."""
        return float(max(broad(str(count), TextSize.TEXT, True) + dp(2), side * (0.9 if count < 10 else 1.5)))

    def _letter_width(self, side: float) -> float:
        """Return the width of the H, which stays legible where a shape is smaller."""
        return float(max(side, dp(theme.size(TextSize.LABEL))))


class Region(Widget):
    """A region: its name over its pieces."""

    def __init__(self, capital: bool) -> None:
        super().__init__()
        self.ground = Widget()
        self.back = Backdrop(self.ground, None, radius=8)
        self.fresh = Ring(self.ground, radius=8)
        self.name = Text(most=TextSize.LABEL, lines=1, align="center", bold=capital)
        self.pieces, self.sign = Pieces(), Sign()
        for child in (self.ground, self.name, self.pieces, self.sign):
            self.add_widget(child)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, spot: Spot, sign: str, dim: bool, fresh: int = 0) -> None:
        """Show the region; `fresh` is the number of the act that has just changed it."""
        self.name.show(spot.name)
        self.name.opacity = 0.6 if dim else 1
        self.pieces.show([spot.pieces[side] for side in (ROME, CARTHAGE)], spot.hannibal)
        look = theme.now
        lit = look.card if look is theme.LIGHT else look.stone
        self.back.paint(lit if sign else None, edge(sign)[0] if sign else None, edge(sign)[1])
        self.fresh.show(bool(fresh) and sign in ("", "about"), fresh)
        self.sign.show(sign)
        self._line_up()  # a name is as wide as its letters

    def _line_up(self, *_: object) -> None:
        across, tall = self.size
        line = dp(theme.above(TextSize.LABEL))
        if not self.pieces.any:
            line = tall
        wide = max(1.0, long(self.name.text, TextSize.LABEL, self.name.bold) + dp(4))
        self.name.pos, self.name.size = (self._left_edge(wide), self.y + tall - line), (wide, line)
        wide = max(across * 0.96, theme.either(self.pieces.least, 0))
        left = self._left_edge(wide)
        self.pieces.pos, self.pieces.size = (left, self.y + tall * 0.04), (wide, max(1, tall * 0.94 - line))
        self.ground.pos, self.ground.size = (min(self.x, left - dp(1)), self.y), (max(across, wide + dp(2)), tall)
        side = min(dp(20), tall * 0.45)
        self.sign.pos, self.sign.size = (self.x + across - side * 0.6, self.y - side * 0.2), (side, side)

    def _left_edge(self, wide: float) -> float:
        """Return the left edge of a thing of this width: in the middle, but within the map."""
        left: float = self.x + (self.width - wide) / 2
        if not self.parent:
            return left
        least, most = self.parent.x + dp(1), self.parent.x + self.parent.width - wide - dp(1)
        return float(max(least, min(left, most)))


class Route(Widget):
    """A route: its fleets, or a small ring where none lie."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None, radius=12)
        self.fresh = Ring(self, radius=12)
        self.buoy = Widget()
        self.buoy_back = Backdrop(self.buoy, theme.now.sunk, theme.now.muted, radius=6)
        self.pieces, self.sign = Pieces(), Sign()
        for child in (self.buoy, self.pieces, self.sign):
            self.add_widget(child)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, spot: Spot, sign: str, fresh: int = 0) -> None:
        """Show the route; `fresh` is the number of the act that has just changed it."""
        counts = [spot.pieces[side] for side in (ROME, CARTHAGE)]
        self.pieces.show(counts, False)
        look, full = theme.now, any(counts) or bool(sign)
        lit = look.card if look is theme.LIGHT else look.stone
        colour, width = edge(sign) if sign else (look.muted, 1)
        self.back.paint(lit if full else None, colour if full else None, width)
        self.buoy.opacity = 0 if full else 1
        self.fresh.show(bool(fresh and full) and sign in ("", "about"), fresh)
        self.sign.show(sign)

    def _line_up(self, *_: object) -> None:
        broad, tall = self.size
        side = tall * 0.44
        self.buoy.pos, self.buoy.size = (self.x + (broad - side) / 2, self.y + (tall - side) / 2), (side, side)
        self.pieces.pos, self.pieces.size = (self.x + broad * 0.04, self.y + tall * 0.1), (broad * 0.92, tall * 0.8)
        mark = min(dp(18), tall * 0.7)
        self.sign.pos, self.sign.size = (self.x + broad - mark * 0.6, self.y + tall - mark * 0.6), (mark, mark)


class Sea(PieceField):
    """The whole map."""

    def __init__(self, tap: Callable[[str], object]) -> None:
        super().__init__(tap, Shape())
        self.back = Backdrop(self, theme.now.sea, radius=0)
        self._ground = InstructionGroup()
        self.canvas.add(self._ground)
        self._map: OnMap | None = None
        self._links: object = None

    def show(self, centre: OnMap) -> None:
        """Show the map; draw the coasts anew only where another board has other links."""
        self._map = centre
        if any(name in self.spots and self._pill(name)[0] != self.spots[name].width for name in centre.routes):
            self.line_up()
        if self._links != (centre.land, centre.sea):
            self._links = centre.land, centre.sea
            self._build(centre)
            self.line_up()

    def _build(self, centre: OnMap) -> None:
        self.clear_widgets()
        regions = {name: Region(name in CAPITAL.values()) for name in centre.regions}
        self.spots = {**regions, **{name: Route() for name in centre.routes}}
        for name, spot in self.spots.items():
            lies(spot, name)
        for child in (*self.spots.values(), self.trail, self.mover):
            self.add_widget(child)

    def lay(self) -> None:
        if not self._map:
            return
        for name, spot in self._map.regions.items():
            self.spots[name].size = [dp(side) for side in theme.either(PLATE, LARGE)]
            self.spots[name].center = self.place(spot.at)
        for name, spot in self._map.routes.items():
            self.spots[name].size = self._pill(name)
            self.spots[name].center = self._at_sea(self.place(spot.at), self.spots[name].size)
        self._draw()
        self.laid()

    def _pill(self, route: str) -> tuple[float, float]:
        """Return the size of a route, which is broader while both sides are there."""
        assert self._map
        both = all(self._map.routes[route].pieces.values())
        return dp(BOTH if both else PILL[0]), dp(PILL[1])

    def _at_sea(self, at: MapPoint, size: Sequence[float]) -> MapPoint:
        """Return the nearest point where something of this size lies on no region, or least on one."""
        regions = [self.spots[name] for name in self._map.regions] if self._map else []
        return clear_point(at, (size[0], size[1]), tuple((*one.center, *one.size) for one in regions), dp(1))

    def place(self, at: MapPoint) -> tuple[float, float]:
        """Return the point on the screen of a point on the sheet; no coast comes near the frame."""
        half = [dp(side / 2 + COAST + FRAME) for side in theme.either(PLATE, LARGE)]
        x, y = at[0] / WIDE * self.width, at[1] / HIGH * self.height
        x = max(half[0], min(x, self.width - half[0]))
        return self.x + x, self.y + max(half[1], min(y, self.height - half[1]))

    def _draw(self) -> None:
        """Draw beaches below all land, links of land that bulge away from the sea, and dots over the sea."""
        assert self._map
        look, ground = theme.now, self._ground
        ground.clear()
        strips = [self._curve(one, other) for one, other in self._map.land]
        plates = [self.spots[name] for name in self._map.regions]
        for colour, more in ((look.coast, COAST), (look.land, 0)):
            ground.add(Color(*theme.rgba(colour)))
            for points in strips:
                ground.add(Line(points=points, width=dp(LAND + more), cap="round", joint="round"))
            for plate in plates:
                around = dp(more)
                size = plate.width + 2 * around, plate.height + 2 * around
                land = Plate(size[1] * 0.42 / dp(1))
                land.paint(colour)
                land.lay((plate.x - around, plate.y - around), size)
                ground.add(land)
        ground.add(Color(*theme.rgba(look.coast)))
        for points in strips:
            self._draw_border(points)
        ground.add(Color(*theme.rgba(look.muted)))
        for route, ends in zip(self._map.routes, self._map.sea, strict=True):
            ground.add(Point(points=self._dotted_way(route, ends), pointsize=dp(1.2)))

    def _draw_border(self, points: Sequence[float]) -> None:
        """Draw a dashed line across the middle of a strip."""
        at = len(points) // 4 * 2
        (x, y), (u, v) = points[at - 2 : at], points[at + 2 : at + 4]
        far = max(1.0, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
        right, up = (v - y) / far, (x - u) / far
        middle = points[at], points[at + 1]
        for dash in range(-2, 3):
            ends = [dp(LAND) * (dash * 0.4 + half) for half in (-0.12, 0.12)]
            along = [part for end in ends for part in (middle[0] + right * end, middle[1] + up * end)]
            self._ground.add(Line(points=along, width=dp(1)))

    def _curve(self, one: str, other: str) -> list[float]:
        assert self._map
        (x, y), (u, v) = (self._map.regions[end].at for end in (one, other))
        mid = (x + u) / 2 - WIDE / 2, (y + v) / 2 - HIGH / 2
        far = (mid[0] ** 2 + mid[1] ** 2) ** 0.5
        out = ((x - u) ** 2 + (y - v) ** 2) ** 0.5 * 0.12 / far if far > 40 else 0
        bend = mid[0] * (1 + out) + WIDE / 2, mid[1] * (1 + out) + HIGH / 2
        steps = [at / 8 for at in range(9)]
        curve = [self.place((_bezier(x, bend[0], u, t), _bezier(y, bend[1], v, t))) for t in steps]
        return [number for point in curve for number in point]

    def _dotted_way(self, route: str, ends: tuple[str, str]) -> list[float]:
        """Return dots from one end over the route's own place to the other."""
        middle = self.spots[route].center
        dots = []
        for end in (self.spots[end] for end in ends):
            for at in range(1, 13):
                x, y = (one + (other - one) * at / 13 for one, other in zip(end.center, middle, strict=True))
                if not end.collide_point(x, y):
                    dots += [x, y]
        return dots


def _bezier(a: float, b: float, c: float, t: float) -> float:
    rest = 1 - t
    return rest * rest * a + 2 * rest * t * b + t * t * c
