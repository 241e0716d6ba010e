"""`tabularium hall`, and the set-up of hall, broker and tables: `hall setup`, `hall take`."""

from __future__ import annotations

import argparse
import gc
import shlex
import socket
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from signal import SIGHUP, SIGINT, SIGTERM, signal
from threading import Event
from typing import Any

from companion.cli.common import fail, settings_of
from companion.hardware.doctor import installing
from companion.rules.message import program
from companion.rules.mistakes import ConfigError

COLLECTED_S = 60
"""How often the hall collects garbage, in seconds."""
STICK = 16_000
"""Bytes of a table's file: a certificate is the most of it."""


def missing() -> str:
    """Return what to do where the hall's packages are not installed."""
    return f"the hall needs these packages: {installing('paho-mqtt>=2.1', 'fastjsonschema>=2.21')}"


def _folder(args: argparse.Namespace) -> Path:
    """Return where the hall is set up. Raises ConfigError."""
    folder: Path = args.folder or settings_of(args).data / "hall"
    return folder.absolute()


# -- the hall ------------------------------------------------------------------------------------------------------


def run_hall(args: argparse.Namespace) -> int:
    """Run the hall until Ctrl-C or SIGTERM."""
    import sqlite3

    from companion.system.logs import kept

    try:
        from companion.hall import setup
        from companion.hall.store import HallInUse

        folder, data = _folder(args), settings_of(args).data
        plan = setup.kept(folder)
    except ImportError:
        return fail(missing())
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, TypeError, KeyError):
        return fail(f"no hall has been set up here: {program()} hall setup --hall friday --tables 1-12")
    try:
        with kept(folder, args.verbose):
            return _serve(plan, data, args.stick)
    except (HallInUse, OSError, ValueError, sqlite3.Error) as error:
        return fail(str(error))


def _serve(plan: Any, data: Path, stick: Path | None) -> int:
    import sqlite3

    from companion.hall import hall_backup, mosquitto, setup
    from companion.hall.control_socket import SOCKET, STORE, ControlSocket
    from companion.hall.page import code_of, lay_out_both
    from companion.hall.service import HallService
    from companion.hall.store import HallStore
    from companion.system.logs import writing

    ended = Event()
    for number in (SIGHUP, SIGINT, SIGTERM):
        signal(number, lambda *_: ended.set())
    if mosquitto.bring_up_to_date(plan.folder):
        print("The broker's files have been updated: restart the broker.", flush=True)
    try:
        lay_out_both(plan.folder, mosquitto.apart(plan.folder))
    except OSError as error:  # a full disk: the page that is there goes on being served
        print(f"The board's page could not be written: {error}", flush=True)
    with ExitStack() as stack:
        store = stack.enter_context(closing(HallStore(data / STORE)))
        broker = setup.broker(plan, setup.HALL)
        hall = stack.enter_context(closing(HallService(plan.hall, broker, store, code_of(plan.address))))
        hall.open()
        stack.enter_context(closing(ControlSocket(data / SOCKET, hall.order)))
        print(f"The hall {plan.hall} is open. The board: {plan.address}", flush=True)
        said, kept = hall.link.fault, None
        gc.disable()  # else every publication waits for the collector to look through the whole evening
        for second in count(1):
            if ended.wait(1.0):
                break
            if second % COLLECTED_S == 0:
                gc.collect()
            if stick and kept != hall.progress:  # a round has been seated, or counts
                kept = hall.progress
                try:
                    hall_backup.saved(plan, data, stick)
                except (OSError, sqlite3.Error) as error:
                    print(f"The hall could not be backed up: {error}", flush=True)
            if hall.link.fault != said:
                said = hall.link.fault
                writing("hall").info("broker: %s", said or "connected")
                print(f"The broker: {said}" if said else "Connected to the broker.", flush=True)
    return 0


# -- another computer in its place ---------------------------------------------------------------------------------


def run_backup(args: argparse.Namespace) -> int:
    """Save the hall on a stick, whether it is running or not."""
    import sqlite3

    from companion.hall import hall_backup, setup

    try:
        plan = setup.kept(_folder(args))
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, TypeError, KeyError):
        return fail(f"no hall has been set up here: {program()} hall setup --hall friday --tables 1-12")
    try:
        path = hall_backup.saved(plan, settings_of(args).data, args.place)
    except (OSError, sqlite3.Error) as error:
        return fail(f"the hall could not be backed up: {error}")
    print(f"Saved as {path}. It contains the hall's passwords: keep it safe.")
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """Restore a saved hall on this computer, to be started like any other."""
    from companion.hall import hall_backup, setup

    try:
        plan, said = hall_backup.taken_up(args.file, _folder(args), settings_of(args).data)
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError) as error:
        return fail(str(error))
    print(*said, *([""] if said else []), sep="\n", end="")
    here = socket.gethostname().split(".")[0]
    if plan.host not in ("localhost", here, f"{here}.local"):
        print(f"The tables look for {plan.host}, but this computer is {here}. First give it that name or address:")
        print(f"\n  sudo hostnamectl set-hostname {plan.host.removesuffix('.local')}\n")
    print(f"The hall {plan.hall} is restored. Two commands start it; the tables then reconnect by themselves:\n")
    print(*(f"  {command}" for command in setup.commands(plan)), sep="\n")
    return 0


# -- setup ---------------------------------------------------------------------------------------------------------


