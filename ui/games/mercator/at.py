"""A moment of Mercator."""

from companion.views import MercatorBeside, MercatorView
from ui.table.moment import Moment

At = Moment[MercatorView, MercatorBeside]
