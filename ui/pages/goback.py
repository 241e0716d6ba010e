"""Undo, amendments, and what goes where on the real table: shown before they are carried out, and after."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from companion.answers import why
from companion.games import position_of
from companion.rules import N_, Amend, Decide, Redo, Reveal, Ruling, Undo, plural
from companion.rules.cards import DECK
from companion.rules.data import Data
from companion.rules.layout import Move, Payment, is_hand, open_cards
from companion.rules.message import Message
from companion.session.correction import done
from companion.session.piece_moves import Restored, recounted
from companion.session.receipt import Receipt, acts, sealed, unseen
from ui import theme
from ui.pages.answer_items import Heading, Sentence
from ui.pages.decide import planned
from ui.pages.rulings import chosen, silent
from ui.table.frame import listed, named
from ui.table.moment import Moment
from ui.table.outcome import brief


@dataclass(frozen=True, slots=True)
class Carried:
    """A number of one piece goes from one place to another."""

    piece: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The effects of an undo, redo, amendment or decision."""

    items: Sequence[Any]
    possible: bool
    warning: str = ""
    """What everybody has seen in the reveals that fall away, with the question whether to go on; "" without any."""


def foreseen(m: Moment, came: Receipt, goes: Restored) -> Foreseen:
    """Return a preview: what falls away, comes back or turns out differently, and all that then `goes` elsewhere."""
    if not came.ok:
        return Foreseen([sentence(m, ruling) for ruling in came.public], False)
    before, after = ({act.number: act for act in line} for line in (m.acts, acts(came.last)))
    gone = [act for number, act in before.items() if number not in after and number not in _replaced(m, came)]
    come = [act for number, act in after.items() if number not in before and act is not came]
    other = [act for number, act in after.items() if number in before and differs(m, before[number], act)]
    facts = came.public[0].facts if came.public else {}
    again = isinstance(came.event, Undo | Redo)
    differently = N_("Then this is true again") if again else N_("Then this is different")
    items = [
        *([sentence(m, planned(brief(came.public[0])), "lead")] if isinstance(came.event, Decide) else []),
        *_before_and_now(m, came, before, after),
        *_under_heading(m, N_("This falls away"), gone),
        *_counts_gone(m, gone),
        *_under_heading(m, N_("This comes back"), come),
        *_under_heading(
            m,
            differently,
            [_only_new(m, before[act.number], act) for act in other if act.number != _corrected_move(came)],
        ),
        *_reason(m, facts),
        *_later_moves(m, facts),
        *carried(m, goes),
    ]
    return Foreseen(items, True, _warning(m, came, [act for act in gone if isinstance(act.event, Reveal)]))


SEEN = {
    "undo": (
        N_("Cards were revealed here, and everybody has seen them. Undo anyway?"),
        N_("Fists were opened here, and everybody has seen the chips. Undo anyway?"),
    ),
    "amend": (
        N_("Cards were revealed here, and everybody has seen them. Correct it anyway?"),
        N_("Fists were opened here, and everybody has seen the chips. Correct it anyway?"),
    ),
}


def _warning(m: Moment, came: Receipt, reveals: Sequence[Receipt]) -> str:
    """Return what everybody has seen in these reveals, as a question; "" without any."""
    if not reveals:
        return ""
    cards, fists = SEEN["amend" if isinstance(came.event, Amend) else "undo"]
    return m.say(cards if any(sealed(reveal.before) for reveal in reveals) else fists)


def _replaced(m: Moment, came: Receipt) -> Collection[int]:
    """Return the numbers of the cards chosen that another one had replaced: no correction makes them fall away."""
    if not isinstance(came.event, Amend):
        return ()
    lying = {number for number, _ in sealed(m.acts[-1]).values()}
    return _hidden(m) - lying


def title(m: Moment, came: Receipt) -> str:
    """Return the move that a preview undoes or leads back to; "" where it names none."""
    match came.event:
        case Undo(None) if what := _single_move(m, came):
            return m.say(N_("Undo: {what}"), what=what)
        case Undo(to):
            found = [done(act, to in _hidden(m)) for act in m.acts if act.number == to]
            return m.say(N_("Back to: {what}"), what=found[0]) if found else ""
    return ""


