"""The hall's computer dies: what is on the stick takes its place, and the tables come back by themselves."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.hall import hall_backup, mosquitto, setup
from companion.hall.control_socket import STORE, ask
from companion.hall.organiser import Organiser
from companion.hall.plan import Plan
from companion.hall.published import stand
from companion.hall.service import HallService
from companion.hall.store import HallInUse, HallStore
from tests.support.hall_broker import Running, broker
from tests.support.hall_tables import Table, has_all, until


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_another_computer_takes_the_halls_place_in_the_middle_of_a_game(tmp_path: Path, tls: bool) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    with ExitStack() as stack, broker(tmp_path / "one", tls=tls) as running:
        (tmp_path / "data").mkdir()
        store = HallStore(tmp_path / "data" / STORE)
        hall = HallService("friday", running.as_("hall"), store)
        hall.open()
        for order in (
            {"do": "join", "names": ["Anna", "Ben", "Chiara"]},
            {"do": "round", "games": ["spartacus"], "tables": ["1"], "seed": 1},
        ):
            assert hall.call(lambda of, order=order: Organiser(of).answer(order))["ok"]  # type: ignore[misc]
        table = stack.enter_context(closing(Table(tmp_path, "1", running.as_("1"))))
        table.outbox.open()
        table.begin("spartacus", 3)
        table.play(4)
        table.settle()
        until(lambda: hall.call(lambda of: has_all(of, table)))
        until(lambda: hall.progress == (1, 0))
        path = hall_backup.saved(running.plan, tmp_path / "data", stick)  # while the hall runs
        assert path == stick / "friday.hall" and path.stat().st_mode & 0o777 == 0o600
        evening = hall.call(stand).evening
        table.play(3)
        table.settle()
        for dead in (hall, store):
            dead.close()
        running.kill()

        plan, said = hall_backup.taken_up(path, tmp_path / "two", tmp_path / "elsewhere")
        assert not said
        assert setup.kept(tmp_path / "two") == plan
        assert setup.passwords(plan.folder) == setup.passwords(running.plan.folder)
        for name in ("mosquitto.conf", *mosquitto.UNITS):
            assert str(running.plan.folder) not in (plan.folder / name).read_text(), "all of it is of here"
        other = Running(plan)  # at the same address, as its tables know it
        other.start()
        stack.callback(other.kill)
        again = stack.enter_context(closing(HallStore(tmp_path / "elsewhere" / STORE)))
        service = stack.enter_context(closing(HallService("friday", setup.broker(plan, setup.HALL), again)))
        service.open()
        until(lambda: service.call(lambda of: has_all(of, table)))
        assert service.call(stand).evening == evening
        assert len(service.call(lambda of: of.games())) == 1


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[Path]:
    """A hall on a stick, with an evening of two players."""
    plan = Plan(tmp_path / "hall", "friday", ("1",), "localhost")
    setup.set_up(plan)
    ask_there(tmp_path / "data", "Anna", "Ben")
    yield hall_backup.saved(plan, tmp_path / "data", tmp_path)


def ask_there(data: Path, *names: str) -> None:
    data.mkdir(exist_ok=True)
    assert ask(data, {"do": "join", "names": list(names)})["ok"]


def test_what_is_no_hall_is_refused_and_nothing_is_touched(saved: Path, tmp_path: Path) -> None:
    whole = saved.read_bytes()
    ask_there(tmp_path / "there", "Zoe")
    before = sorted(path.name for path in (tmp_path / "there").iterdir())
    rng = Random(1)
    for at in range(40):
        data = bytearray(whole)
        if at % 2:
            data = data[: rng.randrange(len(data))]
        else:
            for _ in range(8):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        saved.write_bytes(data)
        try:
            hall_backup.taken_up(saved, tmp_path / f"try{at}", tmp_path / f"data{at}")
        except (ValueError, OSError):
            assert not (tmp_path / f"try{at}").exists() and not (tmp_path / f"data{at}").exists()
    for name in ("../evil", "tables/../../evil", "tables/.x.yaml", "/etc/evil"):
        saved.write_bytes(whole)
        with zipfile.ZipFile(saved, "a") as archive:
            archive.writestr(name, "x")
        with pytest.raises(ValueError, match=r"friday.hall is not a backup made by tabularium hall backup\."):
            hall_backup.taken_up(saved, tmp_path / "no", tmp_path / "there")
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == before
    assert not (tmp_path / "no").exists()


def test_an_evening_that_was_there_is_put_aside_and_a_hall_that_runs_is_let_be(saved: Path, tmp_path: Path) -> None:
    ask_there(tmp_path / "there", "Zoe")
    with closing(HallStore(tmp_path / "there" / STORE)), pytest.raises(HallInUse):
        hall_backup.taken_up(saved, tmp_path / "two", tmp_path / "there")
    assert not (tmp_path / "two").exists()
    _, said = hall_backup.taken_up(saved, tmp_path / "two", tmp_path / "there")
    assert said[0].startswith("The previous evening is kept as ")
    assert ask(tmp_path / "there", {"do": "status"})["said"][0] == "Players here: 2."


def test_by_command_saved_and_put_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def hall(name: str, *words: str) -> tuple[int, str, str]:
        config = tmp_path / f"{name}.yaml"
        config.write_text(f"data: {tmp_path / name}\n")
        status = main(["--config", str(config), "hall", *words])
        return (status, *capsys.readouterr())

    assert hall("one", "backup", str(tmp_path))[0] == 2, "where none was set up"
    words = ["--hall", "friday", "--tables", "1-3", "--host", "hall.local"]
    assert hall("one", "setup", *words)[0] == 0
    assert hall("one", "join", "Anna")[0] == 0
    status, out, _ = hall("one", "backup", str(tmp_path))
    assert (status, out) == (
        0,
        f"Saved as {tmp_path}/friday.hall. It contains the hall's passwords: keep it safe.\n",
    )
    assert hall("one", "backup", str(tmp_path))[0] == 0, "each time anew"
    status, out, _ = hall("two", "restore", str(tmp_path / "friday.hall"))
    assert status == 0 and "sudo hostnamectl set-hostname hall" in out and f"{tmp_path}/two/hall/mosquitto.conf" in out
    assert hall("two", "status")[1].splitlines()[0] == "Players here: 1."
    assert hall("two", "restore", str(tmp_path / "one.yaml"))[0] == 2
    assert hall("two", "backup", str(tmp_path / "nowhere"))[0] == 2
