"""Tables as CSV: right columns, numbers and letters in the spreadsheets people have, and nothing that is run."""

from __future__ import annotations

import csv
import shutil
import subprocess
from io import StringIO
from itertools import product
from pathlib import Path

import pytest

from companion.record import spreadsheet
from companion.rules.words import LANGUAGES
from tests.support.tables import EVERYTHING

ROWS = (
    ("place", "player", "score"),
    (1, "さくら", 22.5),
    (2, 'Zoë “Q"', -3),
    (3, "Anna; Ben, and\nCara", 0.25),
    (4, "=HYPERLINK(1)", True),
)
"""What people are called, and what a score may be."""
DELIMITER = {"en": ",", "de": ";", "ja": ","}
"""What Excel takes for the end of a column in the region of each language."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_table_is_written_the_way_its_readers_region_has_it(lang: str) -> None:
    data = spreadsheet.table(ROWS, lang)
    text = data.decode("utf-8-sig")
    assert data.startswith(b"\xef\xbb\xbf") and text.startswith("place")
    assert text.count("\r\n") == len(ROWS), "one line a row, ended as the format has it"
    rows = list(csv.reader(StringIO(text, newline=""), delimiter=DELIMITER[lang]))
    assert [row[1] for row in rows[1:4]] == [name for _, name, _ in ROWS[1:4]]
    assert [row[2] for row in rows[1:4]] == (["22,5", "-3", "0,25"] if lang == "de" else ["22.5", "-3", "0.25"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("other", LANGUAGES)
@pytest.mark.parametrize("name", [
    '=HYPERLINK("x";"Anna")', "-2+3", "+49 Anna", "@x", "＝1+1", "\t=1", " =1", '"=1"', "Anna;=1+1", "Anna,@x", "Anna\n-1",
    "Anna\r\n=1", 'Anna;"=1"', "Anna\t=1",
])  # fmt: skip
def test_no_cell_begins_a_formula_whichever_region_opens_it(lang: str, other: str, name: str) -> None:
    """Also where the spreadsheet breaks the columns at another sign than they were written with."""
    text = spreadsheet.table([["a", name, "b"]], lang).decode("utf-8-sig")
    for delimiter in (DELIMITER[other], "\t"):
        cells = [cell for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter) for cell in row]
        assert not [cell for cell in cells if cell.strip(' \t"').startswith(tuple("=+-@＝＋－＠"))]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_read_back_as_they_were(lang: str) -> None:
    """Every text of up to four of the signs that matter."""
    names = ["".join(signs) for length in range(5) for signs in product("a'\"=;,\t\n ", repeat=length)]
    found = spreadsheet.read(spreadsheet.table([["at", "name"], *enumerate(names)], lang))
    assert [row["name"] for row in found] == names


@pytest.mark.parametrize("data", [b"\xff", b"a,b\n1\n", b"a,b\n1,2,3\n"], ids=["bytes", "short", "long"])
def test_what_is_no_table_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        spreadsheet.read(data)


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
@pytest.mark.skipif(not EVERYTHING, reason="LibreOffice takes its time")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_libreoffice_opens_it_with_its_columns_and_numbers(lang: str, tmp_path: Path) -> None:
    """It finds the mark by itself, and is given the sign that its dialogue would find."""
    (tmp_path / "in.csv").write_bytes(spreadsheet.table(ROWS, lang))
    region = {"en": 1033, "de": 1031, "ja": 1041}[lang]
    words = ["soffice", "--headless", f"-env:UserInstallation={(tmp_path / 'home').as_uri()}",
             f"--infilter=CSV:{ord(DELIMITER[lang])},34,76,1,,{region},false,true", "--convert-to",
             "csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true,false", "--outdir", str(tmp_path / "out"),
             str(tmp_path / "in.csv")]  # fmt: skip
    subprocess.run(words, check=True, capture_output=True, timeout=300)
    rows = list(csv.reader(StringIO((tmp_path / "out/in.csv").read_text(encoding="utf-8-sig"), newline="")))
    assert [(row[1], row[2]) for row in rows[1:4]] == [
        ("さくら", "22.5"), ("Zoë “Q\"", "-3"), ("Anna; Ben, and\nCara", "0.25"),
    ]  # fmt: skip
    assert rows[4][1] == "'=HYPERLINK(1)"
