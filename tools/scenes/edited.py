"""The scenes in which the table decides: words, every part of a position, a purse or a hand, and what moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.answers.editing import held
from companion.rules import AnyGame
from companion.rules.mistakes import Mistakes
from tools.scenes.rehearsal import some_way_on
from ui.pages.decide import READY

if TYPE_CHECKING:
    from ui.page import App


def edited(app: App, game: AnyGame) -> Iterator[str]:
    """Show the editing of a game some acts on; words alone where its positions cannot be written."""
    some_way_on(app, game, 4)
    app.go("decide", words=app.say(READY[0]))
    yield f"{game.name}-decide"
    try:
        app.match.draft()
    except Mistakes:
        return
    app.page._open_editor()
    yield f"{game.name}-editor-laid"
    if app.page._unseen_parts():
        app.page.others()
        yield f"{game.name}-editor-others"
        app.page.close()
    yield from parts(app, game)


def parts(app: App, game: AnyGame) -> Iterator[str]:
    """Show a part of every kind, what moves once one is changed, and the cover of a secret one."""
    kinds = set()
    for part in app.page.draft.parts:
        kind = (part.secret, *(type(field.kind).__name__ for field in part.fields))
        if kind in kinds:
            continue
        kinds.add(kind)
        app.page.turn_to(part)
        yield f"{game.name}-part-{part.path[0]}"
        if part.secret:
            app.page.uncover()
            yield f"{game.name}-own-{part.path[0]}"
        app.page.close()
    yield from moved(app, game)
    seat = app.page.draft.setup.seats[-1]
    turn = next(part for part in app.page.draft.parts if part.path[0] in ("turn", "flipper", "pleader"))
    app.page.touch(turn, turn.fields[0], None, seat)
    yield f"{game.name}-editor-marked"
    app.page._take_main()
    yield f"{game.name}-editor-comes"


def moved(app: App, game: AnyGame) -> Iterator[str]:
    """Show what a touch on a plate could mean, and a place of the board that is emptied, which is seen at once."""
    page = app.page
    page._open_place([f"seat {page.draft.setup.seats[0]}"])
    if page.among:
        yield f"{game.name}-editor-among"
        page.close()
    whole = (of for of in page.draft.parts if not of.secret and len(of.path) == 2 and of.path[0] != "bids")
    place = next((of for of in whole if any(held(field, page.draft.get(of)) for field in of.fields)), None)
    if place:
        page.draft = page.draft.put(place, None)
        page.show()
        yield f"{game.name}-editor-emptied"
