"""An update that is cut, or finds the disk full, at every single change it makes: there and back.

`make soak` (TABULARIUM_TESTS=all) takes all of the places, the suite a few that are drawn by a fixed seed. The versions
are tiny ones; the files, links, locks, copies and commands are real.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from pi import games, program, service, trial, update
from pi.machine import OURS, Machine
from tests.support.cuts import kind, play, put, said, store
from tests.support.cutting import disturbed
from tests.support.installing import install
from tests.support.releases import tiny
from tests.support.scratch_pi import copied as another
from tests.support.scratch_pi import scratch
from tests.support.tables import EVERYTHING, times
from tests.support.updating import Stand, quiet
from tests.support.updating import pytestmark as root_alone

pytestmark = [root_alone, pytest.mark.timeout(times(900, 7200))]
"""In the soak a test goes through a hundred places, beside other work at several seconds each."""
PLACES = 1
"""How many places of each way the suite tries, the soak all."""
OLD, NEW = "0.1.0", "0.2.0"
NOW = "now"
"""What was played last."""


class Scene:
    """A Pi with a version and its games, and a newer version's source. Games of the newer version are of `kind` 2."""

    def __init__(self, at: Path) -> None:
        self.at = at
        self.old, self.new = tiny(at / "old", OLD), tiny(at / "new", NEW, reads=2)
        self.pi = scratch(at / "pi", source=self.old)
        install(self.pi)
        self.versions = [program.version(self.old), program.version(self.new)]
        self._count = 0

    def fresh(self) -> Machine:
        """As it is before the update; the newer source is what is installed from."""
        self._count += 1
        there = self.at / f"{self._count}"
        there.mkdir()
        made = replace(another(self.pi, there), source=self.new)
        play(made, "before", 1)
        return made

    def updated(self, kind: int, copies: bool = True) -> Machine:
        """The newer version is on trial and games have been played with it."""
        made = self.fresh()
        put(made)
        play(made, NOW, kind)
        if not copies:
            made.remove(games.COPIES)
        return made


def watched(m: Machine, *states: str) -> None:
    """It is watched for an hour at most: on a full disk it cannot prove itself, and that is tried again and again."""
    left = iter(range(3600 // trial.EVERY))

    def wait(_: float) -> None:
        if next(left, None) is None:
            raise OSError("nobody waits any longer")

    trial.watch(m, quiet, Stand(states=list(states)).table, wait)


def died(m: Machine) -> None:
    watched(m, "died")


def back(m: Machine) -> None:
    update.back(m, quiet, Stand().table)


def proven(m: Machine) -> Machine:
    watched(m)
    return m


def nearly(m: Machine) -> Machine:
    """The ten minutes are nearly over."""
    if on := trial.read(m):
        trial.write(m, replace(on, left=20))
    return m


WAYS: dict[str, tuple[Callable[[Scene], Machine], Callable[[Machine], object]]] = {
    "there": (Scene.fresh, put),
    "proven": (lambda scene: nearly(scene.updated(1)), watched),
    "back to its games": (lambda scene: scene.updated(1), died),
    "back to games from before": (lambda scene: scene.updated(2), died),
    "back to no games": (lambda scene: scene.updated(2, copies=False), died),
    "back by hand": (lambda scene: proven(scene.updated(2)), back),
    "back by hand on trial": (lambda scene: scene.updated(1), back),
}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"))


def begun(m: Machine) -> None:
    """The next start: what is half done is brought to an end, before the table starts."""
    if m.at(trial.STATE).exists():
        with m.alone(wait=0):
            trial.settle(m, quiet)


def starts(m: Machine, scene: Scene, now: str) -> None:
    """In every case: a whole version is the current one, it can read its games, and no game is lost."""
    current, good = program.current(m), program.good(m)
    for version in {current, good}:
        source = scene.old if version == scene.versions[0] else scene.new
        assert version in scene.versions
        for path in program._files(source):
            assert (m.at(f"{OURS}/{version}") / path.relative_to(source)).exists(), path
    assert all(m.text(place) for place in service.FILES.values())
    here = store(m)
    assert not here.exists() or kind(here) <= 1 + scene.versions.index(current), "it can read them"
    lying = [path for path in here.parent.glob(f"{here.name}*") if not path.name.endswith(("-mark", ".back"))]
    assert now in {said(path) for path in lying}, "what was played last is there"
    if not here.exists():
        assert list(here.parent.glob(f"{here.name}.newer-*")), "it begins without any"


def settled(m: Machine, scene: Scene) -> None:
    """With room on the disk nothing half done is left, and another update may come."""
    on, current = trial.read(m), program.current(m)
    assert on is None or (on.phase, on.this) == ("trying", current)
    assert all(service._same(m, current, name) for name in service.FILES)
    assert set(program.versions(m)) == {current, program.good(m), program.before(m)} - {""}
    watched(m)
    if program.current(m) == scene.versions[0]:
        put(m)
        watched(m)
    update.ready(m, quiet, Stand().table)
    assert program.current(m) == scene.versions[1] and trial.read(m) is None
    assert program.good(m) == scene.versions[1] or trial.last(m)["what"] == "stays"


def drawn(count: int, way: str) -> list[int]:
    """The places that are tried: all of them in the soak."""
    every = range(1, count + 1)
    return list(every) if EVERYTHING else sorted(Random(way).sample(every, min(PLACES, count)))


@pytest.mark.parametrize("full", [False, True], ids=["cut", "full"])
@pytest.mark.parametrize("way", WAYS)
def test_wherever_it_is_cut_and_wherever_the_disk_is_full_the_table_starts_with_its_games(
    way: str, full: bool, scene: Scene, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    begin, act = WAYS[way]
    now = "before" if way == "there" else NOW
    noted = tmp_path / "noted"
    whole = begin(scene)
    places = disturbed(partial(act, whole), 0, noted)
    starts(whole, scene, now)
    record_property("places", len(places))
    for at in drawn(len(places), f"{way} {full}"):
        m, where = begin(scene), places[at - 1]
        disturbed(partial(act, m), at, noted, full)
        try:
            if full:  # and it is still full at the next start
                disturbed(partial(begun, m), 1, noted, full)
                starts(m, scene, now)
            begun(m)
            starts(m, scene, now)
            settled(m, scene)
            starts(m, scene, now)
        except Exception as error:
            error.add_note(f"{way}, place {at} of {len(places)}: {where}")
            raise
        m.remove("/")


@pytest.mark.parametrize("full", [False, True], ids=["cut", "full"])
def test_what_goes_on_after_a_power_cut_may_be_cut_too(full: bool, scene: Scene, tmp_path: Path) -> None:
    noted = tmp_path / "noted"

    def half() -> Machine:
        """Cut right after the newer games were put aside."""
        m = scene.updated(2)
        disturbed(partial(died, m), begins + 1, noted)
        return m

    lines = disturbed(partial(died, scene.updated(2)), 0, noted)
    begins = next(at for at, line in enumerate(lines, 1) if line.startswith("os.rename tabularium.sqlite3"))
    places = disturbed(partial(begun, half()), 0, noted)
    for at in drawn(len(places), f"again {full}"):
        m = half()
        disturbed(partial(begun, m), at, noted, full)
        try:
            begun(m)
            starts(m, scene, NOW)
            settled(m, scene)
            starts(m, scene, NOW)
        except Exception as error:
            error.add_note(f"place {at} of {len(places)}: {places[at - 1]}")
            raise
