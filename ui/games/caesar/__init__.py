"""Caesar on the screen."""

from ui.games.caesar import sentences as own
from ui.games.caesar.model import Caesar, centre
from ui.games.caesar.moment import CaesarMoment
from ui.games.face import Face

FACE: Face[CaesarMoment, Caesar] = Face(
    centre,
    "ui.games.caesar.board.CaesarBoard",
    status=own.status,
    figure=own.figure,
    hand=own.hand,
    number=own.number,
    reveals=("revealed",),
    parts=own.parts,
    why_won=own.why_won,
    length=own.length,
    breakdown=own.breakdown,
    chart=own.chart,
    resting=own.resting,
)
