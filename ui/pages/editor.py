"""A position in players' words, part by part, as the table changes it; secret parts are edited on their owner's pad."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from companion.answers.editing import Draft, held, toggled
from companion.rules import N_
from companion.rules.cards import DECK
from companion.rules.position_parts import Cards, Count, Field, One, Part, Some
from companion.rules.vocabulary import COLOURS, KNOWN
from companion.rules.words import Tongue, comma, words
from companion.session.deciding import explained
from ui.widgets.short_names import short_names

NOBODY = N_("nobody")


@dataclass(frozen=True, slots=True)
class PartTile:
    """A part with what stands there; of a secret one only whether its owner has looked at it."""

    part: Part
    caption: str
    value: str
    seat: str = ""
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One value that a field can have."""

    value: Any
    text: str
    seat: str
    chosen: bool
    shorter: tuple[str, ...] = ()
    """The text with the player's name in fewer letters, the longest first."""


@dataclass(frozen=True, slots=True)
class Status:
    """The verdict on a draft in one sentence: possible, or what is wrong."""

    text: str
    wrong: bool
    ready: bool


def asked(draft: Draft, live: bool) -> Sequence[Part]:
    """Return the parts that can be changed; nobody may see the covered parts of a live game."""
    return [part for part in draft.parts if not (live and part.covered)]


def tiles(draft: Draft, parts: Sequence[Part], tongue: Tongue, seen: Collection[Any] = ()) -> Sequence[PartTile]:
    """Return these parts as tiles; `seen` are the paths of the secret ones that were looked at."""
    wrong = [mistake.path for mistake in draft.wrong[0]]
    return [_tile(draft, part, tongue, part.path in seen, wrong) for part in parts]


def _tile(draft: Draft, part: Part, tongue: Tongue, seen: bool, wrong: Sequence[Any]) -> PartTile:
    if part.secret:
        text = N_("checked") if seen else N_("for {of} only")
        return PartTile(
            part, caption(part, tongue), tongue.tr(text, of=part.of) if not seen else tongue.tr(text), part.of
        )
    value = draft.get(part)
    ill = any(path[: len(part.path)] == part.path for path in wrong)
    seat = _shape_seat(draft, part, value)
    return PartTile(part, caption(part, tongue), said(part, value, tongue, seat), seat, ill)


def caption(part: Part, tongue: Tongue) -> str:
    """Return the name of a part."""
    return tongue.tr(part.text, of=part.of) if "{of" in part.text else tongue.tr(part.text)


def said(part: Part, value: Any, tongue: Tongue, shape: str = "") -> str:
    """Return a part's content in words: "Red, 3 counters", or "3 counters" beside Red's shape."""
    values = [(field, held(field, value)) for field in part.fields]
    found = [_value_words(field, of, tongue) for field, of in values if not field.key or of != shape]
    none = NOBODY if all(people(field) for field in part.fields) else N_("nothing")
    return comma(tongue.lang).join(word for word in found if word) or tongue.tr(none)


def people(field: Field) -> bool:
    """Return whether the values of a field are seats."""
    kind = field.kind
    return isinstance(kind, One | Some) and all(value in COLOURS for value in kind.values if value)


def _value_words(field: Field, value: Any, tongue: Tongue) -> str:
    match field.kind:
        case One():
            return word(value, tongue) if value is not None else ""
        case Count(piece):
            return amount(piece, value, tongue) if value or not field.key else ""
        case Some():
            return tongue.listed([word(one, tongue) for one in value]) if value else ""
        case Cards():
            return comma(tongue.lang).join(tongue.name(DECK[card]) for card in value)
    raise AssertionError(field)


def word(value: str | None, tongue: Tongue, none: str = N_("none")) -> str:
    """Return a seat, a place or a moment of the game in words; `none` for None."""
    if value is None:
        return tongue.tr(none)
    return tongue.tr(KNOWN.states[value]) if value in KNOWN.states else tongue.name(value)


def amount(piece: str, count: Any, tongue: Tongue) -> str:
    """Return a number of one piece in words; without a piece it is a plain number."""
    return tongue.piece(piece, int(count) if isinstance(count, bool) else count) if piece else tongue.phrase(count)


def _shape_seat(draft: Draft, part: Part, value: Any) -> str:
    """Return the seat whose shape stands beside the part; "" for none."""
    first = held(part.fields[0], value)
    seats = draft.setup.seats
    return part.of if part.of in seats else first if isinstance(first, str) and first in seats else ""


def choices(seats: Sequence[str], field: Field, value: Any, tongue: Tongue) -> Sequence[FieldValue]:
    """Return the values of a field that has a few."""
    assert isinstance(field.kind, One | Some)
    several = isinstance(field.kind, Some)
    short = short_names({seat: tongue.name(seat) for seat in seats})
    found = []
    for one in field.kind.values:
        chosen = one in value if several else one == value
        at = f"{value.index(one) + 1}. " if several and chosen and len(value) > 1 else ""
        said = word(one, tongue, NOBODY if people(field) else N_("none"))
        seat = one if one and one in seats else ""
        found.append(FieldValue(one, at + said, seat, chosen, tuple(at + name for name in short.get(seat, ()))))
    return found


def touched(draft: Draft, part: Part, field: Field, value: Any, one: Any) -> Draft:
    """Return the draft after a touch on a field's value.

    The value is set, or added or removed if the field has several; a card moves here from its current place.
    """
    match field.kind:
        case Cards() if not part.secret:
            return draft.take(part, field, one)
        case Some() | Cards():
            return draft.fill(part, field, toggled(value, one))
        case Count(_, least, most, flag):
            count = min(most, max(least, one))
            return draft.fill(part, field, bool(count) if flag else count)
    return draft.fill(part, field, one)


def status(draft: Draft, tongue: Tongue) -> Status:
    """Return what is wrong with the draft as everybody may know it, or that it is possible."""
    public, own = draft.wrong
    if public:
        return Status(tongue.phrase(explained(draft.parts, public[0])), True, False)
    if own:
        text = N_("This does not fit the hidden chips and cards: everybody, check your own.")
        return Status(tongue.tr(text), True, False)
    return Status(
        tongue.tr(N_("This fits.") if draft.altered else N_("Tap anything that is different on the table.")),
        False,
        True,
    )


def own_mistakes(draft: Draft, seat: str, tongue: Tongue) -> Sequence[str]:
    """Return what is wrong with a seat's secret parts, for its pad alone."""
    return [tongue.phrase(mistake.what) for mistake in draft.wrong[1].get(seat, ())]


def changes(draft: Draft, tongue: Tongue) -> Sequence[str]:
    """Return what everybody may see that differs, part by part."""
    text = N_("{part}: {now} (before: {before})")
    return [
        tongue.tr(text, part=words(caption(part, tongue), tongue.lang),
                  now=words(said(part, draft.get(part), tongue), tongue.lang),
                  before=words(said(part, draft.was(part), tongue), tongue.lang))
        for part in draft.parts
        if not part.secret and draft.differs(part)
    ]  # fmt: skip


def entered(draft: Draft, tongue: Tongue, seen: Collection[Any]) -> Sequence[str]:
    """Return that the secret parts whose paths are `seen` are taken as their owners left them, changed or not."""
    text = N_("{part}: as {of} has entered it.")
    return [
        tongue.tr(text, part=words(caption(part, tongue), tongue.lang), of=part.of)
        for part in draft.parts
        if part.secret and part.path in seen
    ]  # fmt: skip
