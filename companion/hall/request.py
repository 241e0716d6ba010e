"""What can be asked of the hall: orders, which change the evening, and questions, which do not. Each is a frozen
dataclass; the wire's schema (`companion.hall.schema`), the command line (`companion.cli.hall_arguments`) and the log
are derived from its fields and its methods."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from companion.hall import _people as people
from companion.hall._changes import changes, figure
from companion.hall._clock import Instant
from companion.hall._evening import HallEvening, OrderLine, Round, line, name_of
from companion.hall._people import HallPlayer, as_it_is
from companion.hall._seating import Search, solve
from companion.hall._stand import Stand
from companion.hall.records import Payload
from companion.rules.message import Message
from companion.system.uptime import Up

Act = dict[str, Any]
"""An order's record: {"act": …} with its values, as JSON."""
REASON = 200
"""Characters of a reason."""
NOTED = Message("Noted.")


@dataclass(frozen=True, slots=True)
class Argument:
    """How a field of a request is typed on the command line, and what it may hold."""

    help: str = ""
    """What `--help` says of it."""
    metavar: str | None = None
    flag: str = ""
    """As `--round`; "" for an argument without one."""
    least: int | None = None
    most: int | None = None
    """Of a number its range, of a text its characters, of a list its length."""
    choices: Sequence[str] = ()
    """The values allowed on the command line; of a list, those of each item."""
    constants: Mapping[str, str] = field(default_factory=dict)
    """A flag for each value, with its help, instead of one flag for all."""
    optional: bool = False
    """The command line may leave it out though the wire may not."""
    commas: bool = False
    """The items stand in one word, with commas between them."""

    @property
    def typed(self) -> bool:
        """Return whether the command line has an argument for it."""
        return bool(self.flag or self.metavar or self.constants)


