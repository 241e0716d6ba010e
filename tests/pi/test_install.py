"""The installer in a scratch root: done once, nothing left to do, and all of it taken back."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pi import account, apt, boot, offline, program, service, steps
from pi import main as installer
from pi.machine import NOTES, OURS, Failed, Machine
from tests.support.installing import install
from tests.support.paths import ROOT
from tests.support.scratch_pi import packages, said, scratch
from tools.appliance.installation import accounts, listing

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to another user")
EXAMPLES = ROOT / "firmware_notes/examples"


def uninstall(m: Machine) -> int:
    return installer.main(["--uninstall", "--root", str(m.root)])


def everything(m: Machine) -> tuple[object, ...]:
    return listing(m.root), accounts(m.root), packages(m)


# -- once, twice, and back ---------------------------------------------------------------------------------------------


def test_it_installs_once_and_takes_all_of_it_back(m: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(m)
    assert installer.main(["--root", str(m.root)]) == 0
    assert "Restart the Pi: sudo reboot" in capsys.readouterr().out
    installed = everything(m)
    assert installer.main(["--root", str(m.root)]) == 0
    assert capsys.readouterr().out.endswith("Nothing is left to do.\n")
    assert everything(m) == installed
    this = program.version(ROOT)
    assert m.at(program.CURRENT).readlink() == Path(this)
    assert m.at(service.WANTED).is_symlink()
    assert uninstall(m) == 0
    assert everything(m) == before
    assert uninstall(m) == 0 and capsys.readouterr().out.endswith("Nothing is installed.\n")


def test_a_dry_run_says_it_all_and_changes_nothing(m: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(m)
    assert installer.main(["--dry-run", "--root", str(m.root)]) == 0
    told = capsys.readouterr().out
    assert told.count("  to do: ") == 7 and "Nothing was changed." in told
    for word in (*apt.NEEDED, *account.GROUPS, *service.FILES.values(), "dtparam=spi=on"):
        assert word in told
    install(m)
    installed = everything(m)
    capsys.readouterr()
    assert installer.main(["--uninstall", "--dry-run", "--root", str(m.root)]) == 0
    assert capsys.readouterr().out.count("  to do: ") == 7
    assert everything(m) == installed != before


def test_the_data_and_its_owner_stay_and_config_yaml_comes_back(pi: Machine) -> None:
    config, games = pi.at(f"{account.CONFIG}/config.yaml"), pi.at(f"{account.DATA}/tabularium.sqlite3")
    config.write_text("language: ja\n", encoding="utf-8")
    games.write_text("games", encoding="utf-8")
    before = account.ids(pi, "passwd")[account.USER]
    assert uninstall(pi) == 0
    assert games.exists() and not config.parent.exists()
    assert account.ids(pi, "passwd")[account.USER] == before
    assert not any(account.USER in people for people in account.members(pi).values())
    install(pi)
    assert config.read_text(encoding="utf-8") == "language: ja\n"


def test_config_yaml_is_never_overwritten(pi: Machine) -> None:
    config = pi.at(f"{account.CONFIG}/config.yaml")
    config.write_text("language: ja\n", encoding="utf-8")
    pi.write(f"{account.KEPT}/config.yaml", "language: de\n")
    pi.at(account.DATA).chmod(0o755)
    install(pi)
    assert config.read_text(encoding="utf-8") == "language: ja\n"


def test_whatever_the_umask_says_the_service_can_read_the_program(m: Machine) -> None:
    before = os.umask(0o077)
    try:
        install(m)
    finally:
        os.umask(before)
    home = m.at(f"{OURS}/{program.version(ROOT)}")
    for path in (
        home.parent,
        home,
        home / "ui",
        home / "ui/app.py",
        *(m.at(place) for place in service.FILES.values()),
    ):
        assert path.stat().st_mode & 0o044 == 0o044, path
    assert (home / "install").stat().st_mode & 0o111 == 0o111
    assert m.at(account.DATA).stat().st_mode & 0o077 == 0


def test_only_groups_that_it_made_go_again(pi: Machine) -> None:
    members = account.members(pi)
    assert all(account.USER in members[group] for group in account.GROUPS)
    assert "maker" in members["dialout"]
    uninstall(pi)
    assert set(account.members(pi)) == {"root", "dialout", "audio", "video"}


# -- packages ----------------------------------------------------------------------------------------------------------


def test_a_system_without_raspberry_pis_archive_is_told_so_and_installed(tmp_path: Path) -> None:
    m = scratch(tmp_path, dict.fromkeys((*apt.NEEDED, "python3-spidev"), False))
    lines: list[str] = []
    steps.install(installer.all_steps(m), lines.append)
    assert any("no python3-lgpio, python3-rpi-lgpio" in line and "hubs on USB will" in line for line in lines)
    again: list[str] = []
    assert steps.install(installer.all_steps(m), again.append) == 0
    (packages,) = (line for line in again if "packages from apt" in line)
    there, _, not_there = packages.partition(";")
    assert "already done" in there and "python3-spidev" in there and "lgpio" not in there
    assert "apt has no python3-lgpio" in not_there
    assert any("hubs on USB will" in line for line in again), "and what that means is said each time"


def test_what_is_left_for_a_person_to_do_is_said_each_time(pi: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is "already done" that is not: no boot configuration, a restart still to come, a desktop."""
    assert installer.main(["--root", str(pi.root)]) == 0
    assert boot.AGAIN in capsys.readouterr().out
    pi.at(boot.RESTART).unlink()
    pi.at(service.DESKTOP).parent.mkdir(parents=True, exist_ok=True)
    pi.at(service.DESKTOP).symlink_to("/lib/systemd/system/lightdm.service")
    pi.at(boot.FILE).unlink()
    assert installer.main(["--root", str(pi.root)]) == 0
    told = capsys.readouterr().out
    assert boot.AGAIN not in told and service.HAS_DESKTOP in told
    assert f"there is no {boot.FILE}" in told and f"already: what config.yaml needs, in {boot.FILE}" not in told
    assert "readers on pins need dtparam=spi=on" in told


