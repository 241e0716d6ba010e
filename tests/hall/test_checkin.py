"""Players help themselves, in a real browser: they check in by the board's QR, leave, come back; the organiser confirms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.hall.test_desk_page import LAPTOP, PHONE, shown, violations
from tests.hall.test_player_requests import Public
from tests.support.boards import fits
from tests.support.hall_board_chromium import Chromium
from tests.support.hall_full import connect
from tests.support.hall_tables import until
from tests.support.hall_two_ways import Evening, at_page, evening_at


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Evening]:
    with evening_at(tmp_path) as hall:
        hall.ask("join", names=["Anna", "Ben", "Cem", "Dora"])
        connect(hall, 2)
        until(lambda: hall.service.requests._link.connected)
        yield hall


@pytest.fixture
def phone(hall: Evening, browser: Chromium) -> Iterator[Chromium]:
    """The board on a telephone; any complaint of the page fails the test."""
    with browser.visit(f"http://localhost:{hall.running.plan.web}/"):
        browser.size(*PHONE)
        browser.run("localStorage.clear()")
        browser.until(
            "chosenHall(halls, '')?.standings?.rows.length === 4 && !document.getElementById('checkin').hidden"
        )
        yield browser
        browser.run("localStorage.clear()")
        browser.size(*LAPTOP)
        assert not browser.log()


def press(browser: Chromium, text: str) -> None:
    found = (
        "[...document.querySelectorAll('main button, main summary')].find(each => each.textContent === arguments[0])"
    )
    browser.until(found, text)
    browser.run(f"{found}.click()", text)


def says(browser: Chromium, text: str) -> None:
    browser.until("document.querySelector('main').innerText.includes(arguments[0])", text)


def test_somebody_checks_in_finds_the_seat_leaves_and_comes_back(hall: Evening, phone: Chromium) -> None:
    phone.run("document.getElementById('checkin').click()")
    says(phone, "Already on the list?")
    phone.run("document.getElementById('own-name').focus()")
    phone.devtools("Input.insertText", {"text": "  Fay   Lind "})
    hall.ask("say", text="news meanwhile")
    phone.until("document.getElementById('line').innerText === 'news meanwhile'")
    assert phone.run("return document.activeElement.value") == "  Fay   Lind ", (
        "news take nothing that is being written"
    )
    press(phone, "Ask to check in")
    says(phone, "The organiser has your request.")
    assert len(hall.now.evening.people) == 4, "nothing has changed yet"
    assert hall.service.order({"do": "requests"})["said"] == ["Fay Lind would like to check in."]
    hall.service.order({"do": "join", "names": ["Fay Lind"]})
    says(phone, "You are checked in.")
    phone.until("document.querySelector('.person-head')?.innerText.includes('Fay Lind')")
    phone.run("location.hash = ''")
    phone.until("document.querySelector('.person-head')?.innerText.includes('Fay Lind')")
    hall.service.order({"do": "round", "games": ["mercator"], "tables": ["1"], "size": 5, "seed": 1})
    says(phone, "Table 1")
    press(phone, "Leave the evening …")
    says(phone, "from the next round on")
    hall.ask("say", text="more news")
    phone.until("document.getElementById('line').innerText === 'more news'")
    assert phone.run("return document.querySelector('.leaving').open"), "news close nothing"
    press(phone, "Ask to leave")
    says(phone, "The organiser has your request.")
    hall.service.order({"do": "decline", "names": []})
    says(phone, "Please speak to the organiser.")
    press(phone, "Leave the evening …")
    press(phone, "Ask to leave")
    says(phone, "The organiser has your request.")
    phone.run("globalThis.wasHere = true; location.reload()")
    phone.until(
        "!globalThis.wasHere && document.querySelector('main')?.innerText.includes('The organiser has your request.')"
    )
    hall.service.order({"do": "leave", "names": ["Fay Lind"]})
    says(phone, "You are checked out.")
    press(phone, "Ask to check in again")
    says(phone, "The organiser has your request.")
    hall.service.order({"do": "back", "names": ["Fay Lind"]})
    says(phone, "You are checked in.")


def test_a_name_on_the_list_is_said_to_be_taken(hall: Evening, phone: Chromium) -> None:
    phone.run("location.hash = 'page=checkin'")
    says(phone, "Your name")
    phone.run("document.getElementById('own-name').value = 'anna'")
    press(phone, "Ask to check in")
    says(phone, "already on the list. If that is you")
    phone.run("[...document.querySelectorAll('main a')].find(each => each.textContent.includes('Anna')).click()")
    press(phone, "That's me")
    says(phone, "Leave the evening …")


def test_a_hall_that_was_away_gets_the_request_when_it_is_back(hall: Evening, phone: Chromium) -> None:
    hall.service.requests.close()
    phone.run("ASKING.againMs = 300; location.hash = 'page=checkin'")
    says(phone, "Your name")
    phone.run("document.getElementById('own-name').value = 'Gil'")
    press(phone, "Ask to check in")
    says(phone, "Sending your request to the hall")
    hall.running.kill()
    phone.until("!document.getElementById('link').hidden")
    hall.running.start()
    again = type(hall.service.requests)(hall.service.topics, hall.running.as_("hall"), hall.service._put)
    hall.service.requests = again
    with closing(again):
        again.open()
        says(phone, "The organiser has your request.")
    browser_log_of_a_broker_that_was_away = phone.log()
    assert all("WebSocket" in line for line in browser_log_of_a_broker_that_was_away)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_it_fits_a_phone_in_every_language_and_an_accessibility_engine_finds_nothing(
    hall: Evening, phone: Chromium, look: str
) -> None:
    hall.ask("leave", names=["Ben"])
    phone.run("document.documentElement.dataset.look = arguments[0]; memory.set('look', arguments[0])", look)
    for lang in ("en", "de", "ja"):
        phone.run("memory.set('lang', arguments[0]); memory.set('me', '2')", lang)
        for address in ("page=checkin", "page=player&number=2", "page=player&number=1", "page=where", "page=tables"):
            phone.run("memory.set('me', arguments[1]); location.hash = arguments[0]; render()", address, address[-1])
            phone.run("for (const each of document.querySelectorAll('.leaving')) each.open = true")
            fits(phone)
            assert "undefined" not in shown(phone, "body") and "{" not in shown(phone, "main")
            assert violations(phone) == [], (lang, address)


def test_the_organiser_confirms_one_or_all_and_declines(hall: Evening, browser: Chromium) -> None:
    with at_page(hall, browser) as page, closing(Public(hall.running.as_(None), hall)) as public:
        browser.size(*LAPTOP)
        browser.run("memory.set('lang', 'en')")
        for at, (do, player, name) in enumerate(
            [("join", None, "Fay"), ("join", None, "<b>Gil</b>"), ("leave", 2, ""), ("leave", 3, "")]
        ):
            public.ask(f"request000{at}", do, player, name, phone=f"phone000{at}")
        browser.until("document.querySelectorAll('.requests li').length === 4")
        assert "<b>Gil</b> would like to check in." in shown(browser, ".requests")
        for look in ("light", "dark"):
            browser.run("document.documentElement.dataset.look = arguments[0]", look)
            assert violations(browser) == []
        page.press("Confirm …", ".requests li:first-child")
        browser.until("document.querySelector('dialog .told')?.innerText.includes('Fay')")
        page.agree()
        browser.until("document.querySelectorAll('.requests li').length === 3")
        page.press("Decline", ".requests li:first-child")
        browser.until("document.querySelectorAll('.requests li').length === 2")
        page.press("Confirm all …", ".requests")
        browser.until("document.querySelector('dialog .told')?.innerText.includes('Ben')")
        page.agree()
        browser.until("!document.querySelector('.requests')")
        people = {of.name: of.here for of in hall.now.evening.people.values()}
        assert people == {"Anna": True, "Ben": False, "Cem": False, "Dora": True, "Fay": True}
        for at in range(9):
            public.ask(f"another00{at}", "join", None, f"Player with a rather long name {at}", phone=f"phone1{at:03}")
        browser.size(*PHONE)
        browser.until("document.querySelectorAll('.requests li').length === 9")
        fits(browser)
        browser.size(*LAPTOP)
        public.ask("both000001", "back", 2, phone="phone2000")
        public.ask("both000002", "leave", 1, phone="phone2000")
        browser.until("document.querySelectorAll('.requests li').length === 11")
        page.press("Confirm all …", ".requests")
        browser.until("document.querySelector('dialog h2')?.innerText === 'Check in these players'")
        page.press("Confirm")
        browser.until("document.querySelector('dialog h2')?.innerText === 'Check out these players'")
        page.agree()
        browser.until("!document.querySelector('.requests')")
        for at in range(2):
            public.ask(f"nonsense0{at}", "join", None, f"Nonsense {at}", phone="phone3000")
        page.press("Stop requests", ".requests")
        page.press("Take them again", ".requests")
        browser.until("!document.querySelector('.requests')")
        assert not hall.now.evening.people[1].here and hall.now.evening.people[2].here
