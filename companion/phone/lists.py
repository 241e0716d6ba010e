"""Menus as a phone has them: a path of keys and numbers leads to the list that is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from companion.phone.words import Read
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Note, Number, Setting, Then, Typing, made

Step = str | int
"""The key of an entry, or a number or a text that was typed."""
Node = Choice | Number | Typing | Sequence[Saying]
"""What a phone shows: a list, a number or a text to be typed, or sentences."""
LONGEST = 80
"""The most characters of a text that is typed."""


def key_of(entry: Entry, within: object) -> str:
    """Return the key of an entry within a game: of one length, so that no frame's length tells which it is."""
    return blake2b(repr((within, entry.key)).encode("utf-8", "replace"), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class Place:
    """The place where a phone stands: the list, how it was reached, and whether only its seat may read it."""

    path: tuple[Step, ...]
    node: Node
    entry: Entry | None = None
    """The entry that led here; None for the top, and after what was typed."""
    private: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """What an entry leads to, or a number or a text without one."""

    then: Then
    entry: Entry | None = None


def stand(top: Choice, path: Sequence[Step], within: object) -> Place:
    """Return the place at the end of a path, or as far along it as there still is something."""
    place = Place((), top, private=top.private)
    for step in path:
        way = follow(place.node, step, within)
        node = opened(way.then) if way else None
        if way is None or node is None:
            break
        private = (
            place.private
            or (way.entry is not None and way.entry.private)
            or (isinstance(node, Choice | Number) and node.private)
        )
        place = Place((*place.path, step), node, way.entry, private)
    return place


def follow(node: Node, step: Step, within: object) -> Way | None:
    """Return what an entry, a number or a text leads to; None where there is no such thing."""
    if isinstance(node, Number) and not isinstance(step, str):
        fits = type(step) is int and node.least <= step <= node.most
        return Way(node.then(step)) if fits else None
    if isinstance(node, Typing):
        text = step.strip() if isinstance(step, str) else ""
        return Way(node.then(text)) if text.isprintable() and 0 < len(text) <= LONGEST else None
    entry = next((of for of in entries(node) if key_of(of, within) == step), None)
    return Way(entry.then, entry) if entry else None


def entries(node: Node) -> Sequence[Entry]:
    """Return what can be taken in a list."""
    if isinstance(node, Number):
        return node.entries
    if not isinstance(node, Choice):
        return ()
    settings = [of.entry for of in node.body if isinstance(of, Setting)]
    return [*settings, *(of for of in node.entries if not (isinstance(of.then, Typing) and of.then.screen_only))]


def opened(then: Then) -> Node | None:
    """Return the list that something opens without doing anything; None for an act, or an action that ends there."""
    found = made(then)
    if isinstance(found, Do):
        found = made(found.then)
    if isinstance(found, Choice | Number | Typing):
        return found
    return found if isinstance(found, list | tuple) and found else None


@dataclass(frozen=True, slots=True)
class Leads:
    """What leads to a list that takes long to make: it is made only when somebody opens it."""

    make: Callable[[], Then]

    def __call__(self) -> Then:
        return self.make()


def opens(then: Then) -> bool:
    """Return whether this leads to a list and does nothing besides."""
    if isinstance(then, Leads):
        return True
    return not isinstance(then, Do) and not isinstance(found := made(then), Do) and opened(found) is not None


def shown(place: Place, tongue: Read, within: object) -> dict[str, Any]:
    """Return the list of a place as it is sent: sentences above, and what can be taken below."""
    node = place.node
    ask = node.ask if isinstance(node, Choice | Number) else Saying("", node.ask) if isinstance(node, Typing) else None
    number = {"least": node.least, "most": node.most, "begins": node.begins} if isinstance(node, Number) else None
    return {
        "path": list(place.path),
        "title": _text(place.entry, tongue) if place.entry else "",
        "ask": tongue.sentence(ask.text, **ask.facts) if ask else "",
        "notes": list(_notes(node, tongue)),
        "entries": [
            {
                "key": key_of(of, within),
                "text": _text(of, tongue),
                "main": of.main,
                "opens": opens(of.then),
                "private": of.private,
            }
            for of in entries(node)
            if not _only_says(of, tongue)
        ],
        "number": number,
        "typing": {"text": node.text, "longest": LONGEST} if isinstance(node, Typing) else None,
        "private": place.private,
    }


def _text(entry: Entry, tongue: Read) -> str:
    """Return the words on a button: a sentence for the ear without its full stop."""
    return tongue.sentence(entry.text, **entry.facts).removesuffix(".").removesuffix("。")


def _only_says(entry: Entry, tongue: Read) -> bool:
    """Return whether an entry, once taken, only says its own words again, as an ear needs it."""
    if not isinstance(entry.then, list | tuple) or len(entry.then) != 1:
        return False
    (saying,) = entry.then
    return tongue.tr(saying.text, **saying.facts) == tongue.tr(entry.text, **entry.facts)


def _notes(node: Node, tongue: Read) -> Iterator[str]:
    """Yield the sentences above a list's entries."""
    if isinstance(node, Choice):
        yield from (tongue.sentence(of.text, **of.facts) for of in node.body if isinstance(of, Note))
        yield from (tongue.sentence(of.text, **of.facts) for of in entries(node) if _only_says(of, tongue))
    elif not isinstance(node, Number | Typing):
        yield from tongue.say_all(node)
