"""The hub on a Raspberry Pi Pico: its pins, and what the loop asks of a board. MicroPython starts this by itself."""

import os
import select
import sys
import time
from array import array

import machine
import micropython
from loop import run
from rc522 import Rc522

PLACES = (
    {"button": 2, "lamp": 3, "reader": 17},
    {"button": 4, "lamp": 5, "reader": 20},
)
"""GPIO numbers, one place after the other: the button and the lamp go to ground, the reader's is its SDA (chip select).
A place may lack any of them."""
SCK, MOSI, MISO = 18, 19, 16
RESET = 21
"""The readers' common RST, which wakes one that hangs; None if that is connected to 3.3 V."""
SERVICE = 22
"""Connected to ground when the power comes, the hub does not start, and files can be copied."""
SPEED = 1000000
PORTS = {
    "rp2": {"led": "LED", "spi": 0, "timer": -1, "hard": True},
    "esp32": {"led": None, "spi": 1, "timer": 0, "hard": False},
}
"""What differs between MicroPython's ports, by `sys.platform`: the board's own LED, if it has a name; an SPI bus; a
timer that is there; and whether its calls may interrupt everything."""
PORT = PORTS[sys.platform]

RING = 64
"""Edges that may wait for the loop."""
ASLEEP = 1000
"""Steps without a sample until the board starts anew: MicroPython ends a timer for good after an exception in it."""
DOG = 2000
"""ms without a step until the board starts anew. No step takes nearly as long: nothing in it waits for the host."""
GLANCE = 2
"""ms to rest at most: a byte ends a rest, an edge does not."""
LETTERS = (("r", "reader"), ("b", "button"), ("l", "lamp"))


def output(number, level):
    """A pin that gives a level; None for no number."""
    return None if number is None else machine.Pin(number, machine.Pin.OUT, value=level)


class Board:
    """As loop.py describes it. The buttons are sampled every ms by a timer, which notes edges and nothing else."""

    def __init__(self, places, stdin, stdout):
        self.identity = machine.unique_id().hex().upper()
        self.boot = os.urandom(4).hex().upper()
        self.places = ["".join([letter for letter, part in LETTERS if part in place]) or "-" for place in places]
        self._t, self._ticks = 0, time.ticks_us()
        self._set_up_readers(places)
        self._lamps = [output(place.get("lamp"), 0) for place in places]
        self._led = output(PORT["led"], 0)
        self._stdin, self._stdout = stdin, stdout
        self._incoming, self._outgoing = select.poll(), select.poll()
        self._incoming.register(stdin, select.POLLIN)
        self._outgoing.register(stdout, select.POLLOUT)
        self._timer = self._dog = None  # the interrupt must not meet attributes that are still being added
        self._set_up_buttons(places)
        self._dog = machine.WDT(timeout=DOG)  # last: a board that cannot be set up must not start anew for ever

    def _set_up_readers(self, places):
        selects = [output(place.get("reader"), 1) for place in places]
        pins = {"sck": machine.Pin(SCK), "mosi": machine.Pin(MOSI), "miso": machine.Pin(MISO)}
        self._spi = machine.SPI(PORT["spi"], baudrate=SPEED, **pins)
        self._reset = output(RESET, 1)
        reset = self._pulse if self._reset else None
        self.readers = [pin and Rc522(self._transfer_to(pin), time.sleep_us, reset) for pin in selects]

    def _transfer_to(self, pin):
        def transfer(data):
            answer = bytearray(len(data))
            pin.value(0)
            self._spi.write_readinto(data, answer)
            pin.value(1)
            return answer

        return transfer

    def _pulse(self):
        self._reset.value(0)
        time.sleep_us(100)
        self._reset.value(1)

    # -- buttons ------------------------------------------------------------------------------------------------------

    def _set_up_buttons(self, places):
        pin = machine.Pin
        self._buttons = tuple(
            [(1 << at, pin(has["button"], pin.IN, pin.PULL_UP)) for at, has in enumerate(places) if "button" in has]
        )
        self._levels, self._stamps = bytearray(RING), array("i", [0] * RING)
        self._noted = self._told = self._unseen = 0
        self.held = self._level()
        hard = {"hard": True} if PORT["hard"] else {}
        periodic = machine.Timer.PERIODIC
        self._timer = machine.Timer(PORT["timer"], period=1, mode=periodic, callback=self._sample, **hard)

    def _level(self):
        held = 0
        for bit, pin in self._buttons:
            if not pin.value():
                held |= bit
        return held

    def _sample(self, _timer):
        """Runs within an interrupt: nothing here may need memory. With the ring full the edge is found again later."""
        self._unseen = 0
        held = self._level()
        if held != self.held and self._noted - self._told < RING:
            self._levels[self._noted % RING] = held
            self._stamps[self._noted % RING] = time.ticks_us()
            self._noted += 1
            self.held = held

    def edges(self):
        self._unseen += 1
        if self._unseen > ASLEEP:
            raise OSError("timer")
        edges = []
        while self._told < self._noted:
            at = self._told % RING
            edges.append((self._levels[at], self._t + time.ticks_diff(self._stamps[at], self._ticks)))
            self._told += 1
        return edges

    # -- the rest -----------------------------------------------------------------------------------------------------

    def now(self):
        """The chip's counter begins again every 18 minutes; this one goes on."""
        ticks = time.ticks_us()
        self._t += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._t

    def receive(self):
        data = b""
        while len(data) < 256 and self._incoming.poll(0):
            data += self._stdin.buffer.read(1)  # more at once would wait for more
        return data

    def send(self, data):
        """Byte by byte: there is room for one or there is none. For more, MicroPython would wait half a second, and as
        long again for what was left over; a host that reads a little now and then could make it wait for ever."""
        sent = 0
        while sent < len(data) and self._outgoing.poll(0) and self._stdout.buffer.write(data[sent : sent + 1]):
            sent += 1
        return sent

    def show(self, lit, linked):
        for place, lamp in enumerate(self._lamps):
            if lamp:
                lamp.value(lit >> place & 1)
        if self._led:
            self._led.value(linked or self._t % 1000000 < 50000)

    def feed(self):
        self._dog.feed()

    def rest(self, us):
        self._incoming.poll(min(GLANCE, us // 1000))


if __name__ == "__main__" and machine.Pin(SERVICE, machine.Pin.IN, machine.Pin.PULL_UP).value():
    micropython.kbd_intr(-1)  # a byte 3 from the host is garbage like any other
    run(Board(PLACES, sys.stdin, sys.stdout))
