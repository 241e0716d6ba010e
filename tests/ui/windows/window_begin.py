"""From the start to the first card, and what is there before and after a game, in a window:
`python -m tests.ui.windows.window_begin`. Counts the touches. Ends with 0 if all went well."""

from collections.abc import Callable
from typing import Any

from companion.record.transcript import event_data
from companion.rules.readings import Press
from tests.ui.windows import window_play
from tests.ui.windows.window_play import SIZE, taps, touch
from tests.ui.windows.window_sitting import words
from tools import pictures

NEW, NAMED, AGAIN = 7, 9, 4
"""The touches up to the first card: four players by number, three by name, and the last table."""


class Finger:
    """A finger that counts its touches."""

    def __init__(self, app: Any) -> None:
        self.app, self.touches = app, 0

    def on(self, widget: Any) -> None:
        widget._acted = -1.0
        touch(self.app, widget)
        self.touches += 1

    def tap(self, text: str) -> None:
        self.touches += 1
        window_play.tap(self.app, text)

    def to_the_first_card(self) -> int:
        """From Prokonsul's empty table on."""
        self.tap("Draw by lot")
        self.on(self.app.page.board.provinces.tiles[2])
        self.app.page.hand._turned = -1.0  # whose hand it is has been seen
        self.on(self.app.page.hand.cards[8])
        assert len(self.app.match.view["chosen"]) == 1
        return self.touches


def kind(app: Any, text: str) -> str:
    return next(str(tap.kind) for tap in taps(app.root) if tap.words.text == text)


def the_languages_come_first_and_once(app: Any) -> None:
    """By finger and by ear, and nothing else can be done before."""
    for lang, name, choose in (("de", "Deutsch", by_finger), ("ja", "日本語", by_finger), ("en", "English", by_ear)):
        app.evening.store.settings.clear()
        assert app.opening == "language"
        app.go(app.opening)
        pictures.settle(app)
        assert {tap.words.text for tap in taps(app.root) if tap.words.text} == {"English", "Deutsch", "日本語"}
        choose(app, name)
        pictures.settle(app)
        assert (app.lang, app.page.name, app.opening) == (lang, "start", "start")
    app.evening.store.settings.clear()
    app.evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
    assert app.opening == "start", "somebody has played here"
    app.evening.match = app.evening.regulars.last_table = None
    app.evening.lang = "en"


def by_finger(app: Any, name: str) -> None:
    window_play.tap(app, name)


def by_ear(app: Any, _: str) -> None:
    """The first language that offers itself is taken."""
    for ms in (2_500, 1_500):
        app.dock.t += 5_000
        for down, t in ((True, app.dock.t), (False, app.dock.t + ms)):
            app.evening.devices.inbox.put(Press("red", down, t))
        app.dock.t += ms
        pictures.settle(app)


def newcomers_are_offered_help_first(app: Any) -> None:
    app.go("start")
    finger = Finger(app)
    finger.tap("New game")
    finger.tap("Prokonsul")
    assert kind(app, "Begin, with help") == "main" and kind(app, "Begin as printed") == "plain"
    finger.tap("4 players")
    assert app.page.draft.seats == ("red", "blue", "green", "yellow")
    finger.tap("Begin as printed")
    assert finger.to_the_first_card() <= NEW, finger.touches


def players_by_name(app: Any) -> None:
    app.evening.match = app.evening.regulars.last_table = None
    app.pages.clear()
    app.go("start")
    finger = Finger(app)
    finger.tap("New game")
    finger.tap("Prokonsul")
    for player in ("Anna", "Bert", "Chiara"):
        finger.tap(player)
    finger.tap("Begin as printed")
    assert [*app.match.header.players.values()] == ["Anna", "Bert", "Chiara"]
    assert finger.to_the_first_card() <= NAMED, finger.touches


def help_continues_in_the_next_game(app: Any) -> None:
    """The next game begins with its set-up, and no lesson is told twice."""
    seats, options = ["red", "blue", "green"], {"game": "short", "negotiation": "free", "no_decision": True}
    table = {"tabularium": 1, "game": "prokonsul", "seats": seats, "options": options, "reveal": "auto"}
    app.evening.begin(table, teach=True)
    app.go("table")
    app.act({"event": "province", "province": "asia"})
    for rank in range(1, 8):
        for seat in seats:
            app.act({"event": "choose", "seat": seat, "card": f"{seat} {rank}"})
        pictures.settle(app, 3)
        app.act({"event": "no_decision"})
    pictures.settle(app, 3)
    told = [*app.evening.lessons.told]
    assert told and app.match.view["over"]
    app.go("end", lit=True)
    pictures.settle(app, 3)
    window_play.tap(app, "Next game in the series")
    assert app.page.name == "setup" and app.evening.lessons
    assert [*app.evening.lessons.told] == told


