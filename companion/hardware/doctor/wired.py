"""Findings about readers, buttons and lamps: limits, likely causes and next steps. Pure: drives nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from companion.hardware.doctor import Finding, Verdict
from companion.hardware.kind import REPAIRED, BusProbe, Checkup
from companion.rules.message import Message, code, device

# -- readers -----------------------------------------------------------------------------------------------------------

FEW, MANY = 0.01, 0.25
"""Shares of failed polls: up to `FEW` all is well, from `MANY` on the reader is unusable."""


@dataclass(frozen=True, slots=True)
class PollSummary:
    """The result of one reader's polls: `fault` is the last error's text, `version` None for a reader without one.

    `times` are in ms; `tags` maps each tag to how many polls since its first heard it at once, and out of how many.
    """

    name: str
    fault: str = ""
    version: int | None = None
    times: tuple[float, ...] = ()
    failed: int = 0
    repaired: int = 0
    tags: Mapping[str, tuple[int, int]] | None = None


UNHEARD = Message("No contact yet")
AGAIN = Message("Do as it says, then run the doctor again")


def reader(seen: PollSummary, checkup: Checkup = Checkup()) -> Iterator[Finding]:  # noqa: B008 - it is frozen
    part = f"reader {seen.name}"
    if not seen.times and not seen.failed:
        fault = seen.fault or UNHEARD
        yield Finding(part, "fail", fault, checkup.remedies.get(code(seen.fault), AGAIN))
        return
    if seen.version is not None and checkup.chip:
        what, remedy = checkup.chip(seen.version)
        yield Finding(part, "warn" if remedy else "pass", what, remedy)
    yield _errors(part, seen, checkup.remedies)
    if seen.times:
        yield _speed(part, sorted(seen.times), checkup.slow_ms)
    yield from _tags(part, seen.tags or {})


def _errors(part: str, seen: PollSummary, remedies: Mapping[str, Message]) -> Finding:
    polls = len(seen.times) + seen.failed
    wrong = seen.failed + seen.repaired
    if not wrong:
        return Finding(part, "pass", Message("polls without an error: {polls}", polls=polls))
    lost = Message("the chip had lost its settings and was set up again")
    what = Message(
        "{wrong} of {polls} polls went wrong ({percent:.0f} %): {why}",
        wrong=wrong,
        polls=polls,
        percent=100 * wrong / polls,
        why=seen.fault if seen.failed else lost,
    )
    if seen.failed:
        return Finding(part, graded(seen.failed / polls), what, remedies.get(code(seen.fault), AGAIN))
    return Finding(part, graded(wrong / polls), what, remedies.get(REPAIRED, AGAIN))


def graded(share: float) -> Verdict:
    return "fail" if share >= MANY else "warn" if share > FEW else "pass"


def _speed(part: str, times: Sequence[float], slow_ms: float) -> Finding:
    middle, most = (times[round(share * (len(times) - 1))] for share in (0.5, 0.95))
    what = Message(
        "a poll takes {middle:.1f} ms; 95 % take less than {most:.1f} ms, the slowest {longest:.1f} ms",
        middle=middle,
        most=most,
        longest=times[-1],
    )
    if middle <= slow_ms:  # a weak card slows single polls, a slow Pi all of them
        return Finding(part, "pass", what)
    return Finding(part, "warn", what, Message("Close other programs; a Pi Zero is too slow for several readers"))


def _tags(part: str, tags: Mapping[str, tuple[int, int]]) -> Iterator[Finding]:
    if not tags:
        lay = Message("Lay a card on it and run the doctor again: it will count misses")
        yield Finding(part, "pass", Message("no card on it"), lay)
    for tag, (heard, polls) in tags.items():
        what = Message("tag {tag} answered first time in {heard} of {polls} polls", tag=tag, heard=heard, polls=polls)
        verdict = graded((polls - heard) / polls)
        weak = Message(
            "Turn the card and lay it flat; another card shows whether the sticker or the reader is at fault"
        )
        yield Finding(part, verdict, what, weak if verdict != "pass" else "")


def crosstalk(readers: Sequence[PollSummary]) -> Iterator[Finding]:
    """Yield the tags that two readers see: one card lies on one reader, so these readers are too near each other."""
    where: dict[str, list[str]] = {}
    for seen in readers:
        for tag in seen.tags or {}:
            where.setdefault(tag, []).append(seen.name)
    both = {tag: names for tag, names in where.items() if len(names) > 1}
    for tag, names in both.items():
        *most, last = map(device, names)
        rest = reduce(_joined, most)
        yield Finding(
            "readers",
            "fail",
            Message("{readers} and {last} both see tag {tag}", readers=rest, last=last, tag=tag),
            Message("Move them 10 cm apart, edge to edge, with no metal plate under both"),
        )
    if sum(bool(seen.times) for seen in readers) > 1 and not both:
        hint = Message("Lay a card on one of them and run the doctor again")
        apart, empty = Message("no card is seen by two readers"), Message("nothing is on them")
        yield Finding("readers", "pass", apart if where else empty, "" if where else hint)


HELD = "held"
"""The code of a finding: one reader holds its bus's MISO line."""
LET_GO = Message("Put a diode into its MISO, and 1.5 kΩ between the common line and ground; or use another board")


