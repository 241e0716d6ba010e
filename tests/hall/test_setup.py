"""`tabularium hall setup`, the files it writes, and a table that takes one of them, at a real Mosquitto."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.hall_client import broker_of
from companion.hall import mosquitto, setup
from companion.hall.checking import check
from companion.hall.link import BrokerLink
from companion.hall.plan import Plan
from companion.hall.probe import probe
from companion.hall.reach import NEW
from companion.hall.service import HallService
from companion.hall.store import HallStore
from companion.hardware import settings as config
from companion.hardware.doctor.hall import HallProbe, way
from companion.rules.message import code
from drivers.kinds import KINDS
from tests.support.hall_broker import broker, free_port
from tests.support.hall_tables import Table, has_all, until
from tools.needs import needs

pytestmark = pytest.mark.usefixtures("at_home")


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_what_setup_writes_is_what_the_broker_keeps_to(tmp_path: Path, tls: bool) -> None:
    with broker(tmp_path, tls=tls) as running:
        found = list(check(running.plan))
    assert [finding.verdict for finding in found] == ["pass"] * len(found), found
    assert {finding.part for finding in found} == {
        "hall",
        "table 1",
        "public",
        "writing",
        "board",
        "guests",
        "organiser",
        "phones",
    }
    for name in ("secrets", "passwords", "mosquitto.conf", "tables/1.yaml"):
        assert (running.plan.folder / name).stat().st_mode & 0o077 == 0, name


def test_a_broker_that_is_not_there_is_found_and_so_is_one_that_lets_everybody_write(tmp_path: Path) -> None:
    with broker(tmp_path) as running:
        running.kill()
        assert {finding.verdict for finding in check(running.plan, wait_s=0.2)} == {"fail"}
        acl = running.plan.folder / "acl"
        acl.write_text(f"topic readwrite #\n{acl.read_text()}pattern readwrite #\n")
        running.start()
        found = {finding.part: finding.verdict for finding in check(running.plan)}
    assert found["writing"] == "fail"


def test_a_file_of_an_earlier_version_is_found_and_brought_up_to_date(tmp_path: Path) -> None:
    with broker(tmp_path) as running:
        conf = running.plan.folder / "mosquitto.conf"
        fresh = conf.read_text()
        assert "max_keepalive 60" not in fresh, "Mosquitto 2.0.21 throws out connections with it"
        old = fresh.replace("max_keepalive 120", "max_keepalive 60")
        old = old.replace(f"http_dir {running.plan.board}", "http_dir /opt/tabularium/1/companion/hall/board")
        old = old.replace("allow_anonymous false\nmax_connections 2000\npassword", "allow_anonymous true\npassword")
        assert "http_dir /opt" in old and "allow_anonymous true\npassword" in old
        conf.write_text(f"# by hand\n{old}")
        acl = running.plan.folder / "acl"
        rights = acl.read_text()
        public = "# Without a name: the public, which reads.\ntopic read tabularium/1/friday/#\n\n"
        acl.write_text(public + without_browsers(rights).replace("tabularium/2/", "tabularium/1/") + "# by hand\n")
        board = running.plan.folder / "acl-board"
        board_rights = board.read_text()
        board.write_text(f"{without_browsers(board_rights)}# by hand\n")
        found = {finding.part: finding for finding in check(running.plan)}
        assert found["mosquitto.conf"].verdict == "warn" and "max_keepalive 60" in str(found["mosquitto.conf"].what)
        assert mosquitto.bring_up_to_date(running.plan.folder) and not mosquitto.bring_up_to_date(running.plan.folder)
        assert conf.read_text() == f"# by hand\n{fresh}", "what somebody has written stays"
        assert acl.read_text() == f"{rights}# by hand\n" and board.read_text() == f"{board_rights}# by hand\n"
        assert "mosquitto.conf" not in {finding.part for finding in check(running.plan)}


def without_browsers(rights: str) -> str:
    """Return the rights of an earlier version, where browsers wrote nothing."""
    lines = rights.splitlines(keepends=True)
    return "".join(
        line for line in lines if not any(word in line for word in ("-sealed/", "-asked/", "one topic", "One topic"))
    )


def installed(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a Mosquitto on the PATH that says this version."""
    program = folder / "bin" / "mosquitto"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\necho mosquitto version {version}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_pages_and_websockets_have_ports_of_their_own_from_mosquitto_2_1_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tls: bool
) -> None:
    """Its own websockets serve no pages (eclipse-mosquitto/mosquitto#3504)."""
    plan = Plan(tmp_path / "hall", "friday", ("1",), "localhost", tls=tls)
    installed(tmp_path, "2.0.21", monkeypatch)
    setup.set_up(plan)
    conf = plan.folder / "mosquitto.conf"
    before = conf.read_text()
    assert mosquitto.apart(plan.folder) == 0 and "http_api" not in before

    installed(tmp_path, "2.1.2", monkeypatch)
    assert mosquitto.outdated(plan.folder)
    assert mosquitto.bring_up_to_date(plan.folder) and not mosquitto.outdated(plan.folder)
    doors = [line for line in conf.read_text().splitlines() if line.startswith(("listener", "protocol", "http_dir"))]
    here = "" if tls else " 127.0.0.1"
    assert doors == [
        "listener 1883",
        "listener 9001", "protocol http_api", f"http_dir {plan.folder}/board", "listener 9011", "protocol websockets",
        f"listener 9002{here}", "protocol http_api", f"http_dir {plan.folder}/desk",
        f"listener 9012{here}", "protocol websockets",
    ]  # fmt: skip
    assert conf.read_text().count("certfile") == (3 if tls else 0)
    assert setup.broker(plan, None).port == 9011 and setup.broker(plan, "organiser").port == 9012
    setup.set_up(plan)
    for page in ("board", "desk"):
        assert '<meta name="websockets" content="10">' in (plan.folder / page / "index.html").read_text()

    installed(tmp_path, "2.0.21", monkeypatch)  # on another computer
    assert mosquitto.moved(conf.read_text(), plan.folder) == before
    assert mosquitto.bring_up_to_date(plan.folder) and conf.read_text() == before


