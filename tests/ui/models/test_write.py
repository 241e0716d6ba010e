"""The keys on the screen: what they write, layer by layer."""

from functools import reduce
from unicodedata import is_normalized, name

import pytest

from companion.rules.words import LANGUAGES
from ui.pages.write import HIRAGANA, KATAKANA, LETTERS, LONGEST, MARKED, QWERTZ, add, after, first, label, layers, put


def typed(keys: str, text: str = "") -> str:
    return reduce(put, keys, text)


@pytest.mark.parametrize("layer", [LETTERS, QWERTZ, MARKED, HIRAGANA, KATAKANA], ids=lambda layer: layer.rows[1])
def test_a_layer_is_five_rows_of_ten_keys_each_once(layer: object) -> None:
    rows = layer.rows  # type: ignore[attr-defined]
    assert [len(row) for row in rows] == [10] * 5
    assert len(set("".join(rows))) == 50


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("さくら", "さくら"),
        ("か゛", "が"),
        ("か゛゛", "か"),
        ("は゜", "ぱ"),
        ("は゛゜", "ぱ"),
        ("ひ゜゛", "び"),
        ("しよ小う", "しょう"),
        ("きつ小と", "きっと"),
        ("つ小小", "つ"),
        ("あ小い小う小え小お小わ小", "ぁぃぅぇぉゎ"),
        ("う゛", "ゔ"),
        ("シ゛ヤ小ンヌ", "ジャンヌ"),
        ("ウ゛イ小クトリア", "ヴィクトリア"),
        ("カ小ケ小", "ヵヶ"),
        ("マリー", "マリー"),
        ("゛小゜", ""),
        ("a゛ん゛ー小", "aんー"),
    ],
)
def test_kana_with_their_marks_and_sizes(keys: str, text: str) -> None:
    assert typed(keys) == text and is_normalized("NFC", text)


def test_every_kana_can_be_written() -> None:
    """Those of today, big and small, with and without marks."""
    for layer, begin in ((HIRAGANA, 0x3041), (KATAKANA, 0x30A1)):
        keys = [key for row in layer.rows for key in row]
        once = {typed(key) for key in keys}
        twice = {put(text, mark) for text in once for mark in "゛゜小"}
        wanted = {
            chr(at) for at in range(begin, begin + 0x56) if not any(old in name(chr(at)) for old in (" WI", " WE"))
        }
        small = {chr(begin + at) for at in (0x54, 0x55)} if layer is HIRAGANA else set()  # ゕ and ゖ, which no word has
        assert wanted - small <= once | twice


def test_every_language_has_its_layers_and_comes_round() -> None:
    for lang in LANGUAGES:
        order = list(layers(lang))
        assert order == [reduce(lambda layer, _: after(layer, lang), range(at), order[0]) for at in range(len(order))]
        assert after(order[-1], lang) is order[0] and any(layer in order for layer in (LETTERS, QWERTZ))
    assert first("ja", "") is first("ja", "さくら") is HIRAGANA
    assert first("ja", "/home/pi/tabularium.db") is first("en", "Zoë") is LETTERS
    assert first("de", "") is first("de", "/home/pi/tabularium.db") is QWERTZ
    assert [QWERTZ.rows[1][5], QWERTZ.rows[3][0]] == ["z", "y"], "as on a German keyboard"


def test_capitals_are_of_one_letter() -> None:
    assert [label(LETTERS, letter, True) for letter in "aäß7"] == ["A", "Ä", "ß", "7"]
    assert [label(LETTERS, letter, False) for letter in "aß"] == ["a", "ß"]
    assert label(KATAKANA, "ア", True) == "ア"
    assert all(len(label(layer, key, True)) == 1 for layer in (LETTERS, MARKED) for row in layer.rows for key in row)
    assert "ß" in "".join(LETTERS.rows) and set("/_~.-") < set("".join(LETTERS.rows))


def test_a_real_keyboard_writes_what_it_says() -> None:
    assert add("か", "小") == "か小" and add("か", "゛") == "か゛", "an input method means the character"


def test_a_line_has_an_end() -> None:
    assert add("a" * LONGEST, "b") == put("a" * LONGEST, "b") == "a" * LONGEST
    assert put("a" * (LONGEST - 1) + "か", "゛").endswith("が")
