"""Mistakes: what can have gone wrong by this moment, in players' words, and the one touch that fixes it.

The list is made from public information alone: nothing listed, said or offered depends on what is hidden (law 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any

from companion.games import guide_of, position_of
from companion.record.transcript import event_data
from companion.rules import N_, NC_
from companion.rules.cards import DECK
from companion.rules.data import Data
from companion.rules.position_parts import Path
from companion.session.absent_players import BACK, LEFT
from companion.session.receipt import Receipt
from ui.games.face import face_of
from ui.games.parts.status import by_buttons
from ui.pages import goback
from ui.pages.refused import opened_late, refused
from ui.pages.remedies import (
    PossibleMistake,
    Way,
    by_finger,
    choices,
    covered,
    decided,
    looked_at,
    otherwise,
    row,
    table,
    undone,
)
from ui.table.frame import named
from ui.table.moment import Moment

FEW = 3
"""The number of acts of one kind that are offered; the log has the earlier ones."""


def found(m: Moment, own: Sequence[Path] = ()) -> Sequence[PossibleMistake]:
    """Return all possible mistakes, a refusal first; `own` are the purses and hands that can be changed."""
    rows = [
        *(make(m) for make in ACTS),
        *(_miscounted(m, own, *words) for words in OWN),
        *(make(m) for make in TABLE),
    ]
    return [each for each in rows if each and each.ways]


# -- cards face down, and the reveal ----------------------------------------------------------------------------


def _face_down(m: Moment) -> PossibleMistake | None:
    chosen = m.view.get("chosen", ())
    if not (m.choosing and chosen):
        return None
    reader = any(m.means[seat].reader for seat in chosen if seat in m.means)
    text = N_("You can change it until the reveal: lay the right one on the reader, or choose it here.")
    text = text if reader else N_("You can change it until the reveal: choose again.")
    return row(m, "face_down", N_("The wrong card is face down"), text, choices(m, chosen))


def _too_early(m: Moment) -> PossibleMistake | None:
    """Return the mistake of a card shown before its time."""
    if not m.game.owned or m.view["over"]:
        return None
    what = N_("A card was shown too early")
    if m.choosing and m.view.get("chosen"):
        text = N_(
            "The player who showed it may choose another one, or everybody takes up their card and chooses again."
        )
        words = m.say(N_("A card was shown too early: everybody chooses again."))
        return row(m, "early", what, text, [*choices(m, m.view["chosen"]), *_choose_again(m, words)])
    text = N_("It goes back into the hand and does not count as played, unless the table decides otherwise.")
    return row(m, "early", what, text, [table(m), decided(m.say(N_("The table decides")), m.say(what))])


def _choose_again(m: Moment, words: str, reveal: Receipt | None = None) -> Iterator[Way]:
    """Yield the way to take up all cards, including those just revealed."""
    if position_of(m.game.name).writes:
        decision = {"event": "decide", "words": words, "change": {}}
        amended = {"event": "amend", "act": reveal.number, "as": decision} if reveal else decision
        yield looked_at(m.say(N_("Everybody chooses again")), amended)


def _last_reveal(m: Moment) -> Receipt | None:
    """Return the reveal that the table is still dealing with."""
    begins = guide_of(m.game.name).begins
    recent = takewhile(lambda act: act.verb not in begins, reversed(m.acts))
    return next((act for act in recent if act.verb == "reveal"), None)


def _choices_shown(m: Moment, reveal: Receipt) -> Mapping[str, Receipt]:
    """Return by seat the act in which the card was chosen that this reveal has shown."""
    before = [act for act in m.acts if act.standing < reveal.standing]
    since = list(takewhile(lambda act: act.verb != "reveal", reversed(before)))
    hidden = covered(m)
    shown = [act for act in since[::-1] if act.verb == "choose" and act.number not in hidden]
    return {_data_of(act)["seat"]: act for act in shown}


def _changed(m: Moment) -> PossibleMistake | None:
    reveal = _last_reveal(m)
    if reveal is None:
        return None
    shown = _choices_shown(m, reveal)
    ways = [otherwise(m.name(seat), shown[seat], "choose", seat) for seat in m.seats if seat in shown]
    text = N_("After the reveal, the card that was read counts. If it was read wrongly, say which card it was.")
    return row(m, "changed", N_("The card on the table is not the one on the screen"), text, ways)


def _late(m: Moment) -> PossibleMistake | None:
    """Return the mistake of a fist that opened late, whether a clock or the players noticed it."""
    reveal = _last_reveal(m)
    if reveal is None or (m.reveal == "auto" and _choices_shown(m, reveal)):
        return None
    late = [seat for ruling in reveal.public if ruling.code == "late" for seat in ruling.facts["late"]]
    words = m.say(N_("A card was turned over too late: everybody chooses again."))
    again = list(_choose_again(m, words, reveal)) if _choices_shown(m, reveal) else []
    text = N_("A card was turned over too late") if m.game.owned else N_("A fist opened too late")
    if late:
        text = N_("{seats} turned the card over too late") if m.game.owned else N_("{seats} opened too late")
    ways = again or [undone(m.say(N_("Close the fists again")), reveal)]
    remedy = m.say(N_("The reveal stands, unless the table takes it back."))
    return PossibleMistake("late", m.say(text, seats=late), remedy, ways, urgent=opened_late(m))


def _too_soon(m: Moment) -> PossibleMistake | None:
    """Return the mistake of a fist that opened before all were closed."""
    what = N_("A button was let go too early") if m.game.owned else N_("A fist opened too early")
    if by_buttons(m):
        text = N_("Hold the button again, and let go only when everybody is asked to.")
        return row(m, "soon", what, text, [table(m), *_reveal_by_finger(m)])
    if m.fists and not m.choosing:
        text = N_("Close it again, with other chips if you like: nothing counts until all fists open together.")
        return row(m, "soon", what, text, [table(m)])
    return None


def _reveal_by_finger(m: Moment) -> Iterator[Way]:
    """Yield the way to reveal without buttons, in case one of them does not work."""
    if any(outline.verb == "reveal" for outline in m.outlines):
        yield Way(m.say(N_("Reveal here")), "", event={"event": "reveal"})


# -- acts -------------------------------------------------------------------------------------------------------


def _data_of(act: Receipt) -> dict[str, Any]:
    assert act.event
    return event_data(act.event)


def _wrong_answer(m: Moment) -> PossibleMistake | None:
    """Return the mistake of a no heard as a yes, or a yes as a no."""
    said = ((act, data, _yes_or_no(data)) for act in reversed(m.acts) if (data := _data_of(act)))
    ways = [_answer_again(m, act, data, key) for act, data, key in islice((of for of in said if of[2]), FEW)]
    text = N_("Yes becomes no, or no becomes yes. Later moves stand as far as possible.")
    return row(m, "answer", N_("Yes and no were mixed up"), text, ways)


def _yes_or_no(data: Data) -> str:
    """Return the key of an act's yes or no; "" if it has none."""
    return next((key for key, value in data.items() if isinstance(value, bool)), "")


