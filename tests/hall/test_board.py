"""The board in a real browser, served and fed by a real Mosquitto; and that it reads what the schemas allow."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.hall.page import DESK, SHIPPED, lay_out
from companion.rules.browser import shared_files
from tests.support.boards import PHONE, PROJECTOR, Board, fits, go, seen
from tests.support.hall_board_chromium import Chromium
from tests.support.hall_board_evening import NASTY, evening
from tests.support.hall_broker import broker
from tools.hall_demo import PLAYERS, demo
from tools.needs import needs, without

BOARD = SHIPPED
SHARED = [path for name, path in shared_files().items() if name.endswith(".js")]
LANGUAGES = ("en", "de", "ja")


PAGES = ("page=tables", "page=seating", "page=standings", *(f"page=table&table=table-{at}" for at in range(1, 11)))

# -- what it shows ----------------------------------------------------------------------------------------------


def test_all_tables_at_a_glance(page: Callable[..., Chromium]) -> None:
    browser = page(evening())
    assert browser.run("return [...document.querySelectorAll('.card')].map(card => card.dataset.table)") == [
        f"table-{at}" for at in range(1, 11)
    ]
    assert "Table 1" in seen(browser) and "Hannibal gegen Rom" in seen(browser)
    assert browser.run(
        "return [...document.querySelectorAll('.card.away h2')].map(x => x.innerText.split('\\n')[0])"
    ) == ["Table 4"]
    cards = browser.run("return [...document.querySelectorAll('.card')].map(card => card.innerText)")
    assert "Not yet approved by" in cards[6] and "Result approved by everybody" in cards[7]
    assert seen(browser, "#title") == "Club evening at the Forum" and "Round 2" in seen(browser, "#round")


@pytest.mark.parametrize("size", [PHONE, PROJECTOR])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_fits_every_screen_in_every_language(
    page: Callable[..., Chromium], lang: str, size: tuple[int, int]
) -> None:
    browser = page(evening(lang=lang), size=size)
    browser.run("memory.set('lang', arguments[0])", lang)
    for address in PAGES:
        go(browser, address)
        fits(browser)
        assert "{" not in seen(browser) and "undefined" not in seen(browser) and "NaN" not in seen(browser)
        assert len(seen(browser)) > 40, address
        assert "unreadable" not in seen(browser)


def test_a_game_in_full_says_what_its_view_says(page: Callable[..., Chromium]) -> None:
    club = evening()
    browser = page(club)
    for table in club.tables:
        view = table.views[-1]
        go(browser, f"page=table&table={table.id}")
        text = seen(browser)
        assert all(name in text for name in table.names)
        match view["game"]:
            case "mercator":
                counted = browser.run("return document.querySelectorAll('.track .seat').length")
                assert counted == len(view["track"]) and f"Pile: {view['pile']}" in text
            case "prokonsul":
                assert browser.run("return document.querySelectorAll('.tile').length") == 7
                assert text.count("Governor") == sum(bool(each["governor"]) for each in view["provinces"].values())
            case "spartacus":
                assert browser.run("return document.querySelectorAll('.trick li').length") == len(view["trick"])
            case "caesar":
                assert browser.run("return document.querySelectorAll('.squares .seat').length") == len(view["board"])
            case "hannibal":
                places = [*view["regions"].values(), *view["routes"].values()]
                pieces = sum(bool(each[side]) for each in places for side in ("blue", "red"))
                pieces += sum(each.get("hannibal", False) for each in places)
                assert browser.run("return document.querySelectorAll('.map .seat').length") == pieces


@pytest.mark.parametrize(
    ("settled", "said"),
    [("organiser", "Decided by the organiser"), ("nobody", "This game is void")],
)
def test_a_result_that_the_organiser_has_settled_waits_for_nobody(
    page: Callable[..., Chromium], settled: str, said: str
) -> None:
    club = evening()
    browser = page(club)
    assert "Not yet approved by" in browser.run(CARD_7)
    browser = page(replace(club, settled={"table-7": {"settled": settled, "reason": "Anna <b>had left</b>"}}))
    assert said in browser.run(CARD_7) and "Not yet approved" not in browser.run(CARD_7)
    go(browser, "page=table&table=table-7")
    assert said in seen(browser) and "The organiser: Anna <b>had left</b>" in seen(browser)


def test_a_result_that_somebody_says_is_not_right_is_contested(page: Callable[..., Chromium]) -> None:
    club = evening()
    browser = page(replace(club, approvals={**club.approvals, "table-7": {club.tables[6].header.seats[0]: False}}))
    assert "Contested by" in browser.run(CARD_7) and "Not yet approved" not in browser.run(CARD_7)


def test_a_result_by_the_organisers_word_is_shown_in_place_of_the_tables(page: Callable[..., Chromium]) -> None:
    club = evening()
    scores = dict.fromkeys(club.tables[4].header.seats, 7) | {"red": 4321}
    places = {seat: 1 if seat == "red" else 2 for seat in scores}
    counts = {"winners": ["red"], "scores": scores, "places": places, "unconfirmed_board": False}
    told = {"settled": "organiser", "reason": "counted again", "counts": counts}
    browser = page(replace(club, settled={"table-7": told, "table-5": told | {"reason": "it was late"}}))
    assert "4,321" in browser.run(CARD_7)
    unfinished = browser.run(CARD_7.replace("table-7", "table-5"))
    assert "4,321" in unfinished and "The game is over" in unfinished and "Waiting" not in unfinished
    go(browser, "page=table&table=table-5")
    assert "The organiser: it was late" in seen(browser)


CARD_7 = "return document.querySelector('[data-table=table-7]').innerText"


@pytest.mark.parametrize(
    ("names", "shown", "hidden"),
    [("full", "Anna Weber", ()), ("first", "Anna", ("Weber",)), ("none", "Red", ("Anna", "Weber"))],
)
def test_names_are_shown_as_the_hall_says(
    page: Callable[..., Chromium], names: str, shown: str, hidden: tuple[str, ...]
) -> None:
    browser = page(evening(names=names))
    for address in PAGES[:4]:
        go(browser, address)
        for name in hidden:
            assert name not in browser.run("return document.body.innerText")
    assert shown in seen(browser)  # a table in full
    go(browser, "page=standings")
    assert ("Player 1" if names == "none" else shown) in seen(browser)


def test_names_a_table_sends_against_the_halls_word_are_not_shown(page: Callable[..., Chromium], board: Board) -> None:
    club = evening(names="none")
    browser = page(club)
    loud = {topic: payload for topic, payload in evening().messages() if topic.endswith("/header")}
    board.publish(loud.items())
    browser.until("[...halls.values()][0].tables.get('table-1').header.header.players")
    browser.run("render()")
    assert "Anna" not in browser.run("return document.body.innerText")


def test_language_and_light_are_chosen_and_kept(page: Callable[..., Chromium], board: Board) -> None:
    browser = page(evening())
    choose = (
        "const it = document.getElementById('lang'); it.value = arguments[0]; it.dispatchEvent(new Event('change'))"
    )
    for lang, said in (("de", "Tische"), ("ja", "テーブル"), ("en", "Tables")):
        browser.run(choose, lang)
        assert seen(browser, "#tables") == said and browser.run("return document.documentElement.lang") == lang
    look = browser.run("return document.documentElement.dataset.look")
    browser.run("document.getElementById('look').click()")
    browser.go(f"{board.page}#page=tables")
    browser.devtools("Page.reload", {})
    browser.until("typeof halls === 'object' && halls.size === 1")
    again = browser.run("return document.documentElement.dataset.look")
    assert {look, again} == {"light", "dark"}


def test_a_name_is_found(page: Callable[..., Chromium]) -> None:
    browser = page(evening())
    find = "const it = document.getElementById('find'); it.value = arguments[0]; it.dispatchEvent(new Event('input'))"
    for address, there in (("page=tables", 1), ("page=seating", 2)):
        go(browser, address)
        browser.run(find, "quentin")
        assert browser.run("return document.querySelectorAll('#page .card').length") == there
    go(browser, "page=standings")
    assert browser.run("return document.querySelectorAll('tbody tr').length") == 1
    browser.run(find, "nobody at all")
    assert "Nothing found" in seen(browser)
    browser.run(find, "")


def test_a_projector_turns_through_everything_by_itself(page: Callable[..., Chromium]) -> None:
    browser = page(evening(), "turn=0.1", PROJECTOR)
    browser.run("globalThis.passed = new Set(); new MutationObserver(() => passed.add(document.getElementById('page').dataset.slide))"
                ".observe(document.getElementById('page'), {childList: true})")  # fmt: skip
    browser.until("['tables', 'seating', 'standings', 'table'].every(each => passed.has(each))")


def test_a_projector_shows_the_corrections_too(page: Callable[..., Chromium]) -> None:
    browser = page(evening(), "turn=9999", PROJECTOR)
    shown = """return slides([...halls.values()][0], 0).some((_, at) => {
        state.slide = at; render(); return document.getElementById("page").innerText.includes(arguments[0]);
    })"""
    assert browser.run(shown, "Two ships were counted twice")


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), PROJECTOR])
def test_nothing_is_cut_on_a_projector(page: Callable[..., Chromium], size: tuple[int, int]) -> None:
    for tables, first in ((10, 0), (3, 5), (6, 4), (9, 1)):
        browser = page(evening(tables, first), "turn=9999", size)
        many = browser.run("return slides([...halls.values()][0], 0).length")
        for at in range(many):
            assert browser.run(CUT, at, 0) == [], at
        for time in range(tables):  # every table in full
            assert browser.run(CUT, many - 1, time) == [], time


CUT = """state.slide = arguments[0]; state.time = arguments[1]; render();
    const page = document.getElementById("page");
    const low = [...page.querySelectorAll(".figure, .foot > *, .seat-line, td, .square, .region, .tile, .plate, .pawns li, .rows li")]
        .map(each => [each.getBoundingClientRect(), (each.closest(".card") || page).getBoundingClientRect(), each])
        .filter(([each, room]) => each.bottom > room.bottom + 1 || each.right > room.right + 1);
    return low.map(([a, b, each]) => each.textContent || each.getAttribute("class"));"""
"""What sticks out of its card or of the page on this slide."""


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), PROJECTOR])
def test_letters_on_a_projector_are_large_enough(page: Callable[..., Chromium], size: tuple[int, int]) -> None:
    """A name at least a fiftieth of the picture's height, as letters of a slide should be."""
    browser = page(evening(), "turn=9999", size)
    least = browser.run(
        "return Math.min(...[...document.querySelectorAll('#page .name')].map(x => parseFloat(getComputedStyle(x).fontSize)))"
    )
    assert least >= size[1] / 50


