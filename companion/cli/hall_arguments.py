"""The commands of `tabularium hall`.

Those that ask something of the hall are made from its requests' fields. Loading them takes a moment, so it is done only
where `hall` is typed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.parsing import command, late

if TYPE_CHECKING:
    from companion.hall.request import Argument, Request, RequestField


def added(commands: Any) -> None:
    """Add the command `hall`."""
    opens = "run an evening at many tables; without a command, opens the hall"
    command(commands, "hall", opens, "hall status").fill = _hall


def _hall(hall: argparse.ArgumentParser) -> None:
    hall.set_defaults(run=late("hall_service", "run_hall"))
    where = "the folder in which the hall was set up (default: hall beside the games)"
    hall.add_argument("--folder", type=Path, metavar="FOLDER", help=where)
    stick = "back up the hall here whenever a round is seated or a result becomes official"
    hall.add_argument("--stick", type=Path, metavar="FOLDER", help=stick)
    below = hall.add_subparsers(title="commands", metavar="COMMAND")
    _hall_setup(below)
    _requests(below)
    _season(below)


def _requests(below: Any) -> None:
    """Add a command for each request that has an example."""
    from companion.hall.orders import ORDERS
    from companion.hall.schema import REQUESTS

    for do, request in REQUESTS.items():
        if not request.example:
            continue
        what = " ".join((request.__doc__ or "").split()).rstrip(".")
        made = command(below, do, what[0].lower() + what[1:], f"hall {request.example}")
        made.add_argument(
            "--lang", choices=("en", "de", "ja"), help="language of the answer (default: that of the evening)"
        )
        made.set_defaults(run=late("hall", "run_request"), do=do, tried=False, as_of=None)
        _fields(made, request)
        MORE.get(do, lambda _: None)(made)
        if do in ORDERS:
            tried = "only say what the order would change"
            made.add_argument("--try", dest="tried", action="store_true", help=tried)
            seen = "refuse the order if another has come since order N, as named by --try"
            made.add_argument("--as-of", type=int, metavar="N", help=seen)


def _fields(made: argparse.ArgumentParser, request: type[Request]) -> None:
    from companion.hall.request import fields_of

    typed = (of for of in fields_of(request) if of.argument.typed)
    for of in sorted(typed, key=lambda of: not of.needed):
        explained = of.name == "reason" and getattr(request, "needs_reason", "") == "always"
        _field(made, of, of.argument, explained or (of.needed and not of.argument.optional))


def _field(made: argparse.ArgumentParser, of: RequestField, argument: Argument, needed: bool) -> None:
    """Add the argument for a field."""
    if argument.constants:
        for value, what in argument.constants.items():
            made.add_argument(f"--{value}", dest=of.name, action="store_const", const=value, help=what)
        return
    if of.kind is bool:
        made.add_argument(argument.flag, action="store_true", default=None, help=argument.help)
        return
    several = of.is_list or of.is_map
    its: dict[str, Any] = {"metavar": argument.metavar, "help": argument.help or None}
    if of.is_map:
        its["type"] = _pair
    elif of.kind is int:
        its["type"] = int
        if argument.least and argument.most and argument.most < 10:
            its["choices"] = range(argument.least, argument.most + 1)
    if of.choices:
        its["choices"] = of.choices
    if argument.flag:
        if several and not argument.commas:
            its |= {"action": "append", "default": []}
        made.add_argument(argument.flag, dest=of.name, required=needed, **its)
        return
    if several:
        its["nargs"] = argument.least if argument.least and argument.least == argument.most else "+" if needed else "*"
    elif not needed:
        its["nargs"] = "?"
    made.add_argument(of.name, **its)


def _pair(text: str) -> tuple[str, Any]:
    """Return `halves=down` as a transcript would write it."""
    name, _, value = text.rpartition("=")
    return name, {"true": True, "false": False}.get(value, value)


# -- arguments in addition to the fields of a request --------------------------------------------------------------


def _new_evening(made: argparse.ArgumentParser) -> None:
    anew = "start a new evening; the previous one is kept in a file of its own"
    made.add_argument("--new", action="store_true", help=anew)
    made.add_argument(
        "--known", type=Path, metavar="FILE", help="an export of an earlier evening, whose players keep their numbers"
    )
    made.set_defaults(run=late("hall", "evening"))


def _names_from_file(made: argparse.ArgumentParser) -> None:
    made.add_argument("--file", type=Path, metavar="FILE", help="a file with one name per line; - reads standard input")
    made.set_defaults(run=late("hall", "join"))


def _withdrawal(made: argparse.ArgumentParser) -> None:
    made.add_argument("--withdraw", action="store_true", help="declare a round void, even while it is being played")
    made.add_argument("--reason", metavar="TEXT", help="with --withdraw: the reason, which everybody can read")
    made.set_defaults(run=late("hall", "seat_round"))


def _clock(made: argparse.ArgumentParser) -> None:
    made.set_defaults(run=late("hall", "clock"))


def _back(made: argparse.ArgumentParser) -> None:
    made.set_defaults(run=late("hall", "turn_back"))


def _export(made: argparse.ArgumentParser) -> None:
    made.set_defaults(run=late("hall", "export"))


MORE = {"evening": _new_evening, "join": _names_from_file, "round": _withdrawal, "clock": _clock, "undo": _back,
        "redo": _back, "export": _export}  # fmt: skip


def _season(below: Any) -> None:
    season = command(
        below, "season", "combine the exports of several evenings into one table of standings", "hall season *.zip"
    )
    season.add_argument("files", nargs="+", type=Path, metavar="FILE", help="zip files saved by hall export")
    counted = "rank by score or by the share of players beaten (default: score if all evenings were scored alike)"
    season.add_argument("--by", choices=("scores", "places"), help=counted)
    season.add_argument("--save", type=Path, metavar="FILE", help="also save the table as CSV")
    season.add_argument("--lang", choices=("en", "de", "ja"), help="language of the table (default: as in config.yaml)")
    season.set_defaults(run=late("hall", "season"))


def _hall_setup(below: Any) -> None:
    """Add the commands that connect hall, broker and tables."""
    writes = "write the broker's files, and for each table a file to carry there on a USB stick"
    setup = command(below, "setup", writes, "hall setup --hall friday --tables 1-12")
    setup.set_defaults(run=late("hall_service", "run_setup"))
    setup.add_argument("--hall", metavar="NAME", help="the hall's name: lower-case letters, digits and -")
    setup.add_argument("--tables", metavar="TABLES", help="the tables' names, such as 1-12 or 1,2,blue")
    setup.add_argument(
        "--host", metavar="HOST", help="this computer's address for the tables (default: its name and .local)"
    )
    setup.add_argument("--port", type=int, metavar="PORT", help="port of the broker (default: 1883, with --tls 8883)")
    setup.add_argument("--web", type=int, default=9001, metavar="PORT", help="port of the board (default: 9001)")
    setup.add_argument(
        "--desk", type=int, default=9002, metavar="PORT", help="port of the organiser's page (default: 9002)"
    )
    setup.add_argument("--tls", action="store_true", help="make a certificate, so that tables connect encrypted")
    setup.add_argument("--check", action="store_true", help="write nothing; check the running broker")

    opens = "open the organiser's page in this computer's browser"
    made = command(below, "page", opens, "hall page")
    made.set_defaults(run=late("hall_service", "run_page"))
    made.add_argument(
        "--print", action="store_true", help="print its address, which contains the key, instead of opening it"
    )

    saves = "back up the hall to a folder, such as a USB stick: evening, passwords and address"
    made = command(below, "backup", saves, "hall backup /media/stick")
    made.set_defaults(run=late("hall_service", "run_backup"))
    made.add_argument("place", type=Path, metavar="FOLDER", help="the target folder")
    made = command(
        below, "restore", "restore a backed-up hall on this computer", "hall restore /media/stick/friday.hall"
    )
    made.set_defaults(run=late("hall_service", "run_restore"))
    made.add_argument("file", type=Path, metavar="FILE", help="a file saved by hall backup")

    take = command(
        below, "take", "connect this table to a hall with the file that hall setup wrote for it", "hall take 7.yaml"
    )
    take.set_defaults(run=late("hall_service", "run_take"))
    take.add_argument("file", type=Path, metavar="FILE", help="the table's file")
