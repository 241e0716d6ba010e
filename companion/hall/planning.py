"""Planning: the hall searches for seatings in a separate process, and takes acts meanwhile.

A thread would not do: the search is pure Python, and holds the interpreter's lock while the hall waits for it at every
statement of its store.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock, Thread
from typing import Literal

from companion.hall._seating import Problem, Seating, solve
from companion.rules import N_
from companion.rules.data import Data
from companion.rules.message import Message
from companion.system.logs import trace, writing

log = writing("hall")

CHILD = (sys.executable, "-P", "-m", "companion.hall.planning_child")
KEPT = 8
"""How many solutions are kept: an order that is given after its preview is not planned again."""
ROUND = N_("Planning round {round}, for {seconds} s so far. To cancel: {tabularium} hall cancel {number}")
ROUNDS = N_("Planning rounds {round} to {last}, for {seconds} s so far. To cancel: {tabularium} hall cancel {number}")


Ended = Literal["found", "cancelled", "failed"]
"""How a search has ended."""


class Unplanned(Exception):  # noqa: N818 - no error: the order waits for the planning
    """A seating that nobody has searched for yet; `number` is that of its first round."""

    def __init__(self, problem: Problem, number: int) -> None:
        super().__init__(number)
        self.problem, self.number = problem, number


class SearchProcess:
    """A search in a separate process, which any thread may cancel."""

    def __init__(self) -> None:
        self._lock, self._cancelled = Lock(), False
        self._process: subprocess.Popen[bytes] | None = None

    def solve(self, problem: Problem) -> Sequence[Seating] | None:
        """Return the solution, None once cancelled. Raises OSError and EOFError where the process fails."""
        with self._lock:
            if self._cancelled:
                return None
            pipe = subprocess.PIPE
            process = self._process = subprocess.Popen(CHILD, stdin=pipe, stdout=pipe, start_new_session=True)
        with process:
            said, _ = process.communicate(pickle.dumps(problem))
        if self._cancelled:
            return None
        found: Sequence[Seating] = pickle.loads(said)  # of our own program
        return found

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._process:
                self._process.kill()


@dataclass(eq=False, slots=True)
class Planning:
    """A search that runs or waits for its turn: for which rounds, for whom, and since when."""

    number: int
    problem: Problem
    round: int
    who: str
    since: datetime
    then: Callable[[Ended], object]
    """Called in the store's thread when the search has ended."""
    process: SearchProcess = field(default_factory=SearchProcess)

    @property
    def last(self) -> int:
        """Return the last round that is planned."""
        return self.round + (self.problem.rounds or 1) - 1

    @property
    def data(self) -> Data:
        """Return it as the organiser's page shows it."""
        since = self.since.isoformat(timespec="seconds")
        return {"number": self.number, "round": self.round, "last": self.last, "who": self.who, "since": since}

    def told(self) -> Message:
        """Return it as the status has it."""
        text = ROUND if self.last == self.round else ROUNDS
        seconds = int((datetime.now().astimezone() - self.since).total_seconds())
        return Message(text, round=self.round, last=self.last, seconds=seconds, number=self.number)


class Planner:
    """The searches, one after the other, and what they have found.

    It belongs to the thread that owns the store. `inbox` takes what is to be done there: the end of a search comes the
    same way as everything else.
    """

    def __init__(self, inbox: Callable[[Callable[[], object]], object]) -> None:
        self._inbox, self._turn = inbox, Lock()
        self._found: deque[tuple[Problem, Sequence[Seating]]] = deque(maxlen=KEPT)
        self._numbers = 0
        self._going: dict[int, Planning] = {}

    @property
    def going(self) -> Mapping[int, Planning]:
        """Return the searches that have not ended, by number."""
        return self._going

    def recall(self, problem: Problem, number: int) -> Sequence[Seating]:
        """Return the solution of a problem. Raises Unplanned before it is found."""
        for known, found in self._found:
            if known == problem:
                return found
        raise Unplanned(problem, number)

    def start(self, wanted: Unplanned, who: str, then: Callable[[Ended], object]) -> Planning:
        """Begin to search, and return at once; `then` is called when that has ended."""
        self._numbers += 1
        at = datetime.now().astimezone()
        planning = Planning(self._numbers, wanted.problem, wanted.number, who, at, then)
        self._going[planning.number] = planning
        Thread(target=self._search, args=(planning,), name="planning", daemon=True).start()
        return planning

    def cancel(self, number: int | None = None) -> Sequence[Planning]:
        """Cancel the search of this number, or all; return those that were going."""
        found = [planning for planning in self._going.values() if number in (None, planning.number)]
        for planning in found:
            del self._going[planning.number]
            planning.process.cancel()
            planning.then("cancelled")
        return found

    def close(self) -> None:
        """End every process; any thread may call it."""
        for planning in list(self._going.values()):
            planning.process.cancel()

    # -- the planning's thread ---------------------------------------------------------------------------------------

    def _search(self, planning: Planning) -> None:
        with self._turn:
            found = self._solved(planning)
        self._inbox(lambda: self._ended(planning, found))

    def _solved(self, planning: Planning) -> Sequence[Seating] | None:
        """Return what is found, None where nothing is."""
        try:
            return planning.process.solve(planning.problem)
        except Exception as error:
            log.error("a search failed in its process, and continues in this one\n%s", trace(error))
        try:
            return solve(planning.problem)
        except Exception as error:  # a mistake of ours costs this order, not the planning
            log.error("a search failed\n%s", trace(error))
            return None

    # -- the store's thread ------------------------------------------------------------------------------------------

    def _ended(self, planning: Planning, found: Sequence[Seating] | None) -> None:
        if self._going.pop(planning.number, None) is None:  # cancelled meanwhile
            return
        if found is None:
            planning.then("failed")
            return
        self._found.append((planning.problem, found))
        alike = [other for other in self._going.values() if other.problem == planning.problem]
        for other in alike:  # an order that was sent twice
            del self._going[other.number]
            other.process.cancel()
        for each in (planning, *alike):
            each.then("found")
