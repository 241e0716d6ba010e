"""A network that lies: every answer ends in a sentence, in bounded time, and nothing is believed."""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from pi import release
from tests.support.releases import Key, small

BODY = b"<html>Please log in</html>"


def answer(status: str, *headers: str, body: bytes = BODY) -> bytes:
    return "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", *headers, "")).encode() + body


def counted(length: object, body: bytes = BODY) -> bytes:
    return answer("200 OK", f"Content-Length: {length}", body=body)


LIES: dict[str, bytes] = {
    "nothing": b"",
    "no status line": b"220 mail.example.org ESMTP\r\n\r\n",
    "a status that is no number": answer("OK 200"),
    "an endless status line": b"HTTP/1.1 200 " + b"x" * 100_000,
    "a huge header": answer("200 OK", "X: " + "x" * 100_000),
    "too many headers": answer("200 OK", *(f"X-{number}: x" for number in range(500))),
    "a header without a colon": answer("200 OK", "nonsense", "Content-Length: 5"),
    "chunks that are none": answer("200 OK", "Transfer-Encoding: chunked", body=b"zz\r\nnonsense\r\n"),
    "a chunk that ends early": answer("200 OK", "Transfer-Encoding: chunked", body=b"ffff\r\nshort"),
    "a chunk of a negative length": answer("200 OK", "Transfer-Encoding: chunked", body=b"-5\r\nhello\r\n"),
    "more promised than there is": counted(10**9),
    "less promised than there is": counted(3),
    "a negative length": counted(-1),
    "a length that is no number": counted("many"),
    "a page for every file": answer("200 OK", "Content-Type: text/html"),
    "packed": answer("200 OK", "Content-Encoding: gzip", body=b"\x1f\x8b\x08\0\0\0\0\0\0\xff"),
    "no content": answer("204 No Content", body=b""),
    "a part": answer("206 Partial Content", "Content-Range: bytes 0-4/5", body=b"hello"),
    "unchanged": answer("304 Not Modified", body=b""),
    "a password is wanted": answer("401 Unauthorized", 'WWW-Authenticate: Basic realm="x"'),
    "a login is wanted": answer("511 Network Authentication Required"),
    "a broken server": answer("500 " + "x" * 60_000),
    "to a file": answer("302 Found", "Location: file:///etc/passwd"),
    "to FTP": answer("302 Found", "Location: ftp://127.0.0.1/x"),
    "to nowhere": answer("302 Found"),
    "to no address": answer("302 Found", "Location: http://[::1"),
    "to itself": answer("302 Found", "Location: {url}/again"),
    "to a port that is none": answer("302 Found", "Location: http://127.0.0.1:99999999/x"),
    "TLS where there is none": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}


