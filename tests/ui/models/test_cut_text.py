"""Where a text that is too long ends, and where a word that is too long is broken."""

from __future__ import annotations

import pytest

from tests.ui.windows.window_geometry import mid_word


@pytest.mark.parametrize("wide", range(60, 400, 20))
def test_a_text_is_cut_between_words(wide: int) -> None:
    from kivy.core.text import DEFAULT_FONT

    from ui.widgets.text import cut

    text = "Elisa setzt (wie 2025) einen Stein auf Asia, Ben nicht; und so weiter."
    shown = cut(text, (DEFAULT_FONT, False, 1.0), 16, (wide, 20, 1))
    start = shown.removesuffix("…")
    assert shown.endswith("…") and text.startswith(start)
    assert not mid_word(start, text[len(start) :]) and start[-1] not in " ,;:("


def test_a_path_a_pair_and_a_sum_are_broken_where_they_may_be() -> None:
    from ui.widgets.text import parted

    assert parted("in /media/stick/tables.zip", 14, len) == "in /media/stick/\ntables.zip"
    assert parted("Sardinia–Carthago", 12, len) == "Sardinia–\nCarthago"
    assert parted("10+9+8+7 = 34", 6, len) == "10+9+\n8+7 = 34"
    assert parted("Elisabeth", 4, len) == "Elisabeth"
