"""The deck's pages in a window of their own: `python -m tests.ui.windows.window_deck WIDTH HEIGHT [LANG] [LOOK] [OUTDIR]`.

Goes through them by finger and by tag, and prints what does not fit; with a directory it leaves pictures there.
"""

import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.rules.words import tr
from tests.ui.windows import window_play as ui_play
from tests.ui.windows.window_geometry import problems, stretch
from tools import pictures
from tools.scenes.games.prokonsul import HEADER
from tools.scenes.rehearsal import TAGS
from ui import theme

VIRTUAL = {card: tag for tag, card in TAGS.items()}


def tap(app: Any, words: str) -> None:
    ui_play.tap(app, tr(words, app.lang))


def card(app: Any, name: str) -> Any:
    return app.page.cells[list(VIRTUAL).index(name)]


def touch(app: Any, widget: Any) -> None:
    """Here time stands still: a second touch would be taken for a ghost."""
    widget._acted = -1.0
    ui_play.touch(app, widget)


def lay(app: Any, tag: str) -> None:
    """A card is laid on the reader, and lifted."""
    app.dock.lay("centre", tag)
    app.dock.lift("centre", tag)
    pictures.settle(app, 2)


def scenes(app: Any) -> Iterator[str]:
    yield from enrolling(app)
    yield from checking(app)
    yield from in_mid_game(app)
    yield from decks(app)
    yield from files(app)


def enrolling(app: Any) -> Iterator[str]:
    evening = app.evening
    app.go("deck")
    yield "deck-full"
    app.go("deck", named="Die blaue Schachtel")
    yield "deck-new"
    before = app.page.count.text
    evening.store.safe = -1  # the disk takes its time
    lay(app, "04AA00000000FF")
    assert app.page.state.asked != app.page.shown.asked and app.page.count.text == before
    evening.store.safe = 0
    pictures.settle(app, 1)
    assert app.page.count.text != before and str(app.page.shown.asked) == "red 2"
    touch(app, app.page.undo)
    for number in range(14):
        lay(app, f"04AA{number:010X}")
    assert str(app.page.state.asked) == "blue 3"
    touch(app, card(app, "purple flag"))
    tap(app, "Use a new tag")
    assert str(evening.deck.tags["04B10000000001"].card) == "purple flag"
    assert str(app.page.state.asked) == "blue 3"  # and round again to what is missing
    assert not evening.devices.inbox.qsize() and not app.dock.tags_on("centre")
    yield "deck-some"
    lay(app, VIRTUAL["red 5"])
    yield "deck-known"
    assert app.page.state.ruling.code == "taken" and evening.deck.tags[VIRTUAL["red 5"]].deck == "virtual"
    touch(app, card(app, "blue 9"))
    touch(app, app.page.own)
    assert app.page.state.ruling.code == "taken" and str(app.page.state.ruling.facts["card"]) == "blue 9"
    touch(app, app.page.own)
    assert evening.deck.tags[VIRTUAL["blue 9"]].deck == "Die blaue Schachtel"
    touch(app, app.page.undo)
    evening.devices.errors = lambda _reader, _tag: 0.41
    lay(app, "04AA000000000B")
    evening.devices.errors = lambda _reader, _tag: None
    yield "deck-weak"
    touch(app, app.page.undo)
    assert str(app.page.state.asked) == "purple flag" and "04B10000000001" not in evening.deck.tags


def checking(app: Any) -> Iterator[str]:
    app.go("deck", named="virtual")
    tap(app, "Check the deck")
    yield "check"
    ui_play.tap(app, app.say("Prokonsul"))
    for name in ("red 1", "blue 7", "purple 12"):
        touch(app, card(app, name))
    assert {str(there) for there in app.page.state.laid} == {"red 1", "blue 7", "purple 12"}
    lay(app, "04AA0000000001")
    lay(app, "04FFFFFFFFFFFF")
    lay(app, VIRTUAL["red 10"])
    assert [told.code for told in app.page.state.strange.values()] == ["other_deck", "stranger", "not_played"]
    yield "check-some"
    ui_play.tap(app, app.say("Hannibal gegen Rom"))
    for colour in ("blue", "red"):
        for rank in range(1, 6):
            touch(app, card(app, f"{colour} {rank}"))
    assert app.page.state.missing == []
    yield "check-done"
    tap(app, "Back")
    assert (app.page.name, app.page.state.name) == ("deck", "virtual")


