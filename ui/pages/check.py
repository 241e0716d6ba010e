"""The table check: the real table beside the program's, seat by seat, and what explains a difference."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.answers.editing import Draft, filled, held, toggled
from companion.answers.explaining import Explanation, ToldEvent, changed
from companion.games import position_of
from companion.record.transcript import event_data
from companion.rules import N_, Choose, Setup
from companion.rules.cards import DECK
from companion.rules.layout import ELSE, Layout, Lies, Spot, there
from companion.rules.position_parts import Cards, Count, Field, One, Part, Some
from companion.rules.vocabulary import KNOWN
from companion.rules.words import Tongue, comma, words
from ui.games.parts.actions import said as control
from ui.table.frame import named
from ui.table.moment import Moment

BOARD = ""
"""The side of the board itself."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The table's answers so far: the places that differ, and the sides confirmed as right."""

    lies: Layout
    """The expected layout."""
    spots: Sequence[Spot]
    said: Lies = field(default_factory=dict)
    agreed: Collection[str] = ()

    def there(self, place: str) -> Mapping[str, int]:
        """Return what lies at a place, as far as the table has said."""
        return self.said.get(place, self.lies.get(place, {}))

    def say(self, place: str, pieces: Mapping[str, int]) -> Checked:
        """Return the answers with these pieces reported at a place."""
        pieces = {piece: count for piece, count in pieces.items() if count}
        rest = {other: of for other, of in self.said.items() if other != place}
        return replace(self, said=rest if pieces == self.lies.get(place, {}) else {**rest, place: pieces})

    def agree(self, seat: str) -> Checked:
        return replace(self, agreed={*self.agreed, seat})

    def again(self, lies: Layout) -> Checked:
        """Return the answers after an act.

        Reports that still differ are kept, and so are confirmed sides where nothing has changed.
        """
        said = {place: pieces for place, pieces in self.said.items() if pieces != lies.get(place, {})}
        moved = {self.side(spot) for spot in self.spots if lies.get(spot.place, {}) != self.there(spot.place)}
        return replace(self, lies=lies, said=said, agreed={seat for seat in self.agreed if seat not in moved})

    def side(self, spot: Spot) -> str:
        """Return the seat that the place belongs to, or BOARD."""
        word, _, of = spot.place.partition(" ")
        return of if word in KNOWN.own else word if word in KNOWN.sides else BOARD

    @property
    def want(self) -> Lies:
        """Return the contents of each place that differs, complete for that place."""
        return {place: {**pieces, ELSE: 0} for place, pieces in self.said.items()}

    @property
    def well(self) -> Lies:
        """Return the contents of the places that the table has confirmed."""
        agreed = [spot.place for spot in self.spots if self.side(spot) in self.agreed and spot.place not in self.said]
        return {place: {**self.lies.get(place, {}), ELSE: 0} for place in agreed}


def checked(game: str, setup: Setup, lies: Layout) -> Checked:
    """Return the empty answers for this layout."""
    return Checked(lies, position_of(game).places(setup))


def told(m: Moment, c: Checked, spot: Spot) -> str:
    """Return a place over its contents, for a control."""
    return f"{short(m, spot)}\n{content(m.tongue, spot, c.there(spot.place))}"


def short(m: Moment, spot: Spot) -> str:
    """Return a place's name beside its seat or its board."""
    word = spot.place.partition(" ")[0]
    if word in KNOWN.own:
        return m.say(KNOWN.own[word])
    return label(m, spot)


def label(m: Moment, spot: Spot) -> str:
    """Return what a place is called beside what lies there: "Counters on Asia"."""
    word, _, of = spot.place.partition(" ")
    return m.say(KNOWN.labels[word], of=of) if word in KNOWN.labels else m.tongue.place(spot.place)


