"""Orders about the evening as a whole: its name, scoring, announcement, clock and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Annotated, Literal

from companion.hall import _people as people
from companion.hall._clock import LONGEST_S, HallClock, Then, clock_of
from companion.hall._evening import By, HallEvening, Names, Share, Tie, scored
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.hall.request import NOTED, Act, Argument, Order, OrderContext
from companion.rules import N_
from companion.rules.message import Message

LINE = 120
"""The longest announcement, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetEvening(Order):
    """Name the evening, or change how it is scored and how players are named."""

    do = "evening"
    example = 'evening "Open of Saturday" --names first'
    log = N_("name and settings of the evening")
    previews_changes = True

    name: Annotated[str | None, Argument("the name on the board", "NAME", most=2000)] = None
    names: Annotated[Names | None, Argument(
        "how the board names players: in full, by first name, or not at all", flag="--names"
    )] = None  # fmt: skip
    by: Annotated[By | None, Argument(
        "rank by scores, games won or places (default: decided by the games of the first round)", flag="--by"
    )] = None  # fmt: skip
    ties: Annotated[Sequence[Tie] | None, Argument(
        "tie-breaks, in this order: wins,shares,best,opponents; none: tied players share the place",
        "TIES", "--ties", commas=True,
    )] = None  # fmt: skip
    byes: Annotated[Share | None, Argument("what a bye is worth (default: half the score)", flag="--byes")] = None
    voids: Annotated[Share | None, Argument(
        "what a void game is worth (default: half the score)", flag="--voids"
    )] = None  # fmt: skip
    late: Annotated[Share | None, Argument(
        "what each round before a player's arrival is worth (default: nothing)", flag="--late"
    )] = None  # fmt: skip
    leavers: Annotated[Literal["stay", "last"] | None, Argument(
        "players who have left: stay in their place, or rank last (default: stay)", flag="--leavers"
    )] = None  # fmt: skip

    def act(self, desk: OrderContext) -> Act:
        now = desk.now.evening
        scoring = {key: told for key in scored(now) if (told := getattr(self, key)) is not None}
        if now.rounds and any(scored(now)[key] != told for key, told in scoring.items()):
            raise ValueError(Message("The scoring cannot be changed once a round has been seated."))
        name = {} if self.name is None else {"name": people.named(self.name)}
        told = {"lang": self.lang, "names": self.names, **scoring}
        return {"act": "evening", **name, **{key: value for key, value in told.items() if value is not None}}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        told = {key: act[key] for key in ("name", "lang", "names") if key in act}
        scoring = {key: act[key] for key in ("by", "byes", "voids", "late", "leavers") if key in act}
        if isinstance(act.get("ties"), list):
            scoring["ties"] = tuple(act["ties"])
        scoring_now = replace(evening.scoring, **scoring)
        return replace(evening, at=evening.at or act["at"], over=False, scoring=scoring_now, **told)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [NOTED]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEvening(Order):
    """End the evening: rounds that nobody has begun are dropped."""

    do = "end"
    example = "end"
    log = N_("evening ended")
    previews_changes = True

    def act(self, desk: OrderContext) -> Act:
        begun = {of.round for of in desk.now.outcomes if of.state != "missing"}
        return {"act": "end", "dropped": [one.number for one in desk.now.evening.rounds if one.number not in begun]}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        gone = act.get("dropped", ())
        rounds = tuple(one for one in evening.rounds if one.number not in gone)
        dropped = tuple(one for one in evening.rounds if one.number in gone)
        return replace(evening, over=True, rounds=rounds, dropped=dropped)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        dropped = (Message("Round {round} was never begun and is dropped.", round=of) for of in act["dropped"])
        return [Message("The evening is over."), *dropped]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Order):
    """Announce one line to everybody, on the board and at the tables."""

    do = "say"
    example = 'say "Break until nine"'
    log = N_("announcement: {text}")

    text: Annotated[str, Argument("the line (default: remove the current one)", "TEXT", most=2000, optional=True)]

    def act(self, desk: OrderContext) -> Act:
        text = " ".join(self.text.split())
        if len(text) > LINE or (text and not text.isprintable()):
            raise ValueError(Message("An announcement is one line of at most {most} characters.", most=LINE))
        return {"act": "say", "text": text}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, line=act["text"])


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClock(Order):
    """Start, pause, extend or remove the clock of the current round."""

    do = "clock"
    example = "clock 60"
    log = N_("clock changed")

    minutes: Annotated[int | None, Argument("start a clock for this long", "MINUTES", least=1, most=600)] = None
    more: Annotated[
        int | None, Argument("extend it by this long; -5 shortens it", "MINUTES", "--more", least=-600, most=600)
    ] = None
    set: Annotated[Literal["pause", "on", "off"] | None, Argument(constants={
        "pause": "pause the clock", "on": "resume the clock", "off": "remove the clock",
    })] = None  # fmt: skip
    then: Annotated[Then | None, Argument(
        "what to finish when time is up: the current move (act), the current round of the game, or"
        " nothing (default: act)",
        flag="--then",
    )] = None  # fmt: skip

    def act(self, desk: OrderContext) -> Act:
        runs = desk.now.clock
        if self.minutes is not None:
            if not desk.now.round or desk.now.evening.over:
                raise ValueError(Message("No round is in progress, so no clock can run."))
            whole = self.minutes * 60
            return HallClock(desk.now.round, self.then or "act", whole, None, whole).going(desk.instant).act
        if runs is None:
            hint = Message("{tabularium} hall clock 60 starts one for 60 minutes.")
            raise ValueError(Message("There is no clock."), hint)
        if self.more is not None:
            longer = runs.longer(timedelta(minutes=self.more), desk.instant)
            if longer.seconds(desk.instant) > LONGEST_S:
                raise ValueError(Message("A clock runs for {most} hours at most.", most=LONGEST_S // 3600))
            return replace(longer, then=self.then or runs.then).act
        match self.set:
            case "off":
                return {"act": "clock", "round": None}
            case "pause" if runs.ends is None:
                raise ValueError(Message("The clock is already paused."))
            case "pause" if not runs.seconds(desk.instant):
                hint = Message("{tabularium} hall clock --more 10 adds ten minutes.")
                raise ValueError(Message("The time is up."), hint)
            case "pause":
                return runs.paused(desk.instant).act
            case "on" if runs.ends:
                raise ValueError(Message("The clock is already running."))
            case "on":
                return runs.going(desk.instant).act
        return replace(runs, then=self.then or runs.then).act

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, clock=clock_of(act))


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissFaults(Order):
    """Dismiss the faults listed so far."""

    do = "aside"
    example = "aside"
    log = N_("faults dismissed")

    def act(self, desk: OrderContext) -> Act:
        return {"act": "aside"}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, aside=act["at"])

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [NOTED]
