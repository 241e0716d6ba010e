"""Organisers at their page in a real browser, who touch only what they see; every click and every field is counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.hall_board_chromium import Chromium

CLICK_S, FIELD_S, CHARACTER_S = 2.65, 1.75, 0.28
"""What an act takes a person by the keystroke-level model: think, point and press; think and turn to the keys; a key."""
FIND = """
    const [text, place] = arguments, root = document.querySelector('dialog[open]') || document;
    const plain = (each) => each.textContent.replace(/[\\u2066-\\u2069]/g, '').trim();
    const its = text ? `${place} button, ${place} summary, ${place} label.check` : place;
    const it = [...root.querySelectorAll(its)].find(each => (!text || plain(each) === text) && each.offsetParent && !each.disabled);
"""
POINT = """
    if (!it) return null;
    const under = (box) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const bare = () => { const found = under(it.getBoundingClientRect()); return found && (it === found || it.contains(found)); };
    const seen = bare();
    if (!seen) it.scrollIntoView({ block: 'center' });
    if (!bare()) return null;
    const { x, y, width, height } = it.getBoundingClientRect();
    return [x + width / 2, y + height / 2, !seen];
"""
LISTEN = """
    globalThis.alarms = new Set(); const took = takeState;
    takeState = (state) => { for (const { kind, table, alarm } of state.needs) if (alarm) alarms.add(`${kind}/${table}`); return took(state); };
"""


@dataclass
class Effort:
    """What something took the organisers."""

    clicks: int = 0
    scrolls: int = 0
    fields: int = 0
    characters: int = 0

    @property
    def seconds(self) -> float:
        return self.clicks * CLICK_S + self.fields * FIELD_S + self.characters * CHARACTER_S


@dataclass
class Organiser:
    """One organiser in a window of their own."""

    browser: Chromium
    handle: str
    touch: bool
    size: tuple[int, int]
    effort: Effort = field(default_factory=Effort)

    def here(self) -> Chromium:
        self.browser.turn_to(self.handle)
        return self.browser

    def ready(self) -> None:
        """Wait for the page, and have it note every alarm that it is told of."""
        self.here().until("typeof desk === 'object' && desk.state !== null")
        self.browser.run(LISTEN)

    def until(self, condition: str, *arguments: object, seconds: float = 30) -> None:
        self.here().until(condition, *arguments, seconds=seconds)

    def click(self, text: str = "", place: str = "") -> None:
        """Click a button by its words, or whatever is at a place; scroll there if it is out of sight."""
        try:
            self.until(f"(function () {{ {FIND} return it; }}).apply(null, arguments)", text, place)
        except AssertionError:
            seen = self.browser.run("return (document.querySelector('dialog[open]') || document.body).innerText")
            raise AssertionError(f"no {text or place} in: {seen}") from None
        at = self.browser.run(FIND + POINT, text, place)
        assert at, f"covered: {text or place}"
        self.effort.clicks += 1
        self.effort.scrolls += at[2]
        self._press(at[0], at[1])

    def _press(self, x: float, y: float) -> None:
        if self.touch:
            for kind, points in (("Start", [{"x": x, "y": y}]), ("End", [])):
                self.browser.devtools("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
            return
        for kind in ("Pressed", "Released"):
            its = {"type": f"mouse{kind}", "x": x, "y": y, "button": "left", "clickCount": 1,
                   "buttons": int(kind == "Pressed")}  # fmt: skip
            self.browser.devtools("Input.dispatchMouseEvent", its)

    def sees(self, text: str = "", place: str = "") -> bool:
        return bool(
            self.here().run(
                f"return (function () {{ {FIND} return Boolean(it); }}).apply(null, arguments)", text, place
            )
        )

    def write(self, name: str, text: str) -> None:
        """Type into a field; go there first, with the Tab key if it is the next one, unless the page has done so."""
        self.until("document.getElementById(arguments[0])?.offsetParent", name)
        focused = "document.activeElement.id === arguments[0]"
        if not self.touch and not self.browser.run(f"return {focused}", name):
            self.key("Tab", 9)
        if not self.browser.run(f"return {focused}", name):
            self.click(place=f"#{name}")
            self.until(focused, name)
        self.effort.fields += 1
        self.effort.characters += len(text)
        self.browser.run("document.activeElement.select()")
        self.browser.devtools("Input.insertText", {"text": text})

    def enter(self) -> None:
        """Press Enter in a field."""
        self.key("Enter", 13, "\r")

    def key(self, name: str, code: int, text: str = "") -> None:
        for kind in ("keyDown", "keyUp"):
            its = {"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code,
                   **({"text": text} if text and kind == "keyDown" else {})}  # fmt: skip
            self.here().devtools("Input.dispatchKeyEvent", its)
        self.effort.characters += 1

    def agree(self, reason: str = "") -> None:
        """Confirm a preview; give the reason that it asks for. Wait until the page shows that it is done."""
        self.until("document.querySelector('dialog[open] .told')")
        before = self.browser.run("return (desk.state.orders.at(-1) || { number: 0 }).number")
        if reason:
            self.write("field-reason", reason)
            self.enter()
        else:
            self.click("Confirm")
        self.until("!document.querySelector('dialog').open")
        self.until("(desk.state.orders.at(-1) || { number: 0 }).number > arguments[0]", before)

    def alarms(self) -> set[str]:
        """Return every alarm that the page has been told of since the last time, as kind/table."""
        found: list[str] = self.here().run("const all = [...alarms]; alarms.clear(); return all")
        return set(found)

    def shown_alarms(self) -> set[str]:
        found: list[str] = self.here().run(
            "return desk.state.needs.filter(({ alarm }) => alarm).map(({ kind, table }) => `${kind}/${table}`)"
        )
        return set(found)

    def seeds(self, seed: int) -> None:
        """Have the page seat by this seed, as the same evening at the terminal does."""
        self.here().run(f"Math.random = () => {(seed + 0.5) / 1e9!r}")

    def picture(self, path: Path) -> None:
        self.here().picture(path)

    def reload(self) -> None:
        self.here().run("globalThis.wasHere = true; location.reload()")
        self.until("!globalThis.wasHere && typeof desk === 'object' && desk.state !== null")
        self.ready()


@contextmanager
def organiser(browser: Chromium, address: str, size: tuple[int, int]) -> Iterator[Organiser]:
    """Open the organiser's page in a window of this size."""
    with browser.visit(address, "window") as handle:
        touch = size[0] < 500
        browser.size(*size)
        if touch:
            browser.devtools("Emulation.setTouchEmulationEnabled", {"enabled": True})
        found = Organiser(browser, handle, touch, size)
        found.ready()
        yield found
        browser.turn_to(handle)
        browser.run("localStorage.clear(); sessionStorage.clear()")


def effort(organisers: list[Organiser]) -> Effort:
    """Return what everything has taken all organisers so far."""
    return _sum([each.effort for each in organisers])


def _sum(efforts: list[Effort]) -> Effort:
    names: Any = Effort.__dataclass_fields__
    return Effort(**{name: sum(getattr(each, name) for each in efforts) for name in names})


def since(before: Effort, now: Effort) -> Effort:
    names: Any = Effort.__dataclass_fields__
    return Effort(**{name: getattr(now, name) - getattr(before, name) for name in names})
