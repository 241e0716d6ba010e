"""What the computer says when it cannot be switched off."""

import errno
import os
from pathlib import Path

import pytest

from companion.rules.message import Message, system_error
from companion.rules.words import message
from drivers.power import asking


@pytest.mark.parametrize(("lang", "said"), [("en", "No such file or directory"), ("de", "Datei oder Ordner")])
def test_a_manager_that_is_not_there_is_told_in_the_players_language(lang: str, said: str, tmp_path: Path) -> None:
    refused = asking("poweroff", str(tmp_path / "systemctl"))()
    assert said in message(refused, lang) and "systemctl" in refused


def test_a_manager_that_does_not_answer_is_no_consent(tmp_path: Path) -> None:
    silent = tmp_path / "systemctl"
    silent.write_text("#!/bin/sh\nexec sleep 60\n", encoding="ascii")
    silent.chmod(0o755)
    assert "has not answered" in asking("poweroff", str(silent), seconds=0.2)()


def test_a_fault_without_a_translation_is_told_by_its_name() -> None:
    assert system_error(OSError(errno.EMFILE, os.strerror(errno.EMFILE), "/dev/x")) == "EMFILE"
    assert system_error(OSError(Message("{port} is in use", port="x"))) == "x is in use"
