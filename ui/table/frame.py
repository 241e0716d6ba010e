"""What the table's frame shows around every board: top line, seats, last ruling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion import lamps
from companion.rules import N_, Ruling
from companion.words import say
from ui.games.any import sentences as plain
from ui.games.prokonsul import model as prokonsul
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Top:
    """Game and round, what is expected now, and the seats it is expected from."""

    title: str
    sentence: str
    awaited: Sequence[str]
    urgent: bool


@dataclass(frozen=True, slots=True)
class SeatPanel:
    """One seat: who sits there, what everybody may know, what the lamp does."""

    seat: str
    name: str
    status: str
    lamp: str
    turn: bool
    fist: bool
    well: bool
    counters: int | None
    cards: Sequence[str]


@dataclass(frozen=True, slots=True)
class Line:
    """The last ruling as a sentence; a refusal stands out."""

    text: str
    refused: bool
    seats: Sequence[str]


WORDS: Mapping[str, Any] = {"prokonsul": prokonsul}
"""Which module finds the sentence of the top line; a game without one says who is awaited."""


def top(m: Moment) -> Top:
    """The top line."""
    round_ = m.view.get("round")
    title = m.say(N_("{game} · round {round}"), game=m.game.title, round=round_) if round_ else m.game.title
    words = WORDS.get(m.game.name, plain)
    return Top(title, words.expected(m), tuple(words.awaited(m)), m.called)


def seats(m: Moment) -> Sequence[SeatPanel]:
    """Every seat, in table order."""
    modes = lamps.modes(m.view, m.seats, m.closed, m.fists)
    return tuple(seat_panel(m, seat, modes[seat]) for seat in m.seats)


def seat_panel(m: Moment, seat: str, lamp: str) -> SeatPanel:
    view = m.view
    name = m.players.get(seat) or m.name(seat)
    sick = [health for health in m.health.values() if not health.well and seat in health.device.split()]
    cards = view.get("holds", {}).get(seat, ())
    counters = view["counters"][seat] if "counters" in view else None
    turn = view["turn"] == seat
    return SeatPanel(
        seat, name, status(m, seat), lamp, turn, seat in m.closed and bool(m.fists), not sick, counters, tuple(cards)
    )


def status(m: Moment, seat: str) -> str:
    """A seat's part of the moment, in a word or two."""
    view = m.view
    if m.game.name not in WORDS:
        return plain.status(m, seat)
    if view["over"]:
        return m.say(N_("{chips} chips"), chips=view["result"]["scores"][seat])
    if m.fists:
        return m.say(N_("fist closed") if seat in m.closed else N_("hold!") if not m.called else N_("open"))
    if view["turn"] == seat:
        return m.say(N_("your turn"))
    if seat in view["waiting"]:
        return m.say(N_("awaited"))
    if seat in view.get("chosen", ()):
        return m.say(N_("card down"))
    if seat in view.get("pleaded", ()):
        return m.say(N_("pleaded"))
    return ""


def ruling_line(m: Moment) -> Line:
    """The most telling ruling of the last receipt: a refusal, or what the act came to."""
    for receipt in reversed(m.log):
        if receipt.public:
            ruling = telling(receipt.public)
            return Line(say(ruling, m.lang), not receipt.ok, named(ruling, m.seats))
    return Line(m.say(N_("Rulings appear here: touch one to learn why.")), False, ())


QUIET = {"round", "plea", "move_pawn", "last_province", "cards_back", *plain.QUIET}
"""What the top line tells anyhow."""


def telling(rulings: Sequence[Ruling]) -> Ruling:
    """The last one that says more than what comes next."""
    return next((ruling for ruling in reversed(rulings) if ruling.code not in QUIET), rulings[-1])


def named(ruling: Ruling, seats: Sequence[str]) -> Sequence[str]:
    """The seats a ruling speaks of, in the order it names them."""
    found: dict[str, None] = {}

    def walk(value: Any) -> None:
        if isinstance(value, Ruling):
            walk(value.facts)
        elif isinstance(value, str):
            if type(value) is str and value in seats:
                found[value] = None
        elif isinstance(value, dict):
            walk(list(value))
        elif isinstance(value, tuple | list | frozenset):
            for item in value:
                walk(item)

    for value in ruling.facts.values():
        walk(value)
    return tuple(found)
