"""Spartacus on the screen."""

from ui.games.face import Face
from ui.games.spartacus import sentences as own
from ui.games.spartacus.model import Spartacus, centre
from ui.games.spartacus.moment import SpartacusMoment

FACE: Face[SpartacusMoment, Spartacus] = Face(
    centre,
    "ui.games.spartacus.board.SpartacusBoard",
    number=own.number,
    laying=own.laying,
    parts=own.parts,
    why_won=own.why_won,
    length=own.length,
    chart=own.chart,
    resting=own.resting,
)
