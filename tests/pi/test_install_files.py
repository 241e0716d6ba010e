"""The boot configuration as a table of cases; the unit, the rules and the command as the system's own checkers see them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import yaml

from pi import boot, keeper, program, service, trial
from pi.account import GROUPS, ids
from pi.machine import Machine
from pi.program import PARTS, requirements
from tests.support.paths import ROOT
from tools.appliance.installation import CONFIG_TXT
from tools.needs import apart, needs

FILES = ROOT / "pi/files"
SPI, SPI1 = "dtparam=spi=on", "dtoverlay=spi1-3cs"


# -- the boot configuration --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines", "added"),
    [
        ("", [SPI], [SPI]),
        (CONFIG_TXT, [SPI], [SPI]),
        ("dtparam=spi=on\n", [SPI], []),
        ("dtparam=spi\n", [SPI], []),
        ("dtparam=i2c_arm=on,spi=on\n", [SPI, SPI1], [SPI1]),
        ("  dtparam=spi=on  \n", [SPI], []),
        ("#dtparam=spi=on\n", [SPI], [SPI]),
        ("dtparam=spi=on\ndtparam=spi=off\n", [SPI], [SPI]),
        ("dtparam=spi=off\ndtparam=spi=on\n", [SPI], []),
        ("[pi4]\ndtparam=spi=on\n", [SPI], [SPI]),
        ("[pi4]\narm_boost=1\n[all]\ndtparam=spi=on\n", [SPI], []),
        ("dtoverlay=spi1-3cs\n", [SPI1], []),
        ("dtoverlay=spi1-1cs\n", [SPI1], [SPI1]),
        ("dtparam=audio=on", [SPI], [SPI]),
        ("dtparam=audio=on\r\n", [SPI], [SPI]),
        ("dtparam=audio=on\n", [], []),
    ],
)
def test_boot_lines_are_added_once_and_taken_back(text: str, lines: list[str], added: list[str]) -> None:
    made = boot.with_lines(text, lines)
    block = made.partition(boot.BEGIN)[2]
    assert re.findall(r"^dt\w+=\S*", block, re.M) == added
    assert boot.BEGIN in made or made == text
    assert boot.with_lines(made, lines) == made, "once is enough"
    assert boot.without(made).rstrip() == text.rstrip()
    assert ("\r\n" in made) == ("\r\n" in text) and not re.search(r"(?<!\r)\n", made if "\r\n" in text else "")
    if added:
        assert "[all]" in block, "whatever filter the file ends with"


def test_lines_that_are_no_longer_needed_go() -> None:
    both = boot.with_lines(CONFIG_TXT, [SPI, SPI1])
    assert SPI1 not in boot.with_lines(both, [SPI]) and boot.with_lines(both, []) == CONFIG_TXT
    later = both + "\n[pi5]\nusb_max_current_enable=1\n"
    assert boot.without(later) == CONFIG_TXT + "\n[pi5]\nusb_max_current_enable=1\n"


# -- the unit ----------------------------------------------------------------------------------------------------------


def verified(text: str, at: Path) -> str:
    """What systemd-analyze has to say; it exits with 0 although it ignores what it does not know."""
    unit = at / "tabularium.service"
    unit.write_text(re.sub(r"^ExecStart=.*", "ExecStart=/bin/true", text, flags=re.M), encoding="utf-8")
    return analyzed(unit)


def analyzed(*units: Path) -> str:
    """What systemd-analyze says of these units; with a /run of its own, which only root may write to.

    RestartMode is passed over: Debian 12's systemd does not know it, and does that by itself.
    """
    needs("systemd-analyze", "namespaces")
    inside = 'mount -t tmpfs none /run && exec systemd-analyze verify --man=no "$@"'
    run = subprocess.run(
        [*apart("--mount"), "sh", "-c", inside, "sh", *units], check=False, capture_output=True, text=True
    )
    lines = (line for line in (run.stdout + run.stderr).splitlines() if "tabularium" in line)
    return "\n".join(line for line in lines if "Unknown key 'RestartMode'" not in line)


def test_systemd_has_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    text = (FILES / "tabularium.service").read_text(encoding="utf-8")
    assert verified(text, tmp_path) == ""
    assert "Unknown" in verified(text.replace("WatchdogSec", "WatchdogSeconds"), tmp_path)


def test_the_unit_has_every_group_and_finds_its_places() -> None:
    text = (FILES / "tabularium.service").read_text(encoding="utf-8")
    said = dict(re.findall(r"^(\w+)=(.*)", text, re.M))
    assert said["SupplementaryGroups"].split() == list(GROUPS)
    assert (said["Type"], said["Restart"], said["StateDirectory"]) == ("notify", "always", "tabularium")
    for setting in ("LG_WD=%t/tabularium", "XDG_CONFIG_HOME=/etc", "XDG_DATA_HOME=/var/lib", "SDL_VIDEODRIVER=kmsdrm"):
        assert re.search(rf"^Environment=.*\b{re.escape(setting)}\b", text, re.M), setting
    for harmful in ("DeviceAllow", "DevicePolicy", "ProtectClock", "PrivateDevices", "ProtectKernelTunables"):
        assert harmful not in said, "it would keep out readers, displays, or a hub that is plugged in later"


# -- rules -------------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r'([A-Z_]+)(?:\{([^}]+)\})?(==|!=|=|\+=|:=)"([^"]*)"')
MATCHES = {"ACTION", "KERNEL", "SUBSYSTEM", "SUBSYSTEMS", "ATTRS", "ENV", "PROGRAM", "TEST"}
ASSIGNS = {"GROUP", "MODE", "ENV", "SYMLINK", "RUN", "GOTO", "LABEL"}


def rules() -> list[list[tuple[str, str, str, str]]]:
    lines = (FILES / "70-tabularium.rules").read_text(encoding="utf-8").splitlines()
    return [TOKEN.findall(line) for line in lines if line.strip() and not line.startswith("#")]


def test_udev_can_read_every_rule() -> None:
    lines = (FILES / "70-tabularium.rules").read_text(encoding="utf-8").splitlines()
    labels = {value for rule in rules() for key, _, _, value in rule if key == "LABEL"}
    for line in (line for line in lines if line.strip() and not line.startswith("#")):
        rest = TOKEN.sub("", line)
        assert re.fullmatch(r"(,? ?)*", rest), line
    for rule in rules():
        for key, _, sign, value in rule:
            assert key in (MATCHES if sign in ("==", "!=") else ASSIGNS), (key, sign)
            assert key != "GOTO" or value in labels
            assert key != "GROUP" or value in GROUPS
            assert key != "RUN" or value.startswith("/")


def test_udevadm_finds_no_fault() -> None:
    """Debian 13's can; Debian 12's has no such verb. The groups are those of Raspberry Pi OS, and not here."""
    udevadm = needs("udevadm")
    if subprocess.run([udevadm, "verify", "--help"], check=False, capture_output=True).returncode:
        pytest.skip("this version of udevadm has no verify")
    run = subprocess.run(
        [udevadm, "verify", "--resolve-names=never", FILES / "70-tabularium.rules"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_hubs_get_a_name_that_stays_and_modemmanager_leaves_them_alone() -> None:
    (hub,) = (rule for rule in rules() if any(key == "SYMLINK" for key, *_ in rule))
    assert ("SYMLINK", "", "+=", "tabularium/hub-$env{ID_SERIAL_SHORT}") in hub
    assert any(("ENV", "ID_MM_DEVICE_IGNORE", "=", "1") in rule for rule in rules())


def fits(key: str, found: str, wanted: str) -> bool:
    """Tell whether a value fits one of the patterns; a program is written out."""
    return found == wanted if key == "PROGRAM" else any(fnmatchcase(found, each) for each in wanted.split("|"))


def judged(**properties: str) -> set[tuple[str, str, str, str]]:
    """Return what the rules do to a device that has been added: attributes as `idVendor`, others as udev names them.

    Programs are not run: they fail.
    """
    done: set[tuple[str, str, str, str]] = set()
    env, skipped = dict(properties), ""
    for rule in rules():
        if skipped:
            skipped = "" if ("LABEL", "", "=", skipped) in rule else skipped
            continue
        tests = [token for token in rule if token[2] in ("==", "!=")]
        if all(fits(key, env.get(name or key, ""), value) == (sign == "==") for key, name, sign, value in tests):
            acts = [token for token in rule if token not in tests]
            env |= {name: value for key, name, _, value in acts if key == "ENV"}
            skipped = next((value for key, _, _, value in acts if key == "GOTO"), "")
            done |= {*acts}
    return done


BOARDS = {
    "Pico": "2e8a:0005", "ESP32-S3": "303a:1001", "Feather": "239a:80f2", "Nano": "2341:0043", "clone": "2a03:0043", "XIAO": "2886:802f",
    "Pro Micro": "1b4f:9206", "CP2102": "10c4:ea60", "CP2105": "10c4:ea70", "CH340": "1a86:7523", "CH340K": "1a86:7522",
    "CH9102": "1a86:55d4", "FT232R": "0403:6001", "FT2232": "0403:6010", "FT232H": "0403:6014", "PL2303": "067b:2303", "PL2303GC": "067b:23a3",
}  # fmt: skip


@pytest.mark.parametrize("board", BOARDS)
def test_modemmanager_asks_no_board_of_makers_whether_it_is_a_modem(board: str) -> None:
    vendor, product = BOARDS[board].split(":")
    usb = dict(ACTION="add", SUBSYSTEM="tty", SUBSYSTEMS="usb", idVendor=vendor, idProduct=product)
    assert ("ENV", "ID_MM_PORT_IGNORE", "=", "1") in judged(**usb)
    assert any(key == "SYMLINK" for key, *_ in judged(**usb, ID_SERIAL_SHORT="E6614C775B8B2C36"))
    for serial in ("0001", "0", ""):
        assert not any(key == "SYMLINK" for key, *_ in judged(**usb, ID_SERIAL_SHORT=serial)), "the factory's"
    modem = usb | {"idVendor": "12d1", "idProduct": "1506"}
    assert not any(key == "ENV" for key, *_ in judged(**modem))


@pytest.mark.parametrize(
    ("differs", "mounted"),
    [
        ({}, True),
        ({"removable": "1"}, True),
        ({"ID_FS_TYPE": "ntfs"}, True),
        ({"ID_BUS": "ata"}, False),
        ({"ACTION": "change"}, False),
        ({"ID_FS_TYPE": "ext4"}, False),
        ({"ID_FS_LABEL": "bootfs"}, False),
        ({"ID_PART_ENTRY_TYPE": "0xef"}, False),
        ({"PROGRAM": "/bin/sh -c 'findmnt -no SOURCE / | grep -q ^/dev/%P'"}, False),
    ],
)
def test_sticks_and_disks_are_mounted_but_for_the_one_that_the_pi_started_from(
    differs: dict[str, str], mounted: bool
) -> None:
    disk = {
        "ACTION": "add",
        "SUBSYSTEM": "block",
        "DEVTYPE": "partition",
        "ID_BUS": "usb",
        "ID_FS_TYPE": "exfat",
        "removable": "0",
    }
    assert any("systemd-mount" in value for _, _, _, value in judged(**disk | differs)) is mounted


@pytest.mark.parametrize(
    ("kind", "package", "kernels"),
    [("ntfs", "", True), ("ntfs", "/sbin/mount.ntfs", False), ("vfat", "", False), ("exfat", "", False)],
)
def test_without_ntfs_3g_a_stick_of_windows_gets_the_kernels_driver(kind: str, package: str, kernels: bool) -> None:
    disk = {"ACTION": "add", "SUBSYSTEM": "block", "ID_BUS": "usb", "ID_FS_TYPE": kind, "TEST": package}
    ways = [value for key, name, _, value in judged(**disk) if (key, name) == ("ENV", "TABULARIUM_MOUNT")]
    assert any("--type=ntfs3" in way and "uid=tabularium" in way for way in ways) is kernels
    assert any("--owner=tabularium" in way for way in ways)


@pytest.mark.parametrize(
    ("user", "action", "verdict"),
    [
        ("tabularium", "org.freedesktop.login1.power-off", "yes"),
        ("tabularium", "org.freedesktop.login1.power-off-multiple-sessions", "yes"),
        ("tabularium", "org.freedesktop.login1.reboot", "yes"),
        ("tabularium", "org.freedesktop.login1.reboot-multiple-sessions", "yes"),
        ("tabularium", "org.freedesktop.login1.reboot-ignore-inhibit", "not handled"),
        ("tabularium", "org.freedesktop.login1.power-off-ignore-inhibit", "not handled"),
        ("tabularium", "org.freedesktop.login1.suspend", "not handled"),
        ("tabularium", "org.freedesktop.systemd1.manage-units", "not handled"),
        ("maker", "org.freedesktop.login1.power-off", "not handled"),
    ],
)
def test_the_table_may_switch_the_pi_off_or_restart_it_and_nothing_else(user: str, action: str, verdict: str) -> None:
    rule = (FILES / "50-tabularium-power.rules").read_text(encoding="utf-8")
    script = f"""
        let rule; const polkit = {{Result: {{YES: "yes", NOT_HANDLED: "not handled"}}, addRule: (r) => rule = r}};
        {rule}
        console.log(rule({{id: "{action}"}}, {{user: "{user}"}}));"""
    run = subprocess.run([needs("node"), "-e", script], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == verdict


# -- the command -------------------------------------------------------------------------------------------------------


def sound(script: str) -> None:
    words = [needs("shellcheck"), "--shell=sh", "-"]
    run = subprocess.run(words, input=script, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_the_command_is_sound_shell() -> None:
    sound((FILES / "tabularium").read_text(encoding="utf-8"))


def test_the_doctor_runs_with_the_services_own_network_one_property_for_each_address(tmp_path: Path) -> None:
    """systemd-run takes a list of groups or families, but not of addresses; what it is given is the service's own."""
    for name in ("bin", "system", "run"):
        (tmp_path / name).mkdir()
    shutil.copy(FILES / "tabularium.service", tmp_path / "system")
    (tmp_path / "system/override.conf").write_text("[Service]\nIPAddressAllow=100.64.0.0/10\n")
    shown = f'[ "$*" = "cat tabularium.service" ] && cat {tmp_path}/system/*'
    for name, text in {"sudo": 'for word; do echo "$word"; done', "id": "echo maker", "systemctl": shown}.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    script = (FILES / "tabularium").read_text(encoding="utf-8")
    script = script.replace("/etc/systemd/system", f"{tmp_path}/system").replace(
        "/run/systemd/system", f"{tmp_path}/run"
    )
    env = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    run = subprocess.run(["sh", "-c", script, "/usr/bin/tabularium", "doctor", "--seconds", "1 2"],
                         check=True, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)  # fmt: skip
    words = run.stdout.splitlines()
    assert words[0] == "systemd-run" and words[-4:] == ["/usr/bin/tabularium", "doctor", "--seconds", "1 2"]
    unit = (FILES / "tabularium.service").read_text(encoding="utf-8")
    for name in ("SupplementaryGroups", "RestrictAddressFamilies", "IPAddressDeny", "IPAddressAllow"):
        (own,) = re.findall(rf"^{name}=(.*)", unit, re.M)
        given = [word.removeprefix(f"--property={name}=") for word in words if word.startswith(f"--property={name}=")]
        added = ["100.64.0.0/10"] if name == "IPAddressAllow" else []  # by systemctl edit
        assert sorted(given) == sorted([*own.split(), *added])


