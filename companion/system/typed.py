"""Plain data to a frozen dataclass, by the types of its fields, with every mistake at once.

A field takes what its type says: `int`, `bool`, `str`, a `Literal`, `X | None`, a tuple, a mapping, another dataclass.
`Annotated[int, whole(0, 27)]` takes what that function makes of the written value; it raises ValueError with what was
expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from companion.rules.data import Data
from companion.rules.mistakes import Mistake, Where, nearest, shown
from companion.system.limits import few

Check = Callable[[Any], Any]
"""Converts a written value to the one it means, of any type; raises ValueError with what was expected."""
LEFT_OUT: Any = object()
"""Marks a wrong value: a part that needs it cannot be made."""


def expected(what: str, written: object) -> ValueError:
    return ValueError(f"expected {what}, not {shown(written)}")


def exactly(kind: type, what: str) -> Check:
    """Return a check for values of exactly this type. Nothing is converted: not even true to 1."""

    def check(written: Any) -> Any:
        if type(written) is not kind:
            raise expected(what, written)
        return written

    return check


PLAIN: Mapping[Any, Check] = {
    int: exactly(int, "a whole number"),
    bool: exactly(bool, "true or false"),
    str: exactly(str, "a word"),
}


def whole(low: int, high: int) -> Check:
    """Return a check for whole numbers from `low` to `high`."""

    def check(written: Any) -> int:
        number: int = PLAIN[int](written)
        if not low <= number <= high:
            raise expected(f"a whole number from {low} to {high}", number)
        return number

    return check


def one_of(*known: object) -> Check:
    """Return a check for one of a few words or numbers."""
    *most, last = map(repr, known)
    listed = f"{', '.join(most)} or {last}" if most else last

    def check(written: Any) -> Any:
        if not any(written == value and type(written) is type(value) for value in known):
            words = [word for word in known if isinstance(word, str)]
            raise ValueError(f"{expected(listed, written)}{nearest(written, words)}")
        return written

    return check


class Intake:
    """One document as it is read; `found` collects its mistakes.

    Wrong values are left out, so that the rest can be checked: a key with a default takes that, a part that needs the
    key is left out itself. `own` has readers for values of particular types.
    """

    def __init__(self, own: Mapping[Any, Callable[[Intake, Any, Where], Any]] | None = None) -> None:
        self.found: list[Mistake] = []
        self._own = own or {}

    def value(self, kind: Any, written: Any, place: Where) -> Any:
        """Return the value as this type, or LEFT_OUT."""
        if kind in self._own:
            return self._own[kind](self, written, place)
        of = get_args(kind)
        match get_origin(kind):
            case origin if origin is Annotated:
                return self.checked(of[1], written, place)
            case origin if origin in (Union, UnionType):
                return None if written is None else self.value(of[0], written, place)
            case origin if origin is Literal:
                return self.checked(one_of(*of), written, place)
            case origin if origin is tuple:
                return self._list(of[0], written, place)
            case origin if origin is Mapping:
                return self._mapping(of[0], of[1], written, place)
        return self.part(kind, written, place) if is_dataclass(kind) else self.checked(PLAIN[kind], written, place)

    def checked(self, check: Check, written: Any, place: Where) -> Any:
        try:
            return check(written)
        except ValueError as wrong:
            return self.wrong(place, str(wrong))

    def wrong(self, place: Where, what: str) -> Any:
        self.found.append(Mistake(place, what))
        return LEFT_OUT

    def part(self, kind: Any, written: Any, place: Where) -> Any:
        """Return a dataclass made from keys with values, or LEFT_OUT."""
        if not isinstance(written, Mapping):
            return self.wrong(place, str(expected("keys with values", written)))
        types, made = get_type_hints(kind, include_extras=True), {}
        for field in fields(kind):
            if field.name in written:
                made[field.name] = self.value(types[field.name], written[field.name], (*place, field.name))
            elif _needed(field):
                self.wrong(place, f"the key {field.name!r} is missing")
        self.unknown(written, types, place)
        right = {name: value for name, value in made.items() if value is not LEFT_OUT}
        return kind(**right) if all(field.name in right for field in fields(kind) if _needed(field)) else LEFT_OUT

    def unknown(self, written: Data, known: Iterable[str], place: Where) -> None:
        """Report the keys that are not known."""
        self.found += few(
            Mistake((*place, key), f"unknown key{nearest(key, known)}") for key in written if key not in known
        )

    def _mapping(self, key: Any, of: Any, written: Any, place: Where) -> Any:
        if not isinstance(written, Mapping):
            return self.wrong(place, str(expected("keys with values", written)))
        made = {}
        for name, value in written.items():
            here = (*place, name)
            pair = self.value(key, name, here), self.value(of, value, here)
            if LEFT_OUT not in pair:
                made[pair[0]] = pair[1]
        return made

    def _list(self, of: Any, written: Any, place: Where) -> Any:
        if not isinstance(written, list):
            return self.wrong(place, str(expected("a list, such as [red, blue]", written)))
        made = tuple(self.value(of, value, (*place, at)) for at, value in enumerate(written))
        return LEFT_OUT if LEFT_OUT in made else made


def _needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
