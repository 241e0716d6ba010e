"""Traces below the words: masking the ids in frames and bytes, and replaying the drivers from a recording."""
