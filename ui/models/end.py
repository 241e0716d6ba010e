"""The end of a game: places, scores, and how it came to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import N_
from companion.words import phrase
from ui.models import plain
from ui.models.moment import Moment


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


def series_so_far(m: Moment, series: Mapping[str, Any]) -> str:
    """Where the series stands, "" after its first game."""
    if series["games"] < 2:
        return ""
    return m.say(N_("After {games} games: {scores}."), games=series["games"], scores=series["scores"])


def place(m: Moment, seat: str) -> Place:
    result = m.view["result"]
    governs = [province for province, data in m.view.get("provinces", {}).items() if data["governor"] == seat]
    links = sum(one in governs and other in governs for one, other in m.links)
    note = m.say(N_("{provinces}; links: {links}") if links else N_("{provinces}"), provinces=governs, links=links)
    if not governs:
        note = m.say(N_("no province")) if "provinces" in m.view else plain.note(m, seat)
    return Place(
        seat,
        str(result["places"][seat]),
        m.players.get(seat) or m.name(seat),
        phrase(result["scores"][seat], m.lang),
        note,
        seat in result["winners"],
    )


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
            return {seat: sum(region[seat] for region in view["regions"].values()) for seat in seats}
        case "":
            return dict.fromkeys(seats, 0)
    fortunes: Mapping[str, int] = view[key]
    return fortunes
