"""A moment of Prokonsul."""

from companion.games.prokonsul.view import ProkonsulBeside, ProkonsulView
from ui.table.moment import Moment

At = Moment[ProkonsulView, ProkonsulBeside]