@pytest.mark.parametrize(
    ("active", "restarts", "status", "state"),
    [
        ("active", "0", "no game is being played", "running"),
        ("active", "0", "starting", "running"),
        ("active", "0", "waiting for a display", "off"),
        ("active", "1", "waiting for a display", "died"),
        ("activating", "0", "", "off"),
        ("inactive", "0", "", "off"),
        ("failed", "0", "", "died"),
    ],
)
def test_a_version_that_waits_for_a_display_has_neither_died_nor_proven_itself(
    active: str, restarts: str, status: str, state: str
) -> None:
    shown = {"ActiveState": active, "NRestarts": restarts, "StatusText": status}
    assert service.judged(shown) == state


def test_without_a_network_it_says_what_to_do_and_goes_on_later(m: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(m)
    broken = m.root.parent / "state/broken"
    broken.touch()
    assert installer.main(["--root", str(m.root)]) == 1
    told = capsys.readouterr().out
    assert "Unable to fetch some archives" in told and "Is the Pi online?" in told
    broken.unlink()
    assert installer.main(["--root", str(m.root)]) == 0
    assert uninstall(m) == 0 and everything(m) == before


def test_a_package_that_something_else_has_come_to_need_stays(pi: Machine) -> None:
    auto = pi.root.parent / "bin/apt-mark"
    auto.write_text(
        auto.read_text(encoding="utf-8") + f"sed -i /^libgl1$/d {pi.root.parent}/state/auto\n", encoding="utf-8"
    )
    uninstall(pi)
    assert packages(pi) == ["libdrm2", "libgl1", "python3-rpi.gpio"]


def test_a_package_may_go_by_another_name(pi: Machine) -> None:
    state = pi.root.parent / "state"
    names = [name for name in packages(pi) if name != "libmtdev1"]
    (state / "installed").write_text("\n".join([*names, "libmtdev1t64", ""]), encoding="utf-8")
    assert apt.missing(pi) == ["libmtdev1"]
    (state / "provides").write_text("libmtdev1 (= 1.1.6-1.2), mtdev\n", encoding="utf-8")
    assert apt.missing(pi) == []


def test_offline_nothing_is_fetched(m: Machine, tmp_path: Path) -> None:
    folder = tmp_path / "brought"
    folder.mkdir()
    for name in (*apt.NEEDED, *apt.HARDWARE):
        (folder / f"{name}.deb").touch()
    install(m, folder)
    asked = said(m)
    assert "update" not in asked and "python3-venv.deb" in asked
    assert asked.count(f"--no-deps --no-index --find-links {folder}") == 1
    assert install(m, folder) == 0


def test_wheels_are_asked_for_that_a_pi_can_use(tmp_path: Path) -> None:
    m = scratch(tmp_path)
    platforms = offline._platforms(offline.GLIBC["3.11"])
    assert platforms[0] == "manylinux_2_36_aarch64" and "manylinux_2_17_aarch64" in platforms
    needed = program.requirements(m.source)
    assert {"Kivy", "mfrc522", "paho-mqtt"} <= {line.partition("==")[0] for line in needed}
    assert set(needed) <= set((ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines())


# -- the boot configuration, by config.yaml ----------------------------------------------------------------------------


def test_the_boot_configuration_follows_config_yaml(pi: Machine) -> None:
    config = pi.at(f"{account.CONFIG}/config.yaml")
    shutil.copy(EXAMPLES / "five-readers.yaml", config)
    lines: list[str] = []
    assert steps.install(installer.all_steps(pi), lines.append) == 1
    assert "dtoverlay=spi1-3cs" in pi.text(boot.FILE) and boot.AGAIN in lines
    assert install(pi) == 0
    shutil.copy(EXAMPLES / "shared-reader.yaml", config)
    assert install(pi) == 1
    assert "dtoverlay=gpio-poweroff,gpiopin=27,active_low=1" in pi.text(boot.FILE)
    assert "spi1" not in pi.text(boot.FILE) and pi.text(boot.FILE).count(boot.BEGIN) == 1


@pytest.mark.parametrize(
    "where", ["readers: {centre: {kind: pn532, port: PORT}}", "hubs: {box: {port: PORT, seats: [centre]}}"]
)
@pytest.mark.parametrize("port", ["/dev/serial0", "/dev/ttyAMA0"])
def test_a_port_on_the_pins_is_switched_on(pi: Machine, where: str, port: str) -> None:
    config = pi.at(f"{account.CONFIG}/config.yaml")
    lacked = ["enable_uart=1", "dtparam=uart0=on"]
    config.write_text(f"hardware: pi\n{where.replace('PORT', port)}\n", encoding="utf-8")
    install(pi)
    assert [line for line in lacked if line in pi.text(boot.FILE)] == lacked
    config.write_text(f"hardware: usb\n{where.replace('PORT', '/dev/serial/by-id/one')}\n", encoding="utf-8")
    install(pi)
    assert not [line for line in lacked if line in pi.text(boot.FILE)]


def test_an_installed_version_installs_itself_again_as_what_it_is(pi: Machine) -> None:
    """With the catalogues that it has compiled and the byte code that it has left."""
    home = pi.at(program.CURRENT).resolve()
    (home / "companion/locale/de/LC_MESSAGES/tabularium.mo").write_bytes(b"compiled here")
    (home / "companion/__pycache__").mkdir(exist_ok=True)
    (home / "companion/__pycache__/cli.cpython-313.pyc").write_bytes(b"left here")
    assert program.version(home) == program.current(pi)
    assert install(replace(pi, source=home)) == 0


def test_mistakes_in_config_yaml_are_told_with_their_line(pi: Machine) -> None:
    pi.at(f"{account.CONFIG}/config.yaml").write_text("hardware: py\n", encoding="utf-8")
    with pytest.raises(Failed, match=r"config\.yaml:1: hardware") as failed:
        install(pi)
    assert "config.yaml" in failed.value.remedy
    assert uninstall(pi) == 0, "it can be taken back all the same"


# -- what it refuses, and what it notes --------------------------------------------------------------------------------


def test_it_begins_only_on_a_pi_and_as_root() -> None:
    pi = Machine()
    assert "make run" in installer.refused(pi, dry=False, machine="x86_64", user=0)
    assert "sudo ./install" in installer.refused(pi, dry=False, machine="aarch64", user=1000)
    assert not installer.refused(pi, dry=True, machine="x86_64", user=1000)
    assert not installer.refused(pi, dry=False, machine="aarch64", user=0)


def test_an_update_of_nothing_says_so(m: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert installer.main(["--update", "--root", str(m.root)]) == 1
    assert "sudo ./install" in capsys.readouterr().out


def test_what_was_brought_is_noted_before_anything_else_can_fail(m: Machine) -> None:
    apt.step(m).do()
    assert m.at(NOTES).exists() and "python3-venv" in m.brought("packages")
    assert m.brought("displaced") == ["python3-rpi.gpio"]


def test_uninstalling_follows_no_link_that_the_services_user_has_laid(pi: Machine, tmp_path: Path) -> None:
    """What is his may lead anywhere; root writes and moves nothing there."""
    assert install(pi) == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    data, config = pi.at("/var/lib/tabularium"), pi.at("/etc/tabularium")
    (data / "games").write_text("kept")
    (config / "config.yaml").write_text("language: de\n")
    (config / "evil").symlink_to("/etc/passwd")
    (data / "config").symlink_to(elsewhere)
    assert uninstall(pi) == 0
    assert list(elsewhere.iterdir()) == []
    assert (data / "config" / "config.yaml").read_text() == "language: de\n" and not (data / "config" / "evil").exists()
