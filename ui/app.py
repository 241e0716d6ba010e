"""The window: one page at a time, painted when something new may be shown."""

from __future__ import annotations

import gc

import ui.window as settings  # before kivy's clock, which reads its pace when it is imported
from companion.rules.data import Data

# isort: split
import ui.style  # noqa: F401 - before all else of kivy

# isort: split
import signal
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.metrics import Metrics

from companion.dialogues.services import Services
from companion.dialogues.settings import Appearance
from companion.play.evening import Evening
from companion.play.match import Match
from companion.play.port import Shown
from companion.rules import N_
from companion.rules.message import Message
from companion.rules.mistakes import Mistakes
from companion.rules.readings import Health, Press, now
from companion.rules.words import Tongue, message, tr
from companion.system.logs import trace, writing
from ui import theme
from ui.games.face import give_up
from ui.table.moment import Moment, moment
from ui.table.rest import at_rest
from ui.widgets.motion import motions

if TYPE_CHECKING:
    from ui.page import Dock, Hour, Page, SetUp
    from ui.shell import Shell

log = writing("screen")
QUICK = 1 / 120
"""Seconds between two looks for a finger while one is expected."""
AWAKE = 1.0
"""For how many seconds after a touch the next is expected: a finger acts when it is lifted."""
SOON = 0.02
"""For how many seconds a frame is held back for the disk, so that it shows at once what is safe at once."""
GARBAGE = 5_000, 10, 2
"""How often the collector looks for what is no longer needed (gc.set_threshold). A page is thousands of objects that
stay: by Python's own figures a seventh of all work goes there. It costs some 7 MB."""
AGAIN_S = 1.0
"""Seconds between two drawings of a still page, in case its picture was lost."""
EXACT = 0.001
"""Seconds the clock may be early."""

TURNS = ("undo", "redo", "amend", "decide")
"""The acts that change what is to be moved on the real table, or need nothing to lie in place."""
COUNT_LATER = N_("Some chips are still to be moved: first put the table right, then count.")
AT_ONCE = ("table", "why", "now")
"""The pages built ahead, so that nobody waits for them."""

SWITCH = -1
"""The power button, as a page hears it: no key of a keyboard."""
SET_UP = "set_up"
"""The beginning of the names of the set-up's pages."""
ASKING = "set_up_asks"
"""The pages on which buttons are pressed and cards laid, and no finger is on the screen."""
AWAY = Message("The window has lost the keyboard. Held buttons still count as held: tap the window to go on")
CALL = 283
"""F2: phones may join, and the table reads out how, for somebody who sees no screen and has no button."""
ESCAPE = 27
"""The key that leads back, where the first control at the side does."""
DUSK_S, EVENING = 60, (19, 7)
"""Seconds between two looks at the hour; the hours at which the evening begins and ends."""
STAYING = ("language", "start", "settings", "voice", "table")
"""The pages to return to after building every page anew."""
ASIDE = ("save", "where")
"""The pages that the set-up may be left for and come back to."""

DONE = object()
"""No step is left."""

Connect = Callable[[], Generator[None, None, "Dock | None"]]
"""Opens the hardware, yielding between its steps: the virtual table, None where real hardware stands."""
Begin = Callable[[], "Hour | None"]


class FaceErrorHandler(ExceptionHandler):
    """An exception handler that keeps the window open when a game's face raises on a touch or a key."""

    def __init__(self, fall_back: Callable[[BaseException], bool]) -> None:
        self._handle = fall_back

    def handle_exception(self, inst: BaseException) -> int:
        return int(ExceptionManager.PASS if self._handle(inst) else ExceptionManager.RAISE)


