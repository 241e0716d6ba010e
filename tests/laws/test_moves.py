"""What goes where on the real table can be carried out by hands that know what everybody knows, and no more (T-11)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli import main
from companion.cli.simulate import table
from companion.games import position_of
from companion.record.transcript import Header, read_event, read_header
from companion.rules import Amend, Choose, Decide, Event, Redo, Reveal, Undo
from companion.rules.cards import DECK
from companion.rules.layout import Move, moves, whose
from companion.rules.vocabulary import CARD
from companion.session import Session
from companion.session._followed_cards import followed
from companion.session.correction import anew
from companion.session.receipt import Receipt, unseen
from tests.support.amending import some_event
from tests.support.paths import TESTS
from tests.support.positions import after_moves, pieces
from tests.support.tables import FEW, times

CASES = TESTS / "moves"

Flow = tuple[int, str, str, str]
SAID: dict[str, list[Flow]] = {
    "mercator-lot-left": [(1, "blue 3", "lot", "pile"), (1, "red 7", "box", "lot")],
    "hannibal-wrong-hand": [
        (1, "blue fleet", "box", "sardinia-carthago"), (1, "red fleet", "box", "sardinia-carthago"),
        (1, "card", "aside blue", "hand blue"), (1, "card", "aside blue", "sealed blue"),
        (2, "card", "aside red", "hand red"),
    ],
    "hannibal-sealed": [
        (1, "blue fleet", "sardinia-carthago", "rome-corsica"), (1, "red fleet", "box", "sardinia-carthago"),
        (1, "card", "aside blue", "hand blue"), (1, "card", "sealed blue", "hand blue"),
        (1, "card", "aside red", "hand red"),
    ],
    "hannibal-one-too-many": [
        (1, "red fleet", "corsica-sardinia", "sardinia-carthago"), (1, "blue legion", "box", "rome"),
        (1, "blue legion", "box", "gallia"), (3, "card", "hand blue", "aside blue"), (3, "card", "hand red", "aside red"),
    ],
    "mercator-empty-pile": [(1, "red 6", "lot", "box"), (1, "green 6", "box", "lot")],
    "prokonsul-still-in-used": [
        (1, f"{seat} {rank}", f"before {seat}", f"hand {seat}")
        for seat, rank in (("yellow", 6), ("purple", 6), ("green", 8), ("blue", 6), ("red", 6))
    ],
    "prokonsul-replaced-amended": [
        (1, "red 9", "before red", "hand red"), (1, "blue 5", "before blue", "sealed blue"),
        (1, "green 5", "before green", "sealed green"),
    ],
    "spartacus-named": [
        (1, "purple 4", "trick", "taken"), (1, "red 2", "trick", "taken"), (1, "blue 1", "trick", "hand blue"),
        (1, "blue 9", "hand blue", "trick"), (1, "purple 3", "hand purple", "trick"),
    ],
    "spartacus-known-flag": [
        (1, "red 5", "trick", "hand red"), (1, "red 9", "taken", "trick"), (1, "blue 8", "taken", "trick"),
        (1, "green 7", "taken", "trick"), (1, "red 1", "hand red", "trick"), (1, "red flag", "taken", "hand red"),
    ],
}  # fmt: skip
SEEN = {
    "hannibal-seen": {"blue 4", "red 2"},
    "prokonsul-seen": {"red 12", "blue 6", "green 5"},
    "spartacus-seen": {"red 1"},
}


def told(name: str) -> Mapping[str, Any]:
    """The facts of the ruling of the last line."""
    *_, last = (json.loads(line) for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    *_, step = lines(name)
    assert step["event"]["event"] == last["event"]
    facts: Mapping[str, Any] = step["rulings"][0]["facts"]
    return facts


def lines(name: str) -> Iterator[Any]:
    out = BytesIO()
    with redirect_stdout(TextIOWrapper(out, write_through=True)):
        assert main(["replay", str(CASES / f"{name}.jsonl"), "--json", "--layout"]) == 0
        yield from map(json.loads, out.getvalue().splitlines())


@pytest.mark.parametrize("name", SAID)
def test_announced_moves_of_pieces(name: str) -> None:
    found = [(move["count"], move["piece"], move["from"], move["to"]) for move in told(name)["moves"]]
    assert sorted(found) == sorted(SAID[name])


@pytest.mark.parametrize("name", SEEN)
def test_revealed_cards_that_moved_count_as_seen(name: str) -> None:
    assert set(told(name)["seen"]) == SEEN[name]


def test_announcements_do_not_depend_on_a_replaced_card() -> None:
    (one, other) = ([*lines(f"hannibal-replaced-{which}")] for which in "ab")
    assert [step["rulings"] for step in one] == [step["rulings"] for step in other]


def test_a_card_that_was_replaced_never_comes_up() -> None:
    facts = told("prokonsul-replaced-amended")
    assert (facts["kept"], facts["fallen"], facts["because"]["code"]) == (2, 1, "missing")
    *_, step = lines("prokonsul-replaced-amended")
    assert "red 2" not in json.dumps(step["rulings"]) and not step["view"]["holds"]


def test_an_amendment_names_the_card_that_was_turned_up() -> None:
    assert told("hannibal-was")["was"] == {"event": "choose", "seat": "blue", "card": "blue 2"}


def test_the_fewest_counters_are_carried() -> None:
    assert len(told("caesar-fewest")["moves"]) == 4


def test_an_undone_decision_and_amendment_are_named_without_their_old_instructions() -> None:
    said = [
        step["rulings"][0]["text"]
        for step in lines("prokonsul-decide-undone")
        if step["event"] and step["event"]["event"] == "undo"
    ]
    assert said[0].startswith("Taken back: The table decides: “x”") and all(
        text.count("On the table") <= 1 for text in said
    )
    *_, step = lines("spartacus-named")
    undone = step["rulings"][0]["text"]
    assert undone.startswith("Correction taken back: Blue played blue 1") and undone.count("On the table") == 1


# -- the law -------------------------------------------------------------------------------------------------------


def lies(session: Session) -> dict[str, str]:
    """Return where each card really is, by hands, what lies face down and what lies open: the cards that are nowhere
    there have been put aside or taken. In Mercator nobody knows which cards are in the pile, and they are left out."""
    game, setup = session.game, session.setup
    found: dict[str, str] = {}
    for seat in setup.seats:
        own = session.view(seat)["private"]
        found |= {str(card): f"hand {seat}" for card in own.get("hand", ())}
        if own.get("choice"):
            found[str(own["choice"])] = f"sealed {seat}"
    lying = position_of(game.name).layout(session.view(), setup.options)
    found |= {piece: place for place, of in lying.items() for piece in of if piece in DECK}
    if game.name != "mercator":
        every = {str(card): seat for seat in setup.seats for card in game.cards(setup.options, seat)}
        gone = {card: "taken" if game.name == "spartacus" else f"aside {seat}" for card, seat in every.items()}
        found = {card: place for card, place in gone.items() if card not in found} | found
        counts = Counter(place for card, place in found.items() if card not in lying.get(place, {}))
        assert counts == {place: of[CARD] for place, of in lying.items() if CARD in of}
    return found


def acted(session: Session, rng: Random) -> Event:
    """Return a random act with undo, redo, amendments and decisions; some of these make public parts what they were."""
    event = some_event(session, rng)
    if isinstance(event, Decide) and session.acts and rng.random() < 0.5:
        game = session.game
        then, now = (position_of(game.name).written(state) for state in (rng.choice(session.acts).state, session.state))
        hidden = {*position_of(game.name).secret, "choice", "taken"}
        event = Decide("As it was.", {key: then[key] for key in then.keys() - hidden if then[key] != now.get(key)})
    return event


Turn = tuple[Session, dict[str, str], Any, Receipt]


def turns(name: str, seats: int, options: dict[str, Any], seed: int) -> Iterator[Turn]:
    """Yield what turns to another line of acts in a random game, each with the table as it was before."""
    header = table(games.game(name), seats, options)
    session, rng = Session(header.game, header.setup), Random(f"{name} {options} {seed}")
    for _ in range(80):
        really, before = lies(session), position_of(header.game.name).layout(session.view(), header.options)
        receipt = session.receive(acted(session, rng))
        if receipt.ok and isinstance(receipt.event, Undo | Redo | Amend | Decide):
            yield session, really, before, receipt


def carry(really: Mapping[str, str], found: Sequence[Move]) -> tuple[dict[str, str], Counter[tuple[str, str, str]]]:
    """Carry out what is said by name; return where the cards are then, and how many of each colour go unnamed from
    where to where. What a seat has in its hand and what it has laid face down it alone knows: to it they are one."""
    at, unnamed = dict(really), Counter[tuple[str, str, str]]()
    for move in found:
        if move.piece in DECK:
            assert own(at.get(move.piece, move.from_)) == own(move.from_), "it lies where it is taken from"
            at[move.piece] = move.to
        elif move.piece == CARD:
            unnamed[whose(move.from_) or whose(move.to) or "", own(move.from_), own(move.to)] += move.count
    return at, Counter({flow: count for flow, count in unnamed.items() if flow[1] != flow[2]})


def own(place: str) -> str:
    return place.replace("sealed", "hand")


FIVE = [at for at in FEW if at.values[0] in ("mercator", "prokonsul", "spartacus", "caesar", "hannibal")]
"""Of a sixth game nobody here knows where its cards lie."""


@pytest.mark.parametrize("seed", range(times(4, 50)))
@pytest.mark.parametrize(("name", "seats", "options"), FIVE)
def test_hands_can_do_what_is_said_and_no_card_touches_another_hand(
    name: str, seats: int, options: dict[str, Any], seed: int
) -> None:
    for session, really, before, receipt in turns(name, seats, options, seed):
        found: list[Move] = [move for move in receipt.rulings[0].facts["moves"] if move.piece != "chip"]
        now, after = lies(session), position_of(session.game.name).layout(session.view(), session.setup.options)
        assert after_moves(before, found) == {place: pieces({place: of}) for place, of in after.items()}
        named = [move for move in found if move.piece in DECK]
        assert len(named) == len({move.piece for move in named}), "each card goes once"
        for move in named:
            hands = [at for at in (move.from_, move.to) if at.startswith(("hand", "sealed", "aside"))]
            assert all(whose(at) == move.piece.split()[0] for at in hands), move
        for move in (move for move in found if move.piece == CARD):
            assert whose(move.from_) in (whose(move.to), None) or whose(move.to) is None, move
        assert sum(move.from_ == "pile" for move in named) <= before.get("pile", {}).get(CARD, 0), (
            "no more than there are"
        )
        at, unnamed = carry(really, found)
        if isinstance(receipt.event, Decide):
            continue  # it may change hands that nobody else knows
        differ = [(card, at[card], now[card]) for card in at.keys() & now.keys() if own(at[card]) != own(now[card])]
        if name == "mercator":
            assert not differ
        else:
            assert Counter((card.split()[0], own(one), own(other)) for card, one, other in differ) == unnamed


def said(receipt: Receipt) -> Any:
    """Everything that everybody is told of an event."""
    return receipt.ok, [(ruling.code, ruling.text, dict(ruling.facts)) for ruling in receipt.public]


@pytest.mark.parametrize(
    ("name", "seats", "options"), [at for at in FEW if at.values[0] in ("caesar", "hannibal", "prokonsul")]
)
def test_a_card_that_nobody_sees_changes_nothing_that_is_said(name: str, seats: int, options: dict[str, Any]) -> None:
    header = table(games.game(name), seats, options)
    rng = Random(f"{name} {options}")
    assert sum(twice(header, rng) for _ in range(times(5, 50))) > 5


def twice(header: Header, rng: Random) -> int:
    """Play the same events twice, the second time with other cards face down wherever they are replaced, taken up or
    left; return how many were others."""
    one, other = (Session(header.game, header.setup) for _ in range(2))
    receipts: list[Receipt] = []
    shown: set[int] = set()
    for _ in range(80):
        receipts.append(one.receive(acted(one, rng)))
        hidden = {number for numbers in unseen(one.acts) for number in numbers}
        shown |= {act.number for act in one.acts if act.number not in hidden}
    shown |= {receipt.event.act for receipt in receipts if isinstance(receipt.event, Amend) and receipt.ok}
    changed = 0
    for receipt in receipts:
        event = receipt.event
        assert event
        if isinstance(event, Choose) and receipt.ok and receipt.number not in shown:
            tried = [move.pick(rng.choice) for move in other.legal() for _ in range(4)]
            event = next((one for one in tried if isinstance(one, Choose) and one.seat == event.seat), event)
            changed += event != receipt.event
        assert said(other.receive(event)) == said(receipt), event
    return changed


@pytest.mark.parametrize(("name", "seats", "options"), FEW)
def test_everything_that_was_turned_up_and_is_taken_back_has_been_seen(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    header = table(games.game(name), seats, options)
    session, rng = Session(header.game, header.setup), Random(f"{name} {options}")
    for _ in range(60):
        legal = session.legal()
        if not legal:
            break
        session.receive(rng.choice(legal).pick(rng.choice))
    shown = set()
    for act in session.acts:
        cards = session_cards(act)
        shown |= {str(card) for card in cards}
    told = session.receive(Undo(0)).rulings[0].facts.get("seen", ())
    assert shown - {str(card) for card in told} <= set(), "all of it goes back face down"


def session_cards(act: Receipt) -> list[Any]:
    """The cards that an act turned up: those that were laid and are revealed, or the one that was played."""
    if isinstance(act.event, Reveal):
        chosen: dict[str, Any] = {}
        before = act.before
        while before and not isinstance(before.event, Reveal):
            if before.verb == "choose":
                chosen.setdefault(before.event.seat, before.event.card)  # type: ignore[union-attr]
            before = before.before
        return list(chosen.values())
    card = getattr(act.event, "card", None)
    return [card] if card and act.verb != "choose" else []


def test_the_fewest_moves_of_one_piece() -> None:
    """By trying all ways of putting the places into groups, for small numbers."""
    rng = Random(4)
    for _ in range(60):
        gone = {f"square a{at}": {"counter": rng.randint(1, 4)} for at in range(rng.randint(1, 4))}
        whole = sum(of["counter"] for of in gone.values())
        come: dict[str, dict[str, int]] = {}
        while whole:
            count = rng.randint(1, min(4, whole))
            come[f"square b{len(come)}"] = {"counter": count}
            whole -= count
        found = list(moves(gone, come))
        assert after_moves(gone, found) == {place: pieces({place: of}) for place, of in come.items()}
        counts = [of["counter"] for of in gone.values()] + [-of["counter"] for of in come.values()]
        assert len(found) == len(counts) - most_groups(tuple(counts))


def most_groups(counts: tuple[int, ...]) -> int:
    if not counts:
        return 0
    first, rest = counts[0], counts[1:]
    best = 0
    for mask in range(1 << len(rest)):
        taken = [rest[at] for at in range(len(rest)) if mask >> at & 1]
        if first + sum(taken) == 0:
            left = tuple(rest[at] for at in range(len(rest)) if not mask >> at & 1)
            best = max(best, 1 + most_groups(left))
    return best


def test_cards_out_of_the_game_and_tricks_are_counted_by_colour() -> None:
    before = {"hand red": {CARD: 3}, "hand blue": {CARD: 2}, "taken": {CARD: 4}}
    after = {"hand red": {CARD: 2}, "hand blue": {CARD: 4}, "taken": {CARD: 3}}
    found = Counter({(move.from_, move.to): move.count for move in moves(before, after)})
    assert found == {("hand red", "taken"): 1, ("taken", "hand blue"): 2}


# -- what it stands on ---------------------------------------------------------------------------------------------


def played(header: dict[str, Any], *events: dict[str, Any]) -> Session:
    of = read_header(header)
    session = Session(of.game, of.setup)
    for event in events:
        assert session.receive(read_event(of, event).event).ok, event
    return session


def lying_down(session: Session) -> Mapping[str, str]:
    first = position_of(session.game.name).layout(session.game.view(session.opening), session.setup.options)
    return followed(session.game, session.setup, first, session.last)


def chooses(seat: str, rank: int) -> dict[str, Any]:
    return {"event": "choose", "seat": seat, "card": f"{seat} {rank}"}


FLEET = {"event": "move", "seat": "blue", "piece": "fleet", "from": "rome-corsica", "to": "sardinia-carthago"}


def test_cards_that_everybody_can_follow() -> None:
    hannibal = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"]}
    session = played(hannibal, FLEET, chooses("blue", 3), chooses("red", 2))
    assert lying_down(session) == {}, "nobody has seen what lies face down"
    session.receive(Reveal())
    assert lying_down(session) == {"blue 3": "aside blue", "red 2": "aside red"}
    mercator = {"tabularium": 1, "game": "mercator", "seats": ["red", "blue", "green"]}
    bids = [{"event": "bid", "seat": seat, "chips": 0} for seat in ("red", "blue", "green")]
    flips = {"event": "flip", "seat": "red", "card": "red 7"}
    lot = played(mercator, flips, {"event": "auction", "seat": "red"}, {"event": "reveal"})
    assert lying_down(lot) == {}
    for bid in bids:
        lot.receive(read_event(read_header(mercator), bid).event)
    assert lying_down(lot) == {"red 7": "box"}


def test_correction_rejudges_later_acts_and_skips_replaced_cards() -> None:
    prokonsul = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"]}
    start = ({"event": "pawns", "order": ["blue", "red", "green"]}, {"event": "province", "province": "sicilia"})
    chosen = (chooses("red", 9), chooses("red", 4), chooses("blue", 7), chooses("green", 6))
    line = played(prokonsul, *start, *chosen, {"event": "reveal"}).acts
    assert [set(found) for found in unseen(line)] == [set(), {3}], "replaced before it was shown"
    first, rest = anew(line, 3)
    assert first == 2 and [act.number for act in rest] == [4, 5, 6, 7], "from the card that is passed over on"
    first, rest = anew(line, 1)
    assert first == 1 and [act.number for act in rest] == [2, 4, 5, 6, 7]
    sealed = played(prokonsul, *start, *chosen[:3]).acts
    assert [set(found) for found in unseen(sealed)] == [{3, 4, 5}, set()]
    first, rest = anew(sealed, 0)
    assert first == 0 and [act.number for act in rest] == [1, 2]


def decides(session: Session, **change: Any) -> Mapping[str, str]:
    assert session.receive(Decide("so be it", change)).ok
    return lying_down(session)


def test_cards_named_by_a_decision_are_followed_but_not_removed_ones() -> None:
    spartacus = {"tabularium": 1, "game": "spartacus", "seats": ["blue", "red", "green"]}
    plays = [{"event": "play", "seat": card.split()[0], "card": card} for card in ("blue 5", "red 4")]
    session = played(spartacus, *plays)
    assert decides(session, trick=[], taken={"blue": [["blue 5", "red 4"]]}) == {"blue 5": "taken", "red 4": "taken"}
    whole = [f"blue {rank}" for rank in (*range(1, 11), "flag")]
    assert decides(session, taken={"blue": [["red 4"]]}, hand={"blue": whole}) == {}, "one of the two has gone"

    hannibal = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"]}
    session = played(hannibal, FLEET, chooses("blue", 3), chooses("red", 2), {"event": "reveal"})
    aside = {"blue 3": "aside blue", "red 2": "aside red"}
    assert decides(session, regions={"rome": {"blue": 6}, "carthago": {"red": 5, "hannibal": True}}) == aside, (
        "as many lie there as before"
    )
    hands = {seat: [f"{seat} {rank}" for rank in range(1, 6)] for seat in ("blue", "red")}
    assert decides(session, hand=hands) == {}, "among the others of a hand nobody can tell it"
    back = {seat: cards[:4] for seat, cards in hands.items()}
    assert decides(session, hand=back) == {}, "which card it was nobody knows"


def test_a_card_that_goes_back_to_a_hand_is_followed_no_more() -> None:
    """Whether it lay open or face down before."""
    spartacus = {"tabularium": 1, "game": "spartacus", "seats": ["blue", "red", "green"]}
    session = played(spartacus, {"event": "play", "seat": "blue", "card": "blue 5"})
    whole = [f"blue {rank}" for rank in (*range(1, 11), "flag")]
    assert decides(session, trick=[], hand={"blue": whole}) == {}
    hannibal = {"tabularium": 1, "game": "hannibal", "seats": ["blue", "red"]}
    session = played(hannibal, FLEET, chooses("blue", 3), chooses("red", 2), {"event": "reveal"})
    session.receive(Undo())
    assert lying_down(session) == {}, "the reveal is as if it had not been"


PROKONSUL = {"tabularium": 1, "game": "prokonsul", "seats": ["red", "blue", "green"]}
ROUND: tuple[dict[str, Any], ...] = (
    {"event": "pawns", "order": ["blue", "red", "green"]}, {"event": "province", "province": "sicilia"},
    chooses("red", 9), chooses("red", 4), chooses("blue", 7), chooses("green", 6), {"event": "reveal"},
)  # fmt: skip


def amended(session: Session, act: int, as_: dict[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The code of the first ruling, and its facts."""
    header = read_header({"tabularium": 1, "game": session.game.name, "seats": list(session.setup.seats)})
    event = read_event(header, {"event": "amend", "act": act, "as": as_}).event
    ruling = session.receive(event).rulings[0]
    return ruling.code, ruling.facts


