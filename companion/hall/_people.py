"""Who plays tonight: players by their numbers, who has come, and who has left."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.rules.message import Message
from companion.rules.mistakes import near
from companion.rules.words import Words, words
from companion.system.terminal import UNSAFE

LONGEST = 80
"""Characters of a name, as the schemas have it."""


@dataclass(frozen=True, slots=True)
class HallPlayer:
    """Somebody who plays tonight; `here` is False for one who has left."""

    id: int
    name: str
    here: bool = True


People = Mapping[int, HallPlayer]
"""Players by their ids, which count from 1 in the order in which they came."""


def named(text: str) -> str:
    """A name as it is kept. Raises ValueError for one that is none."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > LONGEST or UNSAFE.search(name) or not name.isprintable():
        shown = as_it_is(UNSAFE.sub("", text)[: LONGEST // 2])
        raise ValueError(
            Message("“{name}” is no name: 1 to {most} characters that can be read.", name=shown, most=LONGEST)
        )
    return name


def as_it_is(text: str) -> Words:
    """A word for a message that is never taken for a colour or a place."""
    return words(text, "en")


def joined(people: People, names: Iterable[str]) -> People:
    """With these players, who are new or have come back."""
    found = dict(people)
    numbers = {player.name.casefold(): player.id for player in people.values()}
    for name in names:
        number = numbers.setdefault(name.casefold(), len(found) + 1)
        found[number] = replace(found.get(number) or HallPlayer(number, name), here=True)
    return found


def left(people: People, ids: Iterable[int]) -> People:
    """Without these players from now on; what they have played stays."""
    return {**people, **{number: replace(people[number], here=False) for number in ids}}


def here(people: People) -> tuple[int, ...]:
    """Who can be seated."""
    return tuple(player.id for player in people.values() if player.here)


def find(people: People, word: str) -> HallPlayer:
    """The player of this name, or of this number as #7. Raises LookupError."""
    for player in people.values():
        if _same(player.name, word.strip()) or word.strip() == f"#{player.id}":
            return player
    meant = near(word, [player.name for player in people.values()])
    if meant:
        raise LookupError(
            Message("There is no player {name}; is {meant} meant?", name=as_it_is(word), meant=as_it_is(meant))
        )
    raise LookupError(Message("There is no player {name}.", name=as_it_is(word)))


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
