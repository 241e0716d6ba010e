"""`make release`: everything that is handed out, from what is committed, into one folder; built twice, it is the same.

    python -m tools.making dist --key ~/.ssh/release

The key's private half is never here: without --key the release stays unsigned, and no table takes it by finger.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pi import apt, offline, program, release
from pi.machine import Failed, Machine

ROOT = Path(__file__).resolve().parent.parent
CARRIED = "pi/carried.cdx.json"
"""What the wheel carries of others, in CycloneDX; hatchling puts it into the wheel."""
ENVIRONMENT, THIRD, NOTES, README = "environment.cdx.json", "THIRD_PARTIES.md", "NOTES.md", "README.md"
ITEM = 2000
"""How long what a change says may be."""
SHORT = {
    "BSD License": "BSD-3-Clause", "BSD": "BSD-3-Clause", "MIT License": "MIT",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only", "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}  # fmt: skip
"""How licences are called that packages call by other names."""
READ_ME = """\
# Tabularium {version}

| | |
|---|---|
| `{wheel}` | the program for a laptop: `pipx install {wheel}`, or `uvx --from {wheel} tabularium` |
| `{sdist}` | all of the source |
| `*-manylinux*_aarch64.whl`, `*-none-any.whl` | what a 64-bit Pi needs of Python's packages (Debian 12 and 13) |
| `{sums}`, `{sums}.sig` | checksums, and whose they are: `sha256sum -c {sums}` |
| `{environment}`, `{third}` | what it is made with, and under which licences |
| `{notes}` | what is new |

## On a Raspberry Pi without a network

Debian's packages have to be there already, or lie in this folder as `*.deb`:

    sudo apt-get install {debs}

Copy this folder to the Pi, and in it:

    tar -xf {sdist}
    sudo {home}/install --offline .

A table that is installed already takes it from a stick: Hardware → Update.
"""


def main(words: Sequence[str] | None = None) -> int:
    top = argparse.ArgumentParser(prog="make release", description="Builds a release of what is committed.")
    top.add_argument("folder", type=Path, help="where to: a folder of the release's name is made in it")
    top.add_argument("--key", type=Path, help="the private key (ssh-keygen -t ed25519) that signs the checksums")
    top.add_argument("--python", type=Path, default=Path(sys.executable), help="a Python that has hatchling")
    top.add_argument("--no-wheels", action="store_true", help="without what Pis need: fetches nothing")
    args = top.parse_args(words)
    try:
        made = make(ROOT, args.folder, key=args.key, python=args.python, wheels=not args.no_wheels)
    except Failed as failed:
        print(f"{failed.what}\n{failed.remedy}".strip(), file=sys.stderr)
        return 1
    print(f"{made} is made" + (" and signed." if args.key else ", but not signed: tables do not take it by finger."))
    return 0


def make(
    source: Path, folder: Path, *, key: Path | None = None, python: Path | None = None, wheels: bool = True
) -> Path:
    """Make a release of what is committed in `source`, as a new folder in `folder`. Raises Failed."""
    m = Machine(source=source)
    with TemporaryDirectory() as name:
        clean = Path(name) / "source"
        _committed(m, clean)
        version, changes = _changes(clean)
        if key:
            _ready(m, clean, key)
        made = Path(name) / f"tabularium-{version}"
        made.mkdir()
        _built(m, clean, made, python or Path(sys.executable))
        sdist, wheel = next(made.glob("*.tar.gz")), next(made.glob("*.whl"))
        if wheels:
            for each in offline.PYTHONS:
                offline.download(Machine(source=clean), made, each)
        components = list(_environment(program.requirements(clean)))
        carried = json.loads((clean / CARRIED).read_text(encoding="utf-8"))["components"]
        for file, text in {
            ENVIRONMENT: _json(cyclonedx(f"tabularium-{version}", version, components)),
            THIRD: third_parties([*carried, *components]),
            NOTES: f"# Tabularium {version}\n\n" + "".join(f"- {line}\n" for line in changes),
            README: _read_me(version, wheel.name, sdist.name),
            release.ABOUT: _json(_about(version, changes, sdist, made)),
        }.items():
            (made / file).write_text(text, encoding="utf-8")
        sums = "".join(f"{_digest(path)}  {path.name}\n" for path in sorted(made.iterdir()))
        (made / release.SUMS).write_text(sums, encoding="ascii")
        if key:
            m.run("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", release.NAMESPACE, made / release.SUMS)
        for path in made.iterdir():
            path.chmod(0o644)
        there = folder / made.name
        if there.exists():
            raise Failed(f"{there} is there already.", "Move it away first: a release is never written over.")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, there)
        return there


# -- what is built -----------------------------------------------------------------------------------------------------


def _committed(m: Machine, to: Path) -> None:
    to.mkdir()
    archive = to.with_suffix(".tar")
    m.run("git", "-C", m.source, "archive", "-o", archive, "HEAD")
    m.run("tar", "-xf", archive, "-C", to)


def _built(m: Machine, clean: Path, made: Path, python: Path) -> None:
    at = m.run("git", "-C", m.source, "log", "-1", "--format=%ct").strip()
    env = dict(os.environ) | {"SOURCE_DATE_EPOCH": at}
    build = Machine(source=clean, env=env)
    build.run("env", f"--chdir={clean}", python.absolute(), "-m", "hatchling", "build", "-d", made, doing="building")


def _changes(clean: Path) -> tuple[str, Sequence[str]]:
    """Return the version, and what CHANGELOG.md says of it, a line a change. Raises Failed."""
    found = re.search(r'__version__ = "(.+)"', (clean / "companion/__init__.py").read_text(encoding="utf-8"))
    version = found[1] if found else ""
    if not release.NUMBER.fullmatch(version):
        raise Failed(f"{version!r} is no version that can be released: three numbers, as in 0.2.0.")
    text = (clean / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(version)}\b.*\n((?:(?!## ).*\n?)*)", text, re.M)
    if not section:
        raise Failed(f"CHANGELOG.md says nothing of {version}.", f"Write “## {version}” and what is new below it.")
    items = re.findall(r"^- ((?:.+\n?)(?:^  .+\n?)*)", section[1], re.M)
    return version, [" ".join(item.split())[:ITEM] for item in items]


def _about(version: str, changes: Sequence[str], sdist: Path, made: Path) -> Mapping[str, Any]:
    plain = [re.sub(r"`|\[([^]]+)\]\([^)]+\)", r"\1", line) for line in changes]
    return {
        "release": release.FORMAT, "version": version, "changes": plain,
        "room": _room(sdist, made), "source": sdist.name,
    }  # fmt: skip


def _room(sdist: Path, made: Path) -> int:
    """Return the room it needs in MB: the release, and all of it unpacked, with half as much again for bytecode."""
    with tarfile.open(sdist) as tar:
        unpacked = sum(member.size for member in tar)
    for wheel in made.glob("*.whl"):
        with zipfile.ZipFile(wheel) as opened:
            unpacked += sum(entry.file_size for entry in opened.infolist())
    return (3 * unpacked // 2 + sum(path.stat().st_size for path in made.iterdir())) // 1_000_000 + 1


def _read_me(version: str, wheel: str, sdist: str) -> str:
    return READ_ME.format(
        version=version, wheel=wheel, sdist=sdist, sums=release.SUMS, environment=ENVIRONMENT, third=THIRD, notes=NOTES,
        home=sdist.removesuffix(".tar.gz"), debs=" ".join((*apt.NEEDED, *apt.HARDWARE)),
    )  # fmt: skip


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _json(what: Mapping[str, Any]) -> str:
    return json.dumps(what, ensure_ascii=False, indent=1) + "\n"


# -- signed ------------------------------------------------------------------------------------------------------------


def _ready(m: Machine, clean: Path, key: Path) -> None:
    """Check that a table knows the key and that the changelog has a day, before anything is signed. Raises Failed."""
    public = " ".join(m.run("ssh-keygen", "-y", "-f", key).split()[:2])
    line = f'{release.SIGNER} namespaces="{release.NAMESPACE}" {public}'
    if line not in (clean / "pi/files/signers").read_text(encoding="utf-8").splitlines():
        raise Failed("No version knows this key yet.", f"Add this line to pi/files/signers, and commit it:\n{line}")
    if re.search(r"^## .*unreleased", (clean / "CHANGELOG.md").read_text(encoding="utf-8"), re.M):
        raise Failed("CHANGELOG.md still says “unreleased”.", "Write the day in its place, and commit it.")


# -- whose it is -------------------------------------------------------------------------------------------------------


def _environment(pinned: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield a component for each package, as it is installed here in the very version. Raises Failed."""
    for line in pinned:
        name, _, version = line.partition("==")
        try:
            here = distribution(name)
        except PackageNotFoundError:
            raise Failed(f"{name} is not installed, so its licence is not known.", "make dev") from None
        if here.version != version:
            raise Failed(f"{name} {here.version} is installed, and {version} goes out.", "make clean dev")
        yield component(name, version, licence(here), f"pkg:pypi/{name.lower().replace('_', '-')}@{version}")


