"""Another version of the program: looked for, put in place, taken back. Root does it (`companion.system.updates`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from companion import __version__
from companion.rules import N_
from companion.rules.menu import Choice, Do, Entry, Note, Then, noted
from companion.rules.message import Message
from companion.system.updates import Answer, Offer, Updates

HERE = N_("This is version {version}.")
TRIAL = N_("This version is on probation for {minutes} more minutes. If it crashes, the previous version is restored.")
GAME = N_("A game is in progress. It can wait for another evening; nothing is lost.")
STICK = N_("On another computer, copy the folder of a new version onto a USB stick. Plug it in here, then choose "
           "“Check USB sticks”.")  # fmt: skip
LOOKING = N_("Looking …")
STEPS = {
    "look": LOOKING,
    "take": N_("The signature is being checked …"),
    "back": N_("The previous version is being restored; the table restarts by itself."),
    "copy": N_("The update is being copied …"),
    "install": N_("Version {version} is being installed; this one stays as a spare. After a minute or two the "
                  "table restarts by itself."),
}  # fmt: skip
"""The updater's present step, in words."""
INSTALL = N_("The games are copied, then the table restarts with {version}. If that shows no picture "
"or crashes within ten minutes, this version is restored.")  # fmt: skip
GO_BACK = N_("The table restarts with {version}. If it can read the current games, they stay. If not, the games "
             "from before the update return, and the current ones are kept beside them.")  # fmt: skip
NEWS = N_("What is new in {version}")
FURTHER = N_("Further changes, listed in CHANGELOG.md: {count}")


class UpdateDialogue:
    """The dialogue for other versions. One touch alone installs nothing, and nothing is installed during a game."""

    title = N_("Update")

    def __init__(self, updates: Updates, playing: Callable[[], bool], put_away: Callable[[], object]) -> None:
        self._updates, self._playing, self._put_away = updates, playing, put_away
        self._failed = ""

    def begin(self) -> None:
        """Look on the sticks, unless root is at work already."""
        answer = self._updates.heard()
        if not answer or answer.state != "working":
            self._ask(self._updates.look)

    def end(self) -> None:
        self._failed = ""

    def menu(self) -> Choice:
        answer = Answer("failed", text=self._failed) if self._failed else self._updates.heard()
        busy = answer is not None and answer.state == "working"
        said = list(self._notes(answer, busy))
        return Choice(None, [] if busy else list(self._entries(answer)), title=self.title, body=said)

    def _notes(self, answer: Answer | None, busy: bool) -> Iterator[Note]:
        yield Note(HERE, {"version": __version__}, "strong")
        if trial := self._updates.trial():
            yield Note(TRIAL, {"minutes": trial[1]})
        if answer and busy:
            yield Note(STEPS.get(answer.step, LOOKING), {"version": answer.version})
            return
        if answer and answer.text:
            yield noted(answer.text, "lead")
        elif last := self._updates.last():
            yield noted(last[1])
        if self._playing():
            yield Note(GAME)
            return
        if not answer or answer.offers is None:
            return
        if not answer.offers:
            yield Note(STICK)
        if best := answer.best:
            yield Note(NEWS, {"version": best.version}, "heading")
            yield from map(noted, best.changes)
            if best.further:
                yield Note(FURTHER, {"count": best.further})
        for offer in answer.offers:
            if offer.why:
                yield noted(Message("{place}: {why}", place=_short_place(offer.place), why=offer.why))

    def _entries(self, answer: Answer | None) -> Iterator[Entry]:
        updates = self._updates
        if self._playing():
            yield Entry(N_("Stop the game for another evening"), {}, Do(self._stop_game), main=True)
            return
        if (best := answer.best if answer else None) and not updates.trial():
            yield Entry(N_("Install {version}"), {"version": best.version}, self._sure(INSTALL, best), main=True)
        yield Entry(N_("Check USB sticks"), {}, Do(partial(self._ask, updates.look)))
        if updates.address:
            yield Entry(N_("Check online"), {}, Do(partial(self._ask, partial(updates.look, address=True))))
        if before := updates.before:
            yield Entry(N_("Back to {version}"), {"version": before}, self._sure(GO_BACK, None))

    def _sure(self, text: str, offer: Offer | None) -> Choice:
        """Ask for a second touch."""
        act = partial(self._updates.take, offer.place) if offer else self._updates.back
        facts = {"version": offer.version if offer else self._updates.before}
        yes = Entry(N_("Yes, now"), {}, Do(partial(self._ask, act)), main=True)
        return Choice(None, [yes], title=self.title, body=[Note(text, facts, "lead")])

    def _stop_game(self) -> Then:
        self._put_away()
        return self._ask(self._updates.look)

    def _ask(self, ask: Callable[[], object]) -> Then:
        """Ask root for something, and return to the menu, which says what root is at."""
        self._failed = ""
        try:
            ask()
        except OSError as error:
            self._failed = str(error)
        return self.menu


def _short_place(place: str) -> str:
    """Return a stick's folder by its last two names, an address as it is."""
    return place if "://" in place else "/".join(Path(place).parts[-2:])
