"""The pages by the name they are turned to; each is loaded when it is first turned to, so that the start is quick."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.page import Page

PAGES = {
    "start": "pages.start_page.StartPage",
    "new": "pages.new_game_page.NewGamePage",
    "rules": "pages.new_game_page.RulesPage",
    "table": "table.page.TablePage",
    "choose": "games.prokonsul.pad_pages.ChoosePad",
    "act": "games.parts.act_pad.ActPad",
    "offer": "games.prokonsul.pad_pages.OfferPad",
    "transfer": "games.prokonsul.pad_pages.TransferPad",
    "coalition": "games.prokonsul.pad_pages.CoalitionPad",
    "write": "pages.write_page.WritePage",
    "why": "pages.rulings_page.WhyPage",
    "log": "pages.rulings_page.LogPage",
    "undo": "pages.rulings_page.UndoPage",
    "menu": "pages.start_page.MenuPage",
    "end": "pages.end_page.EndPage",
    "series": "pages.series_page.SeriesPage",
    "history": "pages.history_page.HistoryPage",
    "look": "pages.history_page.LookPage",
    "board": "games.prokonsul.data_page.BoardPage",
    "map": "games.hannibal.data_page.MapPage",
    "about": "pages.about_page.AboutPage",
    "deck": "pages.deck_page.DeckPage",
    "check": "pages.deck_page.CheckPage",
    "decks": "pages.decks_page.DecksPage",
    "files": "pages.decks_page.FilesPage",
    "hardware": "pages.start_page.HardwarePage",
    "doctor": "pages.doctor_page.DoctorPage",
    "language": "pages.start_page.LanguagePage",
    "save": "pages.start_page.SavePage",
}


def page(name: str) -> type[Page]:
    """The page of that name."""
    module, _, kind = PAGES[name].rpartition(".")
    found: type[Page] = getattr(import_module(f"ui.{module}"), kind)
    return found
