"""The end of a game: places, scores, and how it came to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules import N_
from companion.words import phrase
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


def place(m: Moment, seat: str) -> Place:
    result = m.view["result"]
    governs = [province for province, data in m.view.get("provinces", {}).items() if data["governor"] == seat]
    links = sum(one in governs and other in governs for one, other in m.links)
    note = m.say(N_("{provinces}; links: {links}") if links else N_("{provinces}"), provinces=governs, links=links)
    return Place(
        seat,
        str(result["places"][seat]),
        m.players.get(seat) or m.name(seat),
        phrase(result["scores"][seat], m.lang),
        note if governs else m.say(N_("no province")),
        seat in result["winners"],
    )


def chart(m: Moment) -> Chart:
    """What the bank had paid each seat by the end of every round: chips that changed hands stay secret."""
    paid = {seat: [0] for seat in m.seats}
    for act in m.acts:
        won = [ruling.facts for ruling in act.public if ruling.code in ("governor", "link")]
        if won or any(ruling.code in ("candidate", "no_counter", "no_decision") for ruling in act.public):
            for seat, line in paid.items():
                line.append(line[-1] + sum(facts["value"] for facts in won if facts["seat"] == seat))
    return Chart(m.say(N_("Paid by the bank, round by round")), paid, max(max(line) for line in paid.values()))
