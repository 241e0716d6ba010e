"""Everything with one button."""
