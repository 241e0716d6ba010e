"""The layers of the keyboard on the screen: letters, those with marks that Europe's names have, and kana."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

LONGEST = 120
"""Characters of a line."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of keys: five rows of ten, called as its key is."""

    name: str
    rows: Sequence[str]
    cased: bool = True
    """Its letters are small and capital."""


LETTERS = Layer("abc", ("1234567890", "qwertyuiop", "asdfghjkl'", "zxcvbnm,.-", "äöüßé/_~!?"))
QWERTZ = Layer(LETTERS.name, [row.translate(str.maketrans("yz", "zy")) for row in LETTERS.rows])
MARKED = Layer("àéñ", ("áàâãåāăąæç", "ćčďđèêëēęě", "ğíìîïīıłńň", "ñóòôõøőœřś", "šşťúùûūůýž"))
HIRAGANA = Layer("かな", ("あかさたなはまやらわ", "いきしちにひみ゛りを", "うくすつぬふむゆるん",
                        "えけせてねへめ゜れー", "おこそとのほもよろ小"), cased=False)  # fmt: skip
"""The table of fifty sounds, あ to わ from left to right; what marks and makes small stands where it has gaps."""
KATAKANA = Layer(
    "カナ", [row.translate({at: at + 0x60 for at in range(0x3041, 0x3097)}) for row in HIRAGANA.rows], False
)

MARKS = {"゛": "\u3099", "゜": "\u309a"}
"""Dakuten and handakuten, as keys and as Unicode joins them to the kana before."""
SIZED = ("あいうえおつやゆよわアイウエオツヤユヨワカケ", "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ")
OTHER_SIZE = str.maketrans("".join(SIZED), "".join(reversed(SIZED)))


def layers(lang: str) -> Sequence[Layer]:
    """Return the layers of a language, in the order in which one key leads through them.

    Kana are drawn with a font that only Japanese loads.
    """
    return {"de": (QWERTZ, MARKED), "ja": (HIRAGANA, KATAKANA, LETTERS)}.get(lang, (LETTERS, MARKED))


def first(lang: str, text: str) -> Layer:
    """Return the layer to begin with; a text in ASCII, such as a path, continues in letters."""
    return next(layer for layer in layers(lang) if layer.cased or not (text and text.isascii()))


def after(layer: Layer, lang: str) -> Layer:
    """Return the layer that comes next."""
    order = layers(lang)
    return order[(order.index(layer) + 1) % len(order)]


def label(layer: Layer, letter: str, upper: bool) -> str:
    """Return what a key writes; ß has no capital of one letter, and no name begins with it."""
    return letter.upper() if upper and layer.cased and len(letter.upper()) == 1 else letter


def put(text: str, key: str) -> str:
    """Return the text after a key; marks and 小 change the last kana, and a second press changes it back."""
    if key in MARKS:
        return text[:-1] + _marked(text[-1:], MARKS[key])
    if key == "小":
        return text[:-1] + text[-1:].translate(OTHER_SIZE)
    return add(text, key)


def add(text: str, said: str) -> str:
    """Return the text with more written after it, as far as there is room."""
    return (text + said)[:LONGEST]


def _marked(last: str, mark: str) -> str:
    base, had = normalize("NFD", last)[:1], normalize("NFD", last)[1:]
    joined = base if had == mark else normalize("NFC", base + mark)
    return joined if base and len(joined) == 1 else last
