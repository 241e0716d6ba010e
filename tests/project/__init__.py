"""The project itself: documents, words, imports, packages, commands."""
