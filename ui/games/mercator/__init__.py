"""Mercator on the screen."""
