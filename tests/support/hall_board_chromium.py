"""A real Chromium without a screen, driven over ChromeDriver's plain W3C protocol."""

from __future__ import annotations

import base64
import json
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from tools.needs import needs

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chromium:
    """One window, whose pages are visited; a page answers with what its script returns."""

    base: str

    @contextmanager
    def visit(self, address: str, kind: str = "tab") -> Iterator[str]:
        """Open this page in a tab or in a window, which is not hidden by the next one; close it at the end.

        A page that outlives its server complains of it in some later test.
        """
        before = self._ask("GET", "/window")
        handle = self._ask("POST", "/window/new", {"type": kind})["handle"]
        self.turn_to(handle)
        try:
            self.go(address)
            yield handle
        finally:
            self.turn_to(handle)
            self._ask("DELETE", "/window")
            self.turn_to(before)

    def turn_to(self, handle: str) -> None:
        """Have what follows done in this tab or window."""
        self._ask("POST", "/window", {"handle": handle})

    def go(self, address: str) -> None:
        """Load another page in the tab of this visit."""
        self._ask("POST", "/url", {"url": address})

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script and return its value (`return …`); wait for a promise."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": arguments})

    def until(self, condition: str, *arguments: object, seconds: float = 20) -> None:
        """Wait in the page until an expression is true. Raises AssertionError after `seconds`."""
        script = """const [end, ...rest] = arguments, done = rest.pop(), start = performance.now();
        (function look() {
            if ((function () { return %s; }).apply(null, rest)) return done(true);
            performance.now() - start > end * 1000 ? done(false) : setTimeout(look, 20);
        })();"""
        found = self._ask("POST", "/execute/async", {"script": script % condition, "args": [seconds, *arguments]})
        assert found, f"not within {seconds} s: {condition}"

    def size(self, wide: int, high: int) -> None:
        """Set the inside of the window to the size of a phone or a projector."""
        metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 500}
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)

    def devtools(self, command: str, parameters: dict[str, Any]) -> Any:
        return self._ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    def window(self, command: str, **parameters: object) -> None:
        """Minimise the window, so that its page is hidden, or give it a size again (`rect`)."""
        self._ask("POST", f"/window/{command}", parameters)

    def log(self) -> list[str]:
        """Return what the page and the browser have complained about since the last call."""
        return [entry["message"] for entry in self._ask("POST", "/se/log", {"type": "browser"})]

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        return ask(method, self.base + path, body)


def ask(method: str, address: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except HTTPError as error:
        raise AssertionError(json.load(error)["value"]["message"]) from None


@contextmanager
def chromium(folder: Path) -> Iterator[Chromium]:
    """Yield a browser with its own profile in that folder."""
    driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
    try:
        assert driver.stdout
        port = next(
            line.split("port ")[1].rstrip(".\n") for line in driver.stdout if "started successfully on port" in line
        )
        base = f"http://127.0.0.1:{port}/session"
        options = {"binary": "/usr/bin/chromium", "args": [*FLAGS, f"--user-data-dir={folder}"]}
        wants = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"script": 60_000}}
        session = ask("POST", base, {"capabilities": {"alwaysMatch": wants}})["sessionId"]
        try:
            yield Chromium(f"{base}/{session}")
        finally:
            ask("DELETE", f"{base}/{session}")
    finally:
        driver.terminate()
        driver.wait()
        if driver.stdout:
            driver.stdout.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    needs("chromium", "chromedriver")
    with chromium(tmp_path_factory.mktemp("chromium")) as found:
        yield found
