"""Tests of mercator."""
