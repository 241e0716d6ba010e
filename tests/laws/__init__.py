"""Laws over all games."""
