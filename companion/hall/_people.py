"""The players of the evening by their numbers: who has come, and who has left."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.rules.message import Message
from companion.rules.mistakes import near
from companion.rules.words import Words, words
from companion.system.terminal import UNSAFE

LONGEST = 80
"""Characters of a name, as the schemas have it."""
CHOICES = 8
"""The most players listed for an ambiguous name."""


@dataclass(frozen=True, slots=True)
class HallPlayer:
    """Somebody who plays tonight; `here` is False for one who has left, `came` for one who is known from another
    evening and has not come yet."""

    id: int
    name: str
    here: bool = True
    came: bool = True

    @property
    def called(self) -> Words:
        """Return the name with the number, by which an organiser tells people apart."""
        return as_it_is(f"{self.name} #{self.id}")


People = Mapping[int, HallPlayer]
"""Players by their ids, numbered from 1 in order of arrival."""


def named(text: str) -> str:
    """Return a name as it is kept. Raises ValueError for an invalid one."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > LONGEST or UNSAFE.search(name) or not name.isprintable():
        shown = as_it_is(UNSAFE.sub("", text)[: LONGEST // 2])
        raise ValueError(
            Message("“{name}” cannot be a name: use 1 to {most} printable characters.", name=shown, most=LONGEST)
        )
    return name


def as_it_is(text: str) -> Words:
    """Return text as a word for a message, never taken for a colour or a place."""
    return words(text, "en")


def joined(people: People, names: Iterable[str], highest: int) -> People:
    """Return the players and these, who are new or have come back; `highest` is the last number given to anybody."""
    found = dict(people)
    numbers = {player.name.casefold(): player.id for player in people.values()}
    for name in names:
        number = numbers.setdefault(name.casefold(), highest + 1)
        highest = max(highest, number)
        found[number] = replace(found.get(number) or HallPlayer(number, name), here=True, came=True)
    return found


def left(people: People, ids: Iterable[int]) -> People:
    """Return the players with these no longer here; what they have played stays."""
    return {**people, **{number: replace(people[number], here=False) for number in ids if number in people}}


def here(people: People) -> tuple[int, ...]:
    """Return the players who can be seated."""
    return tuple(player.id for player in people.values() if player.here)


def find(people: People, word: str) -> HallPlayer:
    """Return the player of this name, of this number as #7 or 7, or of the one name that begins so.

    Raises LookupError, which names the players who could be meant.
    """
    wanted = " ".join(word.split())
    number = wanted.removeprefix("#")
    same = [player for player in people.values() if player.name.casefold() == wanted.casefold()]
    if not same and number.isdecimal():
        same = [player for player in people.values() if player.id == int(number[:9])]
    if not same and wanted:
        same = [player for player in people.values() if player.name.casefold().startswith(wanted.casefold())]
    if len(same) == 1:
        return same[0]
    if same:
        raise LookupError(
            Message(
                "Several names begin with {name}: {players}. Which one do you mean?",
                name=as_it_is(word),
                players=_choices(same),
            )
        )
    if meant := near(word, [player.name for player in people.values()]):
        known = next(player for player in people.values() if player.name == meant)
        raise LookupError(
            Message("There is no player {name}. Did you mean {meant}?", name=as_it_is(word), meant=known.called)
        )
    raise LookupError(Message("There is no player {name}.", name=as_it_is(word)))


def _choices(players: Sequence[HallPlayer]) -> tuple[Words, ...]:
    more = (as_it_is("…"),) if len(players) > CHOICES else ()
    return (*(player.called for player in players[:CHOICES]), *more)
