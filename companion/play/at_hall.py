"""What a table knows of its hall, where it belongs to one: who is to play here, and what became of a result."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from companion.play.round_clock import RoundClock
from companion.record.transcript import Header
from companion.rules import N_, Options, Seat
from companion.rules.data import Data
from companion.rules.views import Result
from companion.rules.words import LANGUAGES, tr

State = Literal["away", "sending", "kept"]
"""The hall cannot be reached; it is being told; it has everything."""


ROUNDS = "rounds"
"""Under which a table's store keeps which of its games were begun for which rounds."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A game that the hall has seated at this table; `players` clockwise, "" where the hall shows no names; `ids` are
    the hall's numbers of them.

    One that is `begun` has been begun here already. `lang` is the table's.
    """

    round: int
    game: str
    options: Options
    players: Mapping[Seat, str]
    begun: bool = False
    ids: Mapping[Seat, int] = field(default_factory=dict)
    lang: str = "en"

    @property
    def named(self) -> Mapping[Seat, str]:
        """What each player is called here: by number where the hall shows no names, "" where it says neither."""
        return {
            seat: name or (tr(N_("Player {id}"), self.lang, id=self.ids[seat]) if seat in self.ids else "")
            for seat, name in self.players.items()
        }

    @property
    def table(self) -> Data:
        """The same as a transcript's header begins."""
        players = {seat: name for seat, name in self.named.items() if name}
        return {"tabularium": 1, "game": self.game, "seats": list(self.players), "options": dict(self.options),
                "players": players}  # fmt: skip

    def numbers(self, header: Header) -> Mapping[Seat, int]:
        """Who sits where by the hall's numbers, as far as people kept to the names that it gave them."""
        tongues = [replace(self, lang=lang).named for lang in LANGUAGES]
        known = {named[seat]: number for named in tongues for seat, number in self.ids.items()}
        return {seat: known[name] for seat, name in header.players.items() if name in known}

    def fits(self, header: Header) -> bool:
        """Whether this is the game that was seated, whoever begins."""
        return header.game.name == self.game and set(header.seats) == set(self.players)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a result at the hall: everybody's approval counted, or the organiser's word, with its reason; or
    it counts for nobody. `counts` is the result that counts where it is another than the table's."""

    by: Literal["all", "organiser", "nobody"]
    reason: str = ""
    counts: Result | None = None


@dataclass(frozen=True, slots=True)
class Spare:
    """A game that goes on here, because the machine of another table has died: the lines of its public transcript, and
    its last public view."""

    round: int
    table: str
    lines: Sequence[str]
    view: Data


class AtHall(Protocol):
    """The table's way to its hall, as the table sees it. Nothing here waits."""

    @property
    def hall(self) -> str: ...
    @property
    def evening(self) -> str:
        """What tells this evening from others in the same hall."""

    @property
    def mark(self) -> str | None:
        """The hall's own mark of the evening, which stands in the headers of its games; None where it has none."""

    @property
    def table(self) -> str: ...
    @property
    def state(self) -> State: ...
    @property
    def seated(self) -> Seated | None:
        """The round to be played at this table: the first that has not been begun here, else the last that has."""

    @property
    def spare(self) -> Spare | None:
        """The game that is to go on here in another table's place, None where there is none."""

    @property
    def line(self) -> str:
        """What the organiser says to everybody, "" for nothing."""

    @property
    def clock(self) -> RoundClock | None:
        """The clock of the round that is played, None where it has none."""

    @property
    def board(self) -> str:
        """The address at which browsers find the hall's board, "" where the hall says none."""

    @property
    def told(self) -> bool:
        """The hall has said who sits where, if only that nobody does here."""

    def verdict(self, game: int) -> Verdict | None:
        """What became of the result of the game with this number, None while nothing has."""

    def news(self, playing: bool) -> bool:
        """Something of this has changed since it was asked last; that acts are sent is none while a game goes on."""


def rounds(kept: Any, evening: str) -> Mapping[int, int]:
    """By game, the rounds of this evening that were begun at the table; `kept` is what its store has of it, whatever
    the disk has made of that."""
    with suppress(TypeError, ValueError, KeyError):
        found = dict(kept["games"])
        if kept["evening"] == evening and all(type(number) is int for number in (*found, *found.values())):
            return found
    return {}


def seated(seating: Data, table: str, now: int = 0, begun: Collection[int] = ()) -> Seated | None:
    """The round to be played at this table by the hall's seating (docs/hall/schemas/seating.json): the first from the
    round `now` on that has not been begun here, else the last. None where nobody is seated here."""
    found = [
        Seated(
            one["round"],
            of["game"],
            of["options"],
            {at["seat"]: at["name"] or "" for at in of["seats"]},
            ids={at["seat"]: at["id"] for at in of["seats"]},
        )
        for one in sorted(seating["rounds"], key=lambda one: one["round"])
        for of in one["tables"]
        if of["table"] == table
    ]
    waiting = [of for of in found if of.round >= now and of.round not in begun]
    return waiting[0] if waiting else found[-1] if found else None
