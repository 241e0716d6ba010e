"""The evening at the table: a match and its one port out, tags and fists, players, series, lessons.

`Evening` holds a `Match` or none; voice, ear and hall subscribe to the `Port`.
"""
