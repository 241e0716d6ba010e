"""The table's knowledge of its hall: the seated players, and the verdict on each result."""

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
"""The hall cannot be reached; the table is sending; the hall has everything."""


ROUNDS = "rounds"
"""The key in a table's store for its games by round."""


@dataclass(frozen=True, slots=True)
class SeatedGame:
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
        """Return what each player is called here: by number where the hall hides names, "" where it gives neither."""
        return {
            seat: name or (tr(N_("Player {id}"), self.lang, id=self.ids[seat]) if seat in self.ids else "")
            for seat, name in self.players.items()
        }

    @property
    def table(self) -> Data:
        """Return the seating in the form of a transcript's header."""
        players = {seat: name for seat, name in self.named.items() if name}
        return {"tabularium": 1, "game": self.game, "seats": list(self.players), "options": dict(self.options),
                "players": players}  # fmt: skip

    def numbers(self, header: Header) -> Mapping[Seat, int]:
        """Return the hall's player number of each seat whose player kept the name that the hall gave."""
        # in every language: "Player 7" may have been entered before the table's language was changed
        tongues = [replace(self, lang=lang).named for lang in LANGUAGES]
        known = {named[seat]: number for named in tongues for seat, number in self.ids.items()}
        return {seat: known[name] for seat, name in header.players.items() if name in known}

    def fits(self, header: Header) -> bool:
        """Return whether the header is of the game that was seated, with any seat as the first."""
        return header.game.name == self.game and set(header.seats) == set(self.players)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The hall's verdict on a result: approved by all, decided by the organiser, or counted for nobody.

    The organiser's decision has a `reason`. `counts` is the result that counts where it differs from the table's.
    """

    by: Literal["all", "organiser", "nobody"]
    reason: str = ""
    counts: Result | None = None


@dataclass(frozen=True, slots=True)
class InterruptedGame:
    """A game of another table, whose machine has died, to be continued here.

    It holds the lines of the game's public transcript, and its last public view.
    """

    round: int
    table: str
    lines: Sequence[str]
    view: Data


class HallStatus(Protocol):
    """The table's way to its hall, as the table sees it. Nothing here waits."""

    @property
    def hall(self) -> str: ...
    @property
    def evening(self) -> str:
        """Return the id that tells this evening from others in the same hall."""

    @property
    def mark(self) -> str | None:
        """Return the hall's own mark of the evening, as its games' headers have it; None where it has none."""

    @property
    def table(self) -> str: ...
    @property
    def state(self) -> State: ...
    @property
    def seated(self) -> SeatedGame | None:
        """Return the round to play at this table: the first not yet begun here, else the last one begun."""

    @property
    def spare(self) -> InterruptedGame | None:
        """Return another table's game that is to be continued here, None where there is none."""

    @property
    def line(self) -> str:
        """Return the organiser's announcement to everybody, "" for none."""

    @property
    def clock(self) -> RoundClock | None:
        """Return the clock of the current round, None where it has none."""

    @property
    def board(self) -> str:
        """Return the address at which browsers find the hall's board, "" where the hall gives none."""

    @property
    def told(self) -> bool:
        """Return whether the hall has sent a seating, even one that leaves this table empty."""

    def verdict(self, game: int) -> Verdict | None:
        """Return the verdict on the result of the game with this number, None until there is one."""

    def news(self, playing: bool) -> bool:
        """Return whether any of this has changed since the last call.

        While a game is played, the sending of acts does not count as a change.
        """


def rounds(kept: Any, evening: str) -> Mapping[int, int]:
    """Return the rounds of this evening that were begun at the table, by game.

    `kept` is the value in the table's store. Where the disk has damaged it, the result is empty.
    """
    with suppress(TypeError, ValueError, KeyError):
        found = dict(kept["games"])
        if kept["evening"] == evening and all(type(number) is int for number in (*found, *found.values())):
            return found
    return {}


def table_of(seating: Data | None, device: str) -> str:
    """Return what the table on this device is called: where it has taken over another one, by that one's name."""
    rounds = sorted(seating["rounds"], key=lambda one: one["round"]) if seating else []
    found = [of["table"] for one in rounds for of in one["tables"] if of.get("device", of["table"]) == device]
    return found[-1] if found else device


def seated(seating: Data, device: str, now: int = 0, begun: Collection[int] = ()) -> SeatedGame | None:
    """Return the round to play on this device by the hall's seating (docs/hall/schemas/seating.json).

    That is the first from the round `now` on that has not been begun here, else the last. None where nobody is seated
    here.
    """
    found = [
        SeatedGame(
            one["round"],
            of["game"],
            of["options"],
            {at["seat"]: at["name"] or "" for at in of["seats"]},
            ids={at["seat"]: at["id"] for at in of["seats"]},
        )
        for one in sorted(seating["rounds"], key=lambda one: one["round"])
        for of in one["tables"]
        if of.get("device", of["table"]) == device
    ]
    waiting = [of for of in found if of.round >= now and of.round not in begun]
    return waiting[0] if waiting else found[-1] if found else None
