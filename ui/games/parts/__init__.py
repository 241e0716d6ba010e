"""What several boards share; it knows no game."""
