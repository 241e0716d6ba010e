"""What a seat can do now, as lists: every act of the game, and for each the values it asks for, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from companion.answers.guide import now
from companion.games import acts_of, speech_of
from companion.rules import N_, AnyGame, Event, Moves, Reveal, Seat
from companion.rules.cards import Card
from companion.rules.data import Data
from companion.rules.guide import AnyKnown, Saying
from companion.rules.menu import Choice, Entry, Note, Number, Then, Typing
from companion.rules.outline import HIDDEN, Outline, outlines, shape_of, verb
from companion.rules.speech import AnySpeech
from companion.rules.words import CARD_COLOURS

VALUE = N_("{value}.")
OWN_FLAG = N_("The flag.")
SURE = N_("{number}. Hold to confirm.")
UNSEEN = N_("All cards are turned up. Hold to confirm.")
"""What nobody can unsee is not done by one press on an ear's only button."""
ALL = N_("That is all.")
FREE = ("text", "opened")
"""Kinds that nobody has to give: words, which are spoken aloud or typed, and times, which come from the buttons."""
MANY = 12
"""A longer list of cards or squares is asked for in two steps."""
PLENTY = 99
"""The highest amount that can be entered for somebody else, whose purse this ear does not know."""
OWN = 199
"""The highest for oneself, whatever the purse holds: how far a ring goes round must not tell it."""

Values = Mapping[str, tuple[str, Sequence[Any]]]
"""By key: the kind of value, and the values that are possible."""


