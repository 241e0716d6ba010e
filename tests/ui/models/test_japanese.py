"""Japanese in lines: no mark is parted from what it belongs to."""

import io
import struct
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from ui import fonts
from ui.widgets.japanese import NEVER_FIRST, NEVER_LAST, lines
from ui.widgets.text import speak

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
    assert lines("config.yaml\n\nを見る。", 3, len) == "config.yaml\n\nを\n見る。"
    assert lines("カード：11 · 得点：0", 12, len) == "カード：11 ·\n得点：0"
    assert lines("ヒスパニア・ウルテリオル", 9, len) == "ヒスパニア・\nウルテリオル"
    assert lines("only English words", 3, len) == "only English words"
    assert lines("スパルタクス残", 6, len) == "スパルタクス\n残"
    assert lines("山札全部積込", 5, len) == "山札全部\n積込", "no letter is left over"


@pytest.mark.parametrize(
    ("text", "wide", "said"),
    [
        ("カードを積み込む", 7, ["カードを", "積み込む"]),
        ("仮想ボタンを全部押す", 8, ["仮想ボタンを", "全部押す"]),
        ("残りは見ずに箱へ戻します。", 11, ["残りは見ずに箱へ", "戻します。"]),
        ("残り50枚（5色の1〜10）を混ぜます。", 13, ["残り50枚（5色の", "1〜10）を混ぜます。"]),
        ("山札の上に戻してください。", 5, ["山札の上に", "戻してくだ", "さい。"]),
        ("残りは24枚です。", 6, ["残りは", "24枚です。"]),
        ("出すカードはここに置く。", 7, ["出すカードは", "ここに置く。"]),
        ("めくるプレイヤー", 6, ["めくる", "プレイヤー"]),
    ],
)
def test_lines_end_between_phrases_where_that_costs_no_line(text: str, wide: int, said: list[str]) -> None:
    assert lines(text, wide, len).split("\n") == said


def test_no_line_begins_with_a_dot_and_none_parts_a_word_from_its_number() -> None:
    from kivy.core.text import DEFAULT_FONT

    from ui.widgets.text import _label

    assert lines("カード：11 · 得点：0", 6, len) == "カード：11\n得点：0"
    text = "cards: 4 · legions: 6 · fleets: 12"
    for wide in range(80, 260, 7):
        found = written(_label(text, (DEFAULT_FONT, False, 1.0), 16, wide))
        assert not [line for line in found if line[0] in "·0123456789"], (wide, found)


def letters_of(font: bytes) -> set[str]:
    """The letters of a font, by the segments of its cmap's first table (OpenType 1.9, cmap, format 4)."""
    tables = {font[at : at + 4]: at for at in range(12, 12 + 16 * int.from_bytes(font[4:6], "big"), 16)}
    cmap = font[int.from_bytes(font[tables[b"cmap"] + 8 :][:4], "big") :]
    table = cmap[int.from_bytes(cmap[8:12], "big") :]
    form, twice = (int.from_bytes(table[at : at + 2], "big") for at in (0, 6))
    assert form == 4
    last, first = (struct.unpack(f">{twice // 2}H", table[at : at + twice]) for at in (14, 16 + twice))
    codes = {code for start, end in zip(first, last, strict=True) for code in range(start, end + 1)}
    return {chr(code) for code in codes - {0xFFFF}}


def test_the_list_of_bold_letters_is_what_the_bold_font_has() -> None:
    assert letters_of(fonts.BOLD.read_bytes()) == fonts.in_bold()


@pytest.mark.usefixtures("_japanese")
@pytest.mark.parametrize(("name", "bold"), [("高橋さん", True), ("髙橋さん", False)])  # 髙 is in names alone
def test_a_name_with_a_rare_letter_is_in_the_regular_font(name: str, bold: bool) -> None:
    from kivy.core.text import DEFAULT_FONT

    from ui.widgets.text import _label

    file = Path(_label(name, (DEFAULT_FONT, True, 1.0), 20, None).options["font_name_r"])
    assert (file == fonts.BOLD) is bold


def test_bold_font_has_every_japanese_letter_used() -> None:
    catalog = read_po(io.BytesIO(Path("companion/locale/ja/LC_MESSAGES/tabularium.po").read_bytes()))
    said = {letter for message in catalog for letter in str(message.string)}
    kanji = {letter for letter in said if "\u4e00" <= letter <= "\u9fff" or "\u3040" <= letter <= "\u30ff"}
    assert kanji - fonts.in_bold() == set()
