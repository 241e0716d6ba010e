"""Decks: enrolled card by card, checked before an evening, kept, written to a file and read again."""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import deck, games
from companion.cli import main
from companion.cli.deck import Book
from companion.deck import Check, Deck, Enrolment, KnownTag, file
from companion.play.evening import Evening
from companion.record.store import Store
from companion.rules import Setup
from companion.rules.cards import DECK, FLAG
from companion.rules.mistakes import ConfigError
from companion.rules.readings import Health, Press, Reading
from drivers.virtual.rig import VirtualRig
from tests.support.decks import ALL, lines, run, uid
from tests.support.playing import match_of
from tools.scenes.rehearsal import Memory

pytestmark = pytest.mark.usefixtures("at_home")


class Hand:
    """Lays cards on a reader, a second each."""

    def __init__(self, state: Any) -> None:
        self.state, self.t = state, 0

    def comes(self, tag: str, after: int = 1000, reader: str = "centre") -> str | None:
        return self._hear(Reading(reader, tag, True, self._later(after)))

    def goes(self, tag: str, after: int = 1000, reader: str = "centre", errors: float | None = None) -> str | None:
        return self._hear(Reading(reader, tag, False, self._later(after)), errors)

    def lay(self, *tags: str) -> str | None:
        """Each is laid and lifted; returns what was said of the last one."""
        reported = None
        for tag in tags:
            reported = self.comes(tag)
            self.goes(tag)
        return reported

    def _later(self, ms: int) -> int:
        self.t += ms
        return self.t

    def _hear(self, reading: Reading, errors: float | None = None) -> str | None:
        self.state = self.state.hear(reading, errors)
        return self.state.ruling.code if self.state.ruling else None


def enrolling(tags: deck.Tags | None = None, name: str = "box") -> Hand:
    return Hand(deck.enrolment(tags or {}, name))


# -- enrolling --------------------------------------------------------------------------------------------------


def test_a_deck_is_enrolled_card_after_card() -> None:
    hand = enrolling()
    hand.lay(*(uid(number).lower() for number in range(60)))
    assert hand.state.tags == ALL
    assert (hand.state.asked, hand.state.deck.missing) == (None, [])
    assert hand.lay(uid(99)) == "unasked"  # a 61st is no card's


def test_any_order_and_then_the_rest() -> None:
    hand = enrolling()
    hand.state = hand.state.pick(DECK["purple 12"])
    hand.lay(uid(1), uid(2), uid(3))
    assert [str(of.card) for of in hand.state.tags.values()] == ["purple 12", "purple flag", "red 1"]
    hand.state = hand.state.skip()
    assert str(hand.state.asked) == "red 3"


def test_undo_takes_back_tag_by_tag_what_replaced_and_what_moved_too() -> None:
    hand = enrolling(ALL)
    before = hand.state.tags
    hand.state = hand.state.pick(DECK["red 3"])
    hand.lay(uid(70))
    hand.state = hand.state.pick(DECK["red 4"])
    hand.lay(uid(5), uid(5))
    assert hand.state.tags[uid(5)].card == DECK["red 4"] and DECK["red 6"] in hand.state.deck.missing
    hand.state = hand.state.undo()
    assert str(hand.state.asked) == "red 4"
    hand.state = hand.state.undo()
    assert hand.state.tags == before
    assert hand.state.undo().ruling.code == "no_undo"


def test_a_new_tag_takes_the_place_of_the_lost_one_but_flags_are_two() -> None:
    hand = enrolling(ALL)
    hand.state = hand.state.pick(DECK["blue 4"])
    assert hand.lay(uid(70)) == "enrolled"
    assert hand.state.deck.of(DECK["blue 4"]) == [uid(70)]
    flag = hand.state.deck.of(DECK["red flag"])
    hand.state = hand.state.pick(DECK["red flag"])
    assert hand.lay(uid(71)) == "enrolled"
    assert hand.state.deck.of(DECK["red flag"]) == [*flag, uid(71)]


