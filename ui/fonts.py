"""Which letters the screen has: Kivy's own for English and German, an installed font for Japanese."""

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
BOLD = {"NotoSansCJK-Regular.ttc": "NotoSansCJK-Bold.ttc"}
"""Files with Japanese letters, the best first, and the bold sister where there is one."""


@cache
def japanese() -> Path | None:
    """An installed font with Japanese letters."""
    files = {
        path.name: path
        for place in map(expanduser, PLACES)  # which leaves ~ as it is where there is no home
        for path in sorted(Path(place).glob("**/*.[to]t[cf]"))
        if path.name in (*JAPANESE, *BOLD.values())
    }
    return next((files[name] for name in JAPANESE if name in files), None)


spoken = "en"
"""The language of everything on the screen."""


def speak(lang: str) -> None:
    """Makes the letters of a language the ones every text is written with."""
    global spoken  # noqa: PLW0603 - one language for one window
    spoken = lang
    from kivy.core.text import DEFAULT_FONT, LabelBase
    from kivy.resources import resource_find

    from ui.widgets.text import forget

    forget()
    font = japanese() if lang == "ja" else None
    if font:
        bold = font.with_name(BOLD.get(font.name, font.name))
        LabelBase.register(DEFAULT_FONT, str(font), fn_bold=str(bold if bold.exists() else font))
    else:
        styles = ("Regular", "Italic", "Bold", "BoldItalic")
        LabelBase.register(DEFAULT_FONT, *(resource_find(f"data/fonts/Roboto-{style}.ttf") for style in styles))
