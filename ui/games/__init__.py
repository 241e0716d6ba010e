"""The games on the screen: one folder per game, each exporting its face; `parts` has what several boards share."""
