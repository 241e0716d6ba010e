"""What the table's frame shows around every board: top line, seats, last ruling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.answers import why
from companion.games import guide_of
from companion.rules import N_, Ruling
from ui.games.face import face_of
from ui.games.parts import readers, sentences
from ui.games.parts.sentences import Expected
from ui.table.moment import Moment

About = tuple[str, str | None]
"""A word of the guide's numbers, and whose number it is, None where it is the table's."""


@dataclass(frozen=True, slots=True)
class Top:
    """Game and round, what is expected now, and the shapes of the seats it is expected from."""

    title: str
    expected: Expected
    awaited: Sequence[str]
    urgent: bool
    ill: bool
    """The title gives way to what is to be done about a device."""
    doubt: str
    """What is to be known about the board."""

    @property
    def sentence(self) -> str:
        return self.expected.sentence


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
    about: About = ("", None)
    """What its words can be asked about; nothing where a touch on them is an act."""
    ear: bool = False
    """It has an earphone of its own."""


@dataclass(frozen=True, slots=True)
class LastRuling:
    """The last ruling as a sentence; a refusal stands out."""

    text: str
    refused: bool
    seats: Sequence[str]


def top(m: Moment) -> Top:
    """The top line."""
    round_ = m.view.get("round")
    title = m.say(N_("{game} · round {round}"), game=m.title, round=round_) if round_ else m.title
    doubt = m.board is not None and not m.board.get("confirmed")
    face, remedy = face_of(m.game.name), readers.remedy(m)
    awaited = tuple(face.awaited(m))
    crowded = bool(remedy) and len(awaited) > readers.FEW + 1  # then it is as good as everybody
    expected = sentences.expected(m)
    first = readers.first_of_all(m, expected.sentence)
    return Top(
        remedy or title,
        Expected("", first) if first else expected,
        () if crowded else awaited,
        m.called,
        bool(remedy),
        m.say(N_("Board not confirmed")) if doubt and not remedy else "",
    )


def seats(m: Moment) -> Sequence[SeatPanel]:
    """Every seat, in table order."""
    lamps = m.lamps
    return tuple(seat_panel(m, seat, lamps[seat]) for seat in m.seats)


def seat_panel(m: Moment, seat: str, lamp: str) -> SeatPanel:
    face = face_of(m.game.name)
    status = gone(m, seat) or readers.without(m, seat) or face.status(m, seat)
    acts = seat in m.view["waiting"] or face.tapped(m, seat) is not None
    asked = not acts and any(map(str.isdigit, status))
    return SeatPanel(
        seat,
        m.say(N_("({seat})"), seat=seat) if seat in m.absent else m.name(seat),
        status,
        lamp,
        turn=m.view["turn"] == seat,
        fist=seat in m.closed and bool(m.fists),
        well=all(health.well for health in m.health.values() if seat in health.device.split()),
        counters=face.counters(m, seat),
        cards=tuple(face.lying(m, seat)),
        about=about(m, face.number(m, seat) if asked else "", seat),
        ear=seat in m.ears,
    )


def gone(m: Moment, seat: str) -> str:
    """That the player has left, beside the seat's part of the moment; "" for whoever is there."""
    if seat not in m.absent:
        return ""
    status = face_of(m.game.name).status(m, seat)
    return " · ".join(filter(None, (m.say(N_("away")), status)))


def about(m: Moment, word: str, seat: str) -> About:
    """The number that a seat's part of the screen shows; "" for none."""
    number = guide_of(m.game.name).numbers.get(word)
    return (word, seat if number.by else None) if number else ("", None)


def ruling_line(m: Moment) -> LastRuling:
    """The most telling ruling of the last receipt: a refusal, or what the act came to."""
    for receipt in reversed(m.log):
        if why.ruled_on(receipt):
            ruling = brief(telling(m, receipt.public))
            return LastRuling(m.tongue.say(ruling), not receipt.ok, named(ruling, m.seats))
    return LastRuling(m.say(N_("Rulings appear here: tap one to learn why.")), False, ())


def telling(m: Moment, rulings: Sequence[Ruling]) -> Ruling:
    """The last one that says more than what comes next."""
    return why.telling(m.game, rulings)


def brief(ruling: Ruling) -> Ruling:
    """What was done, where the ruling goes on to say what goes where: that has a list of its own."""
    said = ruling.facts.get("said")
    return brief(said) if isinstance(said, Ruling) else ruling


def named(ruling: Ruling, seats: Sequence[str]) -> Sequence[str]:
    """The seats a ruling speaks of, in the order it names them."""
    found: dict[str, None] = {}

    def walk(value: object) -> None:
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
