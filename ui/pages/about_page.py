"""About this program: its version and its licence."""

from __future__ import annotations

from kivy.uix.widget import Widget

from companion import __version__
from companion.rules import N_
from ui import theme
from ui.page import Sheet
from ui.pages.answer_items import Sentence
from ui.pages.answer_rows import kinds
from ui.theme import TextSize
from ui.widgets.box import high, row, wide
from ui.widgets.flow import Flow
from ui.widgets.shape import Shape
from ui.widgets.text import Text

TEXTS = (
    N_("The referee for five board games played with real cards, pawns, chips and boards: it reads cards and "
       "buttons, counts, settles ties and says why. It never plays for anybody."),
    N_("Mercator, Prokonsul, Spartacus, Caesar and Hannibal gegen Rom are games by Reiner Knizia, from “Neue Spiele"
       " im alten Rom”. Their rules are explained here in our own words; you need your own copy to play."),
    N_("Japanese is spoken by Open JTalk with the voice “Mei”, by the MMDAgent Project Team, Nagoya Institute of"
       " Technology, under CC BY 3.0; English and German by espeak-ng."),
)  # fmt: skip


ALONE = N_("Nothing leaves this table: no network, no account. Your games are kept in one file on this device.")
IN_HALL = N_(
    "What everybody at this table may see goes to the hall {hall}, and nothing else leaves it: no account, no other"
    " network. Your games are kept in one file on this device."
)


class AboutPage(Sheet):
    """Version, licence, and whose games these are."""

    title = N_("About Tabularium")

    def fill(self) -> None:
        emblem = row(*(wide(Shape(seat), 26) for seat in theme.SHAPES), Widget())
        self.body.add_widget(high(emblem, 30))
        version = self.say(N_("Version {version}, under the MIT licence."), version=__version__)
        self.body.add_widget(high(Text(version, most=TextSize.HEAD, bold=True), theme.above(TextSize.HEAD)))
        hall = self.app.evening.hall
        leaves = self.say(IN_HALL, hall=hall.hall) if hall else self.say(ALONE)
        told = Flow(kinds(), self.say)
        told.show([*map(Sentence, map(self.say, TEXTS)), Sentence(leaves)])
        self.body.add_widget(told)