class TableApp(App):
    """One evening on one screen. `dock` is the virtual table, None where real hardware stands."""

    page: Page
    """The open page, from the first frame on."""

    def __init__(self, evening: Evening, dock: Dock | None = None, screen: settings.Screen | None = None,
                 services: Services | None = None, *, set_up: SetUp | None = None,
                 hour: Begin | None = None) -> None:  # fmt: skip
        super().__init__()
        self.services = services or Services()
        self.set_up, self.hour = set_up, hour
        self.evening, self.dock = evening, dock
        self.screen = screen or settings.Screen()
        usual = {"text": self.screen.text, "look": self.screen.theme, "side": self.screen.first_seat_side}
        self.settings = Appearance(
            lambda: evening.store, {**usual, "motion": "on", "rest": "on"}, self._setting_changed
        )
        self.title = "Tabularium"
        self.connect: Connect | None = None
        """Opens what stands on the table once the first frame is there."""
        self.pages: dict[str, Page] = {}
        self.home = "start"
        """The page that "Back" leads to: the start, or the table."""
        self._fresh = False
        """The port has said something that is not painted yet."""
        self._spoken = evening.lang  # the language that all pages are in
        self._line_read = ""  # what the hall's organiser said and was read here
        self._awake = 0.0
        self._held_keys: set[int] = set()  # keys held now that are seats' buttons
        self._asked = False
        """The disk has been given its time to answer."""
        self._now = Clock.create_trigger_free(self._tick)
        self._soon = Clock.create_trigger_free(self._tick, SOON)
        self._look = Clock.create_trigger_free(lambda _: monotonic() < self._awake, QUICK, True)

    # -- the window ----------------------------------------------------------------------------------------------

    def build(self) -> Shell:
        from kivy.core.window import Window
        from kivy.graphics import BindTexture

        from ui.joysticks import Joysticks
        from ui.keyboard import Keyboard
        from ui.screen_blanker import ScreenBlanker
        from ui.shell import Shell
        from ui.widgets.plate import sharp
        from ui.widgets.text import speak

        gc.set_threshold(*GARBAGE)
        sharp(BindTexture().texture)  # the white pixel that every plain colour is drawn with
        speak(self.lang)
        theme.use(self.palette, self.settings["text"])
        self._set_density(Window.size)
        Window.clearcolor = theme.rgba(theme.now.stone)
        Window.bind(on_resize=lambda *_: self.rebuild())
        self._keyboard = Keyboard(Window, self)
        self._joysticks = Joysticks(Window, self)
        Window.bind(on_mouse_down=self._touched, on_mouse_up=self._touched, on_touch_down=self._touched)
        Window.bind(on_flip=self._draw_first_frame_again)  # before `_hold_frame_back`: so it hears only of frames shown
        Window.bind(on_draw=self._hold_frame_back, on_flip=lambda _: self._frame_is_held)
        motions.on = self.settings["motion"] == "on"
        self.shell = Shell()
        self.blank = ScreenBlanker(self.screen.blank_min, self.services.machine.light)
        ExceptionManager.add_handler(FaceErrorHandler(self._fall_back_to_any_face))
        self._heard = self.evening.devices.heard
        self.evening.devices.switch = self._handle_power_button
        self.go(self.opening)
        self.evening.port.subscribe(self._note_news)
        Clock.clock_resolution = EXACT
        Clock.schedule_interval(self._tick, 0)
        Clock.schedule_interval(self._change_palette, DUSK_S)
        Clock.schedule_interval(lambda _: Window.canvas.ask_update(), AGAIN_S)
        self.evening.woken = self._now
        self.evening.after_frame = lambda job: Clock.schedule_once(lambda _: job())
        return self.shell

    def _draw_first_frame_again(self, window: Any) -> None:
        """Draw the first frame a second time: it may be lost.

        Without a desktop SDL makes its surfaces anew inside the first swap (SDL 2.30, KMSDRM_GLES_SwapWindow), and
        whenever the console is switched away and back; nothing tells Kivy, and a still page draws nothing by itself.
        That is why it is drawn again every second as well.
        """
        window.unbind(on_flip=self._draw_first_frame_again)
        window.bind(on_flip=self._after_second_frame)
        window.canvas.ask_update()

    def _after_second_frame(self, window: Any) -> None:
        window.unbind(on_flip=self._after_second_frame)
        Clock.schedule_once(self._go_on_starting)  # the swap comes after this

    def _go_on_starting(self, _: float) -> None:
        """Tell the service that the first frame is shown, then do the rest of the start in small steps, one a frame."""
        self.services.machine.service.ready()
        steps = self._open_hardware_and_pages()
        Clock.schedule_interval(lambda _: next(steps, DONE) is not DONE, 0)

    def _open_hardware_and_pages(self) -> Iterator[None]:
        """Open the hardware and load every page, yielding between the steps, so that no finger waits for a page."""
        from ui.pages import PAGES, page

        if self.connect:
            self.dock = yield from self.connect()
            if self.dock and len(self.pages) > 1:  # a finger has already opened another page
                self.rebuild()
            yield
        for name in PAGES:
            page(name)
            yield
        for name in AT_ONCE:
            if name not in self.pages:
                self.pages[name] = page(name)(self)
            yield
        gc.freeze()  # looking through all that is loaded for what is no longer needed takes longer than a frame may

    def _set_density(self, size: tuple[float, float]) -> None:
        """Set the density and whether the window is upright.

        A dp is a 480th of the shorter side; the density that the screen reports is ignored.
        """
        Metrics.density = max(0.5, min(size) / theme.DESIGN)
        self.upright = size[1] > size[0]

    def rebuild(self) -> None:
        """Build every page anew, for another size, language or text size."""
        from kivy.core.window import Window

        from ui.widgets.text import speak

        self._spoken = self.lang
        motions.end()
        motions.slow = False
        theme.use(self.palette, self.settings["text"])
        Window.clearcolor = theme.rgba(theme.now.stone)
        self._set_density(Window.size)
        speak(self.lang)
        name = self.page.name if self.page.name in STAYING else "start"
        name = SET_UP if self.page.name.startswith(SET_UP) else "table" if self.page.name == "rest" else name
        self.pages.clear()
        self.shell.clear()
        self.go(name if name != "table" or self.evening.match else "start")

    def _setting_changed(self, key: str) -> None:
        motions.on = self.settings["motion"] == "on"
        if key in ("text", "look", "side"):
            self.rebuild()
        if key == "rest" and self.settings["rest"] == "on" and self.evening.match and at_rest(self.moment()):
            self.go("rest", back=self.page.name)

    # -- pages ---------------------------------------------------------------------------------------------------

    @property
    def opening(self) -> str:
        """Return the page that the evening opens with: at the very first start the choice of the language."""
        if self.evening.is_new and not self.evening.spoken:
            return "language"
        return SET_UP if self.set_up and self.set_up.first else "start"

    def go(self, name: str, **given: Any) -> None:
        """Turn to a page and pass it what it needs to know."""
        from ui.pages import page

        came = self.page.name if hasattr(self, "page") else ""
        if came:
            self.page.leave()
        if self.set_up and self.set_up.desk and not name.startswith((SET_UP, *ASIDE)):
            self.dock = self.set_up.end()
            self.pages.clear()
        if name not in self.pages:
            self.pages[name] = page(name)(self)
        self.page = self.pages[name]
        self.page.name = name
        if came in ("start", "table", "end", "menu", "more", "settings"):  # else it keeps where it was opened from
            self.page.under = came if came in ("end", "settings", "more") else ""
        self.page.enter(**given)
        self.page.arrive()
        self.shell.turn(self.page)
        self.paint()

    def paint(self) -> None:
        """Show the current state: the status, the warning and the page; rebuild if the language has changed."""
        self._fresh = False
        if self._spoken != self.lang:  # chosen here or by ear
            self.rebuild()
            return
        self.services.machine.service.status(self._status())
        text, button, page = self._warning()
        if page == self.page.name:  # the page shows this warning itself
            text = ""
        said = self._hall_news() if not text else ""
        if said:
            self.shell.warn((said, self.say(N_("Got it"))), self._mark_read, wrong=False)
        else:
            self.shell.warn((text, button), lambda: self.go(page))
        try:
            self.page.show()
        except Exception as fault:  # or Kivy's clock drops `_tick`, and the program stands still
            if not self._fall_back_to_any_face(fault):
                raise
        else:
            self.page.finish()

    def _fall_back_to_any_face(self, fault: BaseException) -> bool:
        """Replace a game's face with any game's face if it raised `fault`; return whether it did."""
        if not (isinstance(fault, Exception) and give_up(fault)):
            return False
        log.error("the face of a game failed, and any game's stands in for it\n%s", trace(fault))
        self.rebuild()
        if self.evening.match:
            self.go("table")
        return True

    def _warning(self) -> tuple[str, str, str]:
        """Return a warning for everybody, the words of its button and the page it leads to; "" for none."""
        if self.evening.trouble:
            trouble = message(self.evening.trouble, self.lang)
            told = self.say(N_("Nothing is being saved: {trouble}"), trouble=trouble)
            return told, self.say(N_("Save elsewhere")), "save"
        supply = self.evening.devices.health.get("supply")
        if supply and not supply.well:
            return message(supply.detail, self.lang), self.say(N_("Hardware")), "hardware"
        return "", "", ""

    def _hall_news(self) -> str:
        """Return the hall's news until it is read here: of its time, or the organiser's message; "" for none."""
        if self.evening.called:
            return message(self.evening.called, self.lang)
        line = self.evening.hall.line if self.evening.hall else ""
        return self.say(N_("The organiser: {line}"), line=line) if line and line != self._line_read else ""

    def _mark_read(self) -> None:
        if self.evening.called:
            self.evening.called = None
            self.paint()
            return
        self._line_read = self.evening.hall.line if self.evening.hall else ""
        self.paint()

    def _note_news(self, _: Shown) -> None:
        """Mark that the port has something new, which is painted once with all other news of this frame."""
        self._fresh = True

    def _tick(self, _: float) -> None:
        """Handle events once a frame, and at once when the hardware has reported or the disk has answered."""
        self.services.machine.service.beat()
        if self.evening.drain() or self._fresh:
            self.paint()
        if self.evening.devices.heard != self._heard:
            self._heard = self.evening.devices.heard
            self.blank.stir()
        self.blank.look(self._playing or self.page.name == ASKING)

    @property
    def _playing(self) -> bool:
        """Return whether a game is being played; one left at the start page or over does not count."""
        match = self.evening.match
        return self.home == "table" and match is not None and not match.view["over"]

    def _status(self) -> str:
        """Return a status line for the computer's administrator; it says no more of the game than its name."""
        saved = "; nothing is being saved" if self.evening.trouble else ""
        return f"{self.match.game.name if self._playing else 'no game'} is being played{saved}"

    def _handle_power_button(self) -> None:
        """Handle the power button: open its page, or pass the press on to the page if it is open."""
        if self.page.name == "power":
            self.page.key(SWITCH, True)
        else:
            self.go("power")

    def _hold_frame_back(self, _: Any) -> bool:
        """Return whether this frame is held back, as the act it shows is being written and may be shown any moment.

        Nothing blocks: the clock idles, hears fingers and hardware, and draws at once when the disk has answered. A
        writing thread makes no progress beside a drawing one. Without this, of 100 lifted fingers 95 saw their act
        within 58 ms and with it within 45; of 100 pressed buttons within 24 and 17 (two cores, drawn without a graphics
        card, the middle of three runs in turn).
        """
        if not self.evening.waiting:
            self._asked = False
            self._soon.cancel()
        elif not self._asked:
            self._asked = True
            self._soon()
        return self._frame_is_held

    @property
    def _frame_is_held(self) -> bool:
        return bool(self._soon.is_triggered)

    def _touched(self, *_: object) -> None:
        """Handle a touch that began or ended: process it now, end all motions, and look for the next touch."""
        self._awake = monotonic() + AWAKE
        motions.end()
        if not self.blank.dark:
            self.blank.stir()
        self._now()
        self._look()

    # -- in ------------------------------------------------------------------------------------------------------

    def act(self, event: Data, *, at_once: bool = False) -> str:
        """Apply an act by finger; return why it was refused, "" if it was accepted.

        While something is still to be moved on the real table, the list of that comes first, and then the act: except
        `at_once`.
        """
        turned = self.match.turned
        if not at_once and event["event"] not in TURNS and (turned.before or turned.goes.moves or turned.goes.chips):
            Clock.schedule_once(lambda *_: self.go("goes", first=event))  # after the caller has turned to its own page
            return ""
        if turned.goes.chips and (event.get("change") or {}).get("chips"):
            return Tongue(self.lang, self.match.header.players).tr(COUNT_LATER)
        try:
            receipts = self.match.act(event)
        except Mistakes as mistakes:
            return str(mistakes)
        refused = [ruling for receipt in receipts if not receipt.ok for ruling in receipt.public]
        return Tongue(self.lang, self.match.header.players).say(refused[0]) if refused else ""

    def pressed(self, key: int) -> bool:
        """Handle a key that went down; return whether it meant something."""
        if self._handle_key(key, True):
            return True
        if key == CALL and (phones := self.services.phones):
            if key not in self._held_keys:  # a held key repeats
                self._held_keys.add(key)
                phones.start()
                phones.read_aloud()
            return True
        if self.blank.key() or self.page.key(key, True):
            return True
        if key == ESCAPE:
            self.page.escape()
        return key == ESCAPE

    def let_go(self, key: int) -> bool:
        """Handle a key that went up; return whether it meant something."""
        self._held_keys -= {CALL}
        return self._handle_key(key, False) or self.page.key(key, False)

    def found_up(self, key: int) -> bool:
        """Handle a key found up, nobody knows since when; return whether it meant something."""
        self._held_keys -= {CALL}
        return self._handle_key(key, False, edge=False) or self.page.key(key, False, edge=False)

    def _handle_key(self, key: int, down: bool, edge: bool = True) -> bool:
        """Pass the key on if it is a seat's button, and return whether it is; repeats of a held key are ignored."""
        seat = self.set_up.keys.get(key) if self.set_up and self.page.name != ASKING else None
        if seat and down != (key in self._held_keys):
            (self._held_keys.add if down else self._held_keys.discard)(key)
            self.evening.devices.inbox.put(Press(seat, down, now(), edge))
        return bool(seat)

    def away(self, lost: bool) -> None:
        """Report that another window has the keyboard while a key is down here (`lost`), or this one again."""
        self.evening.devices.inbox.put(Health("keyboard", not lost, AWAY if lost else ""))

    # -- out -----------------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """Return the game that is played, or was played last. Raises LookupError if there is none."""
        if self.evening.match is None:
            raise LookupError("No game has been begun.")
        return self.evening.match

    @property
    def lang(self) -> str:
        return self.evening.lang

    @property
    def palette(self) -> str:
        """Return "light" or "dark", by the hour where the settings say so."""
        hour, look = datetime.now().astimezone().hour, self.settings["look"]
        late = hour >= EVENING[0] or hour < EVENING[1]
        return ("dark" if late else "light") if look == "evening" else look

    def _change_palette(self, _: float) -> None:
        """Change the palette with the hour, unless something is being chosen or a finger is down."""
        from kivy.base import EventLoop

        changed = (theme.now is theme.DARK) != (self.palette == "dark")
        if changed and self.page.name in ("start", "table", "rest") and not EventLoop.touches:
            self.rebuild()

    @property
    def mirrored(self) -> bool:
        """Return whether the first seat is at the right, so that the rail stands there and the controls at the left."""
        return not self.upright and self.settings["side"] == "right"

    def say(self, text: str, **facts: Any) -> str:
        """Return a text of the screen in the chosen language."""
        return tr(text, self.lang, **facts)

    def moment(self) -> Moment:
        """Return what may be shown of the game now. Raises LookupError if there is none."""
        devices, approvals = self.evening.devices, self.evening.approvals
        own = self.dock is not None
        now = moment(self.match, devices.health, devices.equipment, self.lang, approvals=approvals, virtual=own)
        board = now.board
        return now if board is None else replace(now, board=self.evening.boards.confirmed(now.game.name, board))


def run(
    evening: Evening,
    connect: Connect,
    screen: object = None,
    services: Services | None = None,
    *,
    set_up: SetUp | None = None,
    hour: Begin | None = None,
) -> None:
    """Open the window; return when it is closed or the computer is switched off."""
    shape = settings.read(screen or {})
    settings.configure(shape)
    app = TableApp(evening, screen=shape, services=services, set_up=set_up, hour=hour)
    app.connect = connect
    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, lambda *_: app.stop()) for number in ends}
    try:
        app.run()
    finally:
        for number, done in before.items():
            signal.signal(number, done)
