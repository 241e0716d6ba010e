"""A moment of Hannibal gegen Rom."""

from companion.games.hannibal.view import HannibalBeside, HannibalView
from ui.table.moment import Moment

At = Moment[HannibalView, HannibalBeside]
