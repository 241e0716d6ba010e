"""A moment of Spartacus."""

from companion.games.spartacus.view import SpartacusBeside, SpartacusView
from ui.table.moment import Moment

At = Moment[SpartacusView, SpartacusBeside]
