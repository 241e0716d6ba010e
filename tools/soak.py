"""What takes longer than the suite may: `make soak`. Contests over 10,000 random games of every variant, 100,000 fuzzed
inputs, a program that is killed and stores that are garbled, a thousand times each; 30,000 cards on a PN532 with every
fault.

python -m tools.soak [--games N] [--inputs N] [--kills N] [--garbled N] [--cards N] [--seed S]; 0 leaves a part out.
"""

from __future__ import annotations

import argparse
import sys
from itertools import cycle, islice
from random import Random

from companion import games
from companion.cli.simulate import play, table
from tests.support.contests import check
from tests.support.pn532_evening import play as play_cards
from tests.support.tables import EVERY
from tools import soak_store
from tools.soak_inputs import soak_inputs


def soak_contests(count: int, seed: int) -> str:
    """Play the games, every table in turn, and check each contest. Raises AssertionError."""
    found = acts = 0
    tables = [table for every in EVERY.values() for table in every]
    for at, (name, seats, options) in enumerate(islice(cycle(tables), count)):
        header = table(games.game(name), seats, options)
        before = header.game.view(header.game.setup(header.setup))
        for _, receipt in play(header, Random(f"{seed} {at}")):
            found += check(header, before, receipt)
            before, acts = receipt.view, acts + 1
    return f"{count} games, {acts} acts: {found} contests hold together and are what happened"


WORST = dict(flip=0.004, lose=0.004, half=0.05, unheard=0.05, deaf=0.05)
"""How likely each fault of a line and of a tag's answer is, at most."""
EVENING = 150
"""How many cards are laid one after another."""


def soak_pn532(cards: int, seed: int) -> str:
    """Lay and lift cards on a PN532 whose line and tags have faults. Raises AssertionError for a wrong report."""
    for at in range(cards // EVENING):
        chance = Random(f"{seed} {at}")
        play_cards(
            chance, EVENING, **{name: chance.choice([0, chance.random() * most]) for name, most in WORST.items()}
        )
    return f"{cards} cards on a PN532: no ghost, no duplicate, no loss"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    arguments.add_argument("--games", type=int, default=10_000)
    arguments.add_argument("--inputs", type=int, default=100_000)
    arguments.add_argument("--kills", type=int, default=1000)
    arguments.add_argument("--garbled", type=int, default=1000)
    arguments.add_argument("--cards", type=int, default=30_000)
    arguments.add_argument("--seed", type=int, default=0)
    args = arguments.parse_args()
    tally = soak_inputs(args.inputs, args.seed)  # first, beside a program that has done nothing yet
    print(*tally.faults, tally.line(), sep="\n", flush=True)
    if args.games:
        print(soak_contests(args.games, args.seed), flush=True)
    print(soak_pn532(args.cards, args.seed), flush=True)
    for line in soak_store.figures(args.kills, args.garbled, args.seed):
        print(line, flush=True)
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()
