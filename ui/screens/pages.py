"""The pages by the name they are turned to."""

from ui.screens.act import ActPad
from ui.screens.board import BoardPage
from ui.screens.end import EndPage
from ui.screens.new_game import NewGamePage, RulesPage
from ui.screens.pads import ChoosePad, CoalitionPad, OfferPad, TransferPad
from ui.screens.page import Page
from ui.screens.rulings import LogPage, UndoPage, WhyPage
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
    "board": BoardPage,
    "hardware": HardwarePage,
    "language": LanguagePage,
    "save": SavePage,
}
