"""A table in a hall, by finger in a window: `python -m tests.ui.windows.window_in_hall`. Ends with 0 if all went well.

The evening is a real one; what the hall says is said by a plain value (`tools.scenes.rehearsal.Hall`).
"""

import json
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any

from companion import games
from companion.cli.simulate import play
from companion.cli.simulate import table as simulated
from companion.hall.public import header_of, told, transcript
from companion.play.hall_status import InterruptedGame, SeatedGame, Verdict
from companion.play.round_clock import CALL_S, FIVE, UP, RoundClock
from companion.play.table import NO_MS
from companion.rules import as_json
from tests.ui.windows.window_geometry import visible
from tests.ui.windows.window_play import SIZE, tap, taps, touch
from tests.ui.windows.window_sitting import words
from tools import pictures
from tools.scenes.rehearsal import Hall, to_the_end

FOUR = {"yellow": "Dora", "red": "Anna", "blue": "Bert", "green": "Chiara"}
SEATED = SeatedGame(1, "spartacus", {"flags": "joker"}, FOUR)


def hall_says(app: Any, **said: Any) -> None:
    """The hall has news; nobody touches the screen."""
    hall = app.evening.hall
    for name, value in said.items():
        setattr(hall, name, value)
    hall.changed = True
    pictures.settle(app, 3)


def kind(app: Any, text: str) -> str:
    """How much a control asks to be touched."""
    (found,) = [each for each in taps(app.root) if each.words.text == text]
    return str(found.kind)


def says(app: Any, seat: str, right: bool) -> None:
    """A finger on the row of this seat."""
    (line,) = [line for line in app.page.rows if line.parent and line.seat == seat]
    control = line.yes if right else line.no
    control._acted = -1.0  # no ghost
    touch(app, control)
    assert control.chosen and not (line.no if right else line.yes).chosen
    assert app.evening.approvals[seat] is right


# -- without a hall ----------------------------------------------------------------------------------------------


def the_mark_alone_leads_to_the_decisions(app: Any) -> None:
    app.act({"event": "decide", "words": "As agreed"})
    app.go("end")
    pictures.settle(app)
    touch(app, next(widget for widget, _ in visible(app.page) if getattr(widget, "text", "") == "Tap to continue"))
    assert app.page.name == "end" and NEXT in words(app.root)
    touch(app, app.page.why)
    tap(app, "1 decision")
    assert app.page.name == "said"
    tap(app, "Back")
    tap(app, "Log")
    tap(app, "Back")
    assert app.page.name == "end", "the log was opened from the result"


NEXT, IN_SERIES = "Spartacus again", "Next game in the series"
"""The next game of the same kind after the first, and after others in a row."""


def a_table_alone_is_asked_nothing(app: Any) -> None:
    to_the_end(app.evening, SEATED.table)
    app.go("end")
    pictures.settle(app)
    assert "Is the result right?" not in words(app.root) and NEXT not in words(app.root)
    touch(app, app.page.why)
    assert kind(app, NEXT) == "main", "the controls come at a touch"
    tap(app, "How it went")
    tap(app, "Back")
    assert app.page.name == "end" and NEXT in words(app.root), "they are as they were"
    touch(app, app.page.why)
    assert NEXT not in words(app.root)
    the_mark_alone_leads_to_the_decisions(app)
    app.go("approve")
    assert app.page.name == "end"
    app.go("hardware")
    pictures.settle(app)
    assert "hall" not in words(app.root)
    app.evening.match = app.evening.regulars.last_table = None


# -- the organiser has something to say --------------------------------------------------------------------------


def what_the_organiser_says_is_read_everywhere_and_once(app: Any) -> None:
    app.evening.join(Hall())
    app.go("start")
    hall_says(app, line="Break until nine")
    assert "The organiser: Break until nine" in words(app.root)
    tap(app, "Got it")
    assert "The organiser: Break until nine" not in words(app.root)
    app.evening.begin(SEATED.table)
    app.go("table")
    pictures.settle(app)
    board = app.page.board.pos, app.page.board.size
    assert "The organiser: Break until nine" not in words(app.root)
    hall_says(app, line="The last round begins at ten")
    assert "The organiser: The last round begins at ten" in words(app.root)
    assert (app.page.board.pos, app.page.board.size) == board
    hall_says(app, line="")
    assert not any(text.startswith("The organiser") for text in words(app.root))
    app.evening.hall = app.evening.match = app.evening.regulars.last_table = None


