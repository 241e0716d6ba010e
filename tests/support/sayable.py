"""The signs that are never spoken."""

from __future__ import annotations

import re

UNSAID = re.compile(r"[\d()\[\]<>{}“”„‚‘«»×½=+*/\\|_#@&%…]|\s-\s|--")
"""Signs that nobody says aloud."""
