"""The log: rulings as the screen shows them, and which of the acts they are about still stand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from companion.answers import why
from companion.games import guide_of
from companion.rules import N_, Amend, Choose, Decide, Redo, Ruling, Undo
from companion.session.receipt import Receipt
from ui.table.frame import decides, named
from ui.table.moment import Moment
from ui.table.outcome import brief


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A ruling in the log, of this receipt: as it was told, or as it stands after it was judged anew.

    `number` is the number of its act if that act stands, else 0. `gone` means that the text no longer holds, and `mark`
    says in a word what became of it. A `folded` entry stands for several, from this number on. `move` is which of the
    moves that stand it is, 0 for none.
    """

    text: str
    rule: str
    refused: bool
    seats: Sequence[str]
    ruling: Ruling
    act: Receipt
    number: int = 0
    gone: bool = False
    mark: str = ""
    folded: int = 0
    move: int = 0


def log(m: Moment, unfolded: Collection[int] = (), seat: str = "") -> Sequence[LogEntry]:
    """Return all public rulings, newest first, or those about one seat.

    Acts that decided nothing are folded into one line unless it is in `unfolded`: cards chosen one after another, and
    all else that led to the next decision. What is about one seat is never folded.
    """
    standing = {act.number: act for act in m.acts}
    order = {act.number: at for at, act in enumerate(m.acts, 1)}
    found: list[LogEntry] = []

    def key(receipt: Receipt) -> tuple[str, str]:
        return kind(receipt), fate(receipt, standing)

    groups = [(of, list(acts)) for of, acts in groupby(m.log, key)]
    for at, ((quiet, mark), acts) in enumerate(groups):
        newest = quiet == LED_TO and (at == len(groups) - 1 or mark)
        if quiet and len(acts) > FEW[quiet] and not (newest or seat) and acts[0].number not in unfolded:
            found.append(_folded_entry(m, acts, mark))
        else:
            entries = (entry for act in acts for entry in _entries_of(m, act, mark, standing))
            found += [replace(entry, move=order.get(entry.number, 0)) for entry in entries]
    return [entry for entry in found[::-1] if seat in ("", *entry.seats)]


CHOSEN, LED_TO = "chosen", "led to"
FEW = {"": 0, CHOSEN: 1, LED_TO: 2}
"""The number of acts of each kind that are not worth folding."""


def kind(receipt: Receipt) -> str:
    """Return the kind of an act without its own line.

    Returns "" for an act that named an amount, decided or ended something, was refused or is a correction.
    """
    if silent(receipt):
        return CHOSEN
    plain = receipt.ok and receipt.number and not isinstance(receipt.event, Undo | Redo | Amend | Decide)
    return LED_TO if plain and not _tells(receipt) else ""


def _tells(receipt: Receipt) -> bool:
    """Return whether people look for this act in the log: for its amount, or for what it decided or ended."""
    assert receipt.game
    ends = guide_of(receipt.game.name).ends
    told = any(decides(ruling) or ruling.code in ends for ruling in receipt.public)
    return told or hasattr(receipt.event, "chips")


def silent(receipt: Receipt) -> bool:
    """Return whether an act says nothing but that a card was chosen."""
    return receipt.ok and isinstance(receipt.event, Choose) and len(receipt.public) == 1


def chosen(m: Moment, acts: Sequence[Receipt]) -> tuple[str, Sequence[str]]:
    """Return several silent acts in one sentence, and the seats it names."""
    seats = list(dict.fromkeys(seat for act in acts for seat in named(act.public[0], m.seats)))
    text = N_("{seats} have chosen.") if len(seats) > 1 else acts[-1].public[0].text
    return m.say(text, seats=seats, seat=seats[0]), seats


def _folded_entry(m: Moment, acts: Sequence[Receipt], mark: str) -> LogEntry:
    text, seats = chosen(m, acts) if silent(acts[0]) else (m.say(N_("{count} more moves"), count=len(acts)), ())
    last, ruling = acts[-1], acts[-1].public[0]
    return LogEntry(text, ruling.rule, False, seats, ruling, last, 0, bool(mark), mark and m.say(mark), acts[0].number)


def _entries_of(m: Moment, receipt: Receipt, mark: str, standing: Mapping[int, Receipt]) -> Iterator[LogEntry]:
    """Yield the rulings of an act; if it reads differently now, the new rulings follow."""
    changed = mark in (OTHERWISE, CAME_OUT)
    number = receipt.number if receipt.last is receipt or changed else 0
    number = 0 if mark == TAKEN_BACK else number
    now = standing.get(receipt.number, receipt)  # which may read the same on another board
    for ruling in receipt.public:
        gone = mark == TAKEN_BACK or (changed and (ruling not in now.public or mark == OTHERWISE))
        act = receipt if gone else now
        yield _entry_of(m, ruling, act, number, gone=gone, mark=mark if gone or not changed else "")
    for ruling in now.public if changed else ():
        if ruling not in receipt.public:
            yield _entry_of(m, ruling, now, number, mark=STANDS)


def _entry_of(m: Moment, ruling: Ruling, act: Receipt, number: int, *, gone: bool = False, mark: str = "") -> LogEntry:
    seats = named(brief(ruling), m.seats)
    text = m.tongue.say(brief(ruling))
    return LogEntry(text, ruling.rule, not act.ok, seats, ruling, act, number, gone, mark and m.say(mark))


def corrected(m: Moment, entry: LogEntry) -> str:
    """Return what a correction changed: "Before: … Now: …"; "" for any other entry."""
    return why.before_and_now(m.tongue, entry.ruling) if entry.ruling.code == "amended" else ""


TAKEN_BACK, OTHERWISE = N_("undone"), N_("corrected")
CAME_OUT, STANDS = N_("turned out differently"), N_("as it stands")


def fate(receipt: Receipt, standing: Mapping[int, Receipt]) -> str:
    """Return what the log says of an act besides its rulings; "" for nothing.

    It says that the act was taken back, changed or turned out differently, or that it is an amendment or a decision.
    """
    match receipt.event:
        case _ if not receipt.number:
            return ""
        case Undo() | Redo():
            return ""
        case Amend():
            return N_("correction")
        case _ if receipt.number not in standing:
            return TAKEN_BACK
        case event if standing[receipt.number].event != event:
            return OTHERWISE
        case _ if standing[receipt.number].public != receipt.public:
            return CAME_OUT
        case Decide():
            return N_("decided")
    return ""
