"""The evening at the table."""
