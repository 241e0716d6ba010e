"""Words that come late, as from a hub whose cable was out: they count for the moment they were made in."""

from companion.play.table import Table
from companion.record.transcript import read_event, read_header
from companion.rules.cards import DECK
from companion.rules.readings import Press, Reading
from companion.session import Session

HEADER = read_header({"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"]})
TAGS = {f"04{at:012X}": card for at, card in enumerate(DECK.values())}
CHOICES = {"red": 4, "blue": 3, "green": 2}


class Desk:
    """A table whose clock stands where it is put."""

    def __init__(self) -> None:
        self.now = 1000
        self.table = Table(Session(HEADER.game, HEADER.setup), TAGS, clock=lambda: self.now)
        self.act(1000, "pawns", order=["red", "blue", "green"])
        self.act(2000, "province", province="asia")

    def act(self, now: int, verb: str, **facts: object) -> None:
        self.now = now
        receipts = self.table.touch(read_event(HEADER, {"event": verb, **facts}).event, "touch")
        assert all(receipt.ok for receipt in receipts), receipts

    def asked(self) -> None:
        """Red pleads and has asked blue, at 5000."""
        for seat, rank in CHOICES.items():
            self.act(3000, "choose", seat=seat, card=f"{seat} {rank}")
        self.act(4000, "reveal")
        self.act(5000, "offer", seat="red", to="blue", chips=1)
        assert self.table.session.view()["phase"] == "answering"


def press(table: Table, down: int, up: int) -> list[str]:
    """What blue's press, made at these two times, is accepted as."""
    receipts = [*table.feed(Press("blue", True, down)), *table.feed(Press("blue", False, up))]
    return [receipt.verb for receipt in receipts if receipt.ok]


def test_a_press_made_before_the_question_does_not_answer_it() -> None:
    desk = Desk()
    desk.asked()
    desk.now = 9000
    assert press(desk.table, 4500, 4700) == []
    assert press(desk.table, 4500, 5200) == [], "begun before it was asked"
    assert press(desk.table, 5000, 5200) == ["answer"]


def test_a_card_laid_before_its_moment_is_no_choice() -> None:
    desk = Desk()
    tag = {card: tag for tag, card in TAGS.items()}[DECK["red 7"]]
    desk.now = 9000
    (early,) = desk.table.feed(Reading("centre", tag, True, 1999))  # the black pawn had not moved yet
    assert not early.ok and early.rulings[0].code == "early"
    assert "red 7" not in str(early.rulings[0].facts), "it lies face down"
    (receipt,) = desk.table.feed(Reading("centre", tag, True, 2000))
    assert receipt.ok and receipt.verb == "choose"


def test_cards_of_one_moment_count_in_whatever_order_they_are_heard() -> None:
    desk = Desk()
    tags = {card: tag for tag, card in TAGS.items()}
    for now, t, card in ((8000, 2600, "red 7"), (9000, 2500, "blue 5")):
        desk.now = now
        assert all(receipt.ok for receipt in desk.table.feed(Reading(card.split()[0], tags[DECK[card]], True, t)))
    assert set(desk.table.session.view()["chosen"]) == {"red", "blue"}
