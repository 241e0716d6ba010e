"""The scenes in which the real table is compared: all of it, a side, a place, and what explains a difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.games import position_of
from companion.rules import AnyGame, Choose, Reveal
from companion.rules.position_parts import Cards, Count
from tools.scenes.rehearsal import some_way_on
from ui.pages import check

if TYPE_CHECKING:
    from ui.page import App
    from ui.pages.check import Checked


def checked(app: App, game: AnyGame) -> Iterator[str]:
    """Show a resumed game compared with the real table; no more than the start where no positions are written down."""
    some_way_on(app, game, 5)
    app.match.turned.unsure = True
    app.go("table")
    yield f"{game.name}-back-goes"
    app.go("check")
    yield f"{game.name}-check"
    if app.page.checked is None or not app.page.checked.spots:
        return
    app.page.point([f"seat {app.match.header.seats[0]}"])
    yield f"{game.name}-check-{app.match.header.seats[0]}"
    app.page.close()
    app.page.others()
    if app.page.among:
        yield f"{game.name}-check-others"
        app.page.close()
    yield from places(app, game)
    yield from explained(app, game)


def places(app: App, game: AnyGame) -> Iterator[str]:
    """Ask about a place of every kind."""
    kinds = set()
    for spot in app.page.checked.spots:
        of = check.part(spot, app.match.header.seats)
        kind = tuple((type(field.kind), len(field.kind.values) if isinstance(field.kind, Cards) else
                      isinstance(field.kind, Count) and field.kind.most > 30) for field in of.fields)  # fmt: skip
        if kind not in kinds:
            kinds.add(kind)
            app.page.ask(spot)
            yield f"{game.name}-check-{'-'.join(spot.place.split())}"
    app.page.close()


def explained(app: App, game: AnyGame) -> Iterator[str]:
    """Undo the last acts and show what explains the table as it was said to lie; then what nothing explains."""
    acts = app.moment().acts
    laid = [position_of(game.name).lies(act.view, app.match.header.options) for act in acts]
    at = next(at for at in range(len(acts) - 1, 0, -1)
              if laid[at] != laid[at - 1] and not isinstance(acts[at].event, Choose | Reveal))  # fmt: skip
    app.act({"event": "undo", "to": acts[at - 1].number})
    app.evening.drain()
    found: Checked = check.checked(game.name, app.match.header.setup, app.match.lies)
    for spot in found.spots:
        found = found.say(spot.place, laid[at].get(spot.place, {}))
    yield from look(app, found, f"{game.name}-explain")
    app.go("check", checked=found)
    yield f"{game.name}-check-different"
    spot = found.spots[-1]
    odd = found.say(spot.place, dict.fromkeys(spot.pieces[:7], 1))
    yield from look(app, odd, f"{game.name}-explain-not")


def look(app: App, found: Checked, name: str) -> Iterator[str]:
    app.go("explain", checked=found)
    while not app.page.done:
        app.page._search_on(0)
    yield name