def _single_move(m: Moment, came: Receipt) -> Message | Ruling | None:
    """Return the move that the preview of a plain undo takes back; None for a correction, or with nothing to undo."""
    if not came.ok or came.public[0].facts["verb"] == "amend":
        return None
    return done(m.acts[-1], m.acts[-1].number in _hidden(m))


def named_move(m: Moment, number: int) -> str:
    """Return what was done by the move with this number, which must stand; a card only if everybody has seen it."""
    (found,) = (done(act, number in _hidden(m)) for act in m.acts if act.number == number)
    return m.tongue.phrase(found)


def _hidden(m: Moment) -> Set[int]:
    """Return the numbers of the moves that laid a card nobody has seen."""
    return {number for numbers in unseen(m.acts) for number in numbers}


def differs(m: Moment, act: Receipt, other: Receipt) -> bool:
    """Return whether the public rulings of an act read differently now."""
    return act is not other and [*map(m.tongue.say, act.public)] != [*map(m.tongue.say, other.public)]


def _only_new(m: Moment, before: Receipt, act: Receipt) -> Receipt:
    """Return the act with only those of its rulings that it did not have before."""
    known = [*map(m.tongue.say, before.public)]
    found = tuple(ruling for ruling in act.public if m.tongue.say(ruling) not in known)
    return replace(act, rulings=found or act.rulings)


def _corrected_move(came: Receipt) -> int:
    return came.event.act if isinstance(came.event, Amend) else 0


def _before_and_now(
    m: Moment, came: Receipt, before: Mapping[int, Receipt], after: Mapping[int, Receipt]
) -> Iterator[Any]:
    """Yield what was entered before a correction, what is now, and its outcome if that is another one."""
    if number := _corrected_move(came):
        facts, was, now = came.public[0].facts, before[number], after[number]
        yield _marked(m, BEFORE, facts["before"], was)
        yield _marked(m, NOW, facts["what"], now, "lead")
        outcome = why.telling(m.game, now.public)
        if outcome is not now.public[0] and m.tongue.say(outcome) not in map(m.tongue.say, was.public):
            yield Sentence(m.say(N_("So: {what}"), what=outcome), named(outcome, m.seats))


BEFORE, NOW = N_("Before: {what}"), N_("Now: {what}")


def _marked(m: Moment, text: str, what: object, act: Receipt, weight: Any = "plain") -> Sentence:
    return Sentence(m.say(text, what=what), named(act.public[0], m.seats)[:1], weight)


def _counts_gone(m: Moment, gone: Sequence[Receipt]) -> Iterator[Any]:
    """Yield whose chips have to be counted again, as their count falls away."""
    if seats := tuple(dict.fromkeys(seat for act in gone for seat in recounted(act))):
        yield Sentence(m.say(N_("Count the chips of {seats} again then."), seats=seats), seats[:1], "strong")


def _reason(m: Moment, facts: Data) -> Iterator[Any]:
    """Yield the reason why the first of the moves that fall away is no longer possible."""
    because, since = facts.get("because"), facts.get("since")
    if since:
        text = m.say(N_("{first} That is no longer possible: {since}"), first=facts["first"], since=since)
        yield Sentence(text, named(since, m.seats), "near")
    elif because:
        yield sentence(m, because, "near")


def _later_moves(m: Moment, facts: Data) -> Iterator[Any]:
    if facts.get("kept"):
        text = plural("{count} later move still stands.", "{count} later moves still stand.")
        yield Sentence(m.say(text, count=facts["kept"]), weight="muted")


def _under_heading(m: Moment, head: str, found: Sequence[Receipt]) -> Iterator[Any]:
    """Yield the acts under a heading; a single act with all its rulings."""
    if len(found) == 1:
        yield Heading(m.say(head))
        yield from (sentence(m, ruling) for ruling in found[0].public)
    elif found:
        yield Heading(m.say(N_("{what}: {count} moves"), what=m.say(head), count=len(found)))
        for quiet, group in groupby(found, silent):
            acts = list(group)
            yield from [Sentence(*chosen(m, acts))] if quiet else (telling(m, act) for act in acts)


