"""The pages by name; each is loaded when it is first turned to, which keeps the start quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.lazy import late

if TYPE_CHECKING:
    from ui.page import Page

PAGES = {
    "language": "ui.pages.language_page.LanguagePage",
    "start": "ui.pages.start_page.StartPage",
    "new": "ui.pages.new_game_page.NewGamePage",
    "options": "ui.pages.new_game_page.OptionsPage",
    "table": "ui.table.page.TablePage",
    "rest": "ui.table.rest_page.RestPage",
    "choose": "ui.games.parts.pads.ChoosePad",
    "act": "ui.games.parts.act_pad.ActPad",
    "write": "ui.pages.write_page.WritePage",
    "why": "ui.pages.why_page.WhyPage",
    "now": "ui.pages.possible_moves_page.PossibleMovesPage",
    "rules": "ui.pages.rules_page.RulesPage",
    "setup": "ui.pages.layout_guide_page.LayoutGuidePage",
    "log": "ui.pages.rulings_page.RulingsPage",
    "otherwise": "ui.pages.correct_move_page.CorrectMovePage",
    "back": "ui.pages.goback_page.UndoPage",
    "undo": "ui.pages.goback_page.UndoPage",
    "goes": "ui.pages.goback_page.WhatGoesWherePage",
    "said": "ui.pages.goback_page.DecisionsPage",
    "wrong": "ui.pages.mistakes_page.MistakesPage",
    "decide": "ui.pages.decide_page.DecidePage",
    "check": "ui.pages.check_page.CheckPage",
    "explain": "ui.pages.explain_page.ExplainPage",
    "editor": "ui.pages.editor_page.EditorPage",
    "more": "ui.pages.start_page.MenuPage",
    "menu": "ui.pages.start_page.PausePage",
    "settings": "ui.pages.dialogue_page.SettingsPage",
    "end": "ui.pages.end_page.EndPage",
    "result": "ui.pages.end_page.StoredResultPage",
    "course": "ui.pages.end_page.CoursePage",
    "approve": "ui.pages.approve_page.ApprovePage",
    "series": "ui.pages.series_page.SeriesPage",
    "history": "ui.pages.history_page.HistoryPage",
    "look": "ui.pages.history_page.StoredGamePage",
    "about": "ui.pages.about_page.AboutPage",
    "deck": "ui.pages.deck_page.DeckPage",
    "deck_check": "ui.pages.deck_page.DeckCheckPage",
    "decks": "ui.pages.deck_list_page.DecksPage",
    "files": "ui.pages.deck_list_page.FilesPage",
    "hardware": "ui.pages.start_page.HardwarePage",
    "set_up": "ui.pages.wizard_page.WizardStartPage",
    "set_up_asks": "ui.pages.wizard_page.WizardQuestionPage",
    "set_up_done": "ui.pages.wizard_done_page.WizardDonePage",
    "set_up_file": "ui.pages.wizard_done_page.WizardFilePage",
    "set_up_drawing": "ui.pages.wizard_done_page.WizardDrawingPage",
    "doctor": "ui.pages.doctor_page.DoctorPage",
    "hour": "ui.pages.hour_page.CommissioningPage",
    "phones": "ui.pages.phones_page.PhonesPage",
    "voice": "ui.pages.dialogue_page.VoicePage",
    "report": "ui.pages.dialogue_page.ReportPage",
    "update": "ui.pages.dialogue_page.UpdatePage",
    "power": "ui.pages.dialogue_page.PowerPage",
    "save": "ui.pages.dialogue_page.SavePage",
    "where": "ui.pages.where_page.WherePage",
}


def page(name: str) -> type[Page]:
    """Return the page with this name; "<game>.<page>" belongs to one game alone. Raises KeyError."""
    game, _, own = name.rpartition(".")
    if game:
        from ui.games.face import face_of

        found: type[Page] = late(face_of(game).page(own))
    else:
        found = late(PAGES[name])
    return found