def licence(of: Distribution) -> str:
    """Return the licence a package says it has, by its SPDX name where that is clear; "" where it says nothing."""
    said = of.metadata.json  # a dictionary, where the message itself has no types
    expression, text = str(said.get("license_expression", "")), str(said.get("license", "")).strip()
    if expression:
        return expression
    classed = [line.rpartition(" :: ")[2] for line in said.get("classifier", []) if line.startswith("License")]
    for name in (text, *classed):
        if name and name != "UNKNOWN" and "\n" not in name and len(name) < 60:
            return SHORT.get(name, name)
    return ""


def component(name: str, version: str, licence: str, purl: str) -> dict[str, Any]:
    """Return a component for CycloneDX."""
    of: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if re.search(r" (OR|AND|WITH) ", licence):
        return of | {"licenses": [{"expression": licence}]}
    return of | ({"licenses": [{"license": {"id" if licence in SPDX else "name": licence}}]} if licence else {})


SPDX = frozenset(("MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "MPL-2.0", "GPL-3.0-only", "OFL-1.1"))


def cyclonedx(name: str, version: str, components: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a bill of materials without a time and a serial number, which would differ at each build."""
    top = {"type": "application", "bom-ref": name, "name": name, "version": version}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "version": 1, "metadata": {"component": top}, "components": list(components),
    }  # fmt: skip


def third_parties(components: Sequence[Mapping[str, Any]]) -> str:
    """Return the components as a Markdown table for people."""
    rows = [f"| {of['name']} | {of['version']} | {_said(of)} |" for of in components]
    head = "# What Tabularium uses of others\n\nTabularium itself is under the MIT licence (LICENSE).\n\n"
    return head + "\n".join(["| | version | licence |", "|---|---|---|", *rows, ""])


def _said(of: Mapping[str, Any]) -> str:
    (said,) = of.get("licenses") or [{"license": {"name": "not said"}}]
    return str(said.get("expression") or said["license"].get("id") or said["license"]["name"])


if __name__ == "__main__":
    sys.exit(main())
