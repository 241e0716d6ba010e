"""The game's own board as it stood after an act, as a picture: nothing on it acts."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.face import board_of, face_of
from ui.page import App
from ui.slots import slots
from ui.table.moment import Moment

LEAST = 0.3
"""The smallest scale at which it is shown at all."""


class SmallBoard(Widget):
    """Drawn at the size it has on the table and shown smaller, whole, in the middle of its room."""

    def __init__(self, app: App) -> None:
        super().__init__()
        self._app, self._game = app, ""
        self._shown: Moment | None = None
        self._board: Any = None  # some game's
        self._fbo: Fbo | None = None
        with self.canvas:
            self._ink = Color(1, 1, 1, 0)
            self._picture = Rectangle()
        self._refit = Clock.create_trigger(self._fit, -1)
        self.bind(pos=self._refit, size=self._refit)

    def show(self, moment: Moment | None) -> None:
        """Shows a moment of the game that is played; None for nothing."""
        self._ink.a = 1 if moment else 0
        if moment is None or moment is self._shown:
            return
        if self._game != moment.game.name:
            self._make(moment.game.name)
        self._shown = moment
        self._board.show(face_of(moment.game.name).centre(moment))

    def _make(self, game: str) -> None:
        """The board of this game, in a buffer of its own."""
        space = slots(False)
        size = dp(800 - space.rail - space.spine), dp(480 - space.band - space.line)
        self._game, face = game, face_of(game)
        self._board = board_of(face)(lambda *_: None, lambda *_, **__: None, self._app.say, upright=False)
        across, up = self._board.margin
        self._board.pos = dp(across), dp(up)
        self._board.size = size[0] - 2 * dp(across), size[1] - 2 * dp(up)
        if self._fbo:
            self.canvas.before.remove(self._fbo)
        with self.canvas.before:
            self._fbo = Fbo(size=[int(side) for side in size], with_stencilbuffer=True)
        with self._fbo:
            ClearColor(*theme.rgba(theme.now.stone))
            ClearBuffers()
        self._fbo.add(self._board.canvas)
        self._picture.texture = self._fbo.texture
        self._refit()

    def _fit(self, *_: object) -> None:
        if not self._fbo:
            return
        wide, high = self._fbo.size
        scale = min(self.width / wide, self.height / high, 1.0)
        scale = scale if scale >= LEAST else 0.0  # nobody could tell what it is
        size = wide * scale, high * scale
        self._picture.size = size
        self._picture.pos = self.x + (self.width - size[0]) / 2, self.top - size[1]