def test_a_broker_may_carry_several_halls(page: Callable[..., Chromium]) -> None:
    browser = page(evening())
    other = list(evening(tables=2, name="monday", title="The other hall").messages())
    browser.run("for (const [topic, payload] of arguments[0]) take(halls, topic, payload); render()", other)
    assert seen(browser, "#title") == "Club evening at the Forum"
    go(browser, "page=tables&hall=monday")
    assert seen(browser, "#title") == "The other hall"
    links = browser.run("return [...document.querySelectorAll('nav a, .card')].map(each => each.getAttribute('href'))")
    assert len(links) == 6 and all("hall=monday" in each for each in links)
    browser.run("halls.delete('monday'); location.hash = ''; render()")


# -- what it is made of -----------------------------------------------------------------------------------------


def test_texts_are_there_in_every_language(page: Callable[..., Chromium]) -> None:
    browser = page(evening(tables=1))
    said, texts = browser.run("return CATALOGUE"), browser.run("return TEXTS")
    assert set(said) == set(LANGUAGES)
    assert all({*filter(None, texts.values())} <= {*said[lang]} for lang in LANGUAGES if lang != "en")
    assert browser.run("return Object.values({...GAMES, ...PLACES, ...COLOURS}).every(each => each.length === 3)")


def test_nothing_makes_markup_of_text() -> None:
    own = [
        path for path in (*SHARED, *BOARD.glob("*.js"), *games.FOLDER.glob("*/board.js")) if path.name != "mqtt.min.js"
    ]
    assert len(own) > 5
    for path in own:
        text = path.read_text()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", text), path
        sent = re.findall(r"\.publish\((.{21})", text)
        assert sent == (["`tabularium-asked/2/$"] if path.name == "checkin.js" else []), path


