"""Parts together, as people use them: what broke lay between two of them, and between one evening and the next."""
