"""What a seat can ask and do besides the acts of the game: how things are, and what the table may do with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from companion.answers import guide
from companion.games import position_of
from companion.offers import rules as rule_list
from companion.offers import why as why_list
from companion.offers.acts import Acts
from companion.offers.change import OTHERWISE, Change
from companion.record.transcript import WORDS
from companion.rules import N_, Amend, Choose, Decide, Event, Redo, Ruling, Seat, Undo
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Do, Entry, Then
from companion.rules.outline import outlines
from companion.rules.phrases import listed, part
from companion.rules.speech import Letters
from companion.rules.words import Tongue, find_clause
from companion.session import Session
from companion.session.absent_players import BACK as IS_BACK
from companion.session.absent_players import LEFT
from companion.session.receipt import Receipt, acts, backwards
from companion.voice.heard import as_heard
from companion.voice.table_speech import act

MAY = N_("You may: {acts}.")
LAST = N_("Say it again.")
WHY = N_("Why?")
RULES = N_("The rules.")
NAMES = N_("Names, spelled.")
SPELLED = N_("{seat}: {letters}.")
GOING_ON = N_("How things stand.")
TABLE = N_("The table.")
UNDO = N_("Take back {act}.")
BACK_TO = N_("Go further back.")
STEP = N_("{act}.")
BACK_AFTER = N_("Back to {act}; that stays.")
PROPOSE = N_("Propose: {words}")
WITHDRAWN = N_("{seat} withdraws it.")
RULE = N_("Which rule that was.")
START = N_("All the way back to the start.")
REDO = N_("Bring back what was taken back.")
CORRECT = N_("Correct an earlier move.")
DECIDES = N_("The table decides.")
ALL_AGREE = N_("All have said yes.")
NO = N_("Not all: leave it.")
SETTLED = (
    N_("We have settled this ourselves."),
    N_("What was said stands."),
    N_("We stop here."),
)
"""Decisions in words alone, that are often wanted."""
PUT = N_("{seat} proposes: {words} Say yes if you agree.")
RECENT = 30
"""How many acts back can be stepped through; the screen goes further."""


def going_on(acts: Acts) -> Sequence[Saying]:
    """Return what is said unasked: what this seat is asked, or whose turn it is, and all it holds."""
    return own(acts)


def own(acts: Acts) -> Sequence[Saying]:
    """Return whose turn it is, and what only this seat knows."""
    asked = guide.mine(acts.game, acts.at, acts.seat) or guide.turn(acts.game, acts.at)
    return [*([asked] if asked else []), *holds(acts)]


def may(acts: Acts) -> Sequence[Saying]:
    """Return the sentence that lists the possible acts; none where nothing can be done."""
    acts_now = [part(entry.text, **entry.facts) for entry in acts.entries()]
    return [Saying("", MAY, {"acts": listed(acts_now)})] if acts_now else []


def holds(acts: Acts) -> Sequence[Saying]:
    """Return what only this seat knows."""
    return acts.speech.holds(acts.at, acts.seat, acts.game.view(acts.state, acts.seat)["private"])


def asking(acts: Acts, last: Receipt | None, tongue: Tongue, log: Sequence[Receipt]) -> Choice:
    """Return everything that can be asked, step by step; a display shows some of it anyway."""
    said = [] if acts.read else [Entry(saying.text, saying.facts, (saying,)) for saying in (*own(acts), *may(acts))]
    said += [Entry(saying.text, saying.facts, details(acts, saying)) for saying in acts.speech.lies(acts.at)]
    why = Entry(WHY, {}, partial(why_list.reasons, acts, tongue, log))
    rules = Entry(RULES, {}, partial(rule_list.rules, acts))
    names = [Entry(NAMES, {}, spelled(tongue))] if tongue.people and not acts.read else []
    return Choice(None, [*(said_last(acts, last) if last else ()), why, *distinct(said), rules, *names])


def details(acts: Acts, saying: Saying) -> Sequence[Saying]:
    """Return what else there is to say of a thing; where there is nothing, the same once more."""
    return acts.speech.details(acts.at, saying) or (saying,)


def spelled(tongue: Tongue) -> Choice:
    """Return everybody's name, letter by letter."""
    facts = [{"seat": seat, "letters": Letters(name)} for seat, name in tongue.people.items()]
    return Choice(None, [Entry(SPELLED, of, (Saying("", SPELLED, of),)) for of in facts])


def said_last(acts: Acts, last: Receipt) -> Iterator[Entry]:
    """Yield the last act once more: as it was heard, and the clauses it rests on."""
    rulings = last.public
    heard = [saying for ruling in rulings if (saying := as_heard(acts.speech, ruling))]
    if heard:
        yield Entry(LAST, {}, heard)
    if rulings:
        yield Entry(RULE, {}, partial(reasons, acts, rulings))


def reasons(acts: Acts, rulings: Sequence[Ruling]) -> Sequence[Saying]:
    """Return the clauses that these rulings rest on, each once."""
    found: dict[str, Saying] = {}
    for ruling in rulings:
        if clause := find_clause(acts.game, ruling.rule):
            found.setdefault(ruling.rule, Saying(ruling.rule, clause.text))
    return list(found.values())


