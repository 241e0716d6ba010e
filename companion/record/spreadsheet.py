"""Tables as CSV: a double click opens them right in Excel, LibreOffice and Numbers, and nothing in them is run.

A CSV file does not say how it was written. Excel takes the columns and decimals of the computer's region, and UTF-8
only from a byte order mark; a line `sep=;` would name the columns, but makes it forget the mark. So a table is written
the way the region of its language has it: semicolons and decimal commas in German, commas and decimal points in English
and Japanese. LibreOffice and Numbers look for themselves and read both.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

COMMA = frozenset(("de",))
"""Languages that write a comma in decimal numbers, and so semicolons between columns."""
FORMULA = re.compile(r"(^|[,;\t\r\n])(?=[\"'\s]*[=+\-@＝＋－＠]|'*[\t\r\n])")
"""Where a spreadsheet may see the beginning of a formula: also behind a column's end, should it take another sign for
one. Source: OWASP, "CSV Injection"."""
MARKED = re.compile(FORMULA.pattern.replace("(?=", "'(?="))


def table(rows: Iterable[Iterable[object]], lang: str) -> bytes:
    """Return rows as the bytes of a CSV file for readers of this language.

    A text in which a spreadsheet may see a formula has an apostrophe before it, so that none is run.
    """
    out = StringIO()
    written = csv.writer(out, delimiter=";" if lang in COMMA else ",", lineterminator="\r\n")
    for row in rows:
        written.writerow([_cell(cell, lang) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _cell(cell: object, lang: str) -> object:
    if isinstance(cell, str):
        return FORMULA.sub(r"\1'", cell)
    if isinstance(cell, float) and lang in COMMA:
        return str(cell).replace(".", ",")
    return cell


def read(data: bytes) -> Sequence[Mapping[str, str]]:
    """Return the rows of a table that was written here, in any language, by the names in its first line.

    Raises ValueError for other data. Texts are as they were before they were written; a decimal keeps the comma or
    point that it was written with.
    """
    text = data.decode("utf-8-sig")
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    try:
        rows = list(csv.DictReader(StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise ValueError(str(error)) from None
    return [{str(key): _text(value) for key, value in row.items()} for row in rows]


def _text(cell: object) -> str:
    """Return the text of a cell. Raises ValueError where there is no cell, or more than the first line names."""
    if not isinstance(cell, str):
        raise ValueError("a line is not as long as the first")
    return MARKED.sub(r"\1", cell)
