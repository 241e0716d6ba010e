"""A driver as a stranger would write it, for a reader nobody sells: a file whose lines are the tags on it."""