@dataclass(frozen=True)
class Acts:
    """The acts of one seat in one state; `made` turns an event into what taking it does."""

    game: AnyGame
    state: Any  # known to its game alone
    at: AnyKnown
    seat: Seat
    absent: Collection[Seat] = ()
    fists: bool = False
    """Fists make the reveal now, and no entry does: taken by mistake, it could not be undone by turning cards down."""
    made: Callable[[Event], Then] = lambda event: event
    read: bool = False
    """Whether the lists are read on a display: nothing is confirmed by a second touch, amounts are typed, and what only
    this seat may know is told nowhere but in private lists, which the display covers."""

    @property
    def speech(self) -> AnySpeech:
        return speech_of(self.game.name)

    def entries(self) -> list[Entry]:
        """Return an entry for every verb.

        What an entry can be depends on public information only, so its place in the list reveals nothing.
        """
        found: dict[str, list[Values]] = {}
        for outline in outlines(self.game, self.state):
            for values in () if self.fists and outline.verb == verb(Reveal) else self._mine(outline):
                found.setdefault(outline.verb, []).append(values)
        return [entry for name, ways in found.items() for entry in self._offered(name, ways)]

    # -- whose acts ----------------------------------------------------------------------------------------------

    def _mine(self, outline: Outline) -> Sequence[Values]:
        """Return the act as this seat can do it: its own, one of nobody's, or one for a player who has left."""
        if "seat" not in outline.keys:
            return [self._values(outline, None)]
        seats = outline.keys["seat"][1] or ()
        if outline.verb in self._everybodys:
            return [self._values(outline, seat) for seat in seats]
        return [self._values(outline, seat) for seat in seats if seat in (None, self.seat, *self.absent)]

    @property
    def _everybodys(self) -> Collection[str]:
        """Return the verbs of what the table does together, so that anybody may enter it."""
        return {can.verb for can in now(self.game, self.at).can if not can.seats}

    def _values(self, outline: Outline, seat: Seat | None) -> Values:
        """Return what each key can be; hidden values only where they are this seat's own."""
        own = {} if seat != self.seat else self._own(outline.verb)
        found: dict[str, tuple[str, Sequence[Any]]] = {}
        for key, (kind, values) in outline.keys.items():
            if key == "seat":
                found[key] = kind, (seat,)
            elif kind not in FREE:
                found[key] = kind, own.get(key, self._any(kind, seat)) if values is None else values
        return found

    def _own(self, name: str) -> Mapping[str, Sequence[Any]]:
        """Return what this seat's own cards and chips allow."""
        found: dict[str, Sequence[Any]] = {}
        for moves in self._legal(name):
            for key, field in _keys(moves.event):
                if field in moves.values:
                    found.setdefault(key, moves.values[field])
        for key, kind, _ in shape_of(self._event(name)):
            if kind in HIDDEN:
                found.setdefault(key, ())
        return found

    def _legal(self, name: str) -> Sequence[Moves[Event]]:
        return [
            moves
            for moves in self.game.legal(self.state)
            if verb(moves.event) == name and self.seat in moves.values.get("seat", (self.seat,))
        ]

    def _any(self, kind: str, seat: Seat | None) -> Sequence[Any]:
        if kind == "chips":
            return range(PLENTY + 1)
        return self.game.cards(self.at.options, seat) if kind == "card" else ()

    # -- what is asked for ---------------------------------------------------------------------------------------

    def _offered(self, name: str, ways: Sequence[Values]) -> Sequence[Entry]:
        """Return the entry for a verb; where its words name a value, an entry for each value."""
        text = acts_of(self.game.name).get(name, N_("{verb}."))
        for key in ways[0]:
            if "{" + key in text:
                return [
                    Entry(text, {key: value}, partial(self._ask, name, _with(ways, key, value), {key: value}))
                    for value in _values(ways, key)
                ]
        facts = {"verb": name.replace("_", " ")} if text == "{verb}." else {}
        return [Entry(text, facts, partial(self._ask, name, ways, {}))]

    def _ask(self, name: str, ways: Sequence[Values], chosen: Data) -> Then:
        """Ask for the next value that is not settled; return the event once all are."""
        for key, (kind, _) in ways[0].items():
            if key in chosen:
                continue
            values, private = _values(ways, key), self._private(f"{name}.{key}", kind, ways)
            if len(values) == 1 and not private and not (self.read and kind in HIDDEN):
                chosen = {**chosen, key: values[0]}
                continue
            return self._asked(name, ways, chosen, key, private)
        event = self._event(name)(**{field: chosen[key] for key, field in _keys(self._event(name)) if key in chosen})
        if isinstance(event, Reveal) and not self.read:
            return Choice(None, [Entry(UNSEEN, {}, self.made(event))])
        return self.made(event)

    def _private(self, key: str, kind: str, ways: Sequence[Values]) -> bool:
        """Return whether the values may be known to this seat alone; by ear also which of them is taken."""
        if self.read and kind == "card" and not self.game.owned:
            return False
        own = kind in HIDDEN and ways[0].get("seat", ("", ()))[1] == (self.seat,)
        return own and key not in self.speech.announced

    def _asked(self, name: str, ways: Sequence[Values], chosen: Data, key: str, private: bool) -> Then:
        text, kind = self.speech.asks.get(f"{name}.{key}"), ways[0][key][0]
        ask = Saying("", text, chosen) if text and kind != "card" else None  # that it is a card, the act itself says
        values = _values(ways, key)
        if not values:
            held = self.speech.holds(self.at, self.seat, self.game.view(self.state, self.seat)["private"])[:1]
            # which says why none of it will do
            return Choice(None, [], True, body=[Note(of.text, of.facts) for of in held]) if self.read else held

        def goes_on(value: Any) -> Then:
            left = _with(ways, key, value) or [{**way, key: (way[key][0], (value,))} for way in ways]
            return self._ask(name, left, {**chosen, key: value})

        if kind == "chips" and values:
            begins = self.speech.announced.get(f"{name}.{key}")
            amounts = range(OWN + 1) if private or begins else sorted(values)
            first = begins(self.at) if begins else 0
            words = self._in_words(name, ways, chosen) if self.read else ()
            return Number(ask, amounts[0], amounts[-1], partial(self._sure, goes_on), private, first, words)
        if any(isinstance(value, tuple) for value in values):
            return several(ask, [tuple(value) for value in values], (), goes_on)
        if len(values) > MANY:
            return grouped(ask, values, self._entry(name, key, chosen, goes_on), private)
        return Choice(ask, list(map(self._entry(name, key, chosen, goes_on), values)), private)

    def _in_words(self, name: str, ways: Sequence[Values], chosen: Data) -> Sequence[Entry]:
        """Return an entry for what is added to the act in words, such as a promise, once its game has a name for it."""
        names, asks = acts_of(self.game.name), self.speech.asks
        keys = [key for key, kind, _ in shape_of(self._event(name)) if kind == "text" and key not in chosen]
        return [
            Entry(names[of], {}, Typing(asks[of], "", partial(self._ask_with_words, name, ways, chosen, key)))
            for key in keys
            if (of := f"{name}.{key}") in names
        ]

    def _ask_with_words(self, name: str, ways: Sequence[Values], chosen: Data, key: str, said: str) -> Then:
        return self._ask(name, ways, {**chosen, key: said})

    def _sure(self, goes_on: Callable[[Any], Then], number: int) -> Then:
        """Ask once more before an amount is paid by ear, as it is easily taken for another one."""
        if self.read:
            return goes_on(number)
        return Choice(None, [Entry(SURE, {"number": number}, partial(goes_on, number))])

    def _entry(self, name: str, key: str, chosen: Data, goes_on: Callable[[Any], Then]) -> Callable[[Any], Entry]:
        """Return the function that makes a value's entry; a game may say more, such as what stands at a place."""
        more = self.speech.values.get(f"{name}.{key}")

        def entry(value: Any) -> Entry:
            said = more(self.at, value, chosen) if more else self._said(value, chosen)
            return Entry(said.text, said.facts, partial(goes_on, value))

        return entry

    def _said(self, value: Any, chosen: Data) -> Saying:
        """Return a value alone; of an own card everybody knows the colour."""
        if isinstance(value, Card) and self.game.owned and value.colour == chosen.get("seat"):
            return Saying("", VALUE, {"value": value.rank}) if value.rank else Saying("", OWN_FLAG)
        return Saying("", VALUE, {"value": value})

    def _event(self, name: str) -> type[Event]:
        return next(event for event in self.game.events if verb(event) == name)


