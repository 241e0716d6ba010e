"""The organiser's page in a real browser: its key, what it shows, and an evening that it runs as the terminal does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest

from companion.hall import setup
from companion.hall.ticket import Ticket
from tests.support.boards import fits
from tests.support.hall_board_chromium import Chromium
from tests.support.hall_tables import until
from tests.support.hall_two_ways import AtPage, AtTerminal, Evening, at_page, at_phone, evening_at, run
from tests.support.tables import EVERYTHING

NAMES = ["Anna", "Chiara", "Dan", "Eve", "Femi", "Gül", "Hana", "Ivo", "Jo", "Kai"]
MANY = [f"{name} {family}" for family in ("Albrecht", "von Hohenfels") for name in NAMES] + ["Xaver", "Yuki", "Zoë"]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Evening]:
    with evening_at(tmp_path) as hall:
        yield hall


@pytest.fixture
def page(hall: Evening, browser: Chromium) -> Iterator[AtPage]:
    with at_page(hall, browser) as page:
        yield page


def test_a_page_ends_before_its_broker(tmp_path: Path, browser: Chromium) -> None:
    before = browser.run("return location.href")
    with evening_at(tmp_path) as hall:
        with at_page(hall, browser):
            assert browser.run("return location.href") != before
        assert browser.run("return location.href") == before
        assert hall.running.process and hall.running.process.poll() is None


def test_an_evening_by_page_or_phone_ends_as_the_same_by_the_terminal(
    tmp_path: Path, browser: Chromium, capsys: pytest.CaptureFixture[str]
) -> None:
    """23 players over five rounds where all is tried, ten over three in the suite."""
    names, rounds = (NAMES[:9], 3) if not EVERYTHING else (MANY[:23], 5)
    ends = []
    with evening_at(tmp_path / "terminal") as hall:
        run(hall, AtTerminal(hall), names, rounds)
        ends.append(hall.ends())
    for way in (at_page, at_phone):
        with evening_at(tmp_path / way.__name__) as hall, way(hall, browser) as page:
            run(hall, page, names, rounds)
            ends.append(hall.ends())
    capsys.readouterr()
    assert ends[0] == ends[1] == ends[2]
    assert all(said for said in ends[0][1])


def test_the_key_leaves_the_address_and_without_it_the_page_does_nothing(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    assert "key" not in browser.run("return location.href")
    browser.run("globalThis.wasHere = true; location.reload()")
    browser.until("!globalThis.wasHere && typeof desk === 'object' && desk.state !== null")
    browser.run("sessionStorage.clear()")
    browser.go(f"http://localhost:{hall.running.plan.desk}/?again")
    browser.until("document.querySelector('#link').innerText.includes('tabularium hall page')")
    assert browser.run("return desk.client") is None
    browser.go(f"http://localhost:{hall.running.plan.desk}/?guess")
    browser.run("sessionStorage.setItem('hall', 'friday'); sessionStorage.setItem('key', 'guess'); location.reload()")
    browser.until("document.querySelector('#link').innerText.includes('no longer valid')")
    browser.run("sessionStorage.clear()")
    browser.log()


def test_a_ticket_is_swapped_for_the_key_once_and_is_all_that_an_address_has(hall: Evening, browser: Chromium) -> None:
    plan = hall.running.plan
    key, here = setup.passwords(plan.folder)["organiser"], f"http://localhost:{plan.desk}"
    with closing(Ticket(plan.hall, key, here)) as ticket:
        assert key not in ticket.words
        with browser.visit(f"{here}/#{ticket.words}"):
            browser.until("desk.state !== null")
            assert ticket.wait(0) and browser.run("return location.href") == f"{here}/"
            browser.run("sessionStorage.clear()")
        browser.log()
        with browser.visit(f"{here}/?again#{ticket.words}"):
            browser.until("document.querySelector('#link').innerText.includes('tabularium hall page')")
            assert browser.run("return desk.key") == ""
            browser.log()


def test_an_order_without_an_answer_is_said_to_be_so_and_is_never_given_twice(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    """The hall carries it out, and the answer is lost on the way."""
    page.join("Anna", "Ben")
    publish, hall.service.link.publish = hall.service.link.publish, lambda *_, **__: None  # type: ignore[method-assign]
    browser.run("give({ do: 'penalty', player: '#1', points: 3, reason: 'late' })")
    browser.run("for (const each of desk.waiting.values()) each.since -= 60000; missing()")
    assert "may or may not have carried out" in browser.run("return document.querySelector('#unanswered').innerText")
    until(lambda: len(hall.now.evening.penalties) == 1)
    hall.service.link.publish = publish  # type: ignore[method-assign]
    page.press("Ask again")
    browser.until("desk.waiting.size === 0")
    assert len(hall.now.evening.penalties) == 1
    browser.until("document.querySelector('#unanswered').hidden")
    browser.until("document.querySelector('.noted')?.innerText.includes('already been carried out')")


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_every_word_is_there_in_every_language_and_nothing_sticks_out(
    hall: Evening, browser: Chromium, page: AtPage, lang: str
) -> None:
    hall.ask("join", names=["Anna Maria Sophie von Hohenfels-Langenburg", "<b>Ben</b>", "Cem", "Dana", "x" * 80])
    hall.ask("round", games=["mercator"], tables=["1"], seed=1)
    browser.until("desk.state.rounds.length === 1")
    missing = "return Object.values(TEXTS).filter(each => each && !hasOwn(CATALOGUE[arguments[0]], each))"
    assert lang == "en" or browser.run(missing, lang) == []
    browser.run("memory.set('lang', arguments[0]); render()", lang)
    for wide, high in ((1280, 900), (820, 1180), (390, 844)):
        browser.size(wide, high)
        for tab in ("hall", "plan", "players", "standings", "evening"):
            browser.run("shown.tab = arguments[0]; render()", tab)
            fits(browser)
            assert not browser.run("return document.querySelector('#tab b, #tab i')") or tab == "standings"
            assert "undefined" not in browser.run("return document.body.innerText")
    browser.run("localStorage.clear()")


def test_a_whole_evening_is_planned_and_printed(hall: Evening, browser: Chromium, page: AtPage) -> None:
    page.join(*NAMES[:8])
    page.tab("Rounds")
    page.press("Plan rounds ahead …")
    page.write(rounds=2, tables="1,2", game_mercator=True)
    page.press("Preview")
    page.agree()
    assert len(hall.now.evening.planned) == 2
    browser.until("document.querySelectorAll('.plan-printed').length === 2")
    browser.devtools("Emulation.setEmulatedMedia", {"media": "print"})
    shown = browser.run(
        "return ['.side', 'nav', '.planned'].map(each => Boolean(document.querySelector(each).offsetParent))"
    )
    browser.devtools("Emulation.setEmulatedMedia", {"media": ""})
    assert shown[:-1] == [False] * (len(shown) - 1) and shown[-1]


def test_only_what_is_agreed_to_is_done(hall: Evening, browser: Chromium, page: AtPage) -> None:
    page.join("Anna", "Ben", "Cem", "Dana")
    page.press("Check out", page.player("#1"))
    browser.until("document.querySelector('dialog').innerText.includes('No longer seated from the next round on')")
    page.press("Cancel")
    assert hall.now.evening.people[1].here
    page.press("Remove", page.player("#1"))
    page.agree()
    assert 1 not in hall.now.evening.people
    page.press("Add players …")
    page.write(names="Ben")
    page.press("Preview")
    browser.until("document.querySelector('dialog').innerText.includes('add an initial')")
    assert not browser.run(
        "return [...document.querySelectorAll('dialog button')].some(b => b.textContent === 'Confirm')"
    )
    page.press("Cancel")
    assert setup.ORGANISER in browser.run("return desk.state.orders.at(-1).who")


def test_a_player_is_found_while_news_come_in_and_what_is_dragged_stays_in_the_hand(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    page.join(*NAMES)
    hall.ask("round", games=["mercator"], tables=["1", "2"], seed=1)
    page.tab("Players")
    browser.run(
        "const find = at('find-player'); find.focus(); find.value = 'gü'; find.dispatchEvent(new Event('input', { bubbles: true }))"
    )
    assert browser.run("return document.querySelectorAll('.people tr').length") == 1
    hall.ask("say", text="news")
    browser.until("desk.state.evening.line === 'news'")
    browser.run("render()")
    assert browser.run("return [document.activeElement.id, document.activeElement.value]") == ["find-player", "gü"]
    browser.run("desk.sought = ''")
    page.tab("Rounds")
    browser.run("""globalThis.held = document.querySelector('.person');
        held.dispatchEvent(new DragEvent('dragstart', { dataTransfer: new DataTransfer(), bubbles: true }));""")
    hall.ask("say", text="more news")
    browser.until("desk.state.evening.line === 'more news'")
    browser.run("soon(); return new Promise(done => setTimeout(done, 200))")
    assert browser.run("return held.isConnected && !document.querySelector('#orders').innerText.includes('more news')")
    browser.run("held.dispatchEvent(new DragEvent('dragend', { bubbles: true }))")
    browser.until("document.querySelector('#orders').innerText.includes('more news')")


def test_an_accessibility_engine_finds_nothing_on_the_page(hall: Evening, browser: Chromium, page: AtPage) -> None:
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    page.join(*NAMES[:8])
    hall.ask("round", games=["mercator"], tables=["1", "2"], seed=1)
    browser.until("desk.state.rounds.length === 1")
    browser.run(axe)
    for tab in ("hall", "plan", "players", "standings", "evening"):
        browser.run("desk.opened = 1; shown.tab = arguments[0]; render()", tab)
        found = browser.run(
            "return axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice']}).then(all => all.violations"
            ".map(each => [each.id, each.nodes.slice(0, 3).map(node => node.html.slice(0, 160))]))"
        )
        assert found == [], tab
    browser.run("desk.opened = null")


def test_what_another_has_ordered_meanwhile_is_looked_at_before_it_is_agreed_to(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    page.join(*NAMES[:8])
    browser.run("Math.random = () => 0.5")
    page.tab("Rounds")
    page.press("Seat the next round …")
    page.write(tables="1,2", game_mercator=True)
    page.press("Preview")
    browser.until("document.querySelector('dialog[open] .told')")
    hall.ask("round", games=["mercator"], tables=["1", "2"], seed=4)  # the other organiser agrees first
    page.press("Confirm")
    browser.until("document.querySelector('dialog .refused')")
    said = browser.run("return document.querySelector('dialog .refused').innerText")
    assert "order 2 has come meanwhile (round 1 seated)" in said
    assert len(hall.now.evening.rounds) == 1, "one round, not two"
    page.agree()  # to what is shown now
    assert len(hall.now.evening.rounds) == 2
