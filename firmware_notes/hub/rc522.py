"""An RC522 card reader: finds the tags in its field, and keeps its chip well (MFRC522 data sheet; ISO/IEC 14443-3, 6).

It needs `transfer(bytes) -> bytes`, one SPI transfer with the reader's chip select, and `wait(µs)`; `reset()`, if there
is one, pulls the chip's reset line. What fails is an OSError with one word.
"""

COMMAND, COM_IRQ, ERROR, STATUS2, FIFO_DATA, FIFO_LEVEL, CONTROL = 0x01, 0x04, 0x06, 0x08, 0x09, 0x0A, 0x0C
BIT_FRAMING, COLL, MODE, TX_CONTROL, TX_ASK = 0x0D, 0x0E, 0x11, 0x14, 0x15
T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, CHIP_VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37
IDLE, TRANSCEIVE, SOFT_RESET = 0x00, 0x0C, 0x0F
START_SEND, FLUSH, EVERY_IRQ = 0x80, 0x80, 0x7F
SENT, RECEIVED, TIMED_OUT = 0x40, 0x20, 0x01
COLLISION, PARITY, BROKEN, NO_POSITION = 0x08, 0x02, 0x11, 0x20
ANTENNA_OFF, ANTENNA_ON = 0x80, 0x83
SETTINGS = ((T_MODE, 0x80), (T_PRESCALER, 0xA9), (T_RELOAD_H, 0), (T_RELOAD_L, 39), (TX_ASK, 0x40), (MODE, 0x3D))
"""The timer starts by itself when a frame has been sent and waits 1 ms (8.5): a tag begins to answer after 0.1 ms."""
SILENT = (0x00, 0xFF)
"""What the version reads if no chip answers."""
WATCHED = ((CHIP_VERSION, 0xFF), (STATUS2, 0x08), (TX_CONTROL, 0x03)) + tuple([(at, 0xFF) for at, _ in SETTINGS])  # noqa: RUF005
"""Registers read at every poll, and which of their bits."""

REQA, WUPA = 0x26, 0x52
LEVELS = (0x93, 0x95, 0x97)
WHOLE, CASCADE_TAG, MORE = 0x70, 0x88, 0x04
HALT = b"\x50\x00\x57\xcd"

SETTLE = 5000
"""µs until a tag hears after the field has come on (ISO/IEC 14443-3, 5)."""
START = 50000
GLANCE = 1000
"""µs a chip may take to start after a reset, and between two looks at whether it has."""
STEP = 100
LONGEST = 5000
"""µs between two looks at an exchange, and for all of it: the longest takes 2 ms, if the chip has kept its timer."""
REPAIRS = 3
TRIES = 2
LATELY = 3
"""A tag seen in one of this many latest polls is looked for again within a poll that misses it."""
THOROUGH = 5
"""One poll in this many asks for the whole of a known id, and looks for a tag behind the one that is heard."""
MOST = 8
CALLS = 3
PATIENCE = 4
"""How many tags are looked for, how often one that should be there is called, how many garbled answers end a search."""


class GarbledError(Exception):
    """An answer was missing or wrong in the middle of a search."""


def crc_a(data):
    """The two check bytes of a frame (ISO/IEC 14443-3, annex B)."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF  # noqa: PLW2901
        byte ^= byte << 4 & 0xFF  # noqa: PLW2901
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return bytes([crc & 0xFF, crc >> 8 & 0xFF])


def first_part(uid):
    """The four bytes an id's first anticollision brings up (6.5.4)."""
    uid = bytes.fromhex(uid)
    return uid if len(uid) == 4 else bytes([CASCADE_TAG]) + uid[:3]