@contextmanager
def server(serve: Callable[[socket.socket, str], object]) -> Iterator[str]:
    """Serves each connection on 127.0.0.1 with the request's path."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        over = threading.Event()

        def accepts() -> None:
            while not over.is_set():
                with suppress(OSError):
                    taken, _ = listening.accept()
                    threading.Thread(target=talks, args=(taken,), daemon=True).start()

        def talks(taken: socket.socket) -> None:
            with taken, suppress(OSError):
                serve(taken, taken.recv(4096).decode("latin-1").split(" ")[1:2][0])

        thread = threading.Thread(target=accepts, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        over.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return Key(tmp_path_factory.mktemp("key"))


def refused(url: str, at: Path, key: Key) -> release.ReleaseRefused:
    at.mkdir()
    source = release.Address(url)
    with pytest.raises(release.ReleaseRefused) as why:
        release.fetched(source, release.opened(source, at, key.signers), at)
    assert why.value.what and "{" not in why.value.what
    json.dumps({"code": why.value.code, "facts": why.value.facts})
    return why.value


@pytest.mark.parametrize("lie", LIES)
def test_whatever_an_address_answers_it_is_refused_with_a_sentence(lie: str, tmp_path: Path, key: Key) -> None:
    def lies(taken: socket.socket, _: str) -> None:
        taken.sendall(LIES[lie].replace(b"{url}", url.encode()))

    with server(lies) as url:
        why = refused(url, tmp_path / "at", key)
    assert why.code in ("unread", "portal", "missing", "none", "unsigned"), (lie, why.what)


@pytest.mark.parametrize("lie", ["no status line", "chunks that are none", "more promised than there is", "no content"])
def test_a_lie_in_the_middle_of_a_good_release_is_refused(lie: str, tmp_path: Path, key: Key) -> None:
    there = small(tmp_path / "there", key)

    def serves(taken: socket.socket, path: str) -> None:
        name = path.rpartition("/")[2]
        taken.sendall(LIES[lie] if name == "source.tar.gz" else counted((there / name).stat().st_size,
                                                                        (there / name).read_bytes()))  # fmt: skip

    with server(serves) as url:
        assert refused(url, tmp_path / "at", key).code in ("unread", "torn")


def test_a_reset_in_the_middle_is_refused(tmp_path: Path, key: Key) -> None:
    def resets(taken: socket.socket, _: str) -> None:
        taken.sendall(counted(1000, b"half"))
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")

    with server(resets) as url:
        assert refused(url, tmp_path / "at", key).code == "unread"


def test_an_endless_answer_is_given_up(tmp_path: Path, key: Key) -> None:
    def flows(taken: socket.socket, _: str) -> None:
        taken.sendall(answer("200 OK"))
        while True:
            taken.sendall(b"x" * 65536)

    with server(flows) as url:
        assert refused(url, tmp_path / "at", key).code == "large"


@pytest.mark.parametrize("begins", [b"", b"HTTP/1.1 200 OK\r\nX: ", answer("200 OK", body=b"")],
                         ids=["from the beginning", "in a header", "in the body"])  # fmt: skip
def test_a_drop_at_a_time_is_given_up(begins: bytes, tmp_path: Path, key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes before anybody's patience with a silent address ends, and all of it never."""
    over = threading.Event()

    def drips(taken: socket.socket, _: str) -> None:
        taken.sendall(begins)
        while not over.wait(0.05):
            taken.sendall(b"x")

    monkeypatch.setattr(release, "PATIENCE", 1.0)
    with server(drips) as url:
        try:
            assert "too long" in refused(url, tmp_path / "at", key).what
        finally:
            over.set()


def test_a_redirect_is_followed_on_the_network_alone(tmp_path: Path, key: Key) -> None:
    there = small(tmp_path / "there", key)

    def serves(taken: socket.socket, path: str) -> None:
        if path.startswith("/old/"):
            taken.sendall(answer("302 Found", f"Location: {url}/new/{path.rpartition('/')[2]}", body=b""))
        else:
            body = (there / path.rpartition("/")[2]).read_bytes()
            taken.sendall(counted(len(body), body))

    (tmp_path / "at").mkdir()
    with server(serves) as url:
        found = release.opened(release.Address(f"{url}/old"), tmp_path / "at", key.signers)
    assert found.version == "9.9.9"


def test_from_an_encrypted_address_none_leads_to_one_that_is_not(tmp_path: Path, key: Key) -> None:
    certificate, private = tmp_path / "cert", tmp_path / "key"
    made = os.system(
        f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout {private} -out {certificate}"
        " -days 3650 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null"
    )
    if made:
        pytest.skip("no openssl here")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, private)
    asked: list[str] = []

    def plain(taken: socket.socket, path: str) -> None:
        asked.append(path)

    with server(plain) as open_url, closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def leads() -> None:
            taken, _ = listening.accept()
            with context.wrap_socket(taken, server_side=True) as safe:
                safe.recv(4096)
                safe.sendall(answer("302 Found", f"Location: {open_url}/x", body=b""))

        thread = threading.Thread(target=leads)
        thread.start()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SSL_CERT_FILE", str(certificate))
            why = refused(f"https://localhost:{listening.getsockname()[1]}", tmp_path / "at", key)
        thread.join()
    assert "redirects to" in why.what and not asked
