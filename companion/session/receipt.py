"""The receipt of an act, and the line of the acts that stand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion.games import position_of
from companion.rules import Amend, AnyGame, Choose, Decide, Event, Redo, Reveal, Ruling, Seat, Setup, Undo
from companion.rules.cards import Card
from companion.rules.layout import open_cards
from companion.rules.outline import verb
from companion.rules.views import Derived, View


@dataclass(frozen=True)
class Receipt:
    """The outcome of one act: accepted or not, the event and the rulings.

    `number` counts accepted events from 1 and stays 0 for a refusal or a note, which are not journaled. `before` is the
    act that stands before this one; for what never stands (undo, redo, amend, a refusal) it is the last that stands
    after it. `standing` is how many acts stand then.
    """

    ok: bool
    event: Event | None = None
    rulings: Sequence[Ruling] = ()
    number: int = 0
    by: str | None = None
    at: str | None = None
    game: AnyGame | None = field(default=None, repr=False, compare=False)
    setup: Setup | None = field(default=None, repr=False, compare=False)
    state: Any = field(default=None, repr=False, compare=False)  # its game alone knows what it is
    """The state after the act; None for an act that never reached the game. For the referee, never for the screen."""
    before: Receipt | None = field(default=None, repr=False, compare=False)
    standing: int = field(default=0, compare=False)

    @cached_property
    def view(self) -> View:
        """Return the public view after the act. Only for what reached the game."""
        assert self.game
        view: View = self.game.view(self.state)
        return view

    @cached_property
    def derived(self) -> Derived:
        """Return what the game says beside its view."""
        return self.game.derived(self.state) if self.game else {}

    @cached_property
    def open(self) -> Sequence[str]:
        """Return the cards that lie open after the act, by name: everybody has seen them.

        Only for what reached the game.
        """
        assert self.game and self.setup
        lying = position_of(self.game.name).layout(self.view, self.setup.options)
        return open_cards(lying)

    @property
    def verb(self) -> str:
        """Return the event's verb as transcripts write it, "" without an event."""
        return verb(type(self.event)) if self.event else ""

    @property
    def public(self) -> tuple[Ruling, ...]:
        """Return the rulings for everybody's eyes: all that screen, lamps, voice and log may know."""
        return tuple(ruling for ruling in self.rulings if ruling.seat is None)

    @property
    def whispered(self) -> bool:
        """Return whether this is only said into ears: nothing has happened, and nobody else need know."""
        return not self.number and self.ok and bool(self.rulings) and not self.public

    @property
    def last(self) -> Receipt | None:
        """Return the last act that stands: this one, unless it only turned to another line."""
        return self if self.number and not isinstance(self.event, Undo | Redo | Amend) else self.before

    @classmethod
    def refusal(cls, ruling: Ruling) -> Receipt:
        """Return the receipt of a refusal before there was an event."""
        return cls(False, rulings=(ruling,))

    @classmethod
    def note(cls, ruling: Ruling) -> Receipt:
        """Return the receipt of an announcement by the table that changes nothing."""
        return cls(True, rulings=(ruling,))


# -- the line ---------------------------------------------------------------------------------------------------


def backwards(last: Receipt | None, stop: Receipt | None = None) -> Iterator[Receipt]:
    """Yield the acts that stand, newest first, down to but without `stop`."""
    while last is not stop and last is not None:
        yield last
        last = last.before


def acts(last: Receipt | None, stop: Receipt | None = None) -> Sequence[Receipt]:
    """Return the acts that stand, oldest first, from the one after `stop`."""
    return list(backwards(last, stop))[::-1]


def find(last: Receipt | None, number: int) -> Receipt | None:
    """Return the act with that number, None if it does not stand."""
    return next((act for act in backwards(last) if act.number == number), None)


def fork(one: Receipt | None, other: Receipt | None) -> Receipt | None:
    """Return the last act that two lines have in common, None where they share only the opening."""
    while one is not other:
        if one is not None and (other is None or one.standing >= other.standing):
            one = one.before
        elif other is not None:
            other = other.before
    return one


def chosen(last: Receipt | None) -> Mapping[Seat, Card]:
    """Return the cards that lie face down after this act."""
    return {seat: card for seat, (_, card) in sealed(last).items()}


def sealed(last: Receipt | None) -> Mapping[Seat, tuple[int, Card]]:
    """Return the cards that lie face down after this act, each with the number of the act that laid it."""
    found: dict[Seat, tuple[int, Card]] = {}
    for act in backwards(last):
        match act.event:
            case Choose(seat, card):
                found.setdefault(seat, (act.number, card))
            case Reveal():
                break
            case Decide(_, change) if change is not None:
                break
    return found


def unseen(line: Sequence[Receipt]) -> tuple[Collection[int], Collection[int]]:
    """Return the numbers of acts that laid cards nobody has seen, in two sets.

    The first has the cards chosen since the last reveal, the second those that were replaced or taken up before one.
    """
    covered: set[int] = set()
    since: set[int] = set()
    lying: dict[Seat, int] = {}
    for act in line:
        match act.event:
            case Choose(seat):
                since.add(act.number)
                covered |= {lying[seat]} if seat in lying else set()
                lying[seat] = act.number
            case Decide(_, change) if change is not None:
                covered |= {*lying.values()}
                lying = {}
            case Reveal():
                since, lying = set(), {}
    return since, covered - since


# -- The line of the acts that stand, and how undo, redo and amend turn it (T-5, T-7, T-8) -------------------------


@dataclass(frozen=True, slots=True)
class ActLine:
    """Acts, each of which knows the one before it: `last` is the newest, None at the opening."""

    last: Receipt | None = None
    amended: Amended | None = None
    """The newest amendment in it."""
    left: ActLine | None = None
    """The line that a redo brings back: the one that the last undo has left."""

    def after(self, act: Receipt) -> ActLine:
        """Return the line with one more act; what was left cannot be brought back any more."""
        return ActLine(act, self.amended)

    @property
    def step(self) -> Amended | None:
        """Return the amendment that is its newest step, None where an act is."""
        return self.amended if self.amended and self.amended.after is self.last else None

    def undone(self) -> ActLine:
        """Return the line without its newest step: an amendment as a whole, or else an act.

        Needs a line with an act in it.
        """
        if self.step:
            return ActLine(self.step.before.last, self.step.before.amended, self)
        assert self.last
        return ActLine(self.last.before, self.amended, self)

    def back_to(self, act: Receipt | None) -> ActLine:
        """Return the line up to this act, in which each act that stands is a separate step."""
        return ActLine(act, None, self)

    def amended_to(self, last: Receipt, ruling: Ruling | None = None) -> ActLine:
        """Return the line that an amendment has made of it, which is one step, told by this ruling."""
        return ActLine(last, Amended(last, self, ruling))


@dataclass(frozen=True, slots=True)
class Amended:
    """An amendment: the end of the line it made, and the line as it was before."""

    after: Receipt
    before: ActLine
    ruling: Ruling | None = None
