"""Tests of pcsc."""
