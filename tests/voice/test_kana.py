"""Names in Latin letters, as a Japanese voice says them."""

import pytest

from drivers.voice.kana import in_kana


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Anna", "アンナ"),
        ("Ben", "ベン"),
        ("Chiara", "チアラ"),
        ("Otto", "オット"),
        ("Hans", "ハンス"),
        ("Tom", "トム"),
        ("Peter", "ペテル"),
        ("Béla", "ベラ"),
        ("Schmidt", "シュミト"),
        ("Max", "マクス"),
        ("Annaが五、Benは四です。", "アンナが五、ベンは四です。"),
        ("アンナ", "アンナ"),
        ("赤の七", "赤の七"),
        ("Γιώργος", "Γιώργος"),
        ("", ""),
    ],
)
def test_a_name_is_read_and_not_spelt(written: str, said: str) -> None:
    assert in_kana(written) == said