READ = """
const acorn = require(process.argv[1]), { readFileSync } = require("fs");
for (const file of process.argv.slice(2)) {
  try { acorn.parse(readFileSync(file, "utf8"), { ecmaVersion: 2019 }); } catch (error) { console.log(file, error.message); }
}
"""


def test_old_tablets_can_read_every_script() -> None:
    """ES2019, by acorn; and nothing of what the browsers' own library has learned since."""
    acorn = Path(sys.prefix) / "micropython/node_modules/acorn"
    node = needs("node")
    if not acorn.is_dir():
        without("acorn is not installed: rm -r .venv/micropython; make .venv/micropython")
    scripts = [*SHARED, *BOARD.glob("*.js"), *DESK.glob("*.js"), *games.FOLDER.glob("*/board.js")]
    run = subprocess.run([node, "-e", READ, acorn, *scripts], check=True, capture_output=True, text=True)
    assert run.stdout == ""
    newer = r"Object\.(hasOwn|groupBy)\(|\.(at|replaceAll|replaceChildren|matchAll|toSorted|findLast)\(|structuredClone|allSettled"
    for path in (path for path in scripts if path.name != "mqtt.min.js"):
        assert not re.search(newer, path.read_text(encoding="utf-8")), path


def test_a_browser_that_is_too_old_says_so_instead_of_an_empty_page(page: Callable[..., Chromium]) -> None:
    browser = page(evening(tables=1))
    browser.run("dispatchEvent(new Event('load'))")
    assert "too old" not in browser.run("return document.body.innerText")
    said = browser.run(
        """const { flat } = Array.prototype;
        delete Array.prototype.flat;
        dispatchEvent(new Event("load"));
        Array.prototype.flat = flat;
        return document.querySelector("#page").innerText;"""
    )
    assert "too old" in said and "zu alt" in said and "古い" in said


