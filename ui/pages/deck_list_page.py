"""The list of decks, and the files that decks are written to and read from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion import deck
from companion.deck import Tags
from companion.rules import N_, Said
from companion.rules.mistakes import ConfigError
from companion.rules.words import message
from ui import theme
from ui.page import Sheet
from ui.pages import deck as model
from ui.pages import where_page
from ui.pages.deck import DeckLine
from ui.theme import TextSize
from ui.widgets.box import high, row, wide
from ui.widgets.pages import Paged
from ui.widgets.tap import Tap
from ui.widgets.text import Text


class DeckRow(BoxLayout):
    """A deck: a touch opens it, writes its file, or at the second touch deletes it."""

    def __init__(self, page: DecksPage) -> None:
        super().__init__(spacing=dp(theme.GAP))
        self.page = page
        self.open, self.file, self.out = Tap("", most=TextSize.TEXT), wide(Tap(""), 110), wide(Tap(""), 110)
        for tap in (self.open, self.file, self.out):
            self.add_widget(tap)

    def show(self, line: DeckLine) -> None:
        page, say = self.page, self.page.say
        asked = page.asked == line.name
        self.open.show(line.text)
        self.open.act = partial(page.app.go, "deck", named=line.name)
        self.file.show(say(N_("Export")))
        self.file.act = partial(page.export, line.name)
        self.out.show(say(N_("Really delete") if asked else N_("Delete")), kind="main" if asked else "quiet")
        self.out.act = partial(page.forget, line.name)


class DecksPage(Sheet):
    """The list of decks on disk."""

    title = N_("Decks")

    def fill(self) -> None:
        self.asked = ""
        self.tags: Tags = {}
        self.note = high(Text("", most=TextSize.TEXT, ink=theme.now.muted), 44)
        self.list = Paged(lambda: DeckRow(self), self.say)
        self.new = Tap(self.say(N_("New deck")), self._name_new_deck, kind="main", most=TextSize.TEXT)
        self.read = Tap(self.say(N_("Read a file")), lambda: self.app.go("files"), most=TextSize.TEXT)
        for part in (self.note, self.list, high(row(self.new, self.read), 56)):
            self.body.add_widget(part)

    def enter(self, told: str = "") -> None:
        self.asked, self.told, self.app.evening.note = "", told, None

    def show(self) -> None:
        evening = self.app.evening
        hint = self.say(N_("The table knows the cards of every deck."))
        if evening.deck.settled:
            self.tags, hint = evening.deck.tags, self.told or hint
        self.note.show(message(evening.note, self.app.lang) if evening.note else hint)
        self.list.show(model.decks(self.tags, self.app.lang))
        self.new.show(self.new.words.text, kind="plain" if self.asked else "main")

    def export(self, name: str) -> None:
        where_page.export(self.app, partial(self.app.evening.deck.export, name, self.app.evening.exports), "decks")

    def forget(self, name: str) -> None:
        if self.asked == name:
            self.app.evening.deck.enrol(deck.without(self.app.evening.deck.tags, name))
        self.asked = "" if self.asked == name else name
        self.show()

    def _name_new_deck(self) -> None:
        go = self.app.go
        self.app.go("write", title=self.say(N_("Name of the deck")), text="",
                    done=lambda said: go("deck", named=said) if said else go("decks"))  # fmt: skip


class LineRow(BoxLayout):
    """A line to read, or to touch where that does something."""

    def __init__(self) -> None:
        super().__init__()
        self.line = Tap("", most=TextSize.TEXT)
        self.add_widget(self.line)

    def show(self, item: tuple[str, Callable[[], object] | None]) -> None:
        text, act = item
        self.line.show(text, disabled=act is None)
        self.line.act = act


class FilesPage(Sheet):
    """The deck files among the exports. One is read when it is touched; a deck that is there is asked about first.

    All that is wrong with a file is listed in place of the files.
    """

    title = N_("Read a file")

    def fill(self) -> None:
        self.note = high(Text("", most=TextSize.TEXT, ink=theme.now.muted), 56)
        self.list = Paged(LineRow, self.say)
        self.body.add_widget(self.note)
        self.body.add_widget(self.list)

    def enter(self) -> None:
        self.wrong: list[str] = []
        self.asked: Path | None = None
        self.list.from_the_top()

    def show(self) -> None:
        if self.wrong:
            self.note.show(self.say(N_("Nothing was read. Put this right in the file:")))
            self.list.show([(line, None) for line in self.wrong])
            return
        folder = self.app.evening.exports.folder
        files = model.files(folder)
        here = (
            N_("Files in {folder}. Put yours there.")
            if files
            else N_("There is no file in {folder} yet: put one there.")
        )
        self.note.show(self.say(here, folder=str(folder)))
        replace = self.say(N_("Replace the deck of that name?"))
        lines = {file: f"{file.name}: {replace}" if file == self.asked else file.name for file in files}
        self.list.show([(line, partial(self._read_file, file)) for file, line in lines.items()])

    def close(self) -> None:
        self.app.go("files" if self.wrong else "decks")

    def _read_file(self, file: Path) -> None:
        tags = self.app.evening.deck.tags
        try:
            read = model.read(file, tags)
        except ConfigError as error:
            self.wrong = [line.removeprefix(f"{file.parent}/") for line in error.lines]
            self.show()
            return
        if read.name in deck.names(tags) and self.asked != file:
            self.asked = file
            self.show()
            return
        self.app.evening.deck.enrol(deck.brought(tags, read))
        self.app.go("decks", told=self.say(N_("{file} has been read: {deck}."), file=file.name, deck=Said(read.name)))
