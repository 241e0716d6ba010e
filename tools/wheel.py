"""What hatchling does before it makes a wheel: the catalogues are compiled."""

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """Any: whatever hatchling has to say of the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        sys.path.insert(0, self.root)
        from companion.rules.catalogues import compile_all

        compile_all()
