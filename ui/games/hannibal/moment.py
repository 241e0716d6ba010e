"""A moment of Hannibal gegen Rom."""

from companion.games.hannibal.view import HannibalDerived, HannibalView
from ui.table.moment import Moment

HannibalMoment = Moment[HannibalView, HannibalDerived]
