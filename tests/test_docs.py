"""The documents: as fresh as the code they were made from or speak of, and every pointer points somewhere."""

import pytest

from companion.pages import FOLDER, pages


@pytest.mark.parametrize("name", pages())
def test_the_pages_of_the_rules_are_fresh(name: str) -> None:
    written = (FOLDER / name).read_text(encoding="utf-8")
    assert written == pages()[name], "stale: `.venv/bin/python -m companion.pages` (part of `make docs`) writes it anew"


def test_no_page_is_left_of_a_game_that_has_gone() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(pages())
