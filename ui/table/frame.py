"""The table's frame around every board: whose move it is, the seats, the last ruling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.answers import why
from companion.games import guide_of
from companion.rules import N_, NC_, Ruling
from companion.rules.contest import Contest
from companion.rules.words import Words
from ui.games.face import face_of, failed
from ui.games.parts import readers, sentences
from ui.games.parts.sentences import Expected
from ui.table.moment import Moment
from ui.table.outcome import told

About = tuple[str, str | None]
"""A word of the guide's numbers, and whose number it is, None where it is the table's."""


FAILED = N_("The board cannot be drawn: here is what is known. Nothing is lost.")


@dataclass(frozen=True, slots=True)
class Band:
    """The top line: who is awaited, and what for."""

    expected: Expected
    seat: str
    """The one whose colour fills it; "" where several are awaited, or nobody."""
    awaited: Sequence[str]
    """Those several."""
    fault: str
    """The remedy for a device, or the failure of the game's face; "" while all is well."""

    @property
    def sentence(self) -> str:
        return self.expected.sentence

    @property
    def seats(self) -> Sequence[str]:
        """Return every seat that is expected to act."""
        return (self.seat,) if self.seat else self.awaited


@dataclass(frozen=True, slots=True)
class Tile:
    """One seat: who sits there, and what everybody may know."""

    seat: str
    name: str
    shorter: tuple[str, ...]
    """The same in fewer letters, the longest first."""
    status: str
    """Its part of the moment, in a word or two."""
    hand: int | None
    """The number of cards it holds, where that is known and matters now."""
    hand_about: About
    """The question about that; nothing where a touch on it is an act."""
    figure: str
    """Its number: points, cargo, chips."""
    caption: str
    """What it counts, in a short word; "" where that goes without saying."""
    was: str
    """The number before the last act; "" where that has not changed it."""
    counters: int | None
    cards: Sequence[str]
    """Those that lie open before it."""
    awaited: bool
    alone: bool
    """Nobody else is awaited."""
    done: bool
    """Its card is down, its fist does as it should."""
    out: bool
    away: bool
    well: bool
    about: About = ("", None)
    """The question about its number; nothing where a touch on it is an act."""
    ear: bool = False
    """Whether it has a private earphone."""
    mark: str = ""
    """The sign of what it has in this game."""


@dataclass(frozen=True, slots=True)
class LastRuling:
    """The last ruling as a sentence; a refusal stands out."""

    text: str
    refused: bool
    seats: Sequence[str]


def band(m: Moment) -> Band:
    """Return whose move it is and what is expected, or the winners once the game is over."""
    expected, awaited = sentences.expected(m), tuple(face_of(m.game.name).awaited(m))
    first = readers.first_of_all(m, expected.sentence)
    if m.view["over"]:
        awaited = tuple(m.result["winners"])
    one = awaited[0] if len(awaited) == 1 else ""
    fault = readers.remedy(m) or (m.say(FAILED) if failed(m.game.name) else "")
    return Band(Expected("", first) if first else expected, one, () if one else awaited, fault)


def rail(m: Moment) -> Sequence[Tile]:
    """Return the tiles of all seats, in table order."""
    first = readers.next_at_reader(m)
    lamps = {seat: "off" if lamp == "blink" and first not in ("", seat) else lamp for seat, lamp in m.lamps.items()}
    alone = sum(lamp == "blink" for lamp in lamps.values()) == 1
    return tuple(tile(m, seat, lamps[seat], alone) for seat in m.seats)


def tile(m: Moment, seat: str, lamp: str, alone: bool) -> Tile:
    face = face_of(m.game.name)
    acts = (face.acts_on_tile and seat in m.view["waiting"]) or face.tapped(m, seat) is not None
    figure, before = written(m, seat), written(m.previous, seat) if m.previous else ""
    return Tile(
        seat,
        called(m, seat, m.name(seat)),
        tuple(called(m, seat, name) for name in m.short_names[seat]),
        gone(m, seat) or readers.without(m, seat) or face.status(m, seat),
        None if face.out(m, seat) else face.hand(m, seat),
        about(m, "" if acts else "cards", seat),
        figure,
        face.caption(m, seat) if figure else "",
        before if before != figure else "",
        counters=face.counters(m, seat),
        cards=tuple(face.lying(m, seat)),
        awaited=lamp == "blink",
        alone=alone and lamp == "blink",
        done=lamp == "on",
        out=face.out(m, seat),
        away=seat in m.absent,
        well=all(health.well for health in m.health.values() if seat in health.device.split()),
        about=about(m, face.number(m, seat) if figure and not acts else "", seat),
        ear=seat in m.ears,
        mark=face.mark(m, seat),
    )


def written(m: Moment, seat: str) -> str:
    """Return the number of a seat as its tile shows it; "" for none."""
    number = face_of(m.game.name).figure(m, seat)
    return "" if number is None else m.tongue.phrase(number)


def called(m: Moment, seat: str, name: str) -> str:
    """Return the name as the seat's tile shows it: in brackets if the player has left."""
    return m.say(N_("({seat})"), seat=Words(name)) if seat in m.absent else name


def gone(m: Moment, seat: str) -> str:
    """Return that the player has left, followed by the seat's status; "" if the player is present."""
    if seat not in m.absent:
        return ""
    status = face_of(m.game.name).status(m, seat)
    return " · ".join(filter(None, (m.say(NC_("player", "away")), status)))


def about(m: Moment, word: str, seat: str) -> About:
    """Return the number that a seat's part of the screen shows; ("", None) if the guide has no such number."""
    number = guide_of(m.game.name).numbers.get(word)
    return (word, seat if number.by else None) if number else ("", None)


def ruling_line(m: Moment) -> LastRuling:
    """Return what the last receipt came to: a refusal, or the outcome of the act."""
    if receipt := why.last_ruled(m.log):
        ruling = told(m, receipt.public)
        return LastRuling(m.tongue.say(ruling), not receipt.ok, listed(ruling, m.seats))
    doubt = m.board is not None and not m.board.get("confirmed")
    first = N_("Board not confirmed: compare it under “Settings”, “Board data”.")
    return LastRuling(m.say(first if doubt else N_("Rulings appear here: tap one to learn why.")), False, ())


def decides(ruling: Ruling) -> bool:
    """Return whether a ruling weighed something or ended the game, rather than only moving a card or piece."""
    return any(isinstance(fact, Contest) for fact in ruling.facts.values()) or ruling.code == "over"


def named(ruling: Ruling, seats: Sequence[str]) -> Sequence[str]:
    """Return the seats that a ruling mentions, in the order of mention."""
    found: dict[str, None] = {}

    def walk(value: object) -> None:
        if isinstance(value, Ruling):
            walk(list(value.facts.values()))
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


def listed(ruling: Ruling, seats: Sequence[str]) -> Sequence[str]:
    """Return the seats that a ruling mentions, in the order of a list of all of them if its sentence has one."""
    found = named(ruling, seats)
    return next((order for order in _lists(ruling) if len(order) > 1 and {*order} == {*found}), found)


def _lists(ruling: Ruling) -> Iterator[Sequence[str]]:
    """Yield the lists that a ruling's sentence names, in its order."""
    for key, fact in ruling.facts.items():
        if isinstance(fact, Ruling):
            yield from _lists(fact)
        elif isinstance(fact, tuple | list | dict) and f"{{{key}" in ruling.text:
            yield tuple(str(one) for one in fact)