def the_last_table_again(app: Any) -> None:
    """By one touch, beside the game that waits; and from the page of a new game."""
    before = app.match.number
    app.go("start")
    pictures.settle(app)
    finger = Finger(app)
    (again,) = [tap for tap in taps(app.root) if tap.words.text.startswith("Prokonsul again")]
    finger.on(again)
    assert app.match.number != before and sorted(app.match.header.players.values()) == ["Anna", "Bert", "Chiara"]
    assert finger.to_the_first_card() <= AGAIN, finger.touches
    app.go("start")
    finger.tap("New game")
    assert kind(app, "Begin as printed") == "main" and kind(app, "Begin, with help") == "plain"


def variants_say_so(app: Any) -> None:
    """What is not printed is named, and what needs something else says what."""
    window_play.tap(app, "Variants …")
    assert "Only the top two win: only with “Negotiation: free”." in words(app.root)
    window_play.tap(app, "free")
    assert not any("only with “" in text for text in words(app.root))
    assert kind(app, "Begin with variants") == "main"
    window_play.tap(app, "Back")
    window_play.tap(app, "Begin with variants")
    assert app.match.header.options["negotiation"] == "free"
    app.go("start")
    pictures.settle(app)
    assert any(text.endswith("with variants") for text in words(app.root))


def every_game_that_waits_is_listed(app: Any) -> None:
    """The one on the table first, then the newest; each can be continued."""
    for game in ("mercator", "spartacus", "caesar", "mercator"):
        app.evening.begin({"tabularium": 1, "game": game, "seats": ["red", "green", "yellow"],
                           "players": {"red": "Anna"}})  # fmt: skip
        app.act(event_data(app.match.session.legal()[0].pick(lambda of: of[0])))
        app.evening.drain()
    played = app.match.number
    app.evening.put_away()
    app.go("start")
    pictures.settle(app)
    rows = [row for row in app.page.list.rows if row.parent]
    assert rows[0].game.text == "Caesar" and rows[0].who.text == "Anna, Green and Yellow"
    seen = []
    while True:
        seen += [row.game.text for row in app.page.list.rows if row.parent]
        if not app.page.list.after:
            break
        window_play.tap(app, "Down")
    assert seen == ["Caesar", "Spartacus", "Mercator", *3 * ["Prokonsul"]], seen
    app.page.list.from_the_top()
    app.paint()
    pictures.settle(app)
    touch(app, next(row for row in app.page.list.rows if row.parent and row.game.text == "Spartacus"))
    assert app.page.name == "table" and app.match.game.name == "spartacus"
    app.go("start")
    pictures.settle(app)
    assert app.page.list.items[0].number == played, "the one on the table stands above"


def after_the_end_the_menu_leads_back_to_the_result(app: Any) -> None:
    app.go("table")
    window_play.tap(app, "Menu")
    assert {"Menu", "Continue"} <= words(app.root) and "Back to the result" not in words(app.root)
    while moves := app.match.session.legal():
        app.act(event_data(moves[0].pick(lambda of: of[0])))
    app.evening.drain()
    app.go("end")
    window_play.tap(app, "Menu")
    assert "Continue" not in words(app.root)
    assert not any("carry on" in text for text in words(app.root))
    window_play.tap(app, "Back to the result")
    assert app.page.name == "end"


def a_game_is_chosen_on_the_start_page(app: Any) -> None:
    app.go("start")
    pictures.settle(app)
    window_play.tap(app, "Caesar")
    assert (app.page.name, app.page.draft.game.name) == ("new", "caesar")
    app.go("start")


STEPS: list[Callable[[Any], None]] = [
    the_languages_come_first_and_once,
    a_game_is_chosen_on_the_start_page,
    newcomers_are_offered_help_first,
    players_by_name,
    the_last_table_again,
    variants_say_so,
    every_game_that_waits_is_listed,
    after_the_end_the_menu_leads_back_to_the_result,
    help_continues_in_the_next_game,
]


def main() -> None:
    app = pictures.stage(SIZE)
    pictures.settle(app)
    store: Any = app.evening.store
    store.pictured.clear()
    app.evening.unfinished = None
    for step in STEPS:
        step(app)
    print("played")


if __name__ == "__main__":
    main()