def telling(m: Moment, act: Receipt, weight: Any = "plain") -> Sentence:
    """Return an act as its most telling sentence."""
    return sentence(m, why.telling(m.game, act.public), weight)


def sentence(m: Moment, ruling: Ruling, weight: Any = "plain") -> Sentence:
    return Sentence(m.tongue.say(ruling), listed(ruling, m.seats), weight)


def stepped(m: Moment, following: Receipt, goes: Restored) -> tuple[str, Sequence[Any]]:
    """Return what the last undo or redo did, and all that `goes` elsewhere until the table lies as it should now.

    `following` is the preview of the next undo.

    What players are told about amounts may have come after it in the log.
    """
    turn = next(act for act in reversed(m.log) if isinstance(act.event, Undo | Redo))
    undone = isinstance(turn.event, Undo)
    what = _single_move(m, following) if undone else None
    then = [Sentence(m.say(N_("Next to undo: {what}"), what=what), weight="muted")] if what else []
    text = m.say(N_("Undone") if undone else N_("Redone"))
    return text, [sentence(m, brief(turn.public[0]), "lead"), *carried(m, goes), *then]


# -- what goes where --------------------------------------------------------------------------------------------


def carried(m: Moment, goes: Restored) -> Sequence[Any]:
    """Return everything that moves on the real table, under a heading."""
    moved: list[Move | Payment] = [*goes.moves, *goes.chips]
    if not moved:
        nothing = Sentence(m.say(N_("Nothing moves on the table.")), weight="muted")
        return [nothing, *_counted(m, goes), *_shown_cards(m, goes)]
    rows = [_carry_of(m, move) for move in moved]
    return [
        Heading(m.say(N_("To move on the table"))),
        *rows,
        *_pile_order(m, goes),
        *_counted(m, goes),
        *_shown_cards(m, goes),
    ]


def _carry_of(m: Moment, move: Move | Payment) -> Carried:
    piece = move.piece if isinstance(move, Move) else "chip"
    start, end = m.tongue.way(move.from_, 0), m.tongue.way(move.to, 1)
    return Carried(m.tongue.piece(piece, move.count), start, end)


def _pile_order(m: Moment, goes: Restored) -> Iterator[Any]:
    """Yield the order in which several cards go back onto the pile: the one turned up last goes first."""
    back = [move for move in goes.moves if move.to == PILE]
    turned = [str(card) for receipt in m.log if receipt.number and (card := getattr(receipt.event, "card", None))]
    named = {move.piece for move in back if move.piece in DECK}
    found = named | _gone_from_sight(m, turned, named, sum(move.count for move in back) - len(named))
    if 1 < len(found) == sum(move.count for move in back):
        last = {card: at for at, card in enumerate(turned)}
        cards = [DECK[card] for card in sorted(found, key=lambda card: last.get(card, -1), reverse=True)]
        yield Sentence(m.say(N_("Onto the pile one by one in this order: {cards}."), cards=cards), weight="strong")


PILE = "pile"


def _gone_from_sight(m: Moment, turned: Sequence[str], named: Set[str], count: int) -> Set[str]:
    """Return the cards that left the game and come back, `count` of them; none where that is not certain."""
    stand = {str(card) for act in m.acts if (card := getattr(act.event, "card", None))}
    before = stand - {*open_cards(position_of(m.game.name).layout(m.view, m.options))} - named
    after = {*turned} - stand - named
    return next((found for found in (before, after) if count and len(found) == count), set())


def _counted(m: Moment, goes: Restored) -> Iterator[Any]:
    """Yield what the last count of purses may or may not have in it: only the players know."""
    text = N_("Chips were counted since then. If that count did not include this, move it and count again: {chips}.")
    if goes.counted:
        yield Sentence(m.say(text, chips=goes.counted), weight="strong")


def _shown_cards(m: Moment, goes: Restored) -> Iterator[Any]:
    """Yield what everybody has seen, but for cards that are put aside: that is where seen cards go."""
    aside = {move.piece for move in goes.moves if not is_hand(move.to)}
    if seen := [card for card in goes.seen if str(card) not in aside]:
        yield Sentence(m.say(N_("Everybody has seen: {seen}."), seen=seen), weight="near")


