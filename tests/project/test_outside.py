"""What is set for other programs: it stays outside the installer, and where packages come from is still heard."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pi.outside import clean
from tests.support.paths import ROOT

SYSTEM = Path("/usr/bin/python3")
TOO_OLD = (
    SYSTEM.exists()
    and subprocess.run([SYSTEM, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"], check=False).returncode
)


@pytest.mark.skipif(not SYSTEM.exists() or bool(TOO_OLD), reason="no Debian's Python")
@pytest.mark.parametrize("command", [[str(ROOT / "install")], [sys.executable, str(ROOT / "install")]])
def test_the_installer_begins_whatever_is_set_for_other_pythons(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "pi").mkdir()
    (tmp_path / "pi/__init__.py").write_text("raise SystemExit('not this one')")
    env = os.environ | {
        "PYTHONPATH": str(tmp_path), "PYTHONUSERBASE": str(tmp_path), "PYTHONWARNINGS": "error", "PYTHONOPTIMIZE": "2",
        "VIRTUAL_ENV": str(tmp_path), "PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "GIT_DIR": str(tmp_path),
        "LC_ALL": "C", "PIP_USER": "1",
    }  # fmt: skip
    if command[0] != sys.executable:  # with this, a Python that is not isolated does not begin at all
        env["PYTHONHOME"] = str(tmp_path)
    run = subprocess.run([*command, "--dry-run"], check=False, capture_output=True, text=True, env=env, cwd=tmp_path)
    assert run.returncode == 0 and run.stdout.endswith("Nothing was changed.\n"), run.stdout + run.stderr


def test_of_pips_settings_only_those_are_heard_that_say_where_packages_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip reads them: files of the system, then of the user, then variables."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder, text in {
        "etc": "[global]\nproxy = http://proxy:3128\nindex-url = https://one/simple\nuser = true\n",
        ".pip": "[install]\nindex-url = https://two/simple\ntarget = /nowhere\n",
        ".config/pip": "[global]\nextra-index-url =\n    https://three/simple\n    https://four/simple\n",
    }.items():
        at = tmp_path / (f"{folder}/pip" if folder == "etc" else folder)
        at.mkdir(parents=True)
        (at / "pip.conf").write_text(text)
    env = {
        "XDG_CONFIG_DIRS": str(tmp_path / "etc"), "PIP_CERT": "/ours.pem", "PIP_PREFIX": "/nowhere", "PIP_NO_INDEX": "1",
        "PIP_DEFAULT_TIMEOUT": "60", "HOME": str(tmp_path), "PATH": "/venv/bin:/usr/bin", "VIRTUAL_ENV": "/venv",
        "PYTHONHOME": "/nowhere", "GIT_DIR": "/nowhere", "GIT_SSL_CAINFO": "/ours.pem",
    }  # fmt: skip
    heard = clean(env)
    assert {name: value for name, value in heard.items() if name.startswith("PIP_")} == {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_PROXY": "http://proxy:3128",
        "PIP_INDEX_URL": "https://two/simple",
        "PIP_EXTRA_INDEX_URL": "https://three/simple https://four/simple",
        "PIP_CERT": "/ours.pem",
        "PIP_TIMEOUT": "60",
    }
    assert heard["PATH"] == "/usr/bin" and heard["GIT_SSL_CAINFO"] == "/ours.pem"
    assert not {"PYTHONHOME", "GIT_DIR", "VIRTUAL_ENV"} & heard.keys()
    (tmp_path / "own.conf").write_text("[global]\nfind-links = /wheels\nno-index = yes\n")
    assert clean(env | {"PIP_CONFIG_FILE": str(tmp_path / "own.conf")})["PIP_NO_INDEX"] == "1"
    assert "PIP_PROXY" not in clean(env | {"PIP_CONFIG_FILE": os.devnull})
    (tmp_path / "own.conf").write_text("this is no configuration")
    assert clean(env | {"PIP_CONFIG_FILE": str(tmp_path / "own.conf")})["PIP_CERT"] == "/ours.pem"


def test_a_user_whom_the_system_does_not_know_sets_up_a_hall(tmp_path: Path) -> None:
    """In a container: there is a number, and no name."""
    code = "import pwd, sys; pwd.getpwuid = {}.__getitem__; from companion.cli import main; sys.exit(main())"
    env = {name: value for name, value in os.environ.items() if name not in ("LOGNAME", "USER", "LNAME", "USERNAME")}
    words = ("hall", "setup", "--hall", "friday", "--tables", "1-2")
    run = subprocess.run(
        [sys.executable, "-c", code, *words], check=False, capture_output=True, text=True, cwd=ROOT,
        env=env | {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    (conf,) = tmp_path.rglob("mosquitto.conf")
    assert f"user {os.getuid()}\n" in conf.read_text()
