"""Windows: test_*.py start window_*.py, which are programs, each a window of its own."""