def test_every_file_of_the_page_is_there_and_no_earlier_one(tmp_path: Path) -> None:
    (tmp_path / "mercator.js").write_text("an earlier version's")
    lay_out(tmp_path)
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'(?:src|href)="([\w.-]+)"', text)
    assert {path.name for path in tmp_path.iterdir()} - {"index.html", "mqtt.LICENSE.md"} == set(named)
    assert {f"game-{name}.js" for name in games.NAMES} <= set(named)
    before = {path: path.stat().st_ino for path in tmp_path.iterdir()}
    lay_out(tmp_path)
    assert {path: path.stat().st_ino for path in tmp_path.iterdir()} == before, "a full disk costs nothing"
    assert "MIT" in (BOARD / "mqtt.LICENSE.md").read_text(encoding="utf-8")


# -- what comes badly -------------------------------------------------------------------------------------------


def test_names_are_never_markup_and_break_no_page(page: Callable[..., Chromium]) -> None:
    browser = page(evening(people=NASTY, title=NASTY[0]))
    for address in PAGES:
        go(browser, address)
        fits(browser)
    assert browser.run("return document.querySelectorAll('#page img, #page script, h1 *').length") == 0
    assert NASTY[0] in seen(browser, "#title")
    go(browser, "page=tables")
    assert NASTY[1] in browser.run("return document.getElementById('page').textContent")


BAD: list[tuple[str, Any]] = [
    ("status", "not JSON"), ("status", []), ("status", {"here": "yes"}), ("header", {"game": 1}),
    ("header", {"game": 1, "begun": None, "header": {"game": "Chess!", "seats": ["red", "blue"], "options": {}}}),
    ("view", {"game": 1, "begun": "2026-11-22T18:00:00+00:00", "number": 1, "view": {"game": "mercator"}}),
    ("view", None), ("result", {"game": 1, "begun": 3}), ("view", "x" * 66_000), ("view", "[" * 60_000),
]  # fmt: skip


def test_what_does_not_fit_is_left_out_and_the_rest_stays(page: Callable[..., Chromium], board: Board) -> None:
    browser = page(evening())
    before = seen(browser)
    sent = [
        (f"tabularium/2/friday/table/table-1/{kind}", each if isinstance(each, str) else json.dumps(each))
        for kind, each in BAD
    ]
    board.publish([*sent, ("tabularium/2/friday/hall/seating", '{"rounds": [{}]}')])
    known = evening()
    board.publish([("tabularium/2/friday/table/table-9/status", json.dumps({"here": False}))])
    browser.until("document.querySelector('[data-table=table-9]').classList.contains('away')")
    after = seen(browser)
    assert after.replace("away\n", "") == before.replace("away\n", "")
    board.publish(known.messages())


