"""What is handed out: built twice it is the same, and nothing of it is believed before its signature is proven."""

from __future__ import annotations

import hashlib
import http.server
import io
import json
import os
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from pi import program, release
from pi.machine import Failed
from tests.support.paths import ROOT
from tests.support.releases import Key, commit, committed, small, summed
from tests.support.tracked import tracked
from tools import making

# -- made --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return Key(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="module")
def repository(key: Key, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed(tmp_path_factory.mktemp("repository"), key)


@pytest.mark.slow
def test_a_release_is_the_same_twice_and_taken_where_its_key_is_known(
    repository: Path, key: Key, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = making.make(repository, tmp_path / "one", key=key.private, wheels=False)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    umask = os.umask(0o077)
    try:
        two = making.make(repository, tmp_path / "two", key=key.private, wheels=False)
    finally:
        os.umask(umask)
    assert {path.name: path.read_bytes() for path in one.iterdir()} == {
        path.name: path.read_bytes() for path in two.iterdir()
    }

    (tmp_path / "taken").mkdir()
    found = release.opened(release.Folder(one), tmp_path / "taken", key.signers)
    assert found.version == one.name.removeprefix("tabularium-") and found.room > 1
    assert any("Prokonsul" in line for line in found.changes) and not any("`" in line for line in found.changes)
    release.fetched(release.Folder(one), found, tmp_path / "taken")
    home = release.unpacked(tmp_path / "taken" / found.source, tmp_path / "source")
    assert program.version(home) == program.version(repository)
    assert os.access(home / "install", os.X_OK)

    wheel = next(one.glob("*.whl"))
    with ZipFile(wheel) as opened:
        inside = [name for name in opened.namelist() if "/sboms/" in name]
        assert len(inside) == 1
        bill = json.loads(opened.read(inside[0]))
        assert bill["components"] == json.loads((ROOT / making.CARRIED).read_bytes())["components"]
    told = json.loads((one / making.ENVIRONMENT).read_text(encoding="utf-8"))
    assert {of["name"] for of in told["components"]} == {line.split("==")[0] for line in program.requirements(ROOT)}
    assert all(of.get("licenses") for of in told["components"]), "each says its licence"
    with pytest.raises(Failed, match="there already"):
        making.make(repository, tmp_path / "one", wheels=False)


def test_nothing_is_signed_that_nobody_could_take(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(Failed, match="knows this key") as failed:
        making.make(repository, tmp_path / "made", key=Key(tmp_path / "other").private)
    assert 'release namespaces="tabularium-release" ssh-ed25519 ' in failed.value.remedy
    assert not (tmp_path / "made").exists()


def test_nothing_is_signed_that_is_not_meant_to_go_out(repository: Path, key: Key, tmp_path: Path) -> None:
    there = tmp_path / "unready"
    subprocess.run(["git", "clone", "-q", repository, there], check=True)
    changes = there / "CHANGELOG.md"
    changes.write_text(changes.read_text(encoding="utf-8").replace("2026-12-01", "unreleased"), encoding="utf-8")
    commit(there)
    with pytest.raises(Failed, match="unreleased"):
        making.make(there, tmp_path / "made", key=key.private)
    changes.write_text("# Changes\n", encoding="utf-8")
    commit(there)
    with pytest.raises(Failed, match="says nothing of"):
        making.make(there, tmp_path / "made")


def test_what_is_carried_of_others_is_as_it_is_listed() -> None:
    listed = json.loads((ROOT / making.CARRIED).read_text(encoding="utf-8"))["components"]
    there = {of["evidence"]["occurrences"][0]["location"]: of["hashes"][0]["content"] for of in listed}
    for path, digest in there.items():
        assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == digest, path
    others = tracked("*.min.js", "*.otf", "*.ttf", "*.woff", "*.woff2")
    assert {str(path.relative_to(ROOT)) for path in others} == set(there)
    assert "5.16.0" in (ROOT / "docs/hall/board.md").read_text(encoding="utf-8")


def test_a_pi_is_given_all_that_is_needed_and_nothing_besides() -> None:
    """What the program's packages ask for is on the list, or is known to be left out."""
    import tomllib
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    given = {program.named(line) for line in program.requirements(ROOT)}
    unused = {program.named(name) for name in program.UNUSED}
    of_apt = {"spidev", "rpi-gpio"}  # and mfrc522 is there without
    todo = [*project["dependencies"], *project["optional-dependencies"]["hall"], "mfrc522"]
    seen: set[str] = set()
    while todo:
        wanted = Requirement(todo.pop())
        name = program.named(wanted.name).replace(".", "-")
        if name in seen | unused | of_apt or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        todo += requires(wanted.name) or []
    assert seen == given and not given & unused


def test_what_builds_is_pinned_by_hash_and_as_in_the_constraints() -> None:
    lines = [
        line for line in (ROOT / "pi/build.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert "hatchling" in {line.partition("==")[0] for line in lines}
    for line in lines:
        requirement, _, digest = line.partition(" --hash=sha256:")
        assert len(digest) == 64 and requirement in pinned


def test_this_version_knows_at_most_two_keys_and_no_private_one() -> None:
    lines = [line for line in release.SIGNERS.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    assert len(lines) <= 2
    assert all(line.startswith(f'{release.SIGNER} namespaces="{release.NAMESPACE}" ssh-ed25519 ') for line in lines)
    told = subprocess.run(
        ["git", "grep", "-l", "PRIVATE KEY-----"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert told.stdout.split() in ([], ["tests/pi/test_release.py"])


# -- believed ----------------------------------------------------------------------------------------------------------


def why(folder: Path, signers: Path, tmp_path: Path) -> str:
    """Why it is refused, whether at once or when it is fetched."""
    at = tmp_path / "taken"
    at.mkdir()
    with pytest.raises(release.ReleaseRefused) as refused:
        release.fetched(release.Folder(folder), release.opened(release.Folder(folder), at, signers), at)
    assert "{" not in refused.value.what
    return refused.value.code


def test_one_that_is_ours_is_taken_by_either_of_two_keys(key: Key, tmp_path: Path) -> None:
    other = Key(tmp_path / "other")
    key_two = tmp_path / "signers"
    key_two.write_text(f"{other.line}\n{key.line}\n", encoding="utf-8")
    for at, each in enumerate((key, other)):
        folder = small(tmp_path / f"{at}", each, "0.2.0")
        taken = tmp_path / f"taken{at}"
        taken.mkdir()
        found = release.opened(release.Folder(folder), taken, key_two)
        release.fetched(release.Folder(folder), found, taken)
        assert found.version == "0.2.0" and (taken / "source.tar.gz").read_bytes() == b"s"


def nothing(folder: Path, key: Key) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def unsigned(folder: Path, key: Key) -> None:
    (folder / release.SIGNATURE).unlink()


def strangers(folder: Path, key: Key) -> None:
    Key(folder.parent / "stranger").sign(folder)


def other_use(folder: Path, key: Key) -> None:
    key.sign(folder, namespace="file")


def changed_after(folder: Path, key: Key) -> None:
    summed(folder, None)
    (folder / release.SUMS).write_bytes((folder / release.SUMS).read_bytes() + b"0" * 64 + b"  more\n")


def damaged(folder: Path, key: Key) -> None:
    (folder / "source.tar.gz").write_bytes(b"t")


def half(folder: Path, key: Key) -> None:
    (folder / release.ABOUT).write_bytes((folder / release.ABOUT).read_bytes()[:-9])


def away(folder: Path, key: Key) -> None:
    (folder / "source.tar.gz").unlink()


def linked(folder: Path, key: Key) -> None:
    (folder / "source.tar.gz").unlink()
    (folder / "source.tar.gz").symlink_to("/etc/passwd")


def sums_linked(folder: Path, key: Key) -> None:
    (folder / release.SUMS).unlink()
    (folder / release.SUMS).symlink_to("/etc/passwd")


def piped(folder: Path, key: Key) -> None:
    (folder / "source.tar.gz").unlink()
    os.mkfifo(folder / "source.tar.gz")


def huge(folder: Path, key: Key) -> None:
    with (folder / release.SUMS).open("r+b") as file:
        file.truncate(10_000_000_000)


def huge_but_signed(folder: Path, key: Key) -> None:
    with (folder / "source.tar.gz").open("r+b") as file:
        file.truncate(10_000_000_000)


def climbing(folder: Path, key: Key) -> None:
    summed(folder, key, {"../out": "0" * 64})


def without_itself(folder: Path, key: Key) -> None:
    (folder / release.ABOUT).unlink()
    summed(folder, key)


def newer_format(folder: Path, key: Key) -> None:
    about = json.loads((folder / release.ABOUT).read_text(encoding="utf-8"))
    (folder / release.ABOUT).write_text(json.dumps(about | {"release": 2}), encoding="utf-8")
    summed(folder, key)


def no_number(folder: Path, key: Key) -> None:
    about = json.loads((folder / release.ABOUT).read_text(encoding="utf-8"))
    (folder / release.ABOUT).write_text(json.dumps(about | {"version": "1.0.0; rm"}), encoding="utf-8")
    summed(folder, key)


def no_json(folder: Path, key: Key) -> None:
    (folder / release.ABOUT).write_text("[" * 100_000, encoding="utf-8")
    summed(folder, key)


def many(folder: Path, key: Key) -> None:
    summed(folder, key, {f"{at}": "0" * 64 for at in range(release.MOST)})


@pytest.mark.parametrize(
    ("spoilt", "code"),
    [
        (nothing, "none"), (unsigned, "unsigned"), (strangers, "forged"), (other_use, "forged"), (changed_after, "forged"),
        (damaged, "torn"), (half, "torn"), (away, "missing"), (linked, "odd"), (sums_linked, "odd"), (piped, "odd"),
        (huge, "large"), (huge_but_signed, "large"), (climbing, "unknown"), (without_itself, "unknown"),
        (newer_format, "unknown"), (no_number, "unknown"), (no_json, "unknown"), (many, "unknown"),
    ],
)  # fmt: skip
def test_one_that_is_not_is_refused_and_it_is_said_why(
    spoilt: Callable[[Path, Key], None], code: str, key: Key, tmp_path: Path
) -> None:
    folder = small(tmp_path / "release", key)
    spoilt(folder, key)
    most = release.LARGE
    try:
        release.LARGE = 1 << 20
        assert why(folder, key.signers, tmp_path) == code
    finally:
        release.LARGE = most


def test_a_table_without_keys_takes_none(key: Key, tmp_path: Path) -> None:
    (tmp_path / "signers").write_text("# none yet\n", encoding="utf-8")
    assert why(small(tmp_path / "release", key), tmp_path / "signers", tmp_path) == "no-keys"


@pytest.mark.parametrize("name", ["/etc/out", "../out", "home/../../out"])
def test_an_archive_that_climbs_out_is_refused(name: str, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        entry = tarfile.TarInfo(name)
        entry.size = 1
        tar.addfile(entry, io.BytesIO(b"x"))
    with pytest.raises(release.ReleaseRefused, match="not a regular file"):
        release.unpacked(tmp_path / "a.tar.gz", tmp_path / "to")
    assert not (tmp_path / "out").exists()


def test_an_archive_with_a_link_or_cut_short_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        link = tarfile.TarInfo("home/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        tar.addfile(link)
    with pytest.raises(release.ReleaseRefused, match="not a regular file"):
        release.unpacked(tmp_path / "a.tar.gz", tmp_path / "to")
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as tar:
        entry = tarfile.TarInfo("home/file")
        entry.size = 50_000
        tar.addfile(entry, io.BytesIO(os.urandom(50_000)))
    whole = (tmp_path / "b.tar.gz").read_bytes()
    (tmp_path / "b.tar.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(release.ReleaseRefused, match="damaged"):
        release.unpacked(tmp_path / "b.tar.gz", tmp_path / "again")


@pytest.mark.parametrize(
    ("lower", "higher"), [("0.1.0", "0.2.0"), ("0.9.3", "0.10.0"), ("0.1.0-abcdef01", "0.1.1"), ("1.2.3", "2.0.0")]
)
def test_older_is_a_lower_number(lower: str, higher: str) -> None:
    assert release.number(lower) < release.number(higher)


# -- from the network --------------------------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which it is served."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_an_address_is_read_as_a_folder_is(served: tuple[Path, str], key: Key, tmp_path: Path) -> None:
    folder, url = served
    small(folder / "latest", key, "0.3.0")
    source = release.Address(f"{url}/latest/")
    (tmp_path / "taken").mkdir()
    found = release.opened(source, tmp_path / "taken", key.signers)
    release.fetched(source, found, tmp_path / "taken")
    assert found.version == "0.3.0" and (tmp_path / "taken/source.tar.gz").exists()


def test_a_network_that_lies_is_not_believed(served: tuple[Path, str], key: Key, tmp_path: Path) -> None:
    """A page that asks for a password in place of each file; one file in place of another; nobody there at all."""
    folder, url = served
    for at, (spoil, code) in enumerate(
        {"page": "portal", "source": "torn", "gone": "unread", "scheme": "unread"}.items()
    ):
        small(folder / spoil, key)
        address = f"{url}/{spoil}"
        if spoil == "page":
            for path in (folder / spoil).iterdir():
                path.write_bytes(b"<html>Please log in</html>")
        elif spoil == "source":
            (folder / spoil / "source.tar.gz").write_bytes(b"<html>")
        elif spoil == "gone":
            address = "http://127.0.0.1:9/"
        else:
            address = (folder / spoil).as_uri()
        (tmp_path / f"{at}").mkdir()
        source = release.Address(address)
        with pytest.raises(release.ReleaseRefused) as refused:
            release.fetched(source, release.opened(source, tmp_path / f"{at}", key.signers), tmp_path / f"{at}")
        assert refused.value.code == code, spoil