@pytest.mark.parametrize(
    ("act", "as_", "code"),
    [(99, ROUND[0], "no_act"), (1, ROUND[0], "same"), (7, ROUND[-1], "same"), (3, chooses("red", 3), "covered")],
)
def test_impossible_corrections_are_refused(act: int, as_: dict[str, Any], code: str) -> None:
    session = played(PROKONSUL, *ROUND)
    acts = session.acts
    assert amended(session, act, as_)[0] == code and session.acts == acts
    sealed = played(PROKONSUL, *ROUND[:4])
    assert amended(sealed, 4, chooses("red", 5))[0] == "sealed"


def test_correction_keeps_later_moves_that_are_still_legal() -> None:
    session = played(PROKONSUL, *ROUND)
    code, facts = amended(session, 2, {"event": "province", "province": "asia"})
    assert (code, facts["kept"], facts["fallen"]) == ("amended", 4, 0) and "because" not in facts
    assert all(act.ok for act in session.acts)
    spartacus = {"tabularium": 1, "game": "spartacus", "seats": ["blue", "red", "green"]}
    trick = [{"event": "play", "seat": card.split()[0], "card": card} for card in ("blue 9", "red 5", "green 4")]
    session = played(spartacus, *trick, {"event": "pass", "seat": "blue"})
    code, facts = amended(session, 2, trick[1] | {"card": "red 2"})
    assert (code, facts["kept"], facts["fallen"], facts["because"].code) == ("amended", 0, 2, "lower")
    assert [act.number for act in session.acts] == [1, 2]


