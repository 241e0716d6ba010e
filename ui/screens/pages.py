"""The pages by the name they are turned to."""

from ui.screens.about import AboutPage
from ui.screens.act import ActPad
from ui.screens.board import BoardPage
from ui.screens.board_map import MapPage
from ui.screens.deck import CheckPage, DeckPage, DecksPage
from ui.screens.doctor import DoctorPage
from ui.screens.end import EndPage
from ui.screens.history import HistoryPage, LookPage
from ui.screens.new_game import NewGamePage, RulesPage
from ui.screens.pads import ChoosePad, CoalitionPad, OfferPad, TransferPad
from ui.screens.page import Page
from ui.screens.rulings import LogPage, UndoPage, WhyPage
from ui.screens.series import SeriesPage
from ui.screens.start import HardwarePage, LanguagePage, MenuPage, SavePage, StartPage
from ui.screens.table import TablePage
from ui.screens.write import WritePage

PAGES: dict[str, type[Page]] = {
    "start": StartPage,
    "new": NewGamePage,
    "rules": RulesPage,
    "table": TablePage,
    "choose": ChoosePad,
    "act": ActPad,
    "offer": OfferPad,
    "transfer": TransferPad,
    "coalition": CoalitionPad,
    "write": WritePage,
    "why": WhyPage,
    "log": LogPage,
    "undo": UndoPage,
    "menu": MenuPage,
    "end": EndPage,
    "series": SeriesPage,
    "history": HistoryPage,
    "look": LookPage,
    "board": BoardPage,
    "map": MapPage,
    "about": AboutPage,
    "deck": DeckPage,
    "check": CheckPage,
    "decks": DecksPage,
    "hardware": HardwarePage,
    "doctor": DoctorPage,
    "language": LanguagePage,
    "save": SavePage,
}