def test_units_start_broker_and_hall_with_the_computer(tmp_path: Path) -> None:
    plan = Plan(tmp_path / "a hall at 100 %", "friday", ("1",), "localhost")
    setup.set_up(plan)
    units = [plan.folder / name for name in mosquitto.UNITS]
    assert f"LimitNOFILE={mosquitto.DESCRIPTORS}\n" in units[0].read_text()
    most = mosquitto.SEATED + mosquitto.PHONES + mosquitto.DESKS
    assert sum(int(line.split()[1]) for line in (plan.folder / "mosquitto.conf").read_text().splitlines()
               if line.startswith("max_connections")) == most < mosquitto.DESCRIPTORS  # fmt: skip
    done = subprocess.run([needs("systemd-analyze"), "verify", *units], capture_output=True, text=True, check=False)
    assert not [line for line in done.stderr.splitlines() if "tabularium-" in line], done.stderr


def test_guests_who_say_nothing_keep_no_table_out(tmp_path: Path) -> None:
    with broker(tmp_path) as running:
        running.kill()
        running.descriptors = 1024
        running.start()
        found = {finding.part: finding for finding in check(running.plan, wait_s=2)}
        assert found["guests"].verdict == "fail" and "--nofile=8192" in found["guests"].next
        running.kill()
        running.descriptors = mosquitto.DESCRIPTORS
        running.start()
        assert {finding.part: finding.verdict for finding in check(running.plan)}["guests"] == "pass"


def test_nobody_gets_in_by_the_tables_door_without_a_password(tmp_path: Path) -> None:
    with broker(tmp_path) as running:
        link = BrokerLink(replace(running.as_("1"), user=None, password=None), subscribed=[], came=lambda _: None)
        with closing(link):
            link.open()
            until(lambda: link.fault not in ("", NEW))
            assert code(link.fault) == "password" and not link.connected


def test_no_new_connection_is_thrown_out(tmp_path: Path) -> None:
    """With max_keepalive 60 one in fifteen was, by Mosquitto 2.0.21."""
    with broker(tmp_path) as running:
        for _ in range(60):
            link = BrokerLink(running.as_("1"), subscribed=[], came=lambda _: None)
            with closing(link):
                link.open()
                until(lambda link=link: link.connections or link.fault not in ("", NEW))  # type: ignore[misc]
                assert link.connected, link.fault


