"""Open JTalk in its own process: a request a line on standard input, an answer on a copy of standard output.

Its libraries print warnings to standard output: that is discarded from the first line on.
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
        except Exception as error:  # any of its libraries may raise: skip this text, go on with the next
            print(error, file=sys.stderr)
            hz, pcm = 48_000, b""
        out.write(HEAD.pack(asked["id"], hz, len(pcm)) + pcm)
        out.flush()


if __name__ == "__main__":
    main()