class Rc522:
    """One reader. The antenna is on only during a poll, so that readers side by side do not disturb each other."""

    made = 0
    resets = 0
    """How often the reset line was pulled: it is every reader's."""

    def __init__(self, transfer, wait, reset=None):
        self.transfer = transfer
        self.wait = wait
        self.reset = reset
        self.version = None
        self.started = False
        self.resets = 0
        self.repairs = 0
        self.lately = []
        self.several = False
        Rc522.made += 1
        self.polls = Rc522.made  # so that readers side by side are thorough at different times

    def poll(self):
        """The ids of the tags in the field now, a set in uppercase hex. Raises OSError."""
        self.wake()
        self.write(TX_CONTROL, ANTENNA_ON)
        self.watch()
        self.wait(SETTLE)
        tags = self.look()
        if not self.expected() <= tags and self.watch():  # it was not the tag that failed
            self.wait(SETTLE)
            tags |= self.look()
        self.write(TX_CONTROL, ANTENNA_OFF)
        self.lately = self.lately[1 - LATELY :] + [tags]  # noqa: RUF005
        return tags

    def expected(self):
        tags = set()
        for seen in self.lately:
            tags |= seen
        return tags

    def look(self):
        """What lies there; looks again if an answer was garbled or a tag is missing that was there lately."""
        expected, tags = self.expected(), set()
        self.polls += 1
        its_turn = len(expected) == 1 and self.polls % THOROUGH == 0
        thorough = its_turn or len(expected) > 1 or len(self.lately) < LATELY
        for attempt in range(TRIES):
            found, sure = self.search(expected, thorough, attempt == 0)
            tags |= found
            if sure and expected <= tags:
                break
        return tags

    # -- the chip -----------------------------------------------------------------------------------------------------

    def write(self, register, value):
        self.transfer(bytes([register << 1, value]))

    def read(self, registers):
        """Several registers in one transfer: each address is answered while the next is sent (8.1.2.1)."""
        return self.transfer(bytes([0x80 | register << 1 for register in registers] + [0]))[1:]

    def wake(self):
        """Waits for a chip that was reset by its line, or by the power. One that did not answer before is not waited
        for: there may be several, and the other readers would wait with each of them."""
        if not self.started or (self.resets != Rc522.resets and self.version is not None):
            self.wait_for_start()
        self.started = True
        self.resets = Rc522.resets

    def wait_for_start(self):
        for _ in range(START // GLANCE):
            if self.read((CHIP_VERSION,))[0] not in SILENT:
                break
            self.wait(GLANCE)

    def watch(self):
        """Compares the watched registers with what they must be, and repairs the chip; whether it had to."""
        for attempt in range(REPAIRS):
            seen = [value & mask for value, (_, mask) in zip(self.read([at for at, _ in WATCHED]), WATCHED)]  # noqa: B905
            answers = seen[0] not in SILENT
            if answers and self.version is None:
                self.version = seen[0]
            if answers and seen == [self.version, 0, ANTENNA_ON & 3] + [value for _, value in SETTINGS]:
                self.repairs += attempt > 0
                return attempt > 0
            if answers:  # a chip that answers can be repaired; for a bus there is only hope
                self.repair(attempt > 0)
        known, self.version = self.version, None
        if self.reset:  # harder than any command; it takes effect by the next poll, and the others repair themselves
            self.reset()
            Rc522.resets += 1
        raise OSError("settings" if answers and seen[0] == known else f"version_{seen[0]:02X}")

    def repair(self, patient):
        """Sets the chip up anew, with the antenna on; `patient` waits for its oscillator."""
        self.write(COMMAND, SOFT_RESET)
        self.wait_for_start()
        if patient:
            self.wait(START)
        for register, value in SETTINGS:
            self.write(register, value)
        self.write(STATUS2, 0)
        self.write(TX_CONTROL, ANTENNA_ON)

    def exchange(self, frame, last_bits=0, align=0):
        """Sends a frame of which the last byte has `last_bits`, 0 for all; returns (value, bytes, collided, position)
        of the answer, its first bit being the lowest, or None for silence. Raises GarbledError."""
        framing = align << 4 | last_bits
        self.write(COMMAND, IDLE)
        self.write(COM_IRQ, EVERY_IRQ)
        self.write(FIFO_LEVEL, FLUSH)
        self.transfer(bytes([FIFO_DATA << 1]) + frame)
        self.write(COMMAND, TRANSCEIVE)
        self.write(BIT_FRAMING, START_SEND | framing)
        irq = 0
        for _ in range(LONGEST // STEP):
            self.wait(STEP)
            irq = self.read((COM_IRQ,))[0]
            if irq & (RECEIVED | TIMED_OUT):
                break
        self.write(BIT_FRAMING, framing)
        return self.received(align) if irq & RECEIVED else None

    def received(self, align):
        error, level, control, coll = self.read((ERROR, FIFO_LEVEL, CONTROL, COLL))
        collided = bool(error & COLLISION)
        self.several = self.several or collided
        # where tags answer with different bits, neither the parity nor the count of bits need fit
        if error & BROKEN or level > 9 or (not collided and (error & PARITY or control & 7)):
            raise GarbledError
        value = int.from_bytes(self.read((FIFO_DATA,) * level), "little") >> align
        position = 0 if coll & NO_POSITION else coll & 0x1F or 32
        return value, level, collided, position

    # -- tags ---------------------------------------------------------------------------------------------------------

    def search(self, expected, thorough, trust):
        """All tags that answer, one put to sleep after the other, and whether nothing was garbled on the way.

        One that is not `thorough` ends with the first tag unless answers collide. `trust` takes the chip's word for the
        place of a collision.
        """
        tags = set()
        self.several = False
        garbled, stubborn, call = 0, 0, WUPA
        while len(tags) < MOST and garbled <= PATIENCE:
            nothing_missing = tags >= expected and len(tags) != 1  # a poll seldom looks behind a single tag
            try:
                if not self.answered(call, 1 if nothing_missing and not garbled else CALLS):
                    break
                tag = self.tag(trust and not garbled, set() if thorough else expected)
                stubborn += tag in tags  # it was put to sleep, and answers all the same
                tags.add(tag)
                if (not thorough and not self.several) or stubborn > PATIENCE:
                    break
                self.exchange(HALT)
                call = REQA
            except GarbledError:
                garbled += 1
        return tags, garbled <= PATIENCE

    def answered(self, call, times):
        """Whether a tag answers; one whose answer was missed is awake still, and hears only the next call."""
        for _ in range(times):
            try:
                if self.exchange(bytes([call]), 7):
                    return True
            except GarbledError:  # somebody has answered
                return True
        return False

    def tag(self, trust, known):
        """The whole id of one tag, which is selected unless it begins like the only one that is `known` (6.5.3).

        A weak tag may miss any exchange, and a selection takes five of them: its beginning takes two. A new tag that
        begins the same is found by the next thorough search.
        """
        uid = b""
        for level in LEVELS:
            part = self.part(level, trust)
            if not uid and len(known) == 1 and not self.several and part == first_part(*known):
                return list(known)[0]  # noqa: RUF015
            if not self.select(level, part) & MORE:
                return (uid + part).hex().upper()
            if part[0] != CASCADE_TAG:
                break
            uid += part[1:]
        raise GarbledError

    def select(self, level, part):
        """The tag's SAK: it compares all four bytes with its own before it answers."""
        frame = bytes([level, WHOLE]) + part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]])
        answer = self.exchange(frame + crc_a(frame))
        if not answer or answer[1] != 3 or answer[2]:
            raise GarbledError
        sak = answer[0].to_bytes(3, "little")
        if crc_a(sak[:1]) != sak[1:]:
            raise GarbledError
        return sak[0]

    def part(self, level, trust):
        """Four bytes of one tag's id, with their check byte found right.

        After a collision the search goes on with the tags that have a one there. Where it was is taken from the chip in
        the first answer only: for those that begin within a byte it is not documented what it counts from.
        """
        known = bits = 0
        value, collided, position = self.ask(level, known, bits)
        while collided:
            if bits == 0 and trust and position:
                bits = position
                known = value & (1 << bits - 1) - 1 | 1 << bits - 1
            else:
                known |= (value & 1) << bits
                bits += 1
            if bits > 32:
                raise GarbledError
            value, collided, position = self.ask(level, known, bits)
        part = (known | value << bits).to_bytes(9, "little")
        if part[0] ^ part[1] ^ part[2] ^ part[3] ^ part[4] or any(part[5:]):
            raise GarbledError
        return part[:4]

    def ask(self, level, known, bits):
        """Asks for the rest of the part from those whose part begins with `known` (6.5.3.2)."""
        whole, rest = divmod(bits, 8)
        frame = bytes([level, 2 + whole << 4 | rest]) + known.to_bytes(whole + (rest > 0), "little")
        answer = self.exchange(frame, rest, rest)
        if not answer or (not answer[2] and answer[1] != 5 - whole):
            raise GarbledError
        return answer[0], answer[2], answer[3]
