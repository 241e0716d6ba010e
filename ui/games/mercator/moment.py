"""A moment of Mercator."""

from companion.games.mercator.view import MercatorDerived, MercatorView
from ui.table.moment import Moment

MercatorMoment = Moment[MercatorView, MercatorDerived]
