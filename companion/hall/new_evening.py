"""The order that begins a new evening. It is no act of an evening: the one so far is put aside, with its export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from companion.hall import _people as people
from companion.hall._export import packed
from companion.hall._people import as_it_is
from companion.hall._stand import Stand
from companion.hall.questions import Question, attachment
from companion.hall.records import Payload
from companion.hall.request import NOTED, Act, Argument
from companion.hall.sessions import forget
from companion.hall.store import HallStore
from companion.rules import plural
from companion.rules.message import Message
from companion.system import files

if TYPE_CHECKING:
    from companion.hall.phones import Phones

KNOWN = plural(
    "{count} player keeps their number and can be checked in.",
    "{count} players keep their numbers and can be checked in.",
)
OPEN = plural("{count} result of this evening is not official.", "{count} results of this evening are not official.")
DISCONNECTED = plural("{count} organiser's phone is disconnected.", "{count} organisers' phones are disconnected.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginEvening(Question):
    """Begin a new evening; the one so far is kept in a separate file, with its export."""

    do = "new"

    name: Annotated[str | None, Argument("the name of the new evening", most=2000)] = None
    keep: Annotated[bool | None, Argument("players keep their numbers")] = None

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        """Return what it does, for it to be shown before. Raises ValueError for an impossible name."""
        if self.name is not None:
            people.named(self.name)
        if not _begun(store):
            return [NOTED] if self.name else []
        aside, export = _names_aside(store.path.parent, now)
        open_ = sum(outcome.open for outcome in now.outcomes if outcome.state != "missing")
        known = len(now.evening.people) if self.keep else 0
        named = {"name": now.evening.name, "file": str(aside), "export": export.name}
        kept = Message(
            "The evening {name} is kept as {file}, and its export as {export}.",
            **{key: as_it_is(text) for key, text in named.items()},
        )
        counts = [Message(text, count=count) for text, count in ((OPEN, open_), (KNOWN, known)) if count]
        return [kept, *counts]

    def disconnects(self, phones: Phones | None) -> Sequence[Message]:
        """Return how many phones it disconnects: all but the one that gives the order."""
        others = phones.others(self.who) if phones else ()
        return [Message(DISCONNECTED, count=len(others))] if others else []

    def put_aside(self, now: Stand, store: HallStore, phones: Phones | None) -> Payload:
        """Put the evening aside, and end the sessions; return the export. Raises OSError and sqlite3.Error."""
        attached: Payload = {}
        if _begun(store):
            aside, export = _names_aside(store.path.parent, now)
            data = packed(now, store)
            files.save(export, data)
            try:
                store.put_aside(aside)
            except BaseException:  # raised again: nothing has changed
                export.unlink()
                raise
            attached = attachment(export.name, data)
        if phones:
            phones.end_others(self.who)
        else:
            forget(store.path.parent)
        return attached

    def acts(self, now: Stand, at: datetime) -> Sequence[Act]:
        """Return the first acts of the new evening: its name, and the players who are known."""
        if self.name is None:
            return []
        evening = now.evening
        given = {"at": at.isoformat(timespec="seconds"), **({"who": self.who} if self.who else {})}
        named = {"act": "evening", "name": people.named(self.name), "lang": evening.lang, "names": evening.names}
        known = [{"id": of.id, "name": of.name} for of in evening.people.values()] if self.keep else []
        return [
            {**named, **given, **({"id": self.id} if self.id else {})},
            *([{"act": "know", "players": known, **given}] if known else []),
        ]


def _begun(store: HallStore) -> bool:
    return bool(store.said() or store.games())


def _names_aside(folder: Path, now: Stand) -> tuple[Path, Path]:
    """Return free names for the file of this evening and for its export."""
    aside = name_aside(folder, now)
    return aside, files.free(aside.with_suffix(".zip"))


def name_aside(folder: Path, now: Stand) -> Path:
    """Return a free name for the file of this evening, after its day."""
    day = (now.evening.at or f"{datetime.now().astimezone():%Y-%m-%d}")[:10]
    return files.free(folder / f"hall-{day}.sqlite3")
