"""What every game at this table shares: rulings, refusals, legal moves and the Game contract.

T-1  (text) Only what the moment calls for is accepted: the right player, the right kind of move, a game that is not
     over.
T-2  (text+decided: the rules do not say what becomes of such a card; it goes back to the hand) A card counts only
     in its game and in its owner's hand: another rank or colour, a second flag or a card already played is refused.
T-3  (decided: nobody has seen the card yet) A sealed choice may be changed until the reveal; until then the card
     still counts as in hand.
T-4  (decided: the players play, and the referee only rules) Nothing happens by itself: no automatic pass, no
     automatic choice, even where only one thing is possible. What merely follows from a move (a payment, a hand
     taken back, the end) belongs to that move.
T-5  (decided: anybody may make a slip, and the game should not suffer from it) Undo takes back the last move, or a
     whole correction, with everything that followed from it, any number of times, back to the start of the game,
     even after its end; on request it takes back everything after an earlier move that stands. Undo and redo are
     themselves never taken back.
T-6  (decided: what is secret at the table stays secret) A refusal that rests on something hidden (a bid above the
     balance) never gives it away. Everybody can read how many amounts were entered for a player that do not count:
     refused, undone, corrected or only looked at.
T-7  (decided: an undo may be a slip too) Redo brings back everything that the last undo took back, all at once, as
     long as nothing else has been accepted since.
T-8  (decided: a mistake is often noticed late) A correction says that an earlier move was a different one ("Blue
     said yes, not no"). The game is judged anew from there: later moves stand as they were, up to the first that is
     no longer possible; that one and all after it fall away. Cards that still lie face down are taken up first. A
     sealed choice is not corrected but made anew.
T-9  (decided: the game belongs to its players) The table decides: what everybody at the table agrees on stands, even
     against the rules. A house ruling is put into words and may change the position; it is kept in the log and shown
     with the result. Cards that lie face down are taken up before a change. A change to a purse or a hand is told to
     that player alone.
T-10 (decided: a game may have begun without the program) A game may begin from a position: everything that is true
     about it at one moment, written down. Two games in the same position, with the same moves from there on, are the
     same game.
T-11 (decided: the table and the program must agree) The program can say at any time what should lie where on the
     real table, as far as everybody may know it, and which pieces go where after an undo, a redo, a correction or a
     house ruling.
T-12 (decided: players accept only a ruling that they understand) Wherever players are compared (a bid, a card, a
     tie, a score), the comparison is explained step by step: what is compared, by which rule, how each player stood
     and who is left; and the smallest change with which another player would have come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass
from fractions import Fraction
from itertools import product
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeVar

from companion.rules.cards import COLOURS, DECK, RANKS, Card, hand_order
from companion.rules.contest import Condition, Contest
from companion.rules.data import Data
from companion.rules.views import Derived, Result, View

# The kinds of value an event can carry; the transcript's codec reads and checks each by its mark.
Seat = Annotated[str, "seat"]
Chips = Annotated[int, "chips"]
Place = Annotated[str, "place"]
Piece = Annotated[str, "piece"]
Opened = Annotated[Mapping[str, int], "opened"]
Words = Annotated[str, "words"]
Change = Annotated[Data, "change"]


class Event(Protocol):
    """What a player did, in the rulebook's verb: a frozen dataclass, named for the verb."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Recast = Annotated[Event, "event"]


@dataclass(frozen=True, slots=True)
class Choose:
    """A card laid face down; choosing anew replaces it (T-3)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Reveal:
    """All fists opened and all cards turned up; `opened` says how many ms after the first fist each opened."""

    opened: Opened | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Undo:
    """An undo of the last step, or of every standing act after the one with the number `to`, 0 for all (T-5)."""

    to: int | None = None


@dataclass(frozen=True, slots=True)
class Redo:
    """A redo of what the last undo took back (T-7)."""


@dataclass(frozen=True, slots=True)
class Amend:
    """A correction: the standing act with the number `act` was this event (T-8)."""

    act: int
    as_: Recast


@dataclass(frozen=True, slots=True)
class Decide:
    """What all at the table agree on, in words; `change` is a merge patch (RFC 7396) to the position (T-9)."""

    words: Words
    change: Change | None = None


TABLE_EVENTS = (Undo, Redo, Amend, Decide)
"""The events of the table itself: the session's, and no game ever sees one."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A touch: a known card came onto a reader; `reader` is "centre" or the seat it stands before."""

    reader: str
    card: Card


@dataclass(frozen=True, slots=True)
class Pressed:
    """A touch: a seat's button was pressed and let go; `long` says that it was held for 600 ms or more."""

    seat: Seat
    long: bool


Touch = Laid | Pressed


class Said(str):
    """Words a player spoke, shown as they are: never taken for a seat's or a place's name, never translated."""

    __slots__ = ()


