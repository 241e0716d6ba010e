"""Hannibal gegen Rom on the screen."""

from companion.rules import N_
from ui.games.face import Face
from ui.games.hannibal import sentences as own
from ui.games.hannibal.goals import figure
from ui.games.hannibal.model import Hannibal, centre
from ui.games.hannibal.moment import HannibalMoment

FACE: Face[HannibalMoment, Hannibal] = Face(
    centre,
    "ui.games.hannibal.board.HannibalBoard",
    figure=figure,
    number=lambda *_: "pieces",
    sides={"blue": N_("Rome"), "red": N_("Carthage")},
    reveals=("exchange",),
    breakdown=own.BREAKDOWN,
    why_won=own.why_won,
    length=own.length,
    chart=own.chart,
    data="ui.games.hannibal.data_page.MapPage",
)
