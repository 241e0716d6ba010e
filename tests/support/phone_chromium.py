"""The phones' page in a real browser, served by the real port, with a table that says what a test wants it to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from queue import Queue
from typing import Any

from companion.phone.page_files import page_file, page_texts
from companion.rules.readings import FromPhone, Press
from drivers.phones.server import PhoneServer
from tests.support.hall_board_chromium import Chromium
from tests.support.timeouts import SECONDS

JSON = Mapping[str, Any]


@contextmanager
def phone_port(port: int = 0) -> Iterator[tuple[PhoneServer, Queue[Any]]]:
    """Run the phones' port on this computer alone."""
    queue: Queue[Any] = Queue()
    server = PhoneServer(queue.put, page_file, port, host="127.0.0.1")
    try:
        yield server, queue
    finally:
        server.close()


@dataclass
class Table:
    """The other end of one phone: it greets it and then shows it what it has; everything else is done by the test."""

    server: PhoneServer
    queue: Queue[Any]
    shows: Sequence[JSON] = ()
    seat: str = ""
    connection: int = 0
    hellos: list[JSON] = field(default_factory=list)

    def send(self, *messages: JSON) -> None:
        for message in messages:
            self.server.send(self.connection, message)

    def next(self) -> Any:
        """Return the phone's next message, or its next press."""
        while True:
            if (found := self._take()) is not None:
                return found

    def greet(self) -> None:
        """Wait for a phone that comes or comes back; anything before that is dropped."""
        before = len(self.hellos)
        while len(self.hellos) == before:
            self._take()

    def empty(self) -> bool:
        """Return whether nothing more has come."""
        while not self.queue.empty():
            if self._take() is not None:
                return False
        return True

    def _take(self) -> Any:
        found = self.queue.get(timeout=SECONDS)
        if isinstance(found, Press):
            return found
        if not isinstance(found, FromPhone) or not isinstance(found.message, Mapping):
            return None  # it has gone, or has fallen asleep
        if "hello" not in found.message:
            return found.message
        lang = found.message["lang"]
        self.hellos.append(found.message)
        self.connection = found.connection
        if self.seat:
            self.server.sit(self.connection, self.seat)
        self.send({"texts": page_texts(lang), "lang": lang}, *self.shows)
        return None


TARGETS = """const all = [...document.querySelectorAll("a[href], button, input, select, summary, #hold")]
    .map((each) => ({ each, box: each.getBoundingClientRect() })).filter(({ box }) => box.width && box.height);
const small = ({ box }) => box.width < 24 || box.height < 24;
const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
const near = (one, other) => {
    const [x, y] = centre(one.box), { left, right, top, bottom } = other.box, [x2, y2] = centre(other.box);
    const apart = Math.hypot(x - Math.min(Math.max(x, left), right), y - Math.min(Math.max(y, top), bottom));
    return apart < 12 || (small(other) && Math.hypot(x - x2, y - y2) < 24);
};
return all.filter(small).filter((one) => all.some((other) => other !== one && near(one, other)))
    .map(({ each }) => each.outerHTML.slice(0, 160));"""
"""Returns the controls of less than 24 by 24 pixels to which another one is closer than that (WCAG 2.2, 2.5.8)."""
OBSCURED = """const before = document.activeElement;
const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
    .filter((each) => each.getClientRects().length);
const parts = [0.02, 0.25, 0.5, 0.75, 0.98];
const obscured = (each) => {
    each.focus();
    const { left, top, width, height } = each.getBoundingClientRect();
    return !parts.some((x) => parts.some((y) => each.contains(document.elementFromPoint(left + x * width, top + y * height))));
};
const found = [...all, ...[...all].reverse()].filter(obscured).map((each) => each.outerHTML.slice(0, 160));
before === document.body ? document.activeElement.blur() : before.focus();
return [...new Set(found)];"""
"""Focuses everything in turn and back again; returns what is entirely hidden then (WCAG 2.2, 2.4.11)."""
MARKS = """if (!globalThis.parse) {
    globalThis.parse = JSON.parse;
    globalThis.came = 0;
    JSON.parse = (text) => {
        const found = parse(text);
        if (found.mark) globalThis.marked_at = found.mark;
        if (found.clock) globalThis.pinged = performance.now();
        else globalThis.came += 1;
        return found;
    };
}"""
"""Has the page note the mark in a message, as messages keep their order, how many came, and when the last ping did."""


