"""What can be said of rulings, and what is never said."""

from __future__ import annotations

import re

UNSAID = re.compile(r"[\d()\[\]<>{}“”„‚‘«»×½=+*/\\|_#@&%…]|\s-\s|--")
"""What nobody says aloud."""
