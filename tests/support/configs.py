"""config.yaml from text, and the mistakes in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.hardware import settings as config
from companion.hardware.settings import ConfigError, Settings
from drivers.kinds import KINDS


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a config.yaml in a new working directory; mistakes are reported with the path as it was given."""
    monkeypatch.chdir(tmp_path)
    return Path("config.yaml")


def load(path: Path) -> Settings:
    return config.load(path, KINDS)


def mistakes(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert str(caught.value) == "\n".join(caught.value.lines)
    return [line.removeprefix(f"{path}:") for line in caught.value.lines]
