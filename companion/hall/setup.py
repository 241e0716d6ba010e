"""`tabularium hall setup`: the files for the broker, and for each table one file for a stick.

All is written into one folder: mosquitto.conf, who may connect (passwords), who may write what (acl), the folder for
what the broker keeps, and tables/<table>.yaml. Passwords are generated here; a file contains only those it needs.

The broker has three doors, each with files of its own: one for tables, one for the board, by which everybody is the
public, and one for the organiser's page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import shlex
import socket
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from companion.hall import mosquitto
from companion.hall._wire import VERSION, WORD
from companion.hall.link import Broker
from companion.hall.page import lay_out_both
from companion.hall.plan import Plan
from companion.rules.message import Message
from companion.system import files

TLS_PORT = 8883
HALL = "hall"
"""The hall's own user; no table may have this name."""
ORGANISER = "organiser"
"""The user of the organiser's page; no table may have this name."""
TABLES = 999
DAYS = 825
"""How many days a certificate is valid: as long as clients accept."""
ROUNDS = 101
"""The number of Mosquitto's hashing rounds for passwords."""


def wrong(plan: Plan) -> Sequence[Message]:
    """Return what is wrong with a plan."""
    words = [plan.hall, *plan.tables]
    found = [
        Message(
            "{word} cannot be the name of a hall or a table: use lower-case letters, digits and - (at most 32"
            " characters).",
            word=word,
        )
        for word in words
        if not WORD.fullmatch(word)
    ]
    if HALL in plan.tables:
        found.append(Message("A table cannot be called {word}: the hall has that name.", word=HALL))
    if ORGANISER in plan.tables:
        found.append(Message("A table cannot be called {word}: the organiser has that name.", word=ORGANISER))
    if not 1 <= len(plan.tables) <= TABLES:
        found.append(Message("A hall has 1 to {most} tables.", most=TABLES))
    ports = {plan.port, plan.web, plan.desk}
    if not all(1 <= port <= 65535 - mosquitto.APART for port in ports) or len(ports) < 3:
        most = 65535 - mosquitto.APART
        found.append(Message("Broker, board and organiser need three different ports, from 1 to {most}.", most=most))
    return found


def set_up(plan: Plan) -> Sequence[Path]:
    """Write all files, and return the tables' ones. Tables that were there keep their passwords. Raises OSError."""
    folder = files.folder(plan.folder.absolute())
    files.folder(folder / "kept")
    sticks = files.folder(folder / "tables")
    for old in sticks.glob("*.yaml"):
        old.unlink()
    known = passwords(folder)
    given = {user: known.get(user) or secrets.token_urlsafe(18) for user in (HALL, ORGANISER, *plan.tables)}
    certificate = _certificate(plan, folder) if plan.tls else None
    files.written(folder / "secrets", "".join(f"{user}:{word}\n" for user, word in given.items()))
    for name, users in (("passwords", (HALL, *plan.tables)), ("passwords-desk", (ORGANISER,))):
        files.written(folder / name, "".join(f"{user}:{hashed(given[user])}\n" for user in users))
    names = {"version": VERSION, "hall": plan.hall}
    tables = [mosquitto.HEARS.format(table=table, **names) for table in plan.tables]
    files.written(folder / "acl", "".join([mosquitto.ACL.format(user=HALL, **names), *tables]))
    files.written(folder / "acl-board", mosquitto.BOARD_ACL.format(**names))
    files.written(folder / "acl-desk", mosquitto.DESK_ACL.format(organiser=ORGANISER, **names))
    files.written(folder / mosquitto.CONF, mosquitto.conf(plan, folder))
    for name, text in mosquitto.units(plan, folder).items():
        files.written(folder / name, text)
    lay_out_both(folder, mosquitto.apart(folder))
    files.written(folder / "hall.json", noted(replace(plan, folder=folder)))
    made = []
    for table in plan.tables:
        made.append(sticks / f"{table}.yaml")
        files.written(made[-1], _stick(plan, table, given[table], certificate))
    return made


def noted(plan: Plan) -> str:
    """Return the plan as `kept` reads it again; the board's folder is for an earlier version."""
    data = {field.name: getattr(plan, field.name) for field in fields(plan)}
    return json.dumps(data | {"folder": "", "board": str(plan.board)})


def kept(folder: Path) -> Plan:
    """Return the hall that was set up in this folder. Raises OSError and ValueError."""
    data = json.loads((folder / "hall.json").read_text(encoding="utf-8"))
    data.pop("board", None)  # an earlier version reads it, should somebody go back to one
    return Plan(**data | {"folder": folder, "tables": tuple(data["tables"])})


def broker(plan: Plan, user: str | None) -> Broker:
    """Return how this user reaches the broker from its own computer, each by its own door; None is the public."""
    password = passwords(plan.folder)[user] if user else None
    tls = plan.folder / "hall.crt" if plan.tls else None
    apart = mosquitto.apart(plan.folder)
    if user is None:
        return Broker("localhost", plan.web + apart, web=True)
    if user == ORGANISER:
        return Broker("localhost", plan.desk + apart, user, password, tls, web=True)
    return Broker("localhost", plan.port, user, password, tls)


def passwords(folder: Path) -> Mapping[str, str]:
    """Return the passwords as they were given out, by user; {} where nothing was."""
    try:
        lines = (folder / "secrets").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return dict(line.split(":", 1) for line in lines if ":" in line)


def hashed(password: str, salt: bytes | None = None) -> str:
    """Hash a password as Mosquitto 2 reads it: PBKDF2 with SHA-512."""
    salt = salt or os.urandom(12)
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(found).decode()}"


def _stick(plan: Plan, table: str, password: str, certificate: str | None) -> str:
    """Return the file that a table needs: `tabularium hall take FILE` puts it in place."""
    import yaml

    hall: dict[str, Any] = {"broker": plan.host, "port": plan.port, "hall": plan.hall, "table": table,
                            "password": password}  # fmt: skip
    if certificate:
        hall["certificate"] = certificate
    note = f"# Table {table}: put this on a stick and type there: tabularium hall take {table}.yaml\n"
    return note + yaml.safe_dump({"hall": hall}, sort_keys=False)


def _certificate(plan: Plan, folder: Path) -> str:
    """Return the certificate by which tables know the hall. Raises OSError.

    It is made once, for the computer's name and its address.
    """
    crt, key = folder / "hall.crt", folder / "hall.key"
    if not crt.exists():
        names = ",".join(dict.fromkeys(_alternatives(plan.host)))
        made = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(DAYS), "-keyout", str(key),
             "-out", str(crt), "-subj", f"/CN={plan.host}", "-addext", f"subjectAltName={names}"],
            check=False, capture_output=True, text=True, errors="replace",
        )  # fmt: skip
        if made.returncode:
            crt.unlink(missing_ok=True)
            why = " ".join(made.stderr.split())[-200:]
            raise OSError(f"openssl makes no certificate for {plan.host}: {why}")
        key.chmod(0o600)
    return crt.read_text(encoding="ascii")


def _alternatives(host: str) -> Iterable[str]:
    numbers = all(part.isdigit() for part in host.split(".")) or ":" in host
    yield f"{'IP' if numbers else 'DNS'}:{host}"
    yield f"DNS:{socket.gethostname()}"
    yield "DNS:localhost"
    yield "IP:127.0.0.1"


def commands(plan: Plan) -> Sequence[str]:
    """Return the two commands that start broker and hall."""
    return [
        shlex.join(mosquitto.command(plan.folder.absolute())),
        shlex.join(["tabularium", "hall", "--folder", str(plan.folder.absolute())]),
    ]
