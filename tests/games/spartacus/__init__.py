"""Tests of spartacus."""
