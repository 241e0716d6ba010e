"""Makes .venv, whole or not at all: `make run` and `make dev` call it with the Python that .venv is for.

    python3 -I -X utf8 tools/environment.py check   # after a move or another Python: mends .venv, or has it made anew
    python3 -I -X utf8 tools/environment.py         # what `make run` needs
    python3 -I -X utf8 tools/environment.py dev     # what tests need besides

The environment is made beside .venv, from a copy of it where it works, and takes its place once it is whole. So Ctrl-C,
a kill, a full disk or a pulled plug leave the one before, and the next run starts over. Settings meant for other
Pythons and for pip elsewhere stay outside, except where packages come from. It needs the standard library alone.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while the rest is imported shows no traceback

# ruff: noqa: E402
import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True  # root leaves no files in a user's clone
sys.path.insert(0, str(ROOT))

from pi.outside import clean

ENV = clean(os.environ)
if ENV.get("PIP_RETRIES", "0") == "0":  # without any, pip does not name the network; each costs seconds without it
    ENV["PIP_RETRIES"] = "1"
VENV, NEXT, OLD = (ROOT / name for name in (".venv", ".venv.next", ".venv.old"))
READY = "bin/.ready"
"""Written last of all. It says where the environment was made, and for which Python: "/home/anna/tabularium 3 11"."""
ISOLATED = ("-I", "-X", "utf8")
"""How a Python is started, so that neither variables nor the locale tell it anything."""
BESIDE = ("build", "site", "micropython")
"""What else lies in .venv, and stays."""
AWAY = re.compile("NewConnection|NameResolution|Failed to (establish|resolve)|Network is unreachable|timed out")
"""What pip says without a network. It also says "Failed to write" on a full disk."""
MISSING = "There is no network, and packages are missing: connect this computer and try again."
LOOSE = b"""#!/bin/sh
'''unset' PYTHONPATH PYTHONHOME
exec "$(dirname "$(readlink -f "$0")")/python" "$0" "$@"
' '''
"""
"""The head of a script that runs with the Python beside it, wherever they lie: sh reads three lines, Python a text.
What is set for other Pythons would put other people's modules before ours."""


class Failed(Exception):  # noqa: N818 - it is not a mistake of ours
    """The environment cannot be made; the sentences say why."""


