"""The process in which the hall searches for a seating: the problem comes in, and its solution goes out."""

from __future__ import annotations

import os
import pickle
import sys
from signal import SIG_DFL, SIGPIPE, signal

from companion.hall._seating import solve

NICE = 5
"""How far it stands back behind the hall, where they share a core."""


def main() -> None:
    signal(SIGPIPE, SIG_DFL)  # a hall that was killed meanwhile reads no solution
    os.nice(NICE)
    problem = pickle.load(sys.stdin.buffer)  # from the hall, which started this process
    sys.stdout.buffer.write(pickle.dumps(solve(problem)))


if __name__ == "__main__":
    main()
