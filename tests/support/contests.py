"""Checks for every contest: it is decided again here, independently of the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.record.transcript import Header
from companion.rules import AnyGame, as_json
from companion.rules.contest import Contest
from companion.rules.words import find_clause
from companion.session.receipt import Receipt

WORDS = {
    "mercator": {"lot": {"bid", "order"}, "sale": {"cargo"}, "game": {"chips"}},
    "prokonsul": {"plea": {"card", "row"}, "game": {"chips"}},
    "spartacus": {"trick": {"number", "last"}, "game": {"points"}},
    "caesar": {"duel": {"total"}, "game": {"counters"}},
    "hannibal": {"exchange": {"card"}},
}
"""By game: what contests are for, and what seats are compared by."""
NO_CHOICE = {"sale", "game"}


def contests(receipt: Receipt) -> Iterator[Contest]:
    for ruling in receipt.public:
        if isinstance(found := ruling.facts.get("contest"), Contest):
            yield found


def check(header: Header, before: Mapping[str, Any], receipt: Receipt) -> int:
    """Check an act's contests and return how many there were. Raises AssertionError where one is inconsistent."""
    count = 0
    for contest in contests(receipt):
        count += 1
        well_made(header, contest)
        nearest_is_nearest(contest)
        happened(contest, before, receipt)
    return count


def well_made(header: Header, contest: Contest) -> None:
    """Check the form given in table.md: words, clauses, seats in header order, each step among the seats left."""
    data = as_json(contest)
    assert set(data) == {"for", "steps", "winners", "nearest"}
    words = WORDS[header.game.name][data["for"]]
    left = list(data["steps"][0]["values"])
    assert len(left) > 1 or data["for"] in NO_CHOICE | {"trick", "lot", "plea"}
    for at, step in enumerate(data["steps"]):
        assert set(step) == {"by", "rule", "best", "values", "left"}
        assert step["by"] in words and find_clause(header.game, step["rule"])
        assert list(step["values"]) == left == [seat for seat in header.seats if seat in left]
        best = {"highest": max, "lowest": min}[step["best"]](step["values"].values())
        left = [seat for seat in left if step["values"][seat] == best]
        assert step["left"] == left
        assert len(left) > 1 or at == len(data["steps"]) - 1
    assert data["winners"] == left


def nearest_is_nearest(contest: Contest) -> None:
    """Check by exhaustive search that `nearest` is the smallest change that makes one seat the only winner.

    Only a seat's own first value changes.
    """

    def first(values: Mapping[str, Any]) -> Sequence[str]:
        keys = {
            seat: [value if m.best == "lowest" else -value for m, value in zip(
                contest.measures, (values[seat], *(m.values[seat] for m in contest.measures[1:])), strict=True)]
            for seat in values
        }  # fmt: skip
        best = min(keys.values())
        return [seat for seat, key in keys.items() if key == best]

    own = contest.measures[0].values
    assert tuple(first(own)) == contest.winners
    misses = [
        (abs(value - own[seat]), at, seat, value)
        for at, seat in enumerate(own)
        for value in contest.could.get(seat, ())
        if contest.winners != (seat,) and first({**own, seat: value}) == [seat]
    ]
    near = contest.nearest
    assert (near and (near.seat, near.value)) == (min(misses)[2:] if misses else None)
    assert not (contest.what in NO_CHOICE and near)


def happened(contest: Contest, before: Mapping[str, Any], receipt: Receipt) -> None:
    """Check that the game did what the contest says."""
    view: Mapping[str, Any] = receipt.view
    winners = list(contest.winners)
    match contest.what:
        case "game":
            assert view["result"]["winners"] == winners
            assert view["result"]["scores"] == as_json(contest.steps[0].values)
        case "lot":
            grew = [s for s, ship in view["ships"].items() if set(before["lot"]) <= set(ship)]
            assert grew == winners
        case "plea":
            assert [view["pleader"]] == winners
            moved = view["row"] != before["row"]
            assert moved == (len(contest.steps[0].left) > 1)
        case "trick":
            assert [s for s, count in view["tricks"].items() if count > before["tricks"][s]] == winners
        case "duel":
            duel = before["duel"]
            stays = {duel[end]: view["board"].get(duel[end], {}).get("owner") for end in ("from", "to")}
            assert set(stays.values()) == ({None, winners[0]} if len(winners) == 1 else {None})
        case "exchange":
            lost = {
                side for side in contest.steps[0].values
                if pieces(before, side) > pieces(view, side)
            }  # fmt: skip
            assert lost == ({*contest.steps[0].values} - {*winners} if len(winners) == 1 else {*winners})


def pieces(view: Mapping[str, Any], side: str) -> int:
    """Return how many pieces a side of Hannibal has on the map."""
    land = sum(of[side] + (side == "red" and of["hannibal"]) for of in view["regions"].values())
    return int(land + sum(of[side] for of in view["routes"].values()))


def choices(game: AnyGame, contest: Contest) -> None:
    """Check the values that a seat could have chosen: bids from 0 to above the highest one, or cards of the game."""
    ranks = {rank for rank in game.ranks(game.defaults) if rank}
    for could in contest.could.values():
        if contest.what == "lot":
            assert list(could)[:1] == [0] and max(could) > max(contest.measures[0].values.values())
        elif contest.what in ("plea", "trick"):
            assert set(could) <= ranks
