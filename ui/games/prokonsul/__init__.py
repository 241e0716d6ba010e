"""Prokonsul on the screen."""

from ui.games.face import Face
from ui.games.prokonsul import sentences as own
from ui.games.prokonsul.model import Prokonsul, centre
from ui.games.prokonsul.moment import ProkonsulMoment

FACE: Face[ProkonsulMoment, Prokonsul] = Face(
    centre,
    "ui.games.prokonsul.board.ProkonsulBoard",
    figure=own.figure,
    number=own.number,
    counters=own.counters,
    status=own.status,
    caption=own.caption,
    lying=own.lying,
    tapped=own.tapped,
    acts_on_tile=False,
    reveals=("revealed",),
    terms=own.TERMS,
    pads={
        "offer": "ui.games.prokonsul.pad_pages.OfferPad",
        "transfer": "ui.games.prokonsul.pad_pages.TransferPad",
        "coalition": "ui.games.prokonsul.pad_pages.CoalitionPad",
    },
    parts=own.parts,
    why_won=own.why_won,
    length=own.length,
    chart=own.chart,
    data="ui.games.prokonsul.data_page.BoardPage",
    resting=own.resting,
    summed=own.summed,
)