FEW = 3
"""The number of moves named on the table's page; fewer in large text."""


def strip(m: Moment, goes: Restored, *, asks: bool = False) -> Sequence[str]:
    """Return what goes where, on one line beside the board, in wordings of which each is shorter; none for nothing.

    Chips come first, as the board does not show them. With `asks` it is the question whether that has been done.
    """
    found = [m.tongue.phrase(move) for move in (*goes.chips, *goes.moves)]
    lines = [_strip(m, found, few) for few in range(int(theme.either(FEW, 2)), 1, -1)] if found else []
    return [m.say(N_("Did you still do this before? {moves}"), moves=line) for line in lines] if asks else lines


def _strip(m: Moment, found: Sequence[str], few: int) -> str:
    """Return `few` of the moves, the last of which stands for all others."""
    if len(found) > few:
        more = len(found) - few + 1
        found = [*found[: few - 1], m.say(plural("{count} more", "{count} more"), count=more)]
    return " · ".join(text[:1].upper() + text[1:] for text in found)


# -- one move of the log ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Action:
    """A move of the log, and what can be done about it."""

    corrected: str
    """What it was before a correction, and what it is now; "" for neither."""
    sealed: str
    """The reason why it cannot be corrected; "" if it can."""
    last: bool
    """Whether nothing came after it: there is no going back to it."""


def action(m: Moment, number: int) -> Action | None:
    """Return the act with this number; None if it no longer stands."""
    act = next((act for act in m.acts if act.number == number), None)
    if act is None:
        return None
    lying, covered = unseen(m.acts)
    told = next((receipt for receipt in m.log if receipt.number == number), act)
    hidden = HIDDEN if number in lying else COVERED if number in covered else ""
    facts = {"before": done(told), "now": done(act)}
    corrected = m.say(why.BEFORE_AND_NOW, **facts) if told.event != act.event and not hidden else ""
    return Action(corrected, hidden and m.say(hidden), act is m.acts[-1])


HIDDEN = N_("A face-down card needs no correction: choose again.")
COVERED = N_("That card was never turned up: there is nothing to correct.")


# -- the whole game ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LastWord:
    """The table's decisions that stand, and the acts that were amended after they were reported."""

    decided: Sequence[Receipt]
    amended: Sequence[tuple[Receipt, Receipt]]
    """Each act as it was reported, and as it stands."""


def last_word(m: Moment) -> LastWord:
    told = {receipt.number: receipt for receipt in m.log if receipt.number}
    decided = [act for act in m.acts if isinstance(act.event, Decide)]
    both = [(told.get(act.number, act), act) for act in m.acts]
    return LastWord(decided, [(was, now) for was, now in both if was.event != now.event])


def became(m: Moment, was: Receipt, now: Receipt) -> tuple[str, str]:
    """Return what was reported, and what was done; revealed cards are named."""
    return m.tongue.phrase(done(was)), m.tongue.phrase(done(now, now.number in _hidden(m)))


def counted(m: Moment) -> str:
    """Return the number of decisions and amendments in a few words; "" for none."""
    word = last_word(m)
    decided = plural("{count} decision", "{count} decisions")
    amended = plural("{count} correction", "{count} corrections")
    parts = [(decided, len(word.decided)), (amended, len(word.amended))]
    return " · ".join(m.say(text, count=count) for text, count in parts if count)


def words(m: Moment) -> Sequence[Any]:
    """Return the list of decisions and amendments."""
    word = last_word(m)
    items: list[Any] = []
    if word.decided:
        items += [Heading(m.say(N_("The table has decided"))), *(telling(m, act) for act in word.decided)]
    if word.amended:
        items.append(Heading(m.say(N_("Corrected"))))
    for was, now in word.amended:
        before, after = became(m, was, now)
        items += [_marked(m, BEFORE, before, was), _marked(m, NOW, after, now, "strong")]
    return items


def step(event: Data) -> bool:
    """Return whether the event is a single step back or forth, which another may follow on the same page."""
    return event["event"] in ("undo", "redo") and "to" not in event