def in_mid_game(app: Any) -> Iterator[str]:
    """A lost tag: menu, deck, card, the new tag, and back."""
    evening = app.evening
    evening.begin({**HEADER, "reveal": "auto"})
    app.go("table")
    app.act({"event": "pawns", "order": list(app.match.header.seats)})
    app.act({"event": "province", "province": "asia"})
    app.go("menu")
    yield "deck-menu"
    tap(app, "Settings")
    tap(app, "Deck")
    assert app.page.check.disabled
    touch(app, card(app, "blue 4"))
    lay(app, VIRTUAL["green 9"])
    assert not any("9" in told for told in (app.page.lead.text, app.page.told.text))  # it may be somebody's secret
    yield "deck-replace"
    tap(app, "Use a new tag")
    assert str(evening.deck.tags["04B10000000001"].card) == "blue 4" and VIRTUAL["blue 4"] not in evening.deck.tags
    assert app.match.view["chosen"] == []  # the page heard it, not the game
    yield "deck-replaced"
    tap(app, "Back")
    assert app.page.name == "settings", "which led there"
    app.go("table")
    lay(app, VIRTUAL["blue 4"])
    assert app.match.view["chosen"] == [] and app.match.log[-1].rulings[0].code == "unknown_tag"
    app.dock.lay("centre", app.dock.deck["blue 4"])
    pictures.settle(app, 2)
    assert app.match.view["chosen"] == ["blue"]


def decks(app: Any) -> Iterator[str]:
    app.go("deck")
    tap(app, "All decks")
    yield "decks"
    rows = [line for line in app.page.list.rows if line.parent]
    touch(app, rows[0].out)
    assert len(rows) == 2
    yield "decks-forget"
    touch(app, rows[0].out)
    assert {of.deck for of in app.evening.deck.tags.values()} == {"virtual"}
    tap(app, "New deck")
    app.page._listen(False)
    app.page.text = "Rot"
    tap(app, "Done")
    assert (app.page.name, app.page.state.name, str(app.page.state.asked)) == ("deck", "Rot", "red 1")


def files(app: Any) -> Iterator[str]:
    """A deck goes to a file and comes back from one; what is wrong with a file is told at once."""
    lay(app, "04AA0000000001")
    with tempfile.TemporaryDirectory() as folder:
        app.evening.exports.folder = Path(folder)
        app.go("files")
        yield "files-none"
        touch(app, app.page.spine.slots[0])
        row = next(line for line in app.page.list.rows if "Rot" in line.open.words.text)
        touch(app, row.file)
        for thread in threading.enumerate():
            if thread.name == "export":
                thread.join()
        pictures.settle(app, 1)
        assert f"{folder}/deck-Rot (.yaml)" in app.page.note.text
        wrong = 'deck: Grün\ncards:\n  rde 1: "04A1B2C3D4E5F6"\n  red 2: 7\n  red 3: "04AA0000000001"\n'
        (Path(folder) / "grün.yaml").write_text(wrong, encoding="utf-8")
        tap(app, "Read a file")
        yield "files"
        ui_play.tap(app, "grün.yaml")
        assert [text[:12] for text, _ in app.page.list.items] == ["grün.yaml:3:", "grün.yaml:4:", "grün.yaml:5:"]
        yield "files-wrong"
        touch(app, app.page.spine.slots[0])
        app.evening.deck.enrol({tag: of for tag, of in app.evening.deck.tags.items() if tag != "04AA0000000001"})
        right = wrong.replace("rde", "red").replace("7", '"04AA0000000007"')
        (Path(folder) / "grün.yaml").write_text(right, encoding="utf-8")
        touch(app, app.page.list.rows[1].line)
        assert app.page.name == "decks" and "grün.yaml" in app.page.note.text
        assert [str(of.card) for of in app.evening.deck.tags.values() if of.deck == "Grün"] == [
            "red 1",
            "red 2",
            "red 3",
        ]
        yield "decks-read"
        app.go("files")
        touch(app, app.page.list.rows[1].line)
        yield "files-asked"
        touch(app, app.page.list.rows[1].line)
        assert app.page.name == "decks"


def main(wide: str, high: str, lang: str = "en", look: str = "light", outdir: str = "") -> None:
    if lang == "long":
        stretch()
    size = int(wide), int(high)
    ui_play.SIZE = size
    app = pictures.stage(size, look, lang)
    from kivy.base import EventLoop

    found = {}
    for name in scenes(app):
        pictures.settle(app)
        wrong = list(problems(app.root, min(size) / theme.DESIGN))
        if wrong:
            found[name] = wrong
        if outdir:
            EventLoop.idle()
            app.root.export_to_png(str(Path(outdir) / f"{name}-{wide}x{high}-{look}-{lang}.png"))
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