def content(tongue: Tongue, spot: Spot, pieces: Mapping[str, int]) -> str:
    """Return the contents of a place in words."""
    if spot.pieces == ("space",):
        return tongue.piece("space", pieces.get("space", 0))
    found = [_piece_words(tongue, spot, piece, count) for piece, count in pieces.items() if count]
    return comma(tongue.lang).join(found) or tongue.tr(N_("nobody") if spot.one and spot.most == 1 else N_("nothing"))


def _piece_words(tongue: Tongue, spot: Spot, piece: str, count: int) -> str:
    """Return a piece in words, with its owner only where needed.

    A single piece per owner is called by its colour; a place for one kind leaves the colour to the shape.
    """
    colour, _, kind = piece.partition(" ")
    if piece in DECK or not kind or piece == "black pawn":
        return tongue.piece(piece, count)
    if spot.most == 1:
        return tongue.name(colour)
    return tongue.piece(kind if len(spot.pieces) == 1 else piece, count)


# -- what lies there, said by finger ----------------------------------------------------------------------------


def part(spot: Spot, seats: Sequence[str]) -> Part:
    """Return a place with a control for everything that can be said of it."""
    return Part((spot.place,), "", fields=_fields_of(spot, seats))


def _fields_of(spot: Spot, seats: Sequence[str]) -> Sequence[Field]:
    if all(piece in DECK for piece in spot.pieces):
        return [Field("", Cards(spot.pieces))]
    if spot.one:
        whose = Field(WHOSE, One((None, *(_owner_of(piece) for piece in spot.pieces))))
        kind = spot.pieces[0].split()[-1]
        return [whose, Field(COUNT, Count(kind, 1, spot.most))] if spot.most > 1 else [whose]
    some = [piece for piece in spot.pieces if spot.most == 1 and piece.split()[0] in seats]
    rest = [_count_field(spot, piece) for piece in spot.pieces if piece not in some]
    return [*([Field(SOME, Some([piece.split()[0] for piece in some]), N_("Whose counters"))] if some else []), *rest]


def _count_field(spot: Spot, piece: str) -> Field:
    if "{count}" not in KNOWN.pieces.get(piece, "{count}"):  # there is one of it
        return Field(piece, Count(piece, 0, 1, True), KNOWN.pieces[piece])
    return Field(piece, Count(piece, 0, spot.most))


WHOSE, COUNT, SOME = "whose", "count", "some"
"""The keys under which a pane holds whose all of it is, how many they are, and who has one."""


def _owner_of(piece: str) -> str:
    """Return the owner of a piece that lies there alone; a counter of nobody is neutral, a marker is itself."""
    return "neutral" if piece == "counter" else piece.split(maxsplit=1)[0]


def value(spot: Spot, seats: Sequence[str], pieces: Mapping[str, int]) -> Any:
    """Return the contents of a place as a pane stores them."""
    if all(piece in DECK for piece in spot.pieces):
        return there(pieces)
    if spot.one:
        found = there(pieces)
        return {WHOSE: _owner_of(found[0]), COUNT: pieces[found[0]]} if found else None
    some = [piece.split()[0] for piece in there(pieces) if spot.most == 1 and piece.split()[0] in seats]
    return {**{piece: count for piece, count in pieces.items() if piece.split()[0] not in some}, SOME: some}


def pieces_of(spot: Spot, of: Any) -> Mapping[str, int]:
    """Return a pane's value as pieces."""
    if isinstance(of, list):
        return dict.fromkeys(of, 1)
    if not of:
        return {}
    if spot.one:
        whose = next(piece for piece in spot.pieces if _owner_of(piece) == of[WHOSE])
        return {whose: int(of.get(COUNT) or 1)}
    own = {f"{seat} counter": 1 for seat in of.get(SOME) or ()}
    return own | {piece: int(count) for piece, count in of.items() if piece != SOME and count}


def touched(of: Part, before: Any, field: Field, one: Any) -> Any:
    """Return the pane's value after a touch on one of its controls."""
    now = held(field, before)
    match field.kind:
        case Some() | Cards():
            after: Any = toggled(now, one)
        case Count(_, least, most, flag):
            count = min(most, max(least, one))
            after = bool(count) if flag else count
        case _:
            after = one
    return filled(of, before, field, after) if field.key else after


