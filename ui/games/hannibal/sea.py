"""The map of Hannibal gegen Rom: coasts that follow the board's own links, regions, and routes over the sea."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kivy.graphics import Color, InstructionGroup, Line, Point
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.hannibal.model import HIGH, REGIONS, WIDE, Hannibal, Spot
from ui.games.hannibal.model import Point as At
from ui.games.hannibal.sides import CAPITAL, CARTHAGE, ROME
from ui.games.parts.field import PieceField, Sign, edge
from ui.widgets.asked import lies
from ui.widgets.plate import Plate
from ui.widgets.shape import Shape
from ui.widgets.text import Backdrop, Text, broad

PLATE, PILL = (68, 47), (58, 25)
"""A region and a route on the sheet of the map."""
LEAST = 37
"""The least height of a region, in dp."""
NAME = 14
"""How large a region's name is, in dp."""
SIDE = 9
"""The least side of a piece, in dp."""
SEEN = 15
"""A region is as broad as all its pieces with shapes of this side, in dp; beside large letters there is no room."""
LAND, COAST = 13, 3
"""Half the width of a strip of land, and of the beach around it, on the sheet."""


class Pieces(Widget):
    """Who stands here: a shape and a number for each side; Hannibal a shape with an H."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes = [Shape() for _ in range(3)]
        self.texts = [Text(most=theme.TITLE, lines=1, bold=True) for _ in range(2)]
        self.hannibal = Text("H", most=theme.TITLE, lines=1, bold=True, align="center",
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
    def least(self) -> float:
        """How wide it all is at least, in pixels."""
        return self._wide(dp(SEEN))

    def _line_up(self, *_: object) -> None:
        """From the left: blue with its number, red with its number, Hannibal; in the middle as a whole."""
        side = next(filter(lambda side: self._wide(side) <= self.width, self._sides()), dp(SIDE))
        left = self.x + (self.width - self._wide(side)) / 2
        for shape, text, count in zip(self.shapes, self.texts, self._counts, strict=False):
            if count:
                room = self._number(count, side)
                shape.pos, shape.size = (left, self.y + (self.height - side) / 2), (side, side)
                text.pos, text.size = (left + side, self.y), (room, max(1, self.height))
                left += side + room
        if self._hannibal:
            room = self._letter(side)
            for widget in (self.shapes[2], self.hannibal):
                widget.size = room, room
                widget.pos = left, self.y + (self.height - room) / 2

    def _sides(self) -> Iterator[float]:
        """How large a shape may be, the largest first."""
        side = float(min(self.height, self.width / 2.4))
        while side > dp(SIDE):
            yield side
            side -= 1

    def _wide(self, side: float) -> float:
        """How wide it all is, where shapes are so large."""
        numbers = (side + self._number(count, side) for count in self._counts if count)
        return sum(numbers) + self._hannibal * self._letter(side)

    def _number(self, count: int, side: float) -> float:
        """A number is read where its shape is smaller."""
        return float(max(broad(str(count), theme.SMALL, True) + dp(2), side * (0.9 if count < 10 else 1.5)))

    def _letter(self, side: float) -> float:
        """The H is read where a shape is smaller."""
        return float(max(side, dp(theme.grown(theme.SMALL))))


class Region(Widget):
    """A region: its name over its pieces."""

    def __init__(self, capital: bool) -> None:
        super().__init__()
        self.ground = Widget()
        self.back = Backdrop(self.ground, None, radius=8)
        self.name = Text(most=NAME, lines=1, align="center", bold=capital)
        self.pieces, self.sign = Pieces(), Sign()
        for child in (self.ground, self.name, self.pieces, self.sign):
            self.add_widget(child)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, spot: Spot, sign: str, dim: bool) -> None:
        self.name.show(spot.name)
        self.name.opacity = 0.6 if dim else 1
        self.pieces.show([spot.pieces[side] for side in (ROME, CARTHAGE)], spot.hannibal)
        look = theme.now
        lit = look.card if look is theme.LIGHT else look.stone
        self.back.paint(lit if sign else None, edge(sign)[0] if sign else None, edge(sign)[1])
        self.sign.show(sign)
        self._line_up()  # a name is as wide as its letters

    def _line_up(self, *_: object) -> None:
        across, tall = self.size
        line = max(tall * 0.4, dp(theme.lines(1, NAME)))
        wide = max(1.0, broad(self.name.text.replace(" ", "n"), NAME, self.name.bold) + dp(4))
        self.name.pos, self.name.size = (self._left(wide), self.y + tall - line), (wide, line)
        wide = max(across * 0.96, theme.either(self.pieces.least, 0))
        left = self._left(wide)
        self.pieces.pos, self.pieces.size = (left, self.y + tall * 0.04), (wide, max(1, tall * 0.94 - line))
        self.ground.pos, self.ground.size = (min(self.x, left - dp(1)), self.y), (max(across, wide + dp(2)), tall)
        side = min(dp(20), tall * 0.45)
        self.sign.pos, self.sign.size = (self.x + across - side * 0.6, self.y - side * 0.2), (side, side)

    def _left(self, wide: float) -> float:
        """Where a thing of this width begins in the middle, but within the map."""
        left: float = self.center_x - wide / 2
        if not self.parent:
            return left
        least, most = self.parent.x + dp(1), self.parent.right - wide - dp(1)
        return float(max(least, min(left, most)))


class Route(Widget):
    """A route: its fleets, or a small ring where none lie."""

    def __init__(self) -> None:
        super().__init__()
        self.back = Backdrop(self, None, radius=12)
        self.buoy = Widget()
        self.buoy_back = Backdrop(self.buoy, theme.now.sunk, theme.now.muted, radius=6)
        self.pieces, self.sign = Pieces(), Sign()
        for child in (self.buoy, self.pieces, self.sign):
            self.add_widget(child)
        self.bind(pos=self._line_up, size=self._line_up)

    def show(self, spot: Spot, sign: str) -> None:
        counts = [spot.pieces[side] for side in (ROME, CARTHAGE)]
        self.pieces.show(counts, False)
        look, full = theme.now, any(counts) or bool(sign)
        lit = look.card if look is theme.LIGHT else look.stone
        colour, width = edge(sign) if sign else (look.muted, 1)
        self.back.paint(lit if full else None, colour if full else None, width)
        self.buoy.opacity = 0 if full else 1
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
        self.back = Backdrop(self, theme.now.sunk, theme.now.line)
        self._ground = InstructionGroup()
        self.canvas.add(self._ground)
        self._map: Hannibal | None = None
        self._links: object = None

    def show(self, centre: Hannibal) -> None:
        """Another board has other links: its coasts are drawn anew, the rest is changed."""
        self._map = centre
        if self._links != (centre.land, centre.sea):
            self._links = centre.land, centre.sea
            self._build(centre)
            self.line_up()

    def _build(self, centre: Hannibal) -> None:
        self.clear_widgets()
        regions = {name: Region(name in CAPITAL.values()) for name in centre.regions}
        self.spots = {**regions, **{name: Route() for name in centre.routes}}
        for name, spot in self.spots.items():
            lies(spot, name)
        for child in (*self.spots.values(), self.mover):
            self.add_widget(child)

    def lay(self) -> None:
        if not self._map:
            return
        unit = self._unit()
        for name, spot in (*self._map.regions.items(), *self._map.routes.items()):
            widget = self.spots[name]
            if name in self._map.regions:
                widget.size = PLATE[0] * unit, self._tall()
            else:
                widget.size = [side * max(unit, dp(theme.grown(0.74))) for side in PILL]
            widget.center = self.place(spot.at)
        self._draw(unit)
        self.laid()

    def _unit(self) -> float:
        return float(max(0.1, min(self.width / WIDE, self.height / HIGH)))

    def _tall(self) -> float:
        """How high a region is: where the map is flat, still enough for its name and its pieces."""
        return max(PLATE[1] * self._unit(), float(dp(theme.grown(LEAST))))

    def place(self, at: At) -> tuple[float, float]:
        """From the sheet to the screen; no region sticks out above or below."""
        low = float(min(y for _, y in REGIONS.values()) / HIGH * self.height)
        edge = max(0.0, self._tall() / 2 + dp(COAST) - low)
        return self.x + at[0] / WIDE * self.width, self.y + edge + at[1] / HIGH * (self.height - 2 * edge)

    def _draw(self, unit: float) -> None:
        """Beaches below all land; links of land bulge away from the sea; dots lead over it."""
        assert self._map
        look, ground = theme.now, self._ground
        ground.clear()
        strips = [self._bow(one, other) for one, other in self._map.land]
        plates = [self.spots[name] for name in self._map.regions]
        for colour, more in ((look.line, COAST), (look.panel, 0)):
            ground.add(Color(*theme.rgba(colour)))
            for points in strips:
                ground.add(Line(points=points, width=(LAND + more) * unit, cap="round", joint="round"))
            for plate in plates:
                around = (more + 2) * unit
                size = plate.width + 2 * around, plate.height + 2 * around
                land = Plate(size[1] * 0.42 / dp(1))
                land.paint(colour)
                land.lay((plate.x - around, plate.y - around), size)
                ground.add(land)
        ground.add(Color(*theme.rgba(look.muted)))
        for route, ends in zip(self._map.routes, self._map.sea, strict=True):
            ground.add(Point(points=self._lane(route, ends), pointsize=max(1.0, 1.1 * unit)))

    def _bow(self, one: str, other: str) -> list[float]:
        assert self._map
        (x, y), (u, v) = (self._map.regions[end].at for end in (one, other))
        mid = (x + u) / 2 - WIDE / 2, (y + v) / 2 - HIGH / 2
        far = (mid[0] ** 2 + mid[1] ** 2) ** 0.5
        out = ((x - u) ** 2 + (y - v) ** 2) ** 0.5 * 0.12 / far if far > 40 else 0
        bend = mid[0] * (1 + out) + WIDE / 2, mid[1] * (1 + out) + HIGH / 2
        steps = [at / 8 for at in range(9)]
        curve = [self.place((_bezier(x, bend[0], u, t), _bezier(y, bend[1], v, t))) for t in steps]
        return [number for point in curve for number in point]

    def _lane(self, route: str, ends: tuple[str, str]) -> list[float]:
        """Dots from one end over the route's own place to the other."""
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
