"""A module for each game whose positions can be written: `NOTATION` in `companion/notations/<game>.py`."""
