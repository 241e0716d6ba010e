"""Prints the table: `python -m benchmarks [NAME …]`, where NAME is one of the parts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from benchmarks import ear, hall, hubs, last_word, phones, readers, rules, screen, usb, voice

Row = tuple[str, str, str]
PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "play": rules.play_rows,
    "replay": rules.replay_rows,
    "back": last_word.rows,
    "readers": readers.rows,
    "usb": usb.rows,
    "hubs": hubs.rows,
    "phones": phones.rows,
    "voice": voice.rows,
    "ear": ear.rows,
    "hall": hall.rows,
    "start": screen.start_rows,
    "idle": screen.idle_rows,
    "cards": screen.card_rows,
    "finger": screen.finger_rows,
    "evening": screen.long_rows,
}


def main(names: list[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("what", "measured", "beside it", box=None, pad_edge=False, header_style="bold")
    if strange := [name for name in names if name not in PARTS]:
        sys.exit(f"There is no benchmark {', '.join(strange)}; there are: {', '.join(PARTS)}.")
    for name in names or PARTS:
        for row in PARTS[name]():
            table.add_row(*row)
    Console(width=150).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
