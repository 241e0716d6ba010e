"""What the virtual Pi is tried with, in this order: `make appliance ARGS="--only boot,game"`."""

from __future__ import annotations

from collections.abc import Mapping

from tools.appliance.bench import Stage
from tools.appliance.stages import damage, displays, hall, hardware, leaving, play, start, updating

STAGES: Mapping[str, Stage] = {
    "boot": start.boot,
    "first-start": start.first_start,
    "clock": start.clock_at_1970,
    "display-late": displays.late,
    "display-off-and-on": displays.off_and_on,
    "sizes": displays.sizes,
    "doctor": hardware.doctor,
    "hubs": hardware.hubs,
    "usb-reader": hardware.usb_reader,
    "pads": hardware.pads,
    "touch": hardware.touch_panel,
    "voice": hardware.voice,
    "game": play.game,
    "power-cut": play.power_cut,
    "sticks": hardware.sticks,
    "watchdog": damage.watchdog,
    "full-disk": damage.full_disk,
    "read-only": damage.read_only,
    "update": updating.good,
    "update-dying": updating.dying,
    "update-dark": updating.dark,
    "update-power-cut": updating.power_cut,
    "hall": hall.joined,
    "off": leaving.switched_off,
    "uninstall": leaving.uninstalled,
}
