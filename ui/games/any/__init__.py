"""Any game: what the screen shows of one that has no folder of its own."""

from ui.games.any.model import Anything, centre
from ui.games.face import Face
from ui.table.moment import Moment

FACE: Face[Moment, Anything] = Face(centre, "ui.games.any.board.AnyBoard")
