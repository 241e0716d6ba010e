"""What the installer asks of the installed program, as one line of JSON: `python -m companion.cli.needs`.

`boot` lists the lines of the Pi's boot configuration that config.yaml needs, `store` is the file that holds the games,
`update` the address where releases are to be had. Exit status 2 if config.yaml has mistakes. With a copy of the games
as an argument only `fits`, whether this version can read it; config.yaml is not looked at.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.common import STORE, fail
from companion.hardware import plugged

if TYPE_CHECKING:
    from companion.hardware.settings import Settings


def boot(settings: Settings) -> list[str]:
    """Return the lines of the boot configuration that the settings need, each once."""
    if settings.hardware == "virtual":
        return []
    lines = [line for reader in settings.readers.values() for line in reader.kind.boot(reader.settings)]
    lines += [line for hub in settings.hubs.values() for line in plugged.boot(hub.port)]
    if settings.power.lamp is not None:  # lit while the kernel runs, out when it has halted
        lines.append(f"dtoverlay=gpio-poweroff,gpiopin={settings.power.lamp},active_low=1")
    return list(dict.fromkeys(lines))


def fits(games: Path) -> bool:
    """Return whether this version can read the games.

    Games damaged by a disk fit too: any version can open a table with them.
    """
    from companion.record.store import StoreTooNew
    from companion.record.store.database import sound
    from companion.record.store.history import is_damage

    try:
        sound(games)
    except StoreTooNew:
        return False
    except Exception as error:
        return is_damage(error)
    return True


def main() -> int:
    if sys.argv[1:]:
        print(json.dumps({"fits": fits(Path(sys.argv[1]))}))
        return 0
    from companion.hardware import settings as config
    from companion.record.store import mark
    from companion.rules.mistakes import ConfigError
    from drivers.kinds import KINDS

    try:
        path = config.find(None)
        settings = config.load(path, KINDS) if path else config.Settings()
    except ConfigError as error:
        return fail(*error.lines)
    store, _ = mark.follow(settings.data / STORE)
    print(json.dumps({"boot": boot(settings), "store": str(store), "update": settings.update.address}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
