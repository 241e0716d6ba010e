"""The build hook for hatchling: the catalogues are compiled before a wheel is made."""

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """A build hook that compiles the catalogues. Any: hatchling's configuration of the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        sys.path.insert(0, self.root)
        from companion.rules.catalogues import compile_all

        compile_all()
