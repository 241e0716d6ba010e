"""The board of the editor by finger, in a separate window: `python -m tests.ui.windows.window_editor WIDTH HEIGHT [TEXT]`. Ends
with 0 if every touch opened the part that holds what lies there, and a piece of each game was moved by touches alone."""

import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from companion import games
from companion.games import position_of
from companion.rules.mistakes import Mistakes
from tests.support.drafts import touch as change
from tests.support.states import travel
from tests.support.tables import EVERYTHING, times
from tests.ui.windows import window_play as ui_play
from tests.ui.windows.window_geometry import visible
from tests.ui.windows.window_play import press, release, tap, taps
from tests.ui.windows.window_sitting import words
from tools import pictures
from ui.pages import draft_moment
from ui.pages.editor_page import TileTap
from ui.widgets.annotations import seen

SHOWN = {
    "mercator": {"lot", "ship", "space", "pile", "bid"},
    "prokonsul": {"province", "governor", "row", "before"},
    "spartacus": {"trick"},
    "caesar": {"square"},
    "hannibal": {"rome", "carthago", "cannae-sicilia"},
}
"""What each board has under a finger, besides the tiles."""
SEATS = {"hannibal": "blue red", "caesar": "red blue green", "mercator": "red blue green"}


def touch(app: Any, widget: Any) -> None:
    widget._acted = -1.0  # here time stands still: a second touch is meant
    ui_play.touch(app, widget)


def edit(app: Any) -> Any:
    """The table decides, and something is different: the page, which shows the board."""
    while app.evening.waiting:
        app.evening.drain()
    app.go("decide", words="It stood wrong.")
    app.page._open_editor()
    pictures.settle(app, 3)
    page = app.page
    assert page.name == "editor" and page.stage.children == [page.board]
    return page


def point(app: Any, *places: str) -> None:
    """A finger on what shows one of these places."""
    found = [widget for widget in seen(app.page.board, "lies_at") if not set(places).isdisjoint(widget.lies_at)]
    app.page.board._acted = -1.0
    ui_play.touch(app, found[0])


def tile(app: Any, caption: str) -> None:
    """One of the parts that the touch could mean."""
    (found,) = [one for one, _ in visible(app.page) if isinstance(one, TileTap) and one.caption.text == caption]
    touch(app, found)


def card(app: Any, name: str) -> None:
    cards = [one for one, _ in visible(app.page.pane) if getattr(one, "face", None)]
    texts = [f"{one.face.shape.seat} {one.face.number.text}" for one in cards]
    touch(app, cards[texts.index(name)])


def decided(app: Any, *moves: tuple[str, str, str]) -> None:
    """What moves is shown, and then it is so."""
    tap(app, "Show what will move")
    tap(app, "Decide it")
    assert app.page.name == "table", words(app.root)
    facts = app.match.log[-1].public[0].facts
    found = {(move.piece, move.from_, move.to) for move in facts["moves"]}
    assert found == set(moves), found


# -- everything that a board shows ------------------------------------------------------------------------------


def states(name: str) -> Iterator[dict[str, Any]]:
    """A table in each phase of a game, as headers."""
    game = games.game(name)
    header, _, met = travel(name, game.seats[-1], {option.name: option.default for option in game.options})
    for state in {game.view(state)["phase"]: state for state in met}.values():
        try:
            written = position_of(game.name).written(state)
        except Mistakes:
            continue
        yield {
            "tabularium": 1,
            "game": name,
            "seats": list(header.seats),
            "options": dict(header.options),
            "position": written,
        }


def every_place(app: Any, name: str) -> None:
    """Each opens the parts that hold what lies there, or says that it follows from others; nothing else happens."""
    shown: set[str] = set()
    for table in states(name):
        if shown >= SHOWN[name] and not EVERYTHING:
            break
        app.evening.begin(table)
        page = edit(app)
        log = len(app.match.log)
        for widget in list(seen(page.board, "lies_at")):
            kinds = {place.split(maxsplit=1)[0] for place in widget.lies_at}
            if kinds <= shown and not EVERYTHING:
                continue  # one of a kind tells most
            shown |= kinds
            page.board._acted = -1.0
            release(app, press(app, widget))
            found = [page.part] if page.part else page.among
            for part in found:
                assert {*part.places} & {*widget.lies_at}, (part.path, widget.lies_at)
            assert found or page.refused, (widget, widget.lies_at, widget.pos, widget.size)
            assert (page.part is None or page.part.secret or page.pane) and len(app.match.log) == log
            if found:
                page.close()
            assert app.page is page and page.stage.children == [page.board] and not page.part and not page.among
    assert shown >= SHOWN[name], (name, shown)


