"""A moment of Prokonsul."""

from companion.games.prokonsul.view import ProkonsulDerived, ProkonsulView
from ui.table.moment import Moment

ProkonsulMoment = Moment[ProkonsulView, ProkonsulDerived]