def test_the_layer_for_an_image_calls_the_installer() -> None:
    head, _, body = (ROOT / "image/layer/tabularium.yaml").read_text(encoding="utf-8").partition("\n---\n")
    (hook,) = yaml.safe_load(body)["mmdebstrap"]["customize-hooks"]
    assert 'chroot "$1" /var/tmp/tabularium/install' in hook
    for named in re.findall(r"/var/tmp/tabularium/(\S+)", hook):
        assert (ROOT / named).exists()
    sound(f"IGconf_tabularium_source=.\n{hook}")
    name = re.search(r"^# X-Env-Layer-Name: (\w+)$", head, re.M)
    config = yaml.safe_load((ROOT / "image/config/tabularium.yaml").read_text(encoding="utf-8"))
    assert name and config["layer"]["app"] == name[1]


def test_the_users_number_is_the_same_on_every_card(tmp_path: Path) -> None:
    """As systemd reads it; and the installer then takes the user that is there."""
    (tmp_path / "etc").mkdir()
    for name in ("passwd", "group", "shadow", "gshadow"):
        (tmp_path / f"etc/{name}").touch()
    said = (ROOT / "image/tabularium-users.conf").read_bytes()
    subprocess.run([needs("systemd-sysusers"), f"--root={tmp_path}", "-"], input=said, check=True, capture_output=True)
    m = Machine(tmp_path)
    assert ids(m, "passwd")["tabularium"] == (771, 771) and ids(m, "group")["tabularium"] == (771, 771)
    line = (tmp_path / "etc/passwd").read_text(encoding="utf-8")
    assert line.strip().endswith(":/var/lib/tabularium:/usr/sbin/nologin")


