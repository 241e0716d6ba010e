"""Everything public about the evening at one moment: the source of all view-models."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, cast

from companion.answers.guide import standing
from companion.play.cards_on_readers import LyingCard
from companion.play.equipment import Equipment, InputMethods
from companion.play.lamps import Mode, modes
from companion.play.match import Match
from companion.play.table import NO_MS
from companion.rules import AnyGame, Options
from companion.rules.data import Data
from companion.rules.guide import Known
from companion.rules.outline import Outline
from companion.rules.readings import Health
from companion.rules.views import Derived, Result, View
from companion.rules.words import Tongue, title
from companion.session.receipt import Receipt
from ui.widgets.short_names import short_names

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    V_co = TypeVar("V_co", bound=View, covariant=True, default=View)
    B_co = TypeVar("B_co", bound=Derived, covariant=True, default=Derived)
else:  # Python 3.13 has defaults in `typing`
    from typing import TypeVar

    V_co, B_co = TypeVar("V_co"), TypeVar("B_co")


@dataclass(frozen=True)
class Moment(Generic[V_co, B_co]):
    """A snapshot of what may be shown: `Moment[ProkonsulView, ProkonsulDerived]` of one game, `Moment` of any.

    `beside` is what the rules say beside the view; `board` is the board's data, None where a game has none.
    """

    game: AnyGame
    seats: Sequence[str]
    view: V_co
    derived: B_co
    lang: str = "en"
    players: Mapping[str, str] = field(default_factory=dict)
    options: Options = field(default_factory=dict)
    board: Data | None = None  # as JSON or YAML has it; what is in it, only the game knows
    reveal: str = "fists"
    log: Sequence[Receipt] = ()
    closed: Collection[str] = frozenset()
    called: bool = False
    counts: bool = False
    """Everybody holds, and the voice counts: "open" is still to come."""
    fists: Sequence[str] = ()
    presses: Mapping[str, int] = field(default_factory=dict)
    """Buttons that are down and may mean something when they come up: for how many ms so far."""
    no_ms: int = NO_MS
    """The length of a press that says no, in ms."""
    health: Mapping[str, Health] = field(default_factory=dict)
    means: Mapping[str, InputMethods] = field(default_factory=dict)
    """The input methods of each seat besides the finger."""
    absent: Collection[str] = frozenset()
    """Seats whose players have left: the others play on for them, by finger."""
    ears: Collection[str] = frozenset()
    """Seats with an earphone of their own: the button steps through what they may do, and what is asked of one of them
    alone is asked in the ear."""
    lying: Sequence[LyingCard] = ()
    """The cards on the readers."""
    approvals: Mapping[str, bool | None] = field(default_factory=dict)
    """In a hall: what every seat says of the result, once the game is over."""
    outlines: Sequence[Outline] = ()
    """The acts by finger that are possible now, for the default board."""
    virtual: bool = False
    """The devices are the screen's own: cards stand in the line, and a tile is a button."""
    opening: tuple[View, Derived] | None = None
    """The public view before the first act."""

    @property
    def lamps(self) -> Mapping[str, Mode]:
        """Return the mode of each seat's lamp."""
        return modes(self.view, self.seats, self.closed, self.fists, self.called, approving=self.approvals)

    @cached_property
    def tongue(self) -> Tongue:
        """Return the chosen language with the players' names."""
        return Tongue(self.lang, self.players)

    @property
    def known(self) -> Known[V_co, B_co]:
        """Return what a guide may be asked about."""
        return Known(self.seats, self.options, self.view, self.derived, self.outlines, self.reveal)

    def say(self, text: str, **facts: object) -> str:
        """Return a text of the screen in the chosen language."""
        return self.tongue.tr(text, **facts)

    @property
    def title(self) -> str:
        """Return the game's name in the chosen language."""
        return title(self.game, self.lang)

    def name(self, value: str) -> str:
        """Return the name of the player at a seat, else its colour; also names places and cards."""
        return self.tongue.name(value)

    @cached_property
    def short_names(self) -> Mapping[str, tuple[str, ...]]:
        """Return by seat what its player may be called where there is no room for the whole name."""
        return short_names({seat: self.name(seat) for seat in self.seats})

    @cached_property
    def acts(self) -> Sequence[Receipt]:
        """Return the accepted acts that stand, oldest first, without the ones taken back."""
        return standing(self.log)

    @cached_property
    def previous(self) -> Moment[V_co, B_co] | None:
        """Return the moment before the latest act; None if the last entry is no new act, as after an undo."""
        latest = next((receipt for receipt in reversed(self.log) if receipt.number), None)
        act = self.acts[-1] if self.acts else None
        if act is None or latest is None or act.number != latest.number:
            return None
        if act.before:
            return self.after(act.before)
        return self._other_moment(*self.opening, ()) if self.opening else None

    def after(self, act: Receipt) -> Moment[V_co, B_co]:
        """Return the table as it stands after an act that reached the game: in the log, judged anew, or previewed."""
        # by identity: a move judged anew can equal the one in the log and belong to another line
        at = next((at for at, receipt in enumerate(self.log) if receipt is act), None)
        log = (*self.log, act) if at is None else self.log[: at + 1]
        return self._other_moment(act.view, act.derived, log)

    def _other_moment(self, view: View, derived: Derived, log: Sequence[Receipt]) -> Moment[V_co, B_co]:
        """Return another moment of this game, in which nobody is asked for anything."""
        return replace(self, view=cast("V_co", view), derived=cast("B_co", derived), outlines=(), log=log,
                       fists=(), closed=frozenset(), called=False, counts=False)  # fmt: skip

    @property
    def views(self) -> Sequence[V_co]:
        """Return what everybody could see after each standing act."""
        return [cast("V_co", act.view) for act in self.acts]  # acts of the same game

    @property
    def before(self) -> V_co:
        """Return what everybody could see before the last standing act, which may be the opening."""
        earlier = self.acts[-1].before
        assert earlier or self.opening
        return cast("V_co", earlier.view if earlier else self.opening[0] if self.opening else None)

    @property
    def result(self) -> Result:
        """Return the result of the game, which must be over."""
        result = self.view["result"]
        assert result
        return result

    @property
    def choosing(self) -> bool:
        """Return whether cards are being chosen face down."""
        return self.view["phase"] == "choosing" or any(outline.verb == "choose" for outline in self.outlines)


def moment(
    match: Match,
    health: Mapping[str, Health],
    equipment: Equipment,
    lang: str = "en",
    *,
    approvals: Mapping[str, bool | None] | None = None,
    virtual: bool = False,
) -> Moment:
    """Return what may be shown of a game now, at a table with this equipment."""
    header = match.header
    return Moment(
        game=header.game,
        seats=header.seats,
        view=match.view,
        derived=match.derived,
        lang=lang,
        players=header.players,
        options=header.options,
        board=header.board,
        reveal=header.reveal,
        log=tuple(match.log),
        closed=match.closed,
        called=match.called,
        counts=match.counts,
        fists=tuple(match.fists),
        presses=match.presses,
        no_ms=match.no_ms,
        health=dict(health),
        lying=match.lying,
        means={**equipment.means(header.seats, health), **dict.fromkeys(match.absent, InputMethods())},
        absent=match.absent,
        ears=frozenset(header.ears) - match.absent,
        outlines=tuple(match.outlines),
        approvals=approvals or {},
        virtual=virtual,
        opening=match.opening,
    )
