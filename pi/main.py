"""The options of ./install, and their actions."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path

from pi import account, apt, boot, offline, program, service, steps, trial, update
from pi.machine import OURS, Failed, Machine
from pi.machine import tell as say
from pi.steps import InstallStep

SOURCE = Path(__file__).resolve().parent.parent


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="sudo ./install",
        description="Installs Tabularium on a Raspberry Pi (Raspberry Pi OS Lite, 64 bit, Debian 12 or 13). Run again,"
        " it does only what is missing; after a change of config.yaml, it updates the boot configuration.",
        epilog="See firmware_notes/installing.md for details.",
    )
    what = top.add_mutually_exclusive_group()
    what.add_argument("--update", action="store_true", help="replace the installed version by this one")
    what.add_argument("--uninstall", action="store_true", help="undo the installation; games and config.yaml stay")
    prepare = "on any computer with a network: download what --offline needs into this folder"
    what.add_argument("--prepare", type=Path, metavar="FOLDER", help=prepare)
    top.add_argument("--dry-run", action="store_true", help="only show what would be done")
    top.add_argument("--offline", type=Path, metavar="FOLDER", help="download nothing; use the files in this folder")
    top.add_argument("--root", type=Path, default=Path("/"), help="install below this folder (for tests)")
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Install, update or uninstall; return exit status 0, 1 where a step failed, 2 where it does not begin."""
    args = parser().parse_args(words)
    m = Machine(args.root.resolve(), SOURCE)
    if not (SOURCE / "constraints.txt").exists():
        say("This is only the installed program. To install a Pi, run ./install in a release's folder or in a clone.")
        return 2
    try:
        if args.prepare:
            offline.prepare(m, args.prepare, say)
            return 0
        if why := refused(m, args.dry_run):
            say(why)
            return 2
        return _carried_out(m, args)
    except Failed as failed:
        say(f"\nFailed: {failed.what}")
        say(failed.remedy or "Run it again: completed steps are kept.")
        return 1
    except OSError as error:
        say(f"\nFailed: {error}")
        return 1
    except KeyboardInterrupt:
        say("\nInterrupted. Run it again: completed steps are kept.")
        return 130


def refused(m: Machine, dry: bool, machine: str | None = None, user: int | None = None) -> str:
    """Return why the installation does not begin, "" if it does."""
    if not dry and m.root == Path("/") and (machine or platform.machine()) != "aarch64":
        return "This is for a 64-bit Raspberry Pi. On other computers: make run"
    if not dry and (os.geteuid() if user is None else user) != 0:
        return "This changes the system: sudo ./install. To see what it would do: ./install --dry-run"
    return ""


def all_steps(m: Machine, folder: Path | None = None) -> Iterator[InstallStep]:
    """Yield the steps of the installation in order. Each is made in its turn, and may depend on the steps before."""
    yield from brought(m, folder)
    yield from used(m)


def brought(m: Machine, folder: Path | None = None) -> Iterator[InstallStep]:
    """Yield the steps that add a version beside one that may still be at work."""
    yield apt.step(m, folder)
    yield account.user(m)
    yield program.step(m, folder)
    yield account.places(m)


def used(m: Machine) -> Iterator[InstallStep]:
    """Yield the steps that make this version the current one."""
    this = program.version(m.source)
    yield boot.step(m, this)
    yield service.files(m, this)
    yield service.start(m, this)


def _carried_out(m: Machine, args: argparse.Namespace) -> int:
    if args.dry_run:
        return _done(m, args)
    with m.alone():
        try:
            return _done(m, args)
        except BaseException:  # after any error one version is at work again
            update.finish(m, say)
            raise


def _done(m: Machine, args: argparse.Namespace) -> int:
    if args.uninstall:
        return _uninstall(m, args.dry_run)
    if args.update:
        return _update(m, args.offline, args.dry_run)
    this = program.version(m.source)
    if not args.dry_run:
        update.finish(m, say)
    program.unlike(m)
    say(f"Tabularium {this}:")
    acted = steps.install(all_steps(m, args.offline), say, args.dry_run)
    if args.dry_run:
        say("Nothing was changed.")
    elif acted:
        say(f"Tabularium {this} is installed. To check everything: tabularium doctor")
    else:
        say("Nothing is left to do.")
    return 0


def _uninstall(m: Machine, dry: bool) -> int:
    if not dry:
        m.remove(trial.STATE)  # nothing is on trial any more, even if this fails later
    acted = steps.uninstall(all_steps(m), say, dry)
    if dry:
        say("Nothing was changed.")
        return 0
    made = m.brought("folders")
    m.remove(OURS)
    for folder in sorted(made, key=len, reverse=True):
        if m.at(folder).is_dir() and not any(m.at(folder).iterdir()):
            m.at(folder).rmdir()
    stays = f" The games are in {account.DATA}." if m.at(account.DATA).exists() else ""
    say(f"Tabularium is uninstalled.{stays}" if acted else f"Nothing is installed.{stays}")
    return 0


def _update(m: Machine, folder: Path | None, dry: bool) -> int:
    this, before = program.version(m.source), program.current(m)
    if not before:
        raise Failed("Nothing is installed yet, so there is nothing to update.", "To install it: sudo ./install")
    if this == before:
        say(f"Tabularium {this} is already installed. To get a newer version first: git pull")
        return 0
    say(f"Tabularium {before} becomes {this}:")
    if dry:
        steps.install(brought(m, folder), say, dry)
        say("Then the table would stop, the games would be copied, and the new version started. Nothing was changed.")
        return 0
    update.replaced(m, this, lambda: steps.install(brought(m, folder), say), say)
    steps.install(used(m), say)
    say(f"Tabularium {this} is running.")
    return 0
