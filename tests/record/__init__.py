"""What is written down, kept and read again."""
