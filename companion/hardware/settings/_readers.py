"""The readers of config.yaml: each is read by the record of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from companion.hardware.fitting import Fitting
from companion.rules.data import Data
from companion.rules.mistakes import Where
from companion.system.typed import LEFT_OUT, Intake, expected, one_of

if TYPE_CHECKING:
    from companion.hardware.kind import Kind, Kinds


def fitting(kinds: Kinds, intake: Intake, written: object, place: Where) -> Any:
    """One reader, or LEFT_OUT: `kind` says by which record its other keys are read."""
    if not isinstance(written, Mapping):
        return intake.wrong(place, str(expected("keys with values", written)))
    kind = _kind(kinds, intake, written, place)
    if kind is None or kind.virtual:  # then nobody can say what the other keys mean, if some kind has them
        intake.unknown(written, {"kind", *(key for other in kinds.values() for key in _keys(other()))}, place)
        return Fitting(kind, kind.settings()) if kind else LEFT_OUT
    settings = intake.part(kind.settings, {key: of for key, of in written.items() if key != "kind"}, place)
    return LEFT_OUT if settings is LEFT_OUT else Fitting(kind, settings)


def _kind(kinds: Kinds, intake: Intake, written: Data, place: Where) -> Kind[Any] | None:
    if "kind" not in written:
        intake.wrong(place, "the key 'kind' is missing")
        return None
    name = intake.checked(one_of(*kinds), written["kind"], (*place, "kind"))
    return None if name is LEFT_OUT else kinds[name]()


def _keys(kind: Kind[Any]) -> list[str]:
    return [field.name for field in fields(kind.settings)]
