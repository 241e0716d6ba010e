"""The organiser at ease: sixty players at one glance, nothing that is written or clicked is lost, a way out of everything."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest

from companion.hall.store import HallStore
from tests.support.boards import fits
from tests.support.hall_board_chromium import Chromium
from tests.support.hall_board_evening import evening
from tests.support.hall_full import connect, fill
from tests.support.hall_two_ways import AtPage, Evening, at_page, evening_at

LAPTOP, PROJECTOR, PHONE, ZOOMED = (1366, 768), (1920, 1080), (390, 844), (683, 384)
TABS = ("hall", "plan", "players", "standings", "devices", "evening")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Evening]:
    with evening_at(tmp_path) as hall:
        yield hall


@pytest.fixture
def page(hall: Evening, browser: Chromium) -> Iterator[AtPage]:
    with at_page(hall, browser) as page:
        browser.size(*LAPTOP)
        yield page
        browser.run("localStorage.clear()")


def full(hall: Evening, browser: Chromium, tables: int = 15) -> None:
    fill(hall, tables)
    browser.until("desk.state.rounds.length === 1 && desk.state.rounds[0].begun")
    browser.run("render()")
    browser.until("document.querySelectorAll('button.hall-tile').length === arguments[0]", tables)


def shown(browser: Chromium, place: str) -> str:
    text: str = browser.run("const it = document.querySelector(arguments[0]); return it ? it.innerText : ''", place)
    return "".join(letter for letter in text if letter not in "\u2066\u2067\u2068\u2069")


def tile(table: str) -> str:
    return f'.hall-tile[data-key="{table}"]'


def press(browser: Chromium, key: str) -> None:
    code = {"Escape": 27, "Enter": 13, "Tab": 9}[key]
    text = {"text": "\r"} if key == "Enter" else {}
    for kind in ("keyDown", "keyUp"):
        its = {
            "type": kind,
            "key": key,
            "code": key,
            "windowsVirtualKeyCode": code,
            **(text if kind == "keyDown" else {}),
        }
        browser.devtools("Input.dispatchKeyEvent", its)


def middle(browser: Chromium, place: str) -> dict[str, float]:
    x, y = browser.run(
        "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]",
        place,
    )
    return {"x": x, "y": y}


def mouse(browser: Chromium, kind: str, point: dict[str, float]) -> None:
    its = {"type": f"mouse{kind}", **point, "button": "left", "clickCount": 1, "buttons": int(kind == "Pressed")}
    browser.devtools("Input.dispatchMouseEvent", its)


def violations(browser: Chromium) -> Any:
    if not browser.run("return 'axe' in window"):
        browser.run(files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    rules = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"
    return browser.run(
        f"return axe.run(document, {{runOnly: {rules}}}).then(all => all.violations"
        ".map(each => [each.id, each.nodes.slice(0, 3).map(node => node.html.slice(0, 160))]))"
    )


# -- one glance ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tables", "size"), [(15, LAPTOP), (60, PROJECTOR)])
def test_all_tables_are_seen_without_scrolling(
    hall: Evening, browser: Chromium, page: AtPage, tables: int, size: tuple[int, int]
) -> None:
    browser.size(*size)
    full(hall, browser, tables)
    for lang in ("en", "de", "ja"):
        browser.run("memory.set('lang', arguments[0]); render()", lang)
        lowest, seen = browser.run("""const tab = at('tab').getBoundingClientRect();
            const all = [...document.querySelectorAll('.hall-tile')].map(each => each.getBoundingClientRect());
            return [Math.max(...all.map(each => each.bottom)) - tab.bottom, all.filter(each => each.height > 40).length]""")
        assert lowest <= 0 and seen == tables
        assert browser.run("return document.documentElement.scrollHeight <= innerHeight")
    first = browser.run("return [...document.querySelectorAll('.hall-tile')].map(each => each.className)")
    done = [" is-counts" in each or " is-void" in each for each in first]
    assert done == sorted(done) and 0 < sum(done) < tables, "open tables first"


def test_a_tile_says_what_its_table_does_and_needs(hall: Evening, browser: Chromium, page: AtPage) -> None:
    full(hall, browser)
    assert [
        text in shown(browser, tile("4")) for text in ("Table 4", "Prokonsul", "playing", "75 min", "13 moves")
    ] == [True] * 5
    assert "contested" in shown(browser, tile("3")) and "Needs a decision" in shown(browser, tile("3"))
    assert "to approve: 1" in shown(browser, tile("6")) and "not begun" in shown(browser, tile("7"))
    assert "No connection" in shown(browser, tile("15")) and "official" in shown(browser, tile("1"))
    assert "4 of 15 results" in shown(browser, "#bar")
    browser.run("desk.state.pace = { prokonsul: 40 }; render()")
    assert "Slow: usually 40 min" in shown(browser, tile("4")) and "Slow" not in shown(browser, tile("6"))


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_no_word_on_a_tile_is_cut(hall: Evening, browser: Chromium, page: AtPage, size: tuple[int, int]) -> None:
    browser.size(*size)
    full(hall, browser)
    browser.run("desk.state.pace = { prokonsul: 40 }")
    for lang in ("en", "de", "ja"):
        browser.run("memory.set('lang', arguments[0]); render()", lang)
        cut = browser.run("""return [...document.querySelectorAll('.hall-tile span, .hall-tile strong')]
            .filter(each => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow === 'hidden')
            .map(each => `${each.className}: ${each.innerText}`)""")
        assert cut == [], lang


def test_an_opened_table_shows_the_game_as_everybody_sees_it(hall: Evening, browser: Chromium, page: AtPage) -> None:
    full(hall, browser)
    browser.run("go({ tab: 'hall', table: '8' })")
    for played in evening().tables[:5]:
        browser.run(
            """const [header, view] = arguments;
            halls.get(desk.hall).tables.set("8", { id: "8", stamp: 0, header, view });
            render();
            document.querySelector(".game-now").open = true""",
            played.header_payload("full", 1),
            played.view(),
        )
        assert len(shown(browser, ".game-now")) > 40 and "cannot be shown" not in shown(browser, ".game-now")
        for size in (LAPTOP, PHONE):
            browser.size(*size)
            fits(browser)
        browser.size(*LAPTOP)


def test_a_table_opens_beside_the_hall_and_back_and_esc_lead_out(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    full(hall, browser)
    browser.run("document.querySelector(arguments[0]).click()", tile("3"))
    assert "Table 3" in shown(browser, ".table-panel") and "Enter result" in shown(browser, ".table-panel")
    assert browser.run("return document.querySelectorAll('button.hall-tile').length") == 15
    browser.run("document.querySelector(arguments[0]).click()", tile("5"))
    assert "Table 5" in shown(browser, ".table-panel")
    browser.run("history.back()")
    browser.until("!document.querySelector('.table-panel')")
    browser.run("document.querySelector(arguments[0]).click()", tile("5"))
    browser.run("globalThis.wasHere = true; location.reload()")
    browser.until(
        "!globalThis.wasHere && typeof desk === 'object' && desk.state && document.querySelector('.table-panel')?.innerText.includes('Table 5')"
    )
    press(browser, "Escape")
    browser.until("!document.querySelector('.table-panel')")
    assert browser.run("return document.activeElement.dataset.key") == "5"
    browser.run("go({ tab: 'players' })")
    browser.run("history.back()")
    browser.until("shown.tab === 'hall'")


def test_what_needs_the_organiser_leads_there_and_has_its_button(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    full(hall, browser)
    said = browser.run("return [...document.querySelectorAll('#needs li.alarm')].map(each => each.innerText)")
    assert ["contested" in said[0], "contested" in said[1], "not connected" in said[2], len(said)] == [
        True,
        True,
        True,
        3,
    ]
    browser.run("document.querySelector('#needs li.alarm .plain').click()")
    assert "contested" in shown(browser, ".table-panel .state")
    browser.run("document.querySelectorAll('#needs li.alarm')[2].querySelector('button:not(.plain)').click()")
    assert "Replace the device of Table 15" in shown(browser, "dialog h2")
    page.press("Cancel")
    page.press("Approve", "#needs")
    browser.until("document.querySelector('dialog .told')")
    changes = shown(browser, "dialog .told")
    assert "does not count yet" in changes and "place" in changes, "what it changes, before a reason is given"
    page.press("Confirm")
    assert "reason" in browser.run("return document.activeElement.id"), "it cannot be given without one"
    page.agree("counted once more")
    browser.until("document.querySelectorAll('#needs li.alarm').length === 2")


def test_reopening_and_voiding_a_round_show_what_they_change(hall: Evening, browser: Chromium, page: AtPage) -> None:
    full(hall, browser)
    browser.run("document.querySelector(arguments[0]).click()", tile("1"))
    page.press("Reopen …")
    browser.until("document.querySelector('dialog .told')")
    assert "table 1: does not count yet (before:" in shown(browser, "dialog .told").replace("Round 1, ", "")
    page.press("Cancel")
    page.tab("Rounds")
    page.press("Void this round")
    browser.until("document.querySelector('dialog .told')")
    assert "Round 1 is void" in shown(browser, "dialog .told")


def test_a_planning_is_shown_while_it_lasts_and_can_be_cancelled(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    since = "since: new Date(Date.now() - 12000).toISOString()"
    browser.run(f"desk.state.planning = [{{ number: 7, round: 3, last: 3, who: 'rita', {since} }}]; render()")
    assert "Planning round 3 … 12 s" in shown(browser, "#needs")
    browser.run("give = (order) => { globalThis.given = order; }")
    page.press("Cancel", "#needs")
    assert browser.run("return given") == {"do": "cancel", "number": 7}


# -- nothing is lost ----------------------------------------------------------------------------------------------------


def test_a_click_during_news_is_not_swallowed(hall: Evening, browser: Chromium, page: AtPage) -> None:
    full(hall, browser)
    point = middle(browser, tile("8"))
    mouse(browser, "Pressed", point)
    hall.ask("say", text="news")
    hall.ask("result", table="3", reason="seen")  # its tile moves to the end, and all others move up
    browser.until("desk.state.evening.line === 'news' && !desk.state.needs.some(each => each.table === '3')")
    browser.run("soon(); return new Promise(done => setTimeout(done, 200))")
    mouse(browser, "Released", point)
    browser.until("document.querySelector('.table-panel')?.dataset.table === '8'")
    browser.until("document.querySelector(arguments[0]).classList.contains('is-counts')", tile("3"))


def test_news_leave_focus_and_opened_parts_alone(hall: Evening, browser: Chromium, page: AtPage) -> None:
    full(hall, browser)
    browser.run(
        """globalThis.kept = document.querySelector(arguments[0]); kept.focus();
        globalThis.part = document.querySelector('#needs details'); part.open = true""",
        tile("8"),
    )
    hall.ask("result", table="3", reason="seen")
    browser.until("document.querySelector(arguments[0]).classList.contains('is-counts')", tile("3"))
    assert browser.run("return kept.isConnected && document.activeElement === kept")
    hall.ask("say", text="news")
    browser.until("document.querySelector('#orders').innerText.includes('news')")
    assert browser.run("return document.activeElement === kept")


def test_a_refused_form_comes_back_with_the_bad_line_named(hall: Evening, browser: Chromium, page: AtPage) -> None:
    page.join("Ben", "Al", "Already Alice")
    page.press("Add players …")
    page.write(names="Anna\nA\nBen")
    page.press("Preview")
    browser.until("document.querySelector('dialog [role=alert]')")
    assert "add an initial" in shown(browser, "dialog [role=alert]")
    assert "line 3: Ben" in shown(browser, "dialog .wrong")
    field = "const it = at('field-names'); return [it.value, it.value.slice(it.selectionStart, it.selectionEnd), it.ariaInvalid]"
    assert browser.run(field) == ["Anna\nA\nBen", "Ben", "true"]
    page.write(names="Anna\nA\nBen B.")
    page.press("Preview")
    page.agree()
    assert len(hall.now.evening.people) == 6


def test_a_half_filled_form_outlives_a_reload_and_back(hall: Evening, browser: Chromium, page: AtPage) -> None:
    page.join("Anna", "Ben")
    page.press("Penalty …", page.player("#1"))
    fill_in = """const [id, value] = arguments, it = at(id); it.value = value; it.dispatchEvent(new Event('input', {bubbles: true}))"""
    browser.run(fill_in, "field-points", "2")
    browser.run(fill_in, "field-reason", "late")
    browser.run("globalThis.wasHere = true; location.reload()")
    browser.until("!globalThis.wasHere && typeof desk === 'object' && at('dialog').open")
    written = "return [at('dialog').querySelector('h2').innerText, at('field-points').value, at('field-reason').value]"
    title, *values = browser.run(written)
    assert "Penalty for" in title and values == ["2", "late"]
    browser.run("history.back()")
    browser.until("!at('dialog').open")
    assert browser.run("return shown.tab") == "players"
    page.press("Penalty …", page.player("#1"))
    assert browser.run(written)[1:] == ["2", "late"]
    page.press("Start over")
    assert browser.run(written)[1:] == ["", ""]
    browser.run(fill_in, "field-points", "3")
    press(browser, "Escape")
    browser.until("!at('dialog').open")
    page.press("Penalty …", page.player("#1"))
    assert browser.run(written)[1:] == ["3", ""]
    page.press("Cancel")
    page.press("Penalty …", page.player("#1"))
    assert browser.run(written)[1:] == ["", ""], "cancelled is cancelled"


def test_a_preview_without_an_answer_says_that_the_hall_sleeps(hall: Evening, browser: Chromium, page: AtPage) -> None:
    page.join("Anna", "Ben")
    publish, hall.service.link.publish = hall.service.link.publish, lambda *_, **__: None  # type: ignore[method-assign]
    page.press("Check out", page.player("#1"))
    browser.until("document.querySelector('dialog[open] .silence')")
    browser.run("for (const each of desk.waiting.values()) each.since -= 5000; missing()")
    assert "may be asleep" in shown(browser, "dialog .silence")
    assert browser.run("return at('unanswered').hidden"), "said once"
    hall.service.link.publish = publish  # type: ignore[method-assign]
    page.press("Ask again")
    page.agree()
    assert not hall.now.evening.people[1].here


# -- what comes next ----------------------------------------------------------------------------------------------------


def test_the_first_steps_lead_to_round_one_and_go_away(hall: Evening, browser: Chromium, page: AtPage) -> None:
    assert browser.run("return [...document.querySelectorAll('#steps li')].length") == 4
    page.press("Name the evening")
    page.write(name="Open")
    page.press("Preview")
    page.agree()
    page.press("Add players", "#steps")
    page.write(names="Anna\nBen\nCem\nDana")
    page.press("Preview")
    page.agree()
    connect(hall, 1)
    hall.ask("say", text="so that the hall publishes")
    browser.until("at('steps').innerText.includes('1 table is ready')")
    assert browser.run("return document.querySelectorAll('#steps .done').length") == 3
    page.press("Seat round 1")
    page.write(game_mercator=True)
    page.press("Preview")
    browser.until("document.querySelector('dialog[open] .told')")
    page.write(clock="50")
    page.press("Confirm")
    browser.until("desk.state.rounds.length === 1 && at('clock')")
    assert browser.run("return at('steps').hidden")
    assert hall.now.clock and hall.now.clock.whole == 3000


def test_the_next_round_is_one_button_once_all_results_are_in(hall: Evening, browser: Chromium, page: AtPage) -> None:
    page.join(*"ABCDEFGH")
    connect(hall, 2)
    hall.ask("round", games=["mercator"], tables=["1", "2"], seed=1)
    browser.until("desk.state.rounds.length === 1")
    assert not shown(browser, "#next")
    for table in ("1", "2"):
        hall.play(table, 1, Random(1))
    page.press("All results are in: seat round 2 …")
    page.agree()
    assert [len(one.tables) for one in hall.now.evening.rounds] == [2, 2]
    browser.until("!at('next').innerText")


def test_the_evening_is_downloaded_and_a_season_is_made_of_downloads(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    page.join("Anna", "Ben", "Cem", "Dana")
    connect(hall, 1)
    hall.ask("round", games=["mercator"], tables=["1"], seed=1)
    hall.play("1", 1, Random(1))
    file = browser.run("return ask({ do: 'download', try: true }).then(({ file }) => file)")
    with ZipFile(BytesIO(b64decode(file["data"]))) as saved:
        assert "standings.csv" in saved.namelist() and file["name"].endswith(".zip")
    page.tab("Evening")
    page.press("Season …")
    browser.run(
        """const sent = new DataTransfer();
        sent.items.add(new File([Uint8Array.from(atob(arguments[0]), (each) => each.charCodeAt(0))], "before.zip"));
        at("field-files").files = sent.files;""",
        file["data"],
    )
    page.press("Preview")
    browser.until("document.querySelector('dialog .lines')")
    assert "are the same evening" in shown(browser, "dialog .lines"), "this one comes by itself"


def test_a_new_evening_is_begun_on_the_page_and_the_last_one_is_downloaded(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    page.join("Anna", "Ben", "Cem", "Dana")
    browser.run("globalThis.saved = []; save = (file) => saved.push(file.name)")
    page.tab("Evening")
    page.press("New evening …")
    page.write(name="Sunday")
    page.press("Preview")
    browser.until("document.querySelector('dialog[open] .told')?.innerText.includes('4 players keep their numbers')")
    assert hall.now.evening.name == "Tabularium"
    page.press("Confirm")
    browser.until("desk.state.evening.name === 'Sunday' && !at('dialog').open")
    assert browser.run("return saved.length") == 1 and browser.run("return saved[0]").endswith(".zip")
    page.tab("Players")
    assert "0 players are here" in shown(browser, "#tab") and "Dana" in shown(browser, "#tab")
    page.press("Check in", page.player("#4"))
    page.agree()
    assert [one.id for one in hall.now.evening.people.values() if one.here] == [4]


def test_a_name_that_is_looked_for_in_vain_is_checked_in(hall: Evening, browser: Chromium, page: AtPage) -> None:
    page.join("Anna", "Ben")
    page.tab("Players")
    look = "const find = at('find-player'); find.value = arguments[0]; find.dispatchEvent(new Event('input', { bubbles: true }))"
    browser.run(look, "ben")
    assert "Check out" in shown(browser, "#tab"), "the only one who is found is opened"
    browser.run(look, "Lena")
    page.press("Check in \u2068Lena\u2069")
    page.agree()
    assert hall.now.evening.people[3].name == "Lena"


# -- everybody can use it -------------------------------------------------------------------------------------------------


def test_an_accessibility_engine_finds_nothing_in_any_state_and_light(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    assert violations(browser) == [], "the first steps"
    full(hall, browser)
    for look in ("light", "dark"):
        browser.run("memory.set('look', arguments[0]); chooseLook(); render()", look)
        for tab in TABS:
            browser.run("desk.opened = 1; go({ tab: arguments[0] })", tab)
            assert violations(browser) == [], (look, tab)
        browser.run(
            "go({ tab: 'hall', table: '3' }); document.querySelectorAll('details').forEach(each => { each.open = true; })"
        )
        assert violations(browser) == [], (look, "table")
        browser.run("openForm('score', { table: '3', round: 1, order: 'result' })")
        assert violations(browser) == [], (look, "form")
        page.press("Cancel")
        browser.run("openForm('join')")
        page.write(names="Anna Weber")
        page.press("Preview")
        browser.until("document.querySelector('dialog [role=alert]')")
        assert violations(browser) == [], (look, "refused")
        page.press("Cancel")
        browser.size(*PHONE)
        browser.run("go({ tab: 'hall' })")
        assert violations(browser) == [], (look, "phone")
        browser.size(*LAPTOP)
    browser.run("desk.opened = null")


def test_by_keyboard_alone(hall: Evening, browser: Chromium, page: AtPage) -> None:
    full(hall, browser)
    browser.run("document.activeElement.blur()")
    for _ in range(60):
        press(browser, "Tab")
        if browser.run("return document.activeElement.dataset.key") == "3":
            break
    press(browser, "Enter")
    browser.until("document.querySelector('.table-panel')")
    for _ in range(60):
        press(browser, "Tab")
        if browser.run(
            "return document.activeElement.textContent === 'Approve' && document.activeElement.closest('.table-panel')"
        ):
            break
    press(browser, "Enter")
    browser.until("document.querySelector('dialog[open] .told')")
    assert browser.run("return document.activeElement.id") == "field-reason"
    browser.devtools("Input.insertText", {"text": "seen"})
    press(browser, "Enter")
    browser.until("document.querySelector(arguments[0]).classList.contains('is-counts')", tile("3"))


@pytest.mark.parametrize("size", [PHONE, ZOOMED])
def test_on_a_phone_and_enlarged_it_is_a_list_that_a_finger_opens(
    hall: Evening, browser: Chromium, page: AtPage, size: tuple[int, int]
) -> None:
    browser.size(*size)
    full(hall, browser)
    for tab in TABS:
        browser.run("go({ tab: arguments[0] })", tab)
        fits(browser)
    browser.run(
        "go({ tab: 'hall' }); document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", tile("8")
    )
    assert (
        browser.run(
            "return new Set([...document.querySelectorAll('.hall-tile')].map(x => x.getBoundingClientRect().x)).size"
        )
        == 1
    )
    small = browser.run("""return [...document.querySelectorAll('button, select, input, summary')].filter(each => each.offsetParent)
        .filter(each => each.getBoundingClientRect().height < 24).map(each => each.outerHTML)""")
    assert small == []
    point = middle(browser, tile("8"))
    browser.devtools("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    browser.devtools("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    browser.until("document.querySelector('.table-panel')?.dataset.table === '8'")
    assert not browser.run("return document.querySelector('.hall-tile').offsetParent"), "the table alone"
    fits(browser)
    browser.run("history.back()")
    browser.until("document.querySelector('.hall-tile')?.offsetParent")


# -- devices ------------------------------------------------------------------------------------------------------------


def test_a_spare_is_picked_from_the_devices_and_table_15_stays_table_15(
    hall: Evening, browser: Chromium, page: AtPage
) -> None:
    full(hall, browser)
    hall.service.call(lambda store: spares(store, "16", "spare-1"))
    browser.until("desk.state.devices.length === 17")
    browser.run("go({ tab: 'devices' })")
    row = "#tab tr[data-key='{}']"
    assert "Table 15" in shown(browser, row.format("15")) and "away" in shown(browser, row.format("15"))
    assert "spare" in shown(browser, row.format("spare-1")) and "0.0.9" in shown(browser, row.format("spare-1"))
    assert "The lamp at the reader is dark" in shown(browser, row.format("spare-1/warnings"))
    page.press("Keep as spare", row.format("16"))
    page.agree()
    browser.until("document.querySelector(arguments[0]).innerText.includes('Use as table')", row.format("16"))
    page.press("Replace device …", row.format("15"))
    found = browser.run("return [...document.querySelectorAll('#field-to option')].map(each => each.value)")
    assert found == ["16", "spare-1"]
    page.write(reason="no power")
    page.press("Preview")
    browser.until("document.querySelector('dialog .told')")
    assert "table 15 continues on device 16" in shown(browser, "dialog .told")
    page.agree()
    browser.until("document.querySelector(arguments[0]).innerText.includes('Table 15')", row.format("16"))
    assert "replaced by 16" in shown(browser, row.format("15"))
    assert not [need for need in browser.run("return desk.state.needs") if need["kind"] == "away"]
    browser.run("go({ tab: 'hall' })")
    assert "Table 15" in shown(browser, tile("15")) and not browser.run(
        "return document.querySelector(arguments[0])", tile("16")
    )
    browser.run("go({ tab: 'devices' })")
    page.press("Use again", row.format("15"))
    page.write(reason="it was the plug")
    page.press("Preview")
    page.agree()
    browser.until("document.querySelector(arguments[0]).innerText.includes('Use as table')", row.format("16"))


def spares(store: HallStore, *names: str) -> None:
    """Have two more devices report, the second one with faults."""
    for name in names:
        store.take("status", name, {"here": True, "version": "0.0.9"})
    ill = {"ill": ["The lamp at the reader is dark"], "clock": "2026-11-21T12:00:00+01:00"}
    store.take("health", names[-1], ill)
