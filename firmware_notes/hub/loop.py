"""The hub's loop on any board: what has happened goes to the core, what the core says is sent, readers take turns.

A board has `identity`, `boot`, `places`, `readers` (an Rc522 or None a place) and `held` (the buttons that are down, a
bit a place), and does

    now()         µs since the power came, never going back
    edges()       (held, t) of each change since the last call, as a list; none of them before a `now` returned earlier
    receive()     bytes that have come from the host, without waiting
    send(data)    how many bytes of it could be sent without waiting
    show(lit, linked)  which lamps are lit, a bit a place, and whether a host is there
    feed()        the watchdog
    rest(us)      waits, at most so long; may return early
"""

from core import SECOND, Hub

TURN = 60000
"""µs from one poll of a reader to its next: eight empty ones fit, or five with a card; more take the time they need."""
RETRY = SECOND // 2
"""µs to wait with a reader that does not answer: its repair takes time, and the others' turns with it."""
REST = 20000
PIECE = 64
"""Bytes given to the board at once."""
CALM = 10 * SECOND
PIECES = 8
"""In one step at most."""
FAILURES = 10
"""After this many exceptions, with less than CALM between them, the loop gives up."""


class Loop:
    """One step after the other, each short: at most one poll."""

    def __init__(self, board):
        self.board = board
        self.hub = Hub(board.identity, board.boot, board.places, board.now(), board.held)
        self.due = [None if reader is None else board.now() for reader in board.readers]
        self.unsent = b""
        self.failures = 0
        self.failed = 0

    def turn(self):
        """One step, whatever happens in it; returns whether to go on.

        One exception must not cost anybody the evening: the step is left as it is and the next one made, which keeps
        events, link and clock. But a fault that comes back each time would leave a hub that looks alive and hears
        nothing. So after FAILURES the loop ends, and with it the feeding of the watchdog: the board starts anew, and
        the host names the gap.
        """
        self.board.feed()
        try:
            self.step()
        except Exception:  # whatever it is
            now = self.board.now()
            self.failures = self.failures + 1 if now - self.failed < CALM else 1
            self.failed = now
        return self.failures < FAILURES

    def step(self):
        """Takes what has come, polls one reader if it is due, sends, and rests until there is something to do."""
        board, hub = self.board, self.hub
        now = board.now()
        for held, t in board.edges():
            hub.buttons(held, t)
        data = board.receive()
        if data:
            hub.feed(data, now)
        hub.tick(now)
        board.show(hub.lit(now), hub.linked)
        sent = self._send()
        place = self._turn()
        if place is not None and self.due[place] <= now:
            self._poll(place)
        elif not sent:
            board.rest(self._pause())

    def _turn(self):
        """The place whose reader has waited longest; None if there is no reader."""
        turn = None
        for place, due in enumerate(self.due):
            if due is not None and (turn is None or due < self.due[turn]):
                turn = place
        return turn

    def _poll(self, place):
        try:
            tags = self.board.readers[place].poll()
            now, again = self.board.now(), TURN
            self.hub.seen(place, tags, now)
        except OSError as error:
            now, again = self.board.now(), RETRY
            self.hub.failed(place, error, now)
        self.due[place] = now + again

    def _send(self):
        """Sends as much as goes, before a poll makes a press wait, but never so much that it holds up the loop.

        Returns whether there may be more.
        """
        for _ in range(PIECES):
            while len(self.unsent) < PIECE:
                line = self.hub.take()
                if not line:
                    break
                self.unsent += line
            sent = self.board.send(self.unsent[:PIECE]) if self.unsent else 0
            self.unsent = self.unsent[sent:]
            if sent < PIECE:  # there is no more, or no room for it: to wait for room would hold up the step
                return False
        return True

    def _pause(self):
        now = self.board.now()
        turn = self._turn()
        due = self.hub.due(now)
        if turn is not None:
            due = min(due, self.due[turn])
        return min(REST, max(0, due - now))


def run(board):
    """Runs until it has failed too often."""
    loop = Loop(board)
    while loop.turn():
        pass
