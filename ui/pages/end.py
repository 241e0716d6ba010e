"""The end of a game: places, scores, and how it came to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import N_, Ruling
from companion.words import phrase
from ui.games.any import sentences as plain
from ui.games.hannibal import model as hannibal
from ui.table.moment import Moment


@dataclass(frozen=True, slots=True)
class Place:
    """One seat at the end."""

    seat: str
    place: str
    name: str
    score: str
    note: str
    wins: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """A line a seat over the rounds; `top` is the highest value on it."""

    title: str
    lines: Mapping[str, Sequence[int]]
    top: int


@dataclass(frozen=True, slots=True)
class End:
    title: str
    places: Sequence[Place]
    chart: Chart
    note: str


def end(m: Moment) -> End:
    """The result; needs a game that is over."""
    result = m.view["result"]
    seats = sorted(m.seats, key=lambda seat: result["places"][seat])
    one, more = N_("{seats} wins"), N_("{seats} share the victory")
    return End(
        m.say(more if len(result["winners"]) > 1 else one, seats=result["winners"]),
        [place(m, seat) for seat in seats],
        chart(m),
        m.say(N_("Played on a board whose values nobody has confirmed.")) if result["unconfirmed_board"] else "",
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody in the series: by name where everybody has one, else by seat; `seat` is today's colour, if any."""

    seat: str
    name: str
    score: str
    leads: bool


@dataclass(frozen=True, slots=True)
class Series:
    """The series after its games so far; `over` once it is decided."""

    title: str
    rule: str
    standings: Sequence[Standing]
    over: bool


COUNTS = {
    "scores": N_("The scores of all games are added up; the next seat clockwise starts."),
    "wins": N_("The number of games won counts; a shared victory counts for each."),
    "twice": N_("Who wins two games running wins the series; the sides are swapped after each."),
}
"""By how a game's series is counted: what decides it."""


def series_so_far(m: Moment, series: Mapping[str, Any], over: bool = False) -> Series:
    """Where the series of this evening stands."""
    won = over and series["winner"]
    title = N_("{winner} has won the series after {games} games") if won else N_("The series after {games} games")
    if series["games"] == 1 and not won:
        title = N_("The series after its first game")
    colours = {player: seat for seat, player in m.players.items()}
    standings = [
        Standing(
            who if who in m.seats else colours.get(who, ""), m.name(who), phrase(score, m.lang), who == series["winner"]
        )
        for who, score in sorted(series["scores"].items(), key=lambda each: -each[1])
    ]
    facts = {"games": series["games"], "winner": series["winner"]}
    return Series(m.say(title, **facts), m.say(COUNTS[m.game.series]), standings, bool(won))


def place(m: Moment, seat: str) -> Place:
    result = m.view["result"]
    return Place(
        seat,
        str(result["places"][seat]),
        m.players.get(seat) or m.name(seat),
        "" if m.game.series == "twice" else phrase(result["scores"][seat], m.lang),  # won or lost
        breakdown(m, seat),
        seat in result["winners"],
    )


def breakdown(m: Moment, seat: str) -> str:
    """Where the seat's score comes from."""
    match m.game.name:
        case "prokonsul":
            return _offices(m, seat)
        case "mercator":
            return _sale(m, seat)
    counted = {"spartacus": ("over", "totals"), "caesar": ("scored", "counters")}.get(m.game.name)
    said = [ruling.facts for ruling in _last(m) if counted and ruling.code == counted[0]]
    mine = [facts for facts in said if facts.get("seat", seat) == seat]
    if mine and counted:
        working = mine[0][counted[1]]
        text = N_("tricks, less the hand: {working}") if counted[0] == "over" else N_("counters in groups: {working}")
        return m.say(text, working=working[seat] if isinstance(working, Mapping) else working)
    return plain.note(m, seat)


def _last(m: Moment) -> Sequence[Ruling]:
    """The rulings of the act that ended the game."""
    return m.acts[-1].public if m.acts else ()


def _offices(m: Moment, seat: str) -> str:
    """Prokonsul: what the bank paid for provinces and links, and what is left of everything else."""
    paid = dict.fromkeys(("governor", "link"), 0)
    for act in m.acts:
        for ruling in act.public:
            if ruling.code in paid and ruling.facts["seat"] == seat:
                paid[ruling.code] += ruling.facts["value"]
    governs = [province for province, data in m.view["provinces"].items() if data["governor"] == seat]
    rest = m.view["result"]["scores"][seat] - sum(paid.values())
    text = N_("{provinces}: {paid}; links: {links}; start and deals: {rest}")
    if not governs:
        text = N_("no province; start and deals: {rest}")
    return m.say(text, provinces=governs, paid=paid["governor"], links=paid["link"], rest=rest)


def _sale(m: Moment, seat: str) -> str:
    """Mercator: the prize for the cargo, and the chips that were left."""
    prize = next((r.facts["prize"] for r in _last(m) if r.code in ("sale", "shared") and plain.concerns(r, seat)), 0)
    rest = m.view["result"]["scores"][seat] - prize
    text = N_("cargo of {cargo} sold for {prize}; chips left: {rest}")
    return m.say(text, cargo=m.view["track"][seat], prize=prize, rest=rest)


def chart(m: Moment) -> Chart:
    """How the game went: what everybody could see of the seats' fortunes, whenever it changed."""
    title, lines = (N_("Paid by the bank, round by round"), paid(m)) if "provinces" in m.view else seen(m)
    return Chart(m.say(title), lines, max(1, *(max(line) for line in lines.values())))


def paid(m: Moment) -> Mapping[str, Sequence[int]]:
    """Prokonsul: what the bank had paid by the end of every round; chips that changed hands stay secret."""
    lines = {seat: [0] for seat in m.seats}
    for act in m.acts:
        won = [ruling.facts for ruling in act.public if ruling.code in ("governor", "link")]
        if won or any(ruling.code in ("candidate", "no_counter", "no_decision") for ruling in act.public):
            for seat, line in lines.items():
                line.append(line[-1] + sum(facts["value"] for facts in won if facts["seat"] == seat))
    return lines


FORTUNES = {
    "track": N_("Cargo, lot by lot"),
    "points": N_("Points in tricks"),
    "board": N_("Counters of each colour's groups"),
    "regions": N_("Legions left"),
}
"""By a key of the view: what the chart of a game that has it shows."""


def seen(m: Moment) -> tuple[str, Mapping[str, Sequence[int]]]:
    """The seats' fortunes by what the views showed, each change once."""
    key = next((key for key in FORTUNES if key in m.view), "")
    steps: list[Mapping[str, int]] = []
    for act in m.acts:
        step = fortune(key, act.view, m.seats)
        if not steps or step != steps[-1]:
            steps.append(step)
    return FORTUNES.get(key, N_("No chart for this game")), {seat: [step[seat] for step in steps] for seat in m.seats}


def fortune(key: str, view: Mapping[str, Any], seats: Sequence[str]) -> Mapping[str, int]:
    """What one view shows of each seat's fortune."""
    match key:
        case "board":
            groups = view["board"].values()
            return {seat: sum(group["size"] for group in groups if group["owner"] == seat) for seat in seats}
        case "regions":
            regions = view["regions"].values()
            return {seat: sum(hannibal.count(region, seat) for region in regions) for seat in seats}
        case "":
            return dict.fromkeys(seats, 0)
    fortunes: Mapping[str, int] = view[key]
    return fortunes
