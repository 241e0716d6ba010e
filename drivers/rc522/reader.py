"""The reader itself: short polls with the field on only during each, and repair of the chip's settings."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any

from companion.hardware.doctor.hour import GainSweep, ResetTest
from companion.hardware.tap import Layers, silent, unheard
from companion.rules.message import Message
from drivers.rc522.package import no_answer, opened, package, pulse, resets, watched
from drivers.rc522.reset_test import reset_test
from drivers.rc522.search import FoundTags, TagSearch
from drivers.rc522.settings import GAINS, OWN, RF_CFG
from drivers.rc522.transceiver import Clock, Transceiver

VERSION, STATUS2, MODE, TX_CONTROL, TX_ASK = 0x37, 0x08, 0x11, 0x14, 0x15
T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L = 0x2A, 0x2B, 0x2C, 0x2D
ANTENNA_OFF, ANTENNA_ON = 0x80, 0x83

SETTINGS = ((T_MODE, 0x80), (T_PRESCALER, 0xA9), (T_RELOAD_H, 0), (T_RELOAD_L, 39), (TX_ASK, 0x40), (MODE, 0x3D))
"""The timer starts by itself when a frame has been sent and waits 40 times 25 µs (MFRC522 data sheet, 8.5); a tag
begins to answer after 0.1 ms. All ASK modulation and the CRC's beginning are the package's own settings."""
SILENT = (0x00, 0xFF)
"""The version read if no chip answers."""
WATCHED = ((VERSION, 0xFF), (STATUS2, 0x08), (TX_CONTROL, 0x03))
"""Registers read at every poll besides the settings, and which of their bits."""

SETTLE = 0.005
"""Seconds from the field's coming on until every tag must hear (ISO/IEC 14443-3, section 5)."""
START = 0.05
"""Seconds a chip may take to start after a reset before it answers, and before it keeps what is written to it."""
GLANCE = 0.001
"""Seconds between two looks at whether it has started."""
TRIES = 2
LATELY = 3
"""A tag seen in one of this many latest polls is looked for again within a poll that misses it."""
THOROUGH = 5
"""One poll in this many asks for the whole of a known id, and for a tag behind the one that is heard."""


