"""Explanations for a table that lies differently: acts that were not reported, or not as they were (law 7).

Everything is judged over twins (_twin.py), never over the game itself: what is offered, and what is not, says nothing
about a purse, a hand or a card that lies face down (law 2). The search runs in small steps, so that the caller can do
something else between them, and it ends after so many acts judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any

from companion.answers._public_model import ReplayedAct, judged, later, line, twin
from companion.games import position_of
from companion.record.transcript import event_data
from companion.rules import N_, Choose, Decide, Event, Moves, Reveal, Ruling
from companion.rules.cards import DECK
from companion.rules.data import Data
from companion.rules.layout import ELSE, Layout, Lies
from companion.rules.outline import shape_of
from companion.session import Session
from companion.session.receipt import Receipt

MOST = 700
"""The largest number of acts judged."""
DEEP = 3
"""The longest run of unreported acts to search for."""
BEAM = 6
"""The number of most promising paths followed from each depth to the next."""
LAG = 8
"""Within so many acts an act shows on the table: a card once all are revealed, a bid once all are named."""
ENOUGH = 12
"""The most explanations offered."""
RAISED = 900
"""An amount that outbids everybody; the true one is asked for."""
NOTHING = N_("That does not count.")
"""The words of the decision in place of an act that never happened."""


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An act that would explain the table: its event and what everybody would hear of it."""

    event: Event
    rulings: Sequence[Ruling]
    open: bool = False
    """Something of it is not known here, an amount or a card face down: it is asked for on its pad."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Acts that explain what lies on the table.

    Without `was`, acts that were not reported, one after the other. With it `acts` is the one event that this act was
    instead; [] where it and all acts after it never happened, and `to` is the number of the last that did.
    """

    acts: Sequence[ToldEvent]
    was: Receipt | None = None
    to: int = 0
    cost: int = 1
    """The number of acts different from the reported ones, including later acts that fall away."""
    lies: Layout = field(default_factory=dict)
    """The resulting layout."""

    @property
    def open(self) -> bool:
        """Return whether something is still to be asked."""
        return any(told.open for told in self.acts)

    @property
    def event(self) -> Data | None:
        """Return the undo or the correction as a transcript writes it; None for acts that were not reported."""
        if self.was is None:
            return None
        if not self.acts:
            return {"event": "undo", "to": self.to}
        return {"event": "amend", "act": self.was.number, "as": event_data(self.acts[0].event)}


def explanations(session: Session, want: Lies) -> Sequence[Explanation]:
    """Return the explanations for what the table says, those with the fewest acts first."""
    search = Search(session, want)
    for _ in search.steps():
        pass
    return search.best


