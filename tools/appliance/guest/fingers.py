"""Keys and touches by uinput: `python3 -m tools.appliance.guest.fingers NAME KIND`.

Kinds: `touch` (a multitouch panel), `pad` (a zero-delay encoder with 12 buttons), `keyboard`. Orders: `down CODE`,
`up CODE`, and for a panel `touch X Y` and `lift`, in parts of its width and height.
"""

from __future__ import annotations

import sys

from evdev import AbsInfo, UInput  # type: ignore[import-not-found]  # Debian has it, and only the guest needs it
from evdev import ecodes as e

from tools.appliance.guest import obey

WIDTH, HEIGHT = 1279, 799


def _panel() -> UInput:
    axes = {
        e.ABS_X: WIDTH, e.ABS_Y: HEIGHT, e.ABS_MT_SLOT: 9, e.ABS_MT_TRACKING_ID: 65535, e.ABS_MT_POSITION_X: WIDTH,
        e.ABS_MT_POSITION_Y: HEIGHT,
    }  # fmt: skip
    return UInput(
        {e.EV_KEY: [e.BTN_TOUCH], e.EV_ABS: [(axis, AbsInfo(0, 0, most, 0, 0, 0)) for axis, most in axes.items()]},
        name="Goodix Capacitive TouchScreen", vendor=0x416, product=0x38F, bustype=e.BUS_I2C,
        input_props=[e.INPUT_PROP_DIRECT],
    )  # fmt: skip


def _pad() -> UInput:
    stick = [(axis, AbsInfo(128, 0, 255, 0, 0, 0)) for axis in (e.ABS_X, e.ABS_Y)]
    return UInput({e.EV_KEY: list(range(e.BTN_JOYSTICK, e.BTN_JOYSTICK + 12)), e.EV_ABS: stick},
                  name="DragonRise Inc. Generic USB Joystick", vendor=0x79, product=0x6, bustype=e.BUS_USB)  # fmt: skip


def _keyboard() -> UInput:
    return UInput(
        {e.EV_KEY: list(range(1, 120))}, name="Logitech USB Keyboard", vendor=0x46D, product=0xC31C, bustype=e.BUS_USB
    )


def main(name: str, kind: str) -> None:
    device = {"touch": _panel, "pad": _pad, "keyboard": _keyboard}[kind]()
    number = 0

    def key(code: str, down: int) -> None:
        device.write(e.EV_KEY, int(code), down)
        device.syn()

    def touch(x: str, y: str) -> None:
        nonlocal number
        number += 1
        at = (int(float(x) * WIDTH), int(float(y) * HEIGHT))
        for axis, value in (
            (e.ABS_MT_SLOT, 0), (e.ABS_MT_TRACKING_ID, number), (e.ABS_MT_POSITION_X, at[0]), (e.ABS_MT_POSITION_Y, at[1]),
        ):  # fmt: skip
            device.write(e.EV_ABS, axis, value)
        device.write(e.EV_KEY, e.BTN_TOUCH, 1)
        device.write(e.EV_ABS, e.ABS_X, at[0])
        device.write(e.EV_ABS, e.ABS_Y, at[1])
        device.syn()

    def lift() -> None:
        device.write(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)
        device.write(e.EV_KEY, e.BTN_TOUCH, 0)
        device.syn()

    obey(name, {"down": lambda code: key(code, 1), "up": lambda code: key(code, 0), "touch": touch, "lift": lift})


if __name__ == "__main__":
    main(*sys.argv[1:3])
