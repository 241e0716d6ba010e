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
    """One thing in a list: what is said of it, and what comes of taking it. Two entries of a list never say the same:
    by what it says an entry is found again after somebody else's act."""

    text: str
    facts: Data = field(default_factory=dict)  # of every kind that can be said
    then: Then = ()
    main: bool = False
    """What most people want here."""
    name: str = ""
    """By which it is found again, where what it says changes."""

    @property
    def key(self) -> tuple[str, str]:
        """By which it is found again in a list that is built anew."""
        return (self.name, "") if self.name else (self.text, repr(sorted(self.facts.items())))


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that stands above a list's entries; the ear comes by it first. Its `weight` is for the screen."""

    text: str
    facts: Data = field(default_factory=dict)
    weight: Literal["lead", "plain", "strong", "heading", "warning"] = "plain"

    @property
    def entry(self) -> Entry:
        """The same as an entry of a list; where it is taken it is said once more."""
        return Entry(self.text, self.facts, [Saying("", self.text, self.facts)])


@dataclass(frozen=True, slots=True)
class Setting:
    """What is chosen among values, each of which does something when it is taken. A screen shows them side by side, or
    steps down and up where they are a `scale`; an ear hears which one is chosen, and takes another."""

    name: str
    values: Sequence[Entry]
    now: int
    """Which of them is chosen; -1 for none."""
    scale: bool = False
    sign: str = ""
    """A picture that stands for it, for those who cannot read its name."""

    def near(self, by: int) -> Entry | None:
        """Return the value so many steps up a scale; None beyond its ends."""
        return self.values[self.now + by] if 0 <= self.now + by < len(self.values) else None

    @property
    def entry(self) -> Entry:
        """The same as an entry of a list."""
        if self.scale:
            others = [Entry(text, {}, self._take(of)) for text, by in ((UP, 1), (DOWN, -1)) if (of := self.near(by))]
        else:
            others = [Entry(of.text, of.facts, self._take(of)) for at, of in enumerate(self.values) if at != self.now]
        return Entry(IS, self._as(self.values[self.now]), Choice(None, others), name=self.name)

    def _take(self, value: Entry) -> Do:
        """Takes a value and says so."""

        def act() -> Then:
            then = made(value.then)
            if isinstance(then, Do):
                then.act()
            return (Saying("", IS, self._as(value)),)

        return Do(act)

    def _as(self, value: Entry) -> Data:
        return {"setting": Message(self.name), "value": Message(value.text, **value.facts)}


@dataclass(frozen=True, slots=True)
class Choice:
    """A list. One that is `private` is a ring that begins at a place only the ear knows: who counts presses learns
    nothing."""

    ask: Saying | None
    entries: Sequence[Entry]
    private: bool = False
    title: str = ""
    body: Sequence[Note | Setting] = ()
    """What stands above the entries."""

    @property
    def steps(self) -> Sequence[Entry]:
        """All that an ear steps through: a note that is taken is said once more."""
        return [*(of.entry for of in self.body), *(of for of in self.entries if not isinstance(of.then, Typing))]


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `least` to `most`, stepped up and down; `then` says what comes of it. A `private` one is a ring."""

    ask: Saying | None
    least: int
    most: int
    then: Callable[[int], Then]
    private: bool = False
    bare: bool = False
    """No chips are counted."""
    begins: int = 0
    """Where a number that is no secret is first."""


@dataclass(frozen=True, slots=True)
class Typing:
    """A line of text that is typed, `text` to begin with. An ear, which has one button, leaves its entry out."""

    ask: str
    text: str
    then: Callable[[str], Then]


@dataclass(frozen=True, slots=True)
class Do:
    """Something besides an event of the game: begins a game, puts a decision to the table. It returns what follows; a
    list in which the ear stands from then on is `then` as well, to be made anew without its being done once more."""

    act: Callable[[], Then]
    then: Then = ()


Made = Event | Choice | Number | Typing | Do | Sequence[Saying]
"""What comes of an entry: an event, another list, a number, a text, something to be done, sentences."""
Then = Made | Callable[[], "Then"]
"""The same, or what makes it when it is asked for."""


class Dialogue(Protocol):
    """Menus that change while they are shown; `menu` is built anew for every look."""

    @property
    def title(self) -> str: ...
    def begin(self) -> None:
        """Somebody has come to it."""

    def end(self) -> None:
        """Everybody has left it."""

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


def made(then: Then) -> Made:
    """What comes of it, made now."""
    while callable(then):
        then = then()
    return then