def test_setting_up_again_keeps_what_was_given_out(tmp_path: Path) -> None:
    plan = Plan(tmp_path / "hall", "friday", ("1", "2"), "hall.local")
    setup.set_up(plan)
    before = setup.passwords(plan.folder)
    setup.set_up(replace(plan, tables=("2", "3")))
    after = setup.passwords(plan.folder)
    assert after["2"] == before["2"] and set(after) == {"hall", "organiser", "2", "3"}
    assert setup.kept(plan.folder).tables == ("2", "3")
    assert sorted(path.name for path in (plan.folder / "tables").iterdir()) == ["2.yaml", "3.yaml"]


@pytest.mark.parametrize(
    ("tables", "ports", "said"),
    [((), (1883, 9001), "1 to 999 tables"), (("1",) * 1000, (1883, 9001), "1 to 999 tables"),
     (("1",), (1883, 1883), "three different ports"), (("1",), (99999, 9001), "three different ports"),
     (("1", "organiser"), (1883, 9001), "the organiser has that name")],
)  # fmt: skip
def test_a_hall_without_tables_or_ports_is_refused(
    tmp_path: Path, tables: tuple[str, ...], ports: tuple[int, int], said: str
) -> None:
    (wrong,) = setup.wrong(Plan(tmp_path, "friday", tables, "hall.local", *ports))
    assert said in wrong


def test_a_name_that_no_certificate_can_have_is_said_and_leaves_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--hall", "friday", "--tables", "1", "--host", "h" * 70, "--tls"]
    assert main(["hall", "--folder", str(tmp_path / "hall"), "setup", *words]) == 2
    assert "openssl makes no certificate for hhh" in capsys.readouterr().err
    assert not list(tmp_path.rglob("hall.crt"))


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_from_setup_to_a_game_at_the_hall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tls: bool
) -> None:
    """As people do it: setup, broker, a stick to the table, and the table plays."""
    folder, port, web = tmp_path / "hall", free_port(), free_port()
    words = ["--hall", "friday", "--tables", "1-3", "--host", "localhost", "--port", str(port), "--web", str(web)]
    assert main(["hall", "--folder", str(folder), "setup", *words, *(["--tls"] if tls else [])]) == 0
    said = capsys.readouterr().out
    assert str(folder / "tables" / "2.yaml") in said and f"{folder}/mosquitto.conf" in said
    with started(folder):
        monkeypatch.chdir(tmp_path)
        assert main(["hall", "take", str(folder / "tables" / "2.yaml")]) == 0
        loaded = config.load(config.find(None) or Path(), KINDS)
        assert loaded.hall and (loaded.hall.table, loaded.hall.hall, bool(loaded.hall.tls)) == ("2", "friday", tls)
        table = Table(tmp_path, "2", broker_of(loaded.hall))
        plan = setup.kept(folder)
        store = HallStore(tmp_path / "hall.sqlite3")
        service = HallService("friday", setup.broker(plan, setup.HALL), store)
        service.open()
        table.outbox.open()
        table.begin("spartacus")
        table.play(5)
        table.settle()
        until(lambda: service.call(lambda of: has_all(of, table)))
        for one in (table, service, store):
            one.close()


