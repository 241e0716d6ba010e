"""The phones' page as browsers get it: its own files, those that pages share, the games' drawings, and its words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from companion import games
from companion.rules import N_
from companion.rules.browser import NACL, keyed_texts, shared_files
from companion.rules.cards import PAWNS
from companion.rules.data import Data
from companion.rules.message import Message
from companion.rules.words import LANGUAGES, Tongue, catalogue, name

PAGE = Path(__file__).with_name("page")
DRAWN = "drawn.js"
"""The texts of the drawings: the page gets them with its words."""
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
WORDS = {
    "join_title": N_("Join the table"),
    "code": N_("Six-digit code"),
    "code_hint": N_("The table shows the code, and reads it aloud, under Menu, Phones."),
    "join": N_("Join"),
    "choose_seat": N_("Choose your seat"),
    "taken": N_("taken"),
    "go_on_here": N_("Go on in this tab"),
    "lost": N_("No connection to the table. Reconnecting …"),
    "only_you": N_("Only for you"),
    "show": N_("Show mine"),
    "covered": N_("Only you may see this. Hold “Show mine” to look, or tap it to choose."),
    "can_do": N_("What you can do"),
    "back": N_("Back"),
    "less": N_("One less"),
    "more": N_("One more"),
    "range": N_("{least} to {most}"),
    "confirm": N_("Confirm"),
    "on_table": N_("On the table"),
    "was_said": N_("What was said"),
    "say_again": N_("Say again"),
    "last_five": N_("Last five"),
    "your_fist": N_("Your fist"),
    "fist_hold": N_("Hold to close your fist"),
    "fist_lift": N_("Lift your finger to open it"),
    "fist_tap": N_("Your fist is closed. Tap to open it"),
    "fist_unknown": N_("The finger was lost and your fist is still closed. Tap to open it"),
    "fist_closed": N_("Fist closed"),
    "your_button": N_("Your button"),
    "button_hold": N_("Hold until all are held"),
    "button_lift": N_("Lift your finger to let go"),
    "button_tap": N_("Still held. Tap to let go"),
    "button_unknown": N_("The finger was lost and your button is still held. Tap to let go"),
    "button_closed": N_("Button held"),
    "stay_awake": N_("Set your phone not to lock itself while you play."),
}
"""The words of the page itself, by the keys of its scripts."""


@cache
def page_files() -> Mapping[str, Path]:
    """Return all files by the names under which the page loads them."""
    own = {path.name: path for path in PAGE.iterdir() if path.suffix in KINDS}
    drawings = {f"game-{of}.js": path for of in games.NAMES if (path := games.FOLDER / of / "board.js").is_file()}
    return {of: path for of, path in {**shared_files(), NACL.name: NACL, **own, **drawings}.items() if of != DRAWN}


def page_file(path: str) -> tuple[bytes, str] | None:
    """Return the content and the type of the file at a path such as "/phone.js"; None where there is none."""
    found = page_files().get(path.removeprefix("/") or "index.html")
    return (found.read_bytes(), f"{KINDS[found.suffix]}; charset=utf-8") if found else None


@cache
def page_texts(lang: str) -> Data:
    """Return all words of the page in a language: its own, those of the drawings, and the names in the games."""
    said = catalogue(lang)
    drawings = (path.read_text(encoding="utf-8") for of, path in page_files().items() if of.startswith("game-"))
    texts = {**keyed_texts(*drawings, shared_files()[DRAWN].read_text(encoding="utf-8")), **WORDS}
    tongue = Tongue(lang)
    return {
        "words": {key: said(text) for key, text in texts.items()},
        "games": {of: tongue.phrase(Message(games.game(of).title)) for of in games.NAMES},
        "places": {place: name(place, lang) for of in games.NAMES for place in games.RECORDS[of].names},
        "colours": {colour: name(colour, lang) for colour in PAWNS},
    }


def make_texts() -> None:
    """Make the words in every language: the first takes the rules of all games, too long for the main thread."""
    for lang in LANGUAGES:
        page_texts(lang)