class Amount(int):
    """Chips in a fact: said with their unit, one chip or two chips."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee says.

    `code` is a stable word; `rule` the clause it rests on; `text` an English template, translated and filled
    with `facts` only when it is shown; `seat` says for whose eyes alone it is, None for everybody's.
    """

    code: str
    rule: str
    text: str
    facts: Data = field(default_factory=dict)  # of every kind that can be said
    seat: Seat | None = None

    def adding(self, **facts: object) -> Ruling:
        """Return the same ruling with more facts."""
        return Ruling(self.code, self.rule, self.text, {**self.facts, **facts}, self.seat)


class Refused(Exception):  # noqa: N818 - what happened, not an error of the program
    """A refusal by the rules; it carries the ruling that says why, and others that say more to some seat."""

    def __init__(self, ruling: Ruling, *others: Ruling) -> None:
        super().__init__(ruling.code)
        self.ruling = ruling
        self.rulings = (ruling, *others)


def N_(text: str) -> str:  # noqa: N802 - the usual name for "translate me later"
    """Mark a template for the catalogues."""
    return text


class InContext(str):
    """A template whose English has another meaning elsewhere: catalogues hold it by its context too (pgettext)."""

    __slots__ = ("context",)
    context: str


def NC_(context: str, text: str) -> InContext:  # noqa: N802 - the name that GLib gives to it
    """Mark a template for the catalogues together with its context: `NC_("person", "to")`."""
    marked = InContext(text)
    marked.context = context
    return marked


class Plural(str):
    """A template for one, and another for many: languages differ in what they count as one (gettext's ngettext)."""

    __slots__ = ("by", "many")
    many: str
    by: str
    """The name of the counting fact."""

    def english(self, facts: Data) -> str:
        """Return the one of the two templates that the count selects in English."""
        return str(self) if facts[self.by] == 1 else self.many


def plural(one: str, many: str, by: str = "count") -> Plural:
    """Mark two templates for the catalogues; the fact named `by` selects one when they are shown."""
    text = Plural(one)
    text.many, text.by = many, by
    return text


def require(condition: object, code: str, text: str, rule: str = "T-1", **facts: object) -> None:
    """Raise Refused unless the condition holds. Facts are what the text names: nothing hidden (T-6)."""
    if not condition:
        raise Refused(Ruling(code, rule, text, facts))


def ruled(code: str, rule: str, text: str, **facts: object) -> Ruling:
    """Return a public ruling."""
    return Ruling(code, rule, text, facts)


# -- legal moves ------------------------------------------------------------------------------------------------


