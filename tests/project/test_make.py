"""`make run` sets up what it needs: whole or not at all, wherever it is cut, under any settings of this computer.

A toy project stands in for ours, so that packages come from a folder and a set-up takes seconds; Makefile, set-up, pip and
venv are the real ones.
"""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.support.paths import ROOT
from tests.support.tables import EVERYTHING, times

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make")

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "tabularium-referee"
version = "1"
dependencies = ["toy-one"]
[project.optional-dependencies]
dev = ["toy-dev"]
"""
BACKEND = r"""
import os
import tomllib
from pathlib import Path
from zipfile import ZipFile


def build_editable(folder, settings=None, metadata=None):
    exec(Path("cut.py").read_text())
    asked = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    head = ["Metadata-Version: 2.1", "Name: tabularium-referee", "Version: 1", "Provides-Extra: dev"]
    head += [f"Requires-Dist: {name}" for name in asked["dependencies"]] + ["Requires-Dist: toy-dev; extra == 'dev'", ""]
    name, info = "tabularium_referee-1-py3-none-any.whl", "tabularium_referee-1.dist-info"
    with ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("_editable_impl_tabularium_referee.pth", os.getcwd())
        wheel.writestr(f"{info}/METADATA", "\n".join(head))
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\ntabularium = companion:main\n")
        wheel.writestr(f"{info}/RECORD", "")
    return name
