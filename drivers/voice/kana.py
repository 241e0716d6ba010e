"""Names in Latin letters as Japanese reads them: an engine that speaks Japanese would spell them out."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

ROWS = {
    "": "アイウエオ", "k": "カキクケコ", "g": "ガギグゲゴ", "s": "サシスセソ", "z": "ザジズゼゾ",
    "n": "ナニヌネノ", "h": "ハヒフヘホ", "b": "バビブベボ", "p": "パピプペポ", "m": "マミムメモ",
    "r": "ラリルレロ", "l": "ラリルレロ",
}  # fmt: skip
"""By consonant: with a, i, u, e and o."""
SMALL = {
    "t": ("タ", "ティ", "トゥ", "テ", "ト"), "d": ("ダ", "ディ", "ドゥ", "デ", "ド"),
    "y": ("ヤ", "イ", "ユ", "イェ", "ヨ"), "w": ("ワ", "ウィ", "ウ", "ウェ", "ウォ"),
    "f": ("ファ", "フィ", "フ", "フェ", "フォ"), "v": ("ヴァ", "ヴィ", "ヴ", "ヴェ", "ヴォ"),
    "j": ("ジャ", "ジ", "ジュ", "ジェ", "ジョ"), "sh": ("シャ", "シ", "シュ", "シェ", "ショ"),
    "ch": ("チャ", "チ", "チュ", "チェ", "チョ"), "ts": ("ツァ", "ツィ", "ツ", "ツェ", "ツォ"),
}  # fmt: skip
ALONE = {"n": "ン", "m": "ム", "t": "ト", "d": "ド", "j": "ジ", "ch": "チ", "sh": "シュ", "y": "イ", "h": ""}
"""A consonant before another one or at the end; the others sound like their row with u."""
SAME = (("sch", "sh"), ("tsch", "ch"), ("ph", "f"), ("th", "t"), ("ck", "k"), ("qu", "kw"), ("q", "k"), ("x", "ks"),
        ("ce", "se"), ("ci", "si"), ("tz", "ts"), ("dt", "t"))  # fmt: skip
SOUND = re.compile("ッ|(?:ch|sh|ts|[kgsztdnhbpmrlywfvj])?[aiueo]|ch|sh|ts|[a-z]")
WORD = re.compile(r"[^\W\d_ぁ-ヿ㐀-鿿々]+")


def in_kana(text: str) -> str:
    """Return the text with every word in Latin letters as it sounds: アンナ for Anna, ハンス for Hans."""
    return WORD.sub(lambda found: reading(found[0]), text)


def reading(word: str) -> str:
    """Return one word in katakana; one without any Latin letter stays as it is."""
    plain = "".join(sign for sign in normalize("NFKD", word.casefold()) if not combining(sign))
    for written, sounds in SAME:
        plain = plain.replace(written, sounds)
    plain = re.sub(r"(?<=[bdfhklmnprstv])j", "y", re.sub(r"c(?!h)", "k", plain))
    plain = re.sub(r"([ksztdpf])\1", r"ッ\1", re.sub(r"([gbmrlvjhwy])\1", r"\1", plain))
    return "".join("ッ" if sound == "ッ" else _kana(sound) for sound in SOUND.findall(plain)) or word


def _kana(sound: str) -> str:
    """Return the katakana of a consonant with its vowel, or of either alone."""
    vowel = "aiueo".find(sound[-1])
    if vowel < 0:
        return ALONE[sound] if sound in ALONE else _kana(f"{sound}u")
    row = sound[:-1]
    return SMALL[row][vowel] if row in SMALL else ROWS.get(row, ROWS[""])[vowel]
