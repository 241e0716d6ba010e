"""A position as people change it (T-9, T-10): what everybody may know, and apart from it what one seat alone may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.answers.snapshot import Past
from companion.games import position_of
from companion.rules import AnyGame, Seat, Setup
from companion.rules.data import SEALED, Data
from companion.rules.mistakes import Mistake, Mistakes
from companion.rules.position_parts import Cards, Count, Field, One, Part, Path
from companion.session.deciding import apart, merge


def diff(before: Data, after: Data) -> dict[str, Any]:
    """Return the smallest merge patch (RFC 7396) that makes the one the other; null is the same as left out."""
    had, has = whole(before), whole(after)
    patch: dict[str, Any] = {key: None for key in had if key not in has}
    for key, value in has.items():
        if key in had and isinstance(value, dict) and isinstance(had[key], dict):
            if inner := diff(had[key], value):
                patch[key] = inner
        elif key not in had or not alike(had[key], value):
            patch[key] = value
    return patch


def whole(value: Any) -> Any:
    """Return an object without its null values, at any depth."""
    if isinstance(value, Mapping):
        return {key: whole(of) for key, of in value.items() if of is not None}
    return value


def alike(one: Any, other: Any) -> bool:
    """Return whether both are the same in JSON, where true is not 1."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return type(one) is type(other) and bool(one == other)


@dataclass(frozen=True, slots=True)
class Draft:
    """A position before and after what people have changed in it so far; no card lies face down any more.

    What everybody may know is read with `open` and `get`; what only one seat may, with `own`, for its pad alone.
    """

    game: AnyGame
    setup: Setup
    _before: Data = field(repr=False)
    _after: Data = field(repr=False)

    @property
    def open(self) -> Data:
        """Return what everybody may know of the position."""
        secret = position_of(self.game.name).secret
        return {key: value for key, value in self._after.items() if key not in secret}

    @property
    def parts(self) -> Sequence[Part]:
        """Return everything that can be changed."""
        return position_of(self.game.name).parts(self.setup, self.open)

    def get(self, part: Part) -> Any:
        """Return what everybody may see of a part; None where there is nothing."""
        assert not part.secret, "only its owner may see this"
        return _value_at(self.open, part.path)

    def was(self, part: Part) -> Any:
        """Return what everybody could see of a part before the changes."""
        assert not part.secret, "only its owner may see this"
        return _value_at(self._before, part.path)

    def differs(self, part: Part) -> bool:
        """Return whether everybody can see a difference from before, however an empty place is written."""
        now, was = self.get(part), self.was(part)
        return any(held(field, now) != held(field, was) for field in part.fields)

    def own(self, part: Part, seat: Seat) -> Any:
        """Return what the seat alone may see of a part."""
        assert part.secret and part.of == seat, "only its owner may see this"
        return _value_at(self._after, part.path)

    def put(self, part: Part, value: Any) -> Draft:
        """Return the draft with another value of a part."""
        after = _with_value(self._after, part.path, value)
        return replace(self, _after=position_of(self.game.name).followed(self.setup, after))

    def fill(self, part: Part, field: Field, value: Any) -> Draft:
        """Return the draft with another value of a field; values that cannot stand alone come or go with it."""
        if not field.key:
            return self.put(part, value)
        return self.put(part, filled(part, _value_at(self._after, part.path), field, value))

    def take(self, part: Part, field: Field, card: str) -> Draft:
        """Return the draft with the card moved to this part, from where it lies open, or taken off it."""
        value = held(field, self.get(part))
        found = self.fill(part, field, toggled(value, card))
        for other in self.parts if card not in value else ():
            if other.path != part.path and not other.secret and isinstance(other.fields[0].kind, Cards):
                lies = held(other.fields[0], found.get(other))
                found = found.put(other, toggled(lies, card)) if card in lies else found
        return found

    @property
    def began(self) -> Draft:
        """Return the draft without any change."""
        return replace(self, _after=self._before)

    @property
    def laid(self) -> Past | None:
        """Return the game as it lies now, for everybody, even where the rules do not allow it; else None.

        What people changed on their own pads is left out. None also stands for a game that would be over only now: to
        decide its end would open purses.
        """
        notation = position_of(self.game.name)
        written = {**self.open, **{key: self._before[key] for key in notation.secret if key in self._before}}
        state, ended = (self._read_state(of) for of in (notation.followed(self.setup, written), self._before))
        past = Past(self.game, state)
        try:
            over = past.view["over"] and not self.game.view(ended)["over"]
            _ = past.derived
        except Exception:  # the rules need not cope with a state that they do not allow
            return None
        return None if over else past

    def _read_state(self, written: Data) -> Any:
        """Return the state that a position describes, even a forbidden one; None where none can be made of it."""
        try:
            return position_of(self.game.name).read(self.setup, written)
        except Mistakes as mistakes:
            return mistakes.state

    @property
    def altered(self) -> bool:
        """Return whether something that everybody may see has changed."""
        return bool(diff(self.open, self.began.open))

    @property
    def change(self) -> dict[str, Any]:
        """Return the merge patch from the one position to the other, as a decision has it."""
        return diff(self._before, self._after)

    @property
    def position(self) -> Data:
        """Return the whole position, for a new game."""
        return self._after

    @property
    def wrong(self) -> tuple[Sequence[Mistake], Mapping[Seat, Sequence[Mistake]]]:
        """Return why the position cannot be: for everybody, and by seat for that seat alone."""
        try:
            position_of(self.game.name).read(self.setup, self._after)
        except Mistakes as mistakes:
            return apart(self.game, self.setup, mistakes.found)
        return (), {}


