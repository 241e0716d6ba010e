"""Tables as CSV, which a spreadsheet reads without running anything that stands in them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""What a spreadsheet takes for the beginning of a formula. Source: OWASP, "CSV Injection"."""


def table(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV. A text that begins like a formula has a quotation mark before it, so that none is run."""
    out = StringIO()
    written = csv.writer(out, lineterminator="\n")
    for row in rows:
        written.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in row])
    return out.getvalue()
