"""Scripted games and pages, for pictures and for tests."""
