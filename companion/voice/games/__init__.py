"""What each game says aloud, a module a game: `SPEECH`."""
