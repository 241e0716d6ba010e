"""The look keeps its promises: contrast, and a shape of its own for every colour."""

from itertools import combinations

import pytest

from companion.cards import PAWNS
from ui import theme

GROUNDS = ("stone", "panel", "sunk")


@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ink", ["ink", "muted", "accent", "good"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_reaches_aa(palette: theme.Palette, ink: str, ground: str) -> None:
    assert theme.contrast(getattr(palette, ink), getattr(palette, ground)) >= 4.5


@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_buttons_and_cards_reach_aa(palette: theme.Palette) -> None:
    assert theme.contrast(palette.on_seal, palette.seal) >= 4.5
    assert theme.contrast(palette.card_ink, palette.card) >= 4.5


def test_every_seat_has_its_own_colour_and_shape() -> None:
    assert set(PAWNS) == set(theme.SEATS) == set(theme.SHAPES) == set(theme.SHAPE_NAMES)
    for one, other in combinations(PAWNS, 2):
        assert theme.SHAPES[one] != theme.SHAPES[other]
        assert theme.SEATS[one] != theme.SEATS[other]
    assert len(set(theme.SHAPE_NAMES.values())) == len(PAWNS)


@pytest.mark.parametrize("seat", PAWNS)
def test_shapes_stay_in_their_square(seat: str) -> None:
    assert all(abs(x) <= 1.001 and abs(y) <= 1.001 for x, y in theme.SHAPES[seat])


def test_contrast_is_that_of_wcag() -> None:
    assert theme.contrast("000000", "FFFFFF") == pytest.approx(21)
    assert theme.contrast("777777", "FFFFFF") == pytest.approx(4.48, abs=0.01)
