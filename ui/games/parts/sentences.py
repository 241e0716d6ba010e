"""What the table waits for now, for any game: who and what apart, the cards face down, the fists, the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games import prompts_of
from companion.play.fists import fist
from companion.rules import N_
from companion.rules.prompts import EVERYBODY, ONE_BY_ONE, Prompt, reveal_words
from ui.games.parts.readers import FEW, by_means, next_at_reader
from ui.games.parts.status import by_buttons
from ui.table.moment import Moment


class Expected(NamedTuple):
    """Who is expected to act, "" where shapes alone show it, and what to do."""

    who: str
    what: str
    short: str = ""
    """The same in fewer words; "" where there are none."""

    @property
    def sentence(self) -> str:
        """Return both, to be read one after the other."""
        return f"{self.who}{'' if self.who.endswith('：') else ' '}{self.what}".strip()


def expected(m: Moment) -> Expected:
    """Return what is expected now, and from whom."""
    if m.view["over"]:
        return over(m)
    if m.counts:
        return to_all(m, reveal_words(m.game).wait)
    if m.called:
        return to_open(m)
    prompt = prompts_of(m.game.name).shown(m.known)
    if m.choosing and m.view["waiting"]:
        return face_down(m, prompt)
    if m.choosing or (by_buttons(m) and any(seat in m.closed for seat in m.fists)):
        return holding(m)
    return waits_for(m, prompt)


def waits_for(m: Moment, prompt: Prompt) -> Expected:
    """Return a game's prompt; more than a few seats are not named, as their shapes stand beside it."""
    what, short = [m.say(text, **prompt.facts) if text else "" for text in (prompt.what, prompt.short)]
    seats = m.fists or prompt.seats  # nobody waits for the fist of one who has left
    if len(seats) > FEW:
        return Expected("", capital(what), capital(short))
    return Expected(m.say(prompt.named, seats=seats), what, short)


def to_all(m: Moment, what: str, seats: Sequence[str] = ()) -> Expected:
    """Return a request to these seats by name; to everybody where none is named or they are many."""
    if 0 < len(seats) <= FEW:
        return Expected(m.say(ONE_BY_ONE, seats=seats), m.say(what))
    return Expected("" if seats else m.say(EVERYBODY), m.say(what) if not seats else capital(m.say(what)))


def to_open(m: Moment) -> Expected:
    """Return the call to open the fists or turn the cards over, to the seats that have not done so yet."""
    still = [seat for seat in m.fists if seat in m.closed]
    return to_all(m, reveal_words(m.game).now, still if len(still) < len(m.fists) else ())


def over(m: Moment) -> Expected:
    """Return who has won."""
    winners = m.result["winners"]
    if not winners:
        return Expected("", m.say(N_("Nobody has won")))
    won = N_("{seats} share the victory") if len(winners) > 1 else N_("{seats} wins")
    return Expected("", m.say(won, seats=winners))


BELOW = N_("choose a virtual card below; then all cards are turned over together")
TURN_OVER = N_("Turn the cards over: tap “Reveal the cards”, or hold all tiles and let go together")


def face_down(m: Moment, prompt: Prompt) -> Expected:
    """Return the request to choose a card, by the device these seats have for it.

    Where their devices differ, the request is the game's prompt. Where several share a reader, it names the seat whose
    turn it is.
    """
    waiting = m.view["waiting"]
    what = by_means(m, waiting)
    if first := next_at_reader(m):
        return Expected(m.say(N_("{seat} first:"), seat=first), m.say(what))
    if m.virtual and set(waiting) >= set(m.seats):
        below, short = to_all(m, BELOW, waiting), m.say(what)
        return below._replace(short=short if below.who else capital(short))
    return to_all(m, what, waiting) if what else waits_for(m, prompt)


def holding(m: Moment) -> Expected:
    """Return the request to close the fists that are still open; without buttons, to turn up the cards."""
    if not by_buttons(m):
        seats = m.fists or m.view["waiting"] or m.view.get("chosen", ())
        return to_all(m, N_("reveal your cards together"), seats)
    if m.virtual and m.game.owned and not any(seat in m.closed for seat in m.fists):
        return Expected("", m.say(TURN_OVER), capital(m.say(N_("reveal your cards together"))))
    what = N_("hold your tile until all are held") if m.virtual else N_("hold your button until all are held")
    return to_all(m, what, [seat for seat in m.fists if seat not in m.closed])


def capital(text: str) -> str:
    """Return a text with a capital first letter, as a sentence begins."""
    return text[:1].upper() + text[1:]


def awaited(m: Moment) -> Sequence[str]:
    """Return the seats that still have to act, as shapes beside the sentence."""
    if by_buttons(m):
        return [seat for seat in m.fists if fist(seat, m.closed, m.called) in ("hold", "open")]
    if first := next_at_reader(m):
        return [first]
    waiting: Sequence[str] = m.fists or m.view["waiting"]
    return waiting
