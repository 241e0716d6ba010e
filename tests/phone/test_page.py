"""The phones' page in a real browser: what it is made of, what it shows, and what fingers and keys do on it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.phone.page_files import PAGE, WORDS, page_file, page_files, page_texts
from companion.rules.browser import NACL
from companion.rules.words import LANGUAGES
from drivers.phones.connection import Connection
from drivers.phones.page import compressed
from drivers.phones.server import PhoneServer
from tests.phone.conftest import Open
from tests.support.hall_board_evening import NASTY
from tests.support.phone_chromium import Phone, Table, phone_port
from tests.support.phone_states import moment
from tools.needs import needs, without

SMALL, TABLET = (320, 568), (768, 1024)
SCRIPTS = sorted(PAGE.glob("*.js"))
MOVES = {"prokonsul": 220, "mercator": 78, "spartacus": 41, "caesar": 48, "hannibal": 38}
JSON = Mapping[str, Any]
OFFERED = {"seats": [
    {"seat": "red", "name": "Anna Weber", "free": True}, {"seat": "blue", "name": "Ben", "free": False},
    {"seat": "yellow", "name": "千尋", "free": True}, {"seat": "green", "name": "", "free": True},
]}  # fmt: skip


def table(act: int = 3, **other: Any) -> JSON:
    """Return a seat's view with two entries, one of which opens a private list."""
    shown: dict[str, Any] = {"path": [], "title": "", "ask": "", "notes": [], "number": None, "private": False}
    entries = [
        {"key": "play", "text": "Play a card", "main": False, "opens": True},
        {"key": "pass", "text": "Pass", "main": False, "opens": False},
    ]
    listed = {**shown, "entries": entries, **other.pop("list", {})}
    return {"table": {
        "game": "spartacus", "act": act, "head": "Anna: play or pass", "yours": "", "seat": "red", "public": None,
        "mine": [{"label": "", "value": "You hold 4 and 7."}], "fist": FIST, "list": listed, **other,
    }}  # fmt: skip


FIST = {"can": True, "closed": False, "called": False}
CARDS = {"path": ["play"], "title": "Play a card", "private": True, "entries": [
    {"key": "a", "text": "4", "main": False, "opens": False}, {"key": "b", "text": "7", "main": False, "opens": False},
]}  # fmt: skip
BID = {"path": ["bid"], "title": "Bid", "entries": [], "number": {"least": 0, "most": 20, "begins": 3}}


@cache
def states(folder: Path, lang: str) -> Sequence[tuple[str, Sequence[JSON]]]:
    """Return every state of the page, by name: before there is a seat, and of five games with lists opened."""
    found: list[tuple[str, Sequence[JSON]]] = [
        ("code", [{"gone": "That is not the code."}]), ("seats", [OFFERED]), ("waiting", [{"waiting": "Hold the button."}])
    ]  # fmt: skip
    for name, moves in MOVES.items():
        with moment(folder / f"{lang}-{name}", name, moves, lang) as at:
            phone = at.asked
            found.append(
                (
                    name,
                    [{"table": phone.table}, {"say": [{"text": "Ben.", "now": False}, {"text": "No!", "now": True}]}],
                )
            )
            for entry in phone.table["list"]["entries"]:
                if entry["opens"]:
                    phone.go(entry)
                    found.append((f"{name}: {entry['text']}", [{"table": phone.table}]))
                    phone.home()
            at.on(Random(name), 1000)
            found.append((f"{name} is over", [{"table": phone.table}]))
    return found


# -- what it is made of -------------------------------------------------------------------------------------------------


def test_the_page_is_small() -> None:
    own = {path.name: path.read_bytes() for path in PAGE.iterdir()}
    assert sum(map(len, own.values())) <= 60 * 1024
    assert max(text.count(b"\n") for text in own.values()) <= 300
    sizes = {name: path.stat().st_size for name, path in page_files().items()}
    games = [size for name, size in sizes.items() if name.startswith("game-")]
    assert max(games) <= 7 * 1024, "a game's drawing is loaded with the game"
    sent = [len(compressed(path.read_bytes())) for name, path in page_files().items() if not name.startswith("game-")]
    assert sum(sent) <= 40 * 1024, "as it is sent, with the library that seals"