class Search:
    """A search for what explains the table: take `steps` as there is time, then `best` are the answers."""

    def __init__(self, session: Session, want: Lies, well: Lies | None = None) -> None:
        """Prepare a search; explanations against `well`, what has been found to lie as it should, come last."""
        self.game, self.setup, self.want, self.well = session.game, session.setup, want, well or {}
        self.session = session
        self.judged = 0
        """The number of acts judged so far."""
        self.found: list[Explanation] = []
        self.now = self._layout_of(session.state)
        self.named = [piece for pieces in want.values() for piece, count in pieces.items() if count and piece in DECK]
        self.line: list[ReplayedAct] = []

    @property
    def best(self) -> Sequence[Explanation]:
        """Return the explanations with the fewest acts first.

        Of equal ones, those that change the least besides come first, then the latest. Those against `well` come last.
        """
        ranked = sorted(self.found, key=self._rank)
        kept: list[Explanation] = []
        for one in ranked:
            if not any(self._is_reordering(one, other) or longer(one, other) for other in kept):
                kept.append(one)
        return kept[:ENOUGH]

    def _rank(self, one: Explanation) -> tuple[bool, int, int, int]:
        against = off(one.lies, self.well) > 0
        beside = len(changed(self.now, one.lies, self.want))
        return against, one.cost, beside, -one.was.number if one.was else 0

    def steps(self) -> Iterator[None]:
        """Search act by act, and yield after each; there is nothing to explain where all lies as the table says."""
        if not self.off(self.now):
            return
        for stood in line(self.session, self.named):
            self.line.append(stood)
            yield
        laid = [self._layout_of(self.session.opening)]
        for stood in self.line:
            laid.append(self._layout_of(stood.act.state))
            yield
        self._search_undone(laid)
        for way in (self._search_missed(), self._search_corrections(laid)):
            for _ in way:
                yield
                if self.judged >= MOST:
                    return

    # -- acts that never happened --------------------------------------------------------------------------------

    def _search_undone(self, laid: Sequence[Layout]) -> None:
        """Add the explanation that the last acts never happened, with the fewest of them."""
        for at in range(len(self.line) - 1, -1, -1):
            if not self.off(laid[at]):
                to = self.line[at - 1].act.number if at else 0
                cost = len(self.line) - at
                self.found.append(Explanation((), self.line[at].act, to, cost, laid[at]))
                return

    # -- acts that were not reported -----------------------------------------------------------------------------

    def _search_missed(self) -> Iterator[None]:
        """Search for one, two or three unreported acts; each depth continues from the fewest differences."""
        state = self.line[-1].after if self.line else twin(self.game, self.setup, self.session.opening,
                                                           later((), set(), self.named))  # fmt: skip
        ways: list[tuple[int, Any, tuple[ToldEvent, ...]]] = (
            [(self.off(self.now), state, ())] if state is not None else []
        )
        for _ in range(DEEP):
            on: list[tuple[int, Any, tuple[ToldEvent, ...]]] = []
            for _, state, acts in ways:
                for told, after in self._possible_acts(state):
                    yield
                    laid, more = self._layout_of(after), (*acts, told)
                    if off := self.off(laid):
                        on.append((off, after, more))
                    else:
                        self.found.append(Explanation(more, cost=len(more), lies=laid))
            ways = sorted(on, key=lambda way: way[0])[:BEAM]

    def _possible_acts(self, state: object) -> Iterator[tuple[ToldEvent, Any]]:
        """Yield every possible act that can make a difference.

        Cards that lie face down are never turned up here: which they are is not known.
        """
        for event, asked in self._possible_moves(state):
            if isinstance(event, Reveal) and self.game.sealed:
                continue
            ok, after, rulings = self._judge(state, event)
            if ok:
                yield ToldEvent(event, rulings, asked), after

    def _possible_moves(self, state: object) -> Iterator[tuple[Event, bool]]:
        """Yield the acts that are possible, and whether something of each is to be asked."""
        for moves in self.game.legal(state):
            yield from self._sample(moves)

    def _sample(self, moves: Moves[Event]) -> Iterator[tuple[Event, bool]]:
        """Yield some of these moves: of cards those said to lie there, of amounts a small and a large one."""
        kinds = {f.name: kind for f, (_, kind, _) in zip(fields(moves.event), shape_of(moves.event), strict=True)}
        values: dict[str, Sequence[Any]] = {}
        asked = moves.event is Choose or "chips" in kinds.values()
        for name, of in moves.values.items():
            kind = kinds[name]
            if kind == "chips":
                values[name] = tuple(dict.fromkeys((of[0], min(of[-1], RAISED)))) if of else ()
            elif kind == "card":
                named = () if asked else tuple(card for card in of if str(card) in self.named)
                asked, values[name] = asked or not named, named or tuple(of[:1])
            else:
                values[name] = tuple(of)
        for chosen in product(*values.values()):
            yield moves.event(**dict(zip(values, chosen, strict=True))), asked

    # -- acts that were otherwise --------------------------------------------------------------------------------

    def _search_corrections(self, laid: Sequence[Layout]) -> Iterator[None]:
        """Try every act, the last first, as every other that was possible then."""
        for at in range(len(self.line) - 1, -1, -1):
            stood = self.line[at]
            if stood.hidden or stood.before is None or isinstance(stood.event, Decide):
                continue  # a card that lies face down is chosen anew
            for event, asked in self._other_events(at):
                yield
                if one := self._judge_correction(at, event, asked, laid):
                    self._add(one)

    def _other_events(self, at: int) -> Iterator[tuple[Event, bool]]:
        """Yield what the act may have been; of a card chosen, another card.

        That the last act never happened is left to the undo.
        """
        stood = self.line[at]
        was = stood.event
        assert was
        if isinstance(was, Choose):
            for moves in self.game.legal(stood.before):
                if moves.event is Choose and was.seat in moves.values["seat"]:
                    yield from ((Choose(was.seat, card), False) for card in moves.values["card"] if card != was.card)
            return
        for event, asked in self._possible_moves(stood.before):
            same = type(event) is type(was) and asked and hasattr(event, "card")  # some other card, whichever
            if event != was and not isinstance(event, Choose | Reveal) and not same:
                yield event, asked
        if at + 1 < len(self.line):
            yield Decide(NOTHING), False

    def _judge_correction(self, at: int, event: Event, asked: bool, laid: Sequence[Layout]) -> Explanation | None:
        """Return the explanation that the act was this event; None where that does not explain the table."""
        ok, state, rulings = self._judge(self.line[at].before, event)
        off = self._expected_gap(state, laid[at + 1]) if ok else None
        rest = [(index, then.event) for index, then in enumerate(self.line) if index > at and then.event]
        done = 0
        while ok and off is None and done < min(LAG, len(rest)):
            index, then = rest[done]
            ok, state, _ = self._judge(state, then)
            done += ok
            off = self._expected_gap(state, laid[index + 1])
        if off is None or off >= self.off(self.now):
            return None
        while ok and done < len(rest):
            ok, state, _ = self._judge(state, rest[done][1])
            done += ok
        after = self._layout_of(state)
        if self.off(after):
            return None
        return Explanation((ToldEvent(event, rulings, asked),), self.line[at].act, 0, 1 + len(rest) - done, after)

    def _expected_gap(self, state: object, laid: Layout) -> int | None:
        """Return by how much the table would be off if the difference to the report stayed; None without any.

        A card that is said to lie open and turns up will yet go where it lies now: -1.
        """
        after = self._layout_of(state)
        if after == laid:
            return None
        turned = any(
            after.get(place, {}).get(card) for place in after for card in self.named if card not in laid.get(place, {})
        )
        return -1 if turned else self.off(carried(self.now, laid, after))

    def _add(self, one: Explanation) -> None:
        """Add an explanation.

        Other cards and amounts with the same outcome are one explanation: which it was is asked.
        """
        for at, other in enumerate(self.found):
            if other.was is one.was and other.acts and self._are_alternatives(one, other):
                self.found[at] = replace(other, acts=[replace(other.acts[0], open=True)])
                return
        self.found.append(one)

    def _are_alternatives(self, one: Explanation, other: Explanation) -> bool:
        first, second = one.acts[0].event, other.acts[0].event
        return isinstance(first, Choose) and isinstance(second, Choose) and one.lies == other.lies

    # -- what lies there -----------------------------------------------------------------------------------------

    def off(self, laid: Layout) -> int:
        """Return by how many pieces a layout differs from what the table says."""
        return off(laid, self.want)

    def _layout_of(self, state: object) -> Layout:
        return position_of(self.game.name).lies(self.game.view(state), self.setup.options)

    def _judge(self, state: object, event: Event) -> tuple[bool, Any, Sequence[Ruling]]:
        self.judged += 1
        return judged(self.game, self.setup, state, event)

    def _is_reordering(self, one: Explanation, other: Explanation) -> bool:
        """Return whether these are the same acts in another order."""
        if one.was is not other.was or one.to != other.to or one.lies != other.lies:
            return False
        events = [told.event for told in other.acts]
        return len(events) == len(one.acts) and all(told.event in events for told in one.acts)


