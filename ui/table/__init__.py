"""The frame around every board: top line, seats, ruling line, dock, and the moment they show."""
