"""What the screen shows, without a window."""
