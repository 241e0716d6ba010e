"""The screen's model of Caesar: the squares, where a touch leads, and the duel with both totals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.rules import N_, plural
from ui.games.caesar.moment import CaesarMoment
from ui.games.parts.actions import Action, Terms, off_board, taps
from ui.games.parts.asking import Event
from ui.games.parts.headline import Headline, call, winner
from ui.games.parts.past import Moved, last, moved

COLUMNS, ROWS = "abcde", "54321"

About = tuple[str, str | None]
"""A number that can be asked about: its word in the guide, and whose it is; None where it is the table's."""


@dataclass(frozen=True, slots=True)
class Group:
    """A square: the owner of the group there ("" for nobody, or "neutral"), its size, and whether it is in a duel."""

    owner: str
    size: int
    fights: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a duel: its card ("" before it lies, "?" face down), its group, and the total once cards are up."""

    seat: str
    card: str
    group: str
    total: str
    wins: bool = False


@dataclass(frozen=True, slots=True)
class Duel:
    """The current duel, or the one just fought: where, both sides, and the outcome."""

    where: str
    squares: str
    """Where it is fought, in fewer letters."""
    sides: Sequence[Side]
    result: str
    winner: str


@dataclass(frozen=True, slots=True)
class Way:
    """A kind of act open to the seat to move, its explanation, and what to touch next."""

    act: str
    verb: str
    text: str
    next: str


@dataclass(frozen=True, slots=True)
class Caesar:
    """All that the centre shows."""

    big: Headline
    about: About | None
    """The question about the big number; None where it is no number."""
    groups: Mapping[str, Group]
    begins: Collection[str]
    """The places where an act of the seat to move can begin, also one that leads nowhere."""
    foes: Collection[str]
    """The places where a touch that leads there means a fight."""
    taps: Mapping[tuple[str, str], Action | None]
    actions: Sequence[Action]
    duel: Duel | None
    ways: Sequence[Way]
    """The actions of the seat to move between duels."""
    title: str
    """The title over them: their seat."""
    fought: int
    """The number of the act that has just revealed a duel, which stays in sight until it is put away; 0 for none."""
    note: str
    moved: Moved | None
    left: Mapping[str, str]
    """The squares that the last act has emptied without anybody moving on, and who stood there."""
    phase: str
    turn: str

    def tried(self, start: str, place: str) -> Event | None:
        """Return the act a wrong touch asks for, so that the referee can say why not."""
        if self.phase == "placing":
            return {"event": "place", "seat": self.turn, "square": place}
        if self.phase != "turn":
            return None
        verb = "attack" if start and place in self.foes else "ally"
        return {"event": verb, "seat": self.turn, "from": start or place, "to": place}

    def able(self, way: str) -> Collection[str]:
        """Return the groups that can begin an act of this kind."""
        return {start for (start, _), action in self.taps.items() if start and action and action.verb == way}

    def put_away(self) -> Caesar:
        """Return the same centre without the duel that has been fought."""
        return replace(self, duel=None, fought=0)


def centre(m: CaesarMoment) -> Caesar:
    """Return the centre of the table at this moment."""
    view = m.view
    board, turn = view["board"], view["turn"] or ""
    fight = (view["duel"] or {}).values()
    own = [square for square, group in board.items() if group["owner"] == turn]
    fight_on = duel(m)
    big, about = ended(m) or standing(m)
    return Caesar(
        big=call(m) or big,
        about=about,
        groups={square: Group(group["owner"], group["size"], square in fight) for square, group in board.items()},
        begins=own if view["phase"] == "turn" else (),
        foes=[square for square, group in board.items() if group["owner"] not in (turn, "neutral")],
        taps=taps(m.outlines),
        actions=off_board(m, Terms()),
        duel=fight_on,
        ways=ways(m),
        title=m.say(N_("{seat} can"), seat=turn) if turn else "",
        fought=m.acts[-1].number if fight_on and not view["duel"] else 0,
        note=note(m),
        moved=moved(m, "alliance", "won", "placed"),
        left=left(m),
        phase=view["phase"],
        turn=turn,
    )


# -- the number that matters ------------------------------------------------------------------------------------


def owned(m: CaesarMoment, seat: str) -> Sequence[int]:
    """Return the sizes of a seat's groups."""
    return [group["size"] for group in m.view["board"].values() if group["owner"] == seat]


