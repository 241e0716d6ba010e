"""A game's face that raises, in a real window: `python -m tests.ui.windows.window_failing`. Prints what the band says afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from companion.play.evening import Evening
from companion.rules.record import neighbour
from tools.scenes.rehearsal import Memory
from ui import window

DONE = object()
TABLE = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "reveal": "auto"}


def failing(where: str) -> Any:
    """Return a part of the face of Prokonsul that raises, as one of its own modules would."""
    scope: dict[str, Any] = {"__name__": f"ui.games.prokonsul.{where}"}
    exec("def fail(*_):\n    return [][-2]", scope)
    return scope["fail"]


def script(app: Any) -> Iterator[None]:
    """Play on while more and more of the face raises; yield until the next frame."""
    found: Any = neighbour("ui.games.prokonsul")
    whole = found.FACE
    app.evening.begin(TABLE)
    app.go("table")
    yield
    own = type(app.page.board)
    found.FACE = replace(whole, centre=failing("model"), status=failing("sentences"))
    for event in ({"event": "pawns", "order": ["red", "blue", "green"]}, {"event": "province", "province": "asia"}):
        assert app.act(event) == ""
        for _ in range(3):
            yield
    assert app.page.name == "table" and type(app.page.board) is not own
    assert len(app.evening.match.session.acts) == 2
    for page in ("log", "why", "now", "rest", "wrong", "menu", "table"):
        app.go(page)
        yield
    print(app.page.band.who.text)
    app.evening.begin(TABLE | {"game": "caesar", "seats": ["red", "blue"]})
    app.go("table")
    yield
    assert type(app.page.board).__module__ == "ui.games.caesar.board", "another game has its own face"


def main() -> None:
    window.configure(window.read({"width": 800, "height": 480}))
    import ui.app

    class App(ui.app.TableApp):
        def _tick(self, dt: float) -> None:
            super()._tick(dt)
            if next(steps, DONE) is DONE:
                self.stop()

    app = App(Evening(Memory()))
    steps = script(app)
    app.run()


if __name__ == "__main__":
    main()
