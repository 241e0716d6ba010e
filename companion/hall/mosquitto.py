"""The files for Mosquitto: its configuration, who may write what, and how it is started.

The broker has three doors (listeners), each with files of its own: one for tables, one for the board, by which
everybody is the public, and one for the organiser's page. Each door limits its connections, and all of them together
stay below what the broker may have open: crowding one door keeps nobody out of another.

Mosquitto 2.0 serves the two pages by the doors that their websockets come through. Built with websockets of its own, as
2.1 usually is, it no longer does, so from 2.1 on each page's websockets have a port apart.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import ndiff
from pathlib import Path

from companion.hall._wire import VERSION
from companion.hall.plan import Plan
from companion.system import files
from companion.system.home import username

CONF = "mosquitto.conf"
APART = 10
"""How far above a page's port its websockets are, where the broker cannot have both at one."""
SEATED, PHONES, DESKS = 2000, 600, 20
"""Simultaneous connections to the doors of tables, board and organiser, at most."""
DESCRIPTORS = 8192
"""The broker's limit of open files: the doors' connections, and browsers fetching a page."""
KEEPALIVE_S = 120
"""The longest silence a client may ask for. Not 60: then Mosquitto 2.0.21 throws out one new connection in fifteen."""
OUTDATED = {
    "max_keepalive 60": f"max_keepalive {KEEPALIVE_S}",
    "max_queued_messages 20000": "max_queued_messages 1000",  # a hundred browsers that did not read filled 200 MB
    "# Hall and tables, each by its password; whoever has none only reads.": "# Hall and tables, each by its password.",
}
"""Lines written by earlier versions, each with its present form."""

WHOLE = """\
# The hall's broker, for Mosquitto 2 (written by tabularium hall setup).
user {user}
per_listener_settings true
persistence true
persistence_location {folder}/kept/
autosave_interval 30
max_queued_messages 1000
max_queued_bytes 8000000
persistent_client_expiration 1h
max_inflight_messages 200
max_packet_size 1010000
max_keepalive {keepalive}
log_dest stderr
log_type error
log_type warning
log_type notice
connection_messages false

# Hall and tables, each by its password.
listener {port}
allow_anonymous false
max_connections {seated}
password_file {folder}/passwords
acl_file {folder}/acl
{tls}
# The board: anybody's browser, which only reads. There are no passwords here, and so any would do for any name: its acl
# names nobody, and by this door everybody is the public.
listener {web}
protocol websockets
http_dir {folder}/board
allow_anonymous true
acl_file {folder}/acl-board
max_connections {phones}

# The organiser's page: on this computer alone, or encrypted.
listener {desk}
protocol websockets
http_dir {folder}/desk
allow_anonymous false
password_file {folder}/passwords-desk
acl_file {folder}/acl-desk
max_connections {desks}
{tls}"""
SEALED_ACL = """\
topic readwrite tabularium-sealed/{version}/{hall}/#
"""
SEALED_BOARD_ACL = """\
# Phones with the organiser's page: what is written and read here is sealed. One topic, so that nobody fills the broker.
topic write tabularium-sealed/{version}/{hall}/order
topic read tabularium-sealed/{version}/{hall}/answer/+
"""
ASKED_ACL = """\
topic read tabularium-asked/{version}/{hall}/#
"""
ASKED_BOARD_ACL = """\
# What players ask: one topic, so that nobody fills the broker, and nobody but the hall reads it.
topic write tabularium-asked/{version}/{hall}/request
"""
ACL = """\
user {user}
topic readwrite tabularium/{version}/{hall}/#
topic read tabularium/+/{hall}/table/#
topic readwrite tabularium-desk/{version}/{hall}/#
topic readwrite tabularium-sealed/{version}/{hall}/#
topic read tabularium-asked/{version}/{hall}/#

# A table writes its own topics, and reads what the hall says. One of another version may say that it is there.
pattern write tabularium/{version}/{hall}/table/%u/#
pattern write tabularium/+/{hall}/table/%u/status
"""
BOARD_ACL = f"""\
# The public, whatever it calls itself.
topic read tabularium/{{version}}/{{hall}}/#
{SEALED_BOARD_ACL}{ASKED_BOARD_ACL}"""
DESK_ACL = """\
# The organiser orders, and reads the answers and what the public reads.
user {organiser}
topic write tabularium-desk/{version}/{hall}/order
topic read tabularium-desk/{version}/{hall}/answer/#
topic read tabularium-desk/{version}/{hall}/state
topic readwrite tabularium-desk/{version}/{hall}/check
topic read tabularium/{version}/{hall}/#
"""
HEARS = """
user {table}
topic read tabularium/{version}/{hall}/hall/#
"""
UNIT = """\
[Unit]
Description={what} {hall}
After=network-online.target{after}
Wants=network-online.target

[Service]
User={user}
ExecStart={command}
{more}Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
"""
UNITS = ("tabularium-broker.service", "tabularium-hall.service")


