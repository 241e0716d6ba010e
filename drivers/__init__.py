"""Hardware that speaks: readers, buttons, lamps. Knows the words of `companion.table`, nothing of games."""
