"""Orders about the evening as a whole: what it is called, how it is scored, its clock, its end."""

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
"""Characters of what is said to everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetEvening(Order):
    """Name the evening, and say how it is scored."""

    do = "evening"
    example = 'evening "Open of Saturday" --names first'
    log = N_("the evening's name and settings")
    previews_changes = True

    name: Annotated[str | None, Argument("what the board calls it", "NAME", most=2000)] = None
    names: Annotated[Names | None, Argument(
        "how players are named to everybody: in full, by their first names, or not at all", flag="--names"
    )] = None  # fmt: skip
    by: Annotated[By | None, Argument(
        "what counts: scores, games won, or places (else what the first round plays decides)", flag="--by"
    )] = None  # fmt: skip
    ties: Annotated[Sequence[Tie] | None, Argument(
        "what tells apart who is as good, in this order: wins,shares,best,opponents; none: they share the place",
        "TIES", "--ties", commas=True,
    )] = None  # fmt: skip
    byes: Annotated[Share | None, Argument("what a bye brings (default half of what can be had)", flag="--byes")] = None
    voids: Annotated[Share | None, Argument(
        "what a game brings that counts for nobody (default half)", flag="--voids"
    )] = None  # fmt: skip
    late: Annotated[Share | None, Argument(
        "what each round brings before somebody came (default nothing)", flag="--late"
    )] = None  # fmt: skip
    leavers: Annotated[Literal["stay", "last"] | None, Argument(
        "who has left keeps the place the points give, or stands behind all others (default stay)", flag="--leavers"
    )] = None  # fmt: skip

    def act(self, desk: OrderContext) -> Act:
        now = desk.now.evening
        scoring = {key: told for key in scored(now) if (told := getattr(self, key)) is not None}
        if now.rounds and any(scored(now)[key] != told for key, told in scoring.items()):
            raise ValueError(Message("How the evening is scored is fixed once a round has been seated."))
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
    """Say that the evening is over."""

    do = "end"
    example = "end"
    log = N_("the evening ended")
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
        dropped = (Message("Round {round} was not begun, and is dropped.", round=of) for of in act["dropped"])
        return [Message("The evening is over."), *dropped]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Order):
    """Say one line to everybody, on the board and at the tables."""

    do = "say"
    example = 'say "Break until nine"'
    log = N_("said to everybody: {text}")

    text: Annotated[str, Argument("default: take it away", "TEXT", most=2000, optional=True)]

    def act(self, desk: OrderContext) -> Act:
        text = " ".join(self.text.split())
        if len(text) > LINE or (text and not text.isprintable()):
            raise ValueError(
                Message("What is said to everybody has at most {most} characters, on one line.", most=LINE)
            )
        return {"act": "say", "text": text}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, line=act["text"])


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClock(Order):
    """Give the round that is played a time, or stop, prolong or drop it."""

    do = "clock"
    example = "clock 60"
    log = N_("the clock")

    minutes: Annotated[int | None, Argument("so many from now", "MINUTES", least=1, most=600)] = None
    more: Annotated[int | None, Argument("so many more; -5: less", "MINUTES", "--more", least=-600, most=600)] = None
    set: Annotated[Literal["pause", "on", "off"] | None, Argument(constants={
        "pause": "it stands", "on": "it goes on", "off": "there is no clock any more",
    })] = None  # fmt: skip
    then: Annotated[Then | None, Argument(
        "what is played out at its end: the act at hand, the round of the game, or nothing (default act)",
        flag="--then",
    )] = None  # fmt: skip

    def act(self, desk: OrderContext) -> Act:
        runs = desk.now.clock
        if self.minutes is not None:
            if not desk.now.round or desk.now.evening.over:
                raise ValueError(Message("No round is played that could have a clock."))
            whole = self.minutes * 60
            return HallClock(desk.now.round, self.then or "act", whole, None, whole).going(desk.instant).act
        if runs is None:
            hint = Message("{tabularium} hall clock 60 starts one of 60 minutes.")
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
                raise ValueError(Message("The clock stands already."))
            case "pause" if not runs.seconds(desk.instant):
                hint = Message("{tabularium} hall clock --more 10 gives ten minutes more.")
                raise ValueError(Message("The time is up."), hint)
            case "pause":
                return runs.paused(desk.instant).act
            case "on" if runs.ends:
                raise ValueError(Message("The clock runs already."))
            case "on":
                return runs.going(desk.instant).act
        return replace(runs, then=self.then or runs.then).act

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, clock=clock_of(act))


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissFaults(Order):
    """List the faults no more that were listed so far."""

    do = "aside"
    example = "aside"
    log = N_("faults put aside")

    def act(self, desk: OrderContext) -> Act:
        return {"act": "aside"}

    @classmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        return replace(evening, aside=act["at"])

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        return [NOTED]
