"""A moment of Mercator."""

from companion.games.mercator.view import MercatorBeside, MercatorView
from ui.table.moment import Moment

At = Moment[MercatorView, MercatorBeside]
