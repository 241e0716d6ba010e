"""The kinds of reader. Another one is a package here with a module `kind`, and its name in NAMES.

`python -m drivers.kinds` prints the packages they need besides those that `python -m drivers.kinds alone` prints, which
are installed without what they ask for.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.hardware.kind import Kind, Kinds


NAMES = ("virtual", "rc522", "pcsc", "pn532", "typed")


def kind(name: str) -> Kind[Any]:
    """Return the kind of reader with that name in config.yaml."""
    loaded: Kind[Any] = import_module(f"drivers.{name}.kind").KIND
    return loaded


KINDS: Kinds = {name: partial(kind, name) for name in NAMES}


def packages(alone: bool) -> list[str]:
    """Return the packages that all kinds together need.

    They are those installed without their dependencies if `alone`, else the others.
    """
    wanted = (package for name in NAMES for package in kind(name).packages)
    return list(dict.fromkeys(package.name for package in wanted if package.alone == alone))


def debian() -> list[str]:
    """Return Debian's packages that all kinds together need."""
    return list(dict.fromkeys(name for kind_name in NAMES for name in kind(kind_name).apt))


if __name__ == "__main__":
    print(*packages("alone" in sys.argv))
