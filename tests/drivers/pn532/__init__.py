"""Tests of pn532."""
