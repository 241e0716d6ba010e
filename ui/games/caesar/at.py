"""A moment of Caesar, which says nothing beside its view."""

from companion.views import Beside, CaesarView
from ui.table.moment import Moment

At = Moment[CaesarView, Beside]
