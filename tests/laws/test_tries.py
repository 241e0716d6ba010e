"""A purse cannot be found out unseen: everybody reads how often an amount was refused, taken back or only tried."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.play.match import Match
from companion.play.port import Shown
from companion.rules.words import Tongue
from tests.support.evenings import TABLE, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Red pleads: no card reaches the target alone."""
    desk = Desk(tmp_path / "store.sqlite3")
    desk.evening.begin(TABLE)
    desk.act("pawns", order=["red", "blue", "green"])
    desk.act("province", province="asia")
    for card in ("red 9", "blue 7", "green 6"):
        desk.act("choose", card.split()[0], card=card)
    desk.act("reveal")
    desk.settle()
    yield desk
    desk.store.close()


def offer(chips: int, to: str = "blue") -> Mapping[str, Any]:
    return {"event": "offer", "seat": "red", "to": to, "chips": chips}


def tries(match: Match) -> list[int]:
    """The numbers that everybody has read."""
    match.show()
    return [ruling.facts["count"] for receipt in match.log for ruling in receipt.public if ruling.code == "tries"]


def test_refused_offers_are_counted_for_everybody_from_the_second_on(desk: Desk) -> None:
    heard: list[Shown] = []
    desk.evening.port.subscribe(heard.append)
    for chips in (99, 50, 25):
        assert not desk.match.act(offer(chips))[0].ok
    desk.settle()
    assert tries(desk.match) == [2, 3]
    english = Tongue("en")
    said = [english.say(ruling) for shown in heard for ruling in shown.rulings if ruling.code == "tries"]
    assert said == [f"{count} amounts entered for Red do not count." for count in (2, 3)]


def test_an_offer_taken_back_counts_as_tried(desk: Desk) -> None:
    for chips in (10, 15):
        desk.match.act(offer(chips))
        desk.act("undo")
    desk.act("redo")
    desk.act("undo")
    desk.settle()
    assert tries(desk.match) == [2], "brought back and taken back once more, it is the same try"
    desk.match.act(offer(18))
    desk.act("answer", "blue", accept=False)
    desk.act("undo", to=desk.match.session.last.before.before.number)  # type: ignore[union-attr]
    desk.settle()
    assert tries(desk.match) == [2, 3]


def test_previews_count_as_probes_once_per_moment(desk: Desk) -> None:
    desk.match.act(offer(3))
    number = desk.match.session.accepted
    desk.act("answer", "blue", accept=False)
    for chips in (30, 21, 21, 20):
        asked = {"event": "amend", "act": number, "as": offer(chips)}
        assert desk.match.preview(asked).ok == (chips <= 20)
    desk.settle()
    assert tries(desk.match) == [2, 3]
    assert desk.match.act(asked)[0].ok
    desk.settle()
    assert tries(desk.match) == [2, 3], "what has been looked at is done"


def test_moves_without_amounts_and_first_hits_are_no_probes(desk: Desk) -> None:
    desk.match.act(offer(5, "red"))
    desk.match.act({"event": "answer", "seat": "blue", "accept": True})
    desk.match.act(offer(5))
    desk.act("answer", "blue", accept=True)
    desk.act("undo")
    desk.match.act(offer(99, "green"))
    desk.settle()
    assert tries(desk.match) == []


def test_bids_are_counted_like_offers(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "store.sqlite3")
    try:
        desk.evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
        desk.act("flip", "red", card="red 3")
        desk.act("auction", "red")
        desk.act("reveal")
        for chips in (90, 60):
            assert not desk.match.act({"event": "bid", "seat": "blue", "chips": chips})[0].ok
        desk.settle()
        assert tries(desk.match) == [2]
        assert [event for event, _, _ in desk.store.load(1).events if "bid" in event] == [], "in no journal"
    finally:
        desk.store.close()
