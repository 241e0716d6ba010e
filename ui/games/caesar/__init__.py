"""Caesar on the screen."""
