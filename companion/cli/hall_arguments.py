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
    """Add the commands of an evening at many tables."""
    opens = "an evening at many tables: without a command it opens the hall"
    command(commands, "hall", opens, "hall status").fill = _hall


def _hall(hall: argparse.ArgumentParser) -> None:
    hall.set_defaults(run=late("hall_service", "run_hall"))
    where = "where the hall was set up (default: the folder hall beside the games)"
    hall.add_argument("--folder", type=Path, metavar="FOLDER", help=where)
    stick = "save the hall there whenever a round has been seated or counts"
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
        made.add_argument("--lang", choices=("en", "de", "ja"), help="language of the answer (default: the evening's)")
        made.set_defaults(run=late("hall", "run_request"), do=do, tried=False, as_of=None)
        _fields(made, request)
        MORE.get(do, lambda _: None)(made)
        if do in ORDERS:
            tried = "say what it would change, and change nothing"
            made.add_argument("--try", dest="tried", action="store_true", help=tried)
            seen = "give it only if order N, which --try names, is still the last: two may be at work"
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


# -- what a command has besides the fields of its request ----------------------------------------------------------


def _new_evening(made: argparse.ArgumentParser) -> None:
    anew = "begin with nobody: players, rounds and results of the evening before are put aside"
    made.add_argument("--new", action="store_true", help=anew)
    made.add_argument("--known", type=Path, metavar="FILE", help="an export: its players keep their numbers")
    made.set_defaults(run=late("hall", "evening"))


def _names_from_file(made: argparse.ArgumentParser) -> None:
    made.add_argument("--file", type=Path, metavar="FILE", help="names, one a line; - reads standard input")
    made.set_defaults(run=late("hall", "join"))


def _withdrawal(made: argparse.ArgumentParser) -> None:
    made.add_argument("--withdraw", action="store_true", help="let a round count for nothing, also while it is played")
    made.add_argument("--reason", metavar="TEXT", help="with --withdraw, why: everybody can read it")
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
        below, "season", "one table of standings from the exports of several evenings", "hall season *.zip"
    )
    season.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what `hall export` saved")
    counted = "what counts: the evenings' scores, or the share of players left behind (default: scores where all alike)"
    season.add_argument("--by", choices=("scores", "places"), help=counted)
    season.add_argument("--save", type=Path, metavar="FILE", help="save it as a table too (CSV)")
    season.add_argument("--lang", choices=("en", "de", "ja"), help="how the table is written (default: config.yaml's)")
    season.set_defaults(run=late("hall", "season"))


def _hall_setup(below: Any) -> None:
    """Add the commands that connect hall, broker and tables."""
    writes = "write what the broker needs, and for each table a file for a stick"
    setup = command(below, "setup", writes, "hall setup --hall friday --tables 1-12")
    setup.set_defaults(run=late("hall_service", "run_setup"))
    setup.add_argument("--hall", metavar="NAME", help="what the hall is called: small letters, digits and -")
    setup.add_argument("--tables", metavar="TABLES", help="their names, as 1-12 or 1,2,blue")
    setup.add_argument("--host", metavar="HOST", help="what tables call this computer (default: its name and .local)")
    setup.add_argument("--port", type=int, metavar="PORT", help="of the broker (default 1883, with --tls 8883)")
    setup.add_argument("--web", type=int, default=9001, metavar="PORT", help="of the board (default 9001)")
    setup.add_argument("--desk", type=int, default=9002, metavar="PORT", help="of the organiser's page (default 9002)")
    setup.add_argument("--tls", action="store_true", help="make a certificate; tables then come encrypted")
    setup.add_argument("--check", action="store_true", help="write nothing, and check the broker that runs")

    opens = "open the organiser's page in this computer's browser"
    made = command(below, "page", opens, "hall page")
    made.set_defaults(run=late("hall_service", "run_page"))
    made.add_argument("--print", action="store_true", help="only print its address, which is the key to the hall")

    saves = "save the hall into a folder, such as a stick's: evening, passwords and address"
    made = command(below, "backup", saves, "hall backup /media/stick")
    made.set_defaults(run=late("hall_service", "run_backup"))
    made.add_argument("place", type=Path, metavar="FOLDER", help="where to save it")
    made = command(
        below, "restore", "put a saved hall in place on this computer", "hall restore /media/stick/friday.hall"
    )
    made.set_defaults(run=late("hall_service", "run_restore"))
    made.add_argument("file", type=Path, metavar="FILE", help="what hall backup has saved")

    take = command(below, "take", "put in place what the hall gave this table on a stick", "hall take 7.yaml")
    take.set_defaults(run=late("hall_service", "run_take"))
    take.add_argument("file", type=Path, metavar="FILE", help="the table's file")
