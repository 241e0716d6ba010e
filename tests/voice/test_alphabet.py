"""Letters by ear: each is a word that no other letter has, in three languages."""

from __future__ import annotations

from string import ascii_uppercase

import pytest

from companion.dialogues.phones import SCAN
from companion.games.caesar.rules import SQUARES
from companion.phone.words import Read
from companion.rules.speech import Address, Letters
from companion.rules.words import LANGUAGES, Tongue
from companion.voice import alphabet
from companion.voice.alphabet import letter, spelled
from companion.voice.spoken_language import Spoken
from tests.support.sayable import UNSAID

KANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
VOICED = "ガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポヴ"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_letter_is_a_word_of_its_own(lang: str) -> None:
    words = {sign: letter(sign, lang) for sign in ascii_uppercase}
    assert len(set(words.values())) == 26
    assert words == {sign: letter(sign.lower(), lang) for sign in ascii_uppercase}, "capitals are no other letters"
    for sign, word in words.items():
        assert len(word) > 2 and not UNSAID.search(word), word
        assert lang == "ja" or word[0] == sign, (sign, word)


def test_the_alphabets() -> None:
    assert spelled("Abz", "en") == ["Alpha", "Bravo", "Zulu"]
    assert spelled("Öyß", "de") == ["Umlaut Offenbach", "Ypsilon", "Eszett"]
    assert spelled("ab", "ja") == ["アメリカのエー", "ブラジルのビー"]
    assert spelled("é ñ", "en") == ["Echo", "November"], "without an accent, and without a space"
    assert spelled("é", "de") == ["Essen"]
    assert spelled("7", "en") == ["7"]


def test_kana() -> None:
    words = [letter(sign, "ja") for sign in KANA + VOICED]
    assert len(set(words)) == len(KANA + VOICED) and all(len(word) > 2 for word in words)
    assert spelled("ひびきー", "ja") == ["飛行機のヒ", "飛行機のヒに濁点", "切手のキ", "長音"], "hiragana as well"
    assert spelled("ポッ", "ja") == ["保険のホに半濁点", "小さいツ"]
    assert all(word.endswith(sign) for sign, word in alphabet.LETTERS["ja"].items() if sign in KANA)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_squares_sound_different(lang: str) -> None:
    said = [Spoken(lang).name(square) for square in SQUARES]
    assert len(set(said)) == len(SQUARES) and not any(UNSAID.search(one) for one in said)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Alpha three, Charlie column"),
        ("de", "Aachen drei, Chemnitz Spalte"),
        ("ja", "アメリカの三、カナダの列"),
    ],
)
def test_a_square_and_a_column(lang: str, said: str) -> None:
    assert Spoken(lang).tr("{a}, {b}" if lang != "ja" else "{a}、{b}", a="a3", b="c") == said


def test_a_player_called_like_a_letter() -> None:
    assert Spoken("en", {"red": "Charlie"}).name("c2") == "Cesar two", "not the player's two"
    assert Spoken("en", {"red": "Anna"}).name("c2") == "Charlie two"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Alpha, November"),
        ("de", "Aachen, Nürnberg"),
        ("ja", "アメリカのエー、ノルウェーのエヌ"),
    ],
)
def test_letters_within_a_sentence(lang: str, said: str) -> None:
    assert Spoken(lang).phrase(Letters("An")) == said


@pytest.mark.parametrize(
    ("lang", "heard"),
    [
        ("en", "one, nine, two, dot, one, six, eight, dot, four, dot, one, zero, colon, eight, seven, six, five"),
        ("de", "eins, neun, zwei, Punkt, eins, sechs, acht, Punkt, vier, Punkt, eins, null, Doppelpunkt,"
               " acht, sieben, sechs, fünf"),
        ("ja", "一、九、二、ドット、一、六、八、ドット、四、ドット、一、ゼロ、コロン、八、七、六、五"),
    ],
)  # fmt: skip
def test_an_address_is_said_digit_by_digit_and_read_as_it_is(lang: str, heard: str) -> None:
    address = Address("http://192.168.4.10:8765")
    assert heard in Spoken(lang).tr(SCAN, address=address)
    for tongue in (Tongue(lang), Read(lang)):
        assert tongue.tr(SCAN, address=address).count(address) == 1
