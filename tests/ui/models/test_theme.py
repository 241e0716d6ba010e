"""The look keeps its promises: contrast, and a shape of its own for every colour."""

from itertools import combinations, pairwise
from math import hypot

import pytest

from companion.rules.cards import PAWNS
from ui import theme

GROUNDS = ("stone", "panel", "sunk")


PALETTES = pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK], ids=["light", "dark"])

TEXTS = [
    *((ink, ground) for ink in ("ink", "muted", "accent", "stop", "good") for ground in GROUNDS),
    *((ink, ground) for ink in ("ink", "muted", "stop") for ground in ("wax", "land")),  # what has changed, the map
    ("ink", "sea"),
    ("accent", "wax"),
    ("card_ink", "amber"),
    ("on_seal", "seal"),  # the main button, the warning
    ("card_ink", "card"),
    ("stone", "ink"),  # a button while a finger is on it, a closed fist
]
"""Every pair of a text and its ground in use."""


@PALETTES
@pytest.mark.parametrize(("ink", "ground"), TEXTS)
def test_text_reaches_aa(palette: theme.Palette, ink: str, ground: str) -> None:
    assert theme.contrast(getattr(palette, ink), getattr(palette, ground)) >= 4.5


@pytest.mark.parametrize("ink", ["ink", "muted", "accent"])
def test_a_seat_whose_turn_it_is_stands_on_a_card_in_the_light(ink: str) -> None:
    assert theme.contrast(getattr(theme.LIGHT, ink), theme.LIGHT.card) >= 4.5


@PALETTES
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_edge_of_a_shape_reaches_three_to_one(palette: theme.Palette, ground: str) -> None:
    """Whatever colour a seat has, white on limestone too: the edge in ink is what draws its shape."""
    assert theme.contrast(palette.ink, getattr(palette, ground)) >= 3


@pytest.mark.parametrize("seat", PAWNS)
def test_words_on_a_seats_colour_reach_aa(seat: str) -> None:
    assert theme.contrast(theme.on(theme.SEATS[seat]), theme.SEATS[seat]) >= 4.5
    assert theme.contrast(theme.on_seat(seat), theme.SEATS[seat]) >= 4.5, "in the band and its tile"


@PALETTES
@pytest.mark.parametrize("ground", ["stone", "panel", "wax", "sea", "land"])
def test_a_ring_is_seen_on_what_it_stands_on(palette: theme.Palette, ground: str) -> None:
    """Amber alone is not, in the light: the line of bronze outside it is."""
    assert max(theme.contrast(getattr(palette, ring), getattr(palette, ground)) for ring in ("accent", "amber")) >= 3


def test_every_seat_has_its_own_colour_and_shape() -> None:
    assert set(PAWNS) == set(theme.SEATS) == set(theme.SHAPES) == set(theme.SHAPE_NAMES)
    for one, other in combinations(PAWNS, 2):
        assert theme.SHAPES[one] != theme.SHAPES[other]
        assert theme.SEATS[one] != theme.SEATS[other]
    assert len(set(theme.SHAPE_NAMES.values())) == len(PAWNS)


@pytest.mark.parametrize("seat", PAWNS)
def test_shapes_stay_in_their_square(seat: str) -> None:
    assert all(abs(x) <= 1.001 and abs(y) <= 1.001 for x, y in theme.SHAPES[seat])


@pytest.mark.parametrize("seat", PAWNS)
def test_the_edge_of_a_shape_is_as_thick_all_round(seat: str) -> None:
    corners = theme.SHAPES[seat]
    inner = theme.inset(corners, 0.1)
    assert all(inside(seat, *point) for point in inner)
    for (x, y), (x1, y1), (u, v) in zip(corners, [*corners[1:], corners[0]], inner, strict=True):
        far = abs((x1 - x) * (v - y) - (y1 - y) * (u - x)) / hypot(x1 - x, y1 - y)
        assert far == pytest.approx(0.1)


def test_contrast_is_that_of_wcag() -> None:
    assert theme.contrast("000000", "FFFFFF") == pytest.approx(21)
    assert theme.contrast("777777", "FFFFFF") == pytest.approx(4.48, abs=0.01)


# -- the colour-blind -------------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision deficiency",
# at full severity; for linear RGB.
KINDS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
APART = 15
"""Two colours so far apart in L* (0 to 100) are told by lightness alone."""
ALIKE = 0.8
"""Shapes that share more of their area than this look alike from across the table."""


def linear(colour: str) -> list[float]:
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in theme.rgba(colour)[:3]]


def seen(colour: str, kind: str) -> list[float]:
    """The colour in linear RGB as this kind of eye sees it."""
    return [min(1, max(0, sum(m * c for m, c in zip(row, linear(colour), strict=True)))) for row in KINDS[kind]]


def lightness(rgb: list[float]) -> float:
    """CIE L*."""
    y = sum(part * c for part, c in zip((0.2126, 0.7152, 0.0722), rgb, strict=True))
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def inside(shape: str, x: float, y: float) -> bool:
    corners = theme.SHAPES[shape]
    within = False
    for (x1, y1), (x2, y2) in pairwise([*corners, corners[0]]):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            within = not within
    return within


def shared(one: str, other: str) -> float:
    """How much of their common area two shapes share, 0 to 1."""
    points = [(x / 20 + 0.01, y / 20 + 0.01) for x in range(-20, 21) for y in range(-20, 21)]
    found = [(inside(one, *point), inside(other, *point)) for point in points]
    return sum(a and b for a, b in found) / sum(a or b for a, b in found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("one", "other"), list(combinations(PAWNS, 2)))
def test_seats_stay_apart_for_the_colour_blind(kind: str, one: str, other: str) -> None:
    lights = [lightness(seen(theme.SEATS[seat], kind)) for seat in (one, other)]
    assert abs(lights[0] - lights[1]) >= APART or shared(one, other) <= ALIKE


@pytest.mark.parametrize("kind", KINDS)
def test_the_simulation_keeps_grey_grey_and_loses_what_it_should(kind: str) -> None:
    assert seen("808080", kind) == pytest.approx(linear("808080"), abs=0.01)
    pair = {
        "protanopia": ("A08000", "8A8600"),
        "deuteranopia": ("B08000", "809A00"),
        "tritanopia": ("00A0A0", "009FB8"),
    }
    before = max(abs(a - b) for a, b in zip(linear(pair[kind][0]), linear(pair[kind][1]), strict=True))
    after = max(abs(a - b) for a, b in zip(seen(pair[kind][0], kind), seen(pair[kind][1], kind), strict=True))
    assert after < before / 2


def test_alike_shapes_would_be_found() -> None:
    assert shared("red", "red") == 1
    assert max(shared(one, other) for one, other in combinations(PAWNS, 2)) < 1


# -- text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "least"), [("normal", 16), ("large", 20)])
def test_the_least_text_can_be_read_from_a_metre(text: str, least: float) -> None:
    assert min(theme.STEPS[text]) == least
