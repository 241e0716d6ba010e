"""The commands of `tabularium hall`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import games
from companion.cli.parsing import command, late
from companion.rules.cards import PAWNS


@dataclass(frozen=True, slots=True)
class HallCommands:
    """Where the hall's commands are added."""

    below: Any

    def command(self, name: str, act: str, what: str, example: str) -> argparse.ArgumentParser:
        """Something to be asked: `act` is the function of `companion.cli.hall` that does it."""
        made = command(self.below, name, what, f"hall {example}")
        made.add_argument("--lang", choices=("en", "de", "ja"), help="language of the answer (default: the evening's)")
        made.set_defaults(run=late("hall", act), do=name, tried=False, as_of=None)
        return made

    def order(self, name: str, what: str, example: str, act: str = "plain") -> argparse.ArgumentParser:
        """Something to be ordered, which can be tried first."""
        made = self.command(name, act, what, example)
        tried = "say what it would change, and change nothing"
        made.add_argument("--try", dest="tried", action="store_true", help=tried)
        seen = "give it only if order N, which --try names, is still the last: two may be at work"
        made.add_argument("--as-of", type=int, metavar="N", help=seen)
        return made


def added(commands: Any) -> None:
    """Adds the commands of an evening at many tables."""
    opens = "an evening at many tables: without a command it opens the hall"
    hall = command(commands, "hall", opens, "hall status")
    hall.set_defaults(run=late("halls", "run_hall"))
    where = "where the hall was set up (default: the folder hall beside the games)"
    hall.add_argument("--folder", type=Path, metavar="FOLDER", help=where)
    stick = "save the hall there whenever a round has been seated or counts"
    hall.add_argument("--stick", type=Path, metavar="FOLDER", help=stick)
    to = HallCommands(hall.add_subparsers(title="commands", metavar="COMMAND"))
    _hall_setup(to.below)
    for group in (_evening, _players, _rounds, _results, _back, _questions):
        group(to)


def _reason(made: argparse.ArgumentParser, required: bool = True) -> None:
    made.add_argument("--reason", required=required, metavar="TEXT", help="why: everybody can read it")


def _of_round(made: argparse.ArgumentParser, default: str) -> None:
    made.add_argument("--round", type=int, metavar="N", help=f"a round (default: {default})")


def _evening(to: HallCommands) -> None:
    """How the evening is called and scored."""
    evening = to.order(
        "evening", "name the evening, and say how it is scored", 'evening "Open of Saturday" --names first', "evening"
    )
    evening.add_argument("name", nargs="?", metavar="NAME", help="what the board calls it")
    shown = "how players are named to everybody: in full, by their first names, or not at all"
    anew = "begin with nobody: players, rounds and results of the evening before are put aside"
    evening.add_argument("--new", action="store_true", help=anew)
    evening.add_argument("--known", type=Path, metavar="FILE", help="an export: its players keep their numbers")
    evening.add_argument("--names", choices=("full", "first", "none"), help=shown)
    scored = "what counts: scores, games won, or places (else what the first round plays decides)"
    evening.add_argument("--by", choices=("scores", "wins", "places"), help=scored)
    apart = "what tells apart who is as good, in this order: wins,shares,best,opponents; none: they share the place"
    evening.add_argument("--ties", metavar="TIES", help=apart)
    shares = ("half", "nothing", "full")
    for name, what in (
        ("byes", "what a bye brings (default half of what can be had)"),
        ("voids", "what a game brings that counts for nobody (default half)"),
        ("late", "what each round brings before somebody came (default nothing)"),
    ):
        evening.add_argument(f"--{name}", choices=shares, help=what)
    gone = "who has left keeps the place the points give, or stands behind all others (default stay)"
    evening.add_argument("--leavers", choices=("stay", "last"), help=gone)


