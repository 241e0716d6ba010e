"""The game's own board as it stood after an act, as a picture without controls."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui import theme
from ui.games.face import board_of, face_of
from ui.layout import slots
from ui.page import App
from ui.table.moment import Moment
from ui.widgets.annotations import controls
from ui.widgets.shape import Stroke
from ui.widgets.tap import Tap

LEAST = 0.3
"""The smallest scale at which it is shown at all."""


class OffscreenBoard:
    """A board rendered off screen at its size on the table. All pages share it, as only one is visible."""

    def __init__(self) -> None:
        self.moment: Moment | None = None
        self.fbo: Fbo | None = None
        self._game, self._board = "", None  # type: str, Any
        self._owner: Widget | None = None
        self._hidden: list[Widget] = []

    def show(self, moment: Moment, app: App, owner: Widget) -> Any:
        """Draw this moment while `owner` is visible, and return its texture.

        The type is Any, as it is one of Kivy's.
        """
        if self._game != moment.game.name:
            self._build(moment.game.name, app)
        if self._owner is not owner:
            if self._owner:
                self._owner.canvas.before.remove(self.fbo)
            owner.canvas.before.add(self.fbo)
            self._owner = owner
        if moment is not self.moment:
            self.moment = moment
            for control in self._hidden:
                control.opacity = 1
            self._board.show(face_of(moment.game.name).centre(moment))
            self._hidden = [*controls(self._board, Tap)]
            for control in self._hidden:
                control.opacity = 0
        assert self.fbo
        return self.fbo.texture

    def _build(self, game: str, app: App) -> None:
        space, face = slots(False), face_of(game)
        size = dp(800 - space.rail - space.spine), dp(480 - space.band - space.line)
        self._game, self._hidden = game, []
        self._board = board_of(face)(lambda *_: None, lambda *_, **__: None, app.say, upright=False)
        across, up = self._board.margin
        self._board.pos = dp(across), dp(up)
        self._board.size = size[0] - 2 * dp(across), size[1] - 2 * dp(up)
        if self._owner:
            self._owner.canvas.before.remove(self.fbo)
            self._owner = None
        self.fbo = Fbo(size=[int(side) for side in size], with_stencilbuffer=True)
        with self.fbo:
            ClearColor(*theme.rgba(theme.now.stone))
            ClearBuffers()
        self.fbo.add(self._board.canvas)


class SmallBoard(Widget):
    """The whole board at a smaller scale, in a frame, centred at the top of its space."""

    def __init__(self, app: App) -> None:
        super().__init__()
        self._app, self._drawn = app, app.shell.shared(OffscreenBoard, OffscreenBoard)
        with self.canvas:
            self._ink = Color(1, 1, 1, 0)
            self._picture = Rectangle()
        self._frame = Stroke(0.75)
        self.canvas.add(self._frame)
        self._refit = Clock.create_trigger(self._fit_picture, -1)
        self.bind(pos=self._refit, size=self._refit)

    @property
    def moment(self) -> Moment | None:
        """Return the moment that is visible; None for nothing."""
        return self._drawn.moment if self._ink.a else None

    def show(self, moment: Moment | None) -> None:
        """Show a moment of the current game; None for nothing."""
        self._ink.a = 1 if moment else 0
        self._frame.paint(theme.now.line if moment else None)
        if moment:
            texture = self._drawn.show(moment, self._app, self)
            if self._picture.texture is not texture:
                self._picture.texture = texture
                self._refit()

    def scale(self, width: float, height: float) -> float:
        """Return the scale that fits this room; 0 if the board would be too small to recognise."""
        if not self._drawn.fbo:
            return 0.0
        wide, high = self._drawn.fbo.size
        scale = min(width / wide, height / high, 1.0)
        return scale if scale >= LEAST else 0.0

    def tall(self, scale: float) -> float:
        """Return the height at this scale, in pixels."""
        return self._drawn.fbo.size[1] * scale if self._drawn.fbo else 0.0

    def _fit_picture(self, *_: object) -> None:
        if not self._drawn.fbo:
            return
        scale, (wide, high) = self.scale(self.width, self.height), self._drawn.fbo.size
        size = wide * scale, high * scale
        self._picture.size = size
        self._picture.pos = self.x + (self.width - size[0]) / 2, self.top - size[1]
        self._frame.lines[0].rectangle = *self._picture.pos, *size