"""
FILES = {
    "pyproject.toml": PYPROJECT,
    "backend.py": BACKEND,
    "cut.py": "",
    "constraints.txt": "toy-one==1\ntoy-alone==1\n# besides\ntoy-dev==1\n",
    "companion/__init__.py": "import sys\n\ndef main():\n    import toy_one\n    print('at the table', *sys.argv[1:])\n",
    "companion/cli/__init__.py": "",
    "companion/cli/carry.py": "",
    "companion/rules/__init__.py": "",
    "companion/rules/catalogues.py": "",
    "drivers/__init__.py": "",
    "drivers/kinds.py": "from pathlib import Path\nexec(Path('alone.py').read_text())\nprint('toy-alone==1')\n",
    "alone.py": "",
}
KILL = "import os, signal; os.killpg(0, signal.SIGKILL)"
STOP = "import os, signal; os.killpg(0, signal.SIGINT)"

CUTS = [("cut.py", STOP), ("alone.py", KILL), ("cut.py", KILL), ("alone.py", STOP)]
"""While pip installs, and afterwards."""


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of wheels."""
    folder = tmp_path_factory.mktemp("packages")
    for name in ("toy_one", "toy_alone", "toy_dev", "toy_large"):
        with ZipFile(folder / f"{name}-1-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}.py", "#" * 10**6 if name == "toy_large" else "")
            wheel.writestr(f"{name}-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
            wheel.writestr(
                f"{name}-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            wheel.writestr(f"{name}-1.dist-info/RECORD", "")
    return folder


def project(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "pi").mkdir(exist_ok=True)
    shutil.copy(ROOT / "pi/outside.py", folder / "pi")
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Path:
    """The project, set up once for all workers, in a folder that a shell and an old locale might trip over. The first
    try is cut."""
    base = tmp_path_factory.getbasetemp()
    at = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = at / "once" / "für uns, 2"
    with (at / "once.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / READY).exists():
            cut(project(folder), packages, signal.SIGKILL)
            run = made(folder, packages, "python", READY)
            assert not run.returncode, run.stdout + run.stderr
            assert run.stdout.splitlines()[0] == "Setting up .venv: 2 packages, once, in a minute or two ..."
            assert "  1 of 2: toy_one, from this computer" in run.stdout
    return folder


@pytest.fixture
def whole(once: Path, tmp_path: Path) -> Path:
    """The same, moved here: with nothing left where it came from."""
    shutil.copytree(once, tmp_path / "whole one", symlinks=True)
    return tmp_path / "whole one"


READY = ".venv/bin/.ready"


def environment(packages: Path | None, **env: str) -> dict[str, str]:
    """What a shell would give, with packages from that folder, or from a network that is not there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "PIP_", "PYTHON"))}
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:1/simple", "PIP_CONFIG_FILE": os.devnull}
    return kept | ({"PIP_FIND_LINKS": str(packages), "PIP_NO_INDEX": "1"} if packages else nowhere) | env


def started(
    folder: Path, packages: Path | None, *words: str, before: Callable[[], object] | None = None, **env: str
) -> subprocess.Popen[str]:
    """`make`, as a group of processes: Ctrl-C reaches all of them."""
    given = [f"PYTHON={sys._base_executable}"] if not any(word.startswith("PYTHON=") for word in words) else []  # type: ignore[attr-defined]
    return subprocess.Popen(
        ["make", *given, *words], cwd=folder, env=environment(packages, **env), text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before,  # noqa: PLW1509 - there are no threads
    )  # fmt: skip


def made(
    folder: Path, packages: Path | None, *words: str, before: Callable[[], object] | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    process = started(folder, packages, *words, before=before, **env)
    out, err = process.communicate()
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def works(folder: Path) -> bool:
    """The program runs by its script and by the Python beside it, and nothing half is left."""
    home = folder / ".venv/bin"
    for words, says in (
        (["tabularium", "on"], "at the table on\n"),
        (["pip", "--version"], str(folder)),
        (["python", "-c", "import toy_alone as it; print(it.__file__)"], str(folder)),
    ):
        run = subprocess.run([home / words[0], *words[1:]], check=False, capture_output=True, text=True, cwd="/")
        assert says in run.stdout, run.stdout + run.stderr
    return not [*folder.glob(".venv.*")]


# -- cut at any moment -------------------------------------------------------------------------------------------------


def changed(folder: Path) -> None:
    """An update asks for something else."""
    os.utime(folder / "constraints.txt")


def cut(folder: Path, packages: Path, number: signal.Signals) -> None:
    """A first run that is cut while pip comes. An earlier version had left half an environment: it knew no sign but
    .venv/bin/python, and said "No module named pip" for ever."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    process = started(folder, packages, "python", READY)
    while not (folder / ".venv.next/pyvenv.cfg").exists():
        assert process.poll() is None, process.communicate()
    os.killpg(process.pid, number)
    process.communicate()
    assert process.returncode and not (folder / READY).exists()


def test_a_first_run_that_is_cut_while_pip_comes_is_begun_again(once: Path) -> None:
    assert works(once)


@pytest.mark.skipif(not EVERYTHING, reason="sets up a toy once more: make soak")
def test_a_first_run_ended_by_ctrl_c_is_begun_again(tmp_path: Path, packages: Path) -> None:
    cut(project(tmp_path), packages, signal.SIGINT)
    run = made(tmp_path, packages, "python", READY)
    assert not run.returncode and works(tmp_path), run.stderr


@pytest.mark.parametrize(("where", "how"), CUTS[: times(1, 4)])
def test_an_update_that_is_cut_leaves_the_one_before(whole: Path, packages: Path, where: str, how: str) -> None:
    changed(whole)
    (whole / where).write_text(how)
    assert made(whole, packages, "python", READY).returncode
    (whole / where).write_text("")
    assert (whole / READY).exists() and subprocess.run([whole / ".venv/bin/tabularium"], check=False).returncode == 0
    run = made(whole, packages, "python", READY)
    assert not run.returncode and works(whole), run.stderr


def full() -> None:
    """Larger files are refused, as by a disk that has no more room."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000,) * 2)


def test_a_disk_that_takes_no_more_leaves_the_one_before_and_says_why(whole: Path, packages: Path) -> None:
    (whole / "pyproject.toml").write_text(PYPROJECT.replace('["toy-one"]', '["toy-one", "toy-large"]'))
    run = made(whole, packages, "python", READY, before=full)
    assert run.returncode and "File too large" in run.stderr and "Traceback" not in run.stderr
    assert not made(whole, packages, "python", READY).returncode and works(whole)


def test_a_disk_that_is_full_at_the_first_run_is_named(tmp_path: Path, packages: Path) -> None:
    """Python's venv says no more than that ensurepip has failed."""
    folder = project(tmp_path)
    run = made(folder, packages, "python", READY, before=full)
    assert run.returncode and "File too large" in run.stderr and "Traceback" not in run.stderr
    assert not [*folder.glob(".venv*")]


@pytest.mark.parametrize("whole_one", [".venv.next", ".venv.old"])
def test_the_plug_pulled_between_two_names(whole: Path, packages: Path, whole_one: str) -> None:
    """The one before has another name already, and the new one not yet its own."""
    (whole / ".venv/micropython").mkdir()
    shutil.copytree(whole / ".venv", whole / ".venv.next", symlinks=True)
    (whole / ".venv").rename(whole / ".venv.old")
    if whole_one == ".venv.old":
        (whole / ".venv.next" / "bin/.ready").unlink()
    assert not made(whole, packages, "python", READY).returncode and works(whole)
    assert (whole / ".venv/micropython").exists(), "what has nothing to do with it stays"


def test_ctrl_c_while_the_python_is_asked_is_no_wrong_python(tmp_path: Path) -> None:
    python = script(tmp_path / "python", f"exec {sys.executable} -c '{STOP}'")
    run = made(project(tmp_path), None, f"PYTHON={python}", "python")
    assert run.returncode and "3.11 to 3.13" not in run.stdout


def test_micropython_that_is_cut_is_fetched_again(tmp_path: Path) -> None:
    folder = project(tmp_path / "project")
    (folder / READY).parent.mkdir(parents=True)
    (folder / READY).touch()
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    script(tmp_path / "bin/npm", "kill -INT 0; sleep 600")
    assert made(folder, None, ".venv/micropython", PATH=path).returncode
    assert not (folder / ".venv/micropython").exists()
    script(tmp_path / "bin/npm", 'while [ "$1" != --prefix ]; do shift; done; touch "$2/it"')
    assert not made(folder, None, ".venv/micropython", PATH=path).returncode
    assert [path.name for path in (folder / ".venv/micropython").iterdir()] == ["it"]


@pytest.mark.skipif(not EVERYTHING, reason="sets up a toy once more: make soak")
def test_two_at_once_come_one_after_the_other(whole: Path, packages: Path) -> None:
    changed(whole)
    both = [started(whole, packages, "python", READY) for _ in range(2)]
    said = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert works(whole)


# -- moved, replaced, without a network --------------------------------------------------------------------------------


def test_a_folder_that_was_moved_works_at_once_and_needs_no_network(whole: Path) -> None:
    assert works(whole), "scripts find the Python beside them"
    (whole / ".venv/bin/.dev").touch()
    run = made(whole, None, "python", READY)
    assert not run.returncode and "moved" in run.stdout and works(whole)
    assert f"{whole}/.venv" in (whole / ".venv/bin/activate").read_text() and (whole / ".venv/bin/.dev").exists()
    assert made(whole, None, "-s", "python", READY).stdout == ""


def test_an_environment_of_an_earlier_version_is_mended_after_a_move(whole: Path) -> None:
    """Its scripts name the Python of the place it was made in, and so does the link to the folder."""
    was = "/home/anna/with a space"
    (whole / READY).write_text(f"{was} {sys.version_info[0]} {sys.version_info[1]}\n")
    script = whole / ".venv/bin/tabularium"
    body = script.read_bytes().split(b"\n", 3)[3]
    script.write_bytes(b"#!/home/anna/.venv/bin/python3\n" + body)
    pip = whole / ".venv/bin/pip"
    pip.write_bytes(
        pip.read_bytes().replace(
            pip.read_bytes().split(b"\n")[1], f'\'\'\'exec\' "{was}/.venv/bin/python" "$0" "$@"'.encode()
        )
    )
    (link,) = whole.glob(".venv/lib/python3*/site-packages/*tabularium*.pth")
    link.write_text(was)
    assert not made(whole, None, "python", READY).returncode and works(whole)


def test_a_python_that_was_replaced_is_kept_until_another_stands(whole: Path, packages: Path) -> None:
    (whole / READY).write_text(f"{whole} 3 10\n")
    os.utime(whole / READY)
    run = made(whole, packages, "python", READY, before=full)
    assert run.returncode and "replaced" in run.stdout
    assert (whole / ".venv/bin/python").exists()
    if not EVERYTHING:  # a first run makes it anew, too
        return
    python = whole / ".venv/bin/python3"
    python.unlink()
    python.symlink_to("/usr/bin/python3.none")
    assert not made(whole, packages, "python", READY).returncode and works(whole)


def test_without_a_network_it_goes_on_with_what_is_there_or_says_so_in_a_sentence(whole: Path) -> None:
    (whole / "pyproject.toml").write_text(PYPROJECT.replace("requires = []", 'requires = ["nothing-of-the-kind"]'))
    run = made(whole, None, "python", READY)
    assert not run.returncode and "There is no network: going on with what is installed, which will do." in run.stdout
    assert works(whole)
    (whole / "pyproject.toml").write_text(PYPROJECT.replace('["toy-one"]', '["toy-one", "toy-two"]'))
    run = made(whole, None, "python", READY)
    said = [line for line in (run.stdout + run.stderr).splitlines() if "network" in line]
    assert run.returncode and len(said) == 1 and "packages are missing" in said[0] and works(whole)


def test_what_pip_says_is_shown_where_it_is_not_the_network(whole: Path, packages: Path) -> None:
    (whole / "pyproject.toml").write_text(PYPROJECT.replace('["toy-one"]', '["toy-one", "toy-two"]'))
    run = made(whole, packages, "python", READY)
    assert run.returncode and "No matching distribution found for toy-two" in run.stderr and works(whole)
    (whole / "cut.py").write_text("raise SystemExit('Failed to write executable')")  # as on a full disk
    run = made(whole, packages, "python", READY)
    assert run.returncode and "Failed to write executable" in run.stderr and works(whole)


def test_what_tests_need_comes_beside_it(whole: Path, packages: Path) -> None:
    run = made(whole, packages, ".venv/bin/.dev")
    assert not run.returncode and "Installing what tests need: 1 packages" in run.stdout and works(whole)
    assert made(whole, None, READY, ".venv/bin/.dev").stdout.count("is up to date") == 2
    subprocess.run([whole / ".venv/bin/python", "-c", "import toy_dev"], check=True)


# -- other people's settings -------------------------------------------------------------------------------------------


@pytest.fixture
def hostile(tmp_path: Path) -> dict[str, str]:
    """Settings that are meant for other programs, all at once."""
    foreign = tmp_path / "foreign"
    (foreign / "companion").mkdir(parents=True)
    (foreign / "companion/__init__.py").write_text("raise SystemExit('not this one')")
    (foreign / "sitecustomize.py").write_text("raise SystemExit('not this one either')")
    (tmp_path / "pip.conf").write_text(
        "[global]\nuser = true\nrequire-hashes = true\nno-cache-dir = true\n[install]\nno-deps = true\ntarget = /nowhere\n"
    )
    return {
        "PIP_CONFIG_FILE": str(tmp_path / "pip.conf"), "PIP_TARGET": str(foreign), "PIP_PREFIX": str(foreign),
        "PIP_USER": "1", "PIP_REQUIRE_HASHES": "1", "PIP_ONLY_BINARY": ":none:", "PIP_DRY_RUN": "1", "PIP_QUIET": "3",
        "PIP_REQUIRE_VIRTUALENV": "1", "PIP_CONSTRAINT": str(tmp_path / "none"), "PIP_PYTHON": "/nowhere/python",
        "PYTHONPATH": str(foreign), "PYTHONHOME": str(foreign), "PYTHONSTARTUP": str(foreign / "sitecustomize.py"),
        "PYTHONUSERBASE": str(foreign), "PYTHONWARNINGS": "error", "PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "ascii",
        "VIRTUAL_ENV": str(foreign), "CONDA_PREFIX": str(foreign), "GIT_DIR": str(foreign), "GIT_INDEX_FILE": "none",
        "MAKEFLAGS": "-j4", "ARGS": "--nonsense", "BIN": "elsewhere", "PIP": "false",
    }  # fmt: skip


LOCALES = {
    "none": {"LC_ALL": "C"},
    "not generated": {"LANG": "de_DE.UTF-8"},
    "not UTF-8": {"PYTHONUTF8": "0", "LC_ALL": "POSIX"},
}


@pytest.mark.parametrize("locale", [*LOCALES][: times(1, 3)])
def test_settings_of_other_programs_stay_outside(
    once: Path, tmp_path: Path, packages: Path, hostile: dict[str, str], locale: str
) -> None:
    folder = tmp_path / "für uns, 2"
    shutil.copytree(once, folder, symlinks=True)
    env: Any = dict.fromkeys(("LC_ALL", "LANG", "LC_CTYPE"), "") | hostile | LOCALES[locale]
    env["PATH"] = os.environ["PATH"]
    changed(folder)
    run = made(folder, packages, "python", READY, before=lambda: os.umask(0o077), **env)
    assert not run.returncode and works(folder), run.stdout + run.stderr
    assert sorted(path.name for path in (tmp_path / "foreign").rglob("*")) == [
        "__init__.py",
        "companion",
        "sitecustomize.py",
    ]
    run = made(folder, None, "-s", "-o", "setup", "run", **env)
    assert run.stdout == "at the table\n", run.stderr
    alone = subprocess.run([folder / ".venv/bin/tabularium"], check=False, capture_output=True, text=True, env=env)
    assert alone.stdout == "at the table\n", alone.stderr


@pytest.mark.skipif(not EVERYTHING, reason="sets up a toy once more: make soak")
def test_where_packages_come_from_may_be_said_in_pip_conf_and_what_is_broken_there_is_not_ours(
    whole: Path, packages: Path, tmp_path: Path
) -> None:
    conf = tmp_path / "pip.conf"
    conf.write_text(
        f"[global]\nno-index = true\nfind-links =\n    {tmp_path}\n    {packages}\n[install]\nuser = true\n"
    )
    (whole / "pyproject.toml").write_text(PYPROJECT.replace('["toy-one"]', '["toy-one", "toy-dev"]'))
    run = made(whole, None, "python", READY, PIP_CONFIG_FILE=str(conf), PIP_INDEX_URL="")
    assert not run.returncode and works(whole), run.stderr
    subprocess.run([whole / ".venv/bin/python", "-c", "import toy_dev"], check=True)
    conf.write_text("this is no configuration")
    changed(whole)
    assert not made(whole, packages, "python", READY, PIP_CONFIG_FILE=str(conf)).returncode and works(whole)


@pytest.mark.skipif(not EVERYTHING, reason="sets up a toy once more: make soak")
@pytest.mark.parametrize("home", ["not there", "none", "no folder"][: times(1, 3)])
def test_a_home_that_is_not_there_stops_nothing(whole: Path, packages: Path, tmp_path: Path, home: str) -> None:
    (tmp_path / "file").touch()
    at = {"none": "", "not there": str(tmp_path / "away"), "no folder": str(tmp_path / "file")}[home]
    changed(whole)
    run = made(whole, packages, "python", READY, HOME=at, XDG_CACHE_HOME="", XDG_CONFIG_HOME="")
    assert not run.returncode and works(whole), run.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize("left", [".venv/bin/.ready", ".venv.old/file"])
def test_what_root_left_is_named_with_what_to_do(left: str) -> None:
    """After `sudo make run`, a second set-up ended with "Directory not empty"."""
    with tempfile.TemporaryDirectory(dir="/tmp") as at:
        folder = project(Path(at) / "project")
        for path in (Path(at), *Path(at).rglob("*")):
            os.chown(path, 54321, 54321)
        (folder / ".venv").mkdir()
        (folder / left).parent.mkdir(exist_ok=True)
        (folder / left).touch(mode=0o600)
        run = made(folder, None, f"PYTHON={_everybodys()}", "python", READY, before=_somebody, HOME="/", TMPDIR=at)
        gone = folder / Path(left).parts[0]
        assert run.returncode and f"must go first: sudo rm -rf {gone}\n" in run.stderr, run.stderr


def _somebody() -> None:
    os.setgroups([])
    os.setgid(54321)
    os.setuid(54321)


def _everybodys() -> str:
    """The Python that every user may run."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    return python or pytest.skip("no Python that every user may run")


@pytest.mark.skipif(not EVERYTHING or os.geteuid() != 0, reason="only root can be somebody else")
def test_a_user_whom_the_system_does_not_know_can_set_it_up(once: Path, packages: Path) -> None:
    """In a container; folders above may be closed to this one, so it works in a folder of /tmp."""
    with tempfile.TemporaryDirectory(dir="/tmp") as at:
        folder = Path(at) / "project"
        shutil.copytree(once, folder, symlinks=True)
        shutil.copytree(packages, Path(at) / "packages")
        for path in (Path(at), *Path(at).rglob("*")):
            os.chown(path, 54321, 54321, follow_symlinks=False)
        changed(folder)
        shutil.rmtree(folder / ".venv")
        run = made(
            folder,
            Path(at) / "packages",
            f"PYTHON={_everybodys()}",
            "python",
            READY,
            before=_somebody,
            HOME="/",
            TMPDIR=at,
        )
        assert not run.returncode and works(folder), run.stdout + run.stderr


# -- which Python ------------------------------------------------------------------------------------------------------


def test_a_variable_for_other_programs_does_not_name_the_python(tmp_path: Path) -> None:
    """npm and others read one that is called PYTHON."""
    env = environment(None, PYTHON="/nowhere/python2")
    said = subprocess.run(
        ["make", "-n", "python"], check=True, capture_output=True, text=True, cwd=project(tmp_path), env=env
    )
    assert "nowhere" not in said.stdout


def script(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("version", ["3, 10", "3, 14"])
def test_another_python_is_refused_before_anything_is_installed(tmp_path: Path, version: str) -> None:
    text = f"""[ "$1" = -V ] && exec echo "Python {version.replace(", ", ".")}.1"
shift; exec {sys.executable} - "$@" <<'END'
import sys
sys.version_info = ({version}, 1)
exec(sys.argv[2])
END"""
    run = made(project(tmp_path), None, f"PYTHON={script(tmp_path / 'python', text)}", "python")
    assert run.returncode and not (tmp_path / ".venv").exists()
    (said,) = [line for line in run.stdout.splitlines() if line]
    assert "3.11 to 3.13" in said and f"Python {version.replace(', ', '.')}.1" in said and "PYTHON=" in said


def test_a_python_that_is_not_installed_is_named(tmp_path: Path) -> None:
    run = made(project(tmp_path), None, "PYTHON=python3.99", "python")
    (said,) = [line for line in run.stdout.splitlines() if line]
    assert run.returncode and "python3.99 is not installed" in said and "3.11 to 3.13" in said


def test_apts_own_words_are_shown_where_it_fails(tmp_path: Path) -> None:
    """It installs for root alone."""
    folder = project(tmp_path / "project")
    script(tmp_path / "bin/id", "echo 0")
    script(tmp_path / "bin/apt-get", "echo Get:1 http://host libgl1; echo 'E: Could not get lock' >&2; exit 100")
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    bare = f'case "$*" in *ctypes*|*ensurepip*) exit 1;; esac; exec {sys.executable} "$@"'
    run = made(folder, None, f"PYTHON={script(tmp_path / 'bin/python', bare)}", "system", PATH=path)
    assert run.returncode and "E: Could not get lock" in run.stderr, run
    assert "Please install first: sudo apt-get install -y python3-venv libgl1 " in run.stdout


def test_the_table_needs_nothing_that_only_tests_need() -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    planned = subprocess.run(
        ["make", "-n", "-B", "run"], check=True, capture_output=True, text=True, cwd=ROOT, env=env
    ).stdout
    for only_tests in ("environment.py dev", "micropython", "chromium", "mosquitto", "systemd"):
        assert only_tests not in planned, only_tests


# -- line ends ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def checked_out(tmp_path: Path) -> Iterator[Path]:
    """The files that decide, checked out by a git that is set to write line ends as Windows has them."""
    here = tmp_path / "origin"
    here.mkdir()
    for name in (".gitattributes", "Makefile", "install", ".ci/run", "pi/files/tabularium", "docs/table.png"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, here / name)
    who = [word for of in ("name", "email") for word in ("-c", f"user.{of}=anna@example.org")]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    for words in (
        ["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "all"],
        ["-c", "core.autocrlf=true", "clone", "-q", ".", str(tmp_path / "clone")],
    ):  # fmt: skip
        subprocess.run(["git", *words], check=True, cwd=here, env=env)
    yield tmp_path / "clone"


@pytest.mark.skipif(not shutil.which("git"), reason="no git")
def test_a_checkout_has_the_line_ends_that_shells_and_make_read(checked_out: Path) -> None:
    for path in checked_out.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            name = path.relative_to(checked_out)
            assert path.read_bytes() == (ROOT / name).read_bytes(), name
