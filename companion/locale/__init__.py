"""The catalogues: one folder a language, texts in tabularium.po, compiled beside it."""