def distinct(entries: Sequence[Entry]) -> list[Entry]:
    """Return each entry once, as it is found by what it says."""
    return list({(entry.text, repr(entry.facts)): entry for entry in entries}.values())


# -- what the table may do --------------------------------------------------------------------------------------


class TableMenu:
    """The table's own acts for one seat; `say` puts something to everybody, and `tongue` writes a decision down."""

    def __init__(self, session: Session, acts: Acts, say: Callable[[Ruling], object], tongue: Tongue) -> None:
        self._session, self._acts, self._say, self._tongue = session, acts, say, tongue

    def choice(self) -> Choice:
        return Choice(None, list(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        last = self._session.last
        if last:
            yield self._back(last)
            yield Entry(BACK_TO, {}, self._further)
        if self._session.redoable:
            yield Entry(REDO, {}, Redo())
        if last:
            yield Entry(CORRECT, {}, self._corrections)
        yield Entry(DECIDES, {}, self._decisions)

    def _back(self, last: Receipt) -> Entry:
        """Return the entry for what a plain undo takes back."""
        return Entry(UNDO, {"act": act(last)}, Undo())

    def _further(self) -> Choice:
        """Return the acts after which the game can stand again, the latest first, and the start."""
        recent = list(backwards(self._session.last))[1 : RECENT + 1]
        back = [Entry(BACK_AFTER, {"number": of.number, "act": act(of)}, Undo(of.number)) for of in recent]
        return Choice(None, [*back, Entry(START, {}, Undo(0))])

    def _corrections(self) -> Choice:
        """Return the standing acts that can be corrected (T-8)."""
        recent = list(backwards(self._session.last))[:RECENT]
        sealed = {of.number for of in sealed_acts(self._session)}
        open_acts = [of for of in recent if of.number not in sealed and not isinstance(of.event, Decide)]
        return Choice(None, [step(of, partial(self._was, of)) for of in open_acts])

    def _was(self, of: Receipt) -> Then:
        """Return what an act can have been instead, in the moment it was made.

        All agree on it and anybody may enter it. Of another seat's cards and chips this ear knows as little as of those
        of a player who has left.
        """
        before = of.before.state if of.before else self._session.opening
        game, at = self._session.game, self._acts.at
        moment = type(at)(
            at.seats, at.options, game.view(before), game.derived(before), outlines(game, before), at.reveal
        )

        def amended(event: Event) -> Then:
            return Amend(of.number, event)

        seat: Seat | None = getattr(of.event, "seat", None)
        others = {*self._acts.absent, *([seat] if seat and seat != self._acts.seat else [])}
        was = Acts(game, before, moment, self._acts.seat, others, made=amended, read=self._acts.read)
        return Choice(None, was.entries())

    def _decisions(self) -> Choice:
        """Return the decisions in words, and who has left or is back (T-9)."""
        gone = self._acts.absent
        lies = [Entry(OTHERWISE, {}, self._change)] if position_of(self._session.game.name).writes else []
        seats = [(IS_BACK if seat in gone else LEFT, {"seat": seat}) for seat in self._session.setup.seats]
        return Choice(
            None,
            [
                Entry(PROPOSE, {"words": Ruling("", "", text, facts)},
                      Do(partial(self._put, text, facts), partial(self._agreed, text, facts)))
                for text, facts in [*((text, {}) for text in SETTLED), *seats]
            ] + lies,
        )  # fmt: skip

    def _change(self) -> Then:
        """Return the list that changes what lies where, part by part (T-9)."""
        from companion.answers.editing import draft

        session = self._session
        now = draft(session.game, session.setup, session.state)
        return Change(now, self._acts.seat, self._put, self._agreed, self._acts.read).choice()

    def _put(self, text: str, facts: Data) -> Then:
        """Put a decision to the table: everybody hears it, and says yes or no aloud."""
        words = Ruling("", "", text, facts)
        self._say(Ruling("put", "T-9", PUT, {"seat": self._acts.seat, "words": words}))
        return self._agreed(text, facts)

    def _agreed(self, text: str, facts: Data, change: Data | None = None) -> Choice:
        """Return the list of the table's answers to a decision."""
        words = str(self._tongue.tr(text, **facts))
        # where much lies differently, everybody has heard more than is written down
        decision = Decide(words if len(words) <= WORDS else f"{words[: WORDS - 1]}…", change)
        return Choice(None, [Entry(ALL_AGREE, {}, decision), Entry(NO, {}, Do(self._withdrawn))])

    def _withdrawn(self) -> Then:
        self._say(Ruling("withdrawn", "T-9", WITHDRAWN, {"seat": self._acts.seat}))
        return ()


def step(receipt: Receipt, then: Then) -> Entry:
    return Entry(STEP, {"number": receipt.number, "act": act(receipt)}, then)


def sealed_acts(session: Session) -> Iterator[Receipt]:
    """Yield choices whose card still lies face down: those are made anew and not corrected."""
    chosen = session.view().get("chosen") or ()
    for of in reversed(acts(session.last)):
        if isinstance(of.event, Choose) and of.event.seat in chosen:
            yield of
        elif not isinstance(of.event, Choose | Decide):
            return
