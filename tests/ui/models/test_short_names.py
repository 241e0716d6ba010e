"""Short forms of the players' names."""

from __future__ import annotations

import pytest

from ui.widgets.short_names import short_names


@pytest.mark.parametrize(
    ("names", "forms"),
    [
        (("Elisabeth",), ("Elisabet.", "Elisabe.", "Elisab.", "Elisa.", "Elis.", "Eli.", "El.", "E.")),
        (("Anna Maria Sophie", "Ben"), ("Anna Maria", "Anna", "Ann.", "An.", "A.")),
        (("Anna", "Annabel"), ()),
        (("Annabel", "anna"), ("Annabe.", "Annab.")),
        (("Anna Maria", "Anna Berta"), ("Anna Mari.", "Anna Mar.", "Anna Ma.", "Anna M.")),
        (("Anna (Red)", "Anna (Blue)"), ("Anna (Re.)", "Anna (R.)")),
    ],
)
def test_a_short_name_begins_no_other_name(names: tuple[str, ...], forms: tuple[str, ...]) -> None:
    assert short_names({name: name for name in names})[names[0]] == forms
