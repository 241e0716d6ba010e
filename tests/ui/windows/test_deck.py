"""The deck's pages: what they say, and that they fit, in windows of their own."""

import json
import os
import subprocess
import sys

import pytest

from companion import deck, games
from companion.deck import Check, KnownTag
from companion.rules.cards import DECK
from companion.rules.readings import Reading
from tests.support.paths import ROOT
from ui.pages import deck as model

ALL = {f"04AB{number:010X}": KnownTag(card, "box") for number, card in enumerate(DECK.values())}
TAG = {str(of.card): tag for tag, of in ALL.items()}


def test_the_page_asks_for_a_card_and_shows_how_far_it_is() -> None:
    e = deck.enrolment({}, "box").hear(Reading("centre", TAG["red 1"], True, 0))
    page = model.enrolling(e, "en")
    assert (page.lead, page.count, page.asked, page.wrong) == ("Lay red 2", "1 of 60", "red", False)
    assert [cell.card for cell in page.cells if cell.there] == ["red 1"]
    assert [cell.card for cell in page.cells if cell.asked] == ["red 2"]
    e = e.hear(Reading("centre", TAG["red 2"], True, 2000))
    assert model.enrolling(e, "en").wrong  # two at once


def test_weak_cards_and_second_flags_are_marked() -> None:
    tags = ALL | {"04AC000000000001": KnownTag(DECK["red flag"], "box")}
    e = deck.enrolment(tags, "box").hear(Reading("centre", TAG["blue 9"], False, 0), 0.5)
    page = model.enrolling(e, "en")
    assert page.done and [cell.card for cell in page.cells if cell.weak] == ["blue 9"]
    assert [cell.text for cell in page.cells if "×" in cell.text] == ["flag ×2"]


def test_a_check_shows_only_the_cards_of_its_game_and_names_strangers() -> None:
    c = Check(ALL, "box", games.game("hannibal"))
    for at, name in enumerate(("red 1", "blue 2", "red 9")):
        c = c.hear(Reading("centre", TAG[name], True, at))
    for number in range(9):
        c = c.hear(Reading("centre", f"04FF{number:010X}", True, 9))
    page = model.checking(c, "en")
    assert {cell.card for cell in page.cells if not cell.off} == set(map(str, deck.needed(c.game)))
    assert [cell.card for cell in page.cells if cell.there] == ["red 1", "blue 2"]
    assert (page.count, page.done) == ("2 of 10", False)
    told = model.strange(c, "en")
    assert told.startswith("Out of place (10): 04FF0000000008, ") and told.endswith(", …")


def test_decks_are_listed_with_their_cards() -> None:
    tags = ALL | {"04AC0000000001": KnownTag(DECK["red 1"], "other")}
    assert [line.text for line in model.decks(tags, "en")] == [
        "“box”: 60 of 60 cards", "“other”: 1 of 60 cards",
    ]  # fmt: skip
    assert model.laid_by_hand(TAG, tags, "other")["red 1"] == "04AC0000000001"
    tags = ALL | {"012E4C8A9B7C6D5E": KnownTag(DECK["red 1"], "other")}  # a FeliCa card's, which no MFRC522 reads
    assert model.laid_by_hand(TAG, tags, "other") == TAG


@pytest.mark.parametrize("size", ["800 480 long", "720 1280 de dark"])
def test_a_deck_by_finger_and_tag_in_a_window(size: str) -> None:
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    command = [sys.executable, "-m", "tests.ui.windows.window_deck", *size.split()]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}
