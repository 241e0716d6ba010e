"""Any game: what the screen shows of one that has no folder of its own."""

from ui.games.any.model import centre
from ui.games.face import Face

FACE = Face(centre, "ui.games.any.board.AnyBoard")
