"""The correction of an earlier act (T-8): the game is judged anew from there, and later acts stand or fall away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games import guide_of, position_of
from companion.rules import (
    N_,
    Amend,
    Choose,
    Decide,
    Event,
    Refused,
    Reveal,
    Ruling,
    Said,
    as_json,
    plural,
    require,
)
from companion.rules.data import SEALED, Data
from companion.rules.message import Message
from companion.rules.outline import verb
from companion.session.piece_moves import Restored, bare
from companion.session.receipt import Receipt, acts, backwards, unseen

Judge = Callable[[Receipt | None, Event], tuple[bool, Any, Sequence[Ruling]]]
"""Judges an event after an act: accepted or not, the state after it, and the rulings."""


CORRECTED = N_("Corrected: {what} Before: {before}")
FALLEN = plural(
    "Corrected: {what} Before: {before} {fallen} later move falls away: {because}",
    "Corrected: {what} Before: {before} {fallen} later moves fall away: {because}",
    "fallen",
)
SINCE = plural(
    "Corrected: {what} Before: {before} {fallen} later move falls away. {first} That is no longer possible: {since}",
    "Corrected: {what} Before: {before} {fallen} later moves fall away. {first} That is no longer possible: {since}",
    "fallen",
)
NOT_NOW = ("not_now", "turn")
"""Codes of refusals that say only that the game stands elsewhere."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The line as it is judged now, and the outcome for the acts after the corrected one."""

    last: Receipt
    was: Receipt
    now: Receipt
    kept: int
    fallen: int
    because: Ruling | None
    """The ruling that refused the first of the fallen acts."""
    first: Message | Ruling | None
    """What that act did."""
    since: Ruling | None
    """What the kept acts newly came to that leaves no place for it, where the refusal does not say it."""
    hidden: Collection[int]
    """The numbers of the acts with a card unseen by all."""
    secret: Sequence[str]

    def ruling(self, back: Restored) -> Ruling:
        """Return the ruling that announces the correction."""
        facts: dict[str, Any] = {
            "act": self.was.number,
            "was": shown(self.was.event, False, self.secret),  # else it could not have been amended
            "now": shown(self.now.event, self.now.number in self.hidden, self.secret),
            "kept": self.kept,
            "fallen": self.fallen,
        }
        facts |= {"before": done(self.was), "what": done(self.now, self.now.number in self.hidden)}
        text = CORRECTED
        if self.because:
            facts["because"] = self.because
            text = FALLEN
        if self.since:
            facts |= {"first": self.first, "since": self.since}
            text = SINCE
        return back.ruling("amended", "T-8", text, **facts)


def done(act: Receipt, hidden: bool = False) -> Message | Ruling:
    """Return what was done by a move, without its outcome; of a `hidden` card only that one was chosen."""
    said = bare(act.public[0])
    match act.event:
        case Choose(seat, card):
            return Message(CHOSE, seat=seat) if hidden else Message(CHOSE_CARD, seat=seat, card=card)
        case Decide(words):
            return Message(N_("The table decided: {words}."), words=Said(words))
    assert act.game
    text = guide_of(act.game.name).did.get(said.code, "")
    return Message(text, **{key: of for key, of in said.facts.items() if f"{{{key}" in text}) if text else said


CHOSE, CHOSE_CARD = N_("{seat} chose a card."), N_("{seat} chose {card}.")


def amend(judged: Judge, last: Receipt | None, event: Amend) -> Correction:
    """Judge the line anew with the corrected act. Raises Refused where the act cannot be another, or not this one."""
    line = acts(last)
    sealed, covered = unseen(line)
    at = _amendable(line, event, sealed, covered)
    first, rest = anew(line, at)
    tip = line[first - 1] if first else None
    now: Receipt | None = None
    kept = fallen = 0
    because = first_fallen = since = None
    for index, act in enumerate(rest):
        amended = act is line[at]
        cause = event.as_ if amended else act.event
        assert cause
        ok, state, rulings = judged(tip, cause)
        if not ok and now is None:
            raise Refused(*rulings)
        if not ok:
            because, fallen = rulings[0], len(rest) - index
            first_fallen = done(act)  # all have seen it: cards face down do not count among them
            since = _since(because, act, rest[:index], tip)
            break
        depth = (tip.standing if tip else 0) + 1
        by, when = (None, None) if amended else (act.by, act.at)
        tip = Receipt(True, cause, tuple(rulings), act.number, by, when, act.game, act.setup, state, tip, depth)
        kept += now is not None
        now = tip if amended else now
    assert tip and now and now.game
    hidden = {number for numbers in unseen(acts(tip)) for number in numbers}
    secret = position_of(now.game.name).secret
    return Correction(tip, line[at], now, kept, fallen, because, first_fallen, since, hidden, secret)


def _since(because: Ruling, fallen: Receipt, kept: Sequence[Receipt], tip: Receipt | None) -> Ruling | None:
    """Return the newest ruling on the kept acts that is about the fallen act's seat and was not given before."""
    seat = getattr(fallen.event, "seat", None)
    if because.code not in NOT_NOW or not seat or not fallen.game:
        return None
    quiet = guide_of(fallen.game.name).quiet
    for was, now in zip(reversed(kept), backwards(tip), strict=False):
        for ruling in reversed(now.public):
            new = ruling not in was.public and ruling.code not in quiet and "contest" not in ruling.facts
            if new and any(
                seat == fact or (isinstance(fact, tuple) and seat in fact) for fact in ruling.facts.values()
            ):
                return ruling
    return None


def anew(line: Sequence[Receipt], at: int) -> tuple[int, Sequence[Receipt]]:
    """Return the index from which a line is judged anew when the act at `at` is corrected, and the acts to judge.

    Cards that lie face down are taken up, and all that were replaced or taken up before a reveal are passed over: one
    of them would be turned up once its replacement has gone.
    """
    unread = {number for numbers in unseen(line) for number in numbers}
    first = min([at, *(i for i, act in enumerate(line) if act.number in unread)])
    return first, [act for act in line[first:] if act is line[at] or act.number not in unread]


def _amendable(line: Sequence[Receipt], event: Amend, sealed: Collection[int], covered: Collection[int]) -> int:
    """Return where in the line the corrected act stands. Raises Refused."""
    at = next((at for at, act in enumerate(line) if act.number == event.act), None)
    text = N_("That move cannot be corrected: it no longer stands.")
    require(at is not None, "no_act", text, "T-8", act=event.act)
    assert at is not None
    text = N_("A face-down card needs no correction: choose again.")
    require(event.act not in sealed, "sealed", text, "T-3")
    text = N_("That card was never turned up: there is nothing to correct.")
    require(event.act not in covered, "covered", text, "T-8")
    was = line[at].event
    assert was
    require(plain(event.as_) != plain(was), "same", N_("That is what was entered."), "T-8", act=event.act)
    return at


def plain(event: Event) -> Event:
    """Return the event without the times at which fists opened."""
    return replace(event, opened=None) if isinstance(event, Reveal) else event


def shown(event: Event | None, hidden: bool, secret: Sequence[str]) -> Data:
    """Return the event as a transcript writes it, without what is hidden: a face-down card, purses and hands."""
    assert event
    data = {"event": verb(type(event)), **as_json(event)}
    if hidden:
        data.pop("card", None)
    if isinstance(event, Decide) and event.change is not None:
        data["change"] = {key: value for key, value in data["change"].items() if key not in (*secret, SEALED)}
    return {key: value for key, value in data.items() if value is not None}
