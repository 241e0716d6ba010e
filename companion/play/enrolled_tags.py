"""The tags of this table's decks, as a game may know them: enrolled, kept, and written out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from companion.deck import Tags, deck, keep, known
from companion.deck.tags import TagStore
from companion.play.exports import Exports
from companion.rules.cards import Card


class EnrolledTagStore(TagStore, Protocol):
    """The part of the store that `EnrolledTags` uses. Writes return at once, with a ticket."""

    safe: int
    trouble: str | None

    def enrolled(self) -> Mapping[str, tuple[str, str]]: ...


class EnrolledTags:
    """The enrolled tags; `playing` returns those of the current game, which knows a change at once."""

    def __init__(
        self, store: EnrolledTagStore, cards: Mapping[str, Card], playing: Callable[[], dict[str, Card] | None]
    ) -> None:
        self.cards = dict(cards)
        """The card of each tag, for a game to begin with."""
        self._store, self._playing = store, playing
        self._newest: int | None = None  # the ticket of the tag enrolled last, until it is safe

    @property
    def tags(self) -> Tags:
        """Return every enrolled tag, with its card and deck."""
        return known(self._store.enrolled())

    def enrol(self, tags: Tags) -> None:
        """Enrol exactly these tags from now on."""
        before, playing = self.tags, self._playing()
        ticket = keep(self._store, before, tags)
        # no ticket: nothing has changed, and an earlier change may still be on its way
        self._newest = self._newest if ticket is None else ticket
        # changed in place: the game on the table holds the very same dictionary
        for at in (self.cards, playing) if playing is not None else (self.cards,):
            for tag in before.keys() - tags.keys():
                at.pop(tag, None)
            at.update({tag: of.card for tag, of in tags.items()})

    @property
    def settled(self) -> bool:
        """Return whether every tag is on disk as enrolled, or the disk fails, which has a separate warning."""
        return self._newest is None or self._newest <= self._store.safe or self._store.trouble is not None

    def news(self) -> bool:
        """Return True once, when all that was enrolled has become safe."""
        fresh = self._newest is not None and self.settled
        if fresh:
            self._newest = None
        return fresh

    def export(self, name: str, exports: Exports, folder: Path | None = None) -> None:
        """Save a deck's file among the exports, or in another folder."""
        from companion.deck.file import dump

        found = deck(self.tags, name)
        exports.save(re.sub(r"[^\w-]+", "-", f"deck-{name}"), {".yaml": lambda: dump(found).encode()}, folder)
