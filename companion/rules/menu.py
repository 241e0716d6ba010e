"""Menus: lists of entries, and numbers. A screen draws them, an ear steps through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from companion.rules import N_, Event
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.message import Message

IS = N_("{setting}: {value}.")
UP, DOWN = N_("One step up."), N_("One step down.")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list: its text, and what taking it leads to.

    Two entries of a list never have the same text, as an entry is found again by its text after another player's move.
    """

    text: str
    facts: Data = field(default_factory=dict)  # of every kind that can be said
    then: Then = ()
    main: bool = False
    """Whether it is the usual choice."""
    name: str = ""
    """Its key, if its text changes."""
    private: bool = False
    """Whether a display covers it in a list that lies open."""

    @property
    def key(self) -> tuple[str, str]:
        """Return the key by which the entry is found again in a list that is built anew."""
        return (self.name, "") if self.name else (self.text, repr(sorted(self.facts.items())))


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that stands above a list's entries; the ear comes by it first. Its `weight` is for the screen."""

    text: str
    facts: Data = field(default_factory=dict)
    weight: Literal["lead", "plain", "strong", "heading", "warning"] = "plain"

    @property
    def entry(self) -> Entry:
        """Return the note as an entry of a list; taking it says it once more."""
        return Entry(self.text, self.facts, [Saying("", self.text, self.facts)])


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice among values, each of which does something when it is taken.

    A screen shows the values side by side, or steps down and up where they are a `scale`. An ear hears which one is
    chosen, and takes another.
    """

    name: str
    values: Sequence[Entry]
    now: int
    """The index of the chosen value; -1 for none."""
    scale: bool = False
    sign: str = ""
    """A picture in place of its name, for players who cannot read."""

    def near(self, by: int) -> Entry | None:
        """Return the value `by` steps up the scale; None beyond its ends."""
        return self.values[self.now + by] if 0 <= self.now + by < len(self.values) else None

    @property
    def entry(self) -> Entry:
        """Return the setting as an entry of a list."""
        if self.scale:
            others = [
                Entry(text, {}, self._take_action(of)) for text, by in ((UP, 1), (DOWN, -1)) if (of := self.near(by))
            ]
        else:
            others = [
                Entry(of.text, of.facts, self._take_action(of)) for at, of in enumerate(self.values) if at != self.now
            ]
        return Entry(IS, self._confirmation(self.values[self.now]), Choice(None, others), name=self.name)

    def _take_action(self, value: Entry) -> Do:
        """Return an action that takes a value and says so."""

        def act() -> Then:
            done(value.then)
            return (Saying("", IS, self._confirmation(value)),)

        return Do(act)

    def _confirmation(self, value: Entry) -> Data:
        return {"setting": Message(self.name), "value": Message(value.text, **value.facts)}


@dataclass(frozen=True, slots=True)
class Choice:
    """A list. A `private` one is a ring that begins at a place only the ear knows: counting presses reveals nothing."""

    ask: Saying | None
    entries: Sequence[Entry]
    private: bool = False
    title: str = ""
    body: Sequence[Note | Setting] = ()
    """The notes above the entries."""

    @property
    def steps(self) -> Sequence[Entry]:
        """Return all entries that an ear steps through; a note that is taken is said once more."""
        return [*(of.entry for of in self.body), *(of for of in self.entries if not isinstance(of.then, Typing))]


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `least` to `most`, stepped up and down; `then` continues with it. A `private` one is a ring."""

    ask: Saying | None
    least: int
    most: int
    then: Callable[[int], Then]
    private: bool = False
    begins: int = 0
    """The first value of a public number."""
    entries: Sequence[Entry] = ()
    """What can be taken instead, where a list is read."""


@dataclass(frozen=True, slots=True)
class Typing:
    """A line of text that is typed, `text` to begin with. An ear, which has one button, leaves its entry out."""

    ask: str
    text: str
    then: Callable[[str], Then]
    screen_only: bool = False
    """Whether phones leave its entry out too, such as that of a place for files."""


@dataclass(frozen=True, slots=True)
class Do:
    """An action besides an event of the game, such as beginning a game or putting a decision to the table.

    `act` does it and returns what follows. If that is a list, `then` makes it anew without repeating the action.
    """

    act: Callable[[], Then]
    then: Then = ()


Made = Event | Choice | Number | Typing | Do | Sequence[Saying]
"""The outcome of taking an entry: an event, another list, a number, a text, an action, or sentences."""
Then = Made | Callable[[], "Then"]
"""The same, or a function that makes it when it is asked for."""


class Dialogue(Protocol):
    """Menus that change while they are shown; `menu` is built anew for every look. A dialogue derives from it where it
    has nothing to begin or to end."""

    @property
    def title(self) -> str: ...
    def begin(self) -> None:
        """Prepare the dialogue: somebody has opened it."""
        return

    def end(self) -> None:
        """Close the dialogue: everybody has left it."""
        return

    def menu(self) -> Choice: ...


def leads(dialogue: Dialogue) -> Entry:
    """Return the entry that leads to a dialogue."""

    def begin() -> Then:
        dialogue.begin()
        return dialogue.menu

    return Entry(dialogue.title, {}, Do(begin, dialogue.menu))


def noted(text: str, weight: Literal["lead", "plain", "strong", "heading", "warning"] = "plain") -> Note:
    """Return a message, or plain words, as a note."""
    if isinstance(text, Message):
        return Note(text.template, text.facts, weight)
    return Note("{words}", {"words": text}, weight)


def done(then: Then) -> None:
    """Run the action of an entry; anything else is left to the list that follows."""
    if isinstance(action := made(then), Do):
        action.act()


def made(then: Then) -> Made:
    """Resolve a deferred result by calling it until it is no function any more."""
    while callable(then):
        then = then()
    return then
