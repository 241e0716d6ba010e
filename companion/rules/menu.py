"""Menus: lists of entries, and numbers. A screen draws them, an ear steps through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from companion.rules import Event
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.message import Message


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a list: what is said of it, and what comes of taking it. Two entries of a list never say the same:
    by what it says an entry is found again after somebody else's act."""

    text: str
    facts: Data = field(default_factory=dict)  # of every kind that can be said
    then: Then = ()
    main: bool = False
    """What most people want here."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that stands above a list's entries; the ear comes by it first. Its `weight` is for the screen."""

    text: str
    facts: Data = field(default_factory=dict)
    weight: Literal["lead", "plain", "strong", "heading", "warning"] = "plain"


@dataclass(frozen=True, slots=True)
class Choice:
    """A list. One that is `private` is a ring that begins at a place only the ear knows: who counts presses learns
    nothing."""

    ask: Saying | None
    entries: Sequence[Entry]
    private: bool = False
    title: str = ""
    said: Sequence[Note] = ()

    @property
    def steps(self) -> Sequence[Entry]:
        """All that an ear steps through: a note that is taken is said once more."""
        return [*(Entry(of.text, of.facts, [Saying("", of.text, of.facts)]) for of in self.said), *self.entries]


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
class Do:
    """Something besides an event of the game: begins a game, puts a decision to the table. It returns what follows; a
    list in which the ear stands from then on is `then` as well, to be made anew without its being done once more."""

    act: Callable[[], Then]
    then: Then = ()


Made = Event | Choice | Number | Do | Sequence[Saying]
"""What comes of an entry: an event, another list, something to be done, sentences."""
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
