"""Switching off: the game is on disk first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Event

from companion.dialogues.services import Job
from companion.play.evening import Evening
from companion.rules import N_
from companion.rules.menu import Choice, Do, Entry, Note, Then, noted
from companion.rules.message import Message
from companion.system.service import Ask, Machine

OFF, QUIT = N_("Switch off"), N_("Quit")
SAVED = N_("Everything is saved: stop now and carry on here another evening.")
PLUG = N_("Then pull the plug once the green light on the Pi has stopped flickering.")
LAMP = N_("Then pull the plug once the lamp has gone out.")
GOING = N_("The computer is being switched off …")
LOST = N_("Everything since then would be lost. Tap again to do it anyway.")
LOOK_S = 0.1
"""Seconds between two checks whether everything is on disk."""


class PowerDialogue:
    """The dialogue that switches the computer off or restarts it; on a laptop it only closes the window.

    It waits for what is still being written. Where nothing can be written, it says what would be lost, and one more
    touch does it all the same.
    """

    def __init__(self, machine: Machine, disk: Evening, leave: Ask | None = None) -> None:
        """Offer what the machine can do; `leave` ends the program where the computer is not ours to switch off."""
        self._machine, self._disk = machine, disk
        self.off = machine.off or leave
        """The entry that most people want here, None where nothing can be done."""
        self._job: Job[str | None] | None = None
        self._saving, self._given_up = False, Event()
        self._all_the_same = False

    @property
    def title(self) -> str:
        return OFF if self._machine.off else QUIT

    def begin(self) -> None:
        self._all_the_same = False
        if not self.going:
            self._job = None

    def end(self) -> None:
        """Stop waiting for what is being written."""
        self._given_up.set()

    @property
    def going(self) -> bool:
        """Return whether it is under way.

        If it will be done, it stays so until the program is ended.
        """
        return self._job is not None and (self._job.running or self._job.result == "")

    def menu(self) -> Choice:
        ways = [(self.title, self.off), (N_("Restart"), self._machine.restart)]
        entries = [Entry(text, {}, Do(partial(self.want, ask)), main=text == self.title) for text, ask in ways if ask]
        return Choice(None, [] if self.going else entries, title=self.title, body=list(self._notes()))

    def _notes(self) -> Iterator[Note]:
        refused, trouble = self._job.result if self._job else "", self._disk.trouble
        if refused:
            yield noted(Message("That did not work: {error}", error=refused), "warning")
        elif trouble and not self.going:
            yield noted(Message("Nothing is being saved: {trouble}", trouble=trouble), "warning")
            if self._all_the_same:
                yield Note(LOST, {}, "warning")
        elif self.going:
            yield Note(N_("Saving …") if self._saving else GOING)
        else:
            yield Note(SAVED)
            if self._machine.off:
                yield Note(LAMP if self._machine.lamp else PLUG)

    def want(self, ask: Ask) -> Then:
        """Do it as soon as everything is on disk, or by one more touch where that cannot be."""
        if self.going:
            return self.menu
        if self._disk.trouble and not self._all_the_same:
            self._all_the_same = True
            return self.menu
        self._given_up = given_up = Event()
        self._saving = not self._disk.saved and not self._disk.trouble
        self._job = Job("power", lambda: self._wait_and_do(ask, given_up.wait))
        return self.menu

    def _wait_and_do(self, ask: Ask, wait: Callable[[float], bool]) -> str | None:
        """Wait for the disk, then do it; return why it was refused, "" where it will be done.

        None stands for a wish that was given up, or one that needs one more touch.
        """
        while self._saving and not self._disk.saved:
            if wait(LOOK_S):
                return None
            if self._disk.trouble:
                self._all_the_same = True
                return None
        self._saving = False
        return ask()
