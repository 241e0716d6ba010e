"""Everything with one button: lists that are stepped through by ear, and what taking an entry does.

A short press says the next entry, holding the button takes it, holding it long tells what is going on. Nothing here
makes a sound: what an ear hears are rulings for its seat alone, said like every other (`companion.voice`). A program
hands `LISTENING` to its evening, and then seats can have ears.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.ear._open import OpenRoom
    from companion.ear.hands import Hands
    from companion.ear.waiting import WaitingRoom
    from companion.play.listening import Listening
    from companion.play.lobby import Lobby
    from companion.record.transcript import Header
    from companion.session import Session


class _Ears:
    """Loaded with the first table that has one."""

    def hands(self, session: Session, header: Header, **given: Any) -> Hands:
        """Any: whatever Hands takes."""
        from companion.ear.hands import Hands

        return Hands(session, header, **given)

    def waiting(self, lobby: Lobby, no_ms: int, long_ms: int) -> WaitingRoom:
        from companion.ear.waiting import WaitingRoom

        return WaitingRoom(lobby, no_ms, long_ms)

    def open(self, *given: Any) -> OpenRoom:
        """Any: whatever OpenRoom takes."""
        from companion.ear._open import OpenRoom

        return OpenRoom(*given)


LISTENING: Listening = _Ears()
