"""What the screen shows, from the public view of real games: no window, no Kivy."""

import ast
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from companion import games
from companion.answers.why import FACTS, link, why
from companion.dialogues import table_draft
from companion.games import guide_of
from companion.play import table as referee
from companion.play.cards_on_readers import LyingCard
from companion.play.equipment import Equipment
from companion.play.evening import Evening
from companion.rules import Ruling, ruled
from companion.rules import contract as rules
from companion.rules.cards import COLOURS, DECK
from companion.rules.readings import Health, Reading
from companion.session import session
from companion.session.receipt import Receipt
from drivers.worker import CROWDED
from tests.support.paths import ROOT
from tests.support.playing import match_of, moment_of, view_of
from tools.scenes.rehearsal import Memory
from ui.games.face import face_of
from ui.games.parts.headline import Headline
from ui.games.prokonsul import data as board
from ui.games.prokonsul import model as prokonsul
from ui.games.prokonsul import pads
from ui.games.prokonsul.links import arcs, provinces
from ui.games.prokonsul.moment import ProkonsulMoment
from ui.games.prokonsul.plea import pawn_row, plea
from ui.pages import end, new_game, rulings
from ui.table import frame as table
from ui.table import hand, rest
from ui.table.moment import Moment
from ui.table.outcome import moves, pays

SEATS = ("red", "blue", "green", "yellow")


def game(*events: Mapping[str, Any], seats: tuple[str, ...] = SEATS, reveal: str = "auto", readers: Any = ("centre",),
         buttons: Any = SEATS, **options: Any) -> Evening:  # fmt: skip
    """A game by finger so far, at a table with these readers and buttons."""
    evening = Evening(Memory())
    evening.devices.equipment = Equipment(readers, buttons)
    header = {"tabularium": 1, "game": "prokonsul", "seats": list(seats), "options": options, "reveal": reveal}
    evening.begin(header)
    for event in events:
        assert all(receipt.ok for receipt in match_of(evening).act(event)), event
    evening.drain()
    return evening


def choose(**ranks: int) -> list[dict[str, Any]]:
    return [{"event": "choose", "seat": seat, "card": f"{seat} {rank}"} for seat, rank in ranks.items()]


def ask(seat: str, to: str, accept: bool, chips: int = 1) -> list[dict[str, Any]]:
    offer: dict[str, Any] = {"event": "offer", "seat": seat, "to": to, "chips": chips}
    return [offer, {"event": "answer", "seat": to, "accept": accept}]


PAWNS: dict[str, Any] = {"event": "pawns", "order": list(SEATS)}
SICILIA: dict[str, Any] = {"event": "province", "province": "sicilia"}
TIED = [PAWNS, SICILIA, *choose(red=9, blue=9, green=5, yellow=12)]  # 35, target 18
FAILED = [*TIED, *(act for seat in ("red", "blue", "green") for act in ask("yellow", seat, False))]


def at(*events: Mapping[str, Any], **given: Any) -> ProkonsulMoment:
    return now(game(*events, **given))


def now(evening: Evening) -> ProkonsulMoment:
    """The moment of a game of Prokonsul."""
    return cast("ProkonsulMoment", moment_of(evening))


