"""What each seat acts with: its own reader, the shared one, a button, or nothing but the finger."""

from companion.hardware.settings import HubSettings, Settings, Wires
from companion.play.equipment import Equipment, InputMethods
from companion.rules.readings import Health

SEATS = ("red", "blue")


def ill(*devices: str) -> dict[str, Health]:
    return {device: Health(device, False, "away") for device in devices}


def test_a_seat_lays_on_its_own_reader_and_the_others_on_the_shared_one() -> None:
    table = Equipment({"centre", "red"}, {"blue"})
    assert table.means(SEATS, {}) == {"red": InputMethods("own"), "blue": InputMethods("shared", button=True)}
    assert Equipment().means(SEATS, {}) == {"red": InputMethods(), "blue": InputMethods()}, "the finger is always there"


def test_a_device_that_is_ill_takes_no_cards_and_holds_no_fists() -> None:
    table = Equipment({"centre", *SEATS}, SEATS)
    assert table.means(SEATS, ill("reader red"))["red"] == InputMethods("shared", button=True)
    assert table.means(SEATS, ill("reader red", "reader centre"))["red"] == InputMethods(None, button=True)
    assert table.means(SEATS, ill("box red", "box centre")) == {
        "red": InputMethods(),
        "blue": InputMethods("own", button=True),
    }
    assert table.means(SEATS, ill("button blue"))["blue"] == InputMethods("own")
    assert table.means(SEATS, ill("pins"))["blue"] == InputMethods("own")
    assert table.means(SEATS, {"reader red": Health("reader red", True)})["red"] == InputMethods("own", button=True)


def test_input_methods_of_pi_and_hub_seats() -> None:
    hub = HubSettings(serial="E1", seats=("blue", None, "centre"))
    wired = Settings(hardware="pi", seats={"red": Wires(button=5), "green": Wires(lamp=6)}, hubs={"box": hub}).equipment
    assert wired.means(("red", "blue", "green"), {}) == {
        "red": InputMethods("shared", button=True),
        "blue": InputMethods("own", button=True),
        "green": InputMethods("shared"),
    }
