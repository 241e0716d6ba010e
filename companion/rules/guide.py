"""What a game can tell when it is asked: what a ruling rests on, and how it is played.

A guide is made of what everybody may know and never sees a state, so nothing it says can give away what is hidden
(law 2). Every game can be asked without one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.rules import Options, Seat
from companion.rules.data import Data
from companion.rules.layout import Layout
from companion.rules.outline import Outline
from companion.rules.views import Derived, View

V = TypeVar("V", bound=View)
B = TypeVar("B", bound=Derived)


@dataclass(frozen=True, slots=True)
class Known(Generic[V, B]):
    """Everything public about a game at one moment."""

    seats: Sequence[Seat]
    options: Options
    view: V
    derived: B
    outlines: Sequence[Outline] = ()
    """The acts that are possible, as far as everybody may know."""
    reveal: str = "fists"
    """"auto" where there are no buttons: no fists are held."""


AnyKnown = Known[Any, Any]
"""Some game's moment: which views it has is known to its game alone."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence of a guide, and the clause it rests on; `text` is a template, `facts` what it names."""

    rule: str
    text: str
    facts: Data = field(default_factory=dict)  # of every kind that can be said
    lies: Layout = field(default_factory=dict)
    """In a set-up: the places that this step lays out, with their pieces. BOARD is the game's board."""


BOARD, ROOM = "board", "room"
"""The place of a game's board in a set-up, and the piece for room that is left for a card."""


@dataclass(frozen=True, slots=True)
class Lesson(Generic[V, B]):
    """A clause as a newcomer is told it: once, just before it first matters, in one sentence.

    `when` says whether it is about to matter, `to` whom: the seats it is told beside, none for everybody.
    """

    key: str
    rule: str
    text: str
    when: Callable[[Known[V, B]], bool]
    to: Callable[[Known[V, B]], Sequence[Seat]] = lambda _: ()
    said: Callable[[Known[V, B]], Data] = lambda _: {}
    """The facts that the text names."""
    acts: Collection[str] = ()
    """The verbs of the acts that it speaks of: it is told only while one of them is possible."""
    only: Mapping[str, Sequence[object]] = field(default_factory=dict)
    """The values of the options with which it is told; of an option that is not named here, all."""

    def fits(self, options: Options) -> bool:
        """Return whether a game with these options has the lesson."""
        return all(options[name] in values for name, values in self.only.items())

    def matters(self, at: Known[V, B]) -> bool:
        """Return whether the lesson is about to matter, and what it speaks of can be done."""
        possible = not self.acts or any(outline.verb in self.acts for outline in at.outlines)
        return possible and self.fits(at.options) and bool(self.when(at))


@dataclass(frozen=True, slots=True)
class Counted:
    """What a number on the table is made of: the rulings with these codes, since the last one with a code of `since`.

    `by` is the fact, or the facts, that name the seat or the place whose number it is, alone or among others; "" where
    the number is the table's. Where pieces join others, `joins` is the fact that names where they came from: what
    their number was made of belongs to it too. `title` heads the page that explains it, with {of} as its owner.
    """

    codes: Collection[str]
    title: str = field(kw_only=True)
    since: Collection[str] = ()
    by: str | Sequence[str] = "seat"
    joins: str = ""


@dataclass(frozen=True, slots=True)
class Guide(Generic[V, B]):
    """What one game has to say when it is asked; every part may be left out."""

    minutes: int = 0
    """The length of a game in minutes, as the box says; 0 where nothing does."""
    spare: Saying | None = None
    """The reason why a {colour} is best left free as long as not all are wanted; None where any will do."""

    # why
    because: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By the code of a ruling: codes of those that give its reason, the best first. They are looked for in its own
    act, and then in the acts before it; a ruling that is not named gives its reason itself."""
    quiet: Collection[str] = ()
    """Codes of rulings that say only what comes next or what else is paid, never what an act came to."""
    moves: Mapping[str, str] = field(default_factory=dict)
    """By the code of a ruling: the sentence that the table is told of it beside the outcome of the act, as on pieces
    or cards that people move, or on the tie that decided it."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of its rulings' facts beside their values; others by their key in plain words."""
    hidden: Collection[str] = ()
    """Facts that a sentence, a contest or a picture says already."""
    rows: Mapping[str, str] = field(default_factory=dict)
    """Facts that are rows of pawns, drawn and not written, each with what it is called."""
    near: Mapping[str, str] = field(default_factory=dict)
    """By what a contest is for: how close it was, of {seat} and the {value} it would have needed."""
    numbers: Mapping[str, Counted] = field(default_factory=dict)
    """By a word for it: what each number that the screen shows is made of."""

    begins: Collection[str] = ("choose",)
    """Verbs with which the table turns to something new: what went wrong before is for the log."""

    did: Mapping[str, str] = field(default_factory=dict)
    """By the code of a move's first ruling: what was done, without its outcome, as corrections name it: "{seat} said
    yes to {pleader}."; a ruling that is not named says it itself."""

    ends: Mapping[str, str] = field(default_factory=dict)
    """By the code of a ruling: what it ends, as people remember it: "Trick {number}"."""

    # a first game
    aim: str = ""
    """The aim of the game, in two sentences."""
    layout: Callable[[Sequence[Seat], Options], Sequence[Saying]] = lambda *_: ()
    """The set-up for these seats: a line each, in the order people do it."""
    lessons: Sequence[Lesson[V, B]] = ()
    """The lessons for newcomers, in the order of the rules."""


AnyGuide = Guide[Any, Any]
"""Some game's guide: which views it takes is known to its game alone."""
