"""Everything with one button: lists that are stepped through by ear, and what taking an entry does.

A short press says the next entry, holding the button takes it, holding it long tells what is going on. Nothing here
makes a sound: what an ear hears are rulings for its seat alone, said like every other (`companion.voice`). A program
hands its evening an `AudioSeatFactory`, and then seats can have ears.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.dialogues.lobby import Lobby
    from companion.dialogues.services import Services
    from companion.ear._onboarding import OpenRoom
    from companion.ear.seats import AudioSeats
    from companion.ear.waiting import WaitingRoom
    from companion.play.audio_seats import AudioSeatProvider
    from companion.play.evening import Evening
    from companion.record.transcript import Header
    from companion.rules import Seat
    from companion.rules.menu import Entry
    from companion.session import Session


class AudioSeatFactory:
    """A factory of ears, which know what can be done here besides refereeing.

    Each part is loaded with the first table that has one.
    """

    def __init__(self, services: Callable[[], Services] | None = None) -> None:
        self._services = services

    def _lobby(self, evening: Evening, of: Header | None = None) -> Lobby:
        from companion.dialogues.lobby import Lobby

        return Lobby(evening, self._served(), of)

    def _served(self) -> Services:
        from companion.dialogues.services import Services

        return self._services() if self._services else Services()

    def hands(self, session: Session, header: Header, **given: Any) -> AudioSeats:
        """Return the ears of a game. Any: all that `AudioSeats` takes."""
        from companion.ear.seats import AudioSeats

        return AudioSeats(session, header, **given)

    def spoken_to(self, evening: Evening, seat: Seat) -> Sequence[Entry]:
        """Return what this seat can change about how it is spoken to."""
        from companion.dialogues.lobby import spoken_to

        return spoken_to(evening, self._served(), seat)

    def next_games(self, evening: Evening, of: Header) -> Sequence[Entry]:
        """Return what can be begun after this game."""
        return self._lobby(evening, of).entries()

    def waiting(self, evening: Evening, no_ms: int, long_ms: int) -> WaitingRoom:
        from companion.ear.waiting import WaitingRoom

        return WaitingRoom(self._lobby(evening), no_ms, long_ms)

    def open(self, evening: Evening, *given: Any) -> OpenRoom:
        """Return the room of a table without ears. Any: all that `OpenRoom` takes."""
        from companion.ear._onboarding import OpenRoom

        return OpenRoom(self._lobby(evening), *given)


LISTENING: AudioSeatProvider = AudioSeatFactory()
"""Ears of a table that can do nothing besides refereeing."""