@dataclass
class Phone:
    """The page in its tab, and what a player can do with it."""

    browser: Chromium
    table: Table
    marks: int = 0

    def send(self, *messages: JSON) -> None:
        """Have the table send these messages; return when the page has drawn them."""
        self.marks += 1
        self.run(MARKS)
        self.table.send(*messages, {"mark": self.marks})
        self.until("globalThis.marked_at === arguments[0]", self.marks)
        self.until("at('public').hidden || at('board').children.length")

    def run(self, script: str, *arguments: object) -> Any:
        return self.browser.run(script, *arguments)

    def until(self, condition: str, *arguments: object) -> None:
        self.browser.until(condition, *arguments)

    def text(self, place: str = "body") -> str:
        """Return the text that can be seen there."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", place))

    def focused(self) -> str:
        """Return what has the focus: an id, or the words on it."""
        return str(self.run("const it = document.activeElement; return it.id || it.textContent"))

    def key(self, name: str, code: int = 0) -> None:
        """Press a key as a keyboard does."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Backspace": 8}
        key = {"key": name, "code": name, "windowsVirtualKeyCode": code or codes.get(name, ord(name[0]))}
        text = "\r" if name == "Enter" else name if len(name) == 1 else ""
        self.browser.devtools("Input.dispatchKeyEvent", {"type": "keyDown", **key, **({"text": text} if text else {})})
        self.browser.devtools("Input.dispatchKeyEvent", {"type": "keyUp", **key})

    def tab_to(self, words: str) -> None:
        """Go on with the Tab key until this is focused, by its id or the words on it."""
        for _ in range(80):
            if self.focused() == words:
                return
            self.key("Tab")
        raise AssertionError(f"no {words!r} by keyboard")

    def touch(self, kind: str, place: str = "") -> None:
        """Put a finger on the middle of a place (`Start`), lift it (`End`), or have the system take it (`Cancel`)."""
        points = []
        if place:
            box = self.run(
                """const it = document.querySelector(arguments[0]); it.scrollIntoView({block: "nearest"});
                const { x, y, width, height } = it.getBoundingClientRect(); return [x + width / 2, y + height / 2];""",
                place,
            )
            points = [{"x": box[0], "y": box[1]}]
        self.browser.devtools("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def hide(self) -> None:
        """Hide the page, as a phone does that locks itself."""
        self.browser.window("minimize")

    def come_back(self) -> None:
        self.browser.window("rect", width=800, height=900)

    def settle(self) -> None:
        """Wait until everything that waits to be said has been said."""
        self.run("return new Promise(done => setTimeout(done, 700))")

    def compare_clocks(self) -> None:
        """Wait until the pings of joining are over, so that the table knows this phone's clock."""
        self.run(MARKS)
        self.run("globalThis.pinged = performance.now()")
        self.until("performance.now() - globalThis.pinged > 400")

    def violations(self) -> Any:
        """Return what an accessibility engine finds, and what it does not look for."""
        if not self.run("return 'axe' in window"):
            self.run(files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        rules = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"
        found = self.run(
            f"return axe.run(document, {{runOnly: {rules}}}).then(all => all.violations"
            ".map(each => [each.id, each.nodes.slice(0, 3).map(node => node.html.slice(0, 160))]))"
        )
        return [*found, *self.newer_violations()]

    def newer_violations(self) -> Any:
        """Return what WCAG 2.2 asks for besides, and the engine does not look for: 2.4.11 and 2.5.8."""
        newer = {"target-size": TARGETS, "focus-not-obscured": OBSCURED}
        return [[of, nodes] for of, script in newer.items() if (nodes := self.run(script))]

    def tree(self) -> str:
        """Return the page as a screen reader has it: a line for each thing it comes by."""
        self.browser.devtools("Accessibility.enable", {})
        nodes = self.browser.devtools("Accessibility.getFullAXTree", {})["nodes"]
        return "\n".join(_lines({node["nodeId"]: node for node in nodes}, nodes[0]["nodeId"], 0))


PLAIN = ("none", "generic", "InlineTextBox", "LayoutTableRow", "Pre", "LineBreak", "ListMarker")


def _lines(nodes: Mapping[str, Any], at: str, depth: int) -> Iterator[str]:
    node = nodes[at]
    role, name = node["role"]["value"], str(node.get("name", {}).get("value", "")).strip()
    states = {of["name"]: of["value"].get("value") for of in node.get("properties", [])}
    told = [
        f"{of} {states[of]}" for of in ("level", "pressed", "expanded", "disabled", "live", "invalid") if of in states
    ]
    told = [of for of in told if of.split()[-1] not in ("false", "off") or of.startswith("pressed")]
    shown = not node["ignored"] and role not in PLAIN and (name or role != "StaticText")
    parent = nodes.get(node.get("parentId", ""))
    if role == "StaticText" and parent and parent.get("name", {}).get("value") == name:
        shown = False  # what its button or heading has said already
    if shown:
        yield "  " * depth + " ".join(filter(None, (role, repr(name) if name else "", *told)))
    for child in node.get("childIds", []):
        if child in nodes:
            yield from _lines(nodes, child, depth + bool(shown))