E_co = TypeVar("E_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Moves(Generic[E_co]):
    """All events of one verb whose fields take any of the given values: listed only when somebody asks.

    A field left out is free (a promise, the times of a reveal): it does not matter to the rules.
    """

    event: type[E_co]
    values: Mapping[str, Sequence[Any]]  # each field has values of its own kind

    def __contains__(self, event: object) -> bool:
        return type(event) is self.event and all(getattr(event, name) in of for name, of in self.values.items())

    def __iter__(self) -> Iterator[E_co]:
        for chosen in product(*self.values.values()):
            yield self.event(**dict(zip(self.values, chosen, strict=True)))

    def __len__(self) -> int:
        size = 1
        for of in self.values.values():
            size *= len(of)
        return size

    def pick(self, choice: Callable[[Sequence[Any]], Any]) -> E_co:
        """Return one of these events; `choice` picks from a sequence (say `random.Random(1).choice`)."""
        return self.event(**{name: choice(of) for name, of in self.values.items()})


# -- the contract -----------------------------------------------------------------------------------------------


Value = bool | int | str
Options = Mapping[str, Value]
"""An option's value by its name."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule or variant chosen before the game; `needs` names another option and the value it must have."""

    name: str
    values: tuple[Value, ...]
    rule: str
    text: str
    needs: tuple[str, Value] | None = None

    @property
    def default(self) -> Value:
        """Return the default, which is the first value."""
        return self.values[0]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game starts from: seats clockwise, every option with its value, and the board where there is one."""

    seats: tuple[Seat, ...]
    options: Options
    board: Any = None  # what the game's own `board` has read


S = TypeVar("S")
V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class Game(Generic[S, V]):
    """A game: facts and pure functions over a frozen state S, of which everybody sees the view V.

    `apply(state, event)` returns the next state and its rulings or raises Refused. `legal(state)` lists what it
    would accept. `read(state, touch)` says what a card or a button means now: an event, or None. `fists(state)`
    names the seats whose opening fists make the reveal, while one can be made. `view(state)` is everything
    public; `view(state, seat)` adds `private`. `derived(state)` is what follows from what everybody sees: said by
    the rules themselves and not worked out again by the screen. `board` reads board data or raises Mistakes.
    `vocabulary(setup)` lists the places and pieces an event may name. `clauses` is the numbered page.
    """

    name: str
    title: str
    seats: range
    events: tuple[type[Event], ...]
    setup: Callable[[Setup], S]
    apply: Callable[[S, Any], tuple[S, Sequence[Ruling]]]  # the event: one of `events`, as the codec has read it
    legal: Callable[[S], Sequence[Moves[Event]]]
    read: Callable[[S, Touch], Event | None]
    fists: Callable[[S], Sequence[Seat]]
    view: Callable[..., V]
    clauses: str
    derived: Callable[[S], Derived] = lambda _: {}
    options: tuple[Option, ...] = ()
    colours: tuple[str, ...] = COLOURS
    ranks: Callable[[Options], Sequence[int]] = lambda _: RANKS
    """What it is played with in each of its colours that has cards; with the default options the most."""
    owned: bool = True
    """Cards belong to the seat of their colour; else to nobody, and anybody may lay any."""
    fixed: tuple[Seat, ...] | None = None
    """The one list of seats a game allows, where it allows only one."""
    together: str = "T-1"
    """The clause for opening all hands at once."""
    series: Literal["wins", "scores", "twice"] = "wins"
    """What counts over several games: games won, the scores added up (and the first seat moves on), or two games won
    running (and the sides are swapped)."""
    board: Callable[[Any], Any] | None = None  # as JSON or YAML has it; what it becomes, only the game knows
    vocabulary: Callable[[Setup], Mapping[str, Sequence[str]]] = lambda _: {}
    blind: Mapping[str, str] = field(default_factory=dict)
    """Verbs that would give away what is hidden by being legal, each with the verb it is always offered beside."""

    @property
    def defaults(self) -> Options:
        """Return every option with its default value."""
        return {option.name: option.default for option in self.options}

    @property
    def sealed(self) -> bool:
        """Return whether cards are chosen face down and revealed together."""
        return Choose in self.events and Reveal in self.events

    def cards(self, options: Options, seat: Seat | None = None) -> tuple[Card, ...]:
        """Return the cards the game is played with; with a seat, those that may lie before it, held or not."""
        own = [seat] if self.owned and seat else self.colours
        colours = [colour for colour in COLOURS if colour in own]
        return tuple(DECK[str(Card(colour, rank))] for colour in colours for rank in self.ranks(options))


AnyGame = Game[Any, Any]
"""Some game: its states and views are known to itself alone."""


def judge(game: Game[S, V], state: S, event: Event) -> tuple[bool, S, Sequence[Ruling]]:
    """Apply the event. Return whether it was accepted, the state after it (the very same if not) and the rulings."""
    try:
        return True, *game.apply(state, event)
    except Refused as refusal:
        return False, state, (refusal.ruling,)


# -- small things every game needs ------------------------------------------------------------------------------


def left_of(seats: Sequence[Seat], seat: Seat) -> Seat:
    """Return the next seat clockwise."""
    return seats[(seats.index(seat) + 1) % len(seats)]


def own_card(touch: Laid, seats: Sequence[Seat]) -> Seat:
    """Return the seat that a laid card belongs to.

    A shared reader serves everybody, a seat's reader only its own colour. Raises Refused (T-2).
    """
    seat = touch.card.colour
    mine = touch.reader in ("centre", seat)
    require(mine, "reader", N_("{reader:of} reader takes only {reader:of} cards; {card} is not one of them."), "T-2",
            reader=touch.reader, card=touch.card)  # fmt: skip
    require(
        seat in seats,
        "seat",
        N_("{card}: nobody plays {seat} in this game."),
        "T-2",
        seat=seat,
        card=touch.card,
    )
    return seat


def number(value: int | Fraction) -> int | float:
    """Return whole numbers as integers, and halves as floats such as 22.5."""
    return int(value) if value == int(value) else float(value)


def result(
    scores: Mapping[Seat, int | Fraction], winners: Sequence[Seat] | None = None, confirmed: bool = True
) -> Result:
    """Return a game's result as views show it: the best share the victory, places are 1, 2, 2, 4.

    Pass `winners` where the highest score does not decide, and whether the board has been `confirmed`.
    """
    best = max(scores.values())
    return {
        "winners": list(winners) if winners is not None else [s for s, score in scores.items() if score == best],
        "scores": {seat: number(score) for seat, score in scores.items()},
        "places": {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()},
        "unconfirmed_board": not confirmed,
    }


def as_json(value: object) -> Any:
    """Return the JSON form of any part of a state, an event or a fact: cards as text, sets as sorted lists."""
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Fraction):
        return number(value)
    if isinstance(value, Contest | Condition):
        return as_json(value.facts)
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        ordered = sorted(value, key=hand_order if any(isinstance(v, Card) for v in value) else str)
        return [as_json(item) for item in ordered]
    if isinstance(value, Iterable):
        return [as_json(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name.rstrip("_"): as_json(getattr(value, f.name)) for f in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")