@dataclass(frozen=True, slots=True)
class RequestField:
    """A field as the wire and the command line know it; `kind` is its type, but for None."""

    name: str
    kind: Any
    argument: Argument
    needed: bool

    @property
    def choices(self) -> Sequence[str]:
        """Return the values that it may have, () where it is not one of a few words."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else self.argument.choices

    @property
    def is_list(self) -> bool:
        return get_origin(self.kind) is Sequence

    @property
    def is_map(self) -> bool:
        return get_origin(self.kind) is Mapping


def fields_of(request: type[Any]) -> Sequence[RequestField]:
    """Return the fields of a request, or of a part of one."""
    hints = get_type_hints(request, include_extras=True)
    found = []
    for each in fields(request):
        its, *more = get_args(hints[each.name]) if get_origin(hints[each.name]) is Annotated else [hints[each.name]]
        kinds = (
            [kind for kind in get_args(its) if kind is not NoneType] if get_origin(its) in (Union, UnionType) else [its]
        )
        argument = next((of for of in more if isinstance(of, Argument)), Argument())
        kind = kinds[0] if len(kinds) == 1 else tuple(kinds)
        found.append(RequestField(each.name.rstrip("_"), kind, argument, each.default is MISSING))
    return found


PLAYER = Argument("a player: name, beginning of the name, or number such as #7", "PLAYER", most=2000)
TABLE = Argument("the table", "TABLE", most=2000)
WHY = Argument("the reason, which everybody can read", "TEXT", "--reason", most=2000)


def of_round(default: str) -> Argument:
    """Return an argument that names a round."""
    return Argument(f"the round (default: {default})", "N", "--round", least=1, most=10**9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The fields that every request may have, besides its own.

    A field without a default is needed; where None is the default, null on the wire is the same as nothing. The
    docstring of a request is its help.
    """

    do: ClassVar[str]
    """Its word, on the wire and on the command line."""
    example: ClassVar[str] = ""
    """How it is typed; "" where the command line has no word for it."""

    here_only: ClassVar[bool] = False
    """Only the hall's own computer may ask it: it writes a file there."""

    lang: Annotated[Literal["en", "de", "ja"] | None, Argument("language of the answer")] = None
    who: Annotated[str | None, Argument("the person who gives the order", most=40)] = None
    id: Annotated[str | None, Argument("a unique id: an order sent twice with it is carried out once", most=64)] = None
    try_: Annotated[bool | None, Argument("only say what the order would change")] = None
    as_of: Annotated[int | None, Argument(
        "the last order that the sender has seen: if another has come since, this one is refused", least=0
    )] = None  # fmt: skip
    reason: Annotated[str | None, Argument("the reason, which everybody can read", most=2000)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Request, ABC):
    """A request that changes the evening.

    `act` returns what is kept of it. The other methods return what follows from that, also for an act that was kept
    years ago.
    """

    log: ClassVar[str]
    """What the log says of it."""
    previews_changes: ClassVar[bool] = False
    """Whether its `preview` lists every change; its `answer` does not."""
    needs_reason: ClassVar[Literal["always", "results", "never"]] = "never"
    """Whether it needs a reason: always, where results hang on what it changes, or never."""

    def __init_subclass__(cls) -> None:
        if "do" in cls.__dict__:
            ORDERS[cls.do] = cls

    @abstractmethod
    def act(self, desk: OrderContext) -> Act:
        """Return what is kept of it. Raises ValueError and LookupError, with Messages, where it is impossible."""

    @classmethod
    @abstractmethod
    def fold(cls, evening: HallEvening, act: Payload) -> HallEvening:
        """Return the evening after such an act."""

    @classmethod
    def describe(cls, evening: HallEvening, act: Payload) -> Message:
        """Describe in a few words what was ordered."""
        facts: dict[str, Any] = {key: as_it_is(str(act.get(key) or "–")) for key in ("table", "to", "text", "reason")}
        facts |= {key: act[key] for key in ("round", "of") if key in act}
        if "player" in act:
            facts["name"] = name_of(evening, act["player"])
        if "names" in act:
            facts["names"] = tuple(map(as_it_is, act["names"]))
        elif "{names}" in cls.log:
            facts["names"] = tuple(name_of(evening, player) for player in act["players"])
        if "points" in act:
            facts["points"] = figure(Fraction(act["points"]))
        return Message(cls.log, **facts)

    @classmethod
    def answer(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        """Return what the order has done, or would do: by default all that is different."""
        return changes(desk.now, after) or [NOTED]

    @classmethod
    def preview(cls, desk: OrderContext, act: Payload, after: Stand) -> Sequence[Message]:
        """Return what else is to be known before it is given."""
        return changes(desk.now, after) if cls.previews_changes else ()

    @property
    def why(self) -> str:
        """Return its reason. Raises ValueError where none is given, or one that is too long."""
        why = " ".join((self.reason or "").split())
        if not 0 < len(why) <= REASON:
            raise ValueError(Message("Give a reason of 1 to {most} characters; it is kept in the log.", most=REASON))
        return why

    @property
    def its_reason(self) -> Act:
        """Return the reason as an act keeps it, where one is given. Raises ValueError for one that is too long."""
        return {"reason": self.why} if self.reason else {}


ORDERS: dict[str, type[Order]] = {}
"""Every order by its word, also used for its act (`companion.hall.orders` loads them all)."""


def described(evening: HallEvening, act: Payload) -> Message:
    """Describe in a few words what was ordered."""
    return ORDERS[act["act"]].describe(evening, act)


@dataclass(frozen=True, slots=True)
class OrderContext:
    """The context of an order: the state of the evening, all orders so far, and the time."""

    now: Stand
    acts: Sequence[Payload]
    at: datetime
    up: Up = ("", 0.0)
    """The computer's uptime."""
    search: Search = solve
    """How a seating is found."""

    @property
    def instant(self) -> Instant:
        return Instant(self.at, self.up)

    @property
    def last(self) -> int:
        """Return the number of the last order, 0 before any."""
        number: int = self.acts[-1]["number"] if self.acts else 0
        return number

    @property
    def line(self) -> OrderLine:
        """Return the orders that stand, and those that can be redone."""
        return line(self.acts)

    def player(self, word: str) -> HallPlayer:
        """Find a player. Raises LookupError."""
        return people.find(self.now.evening.people, word)

    def round(self, asked: int | None) -> Round:
        """Return the round of this number, else the last that counts. Raises ValueError."""
        counting = [one for one in self.now.evening.rounds if one.withdrawn is None]
        found = [one for one in counting if asked in (None, one.number)]
        if not found:
            raise ValueError(
                Message("No round has been seated.")
                if asked is None
                else Message("There is no round {round}.", round=asked)
            )
        return found[-1]
