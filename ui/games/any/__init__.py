"""Any game: the default face, for a game without a folder here."""

from ui.games.any.model import Anything, centre
from ui.games.face import Face
from ui.table.moment import Moment

FACE: Face[Moment, Anything] = Face(centre, "ui.games.any.board.AnyBoard")