@contextmanager
def started(folder: Path) -> Iterator[None]:
    process = subprocess.Popen([needs("mosquitto"), "-c", str(folder / "mosquitto.conf")], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def test_the_hall_runs_as_a_process_and_the_organiser_asks_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "hall"
    words = ["--hall", "friday", "--tables", "1", "--host", "localhost", "--port", str(free_port())]
    assert main(["hall", "--folder", str(folder), "setup", *words, "--web", str(free_port())]) == 0
    plan = setup.kept(folder)
    stick = tmp_path / "stick"
    stick.mkdir()
    command = [sys.executable, "-m", "companion", "hall", "--folder", str(folder), "--stick", str(stick)]
    with started(folder), subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as hall:
        try:
            assert hall.stdout and "http://localhost" in hall.stdout.readline()
            until(lambda: probe(setup.broker(plan, "1"), "friday", 2.0)[:2] == ("", True))
            assert main(["hall", "join", "Ada", "Ben"]) == 0
            assert main(["hall", "status"]) == 0
            assert "2" in capsys.readouterr().out
            until((stick / "friday.hall").exists)
            first = (stick / "friday.hall").stat().st_ino
            assert main(["hall", "round", "--game", "hannibal", "--tables", "1"]) == 0
            until(lambda: (stick / "friday.hall").stat().st_ino != first)  # as soon as a round is seated
            hall.terminate()
            assert hall.wait(20) == 0
        finally:
            hall.kill()
    assert main(["hall", "--folder", str(tmp_path / "nowhere")]) == 2


@pytest.mark.parametrize("words", [["--hall", "Friday!", "--tables", "1-3"], ["--hall", "friday", "--tables", "1,hall"],
                                   ["--tables", "1-3"]])  # fmt: skip
def test_names_that_no_topic_can_have_are_refused(tmp_path: Path, words: list[str]) -> None:
    assert main(["hall", "--folder", str(tmp_path / "hall"), "setup", *words]) == 2
    assert not (tmp_path / "hall").exists()


def test_a_folder_keeps_its_hall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Issue 46, no. 23: under another name all tables' files would be replaced without a word."""
    setting_up = ["hall", "--folder", str(tmp_path / "hall"), "setup", "--tables", "1-2", "--hall"]
    assert main([*setting_up, "friday"]) == 0
    before = {path: path.read_bytes() for path in (tmp_path / "hall").rglob("*") if path.is_file()}
    assert main([*setting_up, "saturday"]) == 2
    assert "holds the hall friday" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (tmp_path / "hall").rglob("*") if path.is_file()} == before
    assert main([*setting_up, "friday"]) == 0
    (tmp_path / "hall" / "hall.json").write_text("{")
    assert main([*setting_up, "friday"]) == 2
    assert "hall.json cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "hall: 3", "hall: {broker: x}", "hall: {broker: [x, port: 3", "a: &b [*b]"])
def test_a_file_that_is_no_tables_changes_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "7.yaml").write_text(text)
    assert main(["hall", "take", str(tmp_path / "7.yaml")]) == 2
    assert config.find(None) is None


def test_what_the_file_of_a_table_says_is_in_config_yaml_and_the_rest_stays(tmp_path: Path) -> None:
    Path("config.yaml").write_text("language: de\n")
    plan = Plan(tmp_path / "hall", "friday", ("7",), "hall.local")
    (stick,) = setup.set_up(plan)
    assert main(["hall", "take", str(stick)]) == 0
    loaded = config.load(Path("config.yaml"), KINDS)
    assert loaded.language == "de" and loaded.hall and loaded.hall.table == "7"
    assert loaded.hall.password_file and loaded.hall.password_file.stat().st_mode & 0o077 == 0
    assert Path("config-before.yaml").read_text() == "language: de\n"
    assert setup.passwords(plan.folder)["7"] not in Path("config.yaml").read_text()


# -- the doctor ----------------------------------------------------------------------------------------------------


def test_the_doctor_tells_broker_password_and_hall_apart(tmp_path: Path) -> None:
    with broker(tmp_path) as running:
        good, wrong = running.as_("1"), replace(running.as_("1"), password="guessed")
        away = replace(good, port=free_port())
        said = [next(way(HallProbe("friday", "1", *probe(at, "friday", 6.0)[:2]))) for at in (good, wrong, away)]
        assert [finding.verdict for finding in said] == ["warn", "fail", "fail"]
        assert "password" in said[1].next and "password" not in said[2].next
        store = HallStore(tmp_path / "hall.sqlite3")

        service = HallService("friday", running.as_("hall"), store)
        service.open()
        until(lambda: probe(good, "friday", 2.0)[:2] == ("", True))
        service.close()
        store.close()


def test_a_table_without_a_hall_loads_nothing_of_it() -> None:
    script = (
        "import sys, threading; import companion.cli.table, companion.cli.hall_client, companion.hardware.settings, companion.play.evening;"
        "print([m for m in sys.modules if m.startswith(('paho', 'fastjsonschema', 'companion.hall'))],"
        " threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[] 1\n"