def test_only_files_of_the_page_are_served() -> None:
    html, kind = page_file("/") or (b"", "")
    assert kind == "text/html; charset=utf-8" and b"<main>" in html
    named = re.findall(r'(?:src|href)="([\w.-]+)"', html.decode())
    assert (
        set(named) <= set(page_files()) and (page_file("/phone.js") or ("", ""))[1] == "text/javascript; charset=utf-8"
    )
    assert not any(map(page_file, ("/../page_files.py", "/page_files.py", "/__init__.py", "//etc/passwd", "/page")))


def test_every_word_comes_from_the_table_in_every_language() -> None:
    said = {key for path in SCRIPTS for key in re.findall(r"\bsay\(\"(\w+)\"", path.read_text(encoding="utf-8"))}
    texts = {lang: page_texts(lang)["words"] for lang in LANGUAGES}
    assert said <= texts["en"].keys() and len(said) > 10
    scripts = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    assert [key for key in WORDS if f'"{key}"' not in scripts] == [], "these are not used"
    own = [key for key in texts["en"] if texts["en"][key] == texts["de"][key] == texts["ja"][key]]
    assert not own, "these are not translated"


READ = """
const acorn = require(process.argv[1]), { readFileSync } = require("fs");
for (const file of process.argv.slice(2)) {
  const sourceType = /^(import|export) /m.test(readFileSync(file, "utf8")) ? "module" : "script";
  try { acorn.parse(readFileSync(file, "utf8"), { ecmaVersion: 2019, sourceType }); } catch (error) { console.log(file, error.message); }
}
"""


def test_old_phones_can_read_every_script() -> None:
    """ES2019, by acorn; and nothing of what the browsers' own library has learned since."""
    acorn = Path(sys.prefix) / "micropython/node_modules/acorn"
    node = needs("node")
    if not acorn.is_dir():
        without("acorn is not installed: rm -r .venv/micropython; make .venv/micropython")
    run = subprocess.run([node, "-e", READ, acorn, *SCRIPTS, NACL], check=True, capture_output=True, text=True)
    assert run.stdout == ""
    newer = r"Object\.(hasOwn|groupBy)\(|(?<!\.\.)\.(at|replaceAll|replaceChildren|matchAll|toSorted|findLast)\(|structuredClone|allSettled"
    markup = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function"
    for path in (*SCRIPTS, NACL):
        assert not re.search(f"{newer}|{markup}", path.read_text(encoding="utf-8")), path


# -- every state -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", ["light", "dark"])
def test_an_accessibility_engine_finds_nothing_in_any_state(phone: Open, folder: Path, look: str) -> None:
    page = phone(look=look)
    for name, messages in states(folder, "en"):
        for shown in (False, True):
            page.send(*messages)
            if shown != page.run("return at('show').getAttribute('aria-pressed') === 'true'"):
                page.run("at('show').click()")
            assert page.violations() == [], name
            page.browser.size(*SMALL)
            assert page.newer_violations() == [], name
            page.browser.size(390, 844)


def test_what_the_engine_does_not_look_for_is_found(phone: Open) -> None:
    page = phone(table())
    page.until("at('entries').children.length === 2")
    for places, style, found in (
        ("#fist", "position: fixed; top: 0; bottom: 0; left: 0; right: 0", "focus-not-obscured"),
        ("#entries li, #entries button", "min-height: 0; height: 10px; padding: 0; margin: 0 0 -6px", "target-size"),
    ):
        style_all = "document.querySelectorAll(arguments[0]).forEach((each) => { each.style.cssText = arguments[1]; })"
        page.run(style_all, places, style)
        assert found in [of[0] for of in page.violations()]
        page.run(style_all, places, "")
    assert page.violations() == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_state_fits_every_screen_in_every_language(phone: Open, folder: Path, lang: str) -> None:
    page = phone(lang=lang)
    page.run("at('show').click()")
    for name, messages in states(folder, lang):
        page.send(*messages)
        for size in (SMALL, (390, 844), TABLET):
            page.browser.size(*size)
            assert page.run(WIDE) == [], (name, size)
            assert page.run(SMALL_TARGETS) == [], (name, size)
        text = page.text()
        assert not re.search(r"[{}]|undefined|NaN|null", text), (name, text)


