"""The virtual table: its deck, and its rig as the screen's dock or typed lines drive it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING

from companion.deck import can_be_laid
from companion.hardware.tap import Taps, unheard
from companion.play.equipment import Equipment
from companion.rules.cards import PAWNS
from companion.rules.readings import Press, now

if TYPE_CHECKING:
    from companion.play.devices import Word
    from companion.play.evening import Evening, EveningStore
    from drivers.virtual.hub.rig import HubCable, HubRig
    from drivers.virtual.rig import VirtualRig

VIRTUAL = "virtual"
"""The deck of the virtual table."""


def virtual_deck() -> dict[str, str]:
    """Return a tag for each card of the virtual table, of seven bytes like those of an NTAG sticker."""
    from companion.rules.cards import DECK

    return {card: f"04{number:012X}" for number, card in enumerate(DECK, start=1)}


def virtual_cards(store: EveningStore) -> dict[str, str]:
    """Return the cards of the virtual table with their tags: a deck like any other, enrolled here if it is new."""
    enrolled = store.enrolled()
    cards = {card: tag for tag, (card, deck) in enrolled.items() if deck == VIRTUAL and can_be_laid(tag)}
    for card, tag in virtual_deck().items():
        if card not in cards and tag not in enrolled:
            store.enrol(tag, card, VIRTUAL)
    return virtual_deck() | cards


class VirtualDock:
    """The virtual table as the screen's dock drives it: a rig's readers and buttons, and a deck to lay."""

    def __init__(
        self, rig: VirtualRig | HubRig, deck: dict[str, str], cables: Mapping[str, HubCable] | None = None
    ) -> None:
        self.deck, self._put = deck, rig.put
        self.readers = list(rig.readers)
        self.equipment = Equipment(self.readers, PAWNS)
        self._lay, self.lift, self.tags_on = rig.lay, rig.lift, rig.tags_on
        self.hold, self.let_go = rig.hold, rig.let_go
        self.errors, self.close = rig.errors, rig.close
        self.cables = cables or {}
        self.chance = Random()  # people shuffle: what comes up is entered as an event

    def found_open(self, seat: str) -> None:
        """Report a button as open by its level; the edge that follows finds it open already."""
        self._put(Press(seat, False, now(), edge=False))
        self.let_go(seat)

    def lay(self, reader: str, tag: str) -> None:
        """Lay a card on a reader with room for one: a card already there is lifted first."""
        for lying in self.tags_on(reader) - {tag}:
            self.lift(reader, lying)
        self._lay(reader, tag)


def virtual_table(
    evening: Evening, deck: dict[str, str], hubs: bool, taps: Taps = unheard
) -> tuple[VirtualRig | HubRig, VirtualDock]:
    if hubs:
        from drivers.virtual.hub.rig import HubRig

        rig = HubRig(PAWNS, evening.devices.inbox.put, taps=taps)
        print(f"Two virtual hubs; their firmware runs under {rig.under}.", flush=True)
        return rig, VirtualDock(rig, deck, rig.cables)
    from drivers.virtual.rig import VirtualRig

    plain = VirtualRig(PAWNS, evening.devices.inbox.put, taps=taps)
    return plain, VirtualDock(plain, deck)


def typed_table(deck: dict[str, str], put: Callable[[Word], object]) -> VirtualDock:
    """Return the virtual table for typed input: its cards are laid a second apart, at any typing speed."""
    from itertools import count

    from drivers.virtual.rig import VirtualRig

    return VirtualDock(VirtualRig(PAWNS, put, clock=count(0, 1000).__next__, interval=0.005), deck)
