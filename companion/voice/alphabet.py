"""Letters as words: NATO's in English, those of DIN 5009 (2022) in German, in Japanese countries and 和文通話表.

Spoken alone, B, C, D, E, G, P, T and V are one sound, and an engine reads "a" as an article.
"""

from __future__ import annotations

from string import ascii_lowercase
from unicodedata import normalize

NATO = (
    "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliet Kilo Lima Mike November Oscar Papa Quebec Romeo "
    "Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu"
)
DIN_5009 = (
    "Aachen Berlin Chemnitz Düsseldorf Essen Frankfurt Goslar Hamburg Ingelheim Jena Köln Leipzig München Nürnberg "
    "Offenbach Potsdam Quickborn Rostock Salzwedel Tübingen Unna Völklingen Wuppertal Xanten Ypsilon Zwickau"
)
COUNTRIES = (
    "アメリカのエー ブラジルのビー カナダのシー デンマークのディー エジプトのイー フランスのエフ ギリシャのジー "
    "ホンコンのエイチ イタリアのアイ ジャマイカのジェー ケニアのケー ロンドンのエル メキシコのエム ノルウェーのエヌ "
    "オランダのオー パリのピー クイーンのキュー ローマのアール スペインのエス タイのティー ユニオンのユー "
    "ビクトリーのブイ ワシントンのダブリュー エックス線のエックス ヨークのワイ ゼブラのゼット"
)
TABLE = (
    "朝日のア いろはのイ 上野のウ 英語のエ 大阪のオ 為替のカ 切手のキ クラブのク 景色のケ 子供のコ 桜のサ 新聞のシ "
    "すずめのス 世界のセ そろばんのソ 煙草のタ 千鳥のチ つるかめのツ 手紙のテ 東京のト 名古屋のナ 日本のニ 沼津のヌ "
    "ねずみのネ 野原のノ はがきのハ 飛行機のヒ 富士山のフ 平和のヘ 保険のホ マッチのマ 三笠のミ 無線のム 明治のメ "
    "もみじのモ 大和のヤ 弓矢のユ 吉野のヨ ラジオのラ りんごのリ るすいのル れんげのレ ローマのロ わらびのワ "
    "かぎのあるヱ ゐどのヰ 尾張のヲ おしまいのン"
)
"""和文通話表: each word ends with its kana."""
LETTERS = {
    "en": dict(zip(ascii_lowercase, NATO.split(), strict=True)),
    "de": dict(zip(ascii_lowercase, DIN_5009.split(), strict=True))
    | {"ä": "Umlaut Aachen", "ö": "Umlaut Offenbach", "ü": "Umlaut Unna", "ß": "Eszett"},
    "ja": dict(zip(ascii_lowercase, COUNTRIES.split(), strict=True))
    | {word[-1]: word for word in TABLE.split()}
    | {"ー": "長音", "・": "中点"},
}
"""By language, and in it by letter."""
SIGNS = {
    "en": {".": "dot", ":": "colon", "-": "hyphen"},
    "de": {".": "Punkt", ":": "Doppelpunkt", "-": "Bindestrich"},
    "ja": {".": "ドット", ":": "コロン", "-": "ハイフン"},
}
"""By language, the signs of an address."""
SMALL = dict(zip("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ", strict=True))
MARKS = {"\u3099": "濁点", "\u309a": "半濁点"}
"""Signs beside a kana: ガ is カ with the first."""
HIRAGANA = {hiragana: hiragana + 0x60 for hiragana in range(ord("ぁ"), ord("ゖ") + 1)}


def letter(sign: str, lang: str) -> str:
    """Return the word for a letter; without its accent where that has none, and any other sign as it is."""
    words = LETTERS.get(lang, LETTERS["en"])
    known = normalize("NFC", sign).casefold() if sign != "ß" else sign
    if known in words:
        return words[known]
    base, *marks = list(normalize("NFKD", known.translate(HIRAGANA)))
    if base in SMALL:
        return f"小さい{SMALL[base]}" if lang == "ja" else sign
    if base not in words:
        return sign
    return words[base] + "".join(f"に{MARKS[mark]}" for mark in marks if mark in MARKS)


def square(column: str, lang: str) -> str:
    """Return the word for a column of a board: in Japanese without the letter's own sound, which a number follows."""
    return letter(column, lang).partition("の")[0]


def typed(address: str, lang: str) -> list[str]:
    """Return a word for each sign of an address; digits stay digits."""
    signs = SIGNS.get(lang, SIGNS["en"])
    return [signs.get(sign) or letter(sign, lang) for sign in address]


def spelled(letters: str, lang: str) -> list[str]:
    """Return a word for each letter; spaces are left out."""
    return [letter(sign, lang) for sign in letters if not sign.isspace()]
