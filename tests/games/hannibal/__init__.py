"""Tests of hannibal."""
