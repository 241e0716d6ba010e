"""Why a table does not reach its hall: each cause has its own words and its own remedy."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from companion.hall import setup
from companion.hall.link import Broker, BrokerLink
from companion.hall.plan import Plan
from companion.hall.probe import probe
from companion.hall.reach import NEW, unreached
from companion.hardware.doctor.hall import REMEDIES, HallProbe, way
from companion.rules.message import code
from drivers.installed import reachable
from tests.support.hall_broker import broker, free_port
from tests.support.hall_tables import until

# paho leaves a socket whose handshake fails to Python's collector
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def fault(at: Broker) -> str:
    """Why nobody gets in there."""
    found, heard, _ = probe(at, "friday", 10.0)
    assert found and not heard
    return code(found)


@contextmanager
def listening(backlog: int = 1) -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0), backlog=backlog)) as door:
        yield door


def test_each_cause_has_its_own_words(tmp_path: Path) -> None:
    with broker(tmp_path / "plain") as plain, broker(tmp_path / "tls", tls=True) as tls:
        good, encrypted = plain.as_("1"), replace(tls.as_("1"), host="localhost")
        found = {
            "unknown": replace(good, host="no-such-hall.invalid"),
            "closed": replace(good, port=free_port()),
            "password": replace(good, password="guessed"),
            "plain": replace(good, tls=tls.plan.folder / "hall.crt"),
            "hung_up": replace(encrypted, tls=None),
            "host": replace(encrypted, host="127.0.0.2"),
            "certificate": replace(encrypted, tls=another(tmp_path)),
        }
        assert {name: fault(at) for name, at in found.items()} == {name: name for name in found}
        assert probe(encrypted, "friday")[0] == ""


def another(folder: Path) -> Path:
    """The certificate of another hall on the same computer."""
    plan = Plan(folder / "other", "other", ("1",), "localhost", tls=True)
    setup.set_up(plan)
    return plan.folder / "hall.crt"


def test_a_certificate_that_has_expired_says_so(tmp_path: Path) -> None:
    key, asked, crt = (tmp_path / name for name in ("key", "asked", "crt"))
    asking = ["openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", asked,
              "-subj", "/CN=localhost"]  # fmt: skip
    signing = ["openssl", "x509", "-req", "-in", asked, "-signkey", key, "-days", "-1", "-out", crt]
    for words in (asking, signing):
        subprocess.run(list(map(str, words)), check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(crt, key)

    def serve(door: socket.socket) -> None:
        line, _ = door.accept()
        with closing(line), pytest.raises(ssl.SSLError):
            context.wrap_socket(line, server_side=True)

    with listening() as door:
        thread = Thread(target=serve, args=(door,), daemon=True)
        thread.start()
        assert fault(Broker("localhost", door.getsockname()[1], "1", "x", crt)) == "expired"
        thread.join()


def test_a_certificate_before_its_time_is_a_matter_of_the_clock() -> None:
    error = ssl.SSLCertVerificationError(1, "certificate is not yet valid")
    error.verify_code = 9  # X509_V_ERR_CERT_NOT_YET_VALID
    (finding,) = way(HallProbe("friday", "1", unreached(error, "hall.local", 8883, True), False))
    assert "clock" in finding.next


def test_a_computer_that_says_nothing_is_silent_and_has_an_address() -> None:
    """Its door is so full that nobody is answered, as in a network that keeps its guests apart."""
    with listening(backlog=0) as door:
        at = door.getsockname()
        with closing(socket.create_connection(at)):
            link = BrokerLink(Broker("127.0.0.1", at[1], "1", "x"), subscribed=[], came=lambda _: None)
            with closing(link):
                link.open()
                until(lambda: link.fault != NEW)
                assert code(link.fault) == "silent" and link.address == "127.0.0.1"


ALLOW = "::1/128 127.0.0.0/8 169.254.0.0/16 fe80::/64 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7"


@pytest.mark.parametrize(
    ("address", "forbidden"),
    [("192.168.1.5", False), ("fe80::1%eth0", False), ("::ffff:10.0.0.7", False), ("fd00::5", False), ("", False),
     ("100.64.3.4", True), ("141.30.2.2", True), ("2001:db8::1", True)],
)  # fmt: skip
def test_the_doctor_names_an_address_that_the_service_may_not_reach(address: str, forbidden: bool) -> None:
    """A shared address of a provider, a public network in a university, IPv6 everywhere."""
    seen = HallProbe("friday", "1", "", True, 0, address, ALLOW.split())
    (finding,) = way(seen)
    assert (finding.verdict == "fail") == forbidden
    if forbidden:
        assert f"IPAddressAllow={address}" in finding.next
        assert next(way(replace(seen, allowed=None))).verdict == "pass"


def test_what_the_service_may_reach_is_asked_of_systemd() -> None:
    def asked(*words: str) -> str:
        assert words[-1] == "tabularium"
        return f"IPAddressAllow={ALLOW}\nIPAddressDeny=::/0 0.0.0.0/0"

    assert reachable(asked) == ALLOW.split()
    assert reachable(lambda *_: "IPAddressAllow=\nIPAddressDeny=") is None
    assert reachable(lambda *_: "") is None


def test_every_cause_that_somebody_can_do_something_about_has_a_remedy() -> None:
    assert len(set(REMEDIES.values())) >= len(REMEDIES) - 1
