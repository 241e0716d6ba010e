"""The pages by the name they are turned to; each is loaded when it is first turned to, so that the start is quick."""

from importlib import import_module

from ui.screens.page import Page

PAGES = {
    "start": "start.StartPage",
    "new": "new_game.NewGamePage",
    "rules": "new_game.RulesPage",
    "table": "table.TablePage",
    "choose": "pads.ChoosePad",
    "act": "act.ActPad",
    "offer": "pads.OfferPad",
    "transfer": "pads.TransferPad",
    "coalition": "pads.CoalitionPad",
    "write": "write.WritePage",
    "why": "rulings.WhyPage",
    "log": "rulings.LogPage",
    "undo": "rulings.UndoPage",
    "menu": "start.MenuPage",
    "end": "end.EndPage",
    "series": "series.SeriesPage",
    "history": "history.HistoryPage",
    "look": "history.LookPage",
    "board": "board.BoardPage",
    "map": "board_map.MapPage",
    "about": "about.AboutPage",
    "deck": "deck.DeckPage",
    "check": "deck.CheckPage",
    "decks": "decks.DecksPage",
    "files": "decks.FilesPage",
    "hardware": "start.HardwarePage",
    "doctor": "doctor.DoctorPage",
    "language": "start.LanguagePage",
    "save": "start.SavePage",
}


def page(name: str) -> type[Page]:
    """The page of that name."""
    module, _, kind = PAGES[name].partition(".")
    found: type[Page] = getattr(import_module(f"ui.screens.{module}"), kind)
    return found