def test_correction_keeps_author_and_time_of_unchanged_acts_only() -> None:
    session = played(PROKONSUL, *ROUND[:1])
    header = read_header(PROKONSUL)
    for data in ROUND[1:]:
        session.receive(read_event(header, data).event, "touch", "2026-11-23T18:00:00+00:00")
    amended(session, 2, {"event": "province", "province": "asia"})
    assert [(act.number, act.by) for act in session.acts] == [
        (1, None), (2, None), (4, "touch"), (5, "touch"), (6, "touch"), (7, "touch"),
    ]  # fmt: skip


def test_an_amendment_names_no_card_that_lies_face_down_and_no_hand() -> None:
    session = played(PROKONSUL, *ROUND)
    code, facts = amended(session, 7, chooses("red", 5))  # it was no reveal: another card was chosen
    assert (code, facts["now"]) == ("amended", {"event": "choose", "seat": "red"})
    before, session = played(PROKONSUL, *ROUND[:2]), played(PROKONSUL, *ROUND)
    change = position_of(before.game.name).written(before.state)
    code, facts = amended(session, 2, {"event": "decide", "words": "anew", "change": change})
    assert code == "amended", facts
    assert set(facts["now"]["change"]) == set(change) - {"chips", "hand", "choice"}


def test_a_decision_that_takes_cards_up_covers_them_for_good() -> None:
    taken_up = {"event": "decide", "words": "anew", "change": {}}
    line = played(PROKONSUL, *ROUND[:3], taken_up, *ROUND[3:]).acts
    assert [set(found) for found in unseen(line)] == [set(), {3}]
    in_words = played(PROKONSUL, *ROUND[:3], {"event": "decide", "words": "hm"}, *ROUND[4:]).acts
    assert [set(found) for found in unseen(in_words)] == [set(), set()], "words alone take nothing up"


def test_every_card_that_was_covered_before_its_reveal_is_passed_over() -> None:
    """In each of three rounds blue's first card is replaced."""
    events: list[Any] = []
    for rank in (1, 3, 5):
        events += [Choose("blue", DECK[f"blue {rank}"]), Choose("blue", DECK[f"blue {rank + 1}"])]
        events += [Choose("red", DECK[f"red {rank}"]), Reveal()]
    line = [Receipt(True, event, (), number) for number, event in enumerate(events, 1)]
    for at in (9, 10):
        first, rest = anew(line, at)
        assert first == 0 and [act.number for act in rest] == [2, 3, 4, 6, 7, 8, 10, 11, 12]
