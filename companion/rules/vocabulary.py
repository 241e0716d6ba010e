"""The names of things on a table: the words that all games share, and those that a game's record brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from companion.rules import N_, NC_, plural


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words by what they stand for. A game need bring none: what has no word is called by its key."""

    pieces: Mapping[str, str] = field(default_factory=dict)
    """The pieces of a layout, with their {count}; a colour before one of them is whose it is, as in "red counter"."""
    places: Mapping[str, str] = field(default_factory=dict)
    """The places of a layout by their first word; the rest of a place is whose it is, or where: "hand red"."""
    ways: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """How something goes from these places and to them, where "from" and "to" with the name will not do in every
    language."""
    own: Mapping[str, str] = field(default_factory=dict)
    """Of these places, those that lie before a seat: what they are called there."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Of these places, those that need another name beside what lies there: "Counters on Asia"."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """Of these places, those that are looked at apart from the board."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of things in events and views: provinces, pieces."""
    heard: Mapping[str, str] = field(default_factory=dict)
    """Such names for the ear, where they are written short."""
    states: Mapping[str, str] = field(default_factory=dict)
    """What is going on, and whose a thing is, in a word or two."""
    values: Mapping[str, str] = field(default_factory=dict)
    """The values of options, in a word or two."""
    acts: Mapping[str, str] = field(default_factory=dict)
    """By verb: what is offered, on screen and by ear, as somebody would say what they are about to do: "Pass", "Play
    a card". A template that names a fact is offered once for each of its values: "Say {accept}". By verb and key
    ("offer.promise"): what can be added in words."""
    done: Mapping[str, str] = field(default_factory=dict)
    """By verb: what an act is called that was made: "{seat:of} card"; one that names no seat is the table's."""
    joins: Mapping[str, str] = field(default_factory=dict)
    """How two places of a board's data are joined, by its key: of {a} and {b}; and with "more" before the key, what
    joins two others."""


CARD = "card"
"""A card that nobody sees; one that lies open is named by itself, as "red 7"."""
BANK = "bank"
"""The place that chips come from and go to; it is no place of a layout."""

KNOWN = Vocabulary(
    pieces={
        CARD: plural("{count} card", "{count} cards"),
        "chip": plural("{count} chip", "{count} chips"),
        "counter": plural("{count} counter", "{count} counters"),
        "red counter": plural("{count} red counter", "{count} red counters"),
        "blue counter": plural("{count} blue counter", "{count} blue counters"),
        "green counter": plural("{count} green counter", "{count} green counters"),
        "yellow counter": plural("{count} yellow counter", "{count} yellow counters"),
        "purple counter": plural("{count} purple counter", "{count} purple counters"),
    },
    places={
        BANK: N_("the bank"),
        "box": N_("beside the board or in the box"),
        "beside": N_("beside the board"),
        "hand": N_("{of:of} hand"),
        "sealed": N_("in front of {of}, face down"),
        "before": N_("in front of {of}"),
        "aside": N_("{of:of} used cards"),
    },
    ways={
        BANK: (N_("from the bank"), N_("to the bank")),
        "box": (N_("from the box"), N_("to the box")),
        "hand": (N_("from {of:of} hand"), N_("to {of:of} hand")),
        "sealed": (N_("from in front of {of} (face down)"), N_("to the place in front of {of} (face down)")),
        "before": (N_("from in front of {of}"), N_("to the place in front of {of}")),
        "aside": (N_("from {of:of} used cards"), N_("to {of:of} used cards")),
    },
    own={"hand": N_("hand"), "sealed": N_("face down"), "before": N_("in front"), "aside": N_("put aside")},
    sides={"": N_("The board")},
    names={
        "red": N_("Red"),
        "blue": N_("Blue"),
        "green": N_("Green"),
        "yellow": N_("Yellow"),
        "purple": N_("Purple"),
        "black": N_("Black"),
        "white": N_("White"),
    },
    states={"choosing": N_("choosing cards"), "over": N_("the game is over"), "neutral": N_("neutral")},
    values={"none": N_("none")},
    acts={"choose": N_("Choose a card"), "pass": N_("Pass"), "reveal": N_("Reveal the cards")},
    done={
        "choose": N_("{seat:of} card"),
        "pass": N_("{seat:of} pass"),
        "reveal": N_("the reveal"),
        "decide": N_("the decision"),
    },
)
"""The words that all games share, and those that the games here bring."""
COLOURS = tuple(KNOWN.names)


def learn(words: Vocabulary) -> None:
    """Add a game's words to those of all games, except `acts`: a verb may be another act in another game."""
    for kind in fields(Vocabulary):
        if kind.name == "acts":
            continue
        known = getattr(KNOWN, kind.name)
        known.update(getattr(words, kind.name))


def value_word(value: object) -> str:
    """Return what a value of an option is called, to be translated."""
    if isinstance(value, bool):
        return NC_("option", "on") if value else NC_("option", "off")
    return KNOWN.values.get(str(value), str(value).replace("_", " "))
