"""`tabularium hub …`: lists what is plugged in, shows what a hub says, tests its parts and checks its firmware."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from time import monotonic
from typing import Any

from companion.cli.common import fail, settings_of
from companion.cli.rigs import hubs_of
from companion.hardware.doctor.hubs import Box, older


def run_hub(args: argparse.Namespace) -> int:
    """Run a command below `hub`, with the hubs of config.yaml on the desk."""
    from companion.rules.message import reason
    from companion.rules.mistakes import ConfigError
    from companion.rules.words import message
    from drivers.hub.standalone import StandaloneHubs

    try:
        status: int = args.hub(args, StandaloneHubs(hubs_of(settings_of(args))))
    except ConfigError as error:
        return fail(*error.lines)
    except BrokenPipeError:
        raise  # main's own: `hub list | head`
    except (LookupError, OSError) as error:
        return fail(message(getattr(error, "strerror", None) or reason(error)))
    return status


def listing(_: argparse.Namespace, desk: Any) -> int:
    found = list(desk.found())
    if not found:
        print("No USB serial port is plugged in, and config.yaml has no hub.")
    for at in found:
        called = f"config.yaml calls it {at.name}" if at.name else "not in config.yaml"
        print(f"{at.port}: {_account(at.box)}; {called}", flush=True)
    return 0


def _account(box: Box) -> str:
    if box.fault:
        return f"no hub: {box.fault}{f'. {box.question}' if box.question else ''}"
    return f"hub {box.hub}, firmware {box.firmware}, places {','.join(box.has)}"


def monitor(args: argparse.Namespace, desk: Any) -> int:
    name, hub = desk.pick(args.which)
    print(f"Listening to {name}; press Ctrl-C to stop.", file=sys.stderr, flush=True)
    return _show(desk.monitor(hub, args.raw), args.seconds)


def test(args: argparse.Namespace, desk: Any) -> int:
    name, hub = desk.pick(args.which)
    text = f"Testing {name}: watch the lamps, then press every button and lay a card on every reader; Ctrl-C to stop."
    print(text, file=sys.stderr, flush=True)
    return _show(desk.test(hub), args.seconds)


def _show(texts: Iterator[str], seconds: float | None) -> int:
    end = None if seconds is None else monotonic() + seconds
    try:
        for text in texts:
            if text:
                print(text, flush=True)
            if end is not None and monotonic() >= end:
                break
    except KeyboardInterrupt:
        print(file=sys.stderr)
    return 0


def update(args: argparse.Namespace, desk: Any) -> int:
    """Print whether each hub's firmware is as new as the one shipped here; nothing is written to a hub.

    Exit status 1 if a hub's firmware is older, or if a hub does not answer.
    """
    if args.which or len(desk.table) == 1:
        boxes = [_one(desk, args.which)]
    else:
        boxes = [at.box for at in desk.found() if at.name or at.box.hub]
    print(f"Firmware shipped with this program: {desk.shipped}.")
    if not boxes:
        print("No hub is plugged in.")
    late = [box for box in boxes if box.hub and older(box.firmware, desk.shipped)]
    for box in boxes:
        known = box.name or box.port
        print(f"{known}: {_account(box)}{'' if not box.hub else ': outdated' if box in late else ': up to date'}")
    if late:
        print("To update it, see Flashing in firmware_notes/hub/README.md.")
    return int(bool(late) or any(not box.hub for box in boxes))


def _one(desk: Any, which: str | None) -> Box:
    name, hub = desk.pick(which)
    box: Box = desk.asked(hub, name)
    return box
