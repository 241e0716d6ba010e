"""A module for each game that can be asked more than any game: `GUIDE` in `companion/guides/<game>.py`."""
