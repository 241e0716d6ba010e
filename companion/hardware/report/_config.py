"""config.yaml as far as anybody may read it: known keys, and values of a kind that is safe to show.

The settings' types say what a key may be: a number, a yes or no, one of a few words, a part of its own. All other texts
may be a name, a place or a password; unknown keys are only counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from companion.hardware import plugged
from companion.hardware.fitting import Fitting
from companion.hardware.kind import Kinds
from companion.hardware.report._kinds import HIDDEN, USB, Kind, Names, like, number, place, reader_model
from companion.hardware.settings import Settings, Wires
from companion.hardware.settings import _keys as keys

READER = "kind"
"""The key of a reader's kind; the other keys are that kind's."""
MARKED = {plugged.usb_kind: USB, keys.quiet: like(r"\d{1,2}:\d\d ?- ?\d{1,2}:\d\d"), place: place}
"""Texts verified by a check."""
OWN: Mapping[tuple[type, str], tuple[Kind, ...]] = {(Wires, "reader"): (place,)}
"""Texts naming a place at the table."""
UNKNOWN = "unknown keys"


def shown(config: Mapping[str, Any], kinds: Kinds, names: Names) -> Any:
    """Return the part of config.yaml's data that may be shown. Any: plain data, as read."""
    return _Config(kinds, names).part(config, Settings)


@cache
def _keys_of(part: type) -> Mapping[str, Any]:
    """Return the keys of a part of the settings, each with its type."""
    kinds = get_type_hints(part, include_extras=True)
    return {field.name: kinds[field.name] for field in fields(part)}


def _is_accepted(value: Any, check: Any) -> bool:
    """Return whether the settings would accept the value. A number out of its range may be private."""
    try:
        check(value)
    except (ValueError, OSError, TypeError):
        return False
    return True


class _Config:
    def __init__(self, kinds: Kinds, names: Names) -> None:
        self._kinds, self._names = kinds, names

    def part(self, data: Mapping[Any, Any], of: type, *besides: str) -> dict[str, Any]:
        """Return the keys that such a part has, and count the other keys."""
        known = _keys_of(of)
        found = {
            key: self._value(data[key], kind, *OWN.get((of, key), ())) for key, kind in known.items() if key in data
        }
        others = sum(key not in known and key not in besides for key in data)
        return found | ({UNKNOWN: others} if others else {})

    def _value(self, value: Any, kind: Any, *checks: Any) -> Any:
        if value is None:
            return None
        origin = get_origin(kind)
        if origin is Annotated:
            inner, *more = get_args(kind)
            return self._value(value, inner, *more) if all(_is_accepted(value, check) for check in more) else HIDDEN
        if origin in (Union, UnionType):
            inner = next(one for one in get_args(kind) if one is not type(None))
            return self._value(value, inner, *checks)
        if origin is Literal:
            words = isinstance(value, bool) and keys.words in checks  # YAML reads a plain off as false
            return (
                value if words or any(type(value) is type(one) and value == one for one in get_args(kind)) else HIDDEN
            )
        if isinstance(value, Mapping):
            return self._mapping(value, kind)
        if isinstance(value, list):
            inner = next(iter(get_args(kind)), None) if origin is tuple else None
            return [self._value(one, inner) for one in value] if inner else HIDDEN
        found = None
        if kind is bool:
            found = value if isinstance(value, bool) else None
        elif kind in (int, float):
            found = number(value)
        elif kind is str:
            found = next((MARKED[check](value) for check in checks if check in MARKED), None)
        return HIDDEN if found is None else found

    def _mapping(self, value: Mapping[Any, Any], kind: Any) -> Any:
        if is_dataclass(kind) and isinstance(kind, type):
            return self.part(value, kind)
        if (get_origin(kind) or kind) is Fitting:
            return self._reader(value)
        if get_origin(kind) is not Mapping:
            return HIDDEN
        of, inner = get_args(kind)
        known = get_args(of) if get_origin(of) is Literal else None
        if known is None:  # a hub's name, or a controller's: a user has chosen it
            return {self._names.number(str(key)): self._value(one, inner) for key, one in value.items()}
        found = {key: self._value(one, inner) for key, one in value.items() if key in known}
        others = len(value) - len(found)
        return found | ({UNKNOWN: others} if others else {})

    def _reader(self, value: Mapping[Any, Any]) -> Any:
        name = str(value.get(READER))
        if name not in self._kinds:
            return HIDDEN
        settings = self._kinds[name]().settings
        told = {READER: name, **self.part(value, settings, READER)}
        if isinstance(value.get("reader"), str) and "reader" in told:
            told["reader"] = reader_model(value["reader"]) or HIDDEN
        return told
