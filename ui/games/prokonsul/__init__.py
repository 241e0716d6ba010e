"""Prokonsul on the screen."""
