"""The games on the screen: a folder a game, each exporting its face; `parts` for what several boards share."""
