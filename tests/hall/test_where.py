"""The board from the back of the room and on a telephone: where everybody sits, one's own evening, print, and in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
import segno

from tests.support.boards import PHONE, PROJECTOR, Board, fits, go, seen
from tests.support.hall_board_chromium import Chromium
from tests.support.hall_board_evening import Hall, evening

Page = Callable[..., Chromium]
SIZES = "return [...document.querySelectorAll(arguments[0])].map(each => parseFloat(getComputedStyle(each).fontSize))"


def four_at_each(count: int, **rest: Any) -> Hall:
    """So many tables of at most four, whose names are of usual length."""
    people = [f"{first} {last}" for first in ("Anna", "Ben", "Chiara", "Dana") for last in ("Weber", "Lind", "Okafor")]
    club = evening(3 * count, people=people, **rest)
    return replace(club, tables=[of for of in club.tables if len(of.header.seats) <= 4][:count], away=[])


# -- from the back of the room -----------------------------------------------------------------------------------


def test_twelve_tables_on_a_projector_have_names_of_forty_pixels(page: Page) -> None:
    browser = page(four_at_each(12), "turn=9999", PROJECTOR)
    assert browser.run("return document.querySelectorAll('.card').length") == 12
    assert min(browser.run(SIZES, "#page .seat-lines .name")) >= 40
    browser = page(four_at_each(12, state="seated"), "turn=9999", PROJECTOR)
    assert browser.run("return document.getElementById('page').dataset.slide") == "where"
    assert min(browser.run(SIZES, "#page .name")) >= 40


@pytest.mark.parametrize("size", [PROJECTOR, (1280, 720), (1024, 768)])
def test_nobody_is_cut_off(page: Page, size: tuple[int, int]) -> None:
    """A long name wraps, on every slide: no letter of it lies outside of its card or of the page."""
    long = ["Maximiliane Alexandra Theodora von und zu Hohenfels-Langenburg", "Player 0012", "Ben", "佐藤 美咲子 " * 4]
    for state in ("seated", "playing"):
        browser = page(evening(10, people=long, state=state), "turn=9999", size)
        many = browser.run("return slides([...halls.values()][0], 0).length")
        for at in range(many):
            cut = browser.run(
                """state.slide = arguments[0]; render();
                const page = document.getElementById("page");
                if (page.dataset.slide === "table") return [];
                return [...page.querySelectorAll(".name")].filter(each => {
                    const room = (each.closest(".card") || page).getBoundingClientRect(), here = each.getBoundingClientRect();
                    const overflows = each.scrollWidth > each.clientWidth + 1 && each.clientWidth;
                    return here.bottom > room.bottom + 1 || here.right > room.right + 1 || overflows
                        || getComputedStyle(each).textOverflow === "ellipsis";
                }).map(each => each.textContent);""",
                at,
            )
            assert cut == [], (state, at)


def test_pages_are_as_full_as_each_other_and_fifty_tables_come_round_in_a_minute(page: Page) -> None:
    browser = page(four_at_each(15), "turn=9999", PROJECTOR)
    browser.run("state.slide = 0; render()")
    assert browser.run("return parts([...Array(15).keys()], 12).map(each => each.length)") == [8, 7]
    assert browser.run("return document.querySelectorAll('.card').length") == 8
    browser = page(evening(50), "turn=9999", PROJECTOR)
    pages, seconds = browser.run("return [tablePages([...halls.values()][0], 77).length, lasting(12)]")
    assert pages * seconds < 60 and pages >= 5


def test_what_has_changed_comes_first(page: Page, board: Board) -> None:
    club = four_at_each(30)
    browser = page(club, "turn=9999", PROJECTOR)
    browser.run("state.time = 5; state.slide = 0; render()")
    last = browser.run("return tablePages([...halls.values()][0], 5).at(-1).map(each => each.id)")
    browser.run(
        "const hall = [...halls.values()][0]; hall.tables.get(arguments[0]).stamp = clock += 1; state.time = 6",
        last[-1],
    )
    found = browser.run("return tablePages([...halls.values()][0], 6)[0].map(each => each.id)")
    assert found == last
    assert browser.run("return tablePages([...halls.values()][0], 6)[0].map(each => each.id)") == last, "while it turns"


def test_a_table_that_has_not_come_is_there_in_grey(page: Page) -> None:
    club = four_at_each(4)
    gone = club.tables[2]
    browser = page(replace(club, tables=club.tables))
    messages = [(topic, payload) for topic, payload in club.messages() if f"/table/{gone.id}/" in topic]
    for topic, _ in messages:
        browser.run("take(halls, arguments[0], '')", topic)
    browser.run("render()")
    card = f"[data-table={gone.id}]"
    assert "has not come" in seen(browser, card) and all(name.split()[0] in seen(browser, card) for name in gone.names)
    assert browser.run(f"return document.querySelector('{card}').classList.contains('away')")


# -- on a telephone ----------------------------------------------------------------------------------------------


def test_a_player_finds_the_seat_and_comes_back_to_it(page: Page) -> None:
    club = evening(state="seated")
    browser = page(club, "", PHONE)
    assert browser.run("return document.querySelectorAll('#page .sits').length") == sum(
        len(of.ids) for of in club.tables
    )
    names = browser.run("return [...document.querySelectorAll('#page .sits bdi')].map(each => each.textContent)")
    latin = [name for name in names if name.isascii()]
    assert latin == sorted(latin, key=str.casefold) and names[0].startswith("Anna")
    find = "const it = document.getElementById('find'); it.value = arguments[0]; it.dispatchEvent(new Event('input'))"
    browser.run(find, "Quentin")
    assert browser.run("return document.querySelectorAll('#page .sits').length") == 1
    browser.run("document.querySelector('#page .sits a').click()")
    browser.until("document.querySelector('#page .own-seat')")
    assert "Table 4" in seen(browser) and "This round" in seen(browser) and "Next: round 3" in seen(browser)
    browser.run(
        "[...document.querySelectorAll('#page button')].find(each => each.textContent === \"That's me\").click()"
    )
    browser.run(find, "")
    go(browser, "")
    assert "Quentin" in seen(browser, ".person-head") and "Table 4" in seen(browser)
    assert "This game is void" in seen(browser) or "Round 1" in seen(browser)
    fits(browser)
    browser.run(
        "[...document.querySelectorAll('#page button')].find(each => each.textContent === \"That's not me\").click()"
    )
    go(browser, "")
    assert not browser.run("return document.querySelector('.person-head')")


def test_the_round_begins_and_the_tables_come_first_again(page: Page) -> None:
    browser = page(evening(state="seated"), "", PHONE)
    assert browser.run("return document.querySelectorAll('#page .sits').length") > 0
    browser = page(evening(), "", PHONE)
    assert browser.run("return document.querySelectorAll('#page a.card').length") == 10


def test_a_round_before_and_everybodys_evening(page: Page) -> None:
    club = evening()
    browser = page(club)
    go(browser, "page=seating")
    browser.run("document.querySelector('.rounds-before a').click()")
    browser.until("document.querySelectorAll('.counted').length > 5")
    assert "Round 1" in seen(browser) and "This game is void" in seen(browser)
    go(browser, "page=standings")
    browser.run("document.querySelectorAll('.standings .person a')[4].click()")
    browser.until("document.querySelector('.person-head')")
    assert "Round 1" in seen(browser) and "Place" in seen(browser)
    fits(browser)


def test_the_code_leads_to_the_board(page: Page) -> None:
    browser = page(evening(state="seated"), "turn=9999", PROJECTOR)
    path = browser.run("return document.querySelector('.code path').getAttribute('d')")
    matrix = segno.make_qr("http://tabularium.local:9001/", error="m").matrix
    dark = {f"M{x + 4},{y + 4}h1v1h-1z" for y, row in enumerate(matrix) for x, each in enumerate(row) if each}
    assert set(path.replace("z", "z ").split()) == dark


def test_a_sheet_is_printed_for_a_table_without_a_device(page: Page) -> None:
    club = evening()
    browser = page(club)
    go(browser, "page=sheet&table=table-3")
    assert all(name in seen(browser) for name in club.tables[2].names) and "Signature" in seen(browser)
    browser.devtools("Emulation.setEmulatedMedia", {"media": "print"})
    assert not browser.run("return document.querySelector('nav').offsetParent")
    browser.devtools("Emulation.setEmulatedMedia", {"media": ""})


# -- in words ----------------------------------------------------------------------------------------------------


def test_all_of_it_is_said_in_words(page: Page) -> None:
    club = evening()
    browser = page(club)
    go(browser, "page=text")
    text = seen(browser)
    assert browser.run("return document.querySelectorAll('#page svg:not(.sign), #page canvas, #page img').length") == 0
    assert browser.run("return [...document.querySelectorAll('#page h2')].length") == 3
    for table in club.tables:
        assert f"Table {table.id.removeprefix('table-')}: " in text
    live = browser.run(
        "const it = document.getElementById('in-words'); it.kept = true; return it.getAttribute('aria-live')"
    )
    browser.run("const hall = [...halls.values()][0]; hall.tables.get('table-1').stamp = clock += 1; render()")
    assert live == "polite" and browser.run("return document.getElementById('in-words').kept"), "the region stays"


@pytest.mark.parametrize("look", ["light", "dark"])
def test_an_accessibility_engine_finds_nothing(page: Page, look: str) -> None:
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser = page(evening(4))
    browser.run(axe)
    browser.run("memory.set('look', arguments[0]); chooseLook()", look)
    for address in ("page=text", "page=where", "page=tables", "page=table&table=table-2", "page=seating",
                    "page=standings", "page=player&number=1", "page=round&number=1", "page=sheet&table=table-1"):  # fmt: skip
        go(browser, address)
        found = browser.run(
            "return axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice']}).then(all => all.violations"
            ".map(each => [each.id, each.nodes.slice(0, 3).map(node => node.html.slice(0, 160))]))"
        )
        assert found == [], address
    browser.run("localStorage.clear(); chooseLook()")
