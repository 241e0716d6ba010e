"""The phones' page in a real Firefox, for `make soak`: a phone joins, chooses a card, holds its fist and opens it.

Firefox is driven by WebDriver BiDi, which it has built in.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

from websockets.sync.client import ClientConnection, connect

from companion.rules.readings import Press, now
from tests.support.phone_table import PhoneTable, phone_table
from tests.support.timeouts import SECONDS

NAMES = ("firefox", "firefox-esr")
OTHERS = ("blue", "green")


class Firefox:
    """One tab."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._count = socket, 0
        self.ask("session.new", capabilities={})
        self._tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **params: Any) -> Any:
        """Send a command; return its result."""
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(SECONDS))).get("id") != self._count:
            pass
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        return answer["result"]

    def go(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def run(self, expression: str) -> Any:
        """Return what an expression is, by way of JSON."""
        text = f"JSON.stringify({expression})"
        found = self.ask("script.evaluate", expression=text, target={"context": self._tab}, awaitPromise=True)
        if found["type"] == "exception":
            raise RuntimeError(f"{expression}: {found['exceptionDetails']['text']}")
        return json.loads(found["result"].get("value", "null"))

    def touch(self, place: str, *kinds: str) -> None:
        """Put a finger on the middle of a place (pointerDown), or lift it (pointerUp)."""
        box = f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({place}.getBoundingClientRect())"
        x, y = map(round, self.run(box))
        moves = [{"type": "pointerMove", "x": x, "y": y}, *({"type": of, "button": 0} for of in kinds)]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": moves}
        self.ask("input.performActions", context=self._tab, actions=[finger])


@contextmanager
def firefox(command: str, folder: Path) -> Iterator[Firefox]:
    """Run Firefox without a window."""
    words = [command, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(folder)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as program:
        try:
            assert program.stderr
            found = next(of for line in program.stderr if (of := re.search(r"BiDi listening on (ws://\S+)", line)))
            with connect(f"{found[1]}/session", proxy=None) as socket:
                yield Firefox(socket)
        finally:
            program.kill()


def journey(page: Firefox, table: PhoneTable) -> None:
    """Join as red, choose the first card, and make a reveal by fists with the others."""
    evening = table.evening

    def until(condition: str) -> None:
        table.until(lambda: not evening.waiting and page.run(f"typeof at === 'function' && Boolean({condition})"))

    assert evening.match
    for event in ({"event": "pawns", "order": ["red", *OTHERS]}, {"event": "province", "province": "asia"}):
        evening.match.act(event)
    page.go(f"http://127.0.0.1:{table.server.port}/#{table.invitation}")
    until("document.querySelector('.seats button')")
    page.run("document.querySelector('.seats button').click()")
    table.until(lambda: table.phones.asking)
    table.phones.agree("red")
    until("!at('todo').hidden && !at('mine').hidden")
    assert "You hold" not in page.run("document.body.textContent"), "what is private is covered"
    page.run("at('show').click()")
    until("at('lines').textContent.includes('You hold')")
    page.run("at('entries').querySelector('button').click()")
    table.until(lambda: evening.match and "red" in evening.match.view["chosen"])
    for seat in OTHERS:
        evening.match.act({"event": "choose", "seat": seat, "card": f"{seat} 7"})
    until("!at('fist').hidden")
    page.touch("at('hold')", "pointerDown")
    table.until(lambda: "red" in evening.devices.held)
    for down in (True, False):
        for seat in OTHERS:
            evening.devices.inbox.put(Press(seat, down, now()))
        if down:
            until("at('fist').classList.contains('called')")
            page.touch("at('hold')", "pointerUp")
    table.until(lambda: "red" not in evening.devices.held and evening.match and not evening.match.fists)
    until("at('fist').hidden")


def main() -> None:
    command = next(filter(None, map(which, NAMES)), None)
    if not command:
        print("The phones' page was not tried in Firefox: install firefox or firefox-esr.")
        return
    with TemporaryDirectory() as folder, phone_table(Path(folder)) as table:
        profile = Path(folder) / "profile"
        profile.mkdir()
        with firefox(command, profile) as page:
            journey(page, table)
    print("The phones' page works in Firefox.")


if __name__ == "__main__":
    main()