def test_a_game_that_brings_nothing_has_its_seats_and_its_turn(page: Callable[..., Chromium], board: Board) -> None:
    browser = page(evening())
    which = {"game": 1, "begun": "2026-11-23T18:00:00+00:00"}
    header = {"game": "augur", "seats": ["red", "blue"], "options": {}, "players": {"red": "Zenobia", "blue": "Yvo"}}
    view = {"game": "augur", "phase": "counting", "turn": "red", "waiting": ["red"], "over": False, "result": None}
    table = "tabularium/2/friday/table/table-9"
    board.publish([
        (f"{table}/status", json.dumps({"here": True})), (f"{table}/header", json.dumps({**which, "header": header})),
        (f"{table}/view", json.dumps({**which, "number": 1, "view": view | {"birds": 18}})),
    ])  # fmt: skip
    browser.until(
        "(document.querySelector('[data-table=table-9]') || {textContent: ''}).textContent.includes('counting')"
    )
    assert "augur" in seen(browser) and "Zenobia" in seen(browser) and "Yvo" in seen(browser)
    go(browser, "page=table&table=table-9")
    assert "Zenobia" in seen(browser) and "counting" in seen(browser)
    board.publish(evening().messages())


def test_the_clock_is_counted_down_in_the_page_itself(page: Callable[..., Chromium]) -> None:
    clock = {"round": 2, "state": "running", "left": 299, "whole": 3600, "then": "round"}
    browser = page(evening(tables=2, clock=clock))
    assert "when time is up, finish the current round" in seen(browser, "#clock")
    assert browser.run("return document.querySelector('#clock').classList.contains('late')")
    browser.until("document.querySelector('#clock').textContent.startsWith('4:5')")
    first = seen(browser, "#clock")
    browser.until("document.querySelector('#clock').innerText !== arguments[0]", first)
    browser = page(evening(tables=2, clock={**clock, "state": "up", "left": 0}))
    assert seen(browser, "#clock") == "Time is up: finish the current round"
    browser = page(evening(tables=2, clock={**clock, "state": "paused", "left": 1505}))
    assert seen(browser, "#clock") == "25:05 · paused"
    browser = page(evening(tables=2))
    assert not browser.run("return document.querySelector('#clock').offsetParent")


def test_secrets_that_should_not_have_come_are_not_read(page: Callable[..., Chromium], board: Board) -> None:
    club = evening()
    browser = page(club)
    table = club.tables[0]
    leak = {**table.which, "number": 9, "view": {**table.views[0], "private": {"chips": 4711}}}
    assert browser.run("return KINDS.OF_TABLE.view(arguments[0])", table.view())
    assert not browser.run("return KINDS.OF_TABLE.view(arguments[0])", leak)


def test_retained_payloads_may_come_in_any_order(page: Callable[..., Chromium]) -> None:
    club = evening()
    browser = page(club)
    say = """const found = new Map(); for (const [topic, payload] of arguments[0]) take(found, topic, payload);
        cards.clear(); const hall = found.get('friday'); hall.told = Math.random();
        return tablesOf(hall).map(each => cardOf(hall, each).textContent);"""
    messages = list(club.messages())
    one, other = browser.run(say, messages), browser.run(say, messages[::-1])
    assert one == other and len(one) == 10
    browser.run("cards.clear(); render()")


def test_a_spare_has_taken_over_the_name_of_its_table(page: Callable[..., Chromium], board: Board) -> None:
    """The device table-3 is at Table 33, and its old device is on again."""
    club = evening()
    told = dict(club.messages())
    seating, said = (json.loads(told[f"tabularium/2/friday/hall/{kind}"]) for kind in ("seating", "evening"))
    for one in seating["rounds"]:
        one["tables"][2] |= {"table": "table-33", "device": "table-3"}
    browser = page(club)
    board.publish(
        [
            ("tabularium/2/friday/table/table-33/status", json.dumps({"here": True})),
            ("tabularium/2/friday/hall/seating", json.dumps(seating)),
            (
                "tabularium/2/friday/hall/evening",
                json.dumps({**said, "unseated": ["table-33", "table-5"], "at": "moved"}),
            ),
        ]
    )
    board.said.add("tabularium/2/friday/table/table-33/status")
    browser.until("chosenHall(halls, '').evening.at === 'moved' && chosenHall(halls, '').tables.has('table-33')")
    for address in ("page=tables", "page=seating", "page=where", "page=text"):
        go(browser, address)
        browser.run("render()")
        assert "Table 33" in seen(browser) and not re.search(r"Table 3\b", seen(browser)), address
    for table in ("table-33", "table-3"):
        go(browser, f"page=table&table={table}")
        assert "Table 33" in seen(browser) and club.tables[2].names[0] in seen(browser)
    go(browser, "page=sheet&table=table-33")
    assert "Table 33" in seen(browser)
    cards = "return [...document.querySelectorAll('.card')].map(card => card.dataset.table)"
    go(browser, "page=tables")
    found = browser.run(cards)
    assert "table-33" not in found and found[-1] == "table-3", "where its name belongs"
    assert "table-5" in found, "a table with players is shown under any name"


