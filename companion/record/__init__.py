"""The written record: transcripts, the store, and what it remembers from one evening to the next."""
