"""Traces below the words: other ids in frames and bytes, and the drivers played once more from what was recorded."""
