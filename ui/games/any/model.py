"""What the default board shows of any game: the number that matters, cards, places, and a row for every seat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from companion.cards import DECK
from companion.outline import Outline
from companion.rules import N_, Setup
from companion.words import phrase
from ui.games.parts.deeds import Deed, deeds, shown, taps
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Big:
    """What matters most: a caption, the value in the largest letters between the shapes of `seats`, a remark."""

    caption: str
    value: str
    beside: str
    seats: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Strip:
    """Cards in a row; the `marked` one has a word under it."""

    caption: str
    cards: Sequence[str]
    marked: str
    mark: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A place: its name, and who stands there with how much."""

    place: str
    name: str
    marks: Sequence[tuple[str, str]]
    chosen: bool
    """The moment is about it: a duel, a battle."""


@dataclass(frozen=True, slots=True)
class Row:
    """A seat's facts, one for each column: words, or cards."""

    seat: str
    name: str
    cells: Sequence[str | tuple[str, ...]]
    turn: bool


@dataclass(frozen=True, slots=True)
class Plain:
    """All that the default board shows."""

    big: Big
    strips: Sequence[Strip]
    facts: str
    heads: Sequence[str]
    rows: Sequence[Row]
    tiles: Sequence[Sequence[Tile]]
    taps: Mapping[tuple[str, str], Deed | None]
    """What a tap on a place does after one on another, "" for none; None where an act only begins."""
    deeds: Sequence[Deed]
    over: bool


def board(m: Moment, found: Sequence[Outline]) -> Plain:
    """The centre of the table; `found` is what can be done."""
    columns = [(key, value) for key, value in m.view.items() if key not in FRAME and seated(m, value)]
    return Plain(
        BIG.get(m.game.name, whose)(m) if not m.called and not m.view["over"] else call(m),
        strips(m),
        facts(m),
        [caption(m, key) for key, _ in columns],
        [Row(seat, m.players.get(seat) or m.name(seat), [cell(m, value, seat) for _, value in columns],
             seat == m.view["turn"]) for seat in m.seats],
        tiles(m, spots(m)),
        taps(found),
        deeds(m, found),
        bool(m.view["over"]),
    )  # fmt: skip


# -- the number that matters ------------------------------------------------------------------------------------


def whose(m: Moment) -> Big:
    """Any game: the seat to move."""
    turn, waiting = m.view["turn"], m.view["waiting"]
    if not turn and not waiting:
        return Big("", "–", m.say(N_("Everybody")))
    caption = m.say(N_("To move") if turn else N_("Awaited"))
    return Big(caption, "", m.say(N_("{seats}"), seats=[turn] if turn else waiting), [turn] if turn else waiting[:3])


def call(m: Moment) -> Big:
    """The word everybody waits for, or who has won."""
    if m.called:
        return Big("", m.say(N_("Open!")), "")
    result = m.view["result"]
    best = phrase(max(result["scores"].values()), m.lang) if result["winners"] else "–"
    if m.game.series == "twice" and result["winners"]:  # won or lost: there is no score
        best = ""
    return Big(m.say(N_("Winner")), best, m.say(N_("{seats}"), seats=result["winners"]), result["winners"][:2])


def lot(m: Moment) -> Big:
    """Mercator: the sum of the lot; in the end the cargo of the ship that is loaded."""
    view = m.view
    if view["phase"] == "loading":
        return Big(m.say(N_("Cargo")), str(view["track"][view["turn"]]), m.say(N_("cargo")), [view["turn"]])
    ranks = [DECK[card].rank for card in view["lot"]]
    beside = " + ".join(map(str, ranks)) if ranks[1:] else m.say(N_("the lot"))
    return Big(m.say(N_("The lot")), str(sum(ranks)) if ranks else "–", beside)


def trick(m: Moment) -> Big:
    """Spartacus: what the trick is worth as it lies."""
    low, ranks = m.view["lowest"], [DECK[lying["card"]].rank for lying in m.view["trick"]]
    jokers, penalty = ranks.count(0), m.options.get("joker_penalty")
    value = sum(ranks)
    if m.options.get("flags") != "joker":
        value <<= jokers
    elif jokers and penalty != "none":
        value = value - 10 * jokers if penalty == "minus10" else 0
    beside = m.say(N_("lowest: {rank}"), rank=DECK[low["card"]].rank) if low else m.say(N_("no number yet"))
    return Big(m.say(N_("The trick is worth")), str(value), beside)


def duel(m: Moment) -> Big:
    """Caesar: the groups of the duel, else the seat to move and what it has still to place."""
    view, fight = m.view, m.view["duel"]
    if fight:
        sizes = [view["board"][fight[end]]["size"] for end in ("from", "to")]
        where = m.say(N_("{from} against {to}"), **{end: fight[end] for end in ("from", "to")})
        return Big(m.say(N_("Duel")), "{}:{}".format(*sizes), where, [fight["attacker"], fight["defender"]])
    left = view["to_place"].get(view["turn"])
    return Big(m.say(N_("To place")), str(left), m.name(view["turn"]), [view["turn"]]) if left else whose(m)


def battle(m: Moment) -> Big:
    """Hannibal: the pieces in battle, else the side to move."""
    fight = m.view["battle"]
    if not fight:
        return whose(m)
    mover, place = fight["mover"], fight["place"]
    enemy = next(seat for seat in m.seats if seat != mover)
    here = places(m)[place]
    counts = [here[side] + (side == "red" and here.get("hannibal", False)) for side in (mover, enemy)]
    text = N_("{place}: Hannibal fights") if fight["hannibal"] else N_("{place}")
    return Big(m.say(N_("Battle")), "{}:{}".format(*counts), m.say(text, place=shown(m, place)), [mover, enemy])


