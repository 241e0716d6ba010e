"""What everybody may see of each game: the shape of `view`, and of what the rules say beside it.

Keys and values are those that a transcript's replay prints. Cards are texts ("red 7"), seats are colours, "neutral" is
nobody's. `beside` is what follows from what everybody sees: said by the rules themselves, with the functions they rule
with, and not worked out again by the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

if TYPE_CHECKING:
    from typing_extensions import ReadOnly
else:

    class ReadOnly:
        """A key that a game's own view may say more exactly. Python 3.13 has it in `typing`."""

        def __class_getitem__(cls, kind: object) -> object:
            return kind


class Result(TypedDict):
    """How a game ended: the best share the victory, places are 1, 2, 2, 4."""

    winners: list[str]
    scores: dict[str, int | float]
    places: dict[str, int]
    unconfirmed_board: bool


class View(TypedDict):
    """What the views of all games have."""

    game: str
    phase: ReadOnly[str]
    turn: str | None
    waiting: list[str]
    over: bool
    result: Result | None
    chosen: NotRequired[ReadOnly[list[str]]]
    """Where cards are sealed: whose card lies face down."""
    private: NotRequired[ReadOnly[Mapping[str, Any]]]
    """Only in a view for one seat: what that seat may see besides; each game has its own."""


class Beside(TypedDict):
    """What a game says beside its view; a game of which everything is in the view says nothing."""


# -- Mercator ---------------------------------------------------------------------------------------------------

MercatorPhase = Literal["flipping", "fists", "bidding", "loading", "over"]


class Purse(TypedDict):
    chips: int | float


class MercatorView(View):
    phase: MercatorPhase
    pile: int
    lot: list[str]
    flipper: str | None
    taking_part: list[str]
    bids: dict[str, int]
    ships: dict[str, list[str]]
    track: dict[str, int]
    private: NotRequired[Purse]


class MercatorBeside(Beside):
    worth: int
    """What the lot is worth (M-8)."""
    last: int
    """The last space of the track (M-17)."""
    room: dict[str, int]
    """How many more cards each ship can load (M-11)."""
    limit: int | None
    """How many cards the lot of this turn can have (M-4), None while nothing is auctioned."""
    order: list[str]
    """Who comes first in a tie: clockwise, from the flipper's left (M-9)."""


# -- Prokonsul --------------------------------------------------------------------------------------------------

ProkonsulPhase = Literal["pawns", "province", "choosing", "pleading", "answering", "negotiating", "over"]


class Province(TypedDict):
    value: int
    candidates: list[str]
    governor: str | None


class Offer(TypedDict):
    to: str
    chips: int
    promise: str | None


class ProkonsulPrivate(TypedDict):
    chips: int
    hand: list[str]
    choice: str | None


class ProkonsulView(View):
    phase: ProkonsulPhase
    round: int | None
    row: list[str]
    province: str | None
    provinces: dict[str, Province]
    counters: dict[str, int]
    chosen: list[str]
    played: dict[str, str]
    holds: dict[str, list[str]]
    total: int | None
    target: int | None
    pleader: str | None
    first_pleader: str | None
    pleaded: list[str]
    can_ask: list[str]
    offer: Offer | None
    private: NotRequired[ProkonsulPrivate]


class Plea(TypedDict):
    """A plea that is still to come; its pawn moves where it gets it through a tie with others."""

    seat: str
    tied: list[str]


class ProkonsulBeside(Beside):
    pleas: list[Plea]
    """Who pleads after the present plea, in this order, if nobody sells and every plea fails (P-8, P-9)."""
    held: dict[str, int]
    """What the cards are worth that each seat holds (P-13)."""
    able: list[str]
    """Free: who can win the round with a coalition (P-25)."""
    links: dict[str, list[str]]
    """What each province is linked with (P-2)."""


# -- Spartacus --------------------------------------------------------------------------------------------------

SpartacusPhase = Literal["trick", "over"]


class Lying(TypedDict):
    """A card of the trick, and who played it."""

    seat: str
    card: str


class Hand(TypedDict):
    hand: list[str]


class SpartacusView(View):
    phase: SpartacusPhase
    trick: list[Lying]
    lowest: Lying | None
    passed: list[str]
    hand_sizes: dict[str, int]
    tricks: dict[str, int]
    points: dict[str, int]
    """{} while they are covered (S-16)."""
    private: NotRequired[Hand]


class SpartacusBeside(Beside):
    below: int | None
    """A number is played below this (S-4); None while no number lies."""
    takes: Lying | None
    """The card that takes the trick as it lies (S-7, S-14)."""
    flags: list[str]
    """Whose flag may still come: it has not been seen (S-1)."""
    worth: int | None
    """What the trick is worth as it lies (S-10, S-14); None while points are covered (S-16)."""
    working: str
    """How it comes to that: "(9+7) × 2 = 32"; "" while points are covered."""
    numbers: int
    """The sum of the numbers that lie."""
    doubled: int
    """How many flags double it."""
    jokers: int
    """How many jokers cost ten each."""
    void: bool
    """A joker makes it worth nothing."""


# -- Caesar -----------------------------------------------------------------------------------------------------

CaesarPhase = Literal["placing", "turn", "choosing", "over"]


class Group(TypedDict):
    owner: str
    size: int


Duel = TypedDict("Duel", {"attacker": str, "defender": str, "from": str, "to": str})


class Sealed(TypedDict):
    """A hand, and the card of it that lies face down."""

    hand: list[str]
    choice: str | None


class CaesarView(View):
    phase: CaesarPhase
    board: dict[str, Group]
    to_place: dict[str, int]
    hand_sizes: dict[str, int]
    duel: Duel | None
    chosen: list[str]
    out: list[str]
    private: NotRequired[Sealed]


# -- Hannibal ---------------------------------------------------------------------------------------------------

HannibalPhase = Literal["moving", "declaring", "choosing", "over"]


class Region(TypedDict):
    """How many legions of each side stand there; Hannibal is counted apart."""

    blue: int
    red: int
    hannibal: bool


class Route(TypedDict):
    """How many fleets of each side stand there."""

    blue: int
    red: int


class Battle(TypedDict):
    place: str
    mover: str
    hannibal: bool | None
    """He fights; None while red has still to say."""


class HannibalView(View):
    phase: HannibalPhase
    regions: dict[str, Region]
    routes: dict[str, Route]
    battle: Battle | None
    chosen: list[str]
    hand_sizes: dict[str, int]
    chips: dict[str, int] | None
    private: NotRequired[Sealed]


class Needed(TypedDict):
    """A legion in any one of these regions is needed; where it stands, None while none does."""

    regions: list[str]
    held: str | None


class HannibalBeside(Beside):
    mediterranean: dict[str, list[Needed]]
    """What each side needs to control the Mediterranean (H-14)."""
    core: dict[str, list[str]] | None
    """The core regions that each side controls (H-18), None where core control is not agreed."""
    land: dict[str, list[str]]
    """Which regions each one borders on by land (H-3); by sea the routes say it."""
