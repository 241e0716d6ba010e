"""Games without a table: transcripts replayed, on paper or aloud, and games played at random."""
