"""A browser, the phones' port, and a phone in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from drivers.phones.server import PhoneServer
from tests.support.hall_board_chromium import Chromium, browser
from tests.support.phone_chromium import Phone, Table, phone_port

__all__ = ["browser"]

PORTRAIT = (390, 844)


@pytest.fixture(scope="module")
def port() -> Iterator[tuple[PhoneServer, Queue[Any]]]:
    with phone_port() as found:
        yield found


Open = Callable[..., Phone]


@pytest.fixture
def phone(browser: Chromium, port: tuple[PhoneServer, Queue[Any]]) -> Iterator[Open]:
    """Yield a function that opens the page at a table that shows these messages; a complaint of the page fails the test.

    `lang` and `look` are what the player has chosen, and `fragment` stands in the address.
    """
    usual = port
    with ExitStack() as stack:

        def opened(*shows: Mapping[str, Any], lang: str = "en", look: str = "light", size: tuple[int, int] = PORTRAIT,
                   seat: str = "red", fragment: str = "",
                   port: tuple[PhoneServer, Queue[Any]] = usual, **kept: str) -> Phone:  # fmt: skip
            server, queue = port
            stack.enter_context(browser.visit("about:blank"))
            browser.size(*size)
            table = Table(server, queue, shows, seat)
            address = f"http://127.0.0.1:{server.port}/"
            browser.go(f"{address}style.css")
            kept = {"lang": lang, "look": look, "hinted": "yes", **kept}
            browser.run("localStorage.clear(); Object.assign(localStorage, arguments[0])", kept)
            browser.go(address + (f"#{fragment}" if fragment else ""))
            table.greet()
            found = Phone(browser, table)
            found.until("document.documentElement.lang === arguments[0] && typeof at === 'function'", lang)
            found.send()
            return found

        yield opened
        assert not [
            of for of in browser.log() if "WebSocket" not in of and "favicon" not in of and "ERR_CONN" not in of
        ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("moments")
