"""One seat's ear and button: where it stands in the lists, and the outcome of each press."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.rules import N_, Event, Ruling, Seat
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Made, Number, made
from companion.rules.speech import explained

Gesture = Literal["next", "take", "ask"]
"""A short press, one that was held, one that was held long."""

BACK = N_("Back.")
MORE = explained(N_("More."), N_("More: keep holding."))
LESS = explained(N_("Less."), N_("Less: keep holding."))
TEN_MORE = explained(N_("Ten more."), N_("Ten more: keep holding."))
TEN_LESS = explained(N_("Ten less."), N_("Ten less: keep holding."))
STEPPED: Mapping[str, int] = {MORE: 1, LESS: -1, TEN_MORE: 10, TEN_LESS: -10}
NUMBER = N_("{number}.")
TEEN = N_("{number}, one {digit}.")
"""Thirteen and thirty sound alike, as do fünfzehn and fünfzig: the digits of a number that is chosen are said too."""
MOST, LEAST = N_("{number}, the most."), N_("{number}, the least.")
SPOKEN = 5
"""While a number runs, every multiple of this is spoken, and the others tick."""
STEPS = ((400, 4), (250, 8), (150, 0))
"""While the button is held a number runs: ms for a step, and how many of them, quicker and quicker; 0: from then on."""


@dataclass(frozen=True, slots=True)
class Came:
    """The outcome of a press: what the ear hears, and the event it made."""

    heard: Sequence[Ruling] = ()
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class ListPlace:
    """A place in one list: what its entry says, None before the first; or the number, and what is stepped to. A private
    list turns from the entry at which it `began`."""

    says: tuple[str, str] | None = None
    number: int | None = None
    began: tuple[str, str] | None = None


class Ear:
    """A seat's way through the lists, from `top` to what lies below it; `going_on` says how things are.

    Lists are made anew at every press, so they are always true. After another player's act the ear stands where it
    stood, as long as there is such an entry.
    """

    def __init__(
        self, seat: Seat, top: Callable[[], Choice], going_on: Callable[[], Sequence[Saying]], no_ms: int
    ) -> None:
        self.seat = seat
        self._top, self._going_on, self._no_ms = top, going_on, no_ms
        self._places: list[ListPlace] = [ListPlace()]

    @property
    def rests(self) -> bool:
        """Return whether the ear stands before the first entry of its first list."""
        return self._places == [ListPlace()]

    def rest(self) -> None:
        self._places = [ListPlace()]

    def stands_at(self, text: str) -> bool:
        """Return whether the ear stands at this entry of its first list."""
        return len(self._places) == 1 and self._places[0].says == (text, "[]")

    def press(self, gesture: Gesture, t: int, ms: int) -> Came:
        """Handle a press that went down at `t` and was held for `ms`."""
        lists = self._standing()
        if running := self._running(lists, ms) if gesture != "next" else None:
            return running
        match gesture:
            case "next":
                return Came([self._next(lists[-1], t)])
            case "ask":  # and from anywhere it leads to the top
                self.rest()
                return Came([self._say(saying) for saying in self._going_on()])
        return self._take(lists[-1], t)

    def back(self) -> Sequence[Ruling]:
        """Go one list up, to the entry the ear stood at; at the top, say how things stand."""
        self._standing()
        if len(self._places) == 1:
            self.rest()
            return [self._say(saying) for saying in self._going_on()]
        self._places.pop()
        return self._again()

    def enter(self, text: str, t: int) -> Sequence[Ruling]:
        """Enter the list below this entry of the top, at its first one."""
        self._places = [ListPlace((text, "[]")), ListPlace()]
        return [self._next(self._standing()[-1], t)]

    def counting(self, ms: int) -> Ruling | None:
        """Return what is said once the button has been held for `ms`; None where nothing runs."""
        lists = self._standing()
        came, at = self._count(lists, ms), lists[-1]
        if came is None or not isinstance(at, Number):
            return None
        ends = {} if at.private else {at.most: MOST, at.least: LEAST}
        if came in ends:
            return self._heard(ends[came], {"number": came}, "ear_counts")
        if came % SPOKEN == 0:
            return self._heard(*_said(came), "ear_counts")
        return self._heard("", {"number": came}, "ear_ticks")

    # -- where it stands -----------------------------------------------------------------------------------------

    def _standing(self) -> list[Choice | Number]:
        """Return the lists down to the one the ear is in; places that no longer exist are left."""
        found: list[Choice | Number] = [self._top()]
        for at, place in enumerate(self._places[:-1]):
            below = self._below(found[-1], place)
            if not isinstance(below, Choice | Number):
                del self._places[at + 1 :]
                break
            found.append(below)
        last, place = found[-1], self._places[-1]
        if isinstance(last, Number) is (place.number is None):
            self._places[-1] = ListPlace(number=last.least) if isinstance(last, Number) else ListPlace()
        elif isinstance(last, Number) and place.number is not None:
            self._places[-1] = replace(place, number=min(max(place.number, last.least), last.most))
        return found

    def _below(self, at: Choice | Number, place: ListPlace) -> object:
        if isinstance(at, Number):
            return made(at.then(place.number)) if place.number is not None else None
        entry = next((entry for entry in at.steps if says(entry) == place.says), None)
        below = made(entry.then) if entry else None
        return made(below.then) if isinstance(below, Do) else below

    # -- stepping ------------------------------------------------------------------------------------------------

    def _next(self, at: Choice | Number, t: int) -> Ruling:
        entries = self._entries(at)
        labels = [says(entry) for entry in entries]
        place = self._places[-1]
        if place.says in labels:
            index = (labels.index(place.says) + 1) % len(entries)
        elif isinstance(at, Choice) and at.private and at.entries:
            began = says(at.entries[t % len(at.entries)])  # nobody else knows the millisecond
            self._places[-1] = replace(place, began=began)
            entries, index = self._entries(at), 0
        else:
            index = 0 if isinstance(at, Choice) else 1
        return self._stand(entries[index])

    def _entries(self, at: Choice | Number) -> Sequence[Entry]:
        """Return what is stepped through here, the way back too."""
        back = [Entry(BACK)] if len(self._places) > 1 else []
        if isinstance(at, Choice):
            return [*self._turned(at), *back]
        number = Entry(*_said(self._places[-1].number or 0))
        steps = [MORE, LESS, *([TEN_MORE, TEN_LESS] if at.private or at.most - at.least >= 20 else [])]
        return [number, *(Entry(step) for step in steps), *back]

    def _turned(self, at: Choice) -> Sequence[Entry]:
        """Return the entries of a list, turned if it is private.

        A private list is a ring: after any number of presses it can be any of its entries, so counting presses reveals
        nothing.
        """
        labels = [says(entry) for entry in at.steps]
        began = self._places[-1].began
        first = labels.index(began) if at.private and began in labels else 0
        return [*at.steps[first:], *at.steps[:first]]

    def _stand(self, entry: Entry) -> Ruling:
        self._places[-1] = replace(self._places[-1], says=says(entry))
        return self._heard(entry.text, entry.facts, "ear_next")

    # -- taking --------------------------------------------------------------------------------------------------

    def _take(self, at: Choice | Number, t: int) -> Came:
        entries = self._entries(at)
        place = self._places[-1]
        entry = next((entry for entry in entries if says(entry) == place.says), None)
        if entry is None and isinstance(at, Choice):
            return Came([self._next(at, t)])
        if entry and entry.text == BACK:
            self._places.pop()
            return Came(self._again())
        if isinstance(at, Number):
            assert place.number is not None
            return self._go(made(at.then(place.number)), t)
        assert entry
        return self._go(made(entry.then), t)

    def _go(self, then: Made, t: int) -> Came:
        match then:
            case Choice() if not then.steps:
                return Came([*self._asked(then), self._heard(N_("There is nothing to choose from now."), {})])
            case Choice():
                self._places.append(ListPlace())
                return Came([*self._asked(then), self._next(then, t)])
            case Number(_, least, most, _, private):
                number = least + t % (most - least + 1) if private else max(least, then.begins)
                self._places.append(ListPlace(number=number))
                return Came([*self._asked(then), self._stand(self._entries(then)[0])])
            case Do(act):
                return self._go(made(act()), t)
            case list() | tuple():
                return Came([self._say(saying) for saying in then])
        return Came(event=then)  # type: ignore[arg-type] # the only kind that is left

    def _asked(self, at: Choice | Number) -> Iterator[Ruling]:
        if at.ask:
            yield self._say(at.ask)

    def _again(self) -> Sequence[Ruling]:
        """Say the entry the ear stands at once more."""
        at, place = self._standing()[-1], self._places[-1]
        entry = next((entry for entry in self._entries(at) if says(entry) == place.says), None)
        return [self._heard(entry.text, entry.facts, "ear_next")] if entry else []

    # -- numbers that run ----------------------------------------------------------------------------------------

    def _running(self, lists: Sequence[Choice | Number], ms: int) -> Came | None:
        """Stop a number that ran while the button was held at the value where the button was let go."""
        number = self._count(lists, ms)
        if number is None:
            return None
        self._places[-1] = ListPlace(number=number)
        return Came([self._stand(self._entries(lists[-1])[0])])

    def _count(self, lists: Sequence[Choice | Number], ms: int) -> int | None:
        """Return how far a number has run after `ms`; it stops at either end, unless it is private."""
        at, place = lists[-1], self._places[-1]
        by = STEPPED.get(place.says[0]) if place.says else None
        if not isinstance(at, Number) or by is None or place.number is None or ms < self._no_ms:
            return None
        number = place.number + by * steps(ms - self._no_ms)
        if at.private:  # a ring as well: how far it was turned says nothing of where it stands
            return at.least + (number - at.least) % (at.most - at.least + 1)
        return min(max(number, at.least), at.most)

    # -- heard ---------------------------------------------------------------------------------------------------

    def _say(self, saying: Saying) -> Ruling:
        return self._heard(saying.text, saying.facts)

    def _heard(self, text: str, facts: Data, code: str = "ear") -> Ruling:
        return Ruling(code, "", text, facts, self.seat)


def gesture(ms: int, no_ms: int, long_ms: int) -> Gesture:
    """Return the gesture of a press that was held for `ms`."""
    return "ask" if ms >= long_ms else "take" if ms >= no_ms else "next"


def says(entry: Entry) -> tuple[str, str]:
    """Return the key by which an entry is known; a number is known by being one."""
    return (NUMBER, "") if entry.text in (NUMBER, TEEN) else entry.key


def _said(number: int) -> tuple[str, Data]:
    """Return the text and the facts for a number by which something is chosen."""
    if 13 <= number <= 19:
        return TEEN, {"number": number, "digit": number - 10}
    return NUMBER, {"number": number}


def steps(ms: int) -> int:
    """Return how far a number has run `ms` after the time that holds the button: at least one."""
    done = 1
    for each, many in STEPS:
        here = ms // each if not many else min(many, ms // each)
        done, ms = done + here, ms - here * each
        if many and here < many:
            break
    return done
