"""Phones as seats."""