def _players(to: HallCommands) -> None:
    """Who plays."""
    join = to.order("join", "take players in, or back in", 'join Anna Ben "Chiara B."', "join")
    join.add_argument("names", nargs="*", metavar="NAME", help="a player's name; #7 is somebody who is known")
    join.add_argument("--file", type=Path, metavar="FILE", help="names, one a line; - reads standard input")
    for name, what in (
        ("leave", "seat players no more: what they have played stays"),
        ("back", "seat players again who had left"),
        ("remove", "strike players off the list who were entered by mistake"),
    ):
        made = to.order(name, what, f"{name} Ben")
        made.add_argument("names", nargs="+", metavar="PLAYER", help="a name, its beginning, or a number as #7")
    made = to.order("rename", "correct a player's name", "rename Bne Ben")
    made.add_argument("player", metavar="PLAYER", help="a name, its beginning, or a number as #7")
    made.add_argument("name", metavar="NAME", help="what the player is called")
    made = to.order("penalty", "take points from a player; below zero: give them back", 'penalty Ben 2 --reason "late"')
    made.add_argument("player", metavar="PLAYER")
    made.add_argument("points", metavar="POINTS")
    _reason(made)
    made = to.order("fix", "seat a player at one table only, from the next round on", "fix Ben --table 3")
    made.add_argument("player", metavar="PLAYER")
    made.add_argument("--table", metavar="TABLE", help="the table (default: any again)")
    made.add_argument("--seat", metavar="SEAT", choices=PAWNS, help="and there this seat")


def _rounds(to: HallCommands) -> None:
    """Who sits where."""
    seats = to.order("round", "seat the next round", "round --game mercator --option halves=down", "seat_round")
    _seating(seats)
    seats.add_argument("--again", action="store_true", help="seat the last round anew: nobody has begun it yet")
    seats.add_argument("--withdraw", action="store_true", help="let a round count for nothing, also while it is played")
    _of_round(seats, "the last; with --withdraw")
    _reason(seats, required=False)
    ahead = to.order(
        "plan", "plan rounds ahead: `round` then seats one after the other", "plan 5 --game mercator", "plan"
    )
    ahead.add_argument("rounds", type=int, metavar="N", help="how many rounds")
    _seating(ahead)
    made = to.order("swap", "swap two players of a round, or the seats of two", "swap Anna Ben")
    made.add_argument("players", nargs=2, metavar="PLAYER", help="a player, or a seat as 3:red")
    _of_round(made, "the last")
    _reason(made, required=False)
    made = to.order(
        "absent", "a player has not come: another takes the seat, or the table plays with one fewer", "absent Ben"
    )
    made.add_argument("player", metavar="PLAYER")
    made.add_argument("--for", dest="stand_in", metavar="PLAYER", help="who takes the seat")
    _of_round(made, "the last")
    _reason(made, required=False)

    made = to.order(
        "spare", "a table's device has died: another one goes on in its place", 'spare 3 12 --reason "no power"'
    )
    made.add_argument("table", metavar="TABLE", help="the table whose device has died")
    made.add_argument("to", metavar="TABLE", help="the machine that takes its place, by its own name")
    _of_round(made, "the first that is open there")
    _reason(made)


def _results(to: HallCommands) -> None:
    """What counts."""
    for name, what, example in (
        ("result", "settle a result: approve what the table reports, or say the scores", 'result 3 --reason "seen"'),
        ("amend", "correct a result that counts: everybody reads why", 'amend 3 red=12 blue=9 --reason "miscounted"'),
    ):
        made = to.order(name, what, example, "settle")
        made.add_argument("table", metavar="TABLE", help="a table")
        scores = "seats or players with their scores: all of the table (default: what it reports); before any option"
        made.add_argument("scores", nargs="*", metavar="SEAT=SCORE", help=scores)
        _of_round(made, "the one that is meant most likely")
        won = "who has won, where the highest score does not say so; may be given several times"
        made.add_argument("--won", action="append", default=[], metavar="SEAT", help=won)
        made.add_argument("--void", action="store_true", help="the game counts for nobody")
        _reason(made)
    made = to.order(
        "reopen", "let a result count no longer, until it is settled anew", 'reopen 3 --reason "looked at again"'
    )
    made.add_argument("table", metavar="TABLE", help="a table")
    _of_round(made, "the last that counts")
    _reason(made)


