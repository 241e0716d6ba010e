"""The first hour with a real reader: what each step measures and what that means. Pure: measures nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.hardware.doctor import Finding
from companion.hardware.doctor.wired import graded
from companion.rules import N_
from companion.rules.message import Message


@dataclass(frozen=True, slots=True)
class HourStep:
    """One step: what the user does, what is measured, and why it matters."""

    name: str
    title: str
    ask: str
    why: str


STEPS = (
    HourStep(
        "chip",
        N_("The chip"),
        N_("Leave the reader empty."),
        N_("Measures whether RST resets it, how soon it answers, and how long a transfer takes."),
    ),
    HourStep(
        "one",
        N_("One card"),
        N_("Lay one card flat on the reader."),
        N_("Measures how often it answers at once: a card that is often missed comes and goes in a game."),
    ),
    HourStep(
        "gain",
        N_("Receiver gain"),
        N_("Leave the card on the reader, and begin."),
        N_("Measures at which receiver gain it reads the card best: cheap boards often need more."),
    ),
    HourStep(
        "two",
        N_("Two cards"),
        N_("Lay a second card on top of it."),
        N_("Measures whether both are told apart: this is how a card that is in the way is noticed."),
    ),
    HourStep(
        "lift",
        N_("A card lifted slowly"),
        N_("Take one card away. Begin, then lift the other straight up, slowly."),
        N_("Measures whether it leaves once and for all: at the edge of the field a card must not come and go."),
    ),
    HourStep(
        "hand",
        N_("A hand's width"),
        N_("Hold a card a hand's width (8 cm) above the reader."),
        N_("Measures whether it is still seen: a hand passing over must not play a card."),
    ),
    HourStep(
        "buttons",
        N_("Buttons"),
        N_("Begin, then press every button five times."),
        N_("Measures how long their contacts bounce: press.debounce_ms must be longer."),
    ),
    HourStep(
        "lamps",
        N_("Lamps"),
        N_("Begin, then watch the lamps: each lights up once."),
        N_("Shows whether each lamp is at its own seat."),
    ),
)  # fmt: skip


NUMBERED = N_("Step {step} of {count}: {title}")
END = N_("Send the report in with the trace beside it: it becomes a test of the drivers. Its tags are made up.")


@dataclass(frozen=True, slots=True)
class ResetTest:
    """The result of a chip's reset test.

    It says whether the reset line resets the chip, how soon the chip answers afterwards (None: not within 50 ms), and
    how long a transfer of two bytes takes; times in µs.
    """

    resets: bool
    start_us: float | None
    transfer_us: float


@dataclass(frozen=True, slots=True)
class GainSweep:
    """The counts of polls that heard a card at once, at each gain of the receiver.

    `heard` maps the gain in dB to the count, out of `polls` at each gain; `now` is the present gain.
    """

    heard: Mapping[int, int]
    polls: int
    now: int


@dataclass(frozen=True, slots=True)
class Poll:
    """The result of one poll: how many tags it saw, how many of them answered at once, and when, in ms."""

    seen: int
    at_once: int
    ms: int


SLOW_US = 300
"""A transfer that takes this long makes a poll take longer than 20 ms."""


def chip(part: str, seen: ResetTest | None) -> Iterator[Finding]:
    if seen is None:
        yield Finding(part, "pass", Message("not measured with this kind of reader"))
        return
    if seen.resets:
        yield Finding(part, "pass", Message("RST resets the chip"))
    else:
        join = Message("Connect its RST to the pin that config.yaml names (reset)")
        yield Finding(part, "fail", Message("RST does not reset the chip"), join)
    if seen.start_us is None:
        supply = Message("Check its supply: 3.3V at the reader itself")
        yield Finding(part, "fail", Message("it does not answer within 50 ms of a reset"), supply)
    else:
        yield Finding(part, "pass", Message("it answers {us:.0f} µs after a reset", us=seen.start_us))
    took = Message("a transfer takes {us:.0f} µs", us=seen.transfer_us)
    slow = Message("Close other programs; a Pi Zero is too slow for several readers")
    quick = seen.transfer_us <= SLOW_US
    yield Finding(part, "pass" if quick else "warn", took, "" if quick else slow)


def one(part: str, polls: Sequence[Poll], unseen: str = "") -> Finding:
    """Return the finding on one card: how often it answered at once.

    `unseen` says what may be wrong with a reader of this kind that sees no card at all.
    """
    first = next((at for at, poll in enumerate(polls) if poll.seen), None)
    if first is None:
        flat = Message("Lay it flat on the middle of the antenna, or try another card")
        return Finding(part, "fail", Message("no card was seen"), unseen or flat)
    since = polls[first:]
    heard = sum(poll.at_once > 0 for poll in since)
    what = Message("it answered at once in {heard} of {polls} polls", heard=heard, polls=len(since))
    verdict = graded(1 - heard / len(since))
    weak = Message("Turn the card and lay it flat; another card shows whether the sticker or the reader is at fault")
    return Finding(part, verdict, what, "" if verdict == "pass" else weak)


LOUDEST = 48
"""The gain, in dB, at which readers side by side may read nothing."""
ALIKE = 0.08
"""A smaller difference between two shares of polls may be chance."""


def gain(part: str, seen: GainSweep | None) -> Finding:
    """Return the finding on the gain: whether another one would help.

    It suggests the lowest gain that does: at the highest, readers side by side may read nothing.
    """
    if seen is None:
        return Finding(part, "pass", Message("not measured with this kind of reader"))
    heard, now = seen.heard, seen.now
    if not any(heard.values()):
        lay = Message("Lay a card flat on the middle of the antenna, and do this step again")
        return Finding(part, "warn", Message("no card was seen, at no gain"), lay)
    most = max(count for each, count in heard.items() if each != LOUDEST)
    alike = ALIKE * seen.polls
    loud = most < FINE * seen.polls and heard.get(LOUDEST, 0) > most + alike
    best = LOUDEST if loud else min(each for each, count in heard.items() if count >= most - alike)
    facts: dict[str, Any] = dict(gain=now, heard=heard[now], polls=seen.polls)
    if heard[now] >= heard[best] - alike:
        return Finding(part, "pass", Message("at {gain} dB it answered at once in {heard} of {polls} polls", **facts))
    what = Message("at {gain} dB it answered at once in {heard} of {polls} polls, at {best} dB in {more}",
                   best=best, more=heard[best], **facts)  # fmt: skip
    setting = Message("Set gain: {gain} at this reader in config.yaml", gain=best)
    trap = Message("Set gain: {gain} at this reader in config.yaml, and try its neighbours: they may read nothing then",
                   gain=best)  # fmt: skip
    return Finding(part, "warn", what, trap if loud else setting)


FINE = 0.9
"""A reader that hears a card in this share of polls needs no more gain."""


def two(part: str, polls: Sequence[Poll]) -> Finding:
    both = sum(poll.seen > 1 for poll in polls)
    what = Message("both were seen in {both} of {polls} polls", both=both, polls=len(polls))
    apart = Message("Move them a little apart: two stickers on top of each other weaken each other")
    share = both / max(1, len(polls))
    return Finding(part, "pass" if share > HALF else "warn", what, "" if share > HALF else apart)


HALF = 0.5


def lift(part: str, polls: Sequence[Poll], came: int) -> Finding:
    """Return the finding on a lifted card: whether it left once and for all.

    `came` counts how often it was reported as laid again.
    """
    if not any(poll.seen for poll in polls):
        return Finding(
            part, "warn", Message("no card was seen"), Message("Lay a card on the reader, and do this step again")
        )
    if polls[-1].seen:
        return Finding(part, "warn", Message("it has not been lifted"), Message("Do this step again"))
    if came:
        what = Message("it disappeared and came back: {times}×", times=came)
        return Finding(part, "warn", what, Message("Send this report in: the driver must be fitted to this reader"))
    weak = next((poll.ms for poll in polls if not poll.at_once), polls[-1].ms)
    last = max((poll.ms for poll in polls if poll.seen), default=weak)
    return Finding(part, "pass", Message("it left once, {ms} ms after it first grew weak", ms=max(0, last - weak)))


def hand(part: str, polls: Sequence[Poll]) -> Finding:
    seen = sum(poll.seen > 0 for poll in polls)
    if not seen:
        return Finding(part, "pass", Message("it is not seen there"))
    what = Message("it was seen in {seen} of {polls} polls", seen=seen, polls=len(polls))
    return Finding(part, "warn", what, Message("Put wood or card between antenna and cards, or mount the reader lower"))
