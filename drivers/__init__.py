"""Hardware that speaks: readers, buttons, lamps. Knows the words of `companion.play.table`, nothing of games."""
