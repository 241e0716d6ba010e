"""Cards on the readers before the seats that should not be there, or are missing: noticed, and said once."""

from typing import Any

import pytest

from companion.play.equipment import Equipment
from companion.play.evening import Evening
from companion.rules.readings import CENTRE, Reading
from companion.rules.words import LANGUAGES, Tongue
from tests.support.playing import match_of
from tools.scenes.rehearsal import TAGS, Memory

TAG = {card: tag for tag, card in TAGS.items()}
SEATS = ["red", "blue", "green"]


class Clock:
    def __init__(self) -> None:
        self.ms = 1000

    def __call__(self) -> int:
        return self.ms


class Desk:
    """A table with a reader before every seat, in a round of Prokonsul in which cards are chosen."""

    def __init__(self, readers: tuple[str, ...] = tuple(SEATS)) -> None:
        from companion.rules.cards import DECK

        self.clock = Clock()
        self.evening = Evening(Memory(), {tag: DECK[card] for tag, card in TAGS.items()}, clock=self.clock)
        self.evening.devices.equipment = Equipment(readers)
        self.begin()

    def begin(self) -> None:
        self.evening.begin({"tabularium": 1, "game": "prokonsul", "seats": SEATS})
        self.act(event="pawns", order=SEATS)
        self.act(event="province", province="asia")

    def act(self, **event: Any) -> None:
        assert all(receipt.ok for receipt in match_of(self.evening).act(event))
        self.wait(100)

    def lay(self, reader: str, card: str, present: bool = True) -> None:
        self.clock.ms += 50
        self.evening.devices.inbox.put(Reading(reader, TAG[card], present, self.clock.ms))
        self.wait(0)

    def wait(self, ms: int) -> None:
        """Some frames go by."""
        for _ in range(4):
            self.clock.ms += ms // 4
            self.evening.drain()

    @property
    def notices(self) -> list[str]:
        return [Tongue().say(ruling) for receipt in match_of(self.evening).log for ruling in receipt.public
                if ruling.code == "notice"]  # fmt: skip


MISSING = "Red's card is no longer on the reader. Lay it back there, face down."


def test_a_card_that_was_lifted_too_early_is_said_once() -> None:
    desk = Desk()
    desk.lay("red", "red 7")
    desk.wait(10_000)
    assert not desk.notices
    desk.lay("red", "red 7", present=False)
    desk.wait(2000)
    assert not desk.notices, "it may be on its way back"
    desk.wait(2000)
    desk.wait(20_000)
    assert desk.notices == [MISSING]
    desk.lay("red", "red 7")
    desk.wait(5000)
    assert desk.notices == [MISSING]
    desk.lay("red", "red 7", present=False)
    desk.wait(5000)
    assert desk.notices == [MISSING, MISSING], "again is another time"


def test_another_card_in_its_place_is_nothing_to_speak_of() -> None:
    desk = Desk()
    desk.lay("red", "red 7")
    desk.lay("red", "red 7", present=False)
    desk.wait(2000)
    desk.lay("red", "red 3")
    desk.wait(9000)
    assert not desk.notices


def test_two_cards_on_a_reader_are_said() -> None:
    desk = Desk()
    desk.lay("red", "red 7")
    desk.lay("red", "red 3")
    desk.wait(5000)
    assert desk.notices == ["Red: several cards lie on your reader. Leave only the one that you choose."]


def test_a_card_of_somebody_who_chooses_none_is_said() -> None:
    desk = Desk()
    desk.evening.begin({"tabularium": 1, "game": "caesar", "seats": SEATS, "position": {
        "phase": "choosing", "turn": "red", "duel": {"from": "a1", "to": "a2"},
        "board": BOARD, "hand": {seat: [f"{seat} {rank}" for rank in (*range(1, 10), 'flag')] for seat in SEATS},
    }})  # fmt: skip
    desk.lay("green", "green 4")
    desk.wait(5000)
    assert not desk.notices, "the refusal has said it, and nobody waits"
    desk.lay("red", "red 5")
    desk.wait(5000)
    assert desk.notices == ["Green: you choose no card now. Take yours off the reader."]


BOARD = {"a1": {"owner": "red", "size": 1}, "a2": {"owner": "blue", "size": 1}, "c3": {"owner": "green", "size": 1}}


@pytest.mark.parametrize("readers", [(CENTRE,), (CENTRE, *SEATS), ()])
def test_where_they_share_a_reader_no_card_is_missing(readers: tuple[str, ...]) -> None:
    desk = Desk(readers)
    desk.lay(CENTRE, "red 7")
    desk.lay(CENTRE, "red 7", present=False)
    desk.wait(9000)
    assert not desk.notices


def test_a_card_chosen_on_the_screen_lies_on_no_reader() -> None:
    desk = Desk()
    desk.act(event="choose", seat="red", card="red 7")
    desk.wait(9000)
    assert not desk.notices


def test_which_card_it_is_is_not_said() -> None:
    """Law 2."""
    heard = []
    for card in ("red 7", "red 3"):
        desk = Desk()
        desk.lay("red", card)
        desk.lay("red", card, present=False)
        desk.wait(9000)
        log = match_of(desk.evening).log
        heard.append([Tongue(lang).say(ruling) for lang in LANGUAGES for act in log for ruling in act.public])
    assert heard[0] == heard[1]