def held(seen: Sequence[BusProbe]) -> Iterator[Finding]:
    """Yield the readers that hold their bus's MISO line.

    Cheap boards do not let go of MISO: each reader works alone, but beside such a board the others do not.
    """
    for bus in dict.fromkeys(each.bus for each in seen):
        here = [each for each in seen if each.bus == bus]
        silent, well = ([each for each in here if each.answers is answers] for answers in (False, True))
        culprits = dict.fromkeys(name for each in silent for name in each.without)
        for name in culprits:
            others = reduce(_joined, (device(each.name) for each in silent if name in each.without))
            text = Message(
                "It blocks the line on which its whole bus answers (MISO): without it, {others} works",
                code=HELD,
                others=others,
            )
            yield Finding(f"reader {name}", "fail", text, LET_GO)
        if silent and len(well) == 1 and not culprits:
            alone = Message("Nothing else answers on its bus: it may be blocking the line on which all answer")
            pull = Message(
                "Pull off its MISO wire and run the doctor again: if the others answer then, this is the culprit"
            )
            yield Finding(f"reader {well[0].name}", "warn", alone, pull)


# -- buttons and lamps ---------------------------------------------------------------------------------------------

BOUNCE_MS = 60
"""A contact that is open for less than this has bounced: no finger is that fast."""
SHOWN = 10
"""The most changes of a contact shown."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One button: its first state, and each change with its time in ms from the beginning."""

    name: str
    pin: int
    fault: str = ""
    held: bool = False
    changes: tuple[tuple[int, bool], ...] = ()


def button(seen: Contact, debounce_ms: int) -> Finding:
    part = f"button {seen.name}"
    if seen.fault:
        return Finding(part, "fail", _refused(seen.pin, seen.fault), BUSY)
    if seen.changes:
        return _pressed(part, seen, debounce_ms)
    if seen.held:
        held = Message("GPIO {pin} stays at ground", pin=seen.pin)
        turn = Message("Let go; failing that, turn the button by 90° (two of its four legs are always joined)")
        return Finding(part, "fail", held, turn)
    still = Message("GPIO {pin} is open and was not pressed", pin=seen.pin)
    return Finding(part, "pass", still, Message("Press it while the doctor is running"))


def _pressed(part: str, seen: Contact, debounce_ms: int) -> Finding:
    opened = [later - t for (t, down), (later, _) in pairwise(seen.changes) if not down]
    bounce = max((ms for ms in opened if ms < BOUNCE_MS), default=0)
    changes = trace(seen.changes)
    if bounce < debounce_ms:
        return Finding(part, "pass", Message("GPIO {pin} {changes}", pin=seen.pin, changes=changes))
    what = Message(
        "GPIO {pin} {changes}; it bounces for {bounce} ms, but debounce_ms is {waited}",
        pin=seen.pin,
        changes=changes,
        bounce=bounce,
        waited=debounce_ms,
    )
    longer = Message(
        "Set press.debounce_ms to {ms}; if that does not help, the wire is loose or the button worn out", ms=bounce + 8
    )
    return Finding(part, "warn", what, longer)


def trace(changes: Sequence[tuple[int, bool]]) -> Message:
    """Return the changes as "down 0, up 3, down 4, up 180 ms", with times from the first change."""
    first = changes[0][0]
    shown = reduce(_joined, (_change(t - first, down) for t, down in changes[:SHOWN]))
    if len(changes) <= SHOWN:
        return Message("{changes} ms", changes=shown)
    return Message("{changes} ms … {count} changes", changes=shown, count=len(changes))


def _change(ms: int, down: bool) -> Message:
    return Message("down {ms}", ms=ms) if down else Message("up {ms}", ms=ms)


def _joined(a: Message, b: Message) -> Message:
    return Message("{a}, {b}", a=a, b=b)


def _refused(pin: int, fault: str) -> Message:
    return Message("GPIO {pin} cannot be used: {fault}", pin=pin, fault=fault)


BUSY = Message(
    "Stop the other program that uses the pin (another Tabularium?), or wire another pin and change config.yaml"
)


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp: whether its pin rose and fell when switched."""

    name: str
    pin: int
    fault: str = ""
    followed: bool = True


def lamp(seen: Lamp) -> Finding:
    part = f"lamp {seen.name}"
    if seen.fault:
        return Finding(part, "fail", _refused(seen.pin, seen.fault), BUSY)
    if not seen.followed:
        low = Message("GPIO {pin} does not go high when switched on", pin=seen.pin)
        return Finding(part, "fail", low, Message("It touches ground: is the 330 Ω resistor in place?"))
    dark = Message("Dark? Turn the LED round: its long leg goes to the pin")
    return Finding(part, "pass", Message("GPIO {pin} blinked", pin=seen.pin), dark)
