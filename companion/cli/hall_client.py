"""A table's client of its hall: the outbox, with evening and store. Without a hall nothing of it is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from companion.play.hall_status import ROUNDS, InterruptedGame, SeatedGame, State, Verdict, rounds, seated, table_of
from companion.play.round_clock import RoundClock
from companion.rules.message import Message
from companion.system.logs import writing

if TYPE_CHECKING:
    from companion.hall.link import Broker
    from companion.hall.outbox import Outbox
    from companion.hardware.doctor import Finding
    from companion.hardware.doctor.hall import HallProbe
    from companion.hardware.settings import HallSettings
    from companion.play.evening import Evening
    from companion.play.port import Shown
    from companion.record.store import Store

log = writing("hall")

KEPT = "hall"
"""The store's key for the hall: its name and its first game."""


class HallClient:
    """The open connection, as the table sees it (`HallStatus`). `findings` are the doctor's; `close` ends it."""

    def __init__(self, outbox: Outbox, store: Store) -> None:
        self.outbox, self._store = outbox, store
        self._seated: tuple[object, SeatedGame | None] = None, None  # a cache: the inputs, and the result
        self._said: object = None

    @property
    def hall(self) -> str:
        return self.outbox.topics.hall

    @property
    def evening(self) -> str:
        return self.outbox.evening

    @property
    def mark(self) -> str | None:
        return self.outbox.mark

    @property
    def table(self) -> str:
        return self.outbox.table

    @property
    def state(self) -> State:
        return "away" if self.outbox.fault or not self.outbox.heard else "kept" if self.outbox.idle else "sending"

    @property
    def spare(self) -> InterruptedGame | None:
        of = self.outbox.spare
        if not of or of["evening"] != self.mark:  # the broker may have kept one of another evening
            return None
        return InterruptedGame(of["round"], of["from"], of["lines"], of["view"])

    @property
    def line(self) -> str:
        return self.outbox.line

    @property
    def clock(self) -> RoundClock | None:
        if self.outbox.clock is None or self.outbox.clock[0]["state"] == "none":
            return None
        data, heard = self.outbox.clock
        return RoundClock(**data, heard=heard)

    @property
    def board(self) -> str:
        return self.outbox.board

    @property
    def told(self) -> bool:
        return self.outbox.seating is not None

    @property
    def seated(self) -> SeatedGame | None:
        seating, now = self.outbox.seating, self.outbox.round
        begun = rounds(self._store.kept(ROUNDS), self.evening)
        made = seating, now, begun
        if made != self._seated[0]:
            self._seated = made, seated(seating, self.table, now, begun.values()) if seating else None
        return self._seated[1]

    def verdict(self, game: int) -> Verdict | None:
        said = self.outbox.verdict
        if not said or said["game"] != game or not said.get("settled"):
            return None
        return Verdict(said["settled"], said.get("reason", ""), said.get("counts"))

    def news(self, playing: bool) -> bool:
        state = self.state
        ended = (state, self.outbox.verdict)  # while a game is played each act goes there and is kept
        clock = self.clock
        time_left = (clock.state, clock.minutes(monotonic())) if clock else None
        now = (self.seated, self.spare is None, self.line, time_left, self.board, state == "away" if playing else ended)
        before, self._said = self._said, now
        return self._said != before

    def findings(self) -> Sequence[Finding]:
        from companion.hardware.doctor.hall import HallProbe, way
        from drivers.installed import reachable

        outbox = self.outbox
        to = outbox.link.address, reachable()
        table = table_of(outbox.seating, outbox.table)
        return list(way(HallProbe(outbox.topics.hall, table, outbox.fault, outbox.heard, outbox.behind, *to)))

    def close(self) -> None:
        """Announce that the table leaves, and store which game the hall needs next."""
        self.outbox.stop()
        self._store.keep(KEPT, {"hall": self.outbox.topics.hall, "since": self.outbox.since})


def way_to_hall(settings: HallSettings, evening: Evening, store: Store, fair_ms: int) -> HallClient | None:
    """Open the connection; where that fails, the table plays on without it and says so once."""
    try:
        from companion.hall.outbox import Here, Outbox

        outbox = Outbox(settings.hall, settings.table, broker_of(settings), Here(
            path=lambda: store.path,
            since=_first_game(settings.hall, store),
            ill=lambda: [f"{of.device}: {of.detail}" for of in list(evening.devices.health.values()) if not of.well],
            fair_ms=fair_ms,
        ))  # fmt: skip
    except (ImportError, OSError, ValueError) as error:  # an invalid certificate raises ValueError or OSError
        log.warning("no way to the hall: %s", type(error).__name__)
        evening.note = Message("The hall cannot be reached ({error}): the table plays on alone.", error=_reason(error))
        return None

    def hear(shown: Shown) -> None:
        if evening.match:
            outbox.hear(evening.match.number)
            if shown.view["over"]:  # a player may have approved the result
                outbox.look()

    evening.port.subscribe(hear)
    outbox.open()
    way = HallClient(outbox, store)
    evening.join(way)
    return way


def seen(settings: HallSettings) -> HallProbe:
    """Probe broker and hall once, and return what was found."""
    from companion.hardware.doctor.hall import HallProbe
    from drivers.installed import reachable

    address = ""
    try:
        from companion.hall.probe import probe

        fault, heard, address = probe(broker_of(settings), settings.hall)
    except (ImportError, OSError, ValueError) as error:
        fault, heard = _reason(error), False
    return HallProbe(settings.hall, settings.table, fault, heard, address=address, allowed=reachable())


def broker_of(settings: HallSettings) -> Broker:
    """Return the broker's address, and the table's login. Raises OSError and UnicodeDecodeError."""
    from companion.hall.link import Broker

    file = settings.password_file
    password = file.read_text(encoding="utf-8").strip() if file else None
    return Broker(settings.broker, settings.port, settings.user or settings.table, password, settings.tls)


def _first_game(hall: str, store: Store) -> int:
    """Return the first game that belongs to this hall: none of the games before it does."""
    kept = store.kept(KEPT)
    if isinstance(kept, dict) and kept.get("hall") == hall and isinstance(kept.get("since"), int):
        return int(kept["since"])
    since = max((row.number for row in store.games()), default=0) + 1
    store.keep(KEPT, {"hall": hall, "since": since})
    return since


def _reason(error: Exception) -> str:
    if isinstance(error, ImportError):
        from companion.cli.hall_service import missing

        return missing()
    return f"{getattr(error, 'filename', None) or ''} {getattr(error, 'strerror', None) or error}".strip()
