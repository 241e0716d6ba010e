"""The questions about the evening; none of them changes it."""

from __future__ import annotations

from abc import abstractmethod
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from companion.hall import _people as people
from companion.hall import season
from companion.hall._evening import HallEvening, line
from companion.hall._export import packed
from companion.hall._people import as_it_is
from companion.hall._reporting import hour, standings, status, why_of
from companion.hall._stand import Stand
from companion.hall._standings import Ledger
from companion.hall._why import why
from companion.hall.planning import Planning
from companion.hall.player_requests import PlayerRequests, told
from companion.hall.records import Payload
from companion.hall.request import PLAYER, TABLE, Argument, Request, described
from companion.hall.store import HallStore
from companion.rules import N_
from companion.rules.message import Message
from companion.system import files

NO_REQUESTS = Message("No player asks for anything.")
SENT = 700_000
"""The most bytes of an export that is sent to the page: the wire takes a megabyte, of Base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Request):
    """A question about the evening."""

    def __init_subclass__(cls) -> None:
        if "do" in cls.__dict__:
            QUESTIONS[cls.do] = cls

    @abstractmethod
    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        """Return the answer; `ill` is what is wrong with the hall itself. Raises ValueError, LookupError, OSError."""

    def attached(self, now: Stand, store: HallStore) -> Payload:
        """Return what else the answer has (docs/hall/schemas/answer.json). Raises ValueError."""
        return {}


QUESTIONS: dict[str, type[Question]] = {}
"""Every question by its command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStatus(Question):
    """Show what needs attention, what is still to come, and who leads."""

    do = "status"
    example = "status"

    table: Annotated[str | None, replace(TABLE, help="show only this table, in full")] = None

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        lost = [Message("{file} was empty when the hall started: its contents are lost.", file=str(store.path))]
        spoilt = [Message("No longer readable: {what}.", what=as_it_is(what)) for what in store.spoilt]
        return [*ill, *(lost if store.emptied else []), *spoilt, *status(now, store.faults(), self.table)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStandings(Question):
    """Show the standings."""

    do = "standings"
    example = "standings"

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        return standings(now)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskWhy(Question):
    """Explain a player's place: where the score comes from, and which result would have changed the place."""

    do = "why"
    example = "why Ben"

    player: Annotated[str, PLAYER]

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        player = people.find(now.evening.people, self.player)
        if not player.came:
            raise ValueError(Message("{name} has not joined yet.", name=player.called))
        return why_of(now, why(Ledger(now.evening, now.outcomes), now.standings, player.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class AskLog(Question):
    """List all orders, with who gave them and when."""

    do = "log"
    example = "log"

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        acts = store.said()
        stands = {act["number"] for act in line(acts).done}
        return [_logged(now.evening, act, stands) for act in acts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export(Question):
    """Save games, seating, results and standings as one zip file."""

    do = "export"
    example = "export"
    here_only = True

    file: Annotated[
        str, Argument("the zip file (default: named after today, in this folder)", "FILE", most=2000, optional=True)
    ]

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        data = packed(now, store)
        try:
            files.save(Path(self.file), data)
        except OSError as error:  # it names a temporary file, which the user does not know
            raise OSError(error.errno, error.strerror, self.file) from None
        return [Message("Saved as {file}", file=self.file)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Download(Question):
    """Send the export of the evening to the organiser's page."""

    do = "download"

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        return []

    def attached(self, now: Stand, store: HallStore) -> Payload:
        sent = attachment(f"tabularium-hall-{(now.evening.at or 'evening')[:10]}.zip", packed(now, store))
        if not sent:
            raise ValueError(Message("The export is too large to be sent: save it on the hall's computer instead."))
        return sent


def attachment(name: str, data: bytes) -> Payload:
    """Return an export as an answer sends it, {} for one that is too large."""
    return {"file": {"name": name, "data": b64encode(data).decode()}} if len(data) <= SENT else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentExport:
    """The export of an earlier evening as a page sends it, for no text on the wire is longer than 2000 characters."""

    name: Annotated[str, Argument(most=200)]
    data: Annotated[Sequence[str], Argument("its Base64, in pieces", most=500)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSeason(Question):
    """Make one table of the exports of earlier evenings, and of this one once a result counts."""

    do = "season"

    files: Annotated[Sequence[SentExport], Argument("the exports", most=100)]

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        exports = [(as_it_is(file.name), b64decode("".join(file.data))) for file in self.files]
        if now.standings.after:
            exports.append((as_it_is(now.evening.name), packed(now, store)))
        return [
            Message("{place}. {name} #{id}: {score} (evenings: {count})", place=row.place, name=as_it_is(row.name),
                    id=row.id, score=as_it_is(f"{row.score:g}"), count=row.evenings)
            for row in season.standings(exports)
        ]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelPlanning(Question):
    """Cancel the planning of rounds; the order that it is for is refused."""

    do = "cancel"
    example = "cancel"

    number: Annotated[int | None, Argument("the planning's number in the status (default: all)", "N", least=1)] = None

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        return self.cancelled([])

    def cancelled(self, found: Sequence[Planning]) -> Sequence[Message]:
        """Return what was cancelled. Raises ValueError where nothing was."""
        if not found:
            raise ValueError(Message("Nothing is being planned."))
        return [Message("The planning of round {round} is cancelled.", round=planning.round) for planning in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutRequests(Question):
    """A question about what players ask from their phones."""

    def answer(self, now: Stand, store: HallStore, ill: Sequence[Message]) -> Sequence[Message]:
        return [NO_REQUESTS]

    @abstractmethod
    def carried_out(self, evening: HallEvening, requests: PlayerRequests) -> Sequence[Message]:
        """Return the answer, from the requests of the running hall. Raises LookupError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequests(AboutRequests):
    """List what players ask from their phones; join, back and leave confirm it."""

    do = "requests"
    example = "requests"

    start: Annotated[bool | None, Argument("take requests again", flag="--start")] = None

    def carried_out(self, evening: HallEvening, requests: PlayerRequests) -> Sequence[Message]:
        requests.taking = requests.taking or bool(self.start)
        return [told(evening, asked) for asked in requests.listed(evening)] or [NO_REQUESTS]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineRequests(AboutRequests):
    """Decline what players ask from their phones."""

    do = "decline"
    example = "decline Ben"

    names: Annotated[Sequence[str], replace(PLAYER, help="a player who asks (default: all)", most=500, optional=True)]
    stop: Annotated[bool | None, Argument("and take no more requests", flag="--stop")] = None

    def carried_out(self, evening: HallEvening, requests: PlayerRequests) -> Sequence[Message]:
        requests.taking = requests.taking and not self.stop
        found = requests.decline(evening, self.names) if requests.listed(evening) or not self.stop else []
        stopped = [Message("No more requests are taken.")] if self.stop else []
        return [*(Message("Declined: {what}", what=told(evening, asked)) for asked in found), *stopped]


def _logged(evening: HallEvening, act: Payload, stands: set[int]) -> Message:
    """Describe an order, who gave it and when, and whether it was undone."""
    who = act.get("who")
    its: dict[str, Any] = {"number": act["number"], "at": as_it_is(hour(act["at"])), "what": described(evening, act)}
    if act["number"] in stands or act["act"] in ("undo", "redo"):
        text = N_("{number}. {at} {what} ({who})") if who else N_("{number}. {at} {what}")
    else:
        text = N_("{number}. {at} {what} ({who}) – undone") if who else N_("{number}. {at} {what} – undone")
    return Message(text, who=as_it_is(who or ""), **its)