def _back(to: HallCommands) -> None:
    """The way back, and the end."""
    for name, what in (
        ("undo", "say what the last order was; with its number, take it back"),
        ("redo", "say what was taken back last; with its number, give it again"),
    ):
        made = to.order(name, what, f"{name} 12", "turn_back")
        made.add_argument("of", type=int, nargs="?", metavar="N", help="the order's number")
        _reason(made, required=False)
    made = to.order("say", "say one line to everybody, on the board and at the tables", 'say "Break until nine"')
    made.add_argument("text", nargs="?", default="", metavar="TEXT", help="default: take it away")
    made = to.order("clock", "give the round that is played a time, or stop, prolong or drop it", "clock 60", "clock")
    made.add_argument("minutes", type=int, nargs="?", metavar="MINUTES", help="so many from now")
    made.add_argument("--more", type=int, metavar="MINUTES", help="so many more; -5: less")
    for name, what in (("pause", "it stands"), ("on", "it goes on"), ("off", "there is no clock any more")):
        made.add_argument(f"--{name}", dest="set", action="store_const", const=name, help=what)
    ends = "what is played out at its end: the act at hand, the round of the game, or nothing (default act)"
    made.add_argument("--then", choices=("act", "round", "nothing"), help=ends)
    to.order("aside", "list the faults no more that were listed so far", "aside")
    to.order("end", "say that the evening is over", "end")


def _questions(to: HallCommands) -> None:
    """What can be asked."""
    made = to.command("status", "plain", "say what is awaited, what is wrong and who leads", "status")
    made.add_argument("table", nargs="?", metavar="TABLE", help="all there is to say of one table")
    to.command("standings", "plain", "say who stands where", "standings")
    made = to.command("why", "plain", "say why a player stands there, and what would have turned it", "why Ben")
    made.add_argument("player", metavar="PLAYER", help="a name, its beginning, or a number as #7")
    to.command("log", "plain", "list what was ordered, by whom and when", "log")
    export = to.command("export", "export", "save games, seating, results and standings as one zip file", "export")
    export.add_argument("file", nargs="?", type=Path, metavar="FILE", help="default: named for the day, here")
    season = command(
        to.below, "season", "one table of standings from the exports of several evenings", "hall season *.zip"
    )
    season.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what `hall export` saved")
    counted = "what counts: the evenings' scores, or the share of players left behind (default: scores where all alike)"
    season.add_argument("--by", choices=("scores", "places"), help=counted)
    season.add_argument("--save", type=Path, metavar="FILE", help="save it as a table too (CSV)")
    season.add_argument("--lang", choices=("en", "de", "ja"), help="how the table is written (default: config.yaml's)")
    season.set_defaults(run=late("hall", "season"))


def _seating(seats: argparse.ArgumentParser) -> None:
    """What a round is to be like."""
    several = "what is played (default: as in the last round); several times: the tables take them in turn"
    seats.add_argument("--game", action="append", default=[], choices=games.NAMES, metavar="GAME", help=several)
    seats.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    seats.add_argument("--tables", metavar="TABLES", help="as 1-12 or 1,2,blue (default: all that are here)")
    seats.add_argument(
        "--size", type=int, choices=range(2, 8), metavar="N", help="players at a table, if possible (default 4)"
    )
    seats.add_argument("--swiss", action="store_true", help="tables of one strength, by the standings")
    seats.add_argument("--seed", type=int, metavar="S", help="the same seed seats the same")


def _hall_setup(below: Any) -> None:
    """The commands that connect hall, broker and tables."""
    writes = "write what the broker needs, and for each table a file for a stick"
    setup = command(below, "setup", writes, "hall setup --hall friday --tables 1-12")
    setup.set_defaults(run=late("halls", "run_setup"))
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
    made.set_defaults(run=late("halls", "run_page"))
    made.add_argument("--print", action="store_true", help="only print its address, which is the key to the hall")

    saves = "save the hall into a folder, such as a stick's: evening, passwords and address"
    made = command(below, "backup", saves, "hall backup /media/stick")
    made.set_defaults(run=late("halls", "run_backup"))
    made.add_argument("place", type=Path, metavar="FOLDER", help="where to save it")
    made = command(
        below, "restore", "put a saved hall in place on this computer", "hall restore /media/stick/friday.hall"
    )
    made.set_defaults(run=late("halls", "run_restore"))
    made.add_argument("file", type=Path, metavar="FILE", help="what hall backup has saved")

    take = command(below, "take", "put in place what the hall gave this table on a stick", "hall take 7.yaml")
    take.set_defaults(run=late("halls", "run_take"))
    take.add_argument("file", type=Path, metavar="FILE", help="the table's file")