def run_setup(args: argparse.Namespace) -> int:
    try:
        from companion.hall import mosquitto, setup
        from companion.hall.plan import PORT, Plan

        folder = _folder(args)
    except ImportError:
        return fail(missing())
    except ConfigError as error:
        return fail(*error.lines)
    if args.check:
        return _check(folder)
    if not args.hall or not args.tables:
        return fail("name the hall and its tables, for example --hall friday --tables 1-12")
    try:
        tables = _tables(args.tables)
    except ValueError as error:
        return fail(str(error))
    plan = Plan(
        folder=folder,
        hall=args.hall,
        tables=tables,
        host=args.host or f"{socket.gethostname().split('.')[0]}.local",
        port=args.port or (setup.TLS_PORT if args.tls else PORT),
        web=args.web,
        desk=args.desk,
        tls=args.tls,
    )
    if wrong := setup.wrong(plan):
        return fail(*wrong)
    try:
        other = setup.kept(folder).hall
    except FileNotFoundError:
        other = plan.hall
    except (OSError, ValueError, TypeError, KeyError):
        return fail(f"{folder / 'hall.json'} cannot be read: move it away and run the set-up again")
    if other != plan.hall:
        return fail(
            f"{folder} holds the hall {other}, and its tables' files would stop working. For another hall, name"
            f" another folder: {program()} hall --folder FOLDER setup"
        )
    try:
        made = setup.set_up(plan)
    except OSError as error:
        return fail(str(error))
    print(*made, sep="\n")
    print("\nCarry each of these files to its table on a USB stick, and run there: tabularium hall take FILE")
    print("Two commands start the hall:\n")
    print(*(f"  {command}" for command in setup.commands(plan)), sep="\n")
    units = " ".join(shlex.quote(str(folder / name)) for name in mosquitto.UNITS)
    print(f"\nTo start both with the computer: sudo systemctl enable --now {units}")
    print(f"\nThe board: {plan.address}   To check everything: {program()} hall setup --check")
    print(f"The organiser's page, in the browser of this computer: {program()} hall page")
    return 0


def run_page(args: argparse.Namespace) -> int:
    """Open the organiser's page with a ticket, which the page exchanges for its key."""
    import webbrowser

    from companion.hall import setup
    from companion.hall.ticket import Ticket

    try:
        folder = _folder(args)
        plan = setup.kept(folder)
        key = setup.passwords(folder)[setup.ORGANISER]
    except ConfigError as error:
        return fail(*error.lines)
    except (OSError, ValueError, TypeError, KeyError):
        return fail(f"no organiser's page has been set up here: {program()} hall setup --hall friday --tables 1-12")
    with closing(Ticket(plan.hall, key, plan.desk_address.rstrip("/"))) as ticket:
        address = f"{plan.desk_address}#{ticket.words}"
        if args.print or not webbrowser.open(address):
            print(address)
            print("Open it in the browser of this computer within a minute: it works only once.", flush=True)
        if not ticket.wait():
            return fail(f"No browser has opened the page. Is the broker running? To try again: {program()} hall page")
    return 0


def _tables(text: str) -> tuple[str, ...]:
    """Return the named tables, each once; 1-12 is twelve of them. Raises ValueError."""
    from companion.hall._rounds import span

    named = [name.strip() for name in text.split(",") if name.strip()]
    if len(named) == 1 and named[0].isdecimal() and int(named[0]) > 1:
        raise ValueError(f"{named[0]} is one table; for tables 1 to {named[0]}, write --tables 1-{named[0]}")
    return tuple(dict.fromkeys(table for name in named for table in span(name)))


def _check(folder: Path) -> int:
    from companion.hall import setup
    from companion.hall.checking import check
    from companion.hardware import doctor

    try:
        plan = setup.kept(folder)
        findings = list(check(plan))
    except (OSError, ValueError, TypeError, KeyError):
        return fail(f"no hall has been set up in {folder}")
    doctor.table(findings)
    if any(finding.verdict == "fail" for finding in findings):
        print(f"\nTo start the broker: {setup.commands(plan)[0]}")
    return doctor.status(findings)


# -- at a table ----------------------------------------------------------------------------------------------------


def run_take(args: argparse.Namespace) -> int:
    """Write password and certificate beside config.yaml, and where they are into config.yaml."""
    from companion.hardware import settings as config
    from companion.hardware.wizard import place
    from companion.hardware.wizard.text import text
    from companion.system.limits import content
    from drivers.kinds import KINDS

    try:
        given = _table_file(content(args.file, STICK))
        path = place.place(args.config)
        found = config.find(args.config)
        settings = config.load(found, KINDS) if found and found.exists() else config.Settings()
        here = path.resolve().parent
        hall = config.HallSettings(
            broker=given["broker"],
            port=given["port"],
            hall=given["hall"],
            table=given["table"],
            password_file=_beside(here, "hall-password", given["password"]),
            tls=_beside(here, "hall.crt", given["certificate"]) if "certificate" in given else None,
        )
        aside = place.save(path, text(replace(settings, hall=hall)))
    except ConfigError as error:
        return fail(*error.lines)
    except ValueError as error:
        return fail(str(error))
    print(f"{path}: table {hall.table} of {hall.hall}" + (f"; what was there: {aside}" if aside else ""))
    print(f"To check the connection: {program()} doctor", file=sys.stderr)
    return 0


def _table_file(data: bytes) -> dict[str, Any]:
    """Return the content of a table's file. Raises ValueError for any other file."""
    import yaml

    try:
        read = yaml.safe_load(data)["hall"]
        kinds = {"broker": str, "port": int, "hall": str, "table": str, "password": str}
        if not isinstance(read, dict) or any(not isinstance(read.get(key), kind) for key, kind in kinds.items()):
            raise TypeError
        if not isinstance(read.get("certificate", ""), str):
            raise TypeError
    except (yaml.YAMLError, TypeError, KeyError, UnicodeDecodeError):
        raise ValueError("this file was not written by tabularium hall setup for a table") from None
    return read


def _beside(folder: Path, name: str, text: str) -> Path:
    from companion.system import files

    files.folder(folder)
    files.written(folder / name, text)
    return folder / name
