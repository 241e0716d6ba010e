"""The layout: before a first game how to lay it out, a picture a step; later as it should lie now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion.games import guide_of, position_of
from companion.rules import N_
from companion.rules.cards import COLOURS, DECK, PAWNS
from companion.rules.guide import BOARD, ROOM
from companion.rules.layout import Layout
from companion.rules.vocabulary import CARD
from ui.pages.answer_items import Heading, Weighed
from ui.pages.possible_moves import said
from ui.table.moment import Moment

Figure = Literal["face", "back", "room", "shape", "pawn", "chip", "piece"]
SINGLE = 10
"""Of so many equal pieces each is drawn; of more, one with their number."""
TOLD = 3
"""So many kinds of pieces are named, too; the picture of more says it all."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it is drawn: a card by its name, another by its colour or a letter; or one that stands for `count`."""

    figure: Figure
    of: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Mat:
    """A place in the picture: whose it is, what lies there in words, and the pieces, a line for each kind."""

    seat: str
    name: str
    words: str
    lines: Sequence[Sequence[Piece]]
    shorter: tuple[str, ...] = ()
    """Other forms of the name, where there is no room for it."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the set-up: what to do, and its picture."""

    texts: Sequence[str]
    mats: Sequence[Mat]
    board: bool = False
    """The game's own board belongs to the picture."""


def steps(m: Moment) -> Sequence[Step]:
    """Return the steps of the set-up.

    A sentence without a picture belongs to the step before it. What stays in the box comes last.
    """
    found: list[Step] = []
    laid = dict[str, Mapping[str, int]]()
    for saying in guide_of(m.game.name).layout(m.seats, m.options):
        text = said(m, saying).text
        if saying.lies or not found:
            found.append(Step([text], mats(m, saying.lies), BOARD in saying.lies))
        else:
            found[-1] = replace(found[-1], texts=[*found[-1].texts, text])
        for place, pieces in saying.lies.items():
            laid[place] = {**laid.get(place, {}), **pieces}
    whole = opening(m)
    if not laid:  # the game names no places: one picture of them all
        return [replace(found[0], mats=mats(m, whole))] if found else [Step([], mats(m, whole))]
    beside = laid.get("beside", {})
    boxed = dict(whole.get("box", {}))
    for piece in boxed:
        boxed[piece] -= sum(count for one, count in beside.items() if one == piece or one.endswith(f" {piece}"))
    boxed = {piece: count for piece, count in boxed.items() if count}
    if boxed and "box" not in laid:
        found[-1] = replace(found[-1], mats=[*found[-1].mats, *mats(m, {"box": boxed})])
    return found


def opening(m: Moment) -> Layout:
    """Return what lies where before the first move."""
    return position_of(m.game.name).layout(m.opening[0] if m.opening else m.view, m.options)


def mats(m: Moment, lying: Layout) -> Sequence[Mat]:
    """Return the places of a layout as they are drawn; what lies before one seat is one of them."""
    places = dict[tuple[str, str], list[tuple[str, Mapping[str, int]]]]()
    for place, pieces in lying.items():
        word, _, of = place.partition(" ")
        if place != BOARD:
            places.setdefault(("", of) if of in PAWNS and word != "colour" else (place, ""), []).append((place, pieces))
    return [_mat(m, place, seat, there) for (place, seat), there in places.items()]


def _mat(m: Moment, place: str, seat: str, there: Sequence[tuple[str, Mapping[str, int]]]) -> Mat:
    lines: dict[str, list[Piece]] = {}
    words: list[str] = []
    loose = sum(sum(pieces.values()) for _, pieces in there) <= SINGLE  # few enough for one line
    for at, pieces in there:
        for piece, count in pieces.items():
            for one in _pieces(m, at, piece, count):
                kind = "piece" if loose and one.figure in ("shape", "piece") else piece.rpartition(" ")[2]
                lines.setdefault("card" if piece in DECK else kind, []).append(one)
            own = piece.removeprefix(f"{seat} ")  # its shape says whose it is
            words += [m.tongue.piece(own, count)] if piece not in DECK and piece != ROOM else []
    word, _, colour = place.partition(" ")
    if word == "colour":
        return Mat(colour, "", "", list(lines.values()))
    name = m.name(seat) if seat else m.say(N_("in the box")) if place == "box" else m.tongue.place(place)
    told = m.tongue.listed(words) if 0 < len(words) <= TOLD else ""
    return Mat(seat, name[:1].upper() + name[1:], told, list(lines.values()), m.short_names.get(seat, ()))


def _pieces(m: Moment, place: str, piece: str, count: int) -> Sequence[Piece]:
    """Return the pieces as they are drawn: a hand that holds every card of its colour shows them all."""
    word, _, of = place.partition(" ")
    colour, _, kind = piece.partition(" ")
    if piece in DECK:
        return [Piece("face", piece)]
    if piece == CARD:
        own = [str(card) for card in m.game.cards(m.options, of)] if word == "hand" and of in COLOURS else []
        return [Piece("face", card) for card in own] if len(own) == count else [Piece("back", of, count)]
    if piece == ROOM:
        return [Piece("room")] * count
    if piece == "chip":
        return [Piece("chip", "", count)]
    if kind == "pawn":
        return [Piece("pawn", colour)] * count
    one = Piece("shape", colour if kind and colour in PAWNS else of if of in PAWNS else "")
    one = one if one.of else Piece("piece", m.tongue.name(piece)[:1])
    return [one] * count if count <= SINGLE else [replace(one, count=count)]


def lying(m: Moment) -> Sequence[Any]:
    """Return what lies where now."""
    where = list(_lying(m))
    return [Heading(m.say(N_("What lies where"))), *where] if where else []


def _lying(m: Moment) -> Iterator[Weighed]:
    """Yield every place and the pieces there, as everybody may know."""
    for place, pieces in position_of(m.game.name).layout(m.view, m.options).items():
        here = m.tongue.listed([m.tongue.piece(piece, count) for piece, count in pieces.items()])
        name = m.tongue.place(place)
        yield Weighed(name[:1].upper() + name[1:], here)
