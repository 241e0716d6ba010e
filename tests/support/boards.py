"""The hall's board in a real browser, fed by a real broker."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from tests.support.hall_board_chromium import Chromium
from tests.support.hall_board_evening import Hall
from tests.support.hall_broker import Running, broker

PHONE, PROJECTOR = (390, 844), (1920, 1080)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with broker(tmp_path_factory.mktemp("broker")) as found:
        yield found


@dataclass
class Board:
    """The page, open all the time, and what was published for it last."""

    browser: Chromium
    served: Running
    said: set[str] = field(default_factory=set)
    times: int = 0

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.served.plan.web}/"

    def publish(self, messages: Iterable[tuple[str, str]]) -> None:
        """Publish all of this as the hall, retained; return when the broker has it."""
        client = Client(CallbackAPIVersion.VERSION2)
        client.max_inflight_messages_set(200)
        client.username_pw_set("hall", self.served.passwords["hall"])
        client.connect("127.0.0.1", self.served.plan.port)
        client.loop_start()
        try:
            for sent in [client.publish(topic, payload, qos=1, retain=True) for topic, payload in messages]:
                sent.wait_for_publish(30)
        finally:
            client.disconnect()
            client.loop_stop()

    def show(self, of: Hall) -> None:
        """Publish an evening in place of the one before; wait until all of it is in the page."""
        self.times += 1
        messages = list(replace(of, at=str(self.times)).messages())
        gone = self.said - {topic for topic, _ in messages}
        self.publish([*((topic, "") for topic in gone), *messages])
        self.said = {topic for topic, _ in messages}
        self.browser.until("(chosenHall(halls, '')?.evening || {}).at === arguments[0]", str(self.times))


@pytest.fixture(scope="module")
def board(browser: Chromium, served: Running) -> Iterator[Board]:
    found = Board(browser, served)
    with browser.visit(found.page):
        yield found


@pytest.fixture
def page(board: Board) -> Iterator[Callable[..., Chromium]]:
    """Yield a function that shows an evening at an address of the page; any complaint of the page fails the test."""

    def shown(of: Hall, address: str = "", size: tuple[int, int] = PHONE) -> Chromium:
        board.browser.size(*size)
        board.browser.run("localStorage.clear(); chooseLook(); location.hash = arguments[0]", address)
        board.browser.run("state.slide = 0; state.time = 0; state.sought = ''")
        board.show(of)
        board.browser.run("render()")
        return board.browser

    yield shown
    assert not board.browser.log()


def seen(browser: Chromium, place: str = "#page") -> str:
    """Return the text that can be read there, without direction marks."""
    text: str = browser.run("return document.querySelector(arguments[0]).innerText", place)
    return re.sub("[\u2066-\u2069]", "", text)


def go(browser: Chromium, address: str) -> None:
    browser.run("location.hash = arguments[0]; render()", address)


def fits(browser: Chromium) -> None:
    """Check that nothing sticks out to the side, so that nobody has to scroll there."""
    wide = """return [...document.body.querySelectorAll('*')].filter(each => each.getBoundingClientRect().right >
        document.documentElement.clientWidth + 1).map(each => each.outerHTML.slice(0, 200)).slice(0, 5)"""
    stays = browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert stays, browser.run(wide)