WIDE = """return [...document.body.querySelectorAll("*")].filter((each) => !each.closest(".spoken") && !each.closest("p:not(.seen)")
    && each.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((each) => each.outerHTML.slice(0, 200))"""
SMALL_TARGETS = """return [...document.querySelectorAll("button, input, select, #hold")].map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => width && (width < 44 || height < 44)).map(([each]) => each.outerHTML)"""


def test_the_page_is_empty_of_the_game_before_and_after_it_has_a_seat(phone: Open, folder: Path) -> None:
    page = phone(table())
    page.until("!at('fist').hidden && at('entries').children.length === 2")
    page.send({"gone": "The table has forgotten this phone."})
    page.until("at('urgent').innerText.trim() === 'The table has forgotten this phone.'")
    assert page.run("return ['entries', 'lines', 'board', 'notes'].map(id => at(id).textContent)") == [""] * 4
    assert page.run("return [at('fist').hidden, at('code') !== null, localStorage.token]") == [True, True, ""]
    page.send(table())
    assert page.text("h1") == "Anna: play or pass"


def test_a_phone_that_is_refused_chooses_again(phone: Open) -> None:
    page = phone(OFFERED, seat="", fragment="picture")
    page.send({"waiting": "Hold the button."})
    page.send({"gone": "The table has not agreed."})
    page.until("at('urgent').innerText.trim() === 'The table has not agreed.'")
    assert page.text("h1") == "Choose your seat" and page.run("return localStorage.token") == "picture"


def test_names_are_never_markup(phone: Open, tmp_path: Path) -> None:
    page = phone({"seats": [{"seat": "red", "name": name, "free": True} for name in NASTY]})
    page.until("document.querySelectorAll('.seats li').length === arguments[0]", len(NASTY))
    with moment(tmp_path, "prokonsul", 100, people=NASTY) as at:
        for of in at.phones.values():
            page.send({"table": of.table}, {"say": [{"text": name, "now": True} for name in NASTY]})
            page.browser.size(*SMALL)
            assert page.run(WIDE) == []
    assert page.run("return document.querySelectorAll('body img, main script').length") == 0
    assert NASTY[0] in page.run("return document.body.textContent")


# -- joining -----------------------------------------------------------------------------------------------------------------


def test_a_code_and_a_seat(phone: Open) -> None:
    page = phone(seat="")
    assert page.table.hellos == [{"hello": 1, "token": "", "lang": "en"}]
    page.tab_to("code")
    for digit in "49 3016":
        page.key(digit)
    page.key("Enter")
    assert page.table.next() == {"code": "493016"}
    page.send(OFFERED)
    assert page.text("h1") == "Choose your seat"
    page.tab_to("千尋")
    page.key("Enter")
    assert page.table.next() == {"sit": "yellow"}
    page.send({"waiting": "Hold the button."})
    assert page.text("h1") == "Hold the button."
    page.send({"token": "abc", "seat": "yellow"}, table(seat="yellow"))
    assert page.run("return localStorage.token") == "abc" and page.text("h1") == "Anna: play or pass"


def test_a_code_of_the_wrong_length_is_not_sent(phone: Open) -> None:
    page = phone(seat="")
    page.tab_to("code")
    page.key("1")
    page.key("Enter")
    assert page.focused() == "code" and page.run("return at('code').getAttribute('aria-invalid')") == "true"
    assert page.table.empty()


def test_the_token_leaves_the_address_and_comes_with_the_next_visit(phone: Open) -> None:
    page = phone(fragment="K7QX")
    assert page.table.hellos[0]["token"] == "K7QX" and page.run("return location.hash") == ""
    page.send({"token": "own", "seat": "red"}, table())
    page.run("location.reload()")
    page.table.greet()
    assert page.table.hellos[1]["token"] == "own"


