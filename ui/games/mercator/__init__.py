"""Mercator on the screen."""

from ui.games.face import Face, TurnsUp
from ui.games.mercator import sentences as own
from ui.games.mercator.model import Mercator, centre
from ui.games.mercator.moment import MercatorMoment

FACE: Face[MercatorMoment, Mercator] = Face(
    centre,
    "ui.games.mercator.board.MercatorBoard",
    figure=own.figure,
    number=own.number,
    mark=own.mark,
    out=own.out,
    terms=own.TERMS,
    pads={"bids": "ui.games.mercator.bids_page.BidsPad"},
    parts=own.parts,
    why_won=own.why_won,
    length=own.length,
    chart=own.chart,
    resting=own.resting,
    turns_up=TurnsUp("flip", ends="auction", to="lot"),
)
