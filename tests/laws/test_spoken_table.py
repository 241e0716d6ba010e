"""What the table itself says aloud: acts taken back, amended and decided, late fists, cards on readers."""

from typing import Any

import pytest

from companion.play._strays import Stray
from companion.play.match import FAULT
from companion.play.table import Table
from companion.rules import Ruling
from companion.rules.readings import Reading
from companion.rules.words import LANGUAGES
from companion.session import late
from companion.session.receipt import Receipt
from companion.voice.telling import Level, Teller
from tests.support.listening import known
from tests.support.playing import Play
from tests.support.sayable import UNSAID
from tests.support.spoken_prokonsul import Listening, begun

SEATS = "red blue green"


def one(said: Receipt | Ruling, level: Level = "full", lang: str = "en") -> str:
    """The one sentence that all hear."""
    game = Listening(SEATS, level, lang)
    receipt = said if isinstance(said, Receipt) else Receipt.note(said)
    (line, *_) = game.teller.tell([receipt], game.at)
    assert line.to is None and not UNSAID.search(line.say)
    return begun(line.say)


# -- taken back, brought back, amended, decided -----------------------------------------------------------------


def pleading(level: Level = "full", **more: Any) -> Listening:
    game = Listening(SEATS, level, **more)
    game.begin(9, 6, 5)
    game("offer", "red", to="blue", chips=2)
    return game


def test_acts_taken_back_are_called_by_what_they_are() -> None:
    game = pleading()
    game("answer", "blue", accept=True)
    assert game("undo")[0].startswith(
        "Taken back: Ben's answer. Two chips from Ben to Anna. One red counter from Sicilia "
    )
    assert game("redo")[0].startswith(
        "Brought back: Ben's answer. Two chips from Anna to Ben. One red counter from Anna's stock "
    )
    game("undo")
    assert game("undo")[0] == "Taken back: Anna's offer, two chips."
    said = game("undo")[0]
    assert said.startswith("Taken back: the reveal. ") and said.endswith(" face down, and more goes elsewhere.")
    assert game("undo")[0] == "Taken back: Chiara's card."
    assert game("undo", to=1)[0].startswith("Three moves are taken back. ")
    assert game("undo", to=0)[0].startswith("Taken back to the start.")


def test_brief_says_no_more_than_what_was_taken_back() -> None:
    game = pleading("brief")
    game("answer", "blue", accept=True)
    assert game("undo")[0] == "Taken back: Ben's answer."


def test_an_amendment_says_what_the_act_is_now_and_what_falls() -> None:
    game = pleading()
    offer = game.play.session.accepted
    game("answer", "blue", accept=False)
    same = {"event": "offer", "seat": "red", "to": "blue", "chips": 5}
    assert game("amend", act=offer, as_=same)[0] == "Corrected, Anna's offer: five, not two."
    other = {"event": "offer", "seat": "red", "to": "green", "chips": 5}
    assert (
        game("amend", act=offer, as_=other)[0] == "Corrected, Anna's offer: Chiara, not Ben. One later move falls away."
    )


def test_a_mistyped_card_stays_where_it_lies_on_the_table() -> None:
    play = Play("spartacus", "red blue green")
    teller, at = Teller(play.header, "en"), known(play.header, play.session)

    def said(verb: str, seat: str | None = None, **facts: Any) -> str:
        return teller.tell([play.ok(verb, seat, **facts)], at)[0].say

    said("play", "red", card="red 9")
    other: dict[str, Any] = {"as": {"event": "play", "seat": "red", "card": "red 6"}}
    amended = said("amend", act=1, **other)
    assert amended == "Corrected, Red's card: six, not nine."
    assert said("undo") == "Taken back: the correction."
    said("play", "blue", card="blue 7")
    assert said("undo", to=1) == "Taken back: Blue's seven."
    assert said("redo") == "Brought back: Blue's seven."


def test_cards_that_nobody_has_seen_are_not_named_by_an_amendment() -> None:
    game = Listening(SEATS)
    game("pawns", order=["red", "blue", "green"])
    game("province", province="sicilia")
    game("choose", "red", card="red 7")
    pawns = {"event": "pawns", "order": ["green", "blue", "red"]}
    said = game("amend", act=1, as_=pawns)
    assert said[0].startswith(
        "Corrected, the pawn row: Chiara, Ben and Anna, not Anna, Ben and Chiara. The red pawn from place one "
    )
    assert game("amend", act=3, as_=pawns)[0] in ("That move no longer stands.",
                                                        "A card face down is not corrected: choose again.")  # fmt: skip


def test_a_decision_in_words_and_what_it_changes_in_a_purse() -> None:
    game = pleading(ears=["blue"])
    assert game("decide", words="We play on tomorrow.") == ["The table decides: We play on tomorrow."]
    said = game("decide", words="Ben has lost a chip", change={"chips": {"blue": 1}})
    assert said[0] == "The table decides: Ben has lost a chip."
    assert [line.say for line in game.ears if "now" in line.say] == ["You now have one chip."]
    assert game("decide", words="Six rounds", change={"round": -3})[0].startswith("That cannot be")


# -- fists, cards on readers, the program -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        ({"red": 0, "blue": 501}, "Ben was half a second late."),
        ({"blue": 1234}, "Ben was one second late."),
        ({"blue": 2600}, "Ben was three seconds late."),
        ({"blue": 3_600_000}, "Ben was more than a minute late."),
        ({"red": 600, "blue": 2000}, "Late: Anna by half a second, Ben by two seconds."),
    ],
)
def test_a_late_fist_in_words_that_people_use(opened: dict[str, int], said: str) -> None:
    (ruling,) = late(opened, 500, "P-5")
    assert one(ruling) == said


def test_a_stranger_s_tag_is_not_read_out() -> None:
    game = Listening(SEATS)
    table = Table(game.play.session, {})
    (receipt,) = table.feed(Reading("centre", "04DEADBEEF", True, 10))
    assert one(receipt) == "Unknown card. Enrol it, or choose it without the reader."


def test_stray_cards_and_refusals_are_spoken() -> None:
    stray = Stray("red", "{seat:of} card is no longer on the reader. Lay it back there, face down.").ruling
    assert one(stray) == "Anna's card is no longer on the reader. Lay it back there, face down."
    assert one(Ruling("fault", "", FAULT)).startswith("The program made a mistake. Nothing has changed")
    assert one(Ruling("early", "T-2", "", {"seat": "red"})) == "Anna's card came too early. Lift it and lay it again."
    assert one(Ruling("open", "P-5", "", {"fists": ["red"]})) == "Open!"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_undo_and_decisions_are_spoken_in_every_language(lang: str) -> None:
    game = pleading(lang=lang)
    heard = [game("answer", "blue", accept=True), game("undo"), game("redo"), game("undo", to=0), game("redo"),
             game("decide", words="7"), game("amend", act=1, as_={"event": "decide", "words": "8"})]  # fmt: skip
    assert all(heard) and not any(UNSAID.search(line) for lines in heard for line in lines)


def test_a_teller_at_no_level_says_nothing_to_all() -> None:
    game = Listening(SEATS, "off")
    lines = Teller(game.play.header, "en", "off").tell([game.play("undo")], game.at)
    assert [line.say for line in lines if line.say] == []
