"""Before and after a game, by ear: one to continue, the next of a series, others with the players of last time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from companion.dialogues.board import BoardByEar
from companion.dialogues.doctor import DoctorDialogue
from companion.dialogues.new_game import SettingUp
from companion.dialogues.phones import PhonesDialogue
from companion.dialogues.power import PowerDialogue
from companion.dialogues.report import ReportDialogue
from companion.dialogues.saving import SaveDialogue
from companion.dialogues.services import Services
from companion.dialogues.settings import language
from companion.dialogues.table_draft import again, of
from companion.dialogues.updates import UpdateDialogue
from companion.dialogues.voice import VoiceDialogue
from companion.play.evening import Evening
from companion.play.series import next_table
from companion.record.store.history import GameRow
from companion.record.transcript import Header
from companion.rules import N_, AnyGame, Ruling, Said, Seat
from companion.rules.data import Data
from companion.rules.guide import Saying
from companion.rules.menu import Choice, Dialogue, Do, Entry, Then, leads
from companion.rules.message import Message

CONTINUE = N_("Continue {game}.")
OTHERS = N_("Another unfinished game.")
PAUSED = N_("{game}: {players}. Moves: {count}.")
NEXT = N_("The next game of {game}.")
SEATED = N_("Round {round} in the hall: {game}, with {players}.")
GAME = N_("{game}.")
AGAIN = N_("{game}, with the players from last time.")
NEW = N_("A new table.")
PLAYERS = N_("{count} players.")
READY = N_("No game is being played.")
BUTTON = N_("How the button works.")
TAUGHT = (
    N_("A short press says the next entry."),
    N_("Hold the button for a second, and the entry is taken."),
    N_("Hold it for two seconds, and you are back at the top and hear how things stand."),
    N_("At a number, hold More or Less: it runs until you let go."),
    N_("While fists are called for, holding it is your fist, and letting go opens it."),
)
BOARD = N_("The board of {game}, as it is printed.")
DEVICES = N_("How the devices are doing.")
ALL_WELL = N_("All devices are OK.")


class Lobby:
    """What can be begun, for every ear at the table; `of` is the game that is over, None before the first one.

    `phone` is the seat whose phone shows it, None for ears.
    """

    def __init__(
        self, evening: Evening, services: Services, of: Header | None = None, phone: Seat | None = None
    ) -> None:
        self._games, self._services, self._of = evening, services, of
        self._phone = phone
        self._dialogues = dialogues(evening, services)

    @property
    def table(self) -> Evening:
        """Return the evening that the lobby belongs to."""
        return self._games

    def top(self, seat: Seat | None) -> Choice:
        """Return the top list for the ear of a seat; None is a display, which has neither button nor voice."""
        spoken = language(self._games).entry
        own = [*spoken_to(self._games, self._services, seat), *self._boards()]
        devices = Entry(DEVICES, {}, self._how_devices_are)
        here = self._services.phones
        phones = [PhonesDialogue(here, seat or self._phone)] if here else []
        last = [leads(dialogue) for dialogue in (*phones, *self._dialogues)]
        button = [taught()] if seat else []
        first, later = (button, []) if self._games.is_new else ([], button)
        return Choice(None, [*first, *self.entries(), spoken, *own, devices, *later, *last])

    def _boards(self) -> Iterator[Entry]:
        """Yield the board of every game whose rules do not print its data."""
        for game in self._games.games:
            if game.board:
                yield Entry(BOARD, {"game": Ruling("", "", game.title)}, partial(self._board, game.name))

    def _board(self, game: str) -> Choice:
        boards = self._games.boards
        return BoardByEar(boards.of(game), partial(boards.save, game)).choice()

    def _how_devices_are(self) -> Sequence[Saying]:
        """Return what is wrong with each device and what to do, as the status line has it."""
        ill = [health.detail for health in self._games.devices.health.values() if not health.well]
        told = [of if isinstance(of, Message) else Message(str(of)) for of in ill if of]
        return [Saying("", of.template, of.facts) for of in told] or [Saying("", ALL_WELL)]

    def going_on(self) -> Sequence[Saying]:
        return [Saying("", READY)]

    def entries(self) -> list[Entry]:
        return list(self._entries())

    def _entries(self) -> Iterator[Entry]:
        waits, over, seated = self._games.unfinished, self._of, self._games.seated
        if waits:
            yield Entry(CONTINUE, {"game": title(self._games.games, waits.table["game"])}, self._resume_action(waits))
        if others := [row for row in self._games.paused() if not waits or row.number != waits.number]:
            yield Entry(OTHERS, {}, Choice(None, [*map(self._paused, others)]))
        if seated and not seated.begun:
            facts = {"round": seated.round, "game": title(self._games.games, seated.game),
                     "players": [Said(name) if name else seat for seat, name in seated.named.items()]}  # fmt: skip
            yield Entry(SEATED, facts, self._begin_action(seated.table))
        if over and not self._games.sitting.over(over.game.name):
            yield Entry(NEXT, {"game": Ruling("", "", over.game.title)}, self._begin_action(next_table(over)))
        if self._games.regulars.last_table:
            yield from self._games_again(self._games.regulars.last_table)
        games = [
            Entry(GAME, {"game": Ruling("", "", game.title)}, partial(self._ask_how_many, game))
            for game in self._games.games
        ]
        yield Entry(NEW, {}, Choice(None, games))

    def _games_again(self, last: Data) -> Iterator[Entry]:
        """Yield every game that as many can play, the one of last time first."""
        for game in sorted(self._games.games, key=lambda game: game.name != last["game"]):
            if table := again(game, last):
                yield Entry(AGAIN, {"game": Ruling("", "", game.title)}, self._begin_action(table))

    # -- a table from the start ----------------------------------------------------------------------------------

    def _ask_how_many(self, game: AnyGame) -> Then:
        """Ask how many play; seats are clockwise, those with an ear or a phone first."""
        games = self._games

        def setting_up(count: int) -> SettingUp:
            table = of(game, count, {*games.ears, *games.devices.phones})
            table = replace(table, reveal=games.fitting_reveal(table.seats))
            return SettingUp(table, games.regulars.names, self._begin, games.is_new)

        if game.fixed:
            return setting_up(len(game.fixed)).choice()
        counts = [count for count in game.seats if count <= len(game.colours)]
        return Choice(None, [Entry(PLAYERS, {"count": n}, setting_up(n).choice) for n in counts])

    def _paused(self, row: GameRow) -> Entry:
        """Return the entry that continues a game of the history."""
        players = row.table["players"]
        named = [Said(players[seat]) if seat in players else seat for seat in row.table["seats"]]
        facts = {"game": title(self._games.games, row.table["game"]), "players": named, "count": row.events}
        return Entry(PAUSED, facts, self._resume_action(row), name=f"game {row.number}")

    def _resume_action(self, row: GameRow) -> Do:
        return Do(partial(self._resume, row.number))

    def _begin_action(self, table: Data) -> Do:
        return Do(partial(self._begin, table))

    def _begin(self, table: Data, teach: bool = False) -> Then:
        self._games.begin(table, teach=teach)
        return ()

    def _resume(self, number: int) -> Then:
        self._games.resume(number)
        return ()


def spoken_to(evening: Evening, services: Services, seat: Seat | None) -> Sequence[Entry]:
    """Return what a seat can change about how it is spoken to, and about what all hear."""
    health = evening.devices.health
    return [
        *(evening.sound.entries(seat) if seat else ()),
        *([leads(VoiceDialogue(services.voice, lambda: health))] if services.voice else []),
    ]


def dialogues(evening: Evening, services: Services) -> Sequence[Dialogue]:
    """Return what can be done here besides playing, for players who cannot see the screen."""
    found: list[Dialogue] = []
    if services.doctor:
        found.append(DoctorDialogue(services.doctor))
    if services.report:
        found.append(ReportDialogue(services.report, evening.exports))
    if services.updates and services.updates.there:
        found.append(UpdateDialogue(services.updates, lambda: evening.is_playing, evening.put_away))
    found.append(SaveDialogue(evening))
    if services.machine.off:
        found.append(PowerDialogue(services.machine, evening))
    return found


def taught() -> Entry:
    """Return what the one button does, in four sentences that can be tried at once."""
    return Entry(BUTTON, {}, [Saying("", text) for text in TAUGHT])


def title(games: Sequence[AnyGame], name: str) -> Ruling | Said:
    """Return what a game is called, in every language."""
    return next((Ruling("", "", game.title) for game in games if game.name == name), Said(name))
