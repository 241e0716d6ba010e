"""The wire's schema of what is asked of the hall (docs/hall/schemas/order.json), made from the requests' fields, and
requests made from what came over the wire."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

from companion.hall import new_evening, session_requests  # noqa: F401 - their requests are among the questions
from companion.hall.orders import ORDERS
from companion.hall.questions import QUESTIONS
from companion.hall.records import Payload
from companion.hall.request import Argument, Request, RequestField, fields_of
from companion.rules.data import Data
from companion.rules.message import Message

T = TypeVar("T")
REQUESTS: Mapping[str, type[Request]] = ChainMap(cast("Any", ORDERS), cast("Any", QUESTIONS))
"""All requests to the hall, by their words."""
STRANGE = Message("The hall does not know this order. Is it from another version?")
TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
BOUNDS = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems"), "integer": ("minimum", "maximum")}


def read_request(data: Payload) -> Request:
    """Return the request that the data make. Raises ValueError for what is none."""
    from fastjsonschema import JsonSchemaValueException

    try:
        _checked(tuple(REQUESTS))(data)
    except JsonSchemaValueException:
        raise ValueError(STRANGE) from None
    return _made(REQUESTS[data["do"]], {key: value for key, value in data.items() if key != "do" and value is not None})


@cache
def _checked(words: tuple[str, ...]) -> Callable[[Any], object]:  # noqa: ARG001 - made anew where there are others
    import fastjsonschema

    check: Callable[[Any], object] = fastjsonschema.compile(dict(schema()), use_default=False)
    return check


def _made(request: type[T], data: Payload) -> T:
    """Return the request, or the part of one, with these fields, which fit the schema."""
    its = {of.name: of for of in fields_of(request)}
    told = {key: _value(its[key].kind, value) for key, value in data.items()}
    return request(**{"try_" if key == "try" else key: value for key, value in told.items()})


def _value(kind: Any, value: Any) -> Any:
    items = get_args(kind)
    if isinstance(value, list) and items and is_dataclass(items[0]):
        return [_made(cast("type[Any]", items[0]), item) for item in value]
    return value


def schema() -> Data:
    """Return the schema of everything that can be asked."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "description": "What an organiser can say to the hall. `make docs` writes it from companion/hall/orders.",
        "type": "object",
        "required": ["do"],
        "properties": {"do": {"enum": list(REQUESTS)}},
        "definitions": {of.name: _field(of) for of in fields_of(Request)},
        "allOf": [
            {"if": {"properties": {"do": {"const": do}}}, "then": _object(of, do)} for do, of in REQUESTS.items()
        ],
    }


def _object(of: type[Any], do: str = "") -> Data:
    its = fields_of(of)
    common = {each.name for each in fields_of(Request)} if do else set()
    own = {each.name: _field(each) for each in its if each.name not in common}
    return {
        "additionalProperties": False,
        "required": [*(["do"] if do else []), *(each.name for each in its if each.needed)],
        "properties": {
            **({"do": {"const": do}} if do else {}),
            **{name: {"$ref": f"#/definitions/{name}"} for name in sorted(common)},
            **own,
        },
    }


def _field(of: RequestField) -> Data:
    argument = of.argument
    made = dict(_kind(of.kind, argument))
    if not of.needed:
        if "enum" in made:
            made["enum"] = [*made["enum"], None]
        else:
            made["type"] = [*(made["type"] if isinstance(made["type"], list) else [made["type"]]), "null"]
    return {**made, "description": argument.help} if argument.help else made


def _kind(kind: Any, argument: Argument) -> Data:
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inside)}
    if isinstance(kind, tuple):
        return {"type": [TYPES[each] for each in kind]}
    if kind is str and argument.choices:
        return {"enum": list(argument.choices)}
    if kind in TYPES:
        return {"type": TYPES[kind], **_bounds(TYPES[kind], argument)}
    if is_dataclass(kind):
        return {"type": "object", **_object(kind)}  # type: ignore[arg-type]  # a class, not one of its objects
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _kind(_parts(inside[1]), Argument())}
    assert origin is Sequence, kind
    items = _kind(_parts(inside[0]), Argument(most=2000))
    alone = {"uniqueItems": True} if "enum" in items else {}
    return {"type": "array", **_bounds("array", argument), **alone, "items": items}


def _parts(kind: Any) -> Any:
    """Return a union as a tuple of types."""
    return get_args(kind) if get_origin(kind) is not Literal and get_args(kind) else kind


def _bounds(kind: str, argument: Argument) -> Data:
    least, most = BOUNDS.get(kind, ("", ""))
    of = {least: argument.least, most: argument.most}
    return {name: bound for name, bound in of.items() if name and bound is not None}
