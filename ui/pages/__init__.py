"""The pages by name; each is loaded when it is first turned to, which keeps the start quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.lazy import late

if TYPE_CHECKING:
    from ui.page import Page

PAGES = {
    "start": "ui.pages.start_page.StartPage",
    "new": "ui.pages.new_game_page.NewGamePage",
    "options": "ui.pages.new_game_page.OptionsPage",
    "table": "ui.table.page.TablePage",
    "rest": "ui.table.rest_page.RestPage",
    "choose": "ui.games.parts.pads.ChoosePad",
    "act": "ui.games.parts.act_pad.ActPad",
    "write": "ui.pages.write_page.WritePage",
    "why": "ui.pages.why_page.WhyPage",
    "now": "ui.pages.now_page.NowPage",
    "rules": "ui.pages.rules_page.RulesPage",
    "setup": "ui.pages.layout_guide_page.SetupPage",
    "log": "ui.pages.rulings_page.LogPage",
    "otherwise": "ui.pages.correct_move_page.OtherwisePage",
    "back": "ui.pages.goback_page.BackPage",
    "undo": "ui.pages.goback_page.BackPage",
    "redo": "ui.pages.goback_page.RedoPage",
    "goes": "ui.pages.goback_page.GoesPage",
    "said": "ui.pages.goback_page.SaidPage",
    "wrong": "ui.pages.wrong_page.WrongPage",
    "decide": "ui.pages.decide_page.DecidePage",
    "check": "ui.pages.check_page.CheckPage",
    "explain": "ui.pages.explain_page.ExplainPage",
    "editor": "ui.pages.editor_page.EditorPage",
    "more": "ui.pages.start_page.MorePage",
    "menu": "ui.pages.start_page.MenuPage",
    "settings": "ui.pages.dialogue_page.SettingsPage",
    "end": "ui.pages.end_page.EndPage",
    "course": "ui.pages.end_page.CoursePage",
    "approve": "ui.pages.approve_page.ApprovePage",
    "series": "ui.pages.series_page.SeriesPage",
    "history": "ui.pages.history_page.HistoryPage",
    "look": "ui.pages.history_page.LookPage",
    "about": "ui.pages.about_page.AboutPage",
    "deck": "ui.pages.deck_page.DeckPage",
    "deck_check": "ui.pages.deck_page.DeckCheckPage",
    "decks": "ui.pages.deck_list_page.DecksPage",
    "files": "ui.pages.deck_list_page.FilesPage",
    "hardware": "ui.pages.start_page.HardwarePage",
    "set_up": "ui.pages.wizard_page.SetUpPage",
    "set_up_asks": "ui.pages.wizard_page.AsksPage",
    "set_up_done": "ui.pages.wizard_done_page.DonePage",
    "set_up_file": "ui.pages.wizard_done_page.FilePage",
    "set_up_drawing": "ui.pages.wizard_done_page.DrawingPage",
    "doctor": "ui.pages.doctor_page.DoctorPage",
    "hour": "ui.pages.hour_page.HourPage",
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
