"""Pictures of an update: looked for, found, wanted, put in place, refused, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from companion.system.updates import ASK, ASKED, LAST, SAID, TRIAL, Updates

if TYPE_CHECKING:
    from ui.page import App

CHANGES = (
    "A reader that misses cards may get more gain than its chip has by itself, and the first hour says what helps.",
    "Spartacus: a flag that ends a trick is worth its two points also where the trick is amended afterwards.",
    "The table says in Japanese what lies otherwise.",
)


def updated(app: App) -> Iterator[str]:
    """Show an update; root is a folder here, and what it says is written into it."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name in (ASKED, "opt/tabularium/0.0.9-00000000", "opt/tabularium/0.1.0-00000000"):
            (root / name).mkdir(parents=True)
        for name in ("0.0.9", "0.1.0"):
            (root / f"opt/tabularium/{name}-00000000/whole").touch()
        for name, version in (("current", "0.1.0"), ("good", "0.1.0"), ("before", "0.0.9")):
            (root / f"opt/tabularium/{name}").symlink_to(f"{version}-00000000")
        app.services.updates = Updates(root, "https://example.org/tabularium")
        yield from _pictures(app, root)
        app.go("start")
        app.services.updates = None
        app.pages.pop("update")


def _pictures(app: App, root: Path) -> Iterator[str]:
    def says(state: str, **more: Any) -> None:
        number = json.loads((root / ASKED / ASK).read_text(encoding="utf-8"))["number"]
        (root / SAID).write_text(json.dumps({"number": number, "state": state} | more), encoding="utf-8")
        app.paint()

    found = {"place": "/media/sda1/tabularium-0.2.0", "version": "0.2.0", "changes": CHANGES, "further": 12}
    forged = {"place": "/media/sdb1/new", "code": "forged", "facts": {}}
    app.go("update")
    yield "update"
    says("done", offers=[found, forged])
    yield "update-found"
    app.page.choose("Install {version}")
    yield "update-sure"
    app.page.choose("Yes, now")
    says("working", step="install", version="0.2.0")
    yield "update-install"
    says("refused", code="room", facts={"needed": "412", "free": "80"})
    yield "update-refused"
    last = {"number": 1, "what": "back", "version": "0.1.0-1", "other": "0.2.0-1", "why": "died"}
    (root / LAST).write_text(json.dumps(last | {"aside": "/var/lib/tabularium/tabularium.sqlite3.newer-0007"}))
    (root / TRIAL).write_text(json.dumps({"this": "0.1.0-00000000", "left": 320}))
    app.page.choose("Check USB sticks")
    says("done", offers=[])
    yield "update-back"
    (root / TRIAL).unlink()
    app.page.choose("Back to {version}")
    yield "update-sure-back"