def ended(m: CaesarMoment) -> tuple[Headline, About | None] | None:
    """Return who has won, with the most counters; None while the game goes on."""
    if not m.view["over"]:
        return None
    winners = m.result["winners"]
    return winner(m), ("counters", winners[0]) if winners else None


def standing(m: CaesarMoment) -> tuple[Headline, About | None]:
    """Return what the seat to move has still to place, or owns."""
    view, turn = m.view, m.view["turn"] or ""
    if view["to_place"]:
        return Headline("", str(view["to_place"][turn]), m.say(N_("left to place")), [turn]), ("to_place", turn)
    groups = owned(m, turn)
    one = plural("counter in one group", "counters in one group", "counters")
    text = one if len(groups) == 1 else N_("counters in {groups} groups")
    beside = m.say(text, groups=len(groups), counters=sum(groups))
    return Headline("", str(sum(groups)), beside, [turn]), ("counters", turn)


def ways(m: CaesarMoment) -> Sequence[Way]:
    """Return the kinds of act in this turn, for players who have not learnt them yet."""
    verbs = {outline.verb for outline in m.outlines}
    return [Way(verb, *(m.say(text) for text in texts)) for verb, texts in WAYS.items() if verb in verbs]


WAYS: Mapping[str, tuple[str, str, str]] = {
    "attack": (N_("attack"), N_("a group in its row or column"), N_("Tap the group that attacks.")),
    "ally": (N_("join"), N_("two groups that see each other"), N_("Tap the group that moves.")),
}

# -- the duel ---------------------------------------------------------------------------------------------------


def duel(m: CaesarMoment) -> Duel | None:
    """Return the duel with its attacker and defender; after the reveal, until the next act."""
    attack = last(m, "attack")
    if not attack:
        return None
    groups = {attack["attacker"]: attack["size"], attack["defender"]: attack["other"]}
    where = m.say(N_("{from} against {to}"), **{end: attack[end] for end in ("from", "to")})
    squares = f"{attack['from']} – {attack['to']}"
    if m.view["duel"]:
        down = m.view["chosen"]
        sides = [Side(seat, "?" if seat in down else "", str(size), "") for seat, size in groups.items()]
        missing = sum(not side.card for side in sides)
        text = plural("{count} card to come", "{count} cards to come", "count")
        return Duel(where, squares, sides, m.say(text, count=missing) if missing else "", "")
    shown = last(m, "revealed", fresh=True)
    if not shown:
        return None
    totals = last(m, "totals", fresh=True)  # none where a flag was played
    values = totals["contest"].steps[0].values if totals else {}
    won = str((last(m, "won", fresh=True) or {}).get("winner", ""))
    sides = [
        Side(seat, str(card), str(size), str(values.get(seat, "")), seat == won)
        for (seat, size), card in zip(groups.items(), (shown["card"], shown["other"]), strict=True)
    ]
    if won:
        return Duel(where, squares, sides, m.say(N_("wins")), won)
    none = N_("Tie: both leave") if totals else N_("A flag: nothing happens")
    return Duel(where, squares, sides, m.say(none), "")


def left(m: CaesarMoment) -> Mapping[str, str]:
    """Return whose groups have left their squares in a tie."""
    before = m.previous.view["board"] if m.previous and last(m, "equal", fresh=True) else {}
    return {square: group["owner"] for square, group in before.items() if square not in m.view["board"]}


def note(m: CaesarMoment) -> str:
    """Return what a finger can do, in words; at the end, the scores."""
    match m.view["phase"]:
        case "placing" if m.outlines:
            return m.say(N_("Tap an empty square."))
        case "turn" if m.outlines:
            return m.say(N_("Tap a group, then where it goes."))
        case "over":
            best = m.result["scores"].items()
            return " · ".join(f"{m.name(seat)} {m.tongue.phrase(score)}" for seat, score in best)
    return ""
