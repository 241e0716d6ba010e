"""Which letters the screen has: Kivy's own for English and German, an installed font for Japanese.

Few machines have a bold Japanese font, so one is shipped: `japanese-bold.otf`, the letters in `japanese-bold.txt` of
M+ 1 Bold by the M+ FONTS Project Authors (SIL Open Font License 1.1, `OFL.txt`), on the lines of the regular ones.
"""

from __future__ import annotations

from functools import cache
from os.path import expanduser
from pathlib import Path

PLACES = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
JAPANESE = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansJP-Regular.otf",
    "ipagp.ttf",
    "ipag.ttf",
    "ipaexg.ttf",
    "TakaoPGothic.ttf",
    "VL-PGothic-Regular.ttf",
    "DroidSansFallbackFull.ttf",
)
"""Files with Japanese letters, the best first."""
BOLD = Path(__file__).with_name("japanese-bold.otf")


@cache
def japanese() -> Path | None:
    """An installed font with Japanese letters."""
    files = {
        path.name: path
        for place in map(expanduser, PLACES)  # which leaves ~ as it is where there is no home
        for path in sorted(Path(place).glob("**/*.[to]t[cf]"))
        if path.name in JAPANESE
    }
    return next((files[name] for name in JAPANESE if name in files), None)


@cache
def in_bold() -> frozenset[str]:
    """The letters that are in the bold Japanese font."""
    return frozenset(BOLD.with_suffix(".txt").read_text("utf-8"))


def has_bold(text: str) -> bool:
    """Whether a text can be set in bold: a name with a rare letter is in the regular font, not in boxes."""
    return spoken != "ja" or in_bold().issuperset(text.replace("\n", ""))


spoken = "en"
"""The language of everything on the screen."""


def register(lang: str) -> None:
    """Makes the letters of a language Kivy's default ones."""
    global spoken  # noqa: PLW0603 - one language for one window
    spoken = lang
    from kivy.core.text import DEFAULT_FONT, LabelBase
    from kivy.resources import resource_find

    font = japanese() if lang == "ja" else None
    if font:
        LabelBase.register(DEFAULT_FONT, str(font), fn_bold=str(BOLD))
    else:
        styles = ("Regular", "Italic", "Bold", "BoldItalic")
        LabelBase.register(DEFAULT_FONT, *(resource_find(f"data/fonts/Roboto-{style}.ttf") for style in styles))
