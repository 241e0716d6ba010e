"""A moment of Caesar, whose game derives nothing from its view."""

from companion.games.caesar.view import CaesarView
from companion.rules.views import Derived
from ui.table.moment import Moment

CaesarMoment = Moment[CaesarView, Derived]