def without_widgets() -> list[str]:
    """The modules of the table, the games and the pages that define no widget: no class in them derives from another."""
    root = ROOT
    found = []
    for folder in ("games", "pages", "table"):
        for path in sorted((root / "ui" / folder).rglob("*.py")):
            parts = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if not any(isinstance(part, ast.ClassDef) and part.bases for part in parts):
                found.append(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
    return found


def test_only_widgets_load_kivy() -> None:
    models = without_widgets()
    assert {"ui.table.frame", "ui.games.mercator.model", "ui.games.prokonsul", "ui.pages.end"} <= set(models)
    command = [sys.executable, "-c", f"import sys, {', '.join(models)}; print('kivy' in sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# -- the one sentence -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("events", "sentence", "awaited"),
    [
        ([], "Everybody: draw the pawns blind and enter them in the order drawn", []),
        ([PAWNS], "Everybody: agree on the province where the black pawn starts", []),
        ([PAWNS, SICILIA], "Red first: hold your card to the reader, then lay it face down before you", ["red"]),
        (
            [PAWNS, SICILIA, *choose(red=1, blue=2)],
            "Green first: hold your card to the reader, then lay it face down before you",
            ["green"],
        ),
        (TIED, "Yellow pleads: ask somebody for their cards and make an offer", ["yellow"]),
        ([*TIED, *ask("yellow", "red", True)[:1]], "Red: answer Yellow – yes or no?", ["red"]),
        (
            [*TIED, *ask("yellow", "red", True)],
            "Yellow won the round: choose the province the black pawn moves to",
            ["yellow"],
        ),
    ],
)  # fmt: skip
def test_the_top_line_says_what_is_expected_and_from_whom(events: Any, sentence: str, awaited: list[str]) -> None:
    top = table.band(at(*events))
    assert (top.sentence, list(top.seats)) == (sentence, awaited)


def test_fists_are_called_for_and_opened() -> None:
    from companion.rules.readings import Press

    evening = game(PAWNS, SICILIA, *choose(red=9, blue=9, green=5, yellow=12), reveal="fists")
    assert table.band(moment_of(evening)).sentence == "Hold your button until all are held"
    for t, seat in enumerate(SEATS[:3]):
        evening.devices.inbox.put(Press(seat, True, t))
    evening.drain()
    assert table.band(moment_of(evening)).sentence == "Yellow: hold your button until all are held"
    assert [tile.done for tile in table.rail(moment_of(evening))] == [True] * 3 + [False]
    evening.devices.inbox.put(Press("yellow", True, 5))
    evening.drain()
    assert prokonsul.centre(now(evening)).call == "Open!"
    for t, seat in enumerate(SEATS[:2]):
        evening.devices.inbox.put(Press(seat, False, 100 + 20 * t))
    evening.drain()
    opening = moment_of(evening)
    assert [(tile.done, tile.awaited) for tile in table.rail(opening)] == [(True, False)] * 2 + [(False, True)] * 2
    top = table.band(opening)
    assert (top.sentence, top.seats) == ("Green and Yellow: turn your cards over – now!", ("green", "yellow"))
    for t, seat in enumerate(SEATS[2:]):
        evening.devices.inbox.put(Press(seat, False, 150 + 20 * t))
    evening.drain()
    assert view_of(evening)["phase"] == "pleading"
    assert prokonsul.centre(now(evening)).note == "Only Yellow speaks."
    assert prokonsul.centre(at(*FAILED)).note == "Only Red speaks.", "as in every later plea"


def test_nobody_is_told_to_hold_where_a_button_is_missing() -> None:
    evening = game(*TIED, reveal="fists", buttons=SEATS[1:])
    assert table.band(moment_of(evening)).sentence == "Reveal your cards together"
    assert {panel.status for panel in table.rail(moment_of(evening))} == {""}


# -- the readers ------------------------------------------------------------------------------------------------

TAGS = {f"04{at:012X}": card for at, card in enumerate(DECK.values())}


def lay(evening: Evening, reader: str, card: str, present: bool = True) -> str:
    """A card comes onto a reader or leaves it; returns the sentence of the top line."""
    evening.deck.cards.update(TAGS)
    if evening.match:
        evening.match.table.tags.update(TAGS)
    tag = next(tag for tag, known in TAGS.items() if str(known) == card)
    evening.devices.inbox.put(Reading(reader, tag, present, 0))
    evening.drain()
    return table.band(moment_of(evening)).sentence if evening.match else ""


@pytest.mark.parametrize(
    ("readers", "sentence"),
    [
        (["centre"], "Yellow: hold your card to the reader, then lay it face down before you"),
        (SEATS, "Yellow: lay your card face down on your reader"),
        ([], "Yellow: touch your colour and choose a card on the screen"),
        (["centre", "red"], "Yellow: hold your card to the reader, then lay it face down before you"),
    ],
)
def test_prompts_know_where_a_card_is_read(readers: Any, sentence: str) -> None:
    evening = game(PAWNS, SICILIA, *choose(red=1, blue=2, green=3), readers=readers)
    assert table.band(moment_of(evening)).sentence == sentence
    mixed = game(PAWNS, SICILIA, *choose(red=1, blue=2), readers=["centre", "green"])
    assert table.band(moment_of(mixed)).sentence == "Green and Yellow: choose a card and lay it face down"


def test_at_one_reader_for_all_one_tile_after_the_other_waits_and_any_order_is_taken() -> None:
    def waiting(*chosen: Any) -> list[str]:
        return [tile.seat for tile in table.rail(at(PAWNS, SICILIA, *chosen)) if tile.awaited]

    assert (waiting(), waiting(*choose(red=1)), waiting(*choose(blue=1))) == (["red"], ["blue"], ["red"])
    assert waiting(*choose(red=1, blue=2, green=3)) == ["yellow"]
    own = game(PAWNS, SICILIA, readers=SEATS)
    assert [tile.seat for tile in table.rail(moment_of(own)) if tile.awaited] == [*SEATS]


@pytest.mark.parametrize("card", ["red 9", "red 12"])
def test_a_sealed_card_that_stays_on_the_shared_reader_is_not_named(card: str) -> None:
    evening = game(PAWNS, SICILIA, *choose(blue=1, green=2))
    assert lay(evening, "centre", card) == "Red: take your card off the reader."
    assert moment_of(evening).lying == (LyingCard("centre", "red"),), "nor does anything else of the moment know it"
    lay(evening, "centre", "yellow 4")
    assert view_of(evening)["phase"] != "choosing", "the other card was heard all the same, and all lie open"


def test_a_card_that_stays_on_its_own_reader_is_in_nobodys_way() -> None:
    evening = game(PAWNS, SICILIA, *choose(blue=1, green=2), readers=SEATS)
    assert lay(evening, "red", "red 9") == "Yellow: lay your card face down on your reader"


def test_an_open_card_that_stays_is_named_and_the_next_may_already_think() -> None:
    evening = Evening(Memory())
    evening.devices.equipment = Equipment(("centre",), ())
    evening.begin({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"]})
    said = lay(evening, "centre", "red 7")
    assert said == "Take red 7 off the reader. Blue: play below 7, the flag, or pass"
    assert lay(evening, "centre", "red 7", present=False) == "Blue: play below 7, the flag, or pass"
    lay(evening, "centre", "blue 5")
    assert lay(evening, "centre", "green 4").startswith("Take blue 5 off the reader. ")
    evening.devices.inbox.put(Health("reader centre", True, CROWDED))
    evening.drain()
    assert table.band(moment_of(evening)).sentence.startswith(CROWDED)
    assert table.ruling_line(moment_of(evening)).text == CROWDED


def test_a_card_left_from_the_game_before_is_named_before_the_first_act() -> None:
    evening = Evening(Memory())
    lay(evening, "centre", "red 7")
    header = {"tabularium": 1, "game": "prokonsul", "seats": list(SEATS)}
    evening.begin(header)
    evening.drain()
    assert table.band(moment_of(evening)).sentence == "Red: take your card off the reader."
    evening.begin(header | {"game": "mercator"})
    evening.drain()
    assert table.band(moment_of(evening)).sentence == "Take the card off the reader.", (
        "its colour may be a secret there"
    )
    match_of(evening).act({"event": "flip", "seat": "red", "card": "blue 5"})
    evening.devices.health["reader centre"] = Health("reader centre", False, "away")
    evening.drain()
    assert "off" not in table.band(moment_of(evening)).sentence, "a reader that is ill does not say what is taken off"


def told(evening: Evening, *words: Reading | Health) -> list[Any]:
    """Everything about the readers that is shown while these words come in."""
    shown: list[Any] = []
    for word in words:
        evening.devices.inbox.put(word)
        evening.drain()
        m = moment_of(evening)
        shown.append((table.band(m), table.rail(m), table.ruling_line(m), m.lying))
    return shown


@pytest.mark.parametrize("readers", [("centre",), ("centre", "red", "blue"), ("red", "blue")])
@pytest.mark.parametrize("one, other", [("red 9", "red 3"), ("red 5", "red 8")])
def test_reader_messages_do_not_depend_on_a_sealed_card(readers: Any, one: str, other: str) -> None:
    def shown(card: str) -> list[Any]:
        evening = game(PAWNS, SICILIA, *choose(blue=2, green=3), readers=readers, reveal="fists")
        evening.deck.cards.update(TAGS)
        match_of(evening).table.tags.update(TAGS)
        tag = next(tag for tag, known in TAGS.items() if str(known) == card)
        on, off = Reading(readers[0], tag, True, 0), Reading(readers[0], tag, False, 0)
        crowd, alone = (Health(f"reader {readers[0]}", True, says) for says in (CROWDED, ""))
        return told(evening, on, crowd, alone, off, on, Health(f"reader {readers[0]}", False, "away"))

    assert shown(one) == shown(other)


def test_face_down_pile_card_shows_no_colour() -> None:
    def shown(card: str) -> list[Any]:
        evening = Evening(Memory(), TAGS)
        evening.devices.equipment = Equipment(("centre",), ())
        evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
        for act in ({"event": "flip", "seat": "red", "card": "green 9"}, {"event": "auction", "seat": "red"}):
            match_of(evening).act(act)
        tag = next(tag for tag, known in TAGS.items() if str(known) == card)
        return told(evening, Reading("centre", tag, True, 0))

    assert shown("red 2") == shown("blue 7"), "it lies face down on a reader that nobody is to use"


@pytest.mark.parametrize(
    ("ill", "word", "title", "sentence"),
    [
        ("box", "taps", "Hub not connected: plug it in, or play on the screen.",
         "Blue: touch your colour and choose a card on the screen"),
        ("reader", "taps", "Reader out of order: play on the screen.",
         "Blue: touch your colour and choose a card on the screen"),
        ("button", "taps", "Button out of order: play on the screen.",
         "Blue: lay your card face down on your reader"),
    ],
)  # fmt: skip
def test_faulty_devices_are_shown_with_a_remedy(ill: str, word: str, title: str, sentence: str) -> None:
    evening = game(PAWNS, SICILIA, *choose(red=1, green=2, yellow=3), readers=SEATS)
    evening.devices.inbox.put(Health(f"{ill} blue", False, "away"))
    evening.drain()
    top, panels = table.band(moment_of(evening)), table.rail(moment_of(evening))
    assert (top.fault, top.sentence) == (title, sentence)
    assert [(panel.status, panel.well) for panel in panels][:2] == [("", True), (word, False)]
    evening.devices.inbox.put(Health(f"{ill} blue", True))
    evening.drain()
    assert not table.band(moment_of(evening)).fault and all(panel.well for panel in table.rail(moment_of(evening)))


def test_a_shared_reader_that_is_ill_concerns_everybody() -> None:
    evening = game(PAWNS, SICILIA)
    evening.devices.inbox.put(Health("reader centre", False, "away"))
    evening.drain()
    top = table.band(moment_of(evening))
    assert top.fault == "Reader out of order: play on the screen."
    assert top.sentence == "Touch your colour and choose a card on the screen"


# -- the plea ---------------------------------------------------------------------------------------------------


def test_the_target_is_the_number_and_the_total_stands_beside_it() -> None:
    assert prokonsul.number(at(*TIED)) == Headline("Target", "18", "of 35")
    assert prokonsul.number(at(PAWNS, SICILIA)) == Headline("At stake", "20", "Sicilia")


def test_the_bar_tells_how_much_is_missing_and_who_can_still_be_asked() -> None:
    shown = plea(at(*TIED, *ask("yellow", "green", True), {"event": "undo"}, *ask("yellow", "green", False)[1:]))
    assert shown is not None
    assert (shown.bar.cards, shown.bar.held, shown.bar.text) == (
        ("yellow 12",),
        12,
        "Holds 12",
    ) and shown.bar.missing == 6
    assert [(ask.seat, ask.text, ask.can) for ask in shown.ask] == [
        ("red", "+ 9 = 21", True),
        ("blue", "+ 9 = 21", True),
        ("green", "said no", False),
    ]
    assert [ask.enough for ask in shown.ask] == [True, True, False]


def test_the_offer_is_told_with_its_promise() -> None:
    offer = {"event": "offer", "seat": "yellow", "to": "red", "chips": 4, "promise": "red"}
    shown = plea(at(*TIED, offer))
    assert shown is not None
    assert (shown.offer, shown.asked) == ("Yellow offers Red 4 chips and promises “red”", "red")
    assert not any(ask.can for ask in shown.ask)
    assert not shown.replace
    assert plea(at(*TIED, offer, negotiation="two_way")).replace  # type: ignore[union-attr]


def test_the_line_says_which_pieces_move_by_rule() -> None:
    def line(m: ProkonsulMoment) -> str:
        return table.ruling_line(m).text

    assert line(at(*FAILED)).endswith(" Move Red's pawn to the right end of the row.")
    assert "pawn to the right end" not in line(at(*TIED))
    free = {"negotiation": "free", "no_decision": True}
    undecided = [act for rank in (*range(1, 10), 12)
                 for act in (*choose(**dict.fromkeys(SEATS, rank)), {"event": "no_decision"})]  # fmt: skip
    m = at(SICILIA, *undecided, **free)
    assert line(m).endswith(" Everybody takes all 10 cards back.")
    assert moves(m, m.log[-1].public)
    places, won = [name for name in m.view["provinces"] if name != "sicilia"], [SICILIA]
    for rank, place in enumerate(places, 1):
        won += choose(**dict.fromkeys(SEATS, rank))
        won.append({"event": "coalition", "seat": "red", "members": list(SEATS)})
        won.append({"event": "province", "seat": "red", "province": place})
    m = at(*won[:-1], **free, game="short")
    last = " Only Asia is still open: the black pawn stands there."
    assert line(m) == f"Red becomes governor of Africa; the bank pays 25 + 5 chips.{last}"
    shown = prokonsul.centre(m).ended
    assert shown and shown.text.endswith("Only Asia is still open: the black pawn stands there.")


def test_the_line_tells_every_payment_of_a_move_in_the_order_in_which_they_happen() -> None:
    won, free = [SICILIA], {"negotiation": "free", "game": "short"}
    names = list(at(SICILIA, **free).view["provinces"])
    coalition = {"event": "coalition", "seat": "red", "members": list(SEATS)}
    lines = []
    for rank in range(1, len(names) + 1):
        won += [*choose(**dict.fromkeys(SEATS, rank)), coalition]
        m = at(*won, **free)
        lines.append(table.ruling_line(m).text)
        assert pays(m, m.log[-1].public)
        if rank < 6:
            won.append({"event": "province", "seat": "red", "province": names[rank]})
    assert lines[0] == "Red becomes governor of Sicilia; the bank pays 20 chips."
    assert lines[1] == "Red becomes governor of Sardinia; the bank pays 15 + 5 chips."
    assert lines[6].startswith("The bank pays Red 30 + 5 chips. The game is over: Red ")


def test_a_tie_moves_the_pawn_and_says_so() -> None:
    before = pawn_row(at(*TIED))
    after = pawn_row(at(*FAILED))
    assert before is not None
    assert after is not None
    assert (before.next, before.moved) == (["red", "blue", "green"], "")
    assert (after.seats, after.moved) == (("blue", "green", "yellow", "red"), "red")
    assert after.next == ["blue", "green"]


# -- the end of a round stays in sight ---------------------------------------------------------------------------


def ended(m: ProkonsulMoment) -> tuple[str, str, str, tuple[str, ...]]:
    """Target, total, how the round was won, and the winner's cards."""
    found = prokonsul.centre(m).ended
    assert found
    return found.number.value, found.number.beside, found.text, tuple(found.bar.cards)


def test_a_won_plea_stays_in_sight_until_the_next_act() -> None:
    sold = [*TIED, *ask("yellow", "red", True)]
    m = at(*sold)
    assert ended(m) == (
        "18", "of 35", "Yellow holds 12 + 9 = 21 and reaches the target of 18.", ("yellow 12", "red 9"),
    )  # fmt: skip
    assert [panel.cards for panel in table.rail(m)] == [(), ("blue 9",), ("green 5",), ("yellow 12", "red 9")]
    evening = game(*sold, SICILIA | {"seat": "yellow", "province": "asia"})
    assert prokonsul.centre(now(evening)).ended is None
    assert not any(panel.cards for panel in table.rail(now(evening)))
    match_of(evening).act({"event": "undo"})
    match_of(evening).act({"event": "undo"})
    evening.drain()
    assert prokonsul.centre(now(evening)).ended is None  # the offer waits for its answer again


def test_a_card_that_wins_alone_is_seen_with_all_the_others() -> None:
    m = at(PAWNS, SICILIA, *choose(red=1, blue=2, green=3, yellow=12))
    assert ended(m) == ("10", "of 18", "Yellow's 12 reaches the target of 10 on its own.", ("yellow 12",))
    assert [panel.cards for panel in table.rail(m)] == [("red 1",), ("blue 2",), ("green 3",), ("yellow 12",)]


def test_a_coalition_shows_the_cards_of_its_members() -> None:
    free = [SICILIA, *choose(red=9, blue=9, green=5, yellow=12)]
    m = at(*free, {"event": "coalition", "seat": "red", "members": ["red", "yellow"]}, negotiation="free")
    assert ended(m)[3] == ("red 9", "yellow 12")
    m = at(*free, {"event": "no_decision"}, negotiation="free", no_decision=True)
    assert ended(m)[:2] == ("18", "of 35")
    assert (ended(m)[3], m.view["phase"]) == ((), "choosing")


def test_earlier_pleader_is_shown_to_win_the_tie() -> None:
    pleas = [("yellow", "red blue green"), ("red", "blue green yellow"), ("blue", "red green yellow"),
             ("green", "red blue yellow")]  # fmt: skip
    m = at(*TIED, *(act for seat, others in pleas for other in others.split() for act in ask(seat, other, False)))
    assert ended(m)[2] == "Nobody is left to plead: Yellow pleaded first and wins the round."


def test_a_governed_province_keeps_its_value() -> None:
    free = [SICILIA, *choose(red=7, blue=6, green=5, yellow=4)]
    win = {"event": "coalition", "seat": "red", "members": list(SEATS)}
    (tile,) = [tile for tile in provinces(at(*free, win, game="short", negotiation="free")).tiles if tile.governor]
    assert (tile.id, tile.value, tile.governor) == ("sicilia", 20, "red")


def test_the_rail_counts_governed_provinces_and_no_purse() -> None:
    free: dict[str, Any] = {"game": "short", "negotiation": "free"}
    cards = choose(red=7, blue=6, green=5, yellow=4)
    assert [tile.figure for tile in table.rail(at(SICILIA, *cards, **free))] == ["0"] * 4
    told = [{"event": "transfer", "seat": "blue", "to": "green", "chips": chips} for chips in (1, 3)]
    win = {"event": "coalition", "seat": "red", "members": list(SEATS)}
    rails = [table.rail(at(SICILIA, *cards, paid, win, **free)) for paid in told]
    assert [tile.figure for tile in rails[0]] == ["20", "0", "0", "0"]
    assert rails[0] == rails[1]
    assert [tile.caption for tile in rails[0]] == ["prov."] * 4
    assert [tile.caption for tile in table.rail(moment_of(short_game()))] == ["chips"] * 4


def test_a_link_counts_for_the_one_who_governs_both_its_ends() -> None:
    free: dict[str, Any] = {"game": "short", "negotiation": "free"}
    win = {"event": "coalition", "seat": "red", "members": list(SEATS)}
    sardinia = SICILIA | {"seat": "red", "province": "sardinia"}
    ranks = [dict(zip(SEATS, numbers, strict=True)) for numbers in ((7, 6, 5, 4), (6, 5, 4, 3))]
    m = at(SICILIA, *choose(**ranks[0]), win, sardinia, *choose(**ranks[1]), win, **free)
    assert [tile.figure for tile in table.rail(m)] == ["40", "0", "0", "0"]
    assert [tile.about for tile in table.rail(m)] == [("paid", "red"), *[("", None)] * 3], "how it came about"


def test_an_undone_tie_is_no_tie() -> None:
    row = pawn_row(at(*FAILED, {"event": "undo"}))
    assert row is not None
    assert (row.seats, row.moved) == (SEATS, "")


def test_the_pleading_order_is_the_referees() -> None:
    """The order foretold is the order that comes when every plea fails."""
    evening = game(*TIED)
    foretold = [view_of(evening)["pleader"], *(plea["seat"] for plea in now(evening).derived["pleas"])]
    came: list[str] = []
    while view_of(evening)["phase"] == "pleading" and view_of(evening)["pleader"]:
        pleader = view_of(evening)["pleader"]
        came.append(pleader)
        while view_of(evening)["pleader"] == pleader and view_of(evening)["phase"] == "pleading":
            for act in ask(pleader, view_of(evening)["can_ask"][0], False):
                match_of(evening).act(act)
            evening.drain()
    assert came == foretold


# -- provinces, end ---------------------------------------------------------------------------------------------


def test_arcs_on_one_level_never_cross() -> None:
    assert arcs("abcdefg", [("a", "b"), ("a", "f"), ("d", "c"), ("e", "g"), ("b", "a")]) == (
        (0, 1, 0),
        (2, 3, 0),
        (4, 6, 0),
        (0, 5, 1),
    )


def test_only_open_provinces_can_be_tapped_and_not_the_one_it_stands_on() -> None:
    won = at(*TIED, *ask("yellow", "red", True))
    assert [tile.tap for tile in provinces(won).tiles] == [False, *[True] * 6]
    assert not any(tile.tap for tile in provinces(at(*TIED)).tiles)


def short_game() -> Evening:
    evening = game(SICILIA, game="short", negotiation="free")
    provinces = list(view_of(evening)["provinces"])
    for round_, winner in enumerate(("red", "blue", "red", "red", "green", "blue", "red")):
        for seat in SEATS:
            match_of(evening).act({"event": "choose", "seat": seat, "card": f"{seat} {round_ + 1}"})
        match_of(evening).act({"event": "coalition", "seat": winner, "members": list(SEATS)})
        if round_ < 5:
            match_of(evening).act({"event": "province", "seat": winner, "province": provinces[round_ + 1]})
        evening.drain()
    return evening


def test_the_end_breaks_the_score_down() -> None:
    model = end.end(moment_of(short_game()))
    assert model.title == "Red wins"
    assert [(place.seat, place.place, place.score) for place in model.places] == [
        ("red", "1", "110"),
        ("blue", "2", "60"),
        ("green", "3", "45"),
        ("yellow", "4", "20"),
    ]
    assert [(part.label, part.value) for part in model.places[0].parts] == [
        ("Sicilia", 20), ("Hispania Citerior", 20), ("Hispania Ulterior", 15), ("Asia", 30), ("links", 5), ("chips", 20)
    ]  # fmt: skip
    assert [(part.label, part.value, part.earned) for part in model.places[3].parts] == [("chips", 20, False)]
    assert not model.places[3].note
    assert model.chart and model.chart.lines["red"][-1] == model.chart.top == 90
    assert len(model.chart.lines["blue"]) == 8
    assert model.note
    assert model.why == ["Red: 4 provinces (85), links (5) and 20 chips"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Prokonsul · 25 Nov 2026 · 4 players · 7 rounds · 68 min"),
        ("de", "Prokonsul · 25. Nov. 2026 · 4 Personen · 7 Runden · 68 Min."),
        ("ja", "総督 · 2026年11月25日 · 4人 · 7ラウンド · 68分"),
    ],
)
def test_the_end_says_what_was_played_as_each_language_writes_it(lang: str, said: str) -> None:
    m = replace(moment_of(short_game()), lang=lang)
    first, *shorter = end.played(m, date(2026, 11, 25), 68 * 60)
    assert first == said and [*map(len, shorter)] == sorted(map(len, shorter), reverse=True)
    assert "68" not in end.played(m, date(2026, 11, 25), None)[0]


def test_the_end_says_how_many_have_won() -> None:
    assert [end.won(winners) for winners in ([], ["red"], ["red", "blue"])] == [
        "Nobody wins", "{seats} wins", "{seats} share the victory"
    ]  # fmt: skip


def test_a_game_has_a_name_in_each_language() -> None:
    m = moment_of(game())
    assert [replace(m, lang=lang).title for lang in ("en", "de", "ja")] == ["Prokonsul", "Prokonsul", "総督"]


# -- log, why, undo ---------------------------------------------------------------------------------------------


def test_the_log_is_newest_first_and_names_the_seats() -> None:
    first = rulings.log(at(*FAILED))[:2]
    assert [entry.rule for entry in first] == ["P-8", "P-9"]
    assert list(first[1].seats) == ["red", "blue", "green"] or first[1].seats[0] == "red"


def test_why_shows_the_clause_and_the_row_before_and_after_and_says_nothing_twice() -> None:
    m = at(*FAILED)
    found = why(m.game, m.tongue, m.log, rulings.log(m)[1].ruling)
    assert found
    assert found.lead.rule == "P-9"
    assert found.lead.clause.startswith("If several players could plead next")
    assert found.lead.text.startswith("Red and Blue are tied at ")
    assert not found.lead.facts
    assert found.lead.rows == [("Row before", SEATS), ("Row after", ("blue", "green", "yellow", "red"))]


def test_a_refusal_stands_out() -> None:
    evening = game(*TIED)
    match_of(evening).act({"event": "offer", "seat": "red", "to": "blue", "chips": 1})
    evening.drain()
    line = table.ruling_line(moment_of(evening))
    assert line.refused
    assert line.text == "Yellow pleads; nobody else makes an offer."


# -- seats, pads ------------------------------------------------------------------------------------------------


def test_a_seats_panel_shows_only_what_everybody_may_know() -> None:
    evening = game(PAWNS, SICILIA, *choose(red=9))
    before = table.rail(moment_of(evening))
    match_of(evening).act({"event": "choose", "seat": "red", "card": "red 1"})
    evening.drain()
    assert table.rail(moment_of(evening)) == before
    assert [(tile.seat, tile.done, tile.awaited) for tile in before][:2] == [
        ("red", True, False),
        ("blue", False, True),
    ]


def test_a_sick_button_is_marked_at_its_seat() -> None:
    evening = game(PAWNS)
    evening.devices.health["button blue"] = Health("button blue", False, "GPIO 17 is taken")
    assert [panel.well for panel in table.rail(moment_of(evening))] == [True, False, True, True]


def test_a_coalition_counts_its_members_own_cards() -> None:
    m = at(SICILIA, *choose(red=9, blue=9, green=5, yellow=12), negotiation="free")
    model = pads.coalition(m, ["red", "green"], "green")
    assert (model.sum, model.note) == ("14", "4 short of the target of 18")
    assert [(mark.seat, mark.chosen) for mark in model.winners] == [("red", False), ("green", True)]


def test_only_who_can_win_is_offered_as_the_winner() -> None:
    m = at(SICILIA, *choose(red=9, blue=8, green=5, yellow=12), negotiation="free", top_two=True)
    winners = pads.coalition(m, SEATS, "").winners
    assert [(mark.seat, mark.can) for mark in winners] == [
        ("red", True), ("blue", False), ("green", False), ("yellow", True),
    ]  # fmt: skip
    assert all(mark.can for mark in pads.coalition(m, SEATS, "").members)


def test_the_black_pawn_goes_where_the_rules_let_it() -> None:
    taken = [*TIED, *ask("yellow", "red", True)]
    tiles = provinces(at(*taken)).tiles
    assert {tile.id: (tile.tap, tile.lit) for tile in tiles} == {tile.id: (not tile.pawn,) * 2 for tile in tiles}
    assert not any(tile.tap for tile in provinces(at(*TIED)).tiles)


# -- the virtual table ---------------------------------------------------------------------------------------------------


def test_the_hand_turns_to_the_first_seat_awaited_and_dims_what_has_been_played() -> None:
    m = at(*TIED, *ask("yellow", "red", True), SICILIA | {"seat": "yellow", "province": "asia"}, *choose(red=1))
    shown = hand.hand(m, "red", DECK, {"centre": {"red 1"}, "blue": set()})
    assert shown.seat == "blue"
    assert [card.card for card in shown.cards if card.spent] == ["blue 9"]
    assert shown.plate == hand.SeatPlate("blue", taken=False), "its own comes before the one for all"
    assert (shown.owner, shown.owner_shorter[0]) == ("Blue", "Blu.")


def test_while_all_choose_each_seat_has_a_place_and_after_the_reveal_its_card() -> None:
    def places(*events: Any) -> tuple[str, list[str]]:
        sealed = prokonsul.centre(at(PAWNS, SICILIA, *events)).sealed
        assert sealed
        assert [place.seat for place in sealed.places] == list(SEATS)
        return sealed.count, [place.card for place in sealed.places]

    assert places() == ("0 of 4", ["", "", "", ""])
    assert places(*choose(green=5, red=9)) == ("2 of 4", ["?", "", "?", ""])
    turned_up = ["red 9", "blue 9", "green 5", "yellow 12"]
    assert places(*choose(yellow=12, red=9, blue=9, green=5)) == ("4 of 4", turned_up)
    assert prokonsul.centre(at(PAWNS)).sealed is None
    assert prokonsul.centre(at(*TIED, *ask("yellow", "red", False))).sealed is None, "the next act is done"


@pytest.mark.parametrize("reveal", ["auto", "fists"])
def test_nothing_shown_while_all_choose_depends_on_the_cards(reveal: str) -> None:
    def shown(*ranks: int) -> list[Any]:
        laid = choose(**dict(zip(SEATS, ranks, strict=False)))
        m = at(PAWNS, SICILIA, *laid, reveal=reveal)
        return [prokonsul.centre(m), table.rail(m), table.band(m), hand.hand(m, "red", DECK, {"centre": set()})]

    assert shown(9) == shown(3)
    assert shown(9, 4, 12) == shown(1, 2, 3)
    assert (shown(9, 4, 12, 1) == shown(1, 2, 3, 4)) is (reveal == "fists")


def test_a_pale_seat_has_a_frame_only_while_it_alone_is_awaited() -> None:
    def alone(*events: Any) -> list[str]:
        return [tile.seat for tile in table.rail(at(PAWNS, SICILIA, *events, readers=())) if tile.alone]

    assert alone() == alone(*choose(red=9)) == []
    assert alone(*choose(red=9, blue=9, green=5)) == ["yellow"]


@pytest.mark.parametrize(
    ("events", "reveal", "up"),
    [
        ([PAWNS, SICILIA], "fists", ()),
        ([PAWNS, SICILIA, *choose(red=9, blue=9, green=5, yellow=12)], "fists", ()),
        (TIED, "auto", ("red 9",)),
    ],
    ids=["laying", "fists", "pleading"],
)
def test_cards_are_taken_up_once_they_have_been_turned(events: Any, reveal: str, up: Any) -> None:
    assert hand.hand(at(*events, reveal=reveal), "red", DECK, {"centre": {"red 9"}}).up == up


def test_a_card_that_was_played_before_is_refused_and_leaves_the_reader() -> None:
    evening = game(*TIED, *ask("yellow", "red", True), SICILIA | {"seat": "yellow", "province": "asia"})
    match_of(evening).act(choose(yellow=12)[0])
    evening.drain()
    m = moment_of(evening)
    assert "has been played" in table.ruling_line(m).text
    assert hand.hand(m, "yellow", DECK, {"centre": {"yellow 12"}}).up == ("yellow 12",)


def test_only_a_card_of_the_seat_fills_its_place() -> None:
    shown = hand.hand(at(PAWNS, SICILIA, *choose(red=9)), "red", DECK, {"centre": {"red 9"}})
    assert shown.plate == hand.SeatPlate("centre", taken=False), "it is now Blue's turn"


def test_the_pile_brings_up_what_has_not_been_seen() -> None:
    evening = Evening(Memory())
    evening.devices.equipment = Equipment(("centre",), ())
    evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
    order = ["blue 5", "red 7", "green 1", "red 3"]

    def now(lying: str = "") -> hand.Hand:
        evening.drain()
        return hand.hand(moment_of(evening), "red", DECK, {"centre": {lying} - {""}}, order)

    assert (now().act, now().top, now().top_reader, now().cards) == ("Turn a virtual card", "blue 5", "centre", ())
    assert now().plate is None
    assert now("blue 5").up == (), "it has not been read yet"
    lay(evening, "centre", "blue 5")
    assert (now("blue 5").up, now().top) == (("blue 5",), "red 7")
    match_of(evening).act({"event": "undo"})
    assert now().top == "blue 5", "it is back on top"
    for _ in range(3):
        lay(evening, "centre", now().top)
    assert now().top == "", "the auction is on"


# -- a new game, the board --------------------------------------------------------------------------------------


def draft() -> table_draft.TableDraft:
    games = Evening(Memory()).games
    return table_draft.TableDraft(next(game for game in games if game.name == "prokonsul"))


def test_seats_sit_down_clockwise_and_leave() -> None:
    d = draft()
    assert not table_draft.ready(d)
    for seat in ("blue", "red", "green", "blue"):
        d = table_draft.sit(d, seat)
    d = table_draft.call(d, "red", "Anna")
    assert table_draft.ready(d)
    assert table_draft.header(d)["seats"] == ["blue", "red", "green"]
    assert [chair.text for chair in new_game.chairs(d, "en")] == ["Blue", "Anna", "Green"]
    assert new_game.colours(d, "en") == [
        ("Red", "red", False), ("Blue", "blue", False), ("Green", "green", False),
        ("Yellow", "yellow", True), ("Purple", "purple", True),
    ], "whoever sits leaves no gap for the others to move into"  # fmt: skip
    assert table_draft.first(d, "green").seats == ("green", "blue", "red"), "the others follow clockwise"
    d = table_draft.stand(d, "red")
    assert d.players == {}
    assert not table_draft.ready(d)


def test_an_option_needs_another_and_falls_with_it() -> None:
    d = table_draft.choose(draft(), "negotiation", "free")
    d = table_draft.choose(d, "top_two", True)
    assert [choice.off for choice in new_game.choices(d, "en")] == [False] * 4
    d = table_draft.choose(d, "negotiation", "strict")
    assert d.options == {"negotiation": "strict"}
    assert [choice.off for choice in new_game.choices(d, "en")] == [False, False, True, True]


def test_the_last_table_is_remembered() -> None:
    evening = game(PAWNS, negotiation="two_way")
    d = table_draft.draft(evening.games, evening.regulars.last_table)
    assert (d.game.name, d.seats, d.options["negotiation"], d.reveal) == ("prokonsul", SEATS, "two_way", "auto")


def test_the_board_is_read_changed_and_written() -> None:
    raw = {"provinces": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}, "links": [["b", "a"]]}
    d = board.read(raw)
    d = board.rename(board.revalue(d, 0, 25), 1, "Gallia Narbonensis")
    d = board.link(board.link(d, 2, 0), 1, 0)
    assert board.rename(d, 2, "a") == d
    assert board.write(d, True) == {
        "provinces": {"a": 25, "gallia_narbonensis": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7},
        "links": [["a", "c"]],
        "confirmed": True,
    }


SHARED = (Path(rules.__file__), Path(session.__file__), Path(referee.__file__))
WITH_FACES = [name for name in games.NAMES if face_of(name) is not face_of("any")]
SOURCES = {name: (Path(games.__file__).parent / name / "rules.py",) for name in WITH_FACES} | {"any": SHARED}


@pytest.mark.parametrize("name", SOURCES)
def test_every_fact_has_a_name(name: str) -> None:
    """Whatever a game's rulings and refusals weigh, *why* can call it by a word; any game's, what the table says."""
    keys = {"removed"} if name == "hannibal" else set()  # named elsewhere than in a ruling's call or text
    for file in SOURCES[name]:
        for part in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match part:
                case ast.Call(ast.Name("ruled" | "require"), keywords=named):
                    keys |= {fact.arg for fact in named if fact.arg}
                case ast.Call(ast.Name("N_"), [ast.Constant(str(text))]):
                    keys |= set(re.findall(r"\{(\w+)\}", text))
    guide = guide_of(name)
    assert keys
    assert (
        keys
        - {*COLOURS, "verb", "what", "by", "contest", "conditions", *guide.hidden, *guide.rows, *FACTS, *guide.names}
        == set()
    )


def weighed(m: Moment, ruling: Ruling) -> Sequence[tuple[str, str]]:
    return link(m.game, m.tongue, Receipt.note(ruling), ruling).facts


def test_an_unknown_fact_is_shown_by_its_key_in_plain_words() -> None:
    ruling = ruled("sown", "X-1", "", seeds_left=3, seat="red", row_after=("red",), carthage="red")
    assert weighed(at(PAWNS), ruling) == [("seeds left", "3"), ("player", "Red"), ("carthage", "Red")]
    spared = ruled("told", "H-1", "", carthage="red")
    hannibal = Evening(Memory())
    hannibal.begin({"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"]})
    assert weighed(moment_of(hannibal), spared) == []


def test_only_informative_facts_are_weighed() -> None:
    evening = Evening(Memory())
    evening.begin({"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]})
    sale = ruled("sale", "M-14", "", place=1, seat="red", winners=(), unconfirmed_board=False, room=0)
    assert weighed(moment_of(evening), sale) == [("room", "0")]


def test_a_table_at_rest_speaks_of_no_cards_below_it() -> None:
    """The hand of the virtual table stands in the line, which the resting screen does not show."""
    m = replace(at(PAWNS, SICILIA), virtual=True)
    resting = rest.at_rest(m)
    assert "below" in table.band(m).expected.what and resting and "below" not in resting.what and "card" in resting.what
