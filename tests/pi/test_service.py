"""What a service manager hears, over real datagram sockets."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.system.service import Service


class Manager:
    """A service manager's end: its socket and the environment it gives."""

    def __init__(self, address: str, written: str, **more: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)
        self.environment = {"NOTIFY_SOCKET": written, **more}

    def heard(self) -> list[str]:
        lines = []
        try:
            while True:
                lines.append(self.socket.recv(4096).decode())
        except BlockingIOError:
            return lines


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    if request.param == "path":
        path = str(tmp_path / "notify")
        made = Manager(path, path)
    else:
        made = Manager(f"\0tabularium-{tmp_path}", f"@tabularium-{tmp_path}")
    with closing(made.socket):
        yield made


def test_it_hears_that_the_program_is_up_how_it_stands_and_that_it_ends(manager: Manager) -> None:
    with closing(Service(manager.environment)) as service:
        assert service.there
        service.ready()
        service.status("No game is being played")
        service.status("No game is being played")
        service.stopping()
    assert manager.heard() == ["READY=1", "STATUS=No game is being played", "STOPPING=1"]


def test_while_it_waits_it_is_up_and_says_for_what_and_the_watchdog_is_patient_until_the_first_frame(
    manager: Manager,
) -> None:
    with closing(Service(manager.environment | {"WATCHDOG_USEC": "30000000"}, lambda: 0.0)) as service:
        for _ in range(2):
            service.waiting("a display")
        service.beat()
        service.loading()
        service.ready()
    assert manager.heard() == [
        "STATUS=waiting for a display\nREADY=1",
        "WATCHDOG=1",
        "STATUS=starting\nWATCHDOG_USEC=120000000",
        "READY=1\nWATCHDOG_USEC=30000000",
    ]


def test_a_loop_that_stood_still_for_nine_tenths_of_the_watchdogs_time_is_not_ended(manager: Manager) -> None:
    now, fed = 0.0, [0.0]
    with closing(Service(manager.environment | {"WATCHDOG_USEC": "30000000"}, lambda: now)) as service:
        for stands_still in (0.02, 2.9, 27.0, 0.02, 26.9):
            service.beat()
            fed += [now] * len(manager.heard())
            now += stands_still
            assert now - fed[-1] < 30, stands_still


def test_the_watchdog_is_fed_ten_times_in_its_time_however_often_the_loop_runs(manager: Manager) -> None:
    times = iter([0.0, 0.0, 2.9, 3.0, 3.0, 5.9, 6.0, 6.0])
    with closing(Service(manager.environment | {"WATCHDOG_USEC": "30000000"}, lambda: next(times))) as service:
        for _ in range(5):
            service.beat()
    assert manager.heard() == ["WATCHDOG=1"] * 3


@pytest.mark.parametrize(
    "more", [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}]
)
def test_without_a_watchdog_of_its_own_nothing_is_fed(manager: Manager, more: dict[str, str]) -> None:
    with closing(Service(manager.environment | more, pid=77)) as service:
        service.beat()
    assert manager.heard() == []


def test_a_manager_that_has_gone_or_does_not_read_stops_nothing(manager: Manager) -> None:
    with closing(Service(manager.environment)) as service:
        for number in range(5000):
            service.status(f"{number}")
        manager.socket.close()
        service.stopping()


def test_without_a_manager_nothing_happens() -> None:
    service = Service({"WATCHDOG_USEC": "10"})
    assert not service.there
    for act in (service.ready, service.beat, service.stopping, service.close, service.close):
        act()
    service.status("anything")
