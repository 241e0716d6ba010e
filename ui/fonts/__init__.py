"""The fonts of the screen: Kivy's own for English and German, an installed one for Japanese.

Few machines have a bold Japanese font, so one is shipped: `japanese-bold.otf`, the letters in `japanese-bold.txt` of M+
1 Bold by the M+ FONTS Project Authors (SIL Open Font License 1.1, `OFL.txt`), on the lines of the regular ones.
"""

from __future__ import annotations

from functools import cache
from os.path import expanduser
from pathlib import Path

from companion.rules.words import LANGUAGES

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
    """Return the best installed font with Japanese letters, None if there is none."""
    files = {
        path.name: path
        for place in map(expanduser, PLACES)  # expanduser leaves ~ as it is without a home directory
        for path in sorted(Path(place).glob("**/*.[to]t[cf]"))
        if path.name in JAPANESE
    }
    return next((files[name] for name in JAPANESE if name in files), None)


@cache
def in_bold() -> frozenset[str]:
    """Return the letters that the bold Japanese font contains."""
    return frozenset(BOLD.with_suffix(".txt").read_text("utf-8"))


def has_bold(text: str) -> bool:
    """Return whether a text can be set in bold.

    A name with a rare letter is set in the regular font, as bold would show boxes.
    """
    return spoken != "ja" or in_bold().issuperset(text.replace("\n", ""))


def own_name(name: str) -> tuple[str, str]:
    """Return a language's own name and the font for it, "" for that of the screen; in English where no font has it."""
    if name != LANGUAGES["ja"]:
        return name, ""
    font = japanese()
    return (name, str(font)) if font else ("Japanese", "")


spoken = "en"
"""The language of everything on the screen."""


def register(lang: str) -> None:
    """Make the fonts of a language Kivy's default ones."""
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
