"""Tests of caesar."""
