"""What the boards of several games share."""
