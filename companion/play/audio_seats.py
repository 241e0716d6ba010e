"""The interface of audio seats ("ears"): `companion.ear` implements it, and the program's wiring passes it in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn, Protocol

from companion.play.port import Shown
from companion.record.transcript import Header
from companion.rules import N_, Event, Ruling, Seat
from companion.rules.guide import AnyKnown, Lesson
from companion.rules.menu import Entry
from companion.rules.message import Message
from companion.rules.readings import Health, Press, Reading
from companion.rules.speech import explained
from companion.rules.words import Tongue
from companion.session import Session
from companion.session.receipt import Receipt

WELCOME = explained(
    N_("This is the referee."),
    N_("This is the referee. A short press says the next entry, holding the button takes it."),
)


class Waiting(Protocol):
    """Seats with an ear while no game is played."""

    def press(self, press: Press) -> Sequence[Ruling]: ...
    def end(self) -> None:
        """Stop, because a game begins."""


class Earphones(Protocol):
    """The sound cards of a table, of which each can be one seat's ear."""

    def cards(self) -> Sequence[str]:
        """Return the sound cards that belong to no seat, by their ALSA names."""

    def try_out(self, card: str, said: Ruling) -> None:
        """Say something on this sound card alone."""

    def give(self, seat: Seat, card: str) -> None:
        """Make this sound card the seat's ear from now on, and store that."""


class Sound(Protocol):
    """Everything that is heard at the table (`companion.voice.live`)."""

    lesson: Callable[[], tuple[Lesson[Any, Any], AnyKnown] | None]
    """The lesson for newcomers at this moment."""

    def hear(self, shown: Shown) -> None:
        """Receive what is shown of the game."""

    def overhear(self, word: Reading | Press | Health) -> None:
        """Receive a word of the hardware, before anybody acts on it."""

    def entries(self, seat: Seat) -> Sequence[Entry]:
        """Return what an ear can change about how it is spoken to."""

    def aside(self, rulings: Sequence[Ruling]) -> None:
        """Tell ears something while no game is played."""

    def loud(self, rulings: Sequence[Ruling], lang: str | None = None) -> None:
        """Tell a table without ears something aloud, in its language or in `lang`."""

    def call(self, said: Message) -> None:
        """Announce to everybody that the round's time draws to its end."""


class Mute:
    """An output that plays nothing."""

    def __init__(self) -> None:
        self.lesson: Callable[[], tuple[Lesson[Any, Any], AnyKnown] | None] = lambda: None

    def hear(self, shown: Shown) -> None:
        pass

    def overhear(self, word: Reading | Press | Health) -> None:
        pass

    def entries(self, seat: Seat) -> Sequence[Entry]:  # noqa: ARG002 - as above
        return ()

    def aside(self, rulings: Sequence[Ruling]) -> None:
        pass

    def loud(self, rulings: Sequence[Ruling], lang: str | None = None) -> None:
        pass

    def call(self, said: Message) -> None:
        pass


class Open(Protocol):
    """Buttons of a table on which nobody has an ear yet, while no game is played."""

    def press(self, press: Press) -> None: ...


class AudioSeatProvider(Protocol):
    """The maker of audio seats (`companion.ear.AudioSeatFactory`)."""

    def hands(
        self,
        session: Session,
        header: Header,
        *,
        no_ms: int,
        long_ms: int,
        absent: Callable[[], Collection[Seat]],
        tongue: Callable[[], Tongue],
        more: More,
        sound: More,
        log: Callable[[], Sequence[Receipt]],
    ) -> Ears: ...
    def spoken_to(self, evening: Any, seat: Seat) -> Sequence[Entry]:
        """Return what a seat can change about how it is spoken to.

        The `evening` here and below is companion.play.evening's.
        """

    def next_games(self, evening: Any, of: Header) -> Sequence[Entry]:
        """Return what can be begun after a game."""

    def waiting(self, evening: Any, no_ms: int, long_ms: int) -> Waiting: ...
    def open(
        self,
        evening: Any,
        no_ms: int,
        long_ms: int,
        say: Callable[[Sequence[Ruling], str | None], object],
        earphones: Earphones | None,
    ) -> Open: ...


class NoAudio:
    """A program without audio seats: a table that names one cannot be played, and no button is answered."""

    def hands(self, *_: object, **__: object) -> NoReturn:
        raise ValueError("this table has ears, and nothing listens: hand in companion.ear.LISTENING")

    def spoken_to(self, *_: object) -> Sequence[Entry]:
        return ()

    next_games = spoken_to

    def waiting(self, *_: object) -> NoAudio:
        return self

    open = waiting

    def press(self, _: Press) -> Any:
        return ()

    def end(self) -> None:
        pass


# -- What a table needs of its ears: seats with an earphone, whose one button does everything ---------------------


More = Callable[[Seat], Sequence[Entry]]
"""The further entries of a seat, such as beginning the next game."""


class EarHeard(Protocol):
    """The outcome of pressing an ear's button: what is heard, and the event it made."""

    @property
    def heard(self) -> Sequence[Ruling]: ...
    @property
    def event(self) -> Event | None: ...


class Ears(Protocol):
    """Seats whose one button does everything (`companion.ear`)."""

    seats: Collection[Seat]

    def rests(self, seat: Seat, fists: Collection[Seat]) -> bool: ...
    def press(self, seat: Seat, t: int, ms: int, fists: Collection[Seat], changed: bool) -> EarHeard: ...
    def back(self, seat: Seat, t: int, ms: int) -> Sequence[Ruling]: ...
    def counting(self, seat: Seat, ms: int) -> Ruling | None: ...
    def took(self, receipts: Sequence[Receipt], seat: Seat) -> None: ...
