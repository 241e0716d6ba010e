"""Law 2 on the wire: what leaves the table is what everybody at it may know, and enough to play the game through."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.simulate import table
from companion.games import position_of
from companion.hall._sending import Sending
from companion.hall._wire import read
from companion.hall.public import header_of, told, transcript
from companion.record.store import Store
from companion.record.transcript import Header, dump_event, dump_header, event_data, parse, read_event, read_header
from companion.rules import Amend, Choose, Decide, Event, Reveal, Seat, as_json
from companion.rules.cards import DECK, Card
from companion.session import Session
from companion.session.receipt import Receipt
from companion.session.receipt import chosen as lying
from tests.support.hall_tables import until
from tests.support.sent import Payload, payloads, played
from tests.support.states import disguises, some, travel
from tests.support.tables import FEW, SOME, times
from tests.support.twins import fits_not, pair, table_event


def replayed(header: Header, of: Sequence[Payload]) -> Session:
    """The game that the public transcript tells."""
    first, *lines = transcript(header_of(header, names=True), of)
    again = read_header(parse(first))
    session = Session(again.game, again.setup)
    for line in lines:
        receipt = session.receive(read_event(again, parse(line)).event)
        assert receipt.ok, (line, receipt.rulings)
    return session


@pytest.mark.parametrize(("name", "seats", "options"), SOME)
def test_the_public_transcript_plays_to_the_same_views(name: str, seats: int, options: dict[str, Any]) -> None:
    header = table(games.game(name), seats, options)
    rng = Random(f"{name} {seats} {options}")
    for _ in range(times(1, 10)):
        receipts = list(played(header, rng))
        out = payloads(receipts)
        looks = [at for at, receipt in enumerate(receipts) if isinstance(receipt.event, Reveal)]
        over = [at for at, receipt in enumerate(receipts) if receipt.view["over"]]
        for at in {*rng.sample(looks, min(12, len(looks))), *over[-3:]}:
            assert replayed(header, out[: at + 1]).view() == receipts[at].view
        for at in rng.sample(range(len(receipts)), min(5, len(receipts))):
            if not lying(receipts[at].last):
                assert replayed(header, out[: at + 1]).view() == receipts[at].view


@pytest.mark.parametrize(("name", "seats", "options"), SOME)
def test_without_a_word_of_the_table_the_transcript_is_the_game(name: str, seats: int, options: dict[str, Any]) -> None:
    header, events, _ = travel(name, seats, options)
    session = Session(header.game, header.setup)
    receipts = [session.receive(event) for event in events]
    _, *lines = transcript(header_of(header, names=True), payloads(receipts))
    left = [parse(line) for line in lines]
    assert [event for event in left if event["event"] != "choose"] == [
        json.loads(json.dumps(event_data(event))) for event in events if not isinstance(event, Choose)
    ]
    assert replayed(header, payloads(receipts)).view() == session.view()


# -- nothing hidden -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["prokonsul", "caesar", "hannibal"])
def test_a_choice_goes_out_without_its_card_until_the_reveal(name: str) -> None:
    """Whatever lies face down: the same payloads for every card that could lie there, until it is turned up."""
    header = table(games.game(name), games.game(name).seats[0], dict(games.game(name).defaults))
    rng, tried = Random(name), 0
    for receipts in (list(played(header, rng)) for _ in range(times(6, 60))):
        out = payloads(receipts)
        for at, receipt in enumerate(receipts):
            if isinstance(receipt.event, Choose):
                assert out[at]["event"] == {"event": "choose", "seat": receipt.event.seat}
                assert not {"cards", "turned"} & out[at].keys()
                assert str(receipt.event.card) not in json.dumps(out[at])
                tried += 1
            if isinstance(receipt.event, Reveal):
                said = json.dumps([as_json(ruling.facts) for ruling in receipt.public])
                for seat, card in out[at]["cards"].items():  # everybody hears of it at once, in Prokonsul by its rank
                    assert f'"{card}"' in said or f'"{seat}": {DECK[card].rank}' in said or "flag" in card
    assert tried


@pytest.mark.parametrize("name", ["prokonsul", "caesar", "hannibal"])
def test_replaced_and_undone_cards_are_never_published(name: str) -> None:
    """The same game with other cards in every choice that nobody has seen publishes the very same."""
    header = table(games.game(name), games.game(name).seats[0], dict(games.game(name).defaults))
    rng, tried = Random(f"covered {name}"), 0
    for receipts in (list(played(header, rng, 120)) for _ in range(times(6, 80))):
        seen = turned_up(receipts)
        for at, receipt in enumerate(receipts):
            if not isinstance(receipt.event, Choose) or receipt.number in seen:
                continue
            state = receipt.before.state if receipt.before else Session(header.game, header.setup).opening
            others = [e for of in header.game.legal(state) for e in of if isinstance(e, Choose)]
            others = [e for e in others if e.seat == receipt.event.seat and e != receipt.event]
            if others and tried < times(30, 400):
                disguise = list(again(header, receipts, at, rng.choice(others)))
                if len(disguise) == len(receipts):
                    assert payloads(disguise) == payloads(receipts)
                    tried += 1
    assert tried


def turned_up(receipts: Sequence[Receipt]) -> set[int]:
    """Choices whose card lay open at any moment, by number."""
    return {
        act.number for receipt in receipts if isinstance(receipt.event, Reveal | Amend)
        for act in opened(receipt.last)
    }  # fmt: skip


def opened(last: Receipt | None) -> Iterator[Receipt]:
    act, lies = last, False
    while act is not None:
        lies = lies or isinstance(act.event, Reveal)
        if lies and isinstance(act.event, Choose):
            yield act
        act = act.before


def again(header: Header, receipts: Sequence[Receipt], at: int, instead: Event) -> Iterator[Receipt]:
    """The same acts with one that was another; ends where the game goes another way."""
    session = Session(header.game, header.setup)
    for number, receipt in enumerate(receipts):
        assert receipt.event
        came = session.receive(instead if number == at else receipt.event, at=receipt.at)
        if not came.ok:
            return
        yield came


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_other_hidden_things_and_the_same_words_publish_the_same(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    """The disguises of law 2: what the table says of them leaves it in the same words."""
    header, _, states = travel(name, seats, options)
    rng, tried = Random(f"wire {name} {options}"), 0
    for state in some(states, 8):
        for disguise in disguises(header.game, state) if not header.game.view(state)["over"] else ():
            both = pair(name, seats, options, state, disguise)
            for _ in range(8):
                lasts = [session.last for session in both]
                event = table_event(both[0], rng)
                receipts = [session.receive(event) for session in both]
                if receipts[0].ok != receipts[1].ok:
                    assert fits_not(*receipts)
                    break
                if receipts[0].ok:
                    one, other = (next(told([r], last)) for r, last in zip(receipts, lasts, strict=True))
                    assert one[1] == other[1] and one[0].view == other[0].view
                    tried += 1
    assert tried or name == "spartacus"


def test_a_decision_goes_out_without_purses_hands_and_cards_face_down() -> None:
    for name in games.NAMES:
        header = table(games.game(name), games.game(name).seats[0], dict(games.game(name).defaults))
        session = Session(header.game, header.setup)
        for key in position_of(name).secret:
            for seat in header.seats:
                event = Decide("So.", {key: {seat: 3 if key == "chips" else []}} if key != "choice" else {key: {}})
                receipt = session.receive(event)
                if receipt.ok:
                    ((_, payload),) = told([receipt], receipt.before)
                    assert payload["event"] == {"event": "decide", "words": "So.", "change": {}}
                    assert payload["untold"] is True


def test_a_header_leaves_its_tags_its_position_its_ears_and_unless_asked_its_names_behind() -> None:
    data = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"], "players": {"red": "Anna"},
            "tags": {"04A1": "red 7"}, "ears": ["blue"], "at": "2026-11-22T20:00:00+01:00"}  # fmt: skip
    header = read_header(data)
    assert header_of(header, names=True)["players"] == {"red": "Anna"}
    assert "Anna" not in json.dumps(header_of(header, names=False))
    assert not {"tags", "position", "ears"} & header_of(header, names=True).keys()


def test_a_decision_that_fits_in_no_message_goes_out_in_words_and_the_game_goes_on(tmp_path: Path) -> None:
    change = {"played": {"red": ["red 7"] * 500}, "counters": dict.fromkeys((f"x{at}" * 40 for at in range(900)), 1)}
    lines = [(dump_event(Decide("So.", {})), None, None), (dump_event(Decide("Then so.")), None, None)]
    with closing(Store(tmp_path / "store.sqlite3")) as store:
        header = table(games.game("prokonsul"), 3)
        game = store.begin(dump_header(header), "2026-11-22T20:00:00+01:00")
        for number, (event, by, at) in enumerate(lines, 1):
            store.append(game, number, event, by, at)
        until(lambda: store.saved)
        sending = Sending(store.games()[0])
        assert sending.read_on(store.path)
        large = {"number": 1, "event": {"event": "decide", "words": "So.", "change": change}, "at": None, "codes": []}
        assert read("event", sending._event(large), "1")["event"] == {"event": "decide", "words": "So."}
        assert len(sending.events) == 2 and not sending.broken


def test_a_name_that_is_longer_than_a_board_is_wide_is_cut() -> None:
    header = read_header({"tabularium": 1, "game": "spartacus", "seats": ["red", "blue", "green"],
                          "players": {"red": "A" * 150, "blue": ""}})  # fmt: skip
    assert header_of(header, names=True)["players"] == {"red": "A" * 80}


def test_cards_that_a_decision_took_up_lie_there_no_more() -> None:
    last: Receipt | None = None
    line: list[Event] = [Choose("green", DECK["red 3"]), Decide("Anew.", {}), Choose("red", DECK["red 5"]),
                         Decide("Only words."), Choose("blue", DECK["red 7"])]  # fmt: skip
    for number, event in enumerate(line, 1):
        last = Receipt(True, event, number=number, before=last)
    assert lying(last) == {"red": DECK["red 5"], "blue": DECK["red 7"]}


@pytest.mark.parametrize("name", ["prokonsul", "caesar", "hannibal"])
def test_a_choice_that_was_replaced_is_told_by_no_amendment(name: str) -> None:
    """Not even by one that takes back what replaced it."""
    header = table(games.game(name), games.game(name).seats[0], {})
    session, rng = Session(header.game, header.setup), Random(name)

    def hand(seat: Seat) -> list[Card]:
        return [DECK[str(card)] for card in session.view(seat)["private"]["hand"]]

    while not (chooses := [moves for moves in session.legal() if moves.event is Choose]):
        session.receive(rng.choice(session.legal()).pick(rng.choice))
    seats = list(dict.fromkeys(seat for moves in chooses for seat in moves.values["seat"]))
    seat, other, *rest = seats
    first, then, *_ = hand(seat)
    receipts = [session.receive(Choose(seat, card)) for card in (first, then)]
    receipts += [session.receive(Choose(of, hand(of)[0])) for of in (other, *rest)]
    receipts.append(session.receive(Reveal()))
    assert all(receipt.ok for receipt in receipts)
    instead = Choose(other, receipts[2].event.card)  # type: ignore[union-attr]
    amended = session.receive(Amend(receipts[1].number, instead))
    assert amended.ok
    said = [payload for _, payload in told([amended], receipts[-1].last)]
    assert f'"{first}"' not in json.dumps([as_json(said), as_json(session.view())])