class Rc522:
    """An MFRC522 on an SPI bus.

    Its antenna is on only during a poll, so that readers side by side do not disturb each other and every tag starts
    afresh.

    `several` says whether the last poll met more than one tag, `faint` which tag it had to ask again, `version` is the
    chip's, `repairs` counts how often it had lost its settings. `gain` is the receiver's, in dB, None for the chip's
    own. Raises OSError if the chip cannot be opened or does not answer.
    """

    def __init__(
        self,
        bus: int = 0,
        device: int = 0,
        reset: int = 25,
        load: Callable[[], Any] = package,
        clock: Clock = time,
        *,
        gain: int | None = None,
        taps: Layers = unheard,
    ) -> None:
        self.several = False
        self.faint: frozenset[str] = frozenset()
        self.repairs = 0
        self.gain = gain
        self._name = f"SPI{bus}.{device}"
        self._reset = reset
        self._resets = resets[reset]
        self._clock = clock
        self._lately: deque[frozenset[str]] = deque(maxlen=LATELY)
        self._polls = 2 * bus + device  # so that neighbours are thorough at different times
        self._lit = 0.0
        self._prepare_settings(gain)
        self._tap = taps("reader")
        self._chip: Any = watched(opened(load, bus, device, reset), taps("spi"), clock)
        self._transceiver = Transceiver(self._chip, clock, self._tap)
        try:
            self.version: int = self._wait_for_start()
            self._set_up()
            self._check_registers(ANTENNA_OFF)
        except OSError:
            self.close()
            raise

    def poll(self) -> frozenset[str]:
        """Return the tags in the field now. Raises OSError if the chip does not answer."""
        if self._chip is None:
            raise OSError(Message("The reader is closed", code="closed"))
        if self._resets != resets[self._reset]:  # another reader has pulsed the shared line
            self._repair(ANTENNA_OFF)
        self._field_on()
        self._check_registers(ANTENNA_ON)
        # the registers were read while the field settled, a time that has to pass anyway
        self._wait_for_field()
        tags = self._search_field()
        if not self._recently_seen() <= tags and self._check_registers(ANTENNA_ON):  # the reader failed, not the tag
            self._wait_for_field()
            tags |= self._search_field()
        # off between polls: fields side by side disturb each other, and halted tags wake up afresh
        self._transceiver.write(TX_CONTROL, ANTENNA_OFF)
        self._lately.append(tags)
        return tags

    def close(self) -> None:
        """Switch the antenna off and release the bus; harmless a second time.

        The reset pin stays as it is: readers may share it, and the package's own cleanup takes every pin there is.
        """
        # forgotten first: a second close must not touch a device file that is closed
        chip, self._chip = self._chip, None
        if chip:
            try:
                chip.Write_MFRC522(TX_CONTROL, ANTENNA_OFF)
            finally:
                chip.spi.close()

    def test_reset(self) -> ResetTest:
        """Test the chip; the test resets it, and it is set up again. Raises OSError."""
        seen = reset_test(self._chip, self._reset, self._transceiver, self._clock)
        self._clock.sleep(START)
        self._repair(ANTENNA_OFF)
        return seen

    def sweep(self, polls: int) -> GainSweep:
        """Poll at each gain; restore everything afterwards. Raises OSError.

        Taps do not record these polls, as no replay could follow them.
        """
        gain, tap, transceiver = self.gain, self._tap, self._transceiver
        lately, count = self._lately.copy(), self._polls  # a recording of the other polls depends on both
        self._tap, self._transceiver = silent, Transceiver(self._chip, self._clock, silent)
        heard: dict[int, int] = {}
        try:
            for each in GAINS:
                self._prepare_settings(each)
                self._set_up()
                self._lately.clear()
                heard[each] = sum(bool(self.poll() - self.faint) for _ in range(polls))
        finally:
            self._prepare_settings(gain)
            self._lately, self._polls = lately, count
            self._repair(ANTENNA_OFF)
            self._tap, self._transceiver = tap, transceiver
        return GainSweep(heard, polls, OWN if gain is None else gain)

    def _prepare_settings(self, gain: int | None) -> None:
        """Prepare the settings with this gain; they are written when the chip is set up."""
        self._settings = SETTINGS if gain is None else (*SETTINGS, (RF_CFG, GAINS[gain]))
        self._watched = (*WATCHED, *((register, 0xFF) for register, _ in self._settings))
        self._addresses = tuple(register for register, _ in self._watched)

    # -- tags -------------------------------------------------------------------------------------------------

    def _recently_seen(self) -> frozenset[str]:
        return frozenset().union(*self._lately)

    def _search_field(self) -> frozenset[str]:
        """Return the tags in the field; look again if an answer was garbled or a recently seen tag is missing."""
        expected = self._recently_seen()
        self._polls += 1
        just_opened = len(self._lately) < LATELY  # and it is unknown which tags lay here before
        # with one card, the usual case, a poll asks for four bytes only: a whole id takes more frames
        its_turn = len(expected) == 1 and self._polls % THOROUGH == 0
        thorough = just_opened or its_turn or len(expected) > 1
        tags: frozenset[str] = frozenset()
        at_once: frozenset[str] = frozenset()
        for attempt in range(TRIES):
            found: FoundTags = TagSearch(self._transceiver, expected, thorough, trust=attempt == 0).run()
            tags |= found.tags
            # only the first attempt says how well a tag is heard: later ones were repeated until it answered
            at_once = at_once if attempt else found.at_once
            self.several = found.several or len(tags) > 1
            if found.sure and expected <= tags:
                break
        self.faint = frozenset() if self.several else tags - at_once  # they disturb each other: none is weak
        return tags

    # -- the chip ---------------------------------------------------------------------------------------------

    def _field_on(self) -> None:
        self._transceiver.write(TX_CONTROL, ANTENNA_ON)
        self._lit = self._clock.monotonic()

    def _wait_for_field(self) -> None:
        self._clock.sleep(max(0.0, self._lit + SETTLE - self._clock.monotonic()))

    def _check_registers(self, antenna: int) -> bool:
        """Read the watched registers and repair the chip if they have changed; return whether that was needed.

        Raises OSError with what was wrong if it stays so.
        """
        healthy = [self.version, 0, antenna & 3, *(value for _, value in self._settings)]
        for attempt, remedy in enumerate((self._repair, self._repair_slowly, self._restart, None)):
            read = self._transceiver.read_all(self._addresses)
            self._tap(registers=bytes(chain(*zip(self._addresses, read, strict=True))))
            # the mask hides bits the chip changes by itself
            seen = [value & mask for value, (_, mask) in zip(read, self._watched, strict=True)]
            answers = seen[0] not in SILENT
            if seen == healthy and answers:
                self.repairs += attempt > 0
                return attempt > 0
            if answers and remedy:
                remedy(antenna)
        if not answers:  # no command reaches it; the next opening shows whether the reset does
            with suppress(OSError):
                pulse(self._chip, self._reset, self._clock)
        raise OSError(self._settings_fault(seen[0]))

    def _wait_for_start(self) -> int:
        """Return the version, as soon as the chip answers after a reset; 0x00 or 0xFF if it does not."""
        latest = self._clock.monotonic() + START
        # a chip that starts and an empty bus read alike: only time tells them apart
        while (version := int(self._transceiver.read(VERSION))) in SILENT and self._clock.monotonic() < latest:
            self._clock.sleep(GLANCE)
        return version

    def _repair(self, antenna: int) -> None:
        # MFRC522_Init switches the antenna on and writes the package's own timer, so the settings must follow
        self._resets = resets[self._reset]
        self._chip.MFRC522_Init()
        self._wait_for_start()
        self._set_up()
        if antenna == ANTENNA_ON:
            self._field_on()

    def _repair_slowly(self, antenna: int) -> None:
        """Repair the chip after a pause for its oscillator, which the package does not wait for."""
        self._chip.MFRC522_Init()
        self._clock.sleep(START)
        self._repair(antenna)

    def _restart(self, antenna: int) -> None:
        """Reset the chip by its line, where no command helps.

        The other readers on the line set themselves up in their turn.
        """
        pulse(self._chip, self._reset, self._clock)
        self._clock.sleep(START)
        self._repair(antenna)

    def _set_up(self) -> None:
        """Write our settings over the package's, which has also switched the antenna on."""
        self._transceiver.write(TX_CONTROL, ANTENNA_OFF)
        # STATUS2: a crypto session left over from another program would encrypt every answer (9.3.1.9)
        for register, value in (*self._settings, (STATUS2, 0)):
            self._transceiver.write(register, value)

    def _settings_fault(self, version: int) -> Message:
        if version in SILENT:
            return no_answer(self._name, version)
        if version != self.version:
            return Message(
                "The chip on {place} answers wrongly (its version was {before:02X}, now {version:02X}): check its "
                "cable",
                code="changed",
                place=self._name,
                before=self.version,
                version=version,
            )
        return Message(
            "The chip on {place} does not keep its settings: check its power", code="forgets", place=self._name
        )