def test_a_known_tag_is_named_with_its_deck_and_moves_only_when_laid_once_more() -> None:
    hand = enrolling(ALL, "other")
    assert hand.lay(uid(7)) == "taken"
    facts = hand.state.ruling.facts
    assert (str(facts["card"]), facts["deck"], str(facts["asked"])) == ("red 8", "box", "red 1")
    assert hand.state.tags == ALL
    hand.lay(uid(70))  # another one: the doubt is over
    assert hand.lay(uid(7)) == "taken"
    assert hand.lay(uid(7)) == "enrolled"
    assert hand.state.tags[uid(7)] == KnownTag(DECK["red 2"], "other")


def test_the_same_card_twice_says_so() -> None:
    hand = enrolling()
    hand.lay(uid(0))
    hand.state = hand.state.pick(DECK["red 1"])
    assert hand.lay(uid(0)) == "known"


def test_of_two_tags_laid_together_neither_counts() -> None:
    hand = enrolling()
    hand.lay(uid(0))
    hand.comes(uid(1))
    assert hand.comes(uid(2), after=60) == "two"
    assert list(hand.state.tags) == [uid(0)] and str(hand.state.asked) == "red 2"
    hand.goes(uid(1))
    assert hand.comes(uid(3)) == "two"  # the other one is still there
    hand.goes(uid(2))
    hand.goes(uid(3))
    assert hand.lay(uid(1)) == "enrolled"


def test_a_second_tag_on_one_that_has_long_been_read_leaves_it_enrolled() -> None:
    hand = enrolling()
    hand.comes(uid(0))
    assert hand.comes(uid(1), after=2000) == "two"
    assert list(hand.state.tags) == [uid(0)]


def test_two_readers_serve_at_once() -> None:
    hand = enrolling()
    hand.comes(uid(0), reader="red")
    assert hand.comes(uid(1), after=20, reader="blue") == "enrolled"
    assert len(hand.state.tags) == 2


def test_a_tag_that_reads_differently_is_not_trusted() -> None:
    hand = enrolling()
    hand.comes(uid(0))
    hand.goes(uid(0), after=100)
    assert hand.comes(uid(1), after=50) == "changed"
    assert not hand.state.tags
    hand.goes(uid(1))
    hand.comes(uid(0))
    assert hand.comes(uid(1), after=50) == "two"
    assert hand.goes(uid(0), after=60) == "changed"  # a reader goes on believing in a tag for some polls
    assert not hand.state.tags
    hand.goes(uid(1))
    assert hand.lay("08A1B2C3") == "random"
    assert not hand.state.tags


def test_during_a_game_every_known_card_is_reported_alike_and_keeps_its_tag() -> None:
    reported = []
    for tag in (uid(0), uid(30)):
        hand = Hand(deck.enrolment(ALL, "box", sealed=True).pick(DECK["red 1"]))
        for _ in range(2):
            hand.comes(tag)
            hand.goes(tag, errors=0.9)
        assert hand.state.tags == ALL and not hand.state.weak
        reported.append(hand.state.ruling)
    assert reported[0] == reported[1] and not reported[0].facts
    hand = Hand(deck.enrolment(ALL, "box", sealed=True).pick(DECK["red 1"]))
    assert hand.comes(uid(70)) == "enrolled"
    assert hand.goes(uid(70), errors=0.9) == "weak"  # it was named when it was picked


def test_a_tag_that_comes_and_goes_is_one_laying() -> None:
    hand = enrolling(ALL, "other")
    assert hand.comes(uid(0)) == "taken"
    hand.goes(uid(0), after=50)
    hand.comes(uid(0), after=50)  # not once more
    assert hand.state.tags == ALL


def test_a_weak_tag_is_flagged_by_its_error_rate_until_it_reads_well() -> None:
    hand = enrolling()
    hand.comes(uid(0))
    assert hand.goes(uid(0), errors=0.3) == "weak"
    assert hand.state.ruling.facts["percent"] == 30 and hand.state.weak == {uid(0)}
    hand.comes(uid(0))
    hand.goes(uid(0), errors=0.01)
    assert not hand.state.weak