def _answer_again(m: Moment, act: Receipt, data: Data, key: str) -> Way:
    text = N_("{seat} said no to {other}") if data[key] else N_("{seat} said yes to {other}")
    seat = data["seat"]
    other = [one for one in named(act.public[0], m.seats) if one != seat]
    event = {"event": "amend", "act": act.number, "as": {**data, key: not data[key]}}
    return looked_at(m.say(text, seat=seat, other=other), event, seat)


def _pressed_by_mistake(m: Moment) -> PossibleMistake | None:
    """Return the mistake of a button pressed unintentionally, in the last act or shortly before."""
    recent = list(islice(reversed(m.acts), FEW))
    act = next((act for act in recent if act.by == "button" and act.verb != "reveal"), None)
    if act is None:
        return None
    way = undone(m.say(NC_("on a button", "Undo")), act)
    if act is not recent[0]:
        way = otherwise(m.say(N_("Correct this move")), act)
    seat = _data_of(act).get("seat", "")
    return PossibleMistake(
        "button", m.say(N_("{seat} pressed the button by mistake"), seat=seat), _outcome(m, act), [way]
    )


def _outcome(m: Moment, act: Receipt) -> str:
    """Return the outcome of an act in a sentence."""
    return goback.telling(m, act).text


def _misread(m: Moment) -> PossibleMistake | None:
    """Return the mistake of a face-up card that is another one."""
    acts = [act for act in m.acts if act.verb != "choose" and "card" in _data_of(act)][-FEW:]
    ways = [_other_card(m, act, _data_of(act)) for act in reversed(acts)]
    ways += [undone(m.say(NC_("on a button", "Undo")), act) for act in acts[-1:]]
    read = all(act.by == "nfc" for act in acts)
    what = N_("The wrong card was read") if read else N_("A wrong card was entered")
    text = N_(
        "Tap the wrong entry, then the card that lies on the table: it stays there, and everything after it is judged"
        " again. If the wrong card was really played, undo the move."
    )
    return row(m, "misread", what, text, ways)


def _other_card(m: Moment, act: Receipt, data: Data) -> Way:
    seat = data["seat"] if m.game.owned else ""  # beside another colour its shape would look like the card's
    return otherwise(m.tongue.name(DECK[data["card"]]), act, act.verb, seat)