def the_clock_of_the_round_is_a_line_and_two_calls(app: Any) -> None:
    """Nothing moves for it, and it ends nothing."""
    app.evening.join(Hall())
    app.evening.begin(SEATED.table)
    app.go("table")
    pictures.settle(app)
    board, band = (app.page.board.pos, app.page.board.size), app.page.band
    assert band._left is None
    now = monotonic()
    hall_says(app, clock=RoundClock(1, "running", CALL_S + 100, 1600, "act", now))
    assert 0.2 < (band._left or 0) < 0.26 and (app.page.board.pos, app.page.board.size) == board
    hall_says(app, clock=RoundClock(1, "running", CALL_S, 1600, "act", now - 1))
    assert FIVE["act"] in words(app.root) and (app.page.board.pos, app.page.board.size) == board
    tap(app, "Got it")
    assert FIVE["act"] not in words(app.root)
    hall_says(app, clock=RoundClock(1, "up", 0, 1600, "act", now))
    assert UP["act"] in words(app.root) and band._left == 0 and not app.match.view["over"]
    hall_says(app, clock=None, line="Coffee is ready")
    assert UP["act"] in words(app.root)
    tap(app, "Got it")
    assert "The organiser: Coffee is ready" in words(app.root) and band._left is None
    app.evening.hall = app.evening.match = app.evening.regulars.last_table = None


# -- a round is seated -------------------------------------------------------------------------------------------


def the_game_of_a_table_that_died_goes_on_here(app: Any) -> None:
    of = games.game(SEATED.game)
    header = simulated(of, len(SEATED.players), {})
    receipts = [receipt for _, receipt in play(header, Random(1))][:40]
    lines = [*transcript(header_of(header, names=False), [data for _, data in told(receipts)])]
    view = json.loads(json.dumps(as_json(receipts[-1].view)))
    app.evening.join(Hall())
    app.go("start")
    hall_says(app, seated=replace(SEATED, round=7, players=dict(zip(header.seats, SEATED.players.values(), strict=True))),
              spare=InterruptedGame(7, "7", lines, view))  # fmt: skip
    assert "Continue the game of table 7" in words(app.root)
    good, app.evening.hall.spare = app.evening.hall.spare, InterruptedGame(7, "7", lines[:-1], view)
    touch(app, app.page.seated)
    assert app.page.name == "options" and "Already begun" in app.page.refused.text, "why it cannot be, and what to do"
    app.go("start")
    app.evening.hall.spare = good
    touch(app, app.page.seated)
    assert app.page.name == "table" and app.match.view["tricks"] == view["tricks"]
    assert app.match.log
    app.evening.hall = app.evening.match = app.evening.regulars.last_table = None


def a_round_appears_on_the_start_page_and_is_begun(app: Any) -> None:
    app.evening.join(Hall())
    app.go("start")
    pictures.settle(app)
    assert kind(app, "New game") == "main"
    hall_says(app, seated=SEATED)
    assert "Round 1: Spartacus" in words(app.root) and kind(app, "New game") == "plain"
    touch(app, app.page.seated)
    assert app.page.name == "new" and "The hall’s seating." in app.page.count.text
    begin(app)


def begin(app: Any) -> None:
    """What lies on the page of a new game is begun, and is what the hall has seated."""
    tap(app, "Begin with variants")
    header, seated = app.match.header, app.evening.hall.seated
    assert app.page.name == "table" and seated.fits(header) and app.evening.seated.begun
    assert header.players == seated.players and dict(header.options).items() >= seated.options.items()
    app.go("start")
    pictures.settle(app)
    assert not any(text.startswith("Round ") for text in words(app.root)), "it is begun"


def a_touch_takes_it_over_what_was_there(app: Any) -> None:
    app.evening.match = None
    tap(app, "New game")
    tap(app, "Caesar")
    hall_says(app, seated=replace(SEATED, round=2, players=dict(reversed(FOUR.items()))))
    whole = "Round 2: Spartacus – Chiara, Bert, Anna, Dora"
    assert "Not the hall’s seating." in app.page.count.text
    assert kind(app, whole) == "main" and kind(app, "Begin as printed") == "plain"
    tap(app, whole)
    assert whole not in words(app.root) and kind(app, "Begin with variants") == "main"
    app.page.stand("red")
    tap(app, "Variants …")
    assert "Not the hall’s seating." in words(app.root)
    tap(app, "Back")
    tap(app, whole)
    begin(app)
    tap(app, "New game")
    assert kind(app, whole) == "plain", "it is begun: what is played besides is the table's"
    assert "hall" not in app.page.count.text


