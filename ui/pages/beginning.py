"""The beginning of a game: by one touch from the start page, or from the pages of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.data import Data
from companion.rules.mistakes import Mistakes

if TYPE_CHECKING:
    from ui.page import App


def begin(app: App, header: Data, teach: bool = False) -> str:
    """Begin the game and turn to it; return why it cannot begin, "" when it has.

    With `teach` each thing is explained when it first comes up.
    """
    try:
        app.evening.begin(header, teach=teach)
    except Mistakes as mistakes:
        return str(mistakes)
    app.go("setup" if teach else "table")
    return ""
