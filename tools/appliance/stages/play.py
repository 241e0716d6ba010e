"""A whole game by cards on SPI and fists on pins, and a power cut in the middle of it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from companion.deck import Deck
from companion.deck.file import dump
from companion.record.transcript import event_data, read_event
from companion.rules.cards import DECK, Card
from companion.session import Session
from tests.support.playing import header
from tools.appliance.bench import STORE, Bench, Table

SEATS = ("red", "blue", "green")
PINS = {"red": 5, "blue": 6, "green": 19}
LAMPS = {"red": 12, "blue": 16, "green": 20}
SEED = 7


def _tags() -> dict[Card, str]:
    """Give each card of the deck a tag."""
    return {card: f"04A3C6CAE2{number:04X}" for number, card in enumerate(DECK.values())}


def _moves() -> Iterator[dict[str, Any]]:
    """Yield the events of a game of Spartacus, which is always the same."""
    begun = header("spartacus", " ".join(SEATS))
    session, chance = Session(begun.game, begun.setup), Random(SEED)
    while legal := session.legal():
        data = event_data(chance.choice(legal).pick(chance.choice))
        assert session.receive(read_event(begun, data).event).ok
        yield data


def _begun(table: Table) -> None:
    """Teach the table its cards, and begin a game of Spartacus for three by finger."""
    table.pi.write("/run/appliance/deck.yaml", dump(Deck("appliance", {tag: card for card, tag in _tags().items()})))
    table.pi.shell("chmod 644 /run/appliance/deck.yaml; systemctl stop tabularium")
    said = table.pi.shell("tabularium deck import /run/appliance/deck.yaml", 120, None)
    table.bench.report.say(f"      {said.strip()}")
    table.pi.shell("systemctl start tabularium", 600)
    table.open("Spartacus", "3 players", "Begin as printed")


def _do(table: Table, event: dict[str, Any], number: int) -> None:
    """Do the game's event of this number as a hand does: lay the card on the reader, or press the seat's button."""
    if event["event"] == "pass":
        table.press(PINS[event["seat"]])
        table.wait_kept(number)
    else:
        tag = _tags()[DECK[event["card"]]]
        table.order("spi0.0", f"lay {tag}")
        table.wait_kept(number)
        table.order("spi0.0", f"lift {tag}")


def _journal(table: Table) -> list[dict[str, Any]]:
    """Return the events of the newest game, as the table has them."""
    lines = table.pi.shell("tabularium export --referee last", 120).splitlines()
    return [data for line in lines if (data := json.loads(line)).get("event")]


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    apart = ("at", "by", "opened", "t")
    return {k: v for k, v in one.items() if k not in apart} == {k: v for k, v in other.items() if k not in apart}


def game(bench: Bench) -> None:
    """Every card is laid on the reader, every pass is a button; the journal is the same as by finger."""
    with bench.started("game") as table:
        _begun(table)
        table.picture("begun")
        table.pi.wait_for(f"grep -q 1 /run/appliance/pins/sim_gpio{LAMPS['red']}/value", 60)
        bench.report.check(
            "red leads, and red's lamp is lit", not any(map(table.lamp, (LAMPS["blue"], LAMPS["green"])))
        )
        moves = list(_moves())
        began = time.monotonic()
        for number, event in enumerate(moves, 1):
            _do(table, event, number)
        took = time.monotonic() - began
        journal = _journal(table)
        well = len(journal) == len(moves) and all(map(_same, journal, moves))
        bench.report.check(
            f"{len(moves)} moves by card and button ({took:.0f} s): the journal is that of the same game by finger",
            well,
            f"{journal}\n{moves}",
        )
        table.picture("over")


def power_cut(bench: Bench) -> None:
    """The power fails in the middle of a game: no move is lost, and the game continues."""
    with bench.started("power-cut") as table:
        _begun(table)
        moves = list(_moves())[:6]
        for number, event in enumerate(moves, 1):
            _do(table, event, number)
        table.pi.cut_power()
        table.pi.start()
        table.pi.wait_up()
        table.wait_started()
        table.picture("after-the-cut")
        bench.report.check("the games are there", table.pi.succeeds(f"test -s {STORE}"))
        kept = _journal(table)
        bench.report.check(
            f"{len(kept)} of {len(moves)} moves were kept",
            len(kept) == len(moves) and all(map(_same, kept, moves)),
            f"{kept}",
        )