def acts(game: AnyGame, state: Any, at: AnyKnown, seat: Seat, absent: Collection[Seat] = ()) -> list[Entry]:
    """Return the entries for what a seat can do now."""
    return Acts(game, state, at, seat, absent).entries()


# -- values of several ways -------------------------------------------------------------------------------------


def _keys(event: Any) -> list[tuple[str, str]]:
    """Return the keys of an event, each with the name of its field: "from" is `from_`."""
    return [(key, field.name) for field, (key, _, _) in zip(fields(event), shape_of(event), strict=True)]


def _values(ways: Sequence[Values], key: str) -> list[Any]:
    """Return what a key can be, in any of these ways."""
    return list(dict.fromkeys(value for way in ways for value in way[key][1]))


def _with(ways: Sequence[Values], key: str, value: Any) -> list[Values]:
    """Return the ways that are left once a key has its value."""
    return [{**way, key: (way[key][0], (value,))} for way in ways if value in way[key][1]]


def several(
    ask: Saying | None, lists: Sequence[tuple[Any, ...]], begun: tuple[Any, ...], then: Callable[[Any], Then]
) -> Choice:
    """Return the list that asks for one value after the other, in order, until they make one of these lists."""
    at = len(begun)
    going = [one for one in lists if one[:at] == begun]
    further = dict.fromkeys(one[at] for one in going if len(one) > at)
    entries = [
        Entry(VALUE, {"value": value}, partial(_several, ask, lists, (*begun, value), then)) for value in further
    ]
    return Choice(ask, [*entries, *([Entry(ALL, {}, partial(then, begun))] if begun in going else [])])


def _several(
    ask: Saying | None, lists: Sequence[tuple[Any, ...]], begun: tuple[Any, ...], then: Callable[[Any], Then]
) -> Then:
    left = [one for one in lists if one[: len(begun)] == begun]
    return then(left[0]) if len(left) == 1 else several(ask, lists, begun, then)


def grouped(ask: Saying | None, values: Sequence[Any], entry: Callable[[Any], Entry], private: bool) -> Choice:
    """Return a long list in two steps: cards by colour, squares by column."""
    groups: dict[str, list[Any]] = {}
    for value in values:
        groups.setdefault(value.colour if isinstance(value, Card) else str(value)[0], []).append(value)
    return Choice(
        ask,
        [
            Entry(
                CARD_COLOURS.get(group, VALUE),
                {} if group in CARD_COLOURS else {"value": group},
                partial(Choice, None, list(map(entry, within)), private),
            )
            for group, within in groups.items()
        ],
        private,
    )
