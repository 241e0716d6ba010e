"""Spartacus on the screen."""