# -- updates -----------------------------------------------------------------------------------------------------------

UPDATING = ("tabularium-update.path", "tabularium-update.service", "tabularium-trial.service")


def test_systemd_has_nothing_to_say_about_the_units_of_an_update(tmp_path: Path) -> None:
    for name in (*UPDATING, "tabularium.service"):
        text = (FILES / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(
            re.sub(r"/opt/tabularium/\w+/venv/bin/python", sys.executable, text), encoding="utf-8"
        )
    assert analyzed(*(tmp_path / name for name in UPDATING)) == ""


def test_the_units_of_an_update_run_what_has_proven_itself_and_hear_what_the_table_may_write() -> None:
    told = {name: (FILES / name).read_text(encoding="utf-8") for name in (*UPDATING, "tabularium-update.conf")}
    for name in UPDATING[1:]:
        assert "ExecStart=/opt/tabularium/good/venv/bin/python -P -m pi.keeper" in told[name]
        assert "PYTHONPATH=/opt/tabularium/good" in told[name] and "current/" not in told[name].replace(
            "file:///opt/tabularium/current", ""
        )
    assert "OnFailure=tabularium.service" in told[UPDATING[2]] and "StartLimitBurst" in told[UPDATING[2]], "never dark"
    assert "TimeoutStartSec=1h" in told[UPDATING[2]] and int(program.LONG) < 600, "it may ask several times"
    assert f"PathExists={keeper.ASK}" in told[UPDATING[0]]
    assert "StartLimitIntervalSec=0" in told[UPDATING[1]], "or five touches are the last"
    assert f"d {service.RUN} 0755 root root -" in told["tabularium-update.conf"]
    assert f"d {service.ASKED} 0755 tabularium tabularium -" in told["tabularium-update.conf"]
    table = (FILES / "tabularium.service").read_text(encoding="utf-8")
    assert f" -{service.ASKED}\n" in table and f"-{service.RUN}\n" not in table
    assert (
        f"ConditionPathExists={trial.STATE}" in told[UPDATING[2]] and "Before=tabularium.service" in told[UPDATING[2]]
    )


def test_the_installer_needs_nothing_that_is_not_there_yet(tmp_path: Path) -> None:
    """Without the packages of this environment, as on a new Pi; and from any folder."""
    words: list[str | Path] = [sys.executable, "-I", "-S", "-X", "importtime", ROOT / "install", "--help"]
    run = subprocess.run(words, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "--uninstall" in run.stdout
    assert "pi.update" in run.stderr


def test_the_unit_reaches_a_hall_in_the_same_house_and_nothing_else() -> None:
    """Private networks alone. That systemd keeps to it, this cannot show: no systemd runs here."""
    unit = dict(
        line.split("=", 1)
        for line in (FILES / "tabularium.service").read_text().splitlines()
        if "=" in line and line[0] != "#"
    )
    assert {"AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"} == set(unit["RestrictAddressFamilies"].split())
    assert unit["IPAddressDeny"] == "any"
    allowed = [ip_network(word) for word in unit["IPAddressAllow"].split() if "/" in word]
    assert all(network.is_private for network in allowed) and {"localhost", "link-local"} <= set(
        unit["IPAddressAllow"].split()
    )
    for host in ("192.168.1.5", "10.0.0.2", "172.20.1.1", "fd00::1"):
        assert any(ip_address(host) in network for network in allowed if network.version == ip_address(host).version), (
            host
        )
    assert not any(ip_address("8.8.8.8") in network for network in allowed if network.version == 4)


def test_what_is_installed_never_runs_what_lies_in_the_current_folder(tmp_path: Path) -> None:
    """A stick with a json.py on it: the command, the unit and the installer begin Python without the folder one is in."""
    for file, line in (("tabularium", "-P -m companion"), ("tabularium.service", "python -P -m companion")):
        assert line in (FILES / file).read_text()
    (tmp_path / "json.py").write_text("raise SystemExit('run from a stick')")
    (tmp_path / "companion").mkdir()
    env = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-P", "-m", "companion", "--version"]
    assert subprocess.run(command, check=False, capture_output=True, cwd=tmp_path, env=env).returncode == 0


def test_an_installed_table_has_what_a_hall_needs() -> None:
    assert {"paho-mqtt", "fastjsonschema"} <= {line.partition("==")[0] for line in requirements(ROOT)}
    assert any((ROOT / part / "header.json").exists() for part in PARTS), "the wire's schemas are installed"