def _surplus(m: Moment) -> PossibleMistake | None:
    """Return the mistake of more cards turned up than belong to the lot."""
    turns = face_of(m.game.name).turns_up
    if not (turns and m.view.get(turns.to)):
        return None
    last = next((act for act in reversed(m.acts) if act.verb in (turns.act, turns.ends)), None)
    if any(outline.verb == turns.act for outline in m.outlines):
        text = N_("A card that is turned up is part of the lot, unless the table takes it back.")
        ways = [undone(m.say(NC_("on a button", "Undo")), last)] if last else []
        return row(m, "surplus", N_("A card was turned up by mistake"), text, ways)
    words = m.say(N_("One card too many was turned up: it goes back on top of the pile."))
    ways = [decided(m.say(N_("Back on the pile")), words)]
    if last and last.verb == turns.ends:
        ways.append(otherwise(m.say(N_("It belongs to the lot")), last, turns.act))
    text = N_("It is not part of the lot: put it back on top of the pile. Everybody has seen it.")
    return row(m, "surplus", N_("One card too many was turned up"), text, ways)


def _last_move(m: Moment) -> PossibleMistake | None:
    """Return any other mistake about the last act."""
    if not m.acts:
        return None
    act = m.acts[-1]
    told = act.verb != "reveal" and act.number not in covered(m)
    ways = [otherwise(m.say(N_("Correct this move")), act)] if told else []
    ways += [undone(m.say(NC_("on a button", "Undo")), act), Way(m.say(N_("An earlier move")), "log")]
    text = N_("The last move is wrong: the player, the place or the number")
    return PossibleMistake("last", m.say(text), _outcome(m, act), ways)


def _forgotten(m: Moment) -> PossibleMistake | None:
    if m.view["over"]:
        return None
    text = N_("If nothing has happened since, enter it now. If not, go back to its place and enter the rest again.")
    ways = [Way(m.say(N_("Enter it now")), "table"), *([Way(m.say(N_("Go back")), "log")] if m.acts else [])]
    return row(m, "forgotten", N_("A move was never entered"), text, ways)


def _unreadable(m: Moment) -> PossibleMistake | None:
    """Return the mistake of a dead tag, whose card is played by finger; only while a reader is awaited."""
    if not any(m.means[seat].reader for seat in m.view["waiting"] if seat in m.means):
        return None
    pads = by_finger(m)
    text = N_("Tap the card here. Give it a new tag under Deck.")
    ways = [*pads, Way(m.say(N_("Deck")), "deck")] if pads else []
    return row(m, "unreadable", N_("The reader does not read a card"), text, ways)


# -- what is not as it should be --------------------------------------------------------------------------------


def _miscounted(m: Moment, own: Sequence[Path], key: str, what: str, words: str) -> PossibleMistake | None:
    """Return the mistake of a wrong purse or hand, corrected on its owner's pad."""
    parts = [(str(path[1]), path) for path in own if path[0] == key]
    ways = [decided(m.name(seat), m.say(words, seat=seat), seat, path) for seat, path in parts]
    text = N_("Only that player sees it and can correct it. The others only learn that it was corrected.")
    return row(m, key, what, text, ways)


OWN = (
    ("chips", N_("Somebody’s chips were miscounted"), N_("{seat} has miscounted.")),
    ("hand", N_("A hand is not right"), N_("{seat:of} hand was not right.")),
)
"""By its key in a position: what is not right, and the words for the decision."""


def _pieces_moved(m: Moment) -> PossibleMistake | None:
    text, ask = N_("The screen shows what lies where."), N_("Check the table")
    return row(m, "pieces", N_("Pieces were knocked over"), text, [Way(m.say(ask), "check")])


def _player_leaves(m: Moment) -> PossibleMistake | None:
    if m.view["over"]:
        return None
    text = N_("The others play for them here on the screen. Or stop now and continue another day.")
    there = [seat for seat in m.seats if seat not in m.absent]
    ways = [decided(m.name(seat), m.say(LEFT, seat=seat), seat) for seat in there]
    stop = Way(m.say(N_("Another day")), "start")
    return row(m, "leaves", N_("Somebody has to leave"), text, [*ways, stop])


def _player_returns(m: Moment) -> PossibleMistake | None:
    ways = [decided(m.name(seat), m.say(BACK, seat=seat), seat) for seat in m.seats if seat in m.absent]
    text = N_("From now on that seat plays with cards and button again.")
    return row(m, "returns", N_("Somebody is back"), text, ways)


def _agreed_otherwise(m: Moment) -> PossibleMistake:
    text = N_("If everybody agrees, it stands, even against the rules.")
    return row(m, "agreed", N_("We agreed on something else"), text, [Way(m.say(N_("The table decides")), "decide")])


Make = Callable[[Moment], PossibleMistake | None]

ACTS: Sequence[Make] = (
    refused,
    _face_down,
    _misread,
    _last_move,
    _too_early,
    _changed,
    _late,
    _too_soon,
    _wrong_answer,
    _pressed_by_mistake,
    _surplus,
    _unreadable,
    _forgotten,
)
"""Mistakes about an act."""
TABLE: Sequence[Make] = (_pieces_moved, _player_leaves, _player_returns, _agreed_otherwise)
"""Mistakes about the table."""