# -- checking ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count", "some", "no"),
    [
        ("mercator", 50, "green 10", "green 12"), ("prokonsul", 50, "red 12", "red 10"), ("spartacus", 55, "red flag", "red 12"),
        ("caesar", 50, "blue flag", "blue 10"), ("hannibal", 10, "blue 5", "green 1"),
    ],
)  # fmt: skip
def test_each_game_says_which_cards_it_needs(name: str, count: int, some: str, no: str) -> None:
    cards = deck.needed(games.game(name))
    assert len(cards) == len(set(cards)) == count
    assert DECK[some] in cards and DECK[no] not in cards


@pytest.mark.parametrize("name", ["prokonsul", "spartacus", "caesar", "hannibal"])
def test_the_cards_of_a_game_are_those_of_its_hands(name: str) -> None:
    game = games.game(name)
    seats = game.fixed or game.colours[: game.seats[-1]]
    options = {option.name: option.default for option in game.options}
    board: Any = None
    if game.board:
        from companion.record.boards import shipped

        board = game.board(shipped(name))
    state = game.setup(Setup(tuple(seats), options, board))
    hands = {DECK[card] for seat in seats for card in game.view(state, seat)["private"]["hand"]}
    assert hands == set(deck.needed(game))


def test_a_check_names_what_is_missing_and_what_is_strange() -> None:
    tags = ALL | {uid(80): KnownTag(DECK["red 1"], "other")}
    hand = Hand(Check(tags, "box", games.game("hannibal")))
    by_card = {str(of.card): tag for tag, of in ALL.items()}
    for name in ("blue 5", "red 2", "red 2", "blue 1"):
        assert hand.comes(by_card[name], after=10) == "laid"  # in any order, and on one pile
    assert [hand.lay(tag) for tag in (uid(80), uid(90), by_card["red 7"])] == ["other_deck", "stranger", "not_played"]
    assert [str(card) for card in hand.state.missing] == [
        "red 1", "red 3", "red 4", "red 5", "blue 2", "blue 3", "blue 4",
    ]  # fmt: skip
    assert list(hand.state.strange) == [uid(80), uid(90), by_card["red 7"]]
    assert hand.goes(by_card["red 2"], errors=0.5) == "weak" and hand.state.weak == {by_card["red 2"]}


# -- the store and the evening ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("enrolled", "laid"), [("04A1B2C3", "04A1B2C3D4E5F6"), ("04A1B2C3D4E5F6", "04A1B2C3")])
def test_a_deck_of_a_reader_that_sees_half_a_tag_fits_no_other(enrolled: str, laid: str) -> None:
    (card,) = (card for card in DECK.values() if str(card) == "red 7")
    check = Check({enrolled: KnownTag(card, "box")}, "box", games.game("spartacus"))
    after = check.hear(Reading("centre", laid, True, 0))
    assert after.ruling and after.ruling.code == "half" and not after.laid
    stranger = check.hear(Reading("centre", "04FFB2C3D4E5F6", True, 0)).ruling
    assert stranger and stranger.code == "stranger"
    again = check.hear(Reading("centre", enrolled, True, 0))
    assert again.laid == {card}


def test_two_cards_that_a_reader_of_four_bytes_cannot_tell_apart_are_named() -> None:
    cards = [card for card in DECK.values() if str(card) in ("red 1", "red 2")]
    state = deck.enrolment({}, "box").hear(Reading("centre", "04A1B2C3", True, 0))
    state = state.hear(Reading("centre", "04A1B2C3", False, 900)).hear(Reading("centre", "04A1B2C3", True, 2_000))
    assert state.ruling and state.ruling.code == "taken" and "begins the same" in state.ruling.text
    assert [card for card in cards if card == state.asked] == [cards[1]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "store.sqlite3")
    yield store
    store.close()


