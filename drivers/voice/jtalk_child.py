"""Open JTalk in a process of its own: a request a line on standard input, an answer on what was standard output.

Its libraries print warnings to standard output: that goes nowhere from the first line on, and sound to a copy of it.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from typing import Any

HEAD = struct.Struct("<III")
"""Before the samples of an answer: the number of the request, samples a second, bytes."""
LOUDEST = 30_000


def main() -> None:
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    import pyopenjtalk  # type: ignore[import-not-found, unused-ignore]

    for line in sys.stdin:
        asked: dict[str, Any] = json.loads(line)
        try:
            wave, hz = pyopenjtalk.tts(asked["text"], speed=asked["speed"])
            loudest = float(abs(wave).max()) if len(wave) else 0.0
            pcm = (wave * min(1.0, LOUDEST / loudest)).astype("<i2").tobytes() if loudest else b""
        except Exception as error:  # of any of its libraries: this text is not said, the next one may be
            print(error, file=sys.stderr)
            hz, pcm = 48_000, b""
        out.write(HEAD.pack(asked["id"], hz, len(pcm)) + pcm)
        out.flush()


if __name__ == "__main__":
    main()