# -- the result --------------------------------------------------------------------------------------------------


def everybody_approves_by_finger(app: Any) -> None:
    to_the_end(app.evening, SEATED.table)
    app.go("end")
    pictures.settle(app)
    assert kind(app, "Is the result right?") == "main" and kind(app, IN_SERIES) == "plain"
    tap(app, "Is the result right?")
    assert app.page.head.text == "Still to answer: Dora, Anna, Bert and Chiara"
    assert app.page.on.kind == "plain"
    says(app, "red", True)
    says(app, "blue", False)
    assert app.page.head.text == "Bert: not right" and kind(app, "Mistake") == "main"
    says(app, "blue", True)
    assert app.page.head.text == "Still to answer: Dora and Chiara"
    tap(app, "Back")
    assert "2 of 4 have approved the result · Still to answer: Dora and Chiara" in words(app.root)
    tap(app, "Is the result right?")
    says(app, "yellow", True)
    says(app, "yellow", False)
    says(app, "yellow", True)


def a_button_says_it_too(app: Any) -> None:
    """And the page that is open shows it."""
    app.dock.hold("green")
    app.dock.t += NO_MS
    app.dock.let_go("green")
    pictures.settle(app, 3)
    assert app.evening.approvals["green"] and app.page.head.text == "All agree: the result is approved."
    tap(app, "Done")
    assert app.page.name == "end" and kind(app, IN_SERIES) == "plain"
    assert kind(app, "Is the result right?") == "plain"


def the_hall_answers_while_the_page_is_open(app: Any) -> None:
    tap(app, "Is the result right?")
    hall_says(app, state="away")
    assert app.page.hall.text == "The hall cannot be reached now. It will be told later."
    hall_says(app, state="kept", verdicts={app.match.number: Verdict("organiser", "seen by the referee")})
    assert "The organiser has settled it: “seen by the referee”" in words(app.root)
    hall_says(app, verdicts={})


def the_next_round_appears_at_the_end(app: Any) -> None:
    tap(app, "Done")
    hall_says(app, seated=replace(SEATED, round=3))
    assert kind(app, "Round 3: Spartacus") == "main" and kind(app, IN_SERIES) == "plain"
    tap(app, "Round 3: Spartacus")
    assert app.page.name == "new" and app.page.draft.players == FOUR


def a_contested_result_is_mended_at_the_table(app: Any) -> None:
    app.go("approve")
    pictures.settle(app)
    says(app, "red", False)
    tap(app, "Mistake")
    assert app.page.name == "wrong"
    app.go("approve")
    assert app.act({"event": "undo"}) == ""
    pictures.settle(app)
    assert app.page.name == "table" and not app.match.view["over"] and not app.evening.approvals
    app.act({"event": "redo"})
    pictures.settle(app)
    app.go("approve")
    pictures.settle(app)
    assert app.page.name == "approve" and app.page.head.text == "Anna: not right", "it is the same result"


def the_hall_stands_with_the_hardware(app: Any) -> None:
    app.go("hardware")
    pictures.settle(app)
    assert {"hall", "open-of-saturday, table 3. The hall has everything."} <= set(words(app.root))


def main() -> None:
    app = pictures.stage(SIZE)
    evening: Any = app.evening  # on which no game waits
    evening.unfinished, evening.paused = None, list
    pictures.settle(app)
    for step in (
        a_table_alone_is_asked_nothing,
        what_the_organiser_says_is_read_everywhere_and_once,
        the_clock_of_the_round_is_a_line_and_two_calls,
        the_game_of_a_table_that_died_goes_on_here,
        a_round_appears_on_the_start_page_and_is_begun,
        a_touch_takes_it_over_what_was_there,
        everybody_approves_by_finger,
        a_button_says_it_too,
        the_hall_answers_while_the_page_is_open,
        the_next_round_appears_at_the_end,
        a_contested_result_is_mended_at_the_table,
        the_hall_stands_with_the_hardware,
    ):
        step(app)
    print("played")


if __name__ == "__main__":
    main()