def test_decks_outlive_the_program(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite3")
    deck.keep(store, {}, ALL)
    left = {tag: of for tag, of in ALL.items() if of.card.rank != FLAG} | {uid(0): KnownTag(DECK["blue 1"], "other")}
    deck.keep(store, ALL, left)
    store.close()
    again = Store(tmp_path / "store.sqlite3")
    try:
        assert deck.known(again.enrolled()) == left
        assert sorted(deck.names(deck.known(again.enrolled()))) == ["box", "other"]
    finally:
        again.close()


def test_a_tag_enrolled_in_mid_game_is_known_at_once_and_the_game_hears_nothing_meanwhile(store: Store) -> None:
    evening = Evening(store)
    evening.begin({"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"]})
    match_of(evening).act({"event": "pawns", "order": ["red", "blue", "green"]})
    match_of(evening).act({"event": "province", "province": "asia"})
    heard: list[Reading] = []
    evening.devices.listen = heard.append
    evening.devices.inbox.put(Reading("centre", uid(4), True, 1))
    evening.devices.inbox.put(Press("red", True, 2))
    evening.drain()
    assert len(heard) == 1 and "red" in match_of(evening).closed  # a fist is a level, and stays the table's
    evening.deck.enrol({uid(4): KnownTag(DECK["red 5"], "box")})
    evening.devices.listen = None
    evening.devices.inbox.put(Reading("centre", uid(4), True, 3))
    evening.drain()
    assert match_of(evening).session.view()["chosen"] == ["red"]
    evening.deck.enrol({})
    evening.devices.inbox.put(Reading("centre", uid(4), True, 4))
    evening.drain()
    assert match_of(evening).session.view()["chosen"] == ["red"] and uid(4) not in evening.deck.cards


def test_cards_laid_on_the_virtual_reader_are_enrolled_through_its_driver() -> None:
    words: SimpleQueue[Reading | Press | Health] = SimpleQueue()
    hours = count(0, 3_600_000)  # the reader's clock: nobody lays cards as fast as this test
    rig = VirtualRig(("red",), words.put, clock=lambda: next(hours))
    state = Enrolment({}, "box").pick(DECK["red 1"])
    try:
        for _ in range(3):
            tag = deck.blank(state.tags)
            rig.lay("centre", tag)
            for present in (True, False):
                word = words.get(timeout=20)
                assert isinstance(word, Reading) and word.present == present
                state = state.hear(word)
                if present:
                    rig.lift("centre", tag)
    finally:
        rig.close()
    assert [str(of.card) for of in state.tags.values()] == ["red 1", "red 2", "red 3"]


# -- the file ---------------------------------------------------------------------------------------------------


def test_a_deck_is_the_same_after_its_file(tmp_path: Path) -> None:
    tags = {tag: of.card for tag, of in ALL.items()} | {uid(70): DECK["red flag"], "01234567": DECK["red 1"]}
    (tmp_path / "box.yaml").write_text(file.dump(Deck('a "box": #1', tags)), encoding="utf-8")
    read = file.load(tmp_path / "box.yaml", {})
    assert (read.name, dict(read.tags)) == ('a "box": #1', tags)


@pytest.mark.parametrize("length", range(1, 33))
def test_any_enrolled_id_survives_its_file(length: int, capsys: pytest.CaptureFixture[str]) -> None:
    """FeliCa and ISO/IEC 15693 have eight bytes, tags for 125 kHz five; what lies on the reader is enrolled."""
    tags = [bytes([number] * length).hex().upper() for number in range(64, 124)]
    hand = Hand(deck.enrolment({}, "box"))
    hand.lay(*tags)
    with closing(Store(Path("data/tabularium/tabularium.sqlite3"))) as store:
        deck.keep(store, {}, hand.state.tags)
    assert main(["deck", "export", "box"]) == 0
    exported = capsys.readouterr().out
    assert all(f'"{tag}"' in exported for tag in tags)
    Path("box.yaml").write_text(exported, encoding="utf-8")
    assert main(["deck", "forget", "box"]) == main(["deck", "import", "box.yaml"]) == 0
    capsys.readouterr()
    assert main(["deck", "export", "box"]) == 0
    assert capsys.readouterr().out == exported


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200).filter(str.strip)


