"""What is written down and read again: transcripts, the store, what it remembers from one evening to the next."""
