"""What a seat was told: every public line and its own, made from the acts and kept nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.answers.snapshot import parts
from companion.offers.acts import Acts
from companion.rules import N_, Amend, Redo, Ruling, Undo
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Entry
from companion.session.receipt import Receipt
from companion.voice.heard import as_heard, otherwise
from companion.voice.table_speech import NOW, own_line, turned

PART = N_("{part}.")
SINCE = N_("Since my turn.")
TAKEN_BACK = N_("{said} That was taken back.")
CHANGED = N_("{said} That has been changed.")
MOVED = N_("{move}.")
LINE = "{said}"


def history(acts: Acts, log: Sequence[Receipt], standing: Sequence[Receipt]) -> Choice:
    """Return the last trick or auction, what came since this seat's last act, then each line, the newest first."""
    now = {act.number: act for act in standing}
    told = list(_told(acts, log, now))
    told += [(act, said) for act in log[-1:] if isinstance(act.event, Amend) for said in _otherwise(acts, log, now)]
    lines = [Entry(LINE, {"said": said, "line": at}, (Saying(said.rule, LINE, {"said": said}),))
             for at, (_, said) in enumerate(told)]  # fmt: skip
    mine = [act.number for act in log if act.ok and getattr(act.event, "seat", None) == acts.seat]
    since = [said for act, said in told if mine and act.number > mine[-1]]
    ended = [part for part in parts(acts.game.name, standing) if part.name]
    numbers = {act.number for act in ended[-1].acts} if ended else set()
    last = [said for act, said in told if act.number in numbers]
    first = [
        *([Entry(PART, {"part": ended[-1].name}, _again(last))] if ended else []),
        *([Entry(SINCE, {}, _again(since))] if since else []),
    ]
    return Choice(None, [*first, *reversed(lines)])


def _again(said: Sequence[Ruling]) -> Sequence[Saying]:
    return [Saying(of.rule, LINE, {"said": of}) for of in said]


def _told(acts: Acts, log: Sequence[Receipt], now: Mapping[int, Receipt]) -> Iterator[tuple[Receipt, Ruling]]:
    """Yield every line that this seat heard, with its move."""
    last: Receipt | None = None
    for act in log:
        if act.ok and act.number:
            yield from ((act, _marked(act, saying, now)) for saying in _lines(acts, act, last))
            last = act.last


def _lines(acts: Acts, receipt: Receipt, before: Receipt | None) -> Iterator[Saying]:
    """Yield what this seat heard of a move, and of an own move also the line in its ear."""
    for ruling in receipt.rulings:
        to_seat = ruling.seat == acts.seat and not acts.read
        if (ruling.seat is None or to_seat) and (saying := as_heard(acts.speech, turned(ruling, receipt, before))):
            yield saying
        for move in ruling.facts.get("moves", ()) if ruling.seat is None else ():
            yield Saying(ruling.rule, MOVED, {"move": move})
    if not acts.read and (own := own_line(acts.speech, receipt, acts.seat)):
        yield own


def _otherwise(acts: Acts, log: Sequence[Receipt], standing: Mapping[int, Receipt]) -> Iterator[Ruling]:
    """Yield what the acts after a correction say now, where they said something else before."""
    told = {act.number: act for act in log if act.ok and act.number and not isinstance(act.event, Undo | Redo | Amend)}
    for number, act in standing.items():
        before = told[number].public if number in told else ()
        for saying in otherwise(acts.speech, before, act.public):
            yield Ruling("", saying.rule, NOW, {"said": Ruling("", saying.rule, saying.text, saying.facts)})


def _marked(act: Receipt, saying: Saying, standing: Mapping[int, Receipt]) -> Ruling:
    """Return the line, marked if it was taken back or changed since."""
    said = Ruling("", saying.rule, saying.text, saying.facts)
    if isinstance(act.event, Undo | Redo | Amend):
        return said
    if act.number not in standing:
        return Ruling("", saying.rule, TAKEN_BACK, {"said": said})
    if standing[act.number].public != act.public:
        return Ruling("", saying.rule, CHANGED, {"said": said})
    return said