def test_the_picture_scanned_again_takes_no_seat_away(phone: Open, port: tuple[PhoneServer, Any]) -> None:
    key = port[0].keys.public
    page = phone(fragment=f"K7QX.{key}", token="own", table_key=key)
    first = page.table.hellos[0]
    assert (first["token"], first["invitation"]) == ("own", "K7QX")
    assert page.run("return [location.hash, localStorage.token]") == ["", "own"]
    page.send(OFFERED)  # the table knows its token no more, and has let it in by the picture
    assert page.run("return localStorage.token") == "K7QX"
    page.send({"token": "new", "seat": "red"}, table())
    page.run("location.hash = arguments[0]", f"M2AA.{key}")
    page.table.greet()
    assert (page.table.hellos[1]["token"], page.table.hellos[1]["invitation"]) == ("new", "M2AA")
    page.send({"token": "new", "seat": "red"}, table())
    page.run("location.reload()")
    page.table.greet()
    assert page.table.hellos[2]["token"] == "new" and "invitation" not in page.table.hellos[2]


def test_a_newer_tab_takes_over_and_the_older_is_quiet_until_it_is_wanted(phone: Open) -> None:
    page = phone(table())
    page.send({"token": "own", "seat": "red"}, table())
    page.run(WATCH)
    page.table.send({"tab": "This seat is open in another tab."})
    page.until("at('head').textContent === 'This seat is open in another tab.'")
    assert not secrets(page) and page.run("return [at('fist').hidden, at('todo').hidden]") == [True, True]
    assert page.run("return localStorage.token") == "own" and page.violations() == []
    page.run("document.dispatchEvent(new Event('visibilitychange'))")
    page.run(LATER)
    page.settle()
    assert len(page.table.hellos) == 1 and page.run("return heard") == [] and page.run("return at('reach').hidden")
    page.tab_to("Go on in this tab")
    page.key("Enter")
    page.table.greet()
    assert page.table.hellos[1]["token"] == "own"
    page.until("at('head').textContent === 'Anna: play or pass'")
    assert page.focused() == "head"


# -- the seal ----------------------------------------------------------------------------------------------------------------


SENT = """globalThis.sent = [];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) { sent.push(data.byteLength || 0); return send.call(this, data); };"""


def test_everything_that_a_phone_sends_is_sealed_and_of_one_length(phone: Open) -> None:
    page = phone(table())
    page.compare_clocks()
    page.run(SENT)
    page.run("at('entries').querySelector('button').click()")
    assert page.table.next() == {"look": ["play"]}
    page.send(table(list=CARDS))
    page.run("at('show').click(); at('entries').querySelector('button').click()")
    assert page.table.next() == {"take": ["play", "a"], "act": 3}
    page.send(table(list=BID))
    page.run("at('number').querySelector('button[type=submit]').click(); at('toggle').click()")
    assert page.table.next() == {"take": ["bid", 3], "act": 3} and page.table.next().down
    page.run("at('toggle').click()")
    assert not page.table.next().down
    assert set(page.run("return sent")) == {256 + 16}


def test_a_phone_sends_its_token_to_no_other_table(phone: Open) -> None:
    page = phone(token="secret", table_key="another")
    assert page.table.hellos[0]["token"] == "" and page.run("return localStorage.token") == ""
    assert page.run("return localStorage.table_key") == page.table.server.keys.public
    page.run("localStorage.token = 'own'; location.reload()")
    page.table.greet()
    assert page.table.hellos[1]["token"] == "own"


def test_the_key_in_the_address_is_the_one_that_counts(phone: Open, port: tuple[PhoneServer, Any]) -> None:
    page = phone(fragment=f"K7QX.{port[0].keys.public}", token="old", table_key="another")
    assert page.table.hellos[0]["token"] == "K7QX" and page.run("return location.hash") == ""
    page.run("location.hash = 'K7QX.another'")
    page.table.greet()
    assert page.table.hellos[1]["token"] == ""


def test_what_is_not_sealed_for_this_connection_ends_it(phone: Open) -> None:
    page = phone(table())
    for opcode, data in (("binary", bytes(272)), ("text", b'{"gone": "Give me your code."}')):
        page.table.server._ask(lambda: inject(page.table, opcode, data))  # noqa: B023 - done before the next
        page.table.greet()
    assert page.text("h1") == "Anna: play or pass" and "code" not in page.text("#urgent")


