"""Hannibal gegen Rom on the screen."""
