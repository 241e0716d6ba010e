"""Open JTalk, for Japanese, with the voice "Mei" that its wheel carries.

"Mei" is by the MMDAgent Project Team, Nagoya Institute of Technology, under CC BY 3.0. The process keeps running: it
takes half a second to start and a tenth of one for a sentence. One that dies or hangs is restarted for the next text.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from companion.rules.message import Message
from drivers.voice.interruptible import Wait
from drivers.voice.jtalk_child import HEAD
from drivers.voice.kana import in_kana
from drivers.voice.pcm import Piece
from drivers.voice.program import MOST, Process, end, start
from drivers.voice.sanitize import sentences

CHILD = (sys.executable, "-m", "drivers.voice.jtalk_child")
PATIENCE = 15.0
"""Seconds for a sentence, the first of them with the dictionary from a slow card."""


class JTalk:
    name = "open-jtalk"

    def __init__(self, child: Sequence[str] = CHILD, patience: float = PATIENCE) -> None:
        self._child, self._patience = child, patience
        self._process: Process | None = None
        self._heard = bytearray()
        self._asked = 0

    def voice(self, lang: str) -> str:
        return "mei" if lang == "ja" else ""

    def speak(self, text: str, _lang: str, rate: int, wait: Wait, /) -> Iterator[Piece]:
        count = 0
        for sentence in sentences(text):
            piece = self._one(sentence, rate / 100, wait)
            count += len(piece.pcm)
            if piece.pcm:
                yield piece
        if not count:
            raise OSError(Message("{program} wrote no sound", program=self.name))

    def _one(self, text: str, speed: float, wait: Wait) -> Piece:
        process = self._running()
        assert process.stdin
        # an interrupted sentence is still being rendered: its answer is skipped by its number
        self._asked += 1
        request = json.dumps({"id": self._asked, "text": in_kana(text), "speed": speed})
        try:
            process.stdin.write(f"{request}\n".encode())
            return self._answer(process, wait)
        except OSError as fault:
            self.close()
            if isinstance(fault, BrokenPipeError):
                raise OSError(Message("{program} has ended", program=self.name)) from None
            raise

    def _running(self) -> Process:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = start(self._child)
        return self._process

    def _answer(self, process: Process, wait: Wait) -> Piece:
        """Return the answer to the latest request; skip the answers to abandoned ones."""
        assert process.stdout
        while True:
            if len(self._heard) >= HEAD.size:
                number, hz, size = HEAD.unpack_from(self._heard)
                if number > self._asked or size > MOST or not 4000 <= hz <= 192_000:
                    raise OSError(Message("{program} wrote no sound", program=self.name))
                if len(self._heard) >= HEAD.size + size:
                    pcm = bytes(self._heard[HEAD.size : HEAD.size + size])
                    del self._heard[: HEAD.size + size]
                    if number == self._asked:
                        return Piece(hz, pcm)
                    continue
            if not wait(process.stdout.fileno(), self._patience):
                raise TimeoutError(Message("{program} does not answer", program=self.name))
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                raise BrokenPipeError
            self._heard += data

    def close(self) -> None:
        """End the process; the next text starts another one."""
        process, self._process = self._process, None
        # the rest of an answer would shift the frames of the next process
        self._heard.clear()
        if process:
            with suppress(OSError):
                end(process)