def inject(table: Table, opcode: str, data: bytes) -> None:
    """Send something as somebody does who has come in between."""
    connection = table.server._connections[table.connection]
    getattr(connection._protocol, f"send_{opcode}")(data)
    connection._send()


def test_a_page_of_another_version_loads_itself_again(phone: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    page = phone(table())
    page.run("globalThis.old = true")
    introduce = Connection._introduce

    def once(connection: Connection) -> None:
        monkeypatch.setattr("drivers.phones.connection.VERSION", 2)
        introduce(connection)
        monkeypatch.undo()

    monkeypatch.setattr(Connection, "_introduce", once)
    page.table.server.hang_up(page.table.connection)
    page.table.greet()
    assert page.run("return !globalThis.old")


# -- lists -----------------------------------------------------------------------------------------------------------------


def test_a_game_is_played_by_keyboard_alone(phone: Open) -> None:
    page = phone(table())
    page.tab_to("Play a card")
    page.key("Enter")
    assert page.table.next() == {"look": ["play"]}
    page.send(table(list=CARDS))
    assert page.focused() == "ask" and page.text("#ask") == "Play a card"
    assert page.run("return at('entries').children.length") == 0 and "Only you" in page.text("#covered")
    page.key("Tab")
    assert page.focused() == "show", "what covers the list comes first in it"
    page.key(" ")
    assert page.text("#entries").split() == ["4", "7"] and page.text("#lines") == "You hold 4 and 7."
    page.tab_to("7")
    page.key("Enter")
    assert page.table.next() == {"take": ["play", "b"], "act": 3}
    page.send(table(4, head="Ben: play or pass"))
    assert page.focused() == "head" and page.text("h1") == "Ben: play or pass"
    page.tab_to("toggle")
    page.key("Enter")
    assert page.table.next().down
    page.key("Enter")
    assert not page.table.next().down


def test_private_entries_of_an_open_list_are_covered_alone(phone: Open) -> None:
    cards = [{"key": of, "text": text, "main": True, "opens": False, "private": True} for of, text in ("a4", "b7")]
    rest = {"key": "log", "text": "History", "main": False, "opens": True, "private": False}
    page = phone(table(mine=[], list={"entries": [*cards, rest]}))
    page.until("at('entries').children.length === 1")
    assert page.text("#entries") == "History" and "Only you" in page.text("#covered")
    assert "7" not in page.run("return at('todo').textContent")
    page.tab_to("show")
    page.key(" ")
    assert page.text("#entries").split() == ["4", "7", "History"] and page.run("return at('covered').hidden")
    page.tab_to("7")
    page.hide()
    page.until("document.hidden && at('entries').children.length === 1")
    page.come_back()
    page.until("!document.hidden")
    assert page.focused() == "show"


def test_a_number_is_typed_or_stepped(phone: Open) -> None:
    page = phone(table(list=BID))
    page.until("at('number').querySelector('input')")
    page.run("at('number').querySelector('input').select()")
    page.key("2")
    page.key("1")
    page.key("Enter")
    assert page.run("return document.activeElement.getAttribute('aria-invalid')") == "true" and page.table.empty()
    page.key("Backspace")
    page.run("document.querySelector('#number button[aria-label=\"One more\"]').click()")
    page.key("Enter")
    assert page.table.next() == {"take": ["bid", 3], "act": 3}


def test_a_text_is_typed(phone: Open) -> None:
    page = phone(table(list={"path": ["name"], "ask": "Name", "entries": [], "typing": {"text": "", "longest": 80}}))
    page.until("at('number').querySelector('input[type=text]')")
    assert page.violations() == []
    page.run("at('number').querySelector('input').focus()")
    page.key("Enter")
    assert page.run("return document.activeElement.getAttribute('aria-invalid')") == "true" and page.table.empty()
    for letter in " Eva ":
        page.key(letter)
    page.send(table(4, list={"path": ["name"], "ask": "Name", "entries": [], "typing": {"text": "", "longest": 80}}))
    page.key("Enter")
    assert page.table.next() == {"take": ["name", "Eva"], "act": 4}


def test_back_leads_to_the_list_before(phone: Open) -> None:
    page = phone(table(list={**CARDS, "path": ["a", 3, "b"]}))
    page.until("!at('back').hidden")
    page.run("at('back').click()")
    assert page.table.next() == {"look": ["a", 3]}
    page.send(table(list={**CARDS, "path": ["a", 3]}))
    assert page.focused() == "ask"


def test_focus_moves_only_by_ones_own_act(phone: Open) -> None:
    page = phone(table())
    page.tab_to("Pass")
    page.send(table(4, head="Ben: play or pass"))
    assert page.focused() == "Pass"
    page.send(table(5, list={"entries": [{"key": "new", "text": "Flip", "main": True, "opens": False}]}))
    assert (
        page.focused() == "Pass" and page.run("return document.activeElement.getAttribute('aria-disabled')") == "true"
    )
    page.key("Enter")
    assert page.table.empty(), "it can no longer be taken"
    page.key("Tab")
    assert page.text("#entries") == "Flip"


def test_a_refused_act_leaves_the_focus_where_it_was(phone: Open) -> None:
    page = phone(table())
    page.tab_to("Pass")
    page.key("Enter")
    page.table.next()
    page.send(table(), {"say": [{"text": "You must play.", "now": True}]})
    assert page.focused() == "Pass"
    page.until("at('urgent').textContent.includes('You must play.')")
    page.send(table(4))
    assert page.focused() == "Pass", "and somebody else's move later does not move it either"
    page.key("Enter")
    page.table.next()
    assert page.text("#urgent") == ""


# -- what is said -------------------------------------------------------------------------------------------------------------


WATCH = """globalThis.heard = [];
    for (const id of ["log", "urgent"]) new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) =>
        heard.push([id, node.textContent.trim(), performance.now()])))).observe(at(id), { childList: true });"""


def test_what_is_said_comes_in_new_nodes_merged_and_never_in_bursts(phone: Open) -> None:
    page = phone(table())
    page.run(WATCH)
    for at in range(12):
        page.send({"say": [{"text": f"Move {at}.", "now": False}]})
    page.send({"say": [{"text": "Your turn.", "now": True}]})
    page.settle()
    heard = page.run("return heard")
    log = [of for of in heard if of[0] == "log"]
    assert " ".join(of[1] for of in log) == " ".join(f"Move {at}." for at in range(12)) and len(log) < 12
    assert all(later[2] - earlier[2] >= 290 for earlier, later in pairwise(log))
    assert [of[1] for of in heard if of[0] == "urgent"] == ["Your turn."]


def test_whose_move_it_is_is_said_once(phone: Open) -> None:
    page = phone(table())
    page.run(WATCH)
    page.send(table(4, head="Ben: play", yours=""), {"say": [{"text": "Anna passes.", "now": False}]})
    page.settle()
    assert [of[1].split() for of in page.run("return heard")] == [["Anna", "passes.", "Ben:", "play"]]
    seen = "return document.querySelector('#log .seen span:not(.spoken)').textContent.trim()"
    assert page.run(seen) == "Anna passes.", "the heading is seen where it is"
    page.send(
        table(5, head="Anna: play", yours="Your turn: play."), {"say": [{"text": "Your turn: play.", "now": True}]}
    )
    page.settle()
    assert [of[1] for of in page.run("return heard.slice(1)")] == ["Anna: play", "Your turn: play."]


def test_it_is_said_again_and_the_last_five_are_listed(phone: Open) -> None:
    page = phone(table())
    for at in range(7):
        page.send({"say": [{"text": f"Move {at}.", "now": False}]})
    page.settle()
    page.run(WATCH)
    page.run("at('again').click(); at('five').click()")
    page.settle()
    assert [of[1] for of in page.run("return heard")] == ["Move 6."]
    assert page.text("#last").split("\n") == [f"Move {at}." for at in range(2, 7)]
    assert page.run("return at('five').getAttribute('aria-expanded')") == "true"


def test_names_in_japanese_are_marked_so(phone: Open) -> None:
    page = phone(table(head="Chihiro 千尋: play"))
    assert page.run("return document.querySelector('h1 [lang=ja]').textContent") == "千尋"


TREE = Path(__file__).with_name("page.tree.txt")
"""The page of a game of Caesar as a screen reader has it. To write it anew, delete it and run the test twice."""


def read_aloud(phone: Open, folder: Path) -> str:
    """Return the page at a moment of Caesar, with what only this player may see, and its first list."""
    page = phone(size=(390, 2400))
    known = dict(states(folder, "en"))
    page.run("at('show').click()")
    trees = []
    for name in ("caesar", "caesar: Choose a card"):
        page.send(*known[name])
        page.settle()
        trees.append(page.tree())
    return "\n\n".join(trees) + "\n"


def test_a_screen_reader_finds_everything_in_order(phone: Open, folder: Path) -> None:
    tree = read_aloud(phone, folder)
    if not TREE.exists():
        TREE.write_text(tree, encoding="utf-8")
        pytest.fail("written anew")
    assert tree == TREE.read_text(encoding="utf-8")


# -- covered -----------------------------------------------------------------------------------------------------------------


def secrets(page: Phone) -> bool:
    """Return whether anything private is in the page at all."""
    return "You hold" in str(page.run("return document.body.textContent"))


def test_private_things_are_shown_while_the_button_is_held(phone: Open) -> None:
    page = phone(table())
    page.until("!at('mine').hidden")
    assert not secrets(page)
    page.touch("Start", "#show")
    assert secrets(page)
    page.run("return new Promise(done => setTimeout(done, 400))")
    page.touch("End")
    page.until("at('show').getAttribute('aria-pressed') === 'false'")
    assert not secrets(page)


def test_private_things_are_shown_from_one_tap_to_the_next_or_until_the_page_is_hidden(phone: Open) -> None:
    page = phone(table(list=CARDS))
    page.until("!at('mine').hidden")
    page.touch("Start", "#show")
    page.touch("End")
    page.until("at('show').getAttribute('aria-pressed') === 'true' && at('entries').children.length === 2")
    page.run("at('entries').querySelector('button').focus()")
    page.hide()
    page.until("document.hidden && at('entries').children.length === 0")
    assert not secrets(page)
    page.come_back()
    page.until("!document.hidden")
    assert not secrets(page) and page.focused() == "show"


# -- the fist ------------------------------------------------------------------------------------------------------------------


def holds(page: Phone) -> None:
    """Close the fist with a finger, and take the table's press."""
    page.touch("Start", "#hold")
    press = page.table.next()
    assert (press.seat, press.down) == ("red", True)


def opens_by_tap(page: Phone, *, timed: bool = True) -> None:
    """Open the fist that is still closed, by a tap."""
    page.touch("Start", "#hold")
    page.touch("End")
    press = page.table.next()
    assert (press.seat, press.down, press.edge) == ("red", False, timed)


def test_a_fist_is_held_and_opened_by_the_phones_own_clock(phone: Open) -> None:
    page = phone(table())
    page.compare_clocks()
    holds(page)
    assert page.text("#hold").startswith("Lift")
    page.touch("End")
    press = page.table.next()
    assert not press.down and press.edge and press.slack < 100
    assert page.text("#hold").startswith("Hold")


def test_the_button_for_everybody_opens_without_a_time(phone: Open) -> None:
    page = phone(table())
    page.compare_clocks()
    page.run("at('toggle').click()")
    assert page.table.next().down and page.run(PRESSED) == "true"
    opens_by_tap(page, timed=False)
    assert page.run(PRESSED) == "false", "a finger does not time what the button has closed"
    holds(page)
    page.touch("Cancel")
    page.until("at('hold').textContent.includes('still closed')")
    page.run("at('toggle').click()")
    press = page.table.next()
    assert not press.down and press.edge, "nor does the button untime what a finger has closed"


def test_what_is_drawn_anew_changes_no_fist(phone: Open) -> None:
    page = phone(table())
    page.run("at('toggle').click(); at('show').click()")
    assert page.run(PRESSED) == "true" and page.table.next().down
    page.run("at('toggle').click()")
    assert not page.table.next().down


PRESSED = "return at('toggle').getAttribute('aria-pressed')"


def test_a_cancelled_touch_leaves_the_fist_closed(phone: Open) -> None:
    page = phone(table())
    page.compare_clocks()
    holds(page)
    page.touch("Cancel")
    page.until("at('hold').textContent.includes('still closed')")
    assert page.table.empty()
    opens_by_tap(page)


def test_a_hidden_page_leaves_the_fist_closed(phone: Open) -> None:
    page = phone(table())
    page.compare_clocks()
    holds(page)
    page.hide()
    page.until("document.hidden")
    page.come_back()
    page.until("!document.hidden && at('hold').textContent.includes('still closed')")
    page.touch("End")
    assert page.table.empty(), "the finger that held it before does not count any more"
    opens_by_tap(page)


def test_a_lost_connection_leaves_the_fist_closed(phone: Open) -> None:
    page = phone(table(fist={**FIST, "closed": True}))
    page.send(table())
    page.compare_clocks()
    holds(page)
    page.table.server.hang_up(page.table.connection)
    page.table.greet()
    page.until("at('hold').textContent.includes('still closed')")
    page.touch("End")
    assert page.table.empty()
    page.compare_clocks()
    opens_by_tap(page)


@pytest.mark.parametrize("finger", [True, False])
def test_a_fist_that_the_screen_has_opened_is_shown_open_and_can_be_closed_again(phone: Open, finger: bool) -> None:
    page = phone(table())
    page.compare_clocks()
    holds(page)
    page.send(table())
    assert page.run(PRESSED) == "true", "the table has not heard of it yet"
    page.send(table(fist={**FIST, "closed": True}))
    if not finger:
        page.touch("Cancel")
    page.table.server.opened("red")
    page.send(table())
    assert page.run(PRESSED) == "false" and page.text("#hold").startswith("Hold")
    if finger:
        page.touch("End")
    holds(page)
    assert page.run(PRESSED) == "true"
    page.touch("End")
    assert not page.table.next().down


def test_nobody_has_a_fist_where_cards_lie_on_the_table(phone: Open) -> None:
    page = phone(table(fist={**FIST, "cards": True}))
    page.until("!at('fist').hidden")
    said = [page.run("return at('fist').textContent")]
    page.run("at('toggle').click()")
    said.append(page.run("return at('fist').textContent"))
    assert page.table.next().down and "fist" not in " ".join(said).lower()
    page.send(table())
    assert "fist" in page.run("return at('fist').textContent").lower()


def test_without_a_fist_there_is_nothing_to_hold(phone: Open) -> None:
    page = phone(table(fist={**FIST, "can": False}))
    page.until("at('entries').children.length")
    assert page.run("return at('fist').offsetParent === null")


# -- the connection --------------------------------------------------------------------------------------------------------------


LATER = "const now = performance.now.bind(performance); performance.now = () => now() + 11000"


def test_a_table_that_is_away_is_said_with_reasons_and_comes_back(phone: Open) -> None:
    with phone_port() as (server, queue):
        page = phone(table(), lang="de", port=(server, queue))
        number = server.port
    page.until("at('link').textContent.startsWith('Keine Verbindung')")
    assert page.run("return at('reach').hidden") and page.text("h1") == "Anna: play or pass"
    page.run("at('entries').querySelector('button').click()")
    page.run(LATER)
    page.until("!at('reach').hidden")
    assert "WLAN" in page.text("#reach") and "Wi-Fi" not in page.text("#reach")
    assert page.violations() == []
    with phone_port(number) as (server, queue):
        page.table.server, page.table.queue = server, queue
        page.table.shows = (table(5, head="Ben: play or pass"),)
        page.table.greet()
        page.until("at('head').textContent === 'Ben: play or pass' && !at('link').textContent && at('reach').hidden")
        assert page.table.empty(), "what was pressed meanwhile is not sent late"


def test_a_connection_that_has_gone_silent_is_made_anew(phone: Open) -> None:
    page = phone(table())
    page.compare_clocks()
    page.run(LATER.replace("11000", "60000"))
    page.table.greet()


def test_another_language_is_asked_for(phone: Open) -> None:
    page = phone(table())
    page.run("at('lang').value = 'ja'; at('lang').dispatchEvent(new Event('change'))")
    assert page.table.next() == {"lang": "ja"}
    page.send({"texts": page_texts("ja"), "lang": "ja"}, table(head="アンナの番です。"))
    assert page.text("#show") == "見る" and page.run("return document.documentElement.lang") == "ja"