def main() -> int:
    """Make or check .venv; return 0 once it is whole, 1 with a reason, 130 after Ctrl-C."""
    wanted = "".join(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with (ROOT / "Makefile").open() as lock:
            _alone(lock.fileno())
            _tidy()
            try:
                _check() if wanted == "check" else _make(wanted)
            except (Failed, OSError):
                _tidy()  # gives a full disk its room back
                raise
    except Failed as failed:
        print(failed, file=sys.stderr)
    except OSError as error:
        print(f"{error.filename or VENV}: {error.strerror or error}", file=sys.stderr)
        if isinstance(error, PermissionError) and os.path.lexists(VENV) and VENV.lstat().st_uid != os.geteuid():
            print(_others(VENV), file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped; the next run starts over.", file=sys.stderr)
        return 130
    else:
        return 0
    return 1


def _alone(lock: int) -> None:
    """Take the lock, so that only one set-up runs at a time.

    The processes that we start hold the lock too: a pip whose parent was killed may still be at work.
    """
    with suppress(OSError):  # a file system without locks
        os.set_inheritable(lock, True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another set-up is at work in this folder: waiting for it ...", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)


def _tidy() -> None:
    """Finish what an earlier run began: put a whole environment in its place, remove half a one."""
    if not os.path.lexists(VENV):
        whole = NEXT if (NEXT / READY).exists() else OLD
        if whole.exists():
            whole.rename(VENV)
    for name in BESIDE:
        if (OLD / name).exists() and not (VENV / name).exists():
            shutil.move(OLD / name, VENV / name)  # .venv may have been a link to another disk
    for left in (NEXT, OLD):
        if left.is_symlink():
            left.unlink()
        elif left.exists():
            shutil.rmtree(left, ignore_errors=True)  # what stays is named when its place is needed


def _check() -> None:
    """Adapt an environment that was moved; one whose Python was replaced stays until there is another."""
    try:
        where, *version = os.fsdecode((VENV / READY).read_bytes()).rstrip("\n").rsplit(" ", 2)
    except FileNotFoundError:
        return
    if _version(VENV) != version:
        print("The Python of .venv was replaced: .venv is made anew.", flush=True)
        (VENV / READY).unlink()
    elif where != str(ROOT):
        print("This folder was moved: .venv is adapted.", flush=True)
        _loosen(VENV)
        _rewrite(VENV, where, str(ROOT))
        was = (VENV / READY).stat()
        _sign(VENV, version)
        os.utime(VENV / READY, ns=(was.st_atime_ns, was.st_mtime_ns))  # what tests need is not older than this


def _others(*paths: Path) -> str:
    """Return what to do about files that another user has made, as root by `sudo make run`."""
    return f"What another user has made must go first: sudo rm -rf {shlex.join(map(str, paths))}"


def _version(home: Path) -> list[str]:
    """Return the version of an environment's Python; nothing where it does not run."""
    words = (home / "bin/python", *ISOLATED, "-c", "import sys; print(*sys.version_info[:2])")
    try:
        return subprocess.run(words, check=True, capture_output=True, text=True, env=ENV).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []


def _make(extra: str) -> None:
    if left := [at for at in (NEXT, OLD) if os.path.lexists(at)]:
        raise Failed(_others(*left))
    if (VENV / READY).exists():
        stays = {str(VENV): BESIDE}
        shutil.copytree(VENV, NEXT, symlinks=True, ignore=lambda at, _: stays.get(at, ()), copy_function=_link)
        for name in (READY, "bin/.dev"):
            (NEXT / name).unlink(missing_ok=True)
    number = _numbers()[1 if extra else 0]
    if extra:
        print(f"Installing what tests need: {number} packages ...", flush=True)
    elif not NEXT.exists():
        print(f"Setting up .venv: {number} packages, once, in a minute or two ...", flush=True)
    if not NEXT.exists():
        _run(sys.executable, *ISOLATED, "-m", "venv", "--without-pip", NEXT)
        _run(NEXT / "bin/python", *ISOLATED, "-m", "ensurepip", "--default-pip")  # venv would not report why it failed
    pip = (NEXT / "bin/python", *ISOLATED, "-m", "pip")
    install = (*pip, "install", "--disable-pip-version-check", "-c", ROOT / "constraints.txt")
    try:
        _fetch(number, *install, "-e", f"{ROOT}{f'[{extra}]' if extra else ''}")
    except ConnectionError:
        if not _there(install, extra):
            raise Failed(MISSING) from None
        print("There is no network: going on with what is installed, which will do.", flush=True)
    if not extra:
        _complete(install)
    _loosen(NEXT)
    _rewrite(NEXT, NEXT.name, VENV.name)
    _sign(NEXT, _version(NEXT))
    if extra:
        (NEXT / "bin/.dev").touch()  # make compares their times
    os.sync()  # whole on the disk, too, before it takes its place
    if os.path.lexists(VENV):
        VENV.rename(OLD)
    NEXT.rename(VENV)
    _tidy()


def _link(source: str, goal: str) -> None:
    """Make a hard link, which takes neither time nor room, or else a copy: pip and we write no file in place."""
    try:
        os.link(source, goal)
    except OSError:  # another user's file, or a file system without links
        shutil.copy2(source, goal)


def _complete(install: tuple[str | Path, ...]) -> None:
    """Install the readers' packages that must come without their own requirements, as mfrc522.

    On a laptop the virtual chip stands in for spidev and RPi.GPIO, on a Pi rpi-lgpio takes the place of RPi.GPIO (also
    on a Pi 5). So no compiler is needed. The catalogues are compiled here too.
    """
    alone = _run(NEXT / "bin/python", "-m", "drivers.kinds", "alone").split()
    if alone:
        try:
            _fetch(len(alone), *install, "--no-deps", *alone)
        except ConnectionError:
            raise Failed(MISSING) from None
    _run(NEXT / "bin/python", "-m", "companion.rules.catalogues")


def _numbers() -> tuple[int, int]:
    """Return how many packages `make run` needs, and how many more the tests need."""
    run, _, dev = (ROOT / "constraints.txt").read_text(encoding="utf-8").partition("besides")
    return run.count("=="), dev.count("==")


def _there(install: tuple[str | Path, ...], extra: str) -> bool:
    """Return whether the packages installed already are all that pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project.get("dependencies", ()), *project.get("optional-dependencies", {}).get(extra, ())]
    linked = any(_packages(NEXT).glob("tabularium_referee-*.dist-info"))
    words = (*install, "--no-index", "--dry-run", "-q", *wanted)
    return linked and not subprocess.run(words, check=False, capture_output=True, env=ENV, cwd=ROOT).returncode


def _packages(home: Path) -> Path:
    return next(iter(home.glob("lib/python3*/site-packages")), home)


# -- what is run ---------------------------------------------------------------------------------------------------


def _run(*words: str | Path) -> str:
    """Run a command and return what it prints. Raises Failed with its own words."""
    run = subprocess.run(
        words, check=False, capture_output=True, text=True, errors="replace", env=ENV, cwd=ROOT, close_fds=False
    )
    if run.returncode:
        said = (run.stderr or run.stdout).strip() or f"{words[0]}: exit status {run.returncode}"
        before, trace, _ = said.partition("Traceback (most recent")
        raise Failed(before.strip() or said.splitlines()[-1] if trace else said)
    return run.stdout


def _fetch(of: int, *words: str | Path) -> None:
    """Run pip, and print what it fetches and how far it is: else the first `make run` is silent for minutes.

    Raises ConnectionError without a network, and Failed with pip's own words for anything else.
    """
    number = 0
    memory = os.memfd_create("pip")  # pip's errors need no room on a full disk
    with open(memory, "w+", encoding="utf-8", errors="replace") as wrong:  # noqa: PTH123 - as it has been opened
        pip = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=wrong, text=True, errors="replace", env=ENV, cwd=ROOT, close_fds=False
        )
        assert pip.stdout
        for line in pip.stdout:
            told = _told(line)
            if told.startswith("{}"):
                number += 1
            if told:
                print(f"  {told.format(f'{number} of {of}')}", flush=True)
        failed = pip.wait()
        wrong.seek(0)
        said = wrong.read()
    if failed and AWAY.search(said):
        raise ConnectionError
    if failed:
        raise Failed(said.strip())


def _told(line: str) -> str:
    """Return what is shown of a line of pip's; {} stands for how far it is."""
    how, _, rest = line.strip().partition(" ")
    if ".metadata" in line:
        return ""
    what, _, size = rest.partition(" ")
    package = what.rpartition("/")[2].partition("-")[0].replace("{", "{{").replace("}", "}}")
    if line.strip().startswith("Using cached "):
        return f"{{}}: {size.partition('-')[0]}, fetched earlier"
    if how == "Downloading":
        return f"{{}}: {package} {size}"
    if how == "Processing":
        return f"{{}}: {package}, from this computer"
    if "Installing build " in line and line.rstrip().endswith("started"):
        return "what builds packages ..."
    return "unpacking all of it ..." if "Installing collected " in line else ""


# -- wherever it lies ----------------------------------------------------------------------------------------------


def _loosen(home: Path) -> None:
    """Make scripts and the link to this folder work wherever it is moved."""
    for path in (home / "bin").iterdir():
        if path.is_symlink() or not path.is_file():
            continue
        text = path.read_bytes()
        first, _, rest = text.partition(b"\n")
        if re.fullmatch(rb"#!.*/python[0-9.]*", first):
            _replace(path, LOOSE + rest)
        elif first == b"#!/bin/sh" and rest.startswith(b"'''exec' "):  # a long path, or one with a space
            _replace(path, LOOSE + rest.split(b"\n", 2)[2])
    for link in _packages(home).glob("*tabularium_referee*.pth"):
        _replace(link, b"../../../..\n")  # from site-packages; and no locale can misread it


def _rewrite(home: Path, old: str, new: str) -> None:
    """Replace the old place by the new one in the activate scripts and in pyvenv.cfg."""
    for path in (*(home / "bin").glob("[Aa]ctivate*"), home / "pyvenv.cfg"):
        _replace(path, path.read_bytes().replace(os.fsencode(old), os.fsencode(new)))


def _sign(home: Path, version: list[str]) -> None:
    _replace(home / READY, os.fsencode(f"{ROOT} {' '.join(version)}\n"))


def _replace(path: Path, data: bytes) -> None:
    if path.exists() and path.read_bytes() == data:
        return
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    if path.exists():
        shutil.copymode(path, beside)
    beside.replace(path)


if __name__ == "__main__":
    sys.exit(main())
