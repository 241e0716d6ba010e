"""A port where a different hub answers, and a hub whose maker has removed parts: nothing of the old stays."""

from collections.abc import Sequence

import pytest

from companion.rules.readings import Health, Press
from drivers.hub.faults import replaced, started
from tests.support.hub_wire import CARDS, Hub, S, Wire

OTHER = "E6614C775B8B2C99"


def swapped(places: Sequence[str], identity: str = OTHER, pull: bool = True) -> Wire:
    """Red holds a button and a card lies in front of her; then another hub answers there, with these places."""
    wire = Wire(("red", "blue"), places=("rbl", "rbl"))
    wire.hub.settle(wire.now)
    wire.plug()
    wire.press(0, True)
    wire.lay(0, CARDS[0])
    wire.hub.core.failed(1, "settings", wire.hub.time(wire.now))
    wire.run(S)
    if pull:
        wire.unplug()
    wire.hub = Hub(wire.now, wire.chance, places)
    wire.hub.core.identity = wire.hub.core.identity.replace("E6614C775B8B2C36", identity)
    wire.hub.settle(wire.now)
    wire.reported()
    if pull:
        wire.plug()
    wire.run(4 * S)
    return wire


@pytest.mark.parametrize(("identity", "gap"), [(OTHER, replaced("box")), ("E6614C775B8B2C36", started("box"))])
def test_another_hub_at_the_port_is_named_as_another(identity: str, gap: str) -> None:
    wire = swapped(("rbl", "rbl"), identity)
    assert [word.detail for word in wire.words if isinstance(word, Health) and word.well and word.detail] == [gap]
    assert wire.presses() == [("red", False)] and wire.readings() == [("red", CARDS[0], False)]


@pytest.mark.parametrize("places", [("l", "bl"), ("-", "b"), ("rbl",)])
def test_removed_places_release_button_card_and_fault(places: Sequence[str]) -> None:
    wire = swapped(places)
    (up,) = [word for word in wire.words if isinstance(word, Press)]
    assert (up.seat, up.down, up.edge) == ("red", False, False)
    assert wire.readings() == [("red", CARDS[0], False)]
    assert ("reader blue", True) in wire.healths()


def test_a_place_that_was_empty_is_well_once_it_is_wired_though_the_port_never_closed() -> None:
    wire = Wire(("red", "blue"), places=("rbl", "-"))
    wire.plug()
    assert wire.healths() == [("box blue", False)]
    wire.hub = Hub(wire.now, wire.chance, ("rbl", "rbl"))
    wire.run(4 * S)
    assert [ill for ill in wire.healths() if ill[0] == "box blue"] == [("box blue", False), ("box blue", True)]
    wire.restart()
    wire.run(4 * S)
    assert wire.healths().count(("box blue", True)) == 1
