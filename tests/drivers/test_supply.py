"""The Pi's low-voltage warning, from scratch folders like the kernel's."""

from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from companion.rules.readings import Health
from drivers.rig import Rig, Wiring
from drivers.supply import CALM, LOW, SupplyWatch


def sensor(root: Path, alarm: str, number: int = 1, name: str = "rpi_volt") -> None:
    folder = root / f"sys/class/hwmon/hwmon{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "name").write_text(f"{name}\n")
    (folder / "in0_lcrit_alarm").write_text(f"{alarm}\n")


@pytest.fixture
def words() -> list[Health]:
    return []


def look(watch: SupplyWatch, times: int = 1) -> None:
    for _ in range(times):
        watch.turn()


def test_a_dip_is_reported_once_and_is_over_when_the_dips_have_ended(tmp_path: Path, words: list[Health]) -> None:
    watch = SupplyWatch(words.append, tmp_path)  # type: ignore[arg-type] # it says nothing but how it is
    sensor(tmp_path, "0")
    look(watch, 3)
    assert words == []
    for alarm in "1101":
        sensor(tmp_path, alarm)
        look(watch)
    assert words == [Health("supply", False, LOW)]
    sensor(tmp_path, "0")
    look(watch, CALM - 1)
    assert len(words) == 1
    look(watch, 3)
    assert words[1:] == [Health("supply", True)]
    sensor(tmp_path, "1")
    look(watch)
    assert words[2:] == [Health("supply", False, LOW)]


def test_other_sensors_say_nothing_and_a_late_one_is_found(tmp_path: Path, words: list[Health]) -> None:
    watch = SupplyWatch(words.append, tmp_path)  # type: ignore[arg-type]
    look(watch)
    sensor(tmp_path, "1", name="nvme")
    look(watch)
    assert words == []
    sensor(tmp_path, "1", number=4)
    look(watch)
    assert [word.well for word in words] == [False]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Queue[object]]:
    said: Queue[object] = Queue()
    sensor(tmp_path, "1")
    made = Rig(Wiring(root=tmp_path), said.put)
    yield said
    made.close()


def test_a_table_watches_its_supply(rig: Queue[object]) -> None:
    assert rig.get(timeout=60) == Health("supply", False, LOW)
