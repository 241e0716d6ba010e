"""The doctor on a Pi where the program was installed: what is sound, and what mends the rest. On a laptop: nothing."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.hardware.doctor import Finding, worst
from companion.hardware.doctor.hall import wireless
from companion.hardware.doctor.installation import AGAIN, installation
from drivers.installed import FILES, PROGRAM, UNIT, WANTED, asleep, installed
from tests.support.paths import ROOT

CONFIG = "boot/firmware/config.txt"
BLANK = "sys/module/kernel/parameters/consoleblank"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """An installation as files."""
    for name, place in FILES.items():
        text = (ROOT / "pi/files" / name).read_text(encoding="utf-8")
        write(tmp_path, f"opt/tabularium/1.0/pi/files/{name}", text)
        write(tmp_path, place, text)
    (tmp_path / PROGRAM).symlink_to("1.0")
    (tmp_path / WANTED).parent.mkdir(parents=True)
    (tmp_path / WANTED).symlink_to(f"/{UNIT}")
    groups = ("spi", "gpio", "dialout", "video", "render", "input", "audio")
    write(tmp_path, "etc/group", "".join(f"{group}:x:1:maker,tabularium\n" for group in groups))
    write(tmp_path, CONFIG, "dtparam=spi=on\n")
    write(tmp_path, BLANK, "0\n")
    write(tmp_path, THROTTLED, "0\n")
    return tmp_path


def service(state: str, restarts: str = "0", status: str = "no game is being played") -> str:
    """What systemctl shows of the service."""
    return f"ActiveState={state}\nNRestarts={restarts}\nStatusText={status}\n"


def said(**answers: str) -> Callable[..., str]:
    """What systemctl and vcgencmd answer, by the word after their names."""
    usual = {"show": service("active"), "get_throttled": "throttled=0x0"} | answers
    return lambda *words: usual[words[1].replace("-", "_")]


def findings(root: Path, asked: Callable[..., str] | None = None) -> list[Finding]:
    seen = installed(root, ["dtparam=spi=on"], asked or said())
    assert seen
    return list(installation(seen))


def test_a_laptop_has_none(tmp_path: Path) -> None:
    assert installed(tmp_path, ["dtparam=spi=on"], said()) is None


def test_a_sound_installation_is_sound(pi: Path) -> None:
    found = findings(pi)
    assert worst(found) == "pass"
    assert [(finding.part, finding.what) for finding in found] == [
        ("installation", "Tabularium 1.0"),
        ("service", "The table is running"),
    ]


@contextmanager
def anybody(root: Path) -> Iterator[None]:
    """Looks as somebody who is not root, to whom everything on the way to `root` is open."""
    if os.geteuid():
        yield
        return
    passed = {path: path.stat().st_mode for path in (root, *root.parents) if path.stat().st_mode & 0o11 != 0o11}
    for path, mode in passed.items():
        path.chmod(mode | 0o11)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        for path, mode in passed.items():
            path.chmod(mode)


def test_what_may_not_be_looked_at_is_not_called_missing(pi: Path) -> None:
    """Only root reads polkit's rules: the doctor that anybody asks says nothing of them."""
    rules = pi / "etc/polkit-1/rules.d"
    rules.chmod(0o700 if os.geteuid() == 0 else 0)
    try:
        with anybody(pi):
            with pytest.raises(PermissionError):
                (rules / "50-tabularium-power.rules").read_text(encoding="utf-8")
            assert worst(findings(pi)) == "pass"
    finally:
        rules.chmod(0o755)


@pytest.mark.parametrize(
    ("path", "text", "part", "verdict", "words", "mends"),
    [
        (UNIT, None, "installation", "warn", "/etc/systemd/system/tabularium.service", AGAIN),
        ("usr/local/bin/tabularium", "#!/bin/sh\n", "installation", "warn", "/usr/local/bin/tabularium", AGAIN),
        ("etc/group", "spi:x:1:tabularium\n", "groups", "fail", "gpio, dialout, video", AGAIN),
        (CONFIG, "#dtparam=spi=on\n", "boot", "fail", "dtparam=spi=on", "then restart the Pi"),
        (WANTED, None, "service", "warn", "does not start with the Pi", "systemctl enable tabularium"),
        (BLANK, "600\n", "blanking", "warn", "after 600 s", "raspi-config nonint do_blanking 1"),
        (THROTTLED, "80000\n", "speed", "warn", "too hot", "cooler"),
        (THROTTLED, "20000\n", "speed", "warn", "slowed down", "power supply"),
    ],
)
def test_whatever_is_wrong_is_named_with_what_mends_it(
    pi: Path, path: str, text: str | None, *, part: str, verdict: str, words: str, mends: str
) -> None:
    (pi / path).unlink()
    if text is not None:
        write(pi, path, text)
    (found,) = (finding for finding in findings(pi) if finding.verdict != "pass")
    assert (found.part, found.verdict) == (part, verdict)
    assert words in found.what and mends in found.next


@pytest.mark.parametrize(
    ("asked", "verdict", "words"),
    [
        (said(show=service("failed")), "fail", "has failed"),
        (said(show=service("active", "3")), "warn", "since the Pi started: 3"),
        (said(show=service("inactive")), "pass", "starts with the Pi"),
        (said(show=""), "pass", "starts with the Pi"),
        (said(show=service("active", status="waiting for a display")), "warn", "waits for a display"),
    ],
)
def test_the_service(pi: Path, asked: Callable[..., str], verdict: str, words: str) -> None:
    (found,) = (finding for finding in findings(pi, asked) if finding.part == "service")
    assert found.verdict == verdict and words in found.what
    assert verdict == "pass" or ("comes up by itself" if "display" in words else "journalctl") in str(found.next)


def test_where_the_kernel_does_not_tell_the_firmwares_own_tool_is_asked(pi: Path) -> None:
    (pi / THROTTLED).unlink()
    hot = findings(pi, said(get_throttled="throttled=0x80008"))
    assert [finding.part for finding in hot if finding.verdict == "warn"] == ["speed"]


@pytest.mark.parametrize(("answer", "warned"), [("Power save: on", 1), ("Power save: off", 0), ("", 0)])
def test_wifi_that_saves_power_is_named_where_a_table_has_a_hall(tmp_path: Path, answer: str, warned: int) -> None:
    assert not asleep(tmp_path, lambda *_: answer), "no Wi-Fi"
    (tmp_path / "sys/class/net/wlan0/wireless").mkdir(parents=True)
    found = list(wireless(asleep(tmp_path, lambda *words: answer if "wlan0" in words else "")))
    assert len(found) == warned and all("wifi.powersave 2" in finding.next for finding in found)
