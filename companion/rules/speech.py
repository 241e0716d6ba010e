"""What a game says aloud: its rulings as they are heard, and what a player asks for by ear.

Templates are like those of rulings, collected with them, but made for the ear: short, one thought a sentence, every
number in its place, nothing in brackets. A game's `voice.py` holds its `SPEECH`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.rules import Ruling, Said, Seat
from companion.rules.data import Data
from companion.rules.guide import Known, Saying
from companion.rules.line import Sound
from companion.rules.views import Derived, View

V = TypeVar("V", bound=View)
B = TypeVar("B", bound=Derived)


class Explained(str):
    """A template for the ear, and the same thing with its explanation, which a seat soon knows: "Fist." and `full`.

    The explanation is all that `full` says more. `companion.voice.explanations` counts how often a seat heard it.
    """

    __slots__ = ("full",)
    full: str


def explained(short: str, full: str) -> Explained:
    """Return the short template, with the full one for the first few times: `explained(N_("Fist."), N_("Fist. …"))`."""
    text = Explained(short)
    text.full = full
    return text


class Letters(Said):
    """Letters that are spelled, one by one."""


class Address(str):
    """An address to type into a browser: by ear, its digits one by one and its signs by their names."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class OptionSpeech:
    """How an option is spoken of before a game: its name, what its values mean, and words for those written short."""

    name: str
    meanings: Mapping[object, str] = field(default_factory=dict)
    words: Mapping[Any, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Heard:
    """How a ruling sounds: with few words and with all of them; "" says nothing.

    Both are templates, filled with the ruling's own facts and with `facts`. Where only one way is given, `full` is
    `brief`. One that `stays` is never cut off.
    """

    brief: str = ""
    full: str | None = None
    sound: Sound | None = None
    stays: bool = False
    facts: Data = field(default_factory=dict)  # of every kind that can be said


SILENT = Heard()
"""Nothing: another ruling of the same act says it, or it is of no use to the ear."""

Hears = Heard | Callable[[Ruling], Heard]
"""The sound of the rulings with one code: alike, or by what is in them."""


def nothing(*_: object) -> Sequence[Saying]:
    return ()


@dataclass(frozen=True, slots=True)
class Speech(Generic[V, B]):
    """Everything one game says aloud; what is left out is said as it is read.

    `lies` is what lies on the table, `holds` what this seat alone knows (the private part of its view): a sentence for
    each thing, the most important first.
    """

    rulings: Mapping[str, Hears] = field(default_factory=dict)
    """By code: of every ruling of the game, refusals too."""
    lies: Callable[[Known[V, B]], Sequence[Saying]] = nothing
    holds: Callable[[Known[V, B], Seat, Data], Sequence[Saying]] = nothing
    asks: Mapping[str, str] = field(default_factory=dict)
    """By verb and key ("offer.chips"): the question for that value. It may name what has been answered before it."""
    values: Mapping[str, Callable[[Known[V, B], Any, Data], Saying]] = field(default_factory=dict)
    """By verb and key: a value with what one must know of it to choose, such as what stands at a place; made from the
    value and what has been answered before it. Without one it is said as it is."""
    announced: Mapping[str, Callable[[Known[V, B]], int]] = field(default_factory=dict)
    """By verb and key: an amount that all are told at once, so that nothing about choosing it is secret; and where it
    most likely is, by what everybody knows."""
    own: Mapping[str, str] = field(default_factory=dict)
    """By verb: what the player hears in the ear of an own act that was accepted, filled with the event: "{card}, face
    down"."""
    details: Callable[[Known[V, B], Saying], Sequence[Saying]] = nothing
    """What else there is to say of a thing that `lies` on the table, for a player who asks: its neighbours."""
    options: Mapping[str, OptionSpeech] = field(default_factory=dict)
    """By name of the option."""


AnySpeech = Speech[Any, Any]
"""The speech of any game: only the game knows its views."""
