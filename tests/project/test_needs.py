"""What only tests need: named before it is installed, left off, and counted when it is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools.needs import TOOLS, apart, needs

pytest_plugins = ["pytester"]


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def installed(folder: Path, apt: str, *tools: str) -> subprocess.CompletedProcess[str]:
    """`make tools` where nothing is installed, and apt-get is this script: as root, with a /usr/sbin and a /run of its
    own."""
    needs("namespaces")
    script(folder / "bin/apt-get", apt)
    script(folder / "bin/deb-systemd-helper", f'echo "$@" >>{folder}/helper')
    inside = f'mount -t tmpfs none /usr/sbin; PATH={folder}/bin exec {sys.executable} {ROOT}/tools/needs.py "$@"'
    words = [*apart("--mount"), "sh", "-c", inside, "sh", *tools]
    return subprocess.run(words, check=False, capture_output=True, text=True)


SUMMARY = """
case "$*" in
*--assume-no*) echo "2 upgraded, 147 newly installed, 0 to remove and 0 not upgraded."
  echo "Need to get 101 MB of archives."
  echo "After this operation, 512 MB of additional disk space will be used."; exit 1;;
*) /bin/cat /usr/sbin/policy-rc.d >FOLDER/policy; echo "Get:1 here mosquitto [7 kB]";;
esac
"""


def test_what_will_be_installed_is_said_before_and_its_services_stay_off(tmp_path: Path) -> None:
    run = installed(tmp_path, SUMMARY.replace("FOLDER", str(tmp_path)), "mosquitto", "pcscd")
    first, *rest = run.stdout.splitlines()
    assert (
        "147 packages and newer versions of 2 (101 MB to fetch, 512 MB on disk)" in first
        and "mosquitto and pcscd stay off" in first
    )
    assert rest == ["  1: here mosquitto [7 kB]"]
    assert "exit 101" in (tmp_path / "policy").read_text()
    assert (tmp_path / "helper").read_text().splitlines() == [
        "disable mosquitto.service", "disable pcscd.service", "disable pcscd.socket"
    ]  # fmt: skip


def test_a_service_that_somebody_uses_is_left_alone(tmp_path: Path) -> None:
    """mosquitto is there already; only the tool that is missing is installed."""
    script(tmp_path / "bin/mosquitto", "")
    run = installed(tmp_path, SUMMARY.replace("FOLDER", str(tmp_path)), "mosquitto", "shellcheck")
    assert "installs shellcheck: " in run.stdout and "stay off" not in run.stdout
    assert not (tmp_path / "helper").exists()


def test_what_apt_cannot_do_it_says_in_its_own_words(tmp_path: Path) -> None:
    run = installed(tmp_path, 'echo "E: Temporary failure resolving"; exit 100', "npm")
    assert run.stderr.splitlines() == ["E: Temporary failure resolving"]
    assert (
        run.stdout.splitlines()
        == [
            "The tests that need npm are left out. To have them too: sudo apt-get install -y --no-install-recommends npm"
        ]
        and run.returncode == 0
    )


LEFT_OUT = """
    from tools.needs import TOOLS, Tool, needs
    TOOLS["abacus"] = Tool(lambda: None, "abacus")
    def test_one(): needs("abacus")
    def test_two(): needs("abacus")
"""


@pytest.mark.parametrize("ci", ["", "true"])
def test_the_end_says_which_tool_would_bring_how_many_tests(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str
) -> None:
    """In CI everything is there, or the tests fail."""
    monkeypatch.setenv("CI", ci)
    pytester.makeconftest("from tests.conftest import pytest_terminal_summary")
    pytester.makepyfile(LEFT_OUT)
    pytester.syspathinsert(ROOT)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=2 if ci else 0, skipped=0 if ci else 2)
    said = "left out: 2 tests (abacus is not installed: sudo apt-get install -y --no-install-recommends abacus)"
    assert (said in result.outlines) is not bool(ci)


def test_every_tool_is_named_with_its_package() -> None:
    assert all(tool.package or name == "namespaces" for name, tool in TOOLS.items())
    assert {"npm", "udev"} <= {tool.package for tool in TOOLS.values()}


def test_make_help_lists_what_can_be_made() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = next(line for line in text.splitlines() if line.startswith(".PHONY:")).split()[1:]
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    said = subprocess.run(["make", "help"], check=True, capture_output=True, text=True, cwd=ROOT, env=env).stdout
    listed = {name: line for line in said.splitlines() for name in line[5:26].split()}
    assert {*targets} - {*listed} == {"python"}, "a comment above it says what it does"
    assert listed["bench"].endswith("Benchmarks, each beside something else measured in the same run.")


def test_benchmarks_take_arguments() -> None:
    planned = subprocess.run(
        ["make", "-n", "-o", "dev", "bench", "ARGS=play"], check=True, capture_output=True, text=True, cwd=ROOT
    ).stdout
    assert planned.endswith("-m benchmarks play\n")
