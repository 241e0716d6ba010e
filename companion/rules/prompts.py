"""What is expected now: of whom, what it is, and what else may be done.

The sentences for it are a game's `prompts.py` and stand nowhere else: the screen shows who and what apart, an ear is
told the same as its own, and the loudspeaker says no more than people need to look up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from companion.rules import N_, NC_, AnyGame, Seat
from companion.rules.data import Data
from companion.rules.guide import AnyKnown, Known, Saying
from companion.rules.phrases import part
from companion.rules.speech import explained
from companion.rules.views import Derived, View

V = TypeVar("V", bound=View)
B = TypeVar("B", bound=Derived)

Way = Literal["card", "press", "hold", "fists", "finger"]
"""The means of an act: a card on a reader, a button pressed or held down, all fists opened together, the screen."""


@dataclass(frozen=True, slots=True)
class Can:
    """An act that is possible now: its verb, by whom (nobody named: by the table together), how, and by which clause.

    `says` names who and what, not how: "{seats}: choose a card and lay it face down." What a button means is said by
    `press` and `hold` where an act has both ("yes", "no").
    """

    verb: str
    seats: Sequence[Seat]
    says: Saying
    ways: Sequence[Way] = ("finger",)
    press: str = ""
    hold: str = ""


@dataclass(frozen=True, slots=True)
class Now:
    """What may be done now, and why something one might expect is not possible."""

    can: Sequence[Can]
    cannot: Sequence[Saying] = ()


def any_now(known: AnyKnown) -> Now:
    """Return everything that can be done by finger, by its verb: for a game without a guide."""
    text = N_("{seats}: {verb}.")
    found: list[Can] = []
    for outline in known.outlines:
        named = outline.keys.get("seat", ("", None))[1]
        seats = tuple(seat for seat in named or () if seat)
        at = {"seats": seats or tuple(known.view["waiting"]), "verb": outline.verb.replace("_", " ")}
        found.append(Can(outline.verb, seats, Saying("T-1", text, at)))
    return Now(found)


ONE_BY_ONE, EVERYBODY = N_("{seats}:"), N_("Everybody:")


@dataclass(frozen=True, slots=True)
class RevealWords:
    """The words of a reveal by buttons: while the voice counts, the signal itself, and the request to follow it."""

    wait: str
    signal: str
    now: str


CARDS = RevealWords(
    NC_("cards", "hold on until the voice says “open”"), NC_("cards", "Open!"), N_("turn your cards over – now!")
)
FISTS = RevealWords(N_("hold on until the voice says “open”"), N_("Open!"), N_("open your fists – now!"))


def reveal_words(game: AnyGame) -> RevealWords:
    """Return the words for what a game reveals: its players' own cards, or chips in their fists."""
    return CARDS if game.owned else FISTS


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table waits for. `what` goes on after `who`: "Anna:", "play below 5, or pass".

    `seats` are awaited, alone or together; none named is everybody. `short` says `what` where there is less room.
    """

    rule: str
    seats: Sequence[Seat]
    what: str
    facts: Data = field(default_factory=dict)  # of every kind that can be said
    who: str = ""
    short: str = ""

    @property
    def named(self) -> str:
        """Return the template of `who`."""
        return self.who or (ONE_BY_ONE if self.seats else EVERYBODY)


def yours(prompt: Prompt | None, seat: Seat) -> Saying | None:
    """Return the prompt for the ear of a seat; None for a seat that is not awaited."""
    if prompt is None or seat not in prompt.seats:
        return None
    text = N_("Your turn: {what}.") if len(prompt.seats) == 1 else N_("{what}.")
    return Saying(prompt.rule, text, {"what": part(prompt.what, **prompt.facts)})


HOLD = explained(N_("Hold your button."), NC_("cards", "Hold your button until “open”."))


def cards_awaited(at: AnyKnown) -> Saying:
    """Return the prompt for two players who fight: both choose, one has still to choose, or both open."""
    match at.view["waiting"]:
        case [_, _]:
            return Saying("T-1", N_("Your cards, please."))
        case [seat]:
            return Saying("T-1", N_("{seat}, your card."), {"seat": seat})
    return Saying("T-1", N_("Hold your buttons.") if at.reveal == "fists" else N_("Reveal your cards."))


def both_down(at: AnyKnown, seat: Seat) -> Saying | None:
    """Return the prompt to hold the button for a player who has chosen; None before both have, or without fists."""
    if at.view["waiting"] or seat not in at.view["chosen"] or at.reveal != "fists":
        return None
    return Saying("T-1", HOLD)


def any_prompt(known: AnyKnown) -> Prompt:
    """Return whose turn it is: for a game that does not say more."""
    seats = (known.view["turn"],) if known.view["turn"] else tuple(known.view["waiting"])
    return Prompt("T-1", seats, N_("your turn"))


def nobody(*_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Prompts(Generic[V, B]):
    """What one game expects; every part may be left out, and none is asked once the game is over.

    `shown`, `turn` and `mine` go by what is seen on the table: voice and ear ask them without outlines.
    """

    now: Callable[[Known[V, B]], Now] = any_now
    """The possible acts at this moment: a `Can` for each verb of the outlines, at every phase of every variant."""
    shown: Callable[[Known[V, B]], Prompt] = any_prompt
    """The expected act, to be read by everybody."""
    turn: Callable[[Known[V, B]], Saying | None] = nobody
    """The same, said to everybody: no more than the rulings of the last act leave to be said."""
    mine: Callable[[Known[V, B], Seat], Saying | None] = nobody
    """The same in the ear of a seat that is awaited; both are said when they become another than before."""


AnyPrompts = Prompts[Any, Any]
"""The prompts of any game: only the game knows its views."""