def anything(app: Any, name: str) -> None:
    """Whatever is touched in a draft, the board goes on, or keeps what it showed and says so."""
    rng = Random(name)
    for table in rng.sample([*states(name)], times(1, 2)):
        app.evening.begin(table)
        page = edit(app)
        for _ in range(times(5, 12)):
            part = rng.choice(page.draft.parts)
            page.draft = change(page.draft, part, rng.choice(part.fields), rng)
            page.show()
            stale = draft_moment.moment(page.draft, page.tongue, page.data) is None
            assert (page.head.text == "What is different?") != stale
        pictures.settle(app, 2)


# -- a piece of each game ---------------------------------------------------------------------------------------


def caesar(app: Any) -> None:
    app.act({"event": "place", "seat": "red", "square": "c3"})
    edit(app)
    point(app, "square c3")
    tap(app, "none")
    tap(app, "This lies there")
    assert app.page.draft.open["turn"] == "red" and dict(app.page.moment.view)["board"] == {}
    point(app, "square b2")
    ui_play.choose(app, "red")
    tap(app, "This lies there")
    assert len(app.page.board._marks) == 2
    decided(app, ("counter", "square c3", "square b2"))
    edit(app)
    point(app, "seat blue")
    tile(app, "Whose turn")
    ui_play.choose(app, "red")
    tap(app, "This lies there")
    assert app.page.draft.open["turn"] == "blue", "after one counter it is blue's turn, whatever is touched"
    app.page.close()


def hannibal(app: Any) -> None:
    edit(app)
    count = app.match.view["regions"]["rome"]["blue"]
    for place, sign in (("rome", "−"), ("cannae", "+")):
        point(app, place)
        signs = [one for one in taps(app.page.pane) if one.words.text == sign]
        touch(app, max(signs, key=lambda one: (one.y, -one.x)))  # the blue legions stand first
        tap(app, "This lies there")
    decided(app, ("blue legion", "rome", "cannae"))
    assert app.match.view["regions"]["rome"]["blue"] == count - 1


def mercator(app: Any) -> None:
    app.act({"event": "flip", "seat": "red", "card": "red 7"})
    edit(app)
    point(app, "ship blue")
    card(app, "red 7")
    tap(app, "This lies there")
    assert app.page.moment.view["track"]["blue"] == 7
    decided(app, ("red 7", "lot", "ship blue"), ("blue pawn", "space 0", "space 7"))


def prokonsul(app: Any) -> None:
    app.act({"event": "pawns", "order": ["red", "blue", "green"]})
    app.act({"event": "province", "province": "asia"})
    edit(app)
    point(app, "province asia")
    tile(app, "Black pawn")
    tap(app, "Africa")
    tap(app, "This lies there")
    point(app, "province asia")
    touch(app, max((one for one in taps(app.page.pane) if one.shape.seat == "red"), key=lambda one: one.y))
    tap(app, "This lies there")
    decided(app, ("black pawn", "province asia", "province africa"), ("red counter", "stock red", "province asia"))


def spartacus(app: Any) -> None:
    app.act({"event": "play", "seat": app.match.view["turn"], "card": "red 7"})
    edit(app)
    point(app, "trick")
    card(app, "red 7")
    card(app, "red 5")
    tap(app, "This lies there")
    decided(app, ("red 7", "trick", "hand red"), ("red 5", "hand red", "trick"))


PLAYED: dict[str, Callable[[Any], None]] = {
    "mercator": mercator, "prokonsul": prokonsul, "spartacus": spartacus, "caesar": caesar, "hannibal": hannibal,
}  # fmt: skip


def main(width: int, height: int, text: str = "normal") -> None:
    ui_play.SIZE = width, height
    app = pictures.stage(ui_play.SIZE, text=text)
    pictures.settle(app)
    for name, play in PLAYED.items():
        app.evening.begin({"tabularium": 1, "game": name, "seats": SEATS.get(name, "red blue green").split()})
        app.evening.drain()
        app.go("table")
        play(app)
        every_place(app, name)
        anything(app, name)
    print("played")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
