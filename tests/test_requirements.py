"""What the program asks for: no version that is known not to work on a Pi."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("package", "broken", "works"), [("gpiozero", "2.0.1", "2.0.1.post3")])
def test_versions_that_do_not_work_are_not_admitted(package: str, broken: str, works: str) -> None:
    """gpiozero 2.0.1 does not find the pins of a Pi 5 under its current kernels."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    (wanted,) = [requirement for requirement in map(Requirement, listed) if requirement.name == package]
    assert broken not in wanted.specifier
    assert works in wanted.specifier
    assert f"{package}=={works}" in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