def installed() -> tuple[str, tuple[int, ...]]:
    """Return where Mosquitto is, or would be, and its version; () where it is not installed."""
    path = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
    if not path:
        return "/usr/sbin/mosquitto", ()
    said = subprocess.run([path, "-h"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"version (\d+)\.(\d+)", said)
    return path, tuple(map(int, found.groups())) if found else ()


def command(folder: Path) -> Sequence[str]:
    """Return the command that starts a hall's broker, with room for all that may be open."""
    room = ["prlimit", f"--nofile={DESCRIPTORS}"] if shutil.which("prlimit") else []
    return [*room, installed()[0], "-c", f"{folder}/{CONF}"]


def units(plan: Plan, folder: Path) -> Mapping[str, str]:
    """Return systemd's units by their names: they start broker and hall with the computer."""
    given = {"hall": plan.hall, "user": username()}
    broker, hall = (
        [installed()[0], "-c", f"{folder}/{CONF}"],
        [sys.executable, "-m", "companion", "hall", "--folder", str(folder)],
    )
    return {
        UNITS[0]: UNIT.format(
            what="The broker of the hall",
            after="",
            command=_quoted(broker),
            more=f"LimitNOFILE={DESCRIPTORS}\n",
            **given,
        ),
        UNITS[1]: UNIT.format(
            what="The hall",
            after=f" {UNITS[0]}",
            command=_quoted(hall),
            more=f"WorkingDirectory={str(Path(__file__).parents[2]).replace('%', '%%')}\n",
            **given,
        ),
    }


def _quoted(words: Sequence[str]) -> str:
    """Return a command as a unit has it: systemd expands % and $."""
    plain = (word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$") for word in words)
    return " ".join(f'"{word}"' for word in plain)


# -- its configuration -------------------------------------------------------------------------------------------------


def conf(plan: Plan, folder: Path) -> str:
    """Return the broker's own file, for the Mosquitto that is installed."""
    tls = f"certfile {folder}/hall.crt\nkeyfile {folder}/hall.key\n" if plan.tls else ""
    whole = WHOLE.format(
        user=username(), folder=folder, port=plan.port, web=plan.web, tls=tls, keepalive=KEEPALIVE_S, seated=SEATED,
        phones=PHONES, desks=DESKS, desk=plan.desk if plan.tls else f"{plan.desk} 127.0.0.1",
    )  # fmt: skip
    return current(whole, folder)


def apart(folder: Path) -> int:
    """Return how far above their pages' ports the websockets of this hall are."""
    return APART if "\nprotocol http_api\n" in (folder / CONF).read_text(encoding="utf-8") else 0


def moved(text: str, folder: Path) -> str:
    """Return another computer's broker file for this folder, user and broker; lines written by hand stay."""
    lines = text.splitlines()
    was = next((str(Path(line.split(" ", 1)[1]).parent) for line in lines if line.startswith("password_file ")), "")
    own = [f"user {username()}" if line.startswith("user ") else line for line in lines]
    here = "".join(f"{line.replace(was, str(folder.absolute())) if was else line}\n" for line in own)
    return current(here, folder.absolute())


def outdated(folder: Path) -> Sequence[str]:
    """Return the lines of the broker's files that must change or are missing. Raises OSError.

    They are lines that an earlier version wrote, or did not write yet.
    """
    found: dict[str, list[str]] = {"-": [], "+": []}
    for old, now in _files(folder).values():
        for line in ndiff(old.splitlines(), now.splitlines()):
            found.setdefault(line[0], []).append(line[2:])
    return found["-"] or found["+"]


def bring_up_to_date(folder: Path) -> bool:
    """Replace outdated lines, but none written by hand; return whether there were any. Raises OSError."""
    changed = {name: now for name, (old, now) in _files(folder).items() if old != now}
    for name, now in changed.items():
        files.written(folder / name, now)
    return bool(changed)


def _files(folder: Path) -> Mapping[str, tuple[str, str]]:
    """Return the broker's files that may be of an earlier version, by name: as they are, and as they are to be."""
    conf, acl = ((folder / name).read_text(encoding="utf-8") for name in (CONF, "acl"))
    # topics of earlier versions of the wire are those of this one; the public no longer comes by the tables' door
    rights = re.sub(r"(?<= tabularium/)[0-9]+(?=/)", str(VERSION), acl)
    rights = re.sub(r"\A# Without a name: .*\ntopic read .*\n\n", "", rights)
    for lines in (ASKED_ACL, SEALED_ACL):
        rights = _with_browsers(rights, r"topic readwrite tabularium-desk/\d+/([^/]+)/#\n", lines)
    found = {CONF: (conf, current(conf, folder.absolute())), "acl": (acl, rights)}
    if (folder / "acl-board").exists():
        board = (folder / "acl-board").read_text(encoding="utf-8")
        now = board
        for lines in (ASKED_BOARD_ACL, SEALED_BOARD_ACL):
            now = _with_browsers(now, r"topic read tabularium/\d+/([^/]+)/#\n", lines)
        found["acl-board"] = board, now
    return found


def _with_browsers(rights: str, after: str, lines: str) -> str:
    """Return the rights with these lines for what browsers may write, which earlier versions did not have."""
    at, topics = re.search(after, rights), re.search(r"tabularium-\w+/", lines)
    if not at or not topics or topics[0] in rights:
        return rights
    return rights[: at.end()] + lines.format(version=VERSION, hall=at[1]) + rights[at.end() :]


def current(text: str, folder: Path) -> str:
    """Return a configuration as this version writes it for the Mosquitto that is installed, listener by listener."""
    lines = [OUTDATED.get(line.strip(), line) for line in text.splitlines()]
    begins = [at for at, line in enumerate(lines) if line.startswith("listener ")]
    parts = [lines[begin:end] for begin, end in zip([0, *begins], [*begins, len(lines)], strict=True)]
    separate = installed()[1] >= (2, 1)
    return "".join(f"{line}\n" for part in _joined(parts) for line in _listener(part, folder, separate))


def _joined(parts: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield the listeners as Mosquitto 2.0 has them: a page's listener joins the one of its websockets."""
    page: list[str] = []
    for part in parts:
        if "protocol http_api" in part:
            page = list(part)
        elif page:
            served = next(line for line in page if line.startswith("http_dir "))
            kept = [line for line in part[1:] if line != "protocol websockets"]
            yield [page[0], "protocol websockets", served, *kept]
            page = []
        else:
            yield list(part)


def _listener(part: list[str], folder: Path, separate: bool) -> list[str]:
    """Return one listener as it is to be."""
    served = next((line for line in part if line.startswith("http_dir ")), "")
    if served and served.endswith("companion/hall/board"):  # in the program, which an update takes away
        part = [f"http_dir {folder}/board" if line == served else line for line in part]
        served = f"http_dir {folder}/board"
    if any(line.startswith("password_file ") and line.endswith("/passwords") for line in part):
        part = ["allow_anonymous false" if line == "allow_anonymous true" else line for line in part]
        if not any(line.startswith("max_connections ") for line in part):
            part.insert(part.index("allow_anonymous false") + 1, f"max_connections {SEATED}")
    if separate and served and "protocol websockets" in part:
        _, port, *where = part[0].split()
        keys = [line for line in part if line.startswith(("certfile ", "keyfile "))]
        rest = [line for line in part[1:] if line != served]
        return [part[0], "protocol http_api", served, "allow_anonymous true", *keys,
                " ".join(["listener", str(int(port) + APART), *where]), *rest]  # fmt: skip
    return part