def draft(game: AnyGame, setup: Setup, state: Any, change: Data | None = None) -> Draft:
    """Return the position at hand, to be changed, with a `change` that a decision has made.

    Face-down cards are taken up. Raises Mistakes without a notation.
    """
    written = position_of(game.name).written(state)
    if SEALED in written:
        written[SEALED] = {}
    return Draft(game, setup, written, merge(written, change or {}))


def filled(part: Part, before: Any, field: Field, value: Any) -> Any:
    """Return a part's object with another value; None once it holds nothing."""
    found = dict(before or {}) | {field.key: value}
    first = part.fields[0]
    if isinstance(first.kind, One) and found.get(first.key) is None:
        return None
    for other in part.fields:
        if isinstance(other.kind, Count):
            found[other.key] = found.get(other.key) or other.kind.least
    kept = {key: value for key, value in found.items() if value}
    return kept or None


def empty(kind: Any) -> Any:
    """Return the value of this kind where nothing stands."""
    return 0 if isinstance(kind, Count) else None if isinstance(kind, One) else []


def held(field: Field, value: Any) -> Any:
    """Return what a part's value holds for one of its fields."""
    found = (value or {}).get(field.key) if field.key else value
    return empty(field.kind) if found is None else found


def toggled(value: Sequence[str], one: str) -> list[str]:
    """Return the list with this one at its end, or without it."""
    return [other for other in value if other != one] if one in value else [*value, one]


def _value_at(written: Any, path: Path) -> Any:
    for key in path:
        if isinstance(written, Mapping):
            written = written.get(str(key))
        elif isinstance(written, list):
            written = written[int(key)] if int(key) < len(written) else None
        else:
            return None
    return written


def _with_value(written: Any, path: Path, value: Any) -> Any:
    """Return a copy in which the value stands at the path; None leaves a key out, an empty item leaves its list."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(key, int):
        items = list(written or ())
        items[key : key + 1] = [inner] if (inner := _with_value(None, rest, value)) else []
        return items
    found = {**(written or {}), key: _with_value((written or {}).get(key), rest, value)}
    return {key: of for key, of in found.items() if of is not None}
