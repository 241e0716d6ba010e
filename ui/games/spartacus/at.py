"""A moment of Spartacus."""

from companion.views import SpartacusBeside, SpartacusView
from ui.table.moment import Moment

At = Moment[SpartacusView, SpartacusBeside]