BIG: Mapping[str, Callable[[Moment], Big]] = {"mercator": lot, "spartacus": trick, "caesar": duel, "hannibal": battle}

# -- facts ------------------------------------------------------------------------------------------------------

FRAME = ("game", "phase", "turn", "waiting", "over", "result", "lowest", "duel", "battle")
"""What the top line, the number or a mark tells already."""

CAPTIONS = {
    "bids": N_("bid"),
    "can_ask": N_("can ask"),
    "chips": N_("chips"),
    "chosen": N_("chosen"),
    "counters": N_("counters"),
    "flipper": N_("flips"),
    "hand_sizes": N_("cards"),
    "lot": N_("The lot"),
    "out": N_("out"),
    "passed": N_("passed"),
    "pile": N_("pile"),
    "points": N_("points"),
    "ships": N_("ship"),
    "taking_part": N_("room"),
    "to_place": N_("to place"),
    "track": N_("cargo"),
    "trick": N_("The trick, in the order of play"),
    "tricks": N_("tricks"),
}
"""What a key of the view is called; others by the key itself."""


def caption(m: Moment, key: str) -> str:
    return m.say(CAPTIONS.get(key, N_("{key}")), key=key.replace("_", " "))


def seated(m: Moment, value: Any) -> bool:
    """A fact of each seat: by seat, or a list of seats."""
    if isinstance(value, Mapping):
        return bool(value) and set(value) <= set(m.seats)
    return isinstance(value, list) and bool(value) and set(map(str, value)) <= set(m.seats)


def cell(m: Moment, value: Any, seat: str) -> str | tuple[str, ...]:
    """A seat's part of a fact."""
    if not isinstance(value, Mapping):
        return "•" if seat in value else ""
    own = value.get(seat, "")
    if isinstance(own, list):
        return tuple(own)
    return (own,) if own in DECK else phrase(own, m.lang) if own != "" else ""


def facts(m: Moment) -> str:
    """Everything that is neither a seat's, nor cards, nor places, in one line."""
    told = [(key, value) for key, value in m.view.items() if key not in FRAME and isinstance(value, str | int)]
    return " · ".join(m.say(N_("{caption}: {value}"), caption=caption(m, key), value=value) for key, value in told)


def strips(m: Moment) -> Sequence[Strip]:
    """Every list of cards on the table."""
    low = (m.view.get("lowest") or {}).get("card", "")
    found = []
    for key, value in m.view.items():
        if isinstance(value, list) and value:
            cards: list[Any] = [lying.get("card") if isinstance(lying, Mapping) else lying for lying in value]
            if all(card in DECK for card in cards):
                found.append(Strip(caption(m, key), cards, low, m.say(N_("lowest"))))
    return found


# -- places -----------------------------------------------------------------------------------------------------

MAPS = {
    "hannibal": (
        ("hispania_n", "gallia", "rome", "cannae"),
        ("hispania_s", "corsica", "sardinia", "sicilia"),
        ("mauretania", "carthago", "zama"),
    )
}
"""How places lie on the screen; those not named here follow in rows of their own."""


def places(m: Moment) -> Mapping[str, Mapping[str, Any]]:
    """Every place of the game with what is public about it."""
    read = m.game.board(m.board) if m.game.board and m.board else None
    names = m.game.vocabulary(Setup(tuple(m.seats), m.options, read)).get("place", ())
    found: dict[str, Mapping[str, Any]] = {place: {} for place in names}
    for value in m.view.values():
        if isinstance(value, Mapping):
            found |= {place: data for place, data in value.items() if place in found and isinstance(data, Mapping)}
    return found


def spots(m: Moment) -> Collection[str]:
    """The places the moment is about: a duel, a battle, a pawn."""
    told = [value for fact in m.view.values() for value in (fact.values() if isinstance(fact, Mapping) else [fact])]
    return [value for value in told if isinstance(value, str)]


def tiles(m: Moment, chosen: Collection[str] = ()) -> Sequence[Sequence[Tile]]:
    """The places in rows."""
    found = places(m)
    return [
        [Tile(at, shown(m, at), marks(m, found[at]), at in chosen) for at in row]
        for row in arranged(list(found), MAPS.get(m.game.name, ()))
    ]


def arranged(found: Sequence[str], drawn: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Squares like c3 as a grid with a1 below on the left, a map as it is drawn, others in equal rows."""
    if found and all(len(place) == 2 and place[1].isdigit() for place in found):
        rows = sorted({place[1] for place in found}, reverse=True)
        return [[place for place in found if place[1] == row] for row in rows]
    named = [[place for place in row if place in found] for row in drawn]
    rest = [place for place in found if not any(place in row for row in named)]
    wide = max(1, isqrt(max(0, len(rest) - 1)) + 1) if not named else 5
    return [*named, *(rest[at : at + wide] for at in range(0, len(rest), wide))]


def marks(m: Moment, data: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    """Who stands at a place, with how much; where two seats can, Hannibal is told beside red's pieces."""
    if "owner" in data:
        return [(data["owner"], "" if data["owner"] == "neutral" else str(data["size"]))]
    found = []
    for key, value in data.items():
        if key in m.seats:
            words = [str(value)] if value else []
            words += ["H"] if key == "red" and data.get("hannibal") else []
            found += [(key, "+".join(words))] if words else []
        elif isinstance(value, int) and not isinstance(value, bool):
            found.append(("", str(value)))
        else:
            found += [(seat, "") for seat in (value if isinstance(value, list) else [value]) if seat in m.seats]
    return found
