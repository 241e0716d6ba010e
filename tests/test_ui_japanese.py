"""Japanese in lines: no mark is parted from what it belongs to."""

from typing import Any

import pytest

from ui.fonts import speak
from ui.widgets.japanese import NEVER_FIRST, NEVER_LAST, lines

TEXTS = (
    "赤：ショートして、すぐ「イエス」か「ノー」で答えてください。チップは5枚（銀行から）です。",
    "ハンニバルは（エーゲ海）ローマ–コルシカの海路、コルシカ、サルディニア、シシリアへ移動できますか？はい！",
    "Spartacus（スパルタクス）・カエサルー「ぁっゃゅょ」、「（赤 10）」。",
)


def written(label: Any) -> list[str]:
    """The lines of a label as they are drawn."""
    label.render()
    return ["".join(word.text for word in line.words).strip() for line in label._cached_lines]


@pytest.fixture
def _japanese() -> Any:
    speak("ja")
    yield
    speak("en")


@pytest.mark.usefixtures("_japanese")
@pytest.mark.parametrize("text", TEXTS)
def test_no_line_of_a_label_begins_or_ends_with_a_mark_that_may_not(text: str) -> None:
    from kivy.core.text import DEFAULT_FONT

    from ui.widgets.text import _label

    for wide in range(140, 500, 7):
        found = written(_label(text, (DEFAULT_FONT, False, 1.0), 16, wide))
        assert "".join(found).replace(" ", "") == text.replace(" ", "")
        assert not [line for line in found if line[0] in NEVER_FIRST or line[-1] in NEVER_LAST], wide


def test_words_of_another_script_and_line_ends_stay() -> None:
    assert lines("赤 10点です。", 4, len) == "赤 10\n点です。"
    assert lines("config.yaml\n\nを見る。", 3, len) == "config.yaml\n\nを見\nる。"
    assert lines("カード：11 · 得点：0", 12, len) == "カード：11 ·\n得点：0"
    assert lines("ヒスパニア・ウルテリオル", 9, len) == "ヒスパニア・\nウルテリオル"
    assert lines("only English words", 3, len) == "only English words"


def test_no_line_begins_with_a_dot_and_none_parts_a_word_from_its_number() -> None:
    from kivy.core.text import DEFAULT_FONT

    from ui.widgets.text import _label

    assert lines("カード：11 · 得点：0", 6, len) == "カード：11\n得点：0"
    text = "cards: 4 · legions: 6 · fleets: 12"
    for wide in range(80, 260, 7):
        found = written(_label(text, (DEFAULT_FONT, False, 1.0), 16, wide))
        assert not [line for line in found if line[0] in "·0123456789"], (wide, found)