def off(laid: Layout, want: Lies) -> int:
    """Return by how many pieces the two differ."""
    return sum(_distance(laid.get(place, {}), pieces) for place, pieces in want.items())


def _distance(there: Mapping[str, int], pieces: Mapping[str, int]) -> int:
    rest = sum(count for piece, count in there.items() if piece not in pieces) if ELSE in pieces else 0
    named = sum(abs(there.get(piece, 0) - count) for piece, count in pieces.items() if piece != ELSE)
    return named + abs(rest - pieces.get(ELSE, rest))


def longer(one: Explanation, other: Explanation) -> bool:
    """Return whether `one` has unreported acts of which `other` needs only some."""
    events = [told.event for told in one.acts]
    missed = one.was is None and other.was is None and len(other.acts) < len(events)
    return missed and all(told.event in events for told in other.acts)


def changed(now: Layout, then: Layout, want: Lies) -> Sequence[str]:
    """Return the places at which something else lies then, except those of which the table has spoken."""
    return [place for place in dict.fromkeys((*now, *then)) if place not in want and now.get(place) != then.get(place)]


def carried(now: Layout, was: Layout, then: Layout) -> Layout:
    """Return the table as it lies now, with the difference between two others."""
    found = {place: dict(pieces) for place, pieces in now.items()}
    for place in dict.fromkeys((*was, *then)):
        before, after = was.get(place, {}), then.get(place, {})
        for piece in dict.fromkeys((*before, *after)):
            more = after.get(piece, 0) - before.get(piece, 0)
            if more:
                pieces = found.setdefault(place, {})
                pieces[piece] = pieces.get(piece, 0) + more
    return found