@given(name=NAMES, tags=st.lists(st.binary(min_size=1, max_size=32), min_size=1, max_size=500, unique=True))
@settings(max_examples=20, deadline=None)
def test_a_file_of_any_deck_is_read_as_it_was_written(name: str, tags: list[bytes]) -> None:
    """Whatever its name, with as many tags to a card as there are."""
    cards = list(DECK.values())
    written = Deck(name, {tag.hex().upper(): cards[at % len(cards)] for at, tag in enumerate(tags)})
    for text in (file.dump(written), "\ufeff" + file.dump(written), file.dump(written).replace("\n", "\r\n")):
        Path("box.yaml").write_bytes(text.encode())
        read = file.load(Path("box.yaml"), {})
        assert (read.name, dict(read.tags)) == (name, dict(written.tags))
        assert file.dump(read) == file.dump(written)


def test_five_hundred_of_the_longest_ids_fit_into_a_file() -> None:
    written = Deck("box", {f"{number:064X}": DECK["red flag"] for number in range(500)})
    Path("box.yaml").write_text(file.dump(written), encoding="utf-8")
    assert dict(file.load(Path("box.yaml"), {}).tags) == dict(written.tags)


@pytest.mark.parametrize("tag", ["", "4", "04A", "04 A1", "04G1", "ü", "04" * 33])
def test_invalid_tag_ids_are_refused(tag: str) -> None:
    status, out, err = run("enrol", "box", typed=lines(tag) + "done\n")
    assert status == 2 and "not the id of a tag" in err and "is now red 1" not in out
    Path("box.yaml").write_text(f'deck: box\ncards:\n  red 1: "{tag}"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"box\.yaml:3: .* is no tag"):
        file.load(Path("box.yaml"), {})


def test_a_deck_that_the_virtual_readers_cannot_lay_is_laid_with_other_tags(tmp_path: Path) -> None:
    """Its cards have ids of eight bytes: a table without hardware lays its own in their place."""
    (tmp_path / "box.yaml").write_text('deck: box\ncards:\n  red 1: "0102030405060708"\n', encoding="utf-8")
    assert main(["deck", "import", "box.yaml"]) == 0
    status, out, err = run("check", "hannibal", "--deck", "box", typed="lay red 1\nlay 0102030405060708\ndone\n")
    assert (status, err) == (1, "")
    assert "From the deck “virtual”: red 1" in out and "is neither a card nor the id of a tag" in out


def test_every_mistake_of_a_file_is_reported_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "box.yaml"
    path.write_text(
        'deck: box\ncards:\n  red 1: "04A1B2C3D4E5F6"\n  rde 2: "04A1B2C3D4E5F7"\n  red 3: 04111111\n  red 4: "04A"\n'
        f'  red flag:\n    - "04A1B2C3D4E5F8"\n    - "04a1b2c3d4e5f6"\n  blue 1: "{uid(3)}"\ncolour: red\n',
        encoding="utf-8",
    )
    with pytest.raises(ConfigError) as found:
        file.load(path, {uid(3): KnownTag(DECK["red 9"], "other"), "04A1B2C3D4E5F6": KnownTag(DECK["red 1"], "box")})
    reported = [line.removeprefix(f"{path}:").partition(": ")[::2] for line in found.value.lines]
    assert [line for line, _ in reported] == ["4", "5", "6", "9", "10", "11"]
    for (_, what), word in zip(
        reported, ("'red 2'", "quotes", "no tag", "red 1's already", "'other'", "unknown key"), strict=True
    ):
        assert word in what


@pytest.mark.parametrize("text", ["", "7\n", "deck: box\n", "deck: box\ncards: {}\n", "deck: 7\ncards: []\n"])
def test_a_file_that_is_no_deck_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "box.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"box\.yaml:\d+: "):
        file.load(tmp_path / "box.yaml", {})


# -- the command line -------------------------------------------------------------------------------------------


def test_a_deck_is_enrolled_checked_and_forgotten_in_a_terminal(tmp_path: Path, capsys: Any) -> None:
    typed = lines(uid(1)) + "Blue 1\n" + lines(*map(uid, range(20, 26)), begin=5000) + "undo\nblu 2\ndone\nred 9\n"
    status, out, err = run("enrol", "box", typed=typed)
    assert (status, err) == (0, "")
    reported = [line for line in out.splitlines() if not line.startswith("(On the virtual table")]
    assert reported[0].startswith("Lay red 1 (0 of 60 done).")
    assert reported[1] == f"Tag {uid(1)} is now red 1. Lay red 2 (1 of 60 done)."
    assert (
        reported[2] == "Lay blue 1 (1 of 60 done)." and reported[9] == "Taken back: blue 6. Lay blue 6 (6 of 60 done)."
    )
    assert "did you mean 'blue 2'?" in reported[10] and reported[11] == "box: 6 of 60 cards; enough for no game yet."

    typed = lines(uid(20), uid(1), uid(99)) + "done\n"
    status, out, err = run("check", "hannibal", "--deck", "box", typed=typed)
    assert (status, err) == (1, "")
    assert "Missing: red 2, 3, 4, 5; blue 2, 3, 4, 5." in out and out.splitlines()[-1].startswith("Tag ")

    assert main(["deck", "list"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["box", "virtual"]
    assert main(["deck", "export", "box"]) == 0
    exported = capsys.readouterr().out
    assert main(["deck", "forget", "bxo"]) == 2
    assert "did you mean 'box'?" in capsys.readouterr().err
    assert main(["deck", "forget", "box"]) == 0
    assert capsys.readouterr().out == "Tags forgotten: 6.\n"
    (tmp_path / "box.yaml").write_text(exported, encoding="utf-8")
    assert main(["deck", "import", "box.yaml"]) == 0
    assert capsys.readouterr().out == "box: 6 of 60 cards; enough for no game yet.\n"
    (tmp_path / "box.yaml").write_text(exported.replace("red 1", "red 11"), encoding="utf-8")
    assert main(["deck", "import", "box.yaml"]) == 2
    assert capsys.readouterr().err.startswith("box.yaml:3: ")


def test_on_the_virtual_table_cards_are_laid_by_typing() -> None:
    typed = "lay\nlay red 9\nlay red 9\nundo\nblue 3\nlay 04ffffffffffff, \nlay rde 9\nlya\nlay 08A1B2C3\n"
    status, out, err = run("enrol", "box", typed=typed)
    assert (status, err) == (0, "")
    _, hint, *reported = out.splitlines()
    assert "lay red 7" in hint
    assert reported[0] == "Tag 04B10000000001 is now red 1. Lay red 2 (1 of 60 done)."
    assert reported[1].startswith("That is already red 9 of the deck “virtual”. Meant for red 2?")
    assert reported[2].endswith("is now red 2. Lay red 3 (2 of 60 done).")
    assert reported[3].startswith("Taken back: red 2. Lay red 2") and reported[4].startswith("Lay blue 3")
    assert reported[5].startswith("Tag 04FFFFFFFFFFFF is now blue 3. Lay blue 4")
    assert reported[6].endswith("is now blue 4. Lay blue 5 (3 of 60 done).")
    assert (
        "did you mean 'red 9'?" in reported[7]
        and "did you mean 'lay'?" in reported[8]
        and "changes its number" in reported[9]
    )
    assert reported[10:] == ["box: 3 of 60 cards; enough for no game yet."]


def test_on_the_virtual_table_a_check_lays_the_cards_that_are_named() -> None:
    status, out, err = run(
        "check", "hannibal", "--deck", "virtual", typed="red 1, red  2\nlay blue 9\nlay\nblu 1\ndone\n"
    )
    assert (status, err) == (1, "")
    reported = out.splitlines()[1:]
    assert reported[1:3] == ["Found: red 1. 9 to go.", "Found: red 2. 8 to go."]
    assert reported[3].startswith("Not used in Hannibal") and reported[4].startswith("Tag 04B1")
    assert "did you mean 'blue 1'?" in reported[5] and reported[6] == "Missing: red 3, 4, 5; blue 1, 2, 3, 4, 5."


class Slow(Memory):
    """A disk that has not answered."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def enrol(self, tag: str, card: str, deck: str) -> int:
        super().enrol(tag, card, deck)
        self.asked += 1
        return self.asked


def test_a_tag_is_shown_as_enrolled_when_the_disk_has_it() -> None:
    store = Slow()
    evening = Evening(store)
    evening.deck.enrol(
        {**evening.deck.tags, uid(1): KnownTag(DECK["red 1"], "box"), uid(2): KnownTag(DECK["red 2"], "box")}
    )
    evening.deck.enrol(evening.deck.tags)  # nothing new: what was waited for still is
    store.safe = 1
    assert not evening.drain() and not evening.deck.settled
    store.safe = 2
    assert evening.deck.settled
    assert evening.drain(), "there is something to paint"
    assert not evening.drain()


def test_a_failing_disk_is_reported_and_not_waited_for() -> None:
    store = Slow()
    evening = Evening(store)
    evening.deck.enrol({**evening.deck.tags, uid(1): KnownTag(DECK["red 1"], "box")})
    store.trouble = "the disk is full"
    assert evening.deck.settled and evening.trouble


def test_the_terminal_speaks_when_the_disk_has_it_or_is_ill(capsys: pytest.CaptureFixture[str]) -> None:
    store, news = Slow(), Event()
    book = Book(store, news)
    writing = Thread(target=book.keep, args=({**book.tags, uid(1): KnownTag(DECK["red 1"], "box")},))
    writing.start()
    news.set()  # of something else
    store.safe = 1
    news.set()
    writing.join(10)
    assert not writing.is_alive() and not capsys.readouterr().err
    store.trouble = "the disk is full"
    book.keep({**book.tags, uid(2): KnownTag(DECK["red 2"], "box")})
    assert capsys.readouterr().err == "Not saved yet: the disk is full\n"


def test_a_whole_check_ends_well_and_a_wrong_line_does_not() -> None:
    from companion.cli.virtual import virtual_deck

    cards = virtual_deck()
    tags = [cards[f"{colour} {rank}"] for colour in ("red", "blue") for rank in range(1, 6)]
    status, out, _ = run("check", "hannibal", typed=lines(*tags))
    assert (status, out.splitlines()[-1]) == (0, "All cards of Hannibal gegen Rom are there.")
    status, _, err = run("check", "hannibal", typed='# a comment\n\n{"reader": "centre", "tga": "04"}\n')
    assert status == 2
    assert err.splitlines()[0].startswith("-:3: ")
    status, _, err = run("check", "hannibal", "--deck", "box")
    assert (status, err) == (2, "there is no deck 'box'; enrolled here: virtual\n")


@pytest.mark.parametrize("command", ["enrol", "check", "list", "forget", "export", "import"])
def test_every_deck_command_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["deck", command, "--help"])
    assert f"Example: tabularium deck {command}" in capsys.readouterr().out


def test_what_is_typed_has_a_size() -> None:
    typed = "x" * 2_500_000 + "\n" + '{"reader": "' + "x" * 1_500_000
    status, out, err = run("enrol", "box", typed=typed)
    assert "'xxxxxxxxx" in out and max(map(len, out.splitlines())) < 300
    assert (status, err) == (2, "-:2: a line has at most 1,000,000 characters, not 1,000,001\n")


def test_a_deck_cannot_have_a_name_that_nobody_could_read() -> None:
    for name in ("\udcff\udcfe", "x" * 201):
        assert run("enrol", name) == (2, "", "a deck's name is a text of at most 200 characters\n")
