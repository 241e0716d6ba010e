"""A moment of Prokonsul."""

from companion.views import ProkonsulBeside, ProkonsulView
from ui.table.moment import Moment

At = Moment[ProkonsulView, ProkonsulBeside]
