"""A moment of Spartacus."""

from companion.games.spartacus.view import SpartacusDerived, SpartacusView
from ui.table.moment import Moment

SpartacusMoment = Moment[SpartacusView, SpartacusDerived]
