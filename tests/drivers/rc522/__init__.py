"""Tests of rc522."""
