"""A moment of Hannibal gegen Rom."""

from companion.games.hannibal.view import HannibalDerived, HannibalView
from ui.table.moment import Moment

At = Moment[HannibalView, HannibalDerived]
