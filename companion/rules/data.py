"""What JSON and YAML hold, and what texts name: keys, and values of every kind."""

from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]
"""Known by their keys; only the code that wrote a value knows its kind."""
SEALED = "choice"
"""The key of a position under which the cards that lie face down stand, by seat."""