# -- what explains it -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CheckReason:
    """One explanation: what kind, the acts in sentences, and what else it would change."""

    kind: str
    text: str
    seats: Sequence[str]
    beside: str
    of: Explanation


MISSED, WRONG, NEVER = N_("Never entered"), N_("Reported wrongly"), N_("Never happened")


def reasons(m: Moment, found: Sequence[Explanation], c: Checked) -> Sequence[CheckReason]:
    """Return the explanations in words, the best first."""
    return [_check_reason(m, one, c) for one in found]


def _check_reason(m: Moment, one: Explanation, c: Checked) -> CheckReason:
    kind = MISSED if one.was is None else WRONG if instead(one) else NEVER
    text, seats = _explanation_sentence(m, one)
    return CheckReason(m.say(kind), text, seats, beside(m, one, c), one)


def instead(one: Explanation) -> bool:
    """Return whether the act was replaced by another one, not just removed."""
    return bool(one.acts) and event_data(one.acts[0].event)["event"] != "decide"


def _explanation_sentence(m: Moment, one: Explanation) -> tuple[str, Sequence[str]]:
    if one.was is None:
        said = [_event_sentence(m, told) for told in one.acts]
        return " · ".join(text for text, _ in said), _each_once([seat for _, seats in said for seat in seats])
    was, seats = m.tongue.say(one.was.public[0]), named(one.was.public[0], m.seats)
    if not one.acts and one.cost > 1:
        text = N_("The last {count} moves, beginning with: {what}")
        return m.say(text, count=one.cost, what=words(was, m.lang)), seats
    if one.open or not instead(one):
        return was, seats
    now, own = _event_sentence(m, one.acts[0])
    return m.say(N_("{now} Reported as: {was}"), now=words(now, m.lang), was=words(was, m.lang)), _each_once(
        [*own, *seats]
    )


def _event_sentence(m: Moment, told: ToldEvent) -> tuple[str, Sequence[str]]:
    """Return an act and its seat; only who does what if a part of it is unknown."""
    if isinstance(told.event, Choose) and not told.open:
        seat, card = told.event.seat, told.event.card
        return m.say(N_("{seat}: {card}"), seat=seat, card=card), [seat]
    if not told.open:
        return m.tongue.say(told.rulings[0]), named(told.rulings[0], m.seats)
    data = event_data(told.event)
    act = control(m, data["event"])
    seat = data.get("seat", "")
    text = m.say(N_("{seat}: {act}"), seat=seat, act=words(act, m.lang)) if seat else act
    return text, [seat] if seat else []


def _each_once(seats: Sequence[str]) -> Sequence[str]:
    return [*dict.fromkeys(seats)]


def beside(m: Moment, one: Explanation, c: Checked) -> str:
    """Return what else would then lie differently, for players to check; "" for nothing."""
    spots = {spot.place: spot for spot in c.spots}
    found = [spots[place] for place in changed(c.lies, one.lies, c.said) if place in spots]
    said = [m.say(N_("{where}: {what}"), where=words(label(m, spot), m.lang),
                  what=words(content(m.tongue, spot, one.lies.get(spot.place, {})), m.lang))
            for spot in found]  # fmt: skip
    return m.say(N_("Then also: {places}"), places=words(" · ".join(said), m.lang)) if said else ""


# -- else -------------------------------------------------------------------------------------------------------


def prefilled(game: str, draft: Draft, said: Lies) -> Draft:
    """Return the position with every reported place that it has words for."""
    for place, pieces in said.items():
        found = position_of(game).entered(draft.open, place, pieces)
        part = next((part for part in _open_parts(draft) if found and part.path == found[0]), None)
        draft = draft.put(part, found[1]) if part and found else draft
    return draft


def _open_parts(draft: Draft) -> Iterator[Part]:
    return (part for part in draft.parts if not part.secret)