def test_a_view_of_another_game_is_not_shown(page: Callable[..., Chromium]) -> None:
    browser = page(evening(tables=1))
    old = """const table = [...halls.values()][0].tables.get('table-1');
        const put = (view) => viewNow({ ...table, view });
        return [put(table.view), put({ ...table.view, begun: 'earlier' }), put({ ...table.view, game: 2 })].map(Boolean)"""
    assert browser.run(old) == [True, False, False]


def test_two_hundred_tables(page: Callable[..., Chromium]) -> None:
    club = evening(tables=200)
    browser = page(club)
    assert browser.run("return document.querySelectorAll('.card').length") == 200
    go(browser, "page=seating")
    assert browser.run("return document.querySelectorAll('#page .card').length") >= 400
    go(browser, "page=standings")
    assert browser.run("return document.querySelectorAll('tbody tr').length") == sum(
        map(len, (of.ids for of in club.tables))
    )
    go(browser, "page=tables")
    first = browser.run(
        "const it = document.querySelector('.card'); it.mark = 1; render(); return document.querySelector('.card').mark"
    )
    assert first == 1  # nothing is drawn anew where nothing has changed
    browser.size(*PROJECTOR)
    go(browser, "turn=9999")
    assert browser.run("return slides([...halls.values()][0], 0).length") > 17


def test_an_act_is_seen_at_once(page: Callable[..., Chromium], board: Board) -> None:
    club = evening()
    browser = page(club)
    table = club.tables[0]
    board.publish([(f"tabularium/2/friday/table/{table.id}/view", json.dumps(table.view(3)))])
    browser.until("document.querySelector('[data-table=table-1]').dataset.number === '3'")


def test_a_broker_that_is_away_is_said_and_comes_back(page: Callable[..., Chromium], board: Board) -> None:
    club = evening()
    browser = page(club)
    board.served.kill()
    browser.until("!document.getElementById('link').hidden")
    assert "No connection since" in seen(browser, "#link") and "Table 1" in seen(browser)
    browser.log()  # that the socket closed
    board.served.start()
    board.show(evening(tables=3, title="After the power cut"))
    browser.until("document.getElementById('link').hidden && document.title === 'After the power cut'")
    browser.log()


# -- the whole way ----------------------------------------------------------------------------------------------


def test_what_tables_play_is_on_the_board(browser: Chromium, tmp_path: Path) -> None:
    """Three tables, their outboxes, the hall and its broker; an evening with a round that is seated and played."""
    with broker(tmp_path / "broker") as running, demo(tmp_path, running) as evening, ExitStack() as stack:
        evening.begin("en", "full")
        stack.enter_context(browser.visit(f"http://127.0.0.1:{running.plan.web}/"))
        browser.size(*PHONE)
        browser.until("document.querySelectorAll('.card .seat-line').length === 11")
        for _ in range(30):
            evening.step()
        for table in evening.tables.values():
            table.settle()
            number = table.match.session.accepted
            browser.until(
                "document.querySelector(`[data-table='${arguments[0]}']`).dataset.number === arguments[1]",
                table.name,
                str(number),
            )
        assert {row.round for row in evening.hall.call(lambda store: store.games())} == {1}
        assert all(name in seen(browser) for name in PLAYERS)
        go(browser, "page=seating")
        assert "This round: round 1" in seen(browser) and all(name in seen(browser) for name in PLAYERS)
        go(browser, "page=standings")
        browser.until("document.querySelectorAll('tbody tr').length === arguments[0]", len(PLAYERS))
        assert not browser.log()
