"""What the screen shows of Caesar: the squares, where a touch leads, and the duel with both totals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.rules import N_, plural
from ui.games.caesar.at import At
from ui.games.caesar.sentences import TERMS
from ui.games.parts.asking import Event
from ui.games.parts.big import Big, call, winner
from ui.games.parts.deeds import Deed, off_board, taps
from ui.games.parts.past import Moved, last, moved

COLUMNS, ROWS = "abcde", "54321"

About = tuple[str, str | None]
"""A number that can be asked about: its word in the guide, and whose it is; None where it is the table's."""


@dataclass(frozen=True, slots=True)
class Group:
    """A square: who owns what stands there ("" for nobody, or "neutral"), how high, and whether it is in a duel."""

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


@dataclass(frozen=True, slots=True)
class Caesar:
    """All that the centre shows."""

    big: Big
    about: About | None
    """What the big number is, to be asked about; None where it is no number."""
    groups: Mapping[str, Group]
    begins: Collection[str]
    """Where an act of the seat to move can begin, also one that leads nowhere."""
    foes: Collection[str]
    """Where a touch that leads there means a fight."""
    taps: Mapping[tuple[str, str], Deed | None]
    deeds: Sequence[Deed]
    duel: Sequence[Side]
    """The duel that is on, or the one that has just been fought."""
    fought: int
    """The number of the act that has just revealed a duel, which stays in sight until it is put away; 0 for none."""
    calm: Big
    """What matters most once that duel is put away."""
    calm_about: About | None
    counters: Sequence[tuple[str, str]]
    """Every seat with the counters it owns, or has still to place."""
    counted: str
    """Which of the two these are, to be asked about."""
    note: str
    moved: Moved | None
    phase: str
    turn: str

    def tried(self, start: str, place: str) -> Event | None:
        """The act a wrong touch asks for, so that the referee can say why not."""
        if self.phase == "placing":
            return {"event": "place", "seat": self.turn, "square": place}
        if self.phase != "turn":
            return None
        verb = "attack" if start and place in self.foes else "ally"
        return {"event": verb, "seat": self.turn, "from": start or place, "to": place}

    def put_away(self) -> Caesar:
        """The same without the duel that has been fought."""
        return replace(self, big=self.calm, about=self.calm_about, duel=(), fought=0)


def centre(m: At) -> Caesar:
    """The centre of the table at this moment."""
    view = m.view
    board, turn = view["board"], view["turn"] or ""
    fight = (view["duel"] or {}).values()
    own = [square for square, group in board.items() if group["owner"] == turn]
    sides = duel(m)
    calm, about = ended(m) or standing(m)
    return Caesar(
        big=call(m) or (fought(m, sides) if sides else calm),
        about=("duel", None) if sides and not view["over"] else about,
        groups={square: Group(group["owner"], group["size"], square in fight) for square, group in board.items()},
        begins=own if view["phase"] == "turn" else (),
        foes=[square for square, group in board.items() if group["owner"] not in (turn, "neutral")],
        taps=taps(m.outlines),
        deeds=off_board(m, TERMS),
        duel=sides,
        fought=m.acts[-1].number if sides and not view["duel"] else 0,
        calm=calm,
        calm_about=about,
        counters=counters(m),
        counted="to_place" if view["to_place"] else "counters",
        note=note(m),
        moved=moved(m, "alliance", "won"),
        phase=view["phase"],
        turn=turn,
    )


# -- the number that matters ------------------------------------------------------------------------------------


def owned(m: At, seat: str) -> Sequence[int]:
    """The sizes of a seat's groups."""
    return [group["size"] for group in m.view["board"].values() if group["owner"] == seat]


def counters(m: At) -> Sequence[tuple[str, str]]:
    left = m.view["to_place"]
    return [(seat, str(left[seat] if left else sum(owned(m, seat)))) for seat in m.seats]


def ended(m: At) -> tuple[Big, About | None] | None:
    """Who has won, with the most counters; None while the game goes on."""
    if not m.view["over"]:
        return None
    winners = m.result["winners"]
    return winner(m), ("counters", winners[0]) if winners else None


def standing(m: At) -> tuple[Big, About | None]:
    """What the seat to move has still to place, or owns."""
    view, turn = m.view, m.view["turn"] or ""
    if view["to_place"]:
        return Big("", str(view["to_place"][turn]), m.say(N_("left to place")), [turn]), ("to_place", turn)
    groups = owned(m, turn)
    one = plural("counter in one group", "counters in one group", "counters")
    text = one if len(groups) == 1 else N_("counters in {groups} groups")
    beside = m.say(text, groups=len(groups), counters=sum(groups))
    return Big("", str(sum(groups)), beside, [turn]), ("counters", turn)


def fought(m: At, sides: Sequence[Side]) -> Big:
    """Both totals, or before the cards are up both groups; and what came of it."""
    seats, mine, other = [side.seat for side in sides], sides[0], sides[1]
    if m.view["duel"]:
        where = m.say(N_("groups on {from} and {to}"), **{end: m.view["duel"][end] for end in ("from", "to")})
        return Big("", f"{mine.group}:{other.group}", where, seats)
    if not mine.total:
        return Big("", "–", m.say(N_("A flag: nothing happens")), seats)
    won = last(m, "won", fresh=True)
    beside = m.say(N_("{seat} wins the duel"), seat=won["winner"]) if won else m.say(N_("Tie: both groups leave"))
    return Big("", f"{mine.total}:{other.total}", beside, seats)


# -- the duel ---------------------------------------------------------------------------------------------------


def duel(m: At) -> Sequence[Side]:
    """The attacker and the defender; after the reveal until the next act."""
    attack = last(m, "attack")
    if not attack:
        return ()
    groups = {attack["attacker"]: attack["size"], attack["defender"]: attack["other"]}
    if m.view["duel"]:
        down = m.view["chosen"]
        return [Side(seat, "?" if seat in down else "", str(size), "") for seat, size in groups.items()]
    shown = last(m, "revealed", fresh=True)
    if not shown:
        return ()
    totals = last(m, "totals", fresh=True)  # none where a flag was played
    values = totals["contest"].steps[0].values if totals else {}
    sums = [str(values.get(seat, "")) for seat in groups]
    return [
        Side(seat, str(card), str(size), total)
        for (seat, size), card, total in zip(groups.items(), (shown["card"], shown["other"]), sums, strict=True)
    ]


def note(m: At) -> str:
    """What a finger can do."""
    match m.view["phase"]:
        case "placing" if m.outlines:
            return m.say(N_("Tap an empty square."))
        case "turn" if m.outlines:
            return m.say(N_("Tap a group of yours, then where it goes."))
        case "over":
            best = m.result["scores"].items()
            return " · ".join(f"{m.name(seat)} {m.tongue.phrase(score)}" for seat, score in best)
    return ""
