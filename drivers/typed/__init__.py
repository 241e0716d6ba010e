"""Readers that type: they send a tag's number as a keyboard would, and report only that a card has come."""
