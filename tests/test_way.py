"""The way of a card from tag to pixel: as docs/way.svg draws it, and no longer than it was."""

import re
import subprocess

FUNCTIONS, FILES = 39, 17


def test_the_way_of_a_card_is_the_one_in_the_drawing_and_no_longer_than_it_was(
    runs: dict[str, "subprocess.Popen[str]"],
) -> None:
    out, err = runs["way"].communicate()
    assert runs["way"].returncode == 0, out + err
    functions, files = map(int, re.findall(r"\d+", out.splitlines()[0]))
    assert functions <= FUNCTIONS and files <= FILES
